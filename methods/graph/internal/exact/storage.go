package exact

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Stored returns x as a search takes it: a sparse.Rows, a *mat.Dense or a *sparse.SingleDense. Rows
// in single precision stay so.
func Stored(x mat.Matrix) (mat.Matrix, error) {
	switch x := x.(type) {
	case *sparse.Single, *sparse.SingleDense:
		return x, nil
	}
	s, d, err := Double(x)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return s, nil
	}
	return d, nil
}

// Double returns x as sparse or as dense rows in double precision; the other result is nil.
func Double(x mat.Matrix) (*sparse.CSR, *mat.Dense, error) {
	if x == nil {
		return nil, nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	if s, ok := x.(*sparse.CSR); ok {
		s, err := sparse.NewCSR(s.NumRows, s.NumCols, s.RowPtr, s.Col, s.Val)
		return s, nil, err
	}
	stored, err := sparse.Stored(x)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := stored.(*sparse.CSR); ok {
		return s, nil, nil
	}
	return nil, stored.(*mat.Dense), nil
}

// KeepRows copies rows in the precision of x.
func KeepRows(x mat.Matrix, kept []int) mat.Matrix {
	switch x := x.(type) {
	case *sparse.Single:
		return x.SelectRows(kept)
	case *sparse.SingleDense:
		return x.SelectRows(kept)
	case *mat.Dense:
		if len(kept) == 0 { // gonum makes no matrix without rows
			none := new(mat.Dense)
			none.SetRawMatrix(blas64.General{Cols: x.RawMatrix().Cols, Stride: x.RawMatrix().Cols})
			return none
		}
	}
	return rows.Select(x, kept)
}

// SelectRows copies rows of a matrix as [Stored] returns it, in double precision.
func SelectRows(x mat.Matrix, rows []int) mat.Matrix {
	switch x := x.(type) {
	case sparse.Rows:
		return x.Select(rows)
	case *sparse.SingleDense:
		return x.Select(rows)
	}
	d := x.(*mat.Dense)
	_, cols := d.Dims()
	out := mat.NewDense(len(rows), max(cols, 1), nil)
	for r, i := range rows {
		out.SetRow(r, d.RawRowView(i))
	}
	return out
}

// Between returns the rows from lo up to hi, in double precision.
func Between(x sparse.Rows, lo, hi int) *sparse.CSR {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Select(rows)
}

// denseBetween returns the dense rows from lo up to hi as a view.
func denseBetween(x mat.Matrix, lo, hi int) mat.Matrix {
	if s, ok := x.(*sparse.SingleDense); ok {
		return s.Between(lo, hi)
	}
	_, cols := x.Dims()
	return x.(*mat.Dense).Slice(lo, hi, 0, cols)
}

// stack returns the rows of a followed by the rows of b.
func stack(a, b *sparse.CSR) *sparse.CSR {
	s := &sparse.CSR{NumRows: a.NumRows + b.NumRows, NumCols: a.NumCols, RowPtr: make([]int, 0, a.NumRows+b.NumRows+1),
		Col: slices.Concat(a.Col, b.Col), Val: slices.Concat(a.Val, b.Val)}
	s.RowPtr = append(s.RowPtr, a.RowPtr...)
	for _, p := range b.RowPtr[1:] {
		s.RowPtr = append(s.RowPtr, a.NNZ()+p)
	}
	return s
}

// DenseRow is row i of dense rows as [Stored] returns them: a view, or buf, which has a row's
// length, if they are in single precision.
func DenseRow(x mat.Matrix, i int, buf []float64) []float64 {
	if s, ok := x.(*sparse.SingleDense); ok {
		s.Values(i, buf)
		return buf
	}
	return x.(*mat.Dense).RawRowView(i)
}

// InOrder lists the numbers below n.
func InOrder(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// MostColumns is the number of columns of the rows of all ranks, which a rank without dense rows
// does not know.
func MostColumns(team ranks.Team, x mat.Matrix) int {
	_, cols := x.Dims()
	most := []float64{float64(cols)}
	ranks.Largest(team, most)
	return int(most[0])
}

// IsSparse reports whether rows as [Stored] returns them are sparse.
func IsSparse(x mat.Matrix) bool {
	_, ok := x.(sparse.Rows)
	return ok
}

// EmptyRows makes a matrix of n rows without entries.
func EmptyRows(n, cols int) *sparse.CSR {
	return &sparse.CSR{NumRows: n, NumCols: cols, RowPtr: make([]int, n+1)}
}
