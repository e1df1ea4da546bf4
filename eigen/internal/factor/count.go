package factor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Certify counts the eigenvalues of a solved task by inertia, if its solver has not done it. A
// result that has not converged is left to its own error. All ranks count, and get the same error.
func Certify(ctx context.Context, t problem.Task, p *problem.Pairs) error {
	if !open(p) {
		return nil
	}
	_, err := countAll(ctx, t, p, false)
	return ranks.Agree(ranks.From(ctx), named(t, err))
}

// open reports whether pairs are still to be counted.
func open(p *problem.Pairs) bool {
	return p.Stats.Inertia == nil && !p.Unsearched && p.Converged >= len(p.Values)
}

// countAll compares pairs with a count by inertia. It returns the analysis of the matrix for a solve
// that goes on. The errors are those of check.
func countAll(ctx context.Context, t problem.Task, p *problem.Pairs, goesOn bool) (s *Spectrum, err error) {
	if s, err = Analyse(t.Op, t.Fixed, t.Observer); err != nil {
		return nil, err
	}
	if s == nil {
		return nil, invalid.Errorf("‹verify› needs the entries of the matrix, and this problem is known by its products only: leave it out")
	}
	c, err := newAudit(t, s, goesOn).check(ctx, claimOf(t, s, *p, len(p.Values)))
	if err == nil {
		p.Stats.Inertia = inTerms(t, c)
	}
	return s, err
}

// Completed is certify for the task of a whole solve: if eigenvalues are missing, or lie so close to
// the last value that only finding them as well decides, shift-invert solves the problem.
func Completed(ctx context.Context, t problem.Task, p problem.Pairs) (problem.Pairs, error) {
	if !open(&p) {
		return p, nil
	}
	s, err := countAll(ctx, t, &p, true)
	var short *shortfall
	if errors.As(err, &short) {
		first := p.Stats
		why := "a count by inertia needs all values close to the last one"
		if !short.beyond {
			why = named(t, err).Error()
		}
		t.Observer.Detailf(problem.Stage, "%s; shift-invert solves the problem", why)
		var q problem.Pairs
		if q, err = InvertOver(ctx, t, s); err == nil && same(t, q, p) {
			p.Stats.Inertia = q.Stats.Inertia
			return p, ranks.Agree(ranks.From(ctx), nil)
		}
		if p = q; err == nil {
			p.Stats.After(first)
			p.Stats.Why = fmt.Sprintf("a count by inertia does not agree with %s (%s)", first.Solver, why)
		}
	}
	return p, ranks.Agree(ranks.From(ctx), named(t, err))
}

// same reports whether p is certified and other has the same values, up to the errors of both.
func same(t problem.Task, p, other problem.Pairs) bool {
	if p.Stats.Inertia == nil || len(p.Values) != len(other.Values) {
		return false
	}
	errs := other.Errors
	if errs == nil {
		errs = residualsOf(t.Op, other)
	}
	for j, v := range p.Values {
		if math.Abs(v-other.Values[j]) > p.Errors[j]+errs[j] {
			return false
		}
	}
	return true
}

// named returns a mismatch of a count as *miscount in terms of the problem's eigenvalues.
func named(t problem.Task, err error) error {
	var short *shortfall
	if errors.As(err, &short) {
		if short.beyond {
			return &Unverified{bound: short.bound, margin: short.bound}
		}
		err = &Mismatch{Shift: short.tau, Counted: short.above, Found: short.found}
	}
	var miss *Mismatch
	if errors.As(err, &miss) {
		in := inTerms(t, problem.Inertia{Shift: miss.Shift})
		miss.Shift, miss.Above = in.Shift, in.Above
	}
	return err
}

// inTerms converts a count from the operator's eigenvalues to those of the problem.
func inTerms(t problem.Task, c problem.Inertia) *problem.Inertia {
	switch {
	case t.Pencil:
		c.Shift = 1 - c.Shift
	case !t.Largest:
		c.Shift = -c.Shift
	default:
		c.Above = true
	}
	return &c
}

// fallingOrder lists values by falling size, ties by index.
func fallingOrder(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order
}

// residualsOf returns ‖op·u − μu‖ of unit vectors, which bounds the distance of μ from an
// eigenvalue.
func residualsOf(op problem.Operator, p problem.Pairs) []float64 {
	product := space.NewBlock(p.Vectors.Rows, p.Vectors.Cols)
	if product.Cols == 0 {
		return nil
	}
	op.MulBlock(product, p.Vectors)
	return space.Residuals(space.Space{}, product, p.Vectors, nil, p.Values)
}
