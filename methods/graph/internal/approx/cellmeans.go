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
	kept := make([][]meanEntry, len(members))
	sums := make([][]float64, parallel.Workers(len(members), 16))
	err := parallel.For(ctx, len(members), 16, func(worker, lo, hi int) error {
		if sums[worker] == nil {
			sums[worker] = make([]float64, x.NumCols)
		}
		for p := lo; p < hi; p++ {
			if len(members[p]) > 0 {
				kept[p] = largestOfMean(x, members[p], unit, sums[worker])
				continue
			}
			cols, vals := old.Row(p)
			for q, c := range cols {
				kept[p] = append(kept[p], meanEntry{c, vals[q]})
			}
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

// meanEntry is an entry of a sparse mean.
type meanEntry struct {
	col int32
	val float64
}

// largestOfMean returns the meanTerms largest entries of the mean of rows of x, by their columns,
// scaled to length 1 if unit is set. sum is zero before and after.
func largestOfMean(x *sparse.CSR, rows []int32, unit bool, sum []float64) (list []meanEntry) {
	var seen []int32
	for _, i := range rows {
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
			list = append(list, meanEntry{c, sum[c]})
			sum[c] = 0
		}
	}
	if len(list) > meanTerms {
		slices.SortFunc(list, func(a, b meanEntry) int {
			return cmp.Or(cmp.Compare(math.Abs(b.val), math.Abs(a.val)), cmp.Compare(a.col, b.col))
		})
		list = list[:meanTerms]
	}
	slices.SortFunc(list, func(a, b meanEntry) int { return cmp.Compare(a.col, b.col) })
	scale := float64(len(rows))
	if unit {
		scale = 0
		for _, e := range list {
			scale = math.Hypot(scale, e.val)
		}
	}
	for q := range list {
		list[q].val /= scale
	}
	return list
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
