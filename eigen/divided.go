package eigen

import (
	"github.com/eigenmap/eigenmap/native/slepc"
	"gonum.org/v1/gonum/blas/blas64"
)

// Divided is an [Operator] of which each rank has its own rows: MulBlock takes and gives these rows
// of blocks of vectors, and all ranks take part in it. Block Lanczos runs on it as on any operator,
// on every rank with the same decisions, because what it computes from whole vectors goes through
// the team. [slepc.Matrix] is one.
type Divided interface {
	MulBlock(dst, x blas64.General)
	NNZ() int
}

// divider is a team with matrices of its own, whose products send each rank only what it needs.
type divider interface {
	NewMatrix(slepc.Rows) (slepc.Matrix, error)
}

// dividedOperator is a divided matrix as an operator.
type dividedOperator struct {
	Divided
	n int
}

// Dims returns the size of the whole matrix.
func (a dividedOperator) Dims() (r, c int) { return a.n, a.n }

// leastRows is the number of rows that each rank must have.
const leastRows = 8
