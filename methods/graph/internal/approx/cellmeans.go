package approx

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// meanTerms is the number of terms that a centre of sparse rows keeps.
const meanTerms = 256

// sparseMeans returns the means of members, or the old centre of a cell without any. Each keeps its
// largest entries; means of rows of length 1 have length 1.
func sparseMeans(ctx context.Context, x, old *sparse.CSR, members [][]int32, unit bool) (*sparse.CSR, error) {
	type entry struct {
		col int32
		val float64
	}
	kept := make([][]entry, len(members))
	sums := make([][]float64, parallel.Workers(len(members), 16))
	err := parallel.For(ctx, len(members), 16, func(worker, lo, hi int) error {
		if sums[worker] == nil {
			sums[worker] = make([]float64, x.NumCols)
		}
		sum := sums[worker]
		for p := lo; p < hi; p++ {
			var list []entry
			if len(members[p]) == 0 {
				cols, vals := old.Row(p)
				for q, c := range cols {
					list = append(list, entry{c, vals[q]})
				}
				kept[p] = list
				continue
			}
			var seen []int32
			for _, i := range members[p] {
				cols, vals := x.Row(int(i))
				for q, c := range cols {
					if sum[c] == 0 {
						seen = append(seen, c)
					}
					sum[c] += vals[q]
				}
			}
			for _, c := range seen {
				if sum[c] != 0 {
					list = append(list, entry{c, sum[c]})
					sum[c] = 0
				}
			}
			if len(list) > meanTerms {
				slices.SortFunc(list, func(a, b entry) int {
					return cmp.Or(cmp.Compare(math.Abs(b.val), math.Abs(a.val)), cmp.Compare(a.col, b.col))
				})
				list = list[:meanTerms]
			}
			slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.col, b.col) })
			scale := float64(len(members[p]))
			if unit {
				scale = 0
				for _, e := range list {
					scale = math.Hypot(scale, e.val)
				}
			}
			for q := range list {
				list[q].val /= scale
			}
			kept[p] = list
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	means := &sparse.CSR{NumRows: len(kept), NumCols: x.NumCols, RowPtr: make([]int, 1, len(kept)+1)}
	for _, list := range kept {
		for _, e := range list {
			means.Col, means.Val = append(means.Col, e.col), append(means.Val, e.val)
		}
		means.RowPtr = append(means.RowPtr, len(means.Col))
	}
	return means, nil
}

// denseMeans returns the means of members, or the old centre of a cell without any.
func denseMeans(x, old *mat.Dense, members [][]int32) *mat.Dense {
	means := mat.DenseCopyOf(old)
	for p, of := range members {
		row := means.RawRowView(p)
		if len(of) > 0 {
			clear(row)
		}
		for _, i := range of {
			for j, v := range x.RawRowView(int(i)) {
				row[j] += v / float64(len(of))
			}
		}
	}
	return means
}
