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
	case opt.HeatRule == MedianWidth && share.Divided():
		opt.HeatWidth = u.sharedMedian(share)
	case opt.HeatRule == MedianWidth:
		opt.HeatWidth = u.medianEdge()
	case opt.HeatRule == PairsWidth:
		opt.HeatWidth = meanSquaredDistance(share, x)
		if math.IsInf(opt.HeatWidth, 1) {
			return nil, invalid.Errorf("the mean squared distance of the documents overflows: scale the data down or give HeatWidth")
		}
	default:
		opt.HeatWidth = u.sharedMean(share)
	}
	return nil, nil
}

// medianEdge returns the median raw value of the edges, each counted once; for an even number the
// mean of the middle two.
func (u undirected) medianEdge() float64 {
	var vals []float64
	for i := range u.NumRows {
		cols, raw := u.Row(i)
		for k, j := range cols {
			if int(j) < i {
				vals = append(vals, raw[k])
			}
		}
	}
	if len(vals) == 0 {
		return 0
	}
	slices.Sort(vals)
	m := len(vals) / 2
	if len(vals)%2 == 1 {
		return vals[m]
	}
	return vals[m-1]/2 + vals[m]/2
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

// localWeight is exp(−d²/(factor·a·b)); points at distance 0 have weight 1. The bits do not depend
// on the order of a and b.
func localWeight(dist2, factor, a, b float64) float64 {
	if dist2 == 0 {
		return 1
	}
	// A scale of 0, or a product that underflows, gives exp(−∞) = 0.
	return math.Exp(-dist2 / (factor * (a * b)))
}

// MeanSquaredDistance is the mean of ‖x_i − x_j‖² over all pairs of different rows: 2/(n−1) times
// the sum of the squared distances to the mean row. O(entries + columns), without forming pairs. 0
// for fewer than two rows.
func MeanSquaredDistance(x mat.Matrix) float64 { return meanSquaredDistance(nil, x) }

// meanSquaredDistance is MeanSquaredDistance of the rows of all ranks, of which x has the own ones:
// 16 bytes per column go to each rank.
func meanSquaredDistance(share *ranks.Share, x mat.Matrix) float64 {
	here, d := x.Dims()
	n := share.Among(here)
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

// FromDistances makes a graph from given edges. dist2 holds their squared lengths: symmetric bit
// for bit, without diagonal; a stored zero is an edge of length 0. opt.Weight is Heat (also for "")
// or Binary. The width follows opt's rules, except PairsWidth, which needs the points. The
// neighbour options are ignored. O(edges). New points cannot be attached to such a graph.
func FromDistances(dist2 *sparse.CSR, opt Options) (*Graph, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults(true, dist2.NumRows)
	switch {
	case opt.Weight != Heat && opt.Weight != Binary:
		return nil, invalid.Errorf("the edge weight %q needs dot products, and only distances are known: choose heat or binary", opt.Weight)
	case opt.Weight == Heat && opt.HeatRule == PairsWidth && opt.HeatWidth == 0:
		return nil, invalid.Errorf("the mean over all pairs needs the points, and only the lengths of edges are known: choose another HeatRule, or give HeatWidth")
	}
	u := undirected{CSR: dist2.Clone()}
	for i := range u.NumRows {
		cols, vals := u.Row(i)
		for k, v := range vals {
			if !(v >= 0) || math.IsInf(v, 1) || int(cols[k]) == i {
				return nil, invalid.Errorf("edge (%d, %d) (counted from 0) has the squared length %v: edges must join different points, with finite lengths that are not negative", i, cols[k], v)
			}
		}
	}
	scales, err := u.tune(nil, &opt)
	if err != nil {
		return nil, err
	}
	w, lost, err := weigh(u, scales, scales, opt)
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		opt.Observer.Notef(stage, "%d edges with a %s weight that is not positive are left out", lost/2, opt.Weight)
	}
	g, err := FromAffinity(w)
	if err != nil {
		return nil, err
	}
	g.Scales = scales
	if opt.Weight == Heat {
		g.HeatWidth = opt.HeatWidth
	}
	return g, nil
}
