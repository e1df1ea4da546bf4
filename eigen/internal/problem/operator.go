package problem

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Operator is a symmetric linear map; eigen.Operator says what the methods do.
type Operator interface {
	Dims() (r, c int)
	MulBlock(dst, x blas64.General)
}

// Explicit is an operator with known entries; eigen.Explicit says which.
type Explicit interface {
	Operator
	Explicit() (a, border *sparse.CSR, weight []float64)
}

// Negative returns −a. If a is a matrix with a known number of entries, so is the result.
func Negative(a Operator) Operator {
	if m, ok := a.(Matrix); ok {
		return negatedMatrix{Negated{a}, m}
	}
	return Negated{a}
}

// Matrix is an operator with a known number of entries, each of which costs a product two flops.
type Matrix interface{ NNZ() int }

type negatedMatrix struct {
	Negated
	Matrix
}

// Negated multiplies an operator by −1, so that its smallest eigenvalues become the largest.
type Negated struct{ Operator }

// MulBlock sets dst = −A·x.
func (a Negated) MulBlock(dst, x blas64.General) {
	a.Operator.MulBlock(dst, x)
	for i := 0; i < dst.Rows; i++ {
		row := dst.Data[i*dst.Stride : i*dst.Stride+dst.Cols]
		for j := range row {
			row[j] = -row[j]
		}
	}
}
