package choosing

import (
	"fmt"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
)

// A file in another order has the same documents in each fold.
func TestFoldsGoByIDs(t *testing.T) {
	held := func(order []int) (folds [][]string) {
		c := chooser{j: &job.Job{Corpus: &corpus.Corpus{}, Request: new(request.Request)}, out: &Choice{Folds: 5}}
		c.j.Prior.Names = []string{"a", "b", "c"}
		for _, i := range order {
			c.j.Corpus.IDs = append(c.j.Corpus.IDs, fmt.Sprint("d", i))
			c.j.Prior.Labels = append(c.j.Prior.Labels, i%4-1)
		}
		for _, fold := range c.folds() {
			if !slices.IsSorted(fold) {
				t.Errorf("the documents %v of a fold are not ascending", fold)
			}
			ids := job.Pick(c.j.Corpus.IDs, fold)
			slices.Sort(ids)
			folds = append(folds, ids)
		}
		return folds
	}
	as, turned := make([]int, 60), make([]int, 60)
	for i := range as {
		as[i], turned[len(as)-1-i] = i, i
	}
	if first, other := held(as), held(turned); !slices.EqualFunc(first, other, slices.Equal) {
		t.Errorf("folds %v, in the other order %v", first, other)
	}
}
