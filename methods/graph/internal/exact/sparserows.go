package exact

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// sparseRows are documents with the data needed for distances.
type sparseRows struct {
	x     *sparse.CSR // the columns; rows has the values
	rows  sparse.Rows
	split int       // > 0: only pairs of a row from split on with one before it; 0: all pairs
	norm2 []float64 // squared norms, summed like dot products; all 1 if unit is set
	unit  bool      // all rows have length 1 up to rounding: nearer is a larger dot product
	whole bool      // integers, small enough that every dot product is exact
	// signed says that some entries are negative, or too small for products in float32.
	signed bool
	tile   int // rows per tile of the index
	loop   parallel.Loop
}

const (
	// unitSlack is the largest difference of a squared norm from 1 by rounding.
	unitSlack = 1e-12
	// wholeLimit bounds norms whose dot products and distances remain exact integers: 4·2⁵⁰ < 2⁵³.
	wholeLimit = 1 << 50
)

func newSparseRows(rows sparse.Rows, split int) (*sparseRows, error) {
	rows = rows.Narrow()
	x := rows.Pattern()
	m := &sparseRows{x: x, rows: rows, split: split, norm2: make([]float64, x.NumRows), unit: true, whole: true, loop: parallel.For}
	m.tile = tileRows(x, m.indexed())
	if err := m.measureRows(); err != nil {
		return nil, err
	}
	if m.unit {
		for i := range m.norm2 {
			m.norm2[i] = 1
		}
	}
	return m, nil
}

// normRows is the number of rows whose norms are taken at a time.
const normRows = 512

// measureRows sets the norms and the kinds of the rows, in parallel. The error is that of the first
// row without a norm.
func (m *sparseRows) measureRows() error {
	type kind struct {
		unit, whole, signed bool
		err                 error
	}
	kinds := make([]kind, parallel.Chunks(m.x.NumRows, normRows))
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), m.x.NumRows, normRows, func(_, lo, hi int) error {
		k, buf := kind{unit: true, whole: true}, make([]float64, 0, 256)
		for i := lo; i < hi && k.err == nil; i++ {
			s := m.sumOfSquares(i, buf)
			for _, v := range m.rows.Values(i, buf) {
				k.whole = k.whole && v == math.Trunc(v)
				k.signed = k.signed || v < leastValue && v != 0
			}
			k.err = checkNorm(own(i, m.indexed()), s)
			m.norm2[i] = s
			k.unit = k.unit && math.Abs(s-1) <= unitSlack
			k.whole = k.whole && s <= wholeLimit
		}
		kinds[lo/normRows] = k
		return nil
	})
	for _, k := range kinds {
		if k.err != nil {
			return k.err
		}
		m.unit, m.whole, m.signed = m.unit && k.unit, m.whole && k.whole, m.signed || k.signed
	}
	return nil
}

// measureNorms sets the squared lengths of rows whose kind is known.
func (m *sparseRows) measureNorms() {
	m.norm2 = make([]float64, m.x.NumRows)
	buf := make([]float64, 0, 256)
	for i := range m.norm2 {
		m.norm2[i] = 1
		if !m.unit {
			m.norm2[i] = m.sumOfSquares(i, buf)
		}
	}
}

// sumOfSquares is the squared norm of row i, summed like a dot product; buf is memory for its
// values.
func (m *sparseRows) sumOfSquares(i int, buf []float64) float64 {
	s := 0.0
	for _, v := range m.rows.Values(i, buf) {
		s += v * v
	}
	return s
}

// columns are the columns of row i.
func (m *sparseRows) columns(i int) []int32 { return m.x.Col[m.x.RowPtr[i]:m.x.RowPtr[i+1]] }

// Dist2 returns the squared distance of rows i and j with dot product s: ‖a‖²+‖b‖²−2a·b, or Σ(a−b)²
// if that would cancel (copies of a row are at exactly 0). Symmetric in i and j bit for bit.
func (m *sparseRows) Dist2(i, j int, s float64) float64 {
	if m.unit {
		if s < nearDot {
			return 2 - 2*s
		}
		return m.direct(i, j)
	}
	sum := m.norm2[i] + m.norm2[j]
	d := sum - 2*s
	if d <= cancelled*sum && !m.whole {
		return m.direct(i, j)
	}
	return d
}

// direct returns Σ(a−b)² over the merged columns, ascending.
func (m *sparseRows) direct(i, j int) float64 {
	ac, av := m.columns(i), m.rows.Values(i, nil)
	bc, bv := m.columns(j), m.rows.Values(j, nil)
	s, p, q := 0.0, 0, 0
	for p < len(ac) && q < len(bc) {
		var d float64
		switch {
		case ac[p] < bc[q]:
			d = av[p]
			p++
		case ac[p] > bc[q]:
			d = bv[q]
			q++
		default:
			d = av[p] - bv[q]
			p++
			q++
		}
		s += d * d
	}
	for ; p < len(ac); p++ {
		s += av[p] * av[p]
	}
	for ; q < len(bc); q++ {
		s += bv[q] * bv[q]
	}
	return s
}

// dot returns the dot product of rows i and j with the bits that the inverted index gives.
func (m *sparseRows) dot(i, j int) float64 {
	ac, av := m.columns(i), m.rows.Values(i, nil)
	bc, bv := m.columns(j), m.rows.Values(j, nil)
	s := 0.0
	for p, q := 0, 0; p < len(ac) && q < len(bc); {
		switch {
		case ac[p] < bc[q]:
			p++
		case ac[p] > bc[q]:
			q++
		default:
			s += av[p] * bv[q]
			p++
			q++
		}
	}
	return s
}

func (m *sparseRows) unitScore(i, j int, s float64) float64 {
	if s < nearDot {
		return s
	}
	return math.Float64frombits(nearCode - math.Float64bits(m.direct(i, j)))
}

// measure returns the squared distance and the dot product of a pair from its score.
func (m *sparseRows) measure(i, j int, score float64) (dist2, dot float64) {
	switch {
	case !m.unit:
		return -score, m.dot(i, j)
	case score < nearDot:
		return unitDist2(score), score
	}
	return unitDist2(score), m.dot(i, j)
}

// indexed returns the number of leading rows that can be the earlier row of a pair.
func (m *sparseRows) indexed() int {
	if m.split > 0 {
		return m.split
	}
	return m.x.NumRows
}

// Scratch is a row of zeros. Behind it there is room for the entries of a row in single precision.
func (m *sparseRows) Scratch() []float64 {
	if !sparse.IsSingle(m.rows) {
		return make([]float64, m.x.NumCols)
	}
	longest := 0
	for i := range m.x.NumRows {
		longest = max(longest, m.x.RowPtr[i+1]-m.x.RowPtr[i])
	}
	return make([]float64, m.x.NumCols, m.x.NumCols+longest)
}

func (m *sparseRows) Open(i int, row []float64) {
	vals := m.rows.Values(i, row[len(row):])
	for p, c := range m.columns(i) {
		row[c] = vals[p]
	}
}

func (m *sparseRows) Close(i int, row []float64) {
	for _, c := range m.columns(i) {
		row[c] = 0
	}
}

// product returns the dot product of row j and the open row.
func (m *sparseRows) product(j int, row []float64) float64 { return m.rows.Dot(j, row) }
