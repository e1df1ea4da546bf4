package eigen

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Many equal pieces: the k-th value has more copies than the block has columns. The search must not
// accept an almost exact copy of it as proof that nothing above is missing.
func TestManyEqualPieces(t *testing.T) {
	for _, c := range []struct {
		g       known
		k       int
		opts    Options
		solvers []Solver
	}{
		{union(t, "nine paths 500", times(9, of(path, 500))...), 30, Options{}, []Solver{Lanczos}},
		{union(t, "nine paths 120", times(9, of(path, 120))...), 30, Options{Seed: 1}, pencilSolvers()[1:]},
		{union(t, "six rings 300", times(6, of(ring, 300))...), 21, Options{Block: 2, Tol: 1e-5}, []Solver{Lanczos}},
		{union(t, "nine rings 40", times(9, of(ring, 40))...), 30, Options{Block: 1}, pencilSolvers()[1:]},
	} {
		if testing.Short() && c.g.w.NumRows > 2000 {
			continue
		}
		p := must.Get(NewPencil(c.g.w, nil))(t)
		for _, solver := range c.solvers {
			opt := c.opts
			opt.K, opt.Solver, opt.MaxIter = c.k, solver, 5000
			r, err := p.Solve(context.Background(), opt)
			if err != nil {
				t.Errorf("%s, %s: %v", c.g.name, solver, err)
				continue
			}
			for j, v := range r.Values {
				if math.Abs(v-c.g.values[j]) > max(1e-9, opt.Tol) {
					t.Errorf("%s, %s: λ_%d = %.9f, closed form %.9f", c.g.name, solver, j, v, c.g.values[j])
					break
				}
			}
		}
	}
}

// At every limit of restarts, the values are right or the error reports that they may be wrong.
func TestLimitNeverHidesMissingPairs(t *testing.T) {
	g := union(t, "nine rings 40", times(9, of(ring, 40))...)
	p := must.Get(NewPencil(g.w, nil))(t)
	for _, solver := range pencilSolvers()[1:] {
		for limit := 1; limit < 40; limit += 1 + limit/8 {
			r, err := p.Solve(context.Background(), Options{K: 30, Solver: solver, Block: 1, MaxIter: limit})
			var stopped *NotConvergedError
			switch {
			case errors.As(err, &stopped):
				if !stopped.Unsearched && r.Converged == 30 {
					t.Errorf("%s, %d restarts: an error without a reason", solver, limit)
				}
			case err != nil:
				t.Fatal(err)
			default:
				for j, v := range r.Values {
					if math.Abs(v-g.values[j]) > 1e-9 {
						t.Errorf("%s, %d restarts: no error, but λ_%d = %.9f, closed form %.9f", solver, limit, j, v, g.values[j])
						break
					}
				}
			}
		}
	}
}

// The number of pairs equals the number of groups, so everything else lies in the band of the
// filter: the search must end.
func TestSearchEndsAtAGap(t *testing.T) {
	for _, groups := range []int{4, 12, 30} {
		w := clusteredGraph(t, 3000, groups, 20, 0.01, 5)
		p := must.Get(NewPencil(w, nil))(t)
		for k := groups - 1; k <= groups+1; k++ {
			r, err := p.Solve(context.Background(), Options{K: k, Solver: Lanczos})
			if err != nil {
				t.Fatalf("%d groups, k = %d: %v", groups, k, err)
			}
			if r.Stats.Restarts > 40 {
				t.Errorf("%d groups, k = %d: %d restarts, %d products", groups, k, r.Stats.Restarts, r.Stats.Products)
			}
		}
	}
}

// Operators whose squared entries overflow or underflow.
func TestSymmetricScale(t *testing.T) {
	w := randomGraph(t, 300, 900, 3)
	want := must.Get(Symmetric(context.Background(), w, Options{K: 5, Which: Largest, Solver: Dense}))(t)
	for _, scale := range []float64{1e-200, 1e-100, 1e100, 1e200} {
		s := w.Clone()
		for i := range s.Val {
			s.Val[i] *= scale
		}
		for _, solver := range pencilSolvers() {
			r, err := Symmetric(context.Background(), s, Options{K: 5, Which: Largest, Solver: solver})
			if err != nil {
				t.Errorf("scale %g, %s: %v", scale, solver, err)
				continue
			}
			for j, v := range r.Values {
				if math.Abs(v/scale-want.Values[j]) > 1e-7*want.Values[4] {
					t.Errorf("scale %g, %s: value %d is %g times the scale, want %g", scale, solver, j, v/scale, want.Values[j])
				}
			}
		}
	}
}
