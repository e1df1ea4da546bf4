package sparse

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
)

// wide is the number of columns up to which a matrix may have any share of empty ones.
const wide = 1 << 24

// MostlyEmpty says whether nearly all columns must be empty of a matrix with so many columns, rows
// and entries: more than 2²⁴ columns, and more than 64 for each entry and row.
func MostlyEmpty(columns, rows, entries int) bool {
	return columns > wide && columns/64 > entries+rows
}

func (a *CSR) sparseColumns() bool { return MostlyEmpty(a.NumCols, a.NumRows, a.NNZ()) }

// Compact returns a matrix of the same rows without the empty columns of a, in the same order, if
// nearly all columns are empty; else a itself. Products and distances of rows keep their bits, and
// work by columns takes memory for the entries and not for a number in a file's header. O(nnz·log
// nnz) time.
func (a *CSR) Compact() *CSR {
	if !a.sparseColumns() {
		return a
	}
	used := slices.Clone(a.Col)
	slices.Sort(used)
	used = slices.Compact(used)
	out := &CSR{NumRows: a.NumRows, NumCols: max(1, len(used)), RowPtr: a.RowPtr, Col: make([]int32, len(a.Col)), Val: a.Val}
	for k, c := range a.Col {
		at, _ := slices.BinarySearch(used, c)
		out.Col[k] = int32(at)
	}
	return out
}

// CheckColumns refuses a matrix nearly all of whose columns are empty (fs.ErrInvalid), for work
// that needs memory for every column.
func (a *CSR) CheckColumns() error {
	if !a.sparseColumns() {
		return nil
	}
	used := slices.Clone(a.Col)
	slices.Sort(used)
	return invalid.Errorf("the matrix has %s, and only %s of them have entries: leave the empty columns out", words.Counted(a.NumCols, "column"), words.Thousands(len(slices.Compact(used))))
}
