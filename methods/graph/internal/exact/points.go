package exact

import (
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Points are the rows of a matrix with what a search needs of them: sparse rows or dense ones.
type Points struct {
	s *sparseRows
	d *denseRows
}

// newPoints makes rows ready that are stored as [Stored] returns them.
func newPoints(x mat.Matrix) (p Points, err error) {
	if s, ok := x.(sparse.Rows); ok {
		p.s, err = newSparseRows(s, 0)
	} else {
		p.d, err = newDenseRows(x, nil)
	}
	return p, err
}

// Measurer measures pairs of the rows.
func (p Points) Measurer() Measurer {
	if p.s != nil {
		return sparseMeasure{p.s}
	}
	return denseMeasure{p.d}
}

// measure returns the squared distance and the dot product of a pair from its score.
func (p Points) measure(i, j int, score float64) (dist2, dot float64) {
	if p.s != nil {
		return p.s.measure(i, j, score)
	}
	return p.d.measure(i, j, score)
}

// loop runs the loops of a search.
func (p Points) loop() parallel.Loop {
	if p.s != nil {
		return p.s.loop
	}
	return p.d.loop
}

// Matrix is x, of which p was made, without columns that have no entries.
func (p Points) Matrix(x mat.Matrix) mat.Matrix {
	if p.s != nil {
		return p.s.rows
	}
	return x
}
