package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// local reports whether every edge has its own width.
func (o Options) local() bool { return o.Weight == Heat && o.HeatRule == LocalWidth }

// tune determines the width of the heat kernel. It sets opt.HeatWidth and returns the scales of the
// points for LocalWidth. The values of u are d².
func (u undirected) tune(x mat.Matrix, opt *Options) (scales []float64, err error) {
	if opt.Weight != Heat {
		return nil, nil
	}
	if opt.HeatRule == LocalWidth {
		opt.HeatWidth = cmp.Or(opt.HeatWidth, 1)
		return u.scales(opt.LocalNeighbor), nil
	}
	if opt.HeatWidth != 0 {
		return nil, nil
	}
	switch share := opt.Share; {
	case opt.HeatRule == MedianWidth:
		opt.HeatWidth = u.median(share)
	case opt.HeatRule == PairsWidth:
		opt.HeatWidth = meanSquaredDistance(share, x)
		if math.IsInf(opt.HeatWidth, 1) {
			return nil, invalid.Errorf("the mean squared distance of the documents overflows: scale the data down or give HeatWidth")
		}
	default:
		opt.HeatWidth = u.mean(share)
	}
	return nil, nil
}

// scales returns for each row the square root of its k-th smallest value, or of the largest if
// there are fewer. In a union graph of at least k neighbours that is the distance of the k-th
// neighbour: a point that counts i among its neighbours without being one of i's own is no nearer
// than i's last. If k copies of a point make it 0, the shortest longer edge is used; it remains 0
// if all edges have length 0.
func (u undirected) scales(k int) []float64 {
	s := make([]float64, u.NumRows)
	var vals []float64
	for i := range s {
		_, raw := u.Row(i)
		if len(raw) == 0 {
			continue
		}
		vals = append(vals[:0], raw...)
		slices.Sort(vals)
		at := min(k, len(vals)) - 1
		for vals[at] == 0 && at < len(vals)-1 {
			at++
		}
		s[i] = math.Sqrt(vals[at])
	}
	return s
}

// MeanSquaredDistance is the mean of ‖x_i − x_j‖² over all pairs of different rows: 2/(n−1) times
// the sum of the squared distances to the mean row. O(entries + columns), without forming pairs. 0
// for fewer than two rows.
func MeanSquaredDistance(x mat.Matrix) float64 { return meanSquaredDistance(nil, x) }

// meanSquaredDistance is MeanSquaredDistance of the rows of all ranks, of which x has the own ones:
// 16 bytes per column go to each rank.
func meanSquaredDistance(share *ranks.Share, x mat.Matrix) float64 {
	here, d := x.Dims()
	n := ranks.Count(share, here)
	if n < 2 {
		return 0
	}
	if kept, err := sparse.Kept(x); err == nil {
		x = kept
	}
	mean, buf := make([]float64, d), make([]float64, 0, 256)
	s, isSparse := x.(sparse.Rows)
	row := func(i int, visit func(j int, v float64)) {
		if isSparse {
			p := s.Pattern()
			vals := s.Values(i, buf)
			for k, j := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
				visit(int(j), vals[k])
			}
			return
		}
		for j := range d {
			visit(j, x.At(i, j))
		}
	}
	for i := range here {
		row(i, func(j int, v float64) { mean[j] += v / float64(n) })
	}
	share.Sum(mean)
	base := 0.0 // value of a row without entries
	for _, m := range mean {
		base += m * m
	}
	sum := []float64{0}
	for i := range here {
		own := base
		if !isSparse {
			own = 0
		}
		row(i, func(j int, v float64) {
			own += (v - mean[j]) * (v - mean[j])
			if isSparse {
				own -= mean[j] * mean[j]
			}
		})
		sum[0] += own / float64(n-1)
	}
	share.Sum(sum)
	return 2 * sum[0]
}

// mean is the mean raw value of the edges of all ranks, each counted once. Each rank goes on from
// the mean of the rows before its own, so that the bits are those of one process.
func (u undirected) mean(share *ranks.Share) float64 {
	mean, count := 0.0, 0.0
	for rank := range share.Size() {
		state := []float64{0, 0}
		if rank == share.Rank() {
			state[0], state[1] = u.meanBefore(share.First(), mean, count)
		}
		share.Sum(state)
		mean, count = state[0], state[1]
	}
	return mean
}

// meanBefore goes on from the mean of count values with those of the edges of own rows, the first
// of which has the number first, to documents before them.
func (u undirected) meanBefore(first int, mean, count float64) (newMean, newCount float64) {
	for i := range u.NumRows {
		cols, vals := u.Row(i)
		for k, j := range cols {
			if int(j) < first+i {
				count++
				mean += (vals[k] - mean) / count // a running mean cannot overflow
			}
		}
	}
	return mean, count
}

// median returns the median value of the edges of all ranks, each counted once; for an even number
// the mean of the middle two. 64 counts find the bits of a value that is not negative.
func (u undirected) median(share *ranks.Share) float64 {
	var vals []float64
	for i := range u.NumRows {
		cols, raw := u.Row(i)
		for k, j := range cols {
			if int(j) < share.First()+i {
				vals = append(vals, raw[k])
			}
		}
	}
	slices.Sort(vals)
	total := ranks.Count(share, len(vals))
	if total == 0 {
		return 0
	}
	// at is the value of which exactly m are smaller or equal copies precede: the m-th smallest.
	at := func(m int) float64 {
		lo, hi := uint64(0), math.Float64bits(math.Inf(1))
		for lo < hi {
			mid := lo + (hi-lo)/2
			below, _ := slices.BinarySearch(vals, math.Nextafter(math.Float64frombits(mid), math.Inf(1)))
			if ranks.Count(share, below) > m {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return math.Float64frombits(lo)
	}
	if total%2 == 1 {
		return at(total / 2)
	}
	return at(total/2-1)/2 + at(total/2)/2
}
