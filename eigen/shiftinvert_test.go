package eigen_test

import (
	"context"
	"math"
	"math/rand/v2"
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

// TestShiftInvertNearlyAll asks for nearly all pairs of paths whose weights span twelve decades,
// and compares them with LAPACK's; a basis as large as the problem has no room to restart.
func TestShiftInvertNearlyAll(t *testing.T) {
	for n := 12; n < 60; n += 9 {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		b := sparse.NewBuilder(n, n)
		for i := range n - 1 {
			weight := math.Pow(10, 12*rng.Float64()-6)
			b.Add(i, i+1, weight)
			b.Add(i+1, i, weight)
		}
		p := must.Get(eigen.NewPencil(must.Get(b.Build())(t), nil))(t)
		for _, k := range []int{n / 2, n - 3, n - 2, n - 1, n} {
			r := must.Get(p.Solve(context.Background(), eigen.Options{K: k, Solver: eigen.ShiftInvert}))(t)
			want := must.Get(p.Solve(context.Background(), eigen.Options{K: k, Solver: eigen.Dense}))(t)
			for j, v := range r.Values {
				if math.Abs(v-want.Values[j]) > 1e-12 {
					t.Errorf("eigenvalue %d of %d is %g, and LAPACK's is %g", j, k, v, want.Values[j])
				}
			}
			if len(r.Values) != k {
				t.Errorf("%d of %d eigenpairs", len(r.Values), k)
			}
		}
	}
}
