package eigen

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
)

// verify counts the eigenvalues of a solved task by inertia if the options ask for it.
func verify(ctx context.Context, t problem.Task, p *problem.Pairs, opt Options) error {
	if !opt.Verify {
		return nil
	}
	return public(factor.Certify(ctx, t, p))
}

// verified is verify for the task of a whole solve, which goes on if eigenvalues are missing.
func verified(ctx context.Context, t problem.Task, p problem.Pairs, opt Options) (problem.Pairs, error) {
	if !opt.Verify {
		return p, nil
	}
	p, err := factor.Completed(ctx, t, p)
	return p, public(err)
}

// public returns the error of a wrong count as *InertiaError.
func public(err error) error {
	var wrong *factor.Mismatch
	if errors.As(err, &wrong) {
		return (*InertiaError)(wrong)
	}
	return err
}
