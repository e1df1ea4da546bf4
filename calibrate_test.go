package eigenmap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
)

// With a known label for every document none is left to be placed: the score stays as it is, and a
// note says so.
func TestNoLookWithEveryLabel(t *testing.T) {
	x, groups := blobs(90, 3)
	opt := eigenmap.Options{Method: "lda", Known: &corpus.Given{Labels: groups, ClassNames: []string{"a", "b", "c"}}}
	run, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n"); !strings.Contains(notes, "none is left to be placed") {
		t.Errorf("nothing says why the confidence is not calibrated: %s", notes)
	}
}
