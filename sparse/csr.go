package sparse

import (
	"sort"

	"gonum.org/v1/gonum/mat"
)

// CSR is a sparse matrix in compressed sparse row form, immutable by convention. Row i holds the
// entries with the columns Col[RowPtr[i]:RowPtr[i+1]], ascending and without duplicates, and the
// values Val[...]. All values are finite if the matrix comes from a checked constructor ([NewCSR],
// [Builder]).
//
// The fields are exported because kernels need them; code outside this package reads them and does
// not write them. Memory: 12 bytes per entry and 8 per row. *CSR implements mat.Matrix, and
// eigen.Operator through MulBlock.
type CSR struct {
	NumRows, NumCols int
	RowPtr           []int
	Col              []int32
	Val              []float64
}

var _ mat.Matrix = (*CSR)(nil)

// Dims returns the numbers of rows and columns.
func (a *CSR) Dims() (r, c int) { return a.NumRows, a.NumCols }

// NNZ returns the number of stored entries.
func (a *CSR) NNZ() int { return len(a.Col) }

// At returns the entry (i, j) by binary search in row i.
func (a *CSR) At(i, j int) float64 {
	if uint(i) >= uint(a.NumRows) || uint(j) >= uint(a.NumCols) {
		panic(mat.ErrIndexOutOfRange)
	}
	cols, vals := a.Row(i)
	k := sort.Search(len(cols), func(k int) bool { return cols[k] >= int32(j) })
	if k < len(cols) && cols[k] == int32(j) {
		return vals[k]
	}
	return 0
}

// T returns the transpose as a view, for mat.Matrix; [CSR.Transpose] copies.
func (a *CSR) T() mat.Matrix { return mat.Transpose{Matrix: a} }

// Row returns the columns and values of row i as views. Do not write to them.
func (a *CSR) Row(i int) ([]int32, []float64) {
	lo, hi := a.RowPtr[i], a.RowPtr[i+1]
	return a.Col[lo:hi:hi], a.Val[lo:hi:hi]
}
