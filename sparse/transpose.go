package sparse

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// Transpose returns aᵀ with sorted rows, by counting sort: O(nnz + rows + cols) time, 12 bytes per
// entry and 8 per column.
func (a *CSR) Transpose() *CSR {
	t := &CSR{NumRows: a.NumCols, NumCols: a.NumRows,
		RowPtr: make([]int, a.NumCols+1), Col: make([]int32, len(a.Col)), Val: make([]float64, len(a.Val))}
	ptr := t.RowPtr
	for _, c := range a.Col {
		ptr[c+1]++
	}
	for j := range a.NumCols {
		ptr[j+1] += ptr[j]
	}
	// Rows in descending order: ptr[c+1] falls from the end of row c of aᵀ to its start. Afterwards
	// every pointer is shifted by one.
	for i := a.NumRows - 1; i >= 0; i-- {
		cols, vals := a.Row(i)
		for k, c := range cols {
			ptr[c+1]--
			p := ptr[c+1]
			t.Col[p], t.Val[p] = int32(i), vals[k]
		}
	}
	copy(ptr, ptr[1:])
	ptr[a.NumCols] = len(a.Col)
	return t
}

// IsSymmetric reports whether a is square and no |a_ij − a_ji| exceeds tol times the largest
// absolute entry. With tol = 0 it reports whether a is symmetric bit for bit. O(nnz) time and
// memory.
func (a *CSR) IsSymmetric(tol float64) bool {
	_, _, ok := a.Asymmetry(tol)
	return ok
}

// Asymmetry returns the first place (i, j), in row order, at which |a_ij − a_ji| exceeds tol times
// the largest absolute entry, or ok = true if there is none. A matrix that is not square is never
// ok.
func (a *CSR) Asymmetry(tol float64) (i, j int, ok bool) {
	if a.NumRows != a.NumCols {
		return 0, 0, false
	}
	limit := 0.0
	if tol > 0 {
		for _, v := range a.Val {
			limit = max(limit, math.Abs(v))
		}
		limit *= tol
	}
	if a.mirrored(limit) {
		return 0, 0, true
	}
	t := a.Transpose() // finds the first place
	for i := range a.NumRows {
		ac, av := a.Row(i)
		tc, tv := t.Row(i)
		for p, q := 0, 0; p < len(ac) || q < len(tc); {
			var j int32
			var d float64
			switch {
			case q == len(tc) || p < len(ac) && ac[p] < tc[q]:
				j, d = ac[p], av[p]
				p++
			case p == len(ac) || tc[q] < ac[p]:
				j, d = tc[q], tv[q]
				q++
			default:
				j, d = ac[p], av[p]-tv[q]
				p++
				q++
			}
			if !(math.Abs(d) <= limit) {
				return i, int(j), false
			}
		}
	}
	return 0, 0, true
}

// mirrored reports whether every entry differs by at most limit from the one on the other side of
// the diagonal, which a search in its row finds. In parallel, without a transposed copy.
func (a *CSR) mirrored(limit float64) bool {
	err := parallel.For(context.Background(), a.NumRows, max(1<<10, a.NumRows/256), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			cols, vals := a.Row(i)
			for k, j := range cols {
				other := 0.0
				theirs, values := a.Row(int(j))
				if at, ok := slices.BinarySearch(theirs, int32(i)); ok {
					other = values[at]
				}
				if !(math.Abs(vals[k]-other) <= limit) {
					return errNotMirrored
				}
			}
		}
		return nil
	})
	return err == nil
}

var errNotMirrored = errors.New("sparse: not symmetric")
