package kmeans

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Rows that are compared only with nearby centres have the labels, bounds and centres that they
// have by all centres, to the last bit, and the labels of the plain algorithm.
func TestNearbyTwin(t *testing.T) {
	used, left := 0, 0
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(4*leastNearby*leastNearby, 900).Draw(t, "n"), rapid.IntRange(1, fewColumns).Draw(t, "d")
		k := rapid.IntRange(leastNearby, int(math.Sqrt(float64(n)/4))).Draw(t, "k")
		x := randomRows(t, n, d)
		var rows mat.Matrix = x
		if rapid.Bool().Draw(t, "single") {
			rows = must.Get(sparse.NewSingleDense(x))(t)
		} else {
			x.Scale(rapid.SampledFrom([]float64{1, 1e-156, 1e-20, 1e100}).Draw(t, "scale"), x)
		}
		p := must.Get(newDensePoints(ctx, rows))(t)
		start := rapid.SliceOfN(rapid.IntRange(0, n-1), k, k).Draw(t, "start")
		var runs [3]*run // by nearby centres, by all, and plain
		for at := range runs {
			r := newRun(p, k, 1, parallel.Serial)
			for j, i := range start {
				r.c.place(j, i)
			}
			runs[at] = r
		}
		near, all, plain := runs[0], runs[1], runs[2]
		if near.nearby == nil {
			t.Fatalf("%d rows of %d columns and %d centres have no lists of nearby centres", n, d, k)
		}
		all.nearby = nil
		must.Do(t, near.lloyd(ctx, 60))
		must.Do(t, all.lloyd(ctx, 60))
		plainLloyd(plain, 60)
		if !slices.Equal(near.label, plain.label) {
			t.Fatalf("labels %v, plain %v", near.label, plain.label)
		}
		if !slices.Equal(near.label, all.label) || !slices.Equal(near.upper, all.upper) || !slices.Equal(near.lower, all.lower) ||
			!slices.Equal(near.c.(*denseCenters).c, all.c.(*denseCenters).c) || near.objective != all.objective || near.iterations != all.iterations {
			t.Fatalf("objective %v after %d moves, by all centres %v after %d", near.objective, near.iterations, all.objective, all.iterations)
		}
		for a := range k {
			list := near.nearby.of(a)
			if !slices.IsSortedFunc(list, func(a, b beside) int { return cmp.Compare(a.away, b.away) }) {
				t.Fatalf("the centres beside %d are not in order: %v", a, list)
			}
		}
		for i := range n {
			list := near.nearby.of(int(near.label[i]))
			used++
			if list[k-1].away > (2*near.upper[i]+list[1].away)*(1+8*near.rel) {
				left++
			}
		}
	})
	if left < used/4 {
		t.Errorf("of %d rows %d have centres that are left out", used, left)
	}
}
