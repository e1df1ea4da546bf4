package eigen

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Graphs large enough for a filter, whose spectra are crowded, multiple, or out of reach of a
// filter.
func TestFilteredClosedForms(t *testing.T) {
	for _, g := range []known{
		union(t, "ring 1000", of(ring, 1000)),
		union(t, "five equal rings 200", times(5, of(ring, 200))...),
		union(t, "path 700", of(path, 700)),
		union(t, "star 600", of(star, 600)),
		union(t, "hypercube 9", of(hypercube, 9)),
		union(t, "complete bipartite-like mixture", of(star, 300), of(ring, 300), of(complete, 30), isolated),
	} {
		p := must.Get(NewPencil(g.w, nil))(t)
		for _, k := range []int{2, 12, 30} {
			for _, block := range []int{0, 1} {
				if testing.Short() && (k == 12 || block == 1) {
					continue
				}
				name := fmt.Sprintf("%s, k = %d, block %d", g.name, k, block)
				r, err := p.Solve(context.Background(), Options{K: k, Solver: Lanczos, Block: block, Seed: 9, MaxIter: 3000})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for j, v := range r.Values {
					if math.Abs(v-g.values[j]) > 1e-9 {
						t.Errorf("%s: λ_%d = %.12f, closed form %.12f", name, j, v, g.values[j])
						break
					}
				}
				checkPencilResult(t, g.w, p, r, DefaultTol)
			}
		}
	}
}

// A filter is used if it is useful, and saves basis vectors.
func TestFilterIsChosen(t *testing.T) {
	w := clusteredGraph(t, 4000, 25, 8, 0.02, 12)
	p := must.Get(NewPencil(w, nil))(t)
	filtered := must.Get(p.Solve(context.Background(), Options{K: 20, Solver: Lanczos}))(t)
	plain := must.Get(Symmetric(context.Background(), unfiltered{p.s}, Options{K: 20, Which: Largest, Solver: Lanczos}))(t)
	if filtered.Stats.Restarts >= plain.Stats.Restarts {
		t.Errorf("%d restarts with a filter, %d without", filtered.Stats.Restarts, plain.Stats.Restarts)
	}
}

// Where few values have many eigenvectors, the Krylov space ends after as many steps, in the
// estimate of the spectrum too; a filter made from it must still let the search end.
func TestFilteredFewValues(t *testing.T) {
	g := union(t, "hypercube 9", of(hypercube, 9))
	p := must.Get(NewPencil(g.w, nil))(t)
	for _, block := range []int{0, 1} {
		for seed := range uint64(30) {
			r, err := p.Solve(context.Background(), Options{K: 30, Solver: Lanczos, Block: block, Seed: seed, MaxIter: 30})
			if err != nil {
				t.Errorf("block %d, seed %d: %v", block, seed, err)
				continue
			}
			for j, v := range r.Values {
				if math.Abs(v-g.values[j]) > 1e-9 {
					t.Errorf("block %d, seed %d: λ_%d = %.12f, closed form %.12f", block, seed, j, v, g.values[j])
				}
			}
		}
	}
}

// A filter costs less than the basis vectors that it saves, by the model of its degree, also where
// the wanted values are in the middle of a crowd: each basis vector of either solve costs
// BasisCost·m·n/nnz products.
func TestFilterIsNotTriedInVain(t *testing.T) {
	for _, n := range []int{400, 1000, 3000} {
		w := clusteredGraph(t, n, 8, 8, 0.02, 12)
		p := must.Get(NewPencil(w, nil))(t)
		r := must.Get(p.Solve(context.Background(), Options{K: 30, Solver: Lanczos}))(t)
		plain := must.Get(Symmetric(context.Background(), unfiltered{p.s}, Options{K: 30, Which: Largest, Solver: Lanczos}))(t)
		t.Logf("%d nodes: %d products, %d without a filter", n, r.Stats.Products, plain.Stats.Products)
		vector := krylov.BasisCost * float64(plain.Stats.Subspace*n) / float64(p.s.(*problem.Scaled).NNZ())
		filtered := float64(r.Stats.Products) * (1 + vector/krylov.MinDegree) // no filter makes more vectors
		if without := float64(plain.Stats.Products) * (1 + vector); filtered > without+krylov.ScoutSteps {
			t.Errorf("%d nodes: cost %.0f, %.0f without a filter", n, filtered, without)
		}
	}
}

// unfiltered hides that an operator is a matrix, so that no filter is used.
type unfiltered struct{ Operator }
