package problem

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// Entries returns op as A + Σ_r weight[r]·b_r·b_rᵀ with the rows b_r of border, which may be nil.
// ok is false if the entries are not known.
func Entries(op Operator) (a, border *sparse.CSR, weight []float64, ok bool) {
	switch op := op.(type) {
	case *sparse.CSR:
		return op, nil, nil, true
	case *Scaled:
		return op.Matrix(), nil, nil, true
	case Explicit:
		a, border, weight = op.Explicit()
		return a, border, weight, a != nil
	case negatedMatrix:
		return Entries(op.Negated)
	case Negated:
		a, border, weight, ok = Entries(op.Operator)
		if !ok {
			return nil, nil, nil, false
		}
		weight = append([]float64(nil), weight...)
		for r := range weight {
			weight[r] = -weight[r]
		}
		return WithValues(a, func(v float64) float64 { return -v }), border, weight, true
	}
	return nil, nil, nil, false
}

// WithValues returns a with f of each value. Both matrices share their structure.
func WithValues(a *sparse.CSR, f func(float64) float64) *sparse.CSR {
	out := &sparse.CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: a.RowPtr, Col: a.Col, Val: make([]float64, len(a.Val))}
	space.MustRun(parallel.For(context.Background(), len(a.Val), max(1<<15, len(a.Val)/64), func(_, lo, hi int) error {
		for k, v := range a.Val[lo:hi] {
			out.Val[lo+k] = f(v)
		}
		return nil
	}))
	return out
}

// WithDiagonal returns a, which has no diagonal, with the diagonal d; zeros are left out.
func WithDiagonal(a *sparse.CSR, d []float64) *sparse.CSR {
	out := &sparse.CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: make([]int, 1, a.NumRows+1)}
	for i, v := range d {
		cols, vals := a.Row(i)
		at, _ := slices.BinarySearch(cols, int32(i))
		out.Col, out.Val = append(out.Col, cols[:at]...), append(out.Val, vals[:at]...)
		if v != 0 {
			out.Col, out.Val = append(out.Col, int32(i)), append(out.Val, v)
		}
		out.Col, out.Val = append(out.Col, cols[at:]...), append(out.Val, vals[at:]...)
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}
