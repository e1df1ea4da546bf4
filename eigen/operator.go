package eigen

import (
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// Operator is a symmetric linear map, given by its products with blocks of vectors. *sparse.CSR is
// one.
type Operator interface {
	// Dims returns the size; both numbers are equal.
	Dims() (r, c int)
	// MulBlock sets dst = A·x and overwrites dst. Blocks are row-major n×b; a row holds the b
	// values of one coordinate. dst and x do not overlap. One vector is a block with b = 1.
	MulBlock(dst, x blas64.General)
}

// Team is the processes of one run, which make the same collective calls in the same order.
type Team = ranks.Team

// Share says how a team divides the rows of a problem: rank r has rows Bounds[r] to Bounds[r+1]−1.
// A nil Share is one process with all rows.
type Share = ranks.Share

// RowsDivided is an [Operator] whose vectors the ranks of a team may divide: MulBlock then takes
// and gives this rank's rows of them, and all ranks call it together. Dims is the size of the
// whole.
type RowsDivided interface {
	// Rows is the division of the vectors' rows; nil: this process has all of them.
	Rows() *ranks.Share
}

// spaceOf is the division of an operator's vectors.
func spaceOf(a Operator) space.Space {
	if d, ok := a.(RowsDivided); ok {
		return space.Space{Share: d.Rows()}
	}
	return space.Space{}
}

// OperatorFunc is an n×n Operator made of a function.
type OperatorFunc struct {
	N   int
	Mul func(dst, x blas64.General)
}

// Dims returns N, N.
func (f OperatorFunc) Dims() (r, c int) { return f.N, f.N }

// MulBlock calls Mul.
func (f OperatorFunc) MulBlock(dst, x blas64.General) { f.Mul(dst, x) }
