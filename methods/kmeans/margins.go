package kmeans

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Margins returns for every row of x the distance to the centre of its label, and the least
// distance to another centre, +Inf if there is none. sizes are the clusters' sizes: one of size 0
// has no centre; nil: all have. What it says of a row depends on no other row, but for the rounding
// of which of two equally near centres counts. O(entries·K) time, 16 bytes per row.
//
// Errors are those of [Model.Predict], and labels that are not one per row in 0..K-1.
func Margins(ctx context.Context, x mat.Matrix, centers *mat.Dense, sizes, labels []int) (own, next []float64, err error) {
	k, d := centers.Dims()
	if x != nil {
		if n, c := x.Dims(); n != len(labels) || c != d {
			return nil, nil, invalid.Errorf("%d rows of %d columns do not fit %d labels and centres of %d columns", n, c, len(labels), d)
		}
	}
	p, err := newPoints(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range labels {
		if c < 0 || c >= k {
			return nil, nil, invalid.Errorf("row %d has the label %d of %d", i+1, c, k)
		}
	}
	defer native.Parallel()()
	all := p.newCenters(k)
	for j := range k {
		all.set(j, centers.RawRowView(j))
	}
	n := len(labels)
	own, next = make([]float64, n), make([]float64, n)
	err = parallel.For(ctx, n, grain(n, k*p.work()), func(_, lo, hi int) error {
		// Fast distances choose the nearest other centre; exact ones are returned.
		const most = 64
		out, gather, rows := make([]float64, most*k), make([]float64, p.gather(most)), make([]int32, 0, most)
		for at := lo; at < hi; at += most {
			rows = rows[:0]
			for i := at; i < min(at+most, hi); i++ {
				rows = append(rows, int32(i))
			}
			all.tile(rows, out, gather)
			for q, i := range rows {
				other, least := -1, math.Inf(1)
				for j, v := range out[q*k : (q+1)*k] {
					if j != labels[i] && v < least && (sizes == nil || sizes[j] > 0) {
						other, least = j, v
					}
				}
				own[i], next[i] = math.Sqrt(max(0, all.exact(int(i), labels[i]))), math.Inf(1)
				if other >= 0 {
					next[i] = math.Sqrt(max(0, all.exact(int(i), other)))
				}
			}
		}
		return nil
	})
	return own, next, err
}
