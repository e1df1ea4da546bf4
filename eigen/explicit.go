package eigen

import (
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/sparse"
)

// Explicit is an Operator whose entries are known: A + Σ_r weight[r]·b_r·b_rᵀ for a sparse
// symmetric A and the rows b_r of border, which may be nil. *sparse.CSR counts as Explicit without
// a border. Such an operator can be factored, so its eigenvalues can be counted and its inverse
// applied.
type Explicit interface {
	Operator
	Explicit() (a, border *sparse.CSR, weight []float64)
}

// Deflated is an Operator A + c·11ᵀ/n, where A is sparse and positive semidefinite with A·1 = 0,
// and c moves the constant vector out of the wanted end. WithoutConstant returns A. Factors and
// counts are made of A, with the constant as a known null vector.
type Deflated interface {
	Operator
	WithoutConstant() *sparse.CSR
}

// Explicit returns the sets as a border: one row for each set.
func (a *cliqued) Explicit() (inner, border *sparse.CSR, weight []float64) {
	n := a.NumRows
	shift := make([]float64, n)
	border = &sparse.CSR{NumRows: len(a.members), NumCols: n, RowPtr: make([]int, 1, len(a.members)+1)}
	for _, set := range a.members {
		set = slices.Clone(set)
		slices.Sort(set)
		for _, i := range set {
			border.Col, border.Val = append(border.Col, i), append(border.Val, a.at(i))
			shift[i] = -a.weight * a.at(i) * a.at(i)
		}
		border.RowPtr = append(border.RowPtr, len(border.Col))
		weight = append(weight, a.weight)
	}
	return problem.WithDiagonal(a.CSR, shift), border, weight
}
