package problem

import (
	"sync"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Scaled is the scaled matrix S that Make returns for the weights W of a pencil. Its values, 8
// bytes per entry, are made when they are needed, and may be dropped in between; they have the same
// bits each time.
type Scaled struct {
	W    *sparse.CSR
	Make func(w *sparse.CSR) *sparse.CSR
	lock sync.Mutex
	made *sparse.CSR
}

// Matrix returns S.
func (s *Scaled) Matrix() *sparse.CSR {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.made == nil {
		s.made = s.Make(s.W)
	}
	return s.made
}

// Drop forgets the values of S, for a solver that has its own copy of them.
func (s *Scaled) Drop() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.made = nil
}

// Dims returns the size of the matrix.
func (s *Scaled) Dims() (r, c int) { return s.W.Dims() }

// NNZ returns the number of entries.
func (s *Scaled) NNZ() int { return s.Matrix().NNZ() }

// MulBlock sets dst = S·x.
func (s *Scaled) MulBlock(dst, x blas64.General) { s.Matrix().MulBlock(dst, x) }

// MatrixOf returns the matrix that the operator is. It is false for operators that add something to
// the products of a matrix.
func MatrixOf(op Operator) (*sparse.CSR, bool) {
	switch op := op.(type) {
	case *sparse.CSR:
		return op, true
	case *Scaled:
		return op.Matrix(), true
	}
	return nil, false
}
