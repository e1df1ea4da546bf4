package choosek_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/methods/choosek"
	"gonum.org/v1/gonum/mat"
)

// TestSerial: the steps of a random walk have the variance 1, far below that of its places; those
// of independent rows twice the variance, also in a table that is sorted by its groups or by one of
// its columns.
func TestSerial(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n = 300
	walk, noise, sorted := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	labels := make([]int, n)
	values := make([]float64, n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	slices.Sort(values)
	for i := range n {
		labels[i] = i * 3 / n
		for j := range 2 {
			noise.Set(i, j, r.NormFloat64()+9*float64(labels[i]))
			walk.Set(i, j, r.NormFloat64())
			if i > 0 {
				walk.Set(i, j, walk.At(i, j)+walk.At(i-1, j))
			}
		}
		sorted.Set(i, 0, values[i])
		sorted.Set(i, 1, r.NormFloat64())
	}
	for name, c := range map[string]struct {
		x    mat.Matrix
		want bool
	}{"a walk": {walk, true}, "groups in turn": {noise, false}, "sorted by a column": {sorted, false}, "one that rises alone": {sorted.Slice(0, n, 0, 1), false}, "few rows": {walk.Slice(0, 15, 0, 2), false}} {
		rows, _ := c.x.Dims()
		if got := choosek.Serial(c.x, labels[:rows]); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Where gaps were looked at, silhouettes and communities are weak evidence, and so is a gap of a
// series.
func TestEvidenceOfGaps(t *testing.T) {
	apart := []choosek.Point{{K: 2, Score: 0.6}, {K: 3, Score: 0.8}}
	c := choosek.Communities{Most: 8, Effective: 8, Fewest: 8, Silhouettes: apart, Gaps: []choosek.Gap{{K: 5, Ratio: 1.6, Score: 1.2}}}
	if k, e, _ := choosek.ByCommunities(c, 2, 10); k != 8 || e != choosek.Weak {
		t.Errorf("no gap: %d, %s", k, e)
	}
	c.Gaps = []choosek.Gap{{K: 3, Ratio: 50, Score: 22}}
	if k, e, _ := choosek.ByCommunities(c, 2, 10); k != 3 || e != choosek.Strong {
		t.Errorf("a gap: %d, %s", k, e)
	}
	c.Serial = true
	if k, e, _ := choosek.ByCommunities(c, 2, 10); k != 3 || e != choosek.Weak {
		t.Errorf("a gap of a series: %d, %s", k, e)
	}
}
