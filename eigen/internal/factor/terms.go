package factor

import (
	"errors"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
)

// named returns the error of a count that does not match as *Mismatch, in terms of the problem's
// eigenvalues, or as *Unverified.
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

// inTerms converts a count of the operator's eigenvalues to one of the problem's eigenvalues.
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
