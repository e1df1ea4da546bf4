package sparse

import (
	"gonum.org/v1/gonum/mat"
)

// SingleDense is a dense matrix whose values are stored in single precision, 4 bytes each, row by
// row. Everything that is computed of it has the bits that [SingleDense.Double] gives. All values
// are finite. It is immutable.
type SingleDense struct {
	NumRows, NumCols int
	Val              []float32
}

// NewSingleDense stores the values of x in single precision. Errors are those of [NewSingle].
func NewSingleDense(x *mat.Dense) (*SingleDense, error) {
	s := &SingleDense{}
	s.NumRows, s.NumCols = x.Dims()
	s.Val = make([]float32, s.NumRows*s.NumCols)
	for i := range s.NumRows {
		out := s.Row(i)
		for j, v := range x.RawRowView(i) {
			var err error
			if out[j], err = Narrowed(v, i, j); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// Dims returns the numbers of rows and columns.
func (s *SingleDense) Dims() (r, c int) { return s.NumRows, s.NumCols }

// T returns the transpose as a view, for mat.Matrix.
func (s *SingleDense) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// At returns the entry (i, j).
func (s *SingleDense) At(i, j int) float64 {
	if uint(i) >= uint(s.NumRows) || uint(j) >= uint(s.NumCols) {
		panic(mat.ErrIndexOutOfRange)
	}
	return float64(s.Val[i*s.NumCols+j])
}

// Row returns the values of row i as a view. Do not write to it.
func (s *SingleDense) Row(i int) []float32 {
	return s.Val[i*s.NumCols : (i+1)*s.NumCols : (i+1)*s.NumCols]
}

// Values sets dst, of NumCols entries, to row i.
func (s *SingleDense) Values(i int, dst []float64) {
	row := s.Row(i)
	for j, v := range row[:len(dst)] {
		dst[j] = float64(v)
	}
}

// Select copies rows in double precision, in their order.
func (s *SingleDense) Select(rows []int) *mat.Dense {
	out := mat.NewDense(len(rows), s.NumCols, nil)
	for r, i := range rows {
		s.Values(i, out.RawRowView(r))
	}
	return out
}

// SelectRows copies rows in single precision, in their order.
func (s *SingleDense) SelectRows(rows []int) *SingleDense {
	out := &SingleDense{NumRows: len(rows), NumCols: s.NumCols, Val: make([]float32, 0, len(rows)*s.NumCols)}
	for _, i := range rows {
		out.Val = append(out.Val, s.Row(i)...)
	}
	return out
}

// Between returns the rows from lo up to hi as a view.
func (s *SingleDense) Between(lo, hi int) *SingleDense {
	return &SingleDense{NumRows: hi - lo, NumCols: s.NumCols, Val: s.Val[lo*s.NumCols : hi*s.NumCols]}
}

// Double returns the matrix in double precision: 8 bytes per value.
func (s *SingleDense) Double() *mat.Dense {
	if s.NumRows == 0 || s.NumCols == 0 {
		return &mat.Dense{}
	}
	out := mat.NewDense(s.NumRows, s.NumCols, nil)
	for i := range s.NumRows {
		s.Values(i, out.RawRowView(i))
	}
	return out
}
