package factor

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
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

// countAll compares pairs with a count by inertia, as audit.check does, and returns its errors and
// the analysis of the matrix. goesOn is true if the solve goes on where eigenvalues are missing.
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

// Completed is Certify for a whole solve: if eigenvalues are missing, or lie so close to
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
