package rows

import (
	"sort"

	"github.com/eigenmap/eigenmap/sparse"
)

// Pieces cuts a into pieces of at most work entries and rows each, or of one row. It returns them
// with the first row of each. Pieces share the entries; their row pointers take 8 bytes per row.
func Pieces(a *sparse.CSR, work int) (pieces []*sparse.CSR, first []int) {
	for lo := 0; lo < a.NumRows; {
		from := a.RowPtr[lo]
		hi := lo + max(1, sort.Search(a.NumRows-lo, func(i int) bool { return a.RowPtr[lo+i+1]-from+i+1 > work }))
		to := a.RowPtr[hi]
		ptr := make([]int, hi-lo+1)
		for i := range ptr {
			ptr[i] = a.RowPtr[lo+i] - from
		}
		pieces = append(pieces, &sparse.CSR{NumRows: hi - lo, NumCols: a.NumCols, RowPtr: ptr, Col: a.Col[from:to:to], Val: a.Val[from:to:to]})
		first = append(first, lo)
		lo = hi
	}
	return pieces, first
}
