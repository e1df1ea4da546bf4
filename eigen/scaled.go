package eigen

import (
	"sync"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// scaled is S of the pencil of a matrix W. Its values, 8 bytes per entry, are made when they are
// needed, and may be dropped in between; they have the same bits each time.
type scaled struct {
	w    *sparse.CSR
	make func(w *sparse.CSR) *sparse.CSR
	lock sync.Mutex
	made *sparse.CSR
}

// matrix returns S.
func (s *scaled) matrix() *sparse.CSR {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.made == nil {
		s.made = s.make(s.w)
	}
	return s.made
}

// drop forgets the values of S, for a solver that has its own copy of them.
func (s *scaled) drop() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.made = nil
}

// Dims returns the size of the matrix.
func (s *scaled) Dims() (r, c int) { return s.w.Dims() }

// NNZ is the number of entries.
func (s *scaled) NNZ() int { return s.matrix().NNZ() }

// MulBlock sets dst = S·x.
func (s *scaled) MulBlock(dst, x blas64.General) { s.matrix().MulBlock(dst, x) }

// matrixOf is an operator that is a matrix alone. What embeds one adds to its products.
func matrixOf(op operator) (*sparse.CSR, bool) {
	switch op := op.(type) {
	case *sparse.CSR:
		return op, true
	case *scaled:
		return op.matrix(), true
	}
	return nil, false
}
