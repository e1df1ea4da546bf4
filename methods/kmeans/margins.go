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
// distance to another centre, +Inf if there is none. sizes are the sizes of the clusters that the
// centres are of, for new rows the training rows': one of size 0 has no centre; nil: all have. What
// it says of a row has the same bits whatever the other rows are. O(entries·K) time, 16 bytes per
// row.
//
// Errors are as for [Model.Predict], and labels that are not one per row in 0..K-1.
func Margins(ctx context.Context, x mat.Matrix, centers *mat.Dense, sizes, labels []int) (own, next []float64, err error) {
	own, next, _, err = margins(ctx, x, centers, sizes, labels, nil)
	return own, next, err
}

// margins is [Margins] with the cluster of the nearest other centre, of equally near ones the
// lowest; -1 if there is none. Squared distances of terms are added to the squared ones of x.
func margins(ctx context.Context, x mat.Matrix, centers *mat.Dense, sizes, labels []int, terms *nearTerms) (own, next []float64, other []int, err error) {
	k, d := centers.Dims()
	if x != nil {
		if n, c := x.Dims(); n != len(labels) || c != d {
			return nil, nil, nil, invalid.Errorf("%d rows of %d columns do not fit %d labels and centres of %d columns", n, c, len(labels), d)
		}
	}
	p, err := newPoints(ctx, x)
	if err != nil {
		return nil, nil, nil, err
	}
	for i, c := range labels {
		if c < 0 || c >= k {
			return nil, nil, nil, invalid.Errorf("row %d has the label %d of %d", i+1, c, k)
		}
	}
	defer native.Parallel()()
	all := p.newCenters(k)
	for j := range k {
		all.set(j, centers.RawRowView(j))
	}
	largest := 0.0
	for j := range k {
		largest = max(largest, all.sqNorm(j))
	}
	norms := p.sqNorms()
	rel, exactAbs, tileAbs := all.errors()
	n := len(labels)
	own, next, other = make([]float64, n), make([]float64, n), make([]int, n)
	// Fast distances leave few centres that can be the nearest other one; exact ones choose it.
	most := min(64, tileRows(k, d))
	type room struct { // of one worker
		out, gather []float64
		rows        []int32
		ofTerms     []float64 // squared distances of a row's terms, 0 without terms
		buf         []float64
	}
	rooms := make([]room, parallel.Workers(n, grain(n, k*p.work())))
	err = parallel.For(ctx, n, grain(n, k*p.work()), func(w, lo, hi int) error {
		r := &rooms[w]
		if r.out == nil {
			*r = room{make([]float64, most*k), make([]float64, p.gather(most)), make([]int32, 0, most), make([]float64, k), nil}
		}
		out, rows := r.out, r.rows
		for at := lo; at < hi; at += most {
			rows = rows[:0]
			for i := at; i < min(at+most, hi); i++ {
				rows = append(rows, int32(i))
			}
			all.tile(rows, out, r.gather)
			for q, i := range rows {
				values := out[q*k:][:k]
				if terms != nil {
					r.buf = terms.squares(int(i), r.ofTerms, r.buf)
					for j, v := range r.ofTerms {
						values[j] += v
					}
				}
				exact := func(j int) float64 { return all.exact(int(i), j) + r.ofTerms[j] }
				var nearest float64
				other[i], nearest = nearestOther(values, labels[i], sizes, rel, (exactAbs+tileAbs)*(norms[i]+largest), exact)
				own[i], next[i] = math.Sqrt(max(0, exact(labels[i]))), math.Sqrt(max(0, nearest))
			}
		}
		return nil
	})
	return own, next, other, err
}

// nearestOther returns the centre of least exact distance among those that are not the label's and
// not empty, of equally near ones the lowest, and that distance; -1 if there is none. A fast
// distance v differs from the exact one by at most rel·|v| + abs.
func nearestOther(fast []float64, label int, sizes []int, rel, abs float64, exact func(j int) float64) (other int, nearest float64) {
	counts := func(j int) bool { return j != label && (sizes == nil || sizes[j] > 0) }
	least := math.Inf(1)
	for j, v := range fast {
		if counts(j) {
			least = min(least, v)
		}
	}
	limit := least + 4*(rel*math.Abs(least)+abs)
	other, nearest = -1, math.Inf(1)
	for j, v := range fast {
		if counts(j) && v <= limit {
			if d := exact(j); d < nearest {
				other, nearest = j, d
			}
		}
	}
	return other, nearest
}
