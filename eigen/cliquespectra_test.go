package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Equal pieces that are nearly complete: all eigenvalues except the null vectors' lie in a very
// narrow interval far below them. Rounding errors along the null vectors must not grow.
func TestNarrowSpectra(t *testing.T) {
	for _, c := range []struct{ pieces, size, k int }{{10, 31, 11}, {4, 61, 5}, {61, 5, 62}, {5, 60, 6}} {
		for _, spread := range []float64{0, 1e-12, 1e-8, 1e-4, 1e-3, 1e-2} {
			for _, scale := range []float64{1, 1e-150, 1e100} {
				g := union(t, "cliques", times(c.pieces, of(complete, c.size))...)
				rng := rand.New(rand.NewPCG(7, 7))
				w := g.w.Clone()
				for i := range w.NumRows {
					cols, vals := w.Row(i)
					for q, j := range cols {
						if int(j) > i {
							vals[q] = scale * (1 + spread*rng.NormFloat64())
						}
					}
				}
				for i := range w.NumRows {
					cols, vals := w.Row(i)
					for q, j := range cols {
						if int(j) < i {
							vals[q] = w.At(int(j), i)
						}
					}
				}
				p := must.Get(NewPencil(w, nil))(t)
				want := must.Get(p.Solve(context.Background(), Options{K: c.k, Solver: Dense}))(t)
				for _, solver := range pencilSolvers()[1:] {
					for seed := range uint64(2) {
						r, err := p.Solve(context.Background(), Options{K: c.k, Solver: solver, Seed: seed})
						if err != nil {
							t.Errorf("%d pieces of %d, spread %g, scale %g, %s, seed %d: %v", c.pieces, c.size, spread, scale, solver, seed, err)
							continue
						}
						for j, v := range r.Values {
							if math.Abs(v-want.Values[j]) > 2e-8 {
								t.Errorf("%d pieces of %d, spread %g, scale %g, %s, seed %d: λ_%d = %.12f, LAPACK has %.12f", c.pieces, c.size, spread, scale, solver, seed, j, v, want.Values[j])
								break
							}
						}
					}
				}
			}
		}
	}
}
