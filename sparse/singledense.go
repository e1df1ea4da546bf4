package sparse

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// SingleDense is a dense matrix whose values are stored in single precision, 4 bytes each, row by
// row. Everything that is computed of it has the bits that [SingleDense.Double] gives. All values
// are finite. It is immutable.
type SingleDense struct {
	NumRows, NumCols int
	Val              []float32
	// Coarse are the columns of which rounding left few digits ([Rounding.Coarse]), as far as that is
	// known from how the matrix was made.
	Coarse []int
	// Wide says that the values were float32 numbers before, so that nothing was rounded, and that
	// what is made of them, such as weights, is to be kept in double precision.
	Wide bool
}

// NewSingleDense stores the values of x in single precision. Errors are as for [NewSingle].
func NewSingleDense(x *mat.Dense) (*SingleDense, error) {
	s := &SingleDense{}
	s.NumRows, s.NumCols = x.Dims()
	s.Val = make([]float32, s.NumRows*s.NumCols)
	r := NewRounding(s.NumCols)
	for i := range s.NumRows {
		out := s.Row(i)
		for j, v := range x.RawRowView(i) {
			var err error
			if out[j], err = Narrowed(v, i, j); err != nil {
				return nil, err
			}
			r.Add(j, v)
		}
	}
	s.Coarse = r.Coarse()
	return s, nil
}

// Rounding is what single precision took from the columns of a matrix. Values far from 0 that
// differ little, such as 10⁸ and 10⁸ + 1, become equal.
type Rounding struct {
	least, most []float64 // of each column
	rounded     []bool    // whether a value was not a float32 number
}

// NewRounding is for a matrix of that many columns, of which no value is known.
func NewRounding(cols int) *Rounding {
	r := &Rounding{make([]float64, cols), make([]float64, cols), make([]bool, cols)}
	for j := range cols {
		r.least[j], r.most[j] = math.Inf(1), math.Inf(-1)
	}
	return r
}

// Add takes the value v of column j, before it is rounded.
func (r *Rounding) Add(j int, v float64) {
	r.least[j], r.most[j] = min(r.least[j], v), max(r.most[j], v)
	if float64(float32(v)) != v {
		r.rounded[j] = true
	}
}

// Coarse lists the columns in which values were rounded by more than 2⁻¹⁰ of the difference of the
// smallest and the largest value, ascending; nil if there are none.
func (r *Rounding) Coarse() []int {
	var coarse []int
	for j, rounded := range r.rounded {
		spread := r.most[j] - r.least[j]
		if rounded && spread > 0 && 0x1p-24*max(math.Abs(r.least[j]), math.Abs(r.most[j])) > 0x1p-10*spread {
			coarse = append(coarse, j)
		}
	}
	return coarse
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
	out := &SingleDense{NumRows: len(rows), NumCols: s.NumCols, Val: make([]float32, 0, len(rows)*s.NumCols), Wide: s.Wide}
	for _, i := range rows {
		out.Val = append(out.Val, s.Row(i)...)
	}
	return out
}

// Between returns the rows from lo up to hi as a view.
func (s *SingleDense) Between(lo, hi int) *SingleDense {
	return &SingleDense{NumRows: hi - lo, NumCols: s.NumCols, Val: s.Val[lo*s.NumCols : hi*s.NumCols], Wide: s.Wide}
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
