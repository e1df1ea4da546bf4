package eigenmap_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/methods/choosek"
	"gonum.org/v1/gonum/mat"
)

// TestAnswersAndWalks: small whole numbers, of which few rows differ, are counted once by methods
// of the neighbour graph, so that groups of them are found and noise is weak evidence; so are the
// groups that a random walk falls into.
func TestAnswersAndWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	ages, answers, walk := mat.NewDense(600, 2, nil), mat.NewDense(600, 2, nil), mat.NewDense(600, 2, nil)
	for i := range 600 {
		at := []float64{22, 60}[i*7%13%2]
		for j := range 2 {
			ages.Set(i, j, math.Round(at+2*r.NormFloat64()))
			answers.Set(i, j, float64(1+r.IntN(5)))
			walk.Set(i, j, r.NormFloat64())
			if i > 0 {
				walk.Set(i, j, walk.At(i, j)+walk.At(i-1, j))
			}
		}
	}
	for name, c := range map[string]struct {
		x      *mat.Dense
		k      int // 0: any, of weak evidence
		most   int
		copies bool
	}{"ages of two groups": {ages, 2, 2, true}, "answers": {answers, 0, 8, true}, "a walk": {walk, 0, 40, false}} {
		run := searched(t, c.x, "diffusion", "clusters", "auto")
		s := run.Search
		if (s.Evidence == choosek.Weak) != (c.k == 0) || c.k > 0 && s.Clusters != c.k || s.Clusters > c.most {
			t.Errorf("%s: %d, %s: %s", name, s.Clusters, s.Evidence, s.Because)
		}
		if (run.Duplicates() != nil) != c.copies {
			t.Errorf("%s: duplicates %v", name, run.Duplicates())
		}
	}
}
