package sparse

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
)

// Transpose returns aᵀ with sorted rows, by counting sort, in parallel: O(nnz + rows + cols) time,
// 12 bytes per entry and 8 per column, and with several threads another byte per entry at most.
func (a *CSR) Transpose() *CSR {
	nnz := a.RowPtr[a.NumRows]
	t := &CSR{NumRows: a.NumCols, NumCols: a.NumRows,
		RowPtr: make([]int, a.NumCols+1), Col: make([]int32, nnz), Val: make([]float64, nnz)}
	// Each part of the rows has its own place for its next entry of each column: the last part the
	// pointers themselves, which it leaves at the ends of the columns.
	parts := a.transposeParts()
	next := make([][]int, parts)
	next[parts-1] = t.RowPtr[1:]
	cut := func(part int) int {
		if part == parts {
			return a.NumRows
		}
		row, _ := slices.BinarySearch(a.RowPtr, part*(nnz/parts))
		return min(row, a.NumRows)
	}
	inParts := func(work func(next []int, from, to int)) {
		// The background context never ends, and bodies return no errors.
		_ = parallel.For(context.Background(), parts, 1, func(_, part, _ int) error {
			if next[part] == nil {
				next[part] = make([]int, a.NumCols)
			}
			work(next[part], cut(part), cut(part+1))
			return nil
		})
	}
	inParts(func(next []int, from, to int) {
		for _, c := range a.Col[a.RowPtr[from]:a.RowPtr[to]] {
			next[c]++
		}
	})
	at := 0
	for j := range a.NumCols {
		for _, own := range next {
			own[j], at = at, at+own[j]
		}
	}
	inParts(func(next []int, from, to int) {
		for i := from; i < to; i++ {
			cols, vals := a.Row(i)
			for k, c := range cols {
				p := next[c]
				next[c] = p + 1
				t.Col[p], t.Val[p] = int32(i), vals[k]
			}
		}
	})
	return t
}

// transposeParts is the number of parts in which a is transposed: one if it is small. What they
// count takes a byte per entry at most.
func (a *CSR) transposeParts() int {
	const least = 1 << 16 // entries that are worth another part
	nnz := a.RowPtr[a.NumRows]
	return max(1, min(native.Threads(), nnz/least, nnz/(8*max(1, a.NumCols))))
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
