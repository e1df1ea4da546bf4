package eigen

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// rings is a graph of many alike rings with weak edges between them: as many eigenvalues near 0 as
// there are rings.
func rings(t testing.TB, count, size int, weak float64) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	b := sparse.NewBuilder(count*size, count*size)
	add := func(i, j int, w float64) {
		b.Add(i, j, w)
		b.Add(j, i, w)
	}
	for g := range count {
		for i := range size {
			for step := 1; step <= 4; step++ {
				add(g*size+i, g*size+(i+step*step)%size, 1+0.1*rng.Float64())
			}
		}
	}
	for g := range count {
		for range 3 {
			if h := rng.IntN(count); h != g {
				add(g*size+rng.IntN(size), h*size+rng.IntN(size), weak*rng.Float64())
			}
		}
	}
	return built(t, b)
}

// A crowd that is larger than the basis: with that alone three of these graphs reach the limit of
// restarts. Inertia counts the eigenvalues.
func TestBasisHoldsTheCrowd(t *testing.T) {
	for _, c := range []struct {
		count, size int
		weak        float64
	}{{120, 60, 0.1}, {150, 40, 0.5}, {200, 100, 0.1}, {120, 100, 0.02}} {
		p := must.Get(NewPencil(rings(t, c.count, c.size, c.weak), nil))(t)
		r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Verify: true})
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		if _, first := problem.LanczosSizes(problem.Task{N: p.Size(), Known: p.known, K: 29}, 0); r.Stats.Subspace <= first {
			t.Errorf("%v: the basis has %d columns", c, r.Stats.Subspace)
		}
	}
}

// A size that is given stays, but for what the search needs.
func TestGivenBasisStays(t *testing.T) {
	w := rings(t, 150, 40, 0.5)
	p := must.Get(NewPencil(w, nil))(t)
	r := must.Get(p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Subspace: 90}))(t)
	if r.Stats.Subspace != 90 {
		t.Errorf("%d columns", r.Stats.Subspace)
	}
}
