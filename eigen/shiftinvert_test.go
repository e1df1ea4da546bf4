package eigen_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// TestShiftInvertPath compares with the closed form of the path's normalised Laplacian,
// 1 − cos(πj/(n−1)).
func TestShiftInvertPath(t *testing.T) {
	n, k := 100000, 10
	if testing.Short() {
		n = 20000
	}
	b := sparse.NewBuilder(n, n)
	for i := range n - 1 {
		b.Add(i, i+1, 1)
		b.Add(i+1, i, 1)
	}
	w := must.Get(b.Build())(t)
	began := time.Now()
	p := must.Get(eigen.NewPencil(w, nil))(t)
	r := must.Get(p.Solve(context.Background(), eigen.Options{K: k, Solver: eigen.ShiftInvert}))(t)
	t.Logf("%v: %+v %v", time.Since(began), r.Stats, r.Stats.Inertia)
	for j, v := range r.Values {
		want := 2 * math.Pow(math.Sin(math.Pi*float64(j)/float64(n-1)/2), 2)
		if math.Abs(v-want) > 1e-14 {
			t.Errorf("eigenvalue %d is %g, want %g", j, v, want)
		}
	}
}
