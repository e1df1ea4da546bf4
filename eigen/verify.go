package eigen

import (
	"context"
	"errors"
)

// verify counts the eigenvalues of a solved task by inertia if the options ask for it.
func verify(ctx context.Context, t task, p *pairs, opt Options) error {
	if !opt.Verify {
		return nil
	}
	return public(certify(ctx, t, p))
}

// verified is verify for the task of a whole solve, which goes on if eigenvalues are missing.
func verified(ctx context.Context, t task, p pairs, opt Options) (pairs, error) {
	if !opt.Verify {
		return p, nil
	}
	p, err := completed(ctx, t, p)
	return p, public(err)
}

// public returns the error of a wrong count as *InertiaError.
func public(err error) error {
	var wrong *miscount
	if errors.As(err, &wrong) {
		return (*InertiaError)(wrong)
	}
	return err
}
