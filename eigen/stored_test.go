package eigen

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// strip is the grid graph of 4 by n points: long, so that Lanczos restarts often.
func strip(t *testing.T, n int, copies int) *sparse.CSR {
	t.Helper()
	b := sparse.NewBuilder(4*n*copies, 4*n*copies)
	for at := range copies {
		for i := range n {
			for j := range 4 {
				p := 4*n*at + 4*i + j
				for q, there := range map[int]bool{p + 1: j < 3, p + 4: i+1 < n} {
					if there {
						b.Add(p, q, 1)
						b.Add(q, p, 1)
					}
				}
			}
		}
	}
	w := must.Get(b.Build())(t)
	return w
}

// timeless is a result without the times of its work.
func timeless(r *Result, err error) (*Result, error) {
	if r != nil {
		r.Stats.ProductTime, r.Stats.BasisTime, r.Stats.Total = 0, 0, 0
	}
	return r, err
}

// A solve that is stopped goes on with its last basis, bit for bit, filter and random numbers
// included.
func TestStoppedAndResumed(t *testing.T) {
	for name, c := range map[string]struct {
		w   *sparse.CSR
		opt Options
	}{
		"filtered":  {strip(t, 300, 1), Options{K: 9, Solver: Lanczos}},
		"plain":     {strip(t, 60, 1), Options{K: 30, Solver: Lanczos, Subspace: 42}},
		"recovered": {strip(t, 40, 6), Options{K: 20, Solver: Lanczos, Block: 1, Subspace: 30}},
		"crowded":   {rings(t, 150, 40, 0.5), Options{K: 30, Solver: Lanczos}},
		"start":     {strip(t, 100, 1), Options{K: 5, Solver: Lanczos}},
		"arpack":    {strip(t, 60, 1), Options{K: 5, Solver: ARPACK}},
		"dense":     {strip(t, 20, 1), Options{K: 5, Solver: Dense}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.opt.Solver == ARPACK && !native.HasARPACK() {
				t.Skip("no ARPACK in this build")
			}
			p := must.Get(NewPencil(c.w, nil))(t)
			if name == "start" {
				first := must.Get(p.Solve(context.Background(), Options{K: 3, Tol: 1e-2}))(t)
				c.opt.Start = first.Vectors
			}
			restarts := 0
			kept := storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Result, error) {
				opt := c.opt
				opt.Observer = o
				r, err := timeless(p.Solve(ctx, opt))
				if r != nil {
					restarts = r.Stats.Restarts
				}
				return r, err
			})
			if kept == 0 && c.opt.Solver == Lanczos {
				t.Error("no stopped run left a piece")
			}
			t.Logf("%d restarts", restarts)
		})
	}
}

// Eigenpairs of a matrix at either end resume as a pencil's do.
func TestStoredSymmetric(t *testing.T) {
	w := strip(t, 300, 1)
	for _, which := range []Which{Largest, Smallest} {
		storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Result, error) {
			return timeless(Symmetric(ctx, w, Options{K: 9, Which: which, Solver: Lanczos, Observer: o}))
		})
	}
}

// Maps of labels, and complete graphs, are kept too.
func TestStoredMaps(t *testing.T) {
	w := strip(t, 100, 1)
	group := make([]int32, 400)
	for i := range group {
		group[i] = -1
	}
	group[3], group[7], group[200], group[390] = 0, 0, 1, 2
	a := must.Get(NewAnchored(w, group, 3, 1))(t)
	storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Result, error) {
		return timeless(a.Solve(ctx, OneAgainstRest(3), Options{Observer: o}))
	})
	rng := rand.New(rand.NewPCG(5, 5))
	b := sparse.NewBuilder(120, 30)
	for i := range 120 {
		for range 4 {
			b.Add(i, rng.IntN(30), 1)
		}
	}
	f := must.Get(b.Build())(t)
	factor := must.Get(NewFactor(f, nil))(t)
	p := must.Get(NewFactoredPencil(factor, nil))(t)
	storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Result, error) {
		return timeless(p.Solve(ctx, Options{K: 4, Solver: Lanczos, Observer: o}))
	})
	group[20] = 1
	whole := must.Get(NewFactoredAnchored(factor, group[:120], 2, 1))(t)
	storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Result, error) {
		return timeless(whole.Solve(ctx, OneAgainstRest(2), Options{Observer: o}))
	})
}
