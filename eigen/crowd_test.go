package eigen

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
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
		p, err := NewPencil(rings(t, c.count, c.size, c.weak), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Verify: true})
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		if _, first := lanczosSizes(task{n: p.Size(), known: p.known, k: 29}, 0); r.Stats.Subspace <= first {
			t.Errorf("%v: the basis has %d columns", c, r.Stats.Subspace)
		}
	}
}

// A size that is given stays, but for what the search needs.
func TestGivenBasisStays(t *testing.T) {
	w := rings(t, 150, 40, 0.5)
	p, err := NewPencil(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Subspace: 90})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Subspace != 90 {
		t.Errorf("%d columns", r.Stats.Subspace)
	}
}

// A pair is locked by its measure only if that meets the share of the tolerance, also where
// rounding does not allow the share for the bound of the residual.
func TestLockedByItsMeasure(t *testing.T) {
	for _, c := range []struct {
		measured float64
		want     bool
	}{{0.9, false}, {0.4, true}} {
		k := &krylov{task: task{n: 10, k: 2, tol: 1e-14}, basis: space.NewBasis(10, 4, nil, 1), scale: 1, x: make([]float64, 80), w: make([]float64, 80)}
		k.basis.Size, k.active, k.next = 2, 1, 1
		k.t, k.b = space.NewBlock(4, 4), space.NewBlock(1, 1)
		one := space.NewBlock(1, 1)
		one.Data[0] = 1
		r := &ritz{values: []float64{1}, theta: []float64{1}, raw: []float64{5e-14}, residuals: []float64{5e-14}, vectors: one}
		k.measured = 100 * k.tol // so much may measuring gain
		k.measure = func(_ space.Space, u, _ blas64.General) []float64 { return []float64{c.measured * k.measured} }
		if r.plan(k); (r.lock == 1) != c.want {
			t.Errorf("measured %v of the tolerance: %d locked", c.measured, r.lock)
		}
	}
}
