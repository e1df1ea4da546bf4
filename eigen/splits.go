package eigen

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Solve finds, for each split, the second smallest eigenpair of the pencil that merges the groups
// with true into one node and the others into another (the smallest eigenvector is the constant).
// Both sides need a group. Result.Vectors has one column y = P z per split, in the order of the
// splits, with yᵀMy = 1 over the merged nodes. On the side of the groups with true, y is not
// smaller than on the other side. Values and Residuals belong to the columns and are not sorted.
// Residuals belong to the merged pencil, ‖PᵀLPz − λPᵀMPz‖/‖z‖ ≤ opt.Tol.
//
// All maps are computed from one set of eigenvectors of S and one pass of block products:
//
//  1. The solver of opt finds the m largest eigenpairs (Θ, V) of S; m is slightly more than the
//     number of splits. With the two border rows they give a lower bound of each map's μ, and so a
//     bound of the length of its series. If the series is too long for many maps, m is doubled
//     once.
//  2. In the complement of V the spectrum of S lies below the wanted μ, with a gap. There
//     (μ − S)^-1 is a Chebyshev series with known coefficients. A pass of block products gives the
//     moments tᵀT_d(S)h of the border vectors, and with them the 2×2 matrix F(μ), the Schur
//     complement of the bordered matrix, for every μ.
//  3. Sylvester's law: the number of eigenvalues above μ is #{θ_j > μ} plus the number of positive
//     eigenvalues of F(μ). Bisection finds the second largest μ of each map in some microseconds,
//     even if the spectrum is crowded or decoupled.
//  4. A second pass sums the series for the right-hand side of each map.
//
// Cost: one eigensolve for m pairs and about 1.5·degree products with blocks of one column per
// split. Memory: about 5 blocks of at most 32 columns, and m vectors. A map whose series would be
// too long or whose residual exceeds the tolerance is solved separately, like a Contraction.
//
// Errors: an invalid split, the error of ctx, *NotConvergedError with the partial Result.
func (a *Anchored) Solve(ctx context.Context, splits [][]bool, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	if err := a.checkSplits(splits); err != nil {
		return nil, err
	}
	opt.K = len(splits)
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	return stored(ctx, opt, func(h *store.Hasher) bool { return a.hash(h, splits) },
		func(ctx context.Context) (*Result, error) { return a.solveSplits(ctx, splits, opt) })
}

func (a *Anchored) checkSplits(splits [][]bool) error {
	if len(splits) == 0 {
		return invalid.Errorf("there is no split of the groups to map")
	}
	for k, s := range splits {
		if len(s) != a.groups {
			return invalid.Errorf("split %d has %d groups; there are %d", k+1, len(s), a.groups)
		}
		if !slices.Contains(s, true) || !slices.Contains(s, false) {
			return invalid.Errorf("split %d has all groups on one side", k+1)
		}
	}
	return nil
}

func (a *Anchored) solveSplits(ctx context.Context, splits [][]bool, opt Options) (*Result, error) {
	began := time.Now()
	maps, sameAs, flipped := a.distinct(splits)
	y := mat.NewDense(len(a.group), len(splits), nil)
	r := &Result{Values: make([]float64, len(splits)), Residuals: make([]float64, len(splits)), Vectors: y}
	found := make([]solvedMap, len(maps))
	var open []int // maps that need solving
	for at, b := range maps {
		if a.connects(b.inA) {
			open = append(open, at)
			continue
		}
		x, atA, atB := a.contrast(b)
		found[at] = solvedMap{x: x, atA: atA, atB: atB}
	}
	s := &mapSolver{Anchored: a, opt: opt, n: len(a.free), team: ranks.From(ctx)}
	if len(open) > 0 {
		if err := s.solve(ctx, maps, open, found); err != nil {
			return nil, err
		}
		if opt.Verify && !s.unsearched {
			if err := s.verify(ctx, maps, open, found); err != nil {
				return nil, err
			}
		}
	}
	for k, at := range sameAs {
		m := found[at]
		sign := 1.0
		if m.atA < m.atB != flipped[k] && m.atA != m.atB {
			sign = -1
		}
		for i := range m.x {
			m.x[i] *= sign
		}
		m.atA, m.atB = sign*m.atA, sign*m.atB
		found[at] = m
		r.Values[k], r.Residuals[k] = m.value, m.residual
		a.spread(y, k, m.x, m.atA, m.atB, maps[at].inA)
	}
	r.Stats = s.stats
	r.Stats.Deflated = 1
	if len(open) == 0 {
		r.Stats.Solver, r.Stats.Why = "none", "the connected components say it all"
	}
	limit := max(opt.Tol, 1e-13*a.largestDegree(maps))
	return r.finish(opt, began, problem.Lack{Unsearched: s.unsearched}, func(int) float64 { return limit })
}

// verify counts the eigenvalues of every open map up to the one found: the zero and the map's own.
func (s *mapSolver) verify(ctx context.Context, maps []bipartition, open []int, found []solvedMap) error {
	total := Inertia{Problems: len(open)}
	for done, at := range open {
		p, err := NewPencil(s.merged(maps[at]))
		if err != nil {
			return err
		}
		m := found[at]
		y := space.AsBlock(append(slices.Clone(m.x), m.atA, m.atB), s.n+2, 1)
		u := p.scaled(y)
		space.ScaleBlock(u, 1/blas64.Nrm2(space.Vector(u)))
		t := problem.Task{Op: p.s, N: s.n + 2, Known: p.known, K: 1, Top: 1, Pencil: true, Fixed: p.massless, Observer: s.opt.Observer}
		one := problem.Pairs{Values: []float64{1 - m.value}, Vectors: u, Converged: 1}
		if err := verify(ctx, t, &one, s.opt); err != nil {
			return fmt.Errorf("map %d: %w", at+1, err)
		}
		c := one.Stats.Inertia
		if done == 0 || c.Shift > total.Shift {
			total.Shift, total.Below = c.Shift, c.Below
		}
		total.Bound, total.Entries = max(total.Bound, c.Bound), max(total.Entries, c.Entries)
		total.Flops = max(total.Flops, c.Flops)
		total.Factorisations += c.Factorisations
		total.Time += c.Time
	}
	s.stats.Inertia = &total
	return nil
}
