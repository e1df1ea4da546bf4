package lpp

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"gonum.org/v1/gonum/blas/blas64"
)

// unfinishedError says that the iteration reached its limit before the tolerance.
type unfinishedError struct {
	Steps      int
	Worst, Tol float64
}

func (e *unfinishedError) Error() string {
	return fmt.Sprintf("after %d steps of a regression the worst of the residuals is %.3g, wanted %.3g: give a larger ‹alpha› or ‹tol›", e.Steps, e.Worst, e.Tol)
}

// regress minimises ‖B·a − y‖ column by column ([cg.Least]), until in each ‖Bᵀ(y − Ba)‖ ≤
// Tol·‖Bᵀy‖ or as far as rounding allows, and returns a and B·a. If B is no more than its noise, a
// is 0. The error is *unfinishedError if opt.MaxIter steps were too few.
func regress(ctx context.Context, b operator, y blas64.General, opt cg.Options) (a, on blas64.General, err error) {
	_, columns := b.dims()
	opt.Stage = Stage
	if y.Stride != y.Cols {
		y = panel.Clone(y)
	}
	s, err := cg.NewLeast(ctx, b.division(), b, columns, 0, y)
	if err != nil {
		return s.X, s.Rest, err
	}
	s.Noise, s.Rounding = b.noise(), 1e-15
	if err := s.Solve(ctx, opt); err != nil {
		return s.X, s.Rest, err
	}
	worst := 0.0
	for j, left := range s.Left {
		if s.Open(j, opt.Tol) {
			worst = max(worst, left)
		}
	}
	if worst > 0 && s.Iterations >= opt.MaxIter { // else rounding of the products allows no less
		err = &unfinishedError{Steps: s.Iterations, Worst: worst, Tol: opt.Tol}
	}
	on = s.Rest
	for i := range on.Data {
		on.Data[i] = y.Data[i] - on.Data[i]
	}
	return s.X, on, err
}
