package graph

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// measurer computes distances and dot products of pairs of rows, with the bits of [Nearest].
type measurer interface {
	// scratch is memory for the calls of one worker.
	scratch() []float64
	// open prepares row i for calls of dist2 and inner, and close ends them.
	open(i int, scratch []float64)
	close(i int, scratch []float64)
	dist2(i, j int, scratch []float64) float64
	inner(i, j int, scratch []float64) float64
}

// newMeasure returns the measurer of rows as [stored] returns them, and which of the two it is.
func newMeasure(x mat.Matrix) (m measurer, s *sparseRows, d *denseRows, err error) {
	if x, ok := x.(sparse.Rows); ok {
		s, err = newSparseRows(x, 0)
		return sparseMeasure{s}, s, nil, err
	}
	d, err = newDenseRows(x, nil)
	return denseMeasure{d}, nil, d, err
}

type sparseMeasure struct{ *sparseRows }

func (m *sparseRows) scratch() []float64 { return make([]float64, m.x.NumCols) }

func (m *sparseRows) open(i int, row []float64) {
	vals := m.rows.Values(i, nil)
	for p, c := range m.columns(i) {
		row[c] = vals[p]
	}
}

func (m *sparseRows) close(i int, row []float64) {
	for _, c := range m.columns(i) {
		row[c] = 0
	}
}

// product returns the dot product of row j and the open row.
func (m *sparseRows) product(j int, row []float64) float64 { return m.rows.Dot(j, row) }

func (m sparseMeasure) dist2(i, j int, row []float64) float64 {
	return m.sparseRows.dist2(i, j, m.product(j, row))
}

func (m sparseMeasure) inner(_, j int, row []float64) float64 { return m.product(j, row) }

type denseMeasure struct{ *denseRows }

func (m denseMeasure) scratch() []float64                  { return nil }
func (m denseMeasure) open(int, []float64)                 {}
func (m denseMeasure) close(int, []float64)                {}
func (m denseMeasure) dist2(i, j int, _ []float64) float64 { return m.direct(i, j) }
func (m denseMeasure) inner(i, j int, _ []float64) float64 { return m.dot(i, j) }
