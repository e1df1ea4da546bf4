package job

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/request"
)

// A caller that has no use for the beginnings of texts keeps none, whatever the option says.
func TestNoSnippets(t *testing.T) {
	characters := 40
	for _, given := range []*int{nil, &characters} {
		j := &Job{Request: &request.Request{Command: "cluster"}}
		j.Snippets = given
		want := usualSnippets
		if given != nil {
			want = characters
		}
		if got := j.ReadOptions().Snippets; got != want {
			t.Errorf("%d characters of each text are kept, want %d", got, want)
		}
		if j.NoSnippets = true; j.ReadOptions().Snippets != 0 {
			t.Errorf("%d characters of each text are kept, want none", j.ReadOptions().Snippets)
		}
	}
}
