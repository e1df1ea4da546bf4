package corpus

import (
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// Archives, packed or not, are the same corpus on the standard input as in a file: those that are
// read more than once were looked for at an empty path.
func TestArchivesOnStandardInput(t *testing.T) {
	defer func() { standardInput.done, standardInput.data = false, nil }()
	opt := ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}
	several := map[string]map[string]string{"texts": {"cars/a": "a car in the rain", "cars/b": "a road", "cakes/c": "a cake", "cakes/d": "the plum"}}
	for name, tc := range archived(t) {
		several[name] = tc.files
	}
	for name, files := range several {
		for _, path := range packings(t, files)[1:] {
			want := must.Get(Read(t.Context(), path, opt))(t)
			standardInput.done, standardInput.data = true, must.Get(os.ReadFile(path))(t)
			if size := must.Get(Measure(t.Context(), StandardInput, opt))(t); size.Documents != want.Documents() {
				t.Errorf("%s, %s: measured are %d documents", name, path, size.Documents)
			}
			c, err := Read(t.Context(), StandardInput, opt)
			if err != nil {
				t.Errorf("%s, %s: %v", name, path, err)
				continue
			}
			checkInvariants(t, c)
			if c.Format != want.Format || c.Documents() != want.Documents() || !mat.Equal(c.X, want.X) {
				t.Errorf("%s, %s: %d documents of %s, not %d of %s", name, path, c.Documents(), c.Format, want.Documents(), want.Format)
			}
		}
	}
}
