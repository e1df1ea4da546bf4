package graph

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// local tells whether every edge has a width of its own.
func (o Options) local() bool { return o.Weight == Heat && o.HeatRule == LocalWidth }

// tune resolves the width of the heat kernel: opt.HeatWidth is set, and the scales of the points come back under LocalWidth. The values of u are d².
func (u undirected) tune(x mat.Matrix, opt *Options) (scales []float64, err error) {
	if opt.Weight != Heat {
		return nil, nil
	}
	if opt.HeatRule == LocalWidth {
		if opt.HeatWidth == 0 {
			opt.HeatWidth = 1
		}
		return u.scales(opt.LocalNeighbor), nil
	}
	if opt.HeatWidth != 0 {
		return nil, nil
	}
	switch opt.HeatRule {
	case MedianWidth:
		opt.HeatWidth = u.medianEdge()
	case PairsWidth:
		opt.HeatWidth = MeanSquaredDistance(x)
		if math.IsInf(opt.HeatWidth, 1) {
			return nil, invalid.Errorf("the mean squared distance of the documents overflows: scale the data down or give the width")
		}
	default:
		opt.HeatWidth = u.meanEdge()
	}
	return nil, nil
}

// medianEdge is the median raw value of the edges, each counted once; of an even number the mean of the middle two.
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

// scales returns for each row the root of its k-th smallest value, the largest where there are fewer. In a graph of at least k neighbours joined either way that
// is the distance of the k-th neighbour: who counts a point among his own without being among its own is no nearer than its last. Where k copies of a
// point make it 0, the shortest edge that is longer holds; 0 remains where all edges have length 0.
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

// localWeight is exp(−d²/(factor·a·b)); points at distance 0 have weight 1. The order of a and b does not change a bit of it.
func localWeight(dist2, factor, a, b float64) float64 {
	if dist2 == 0 {
		return 1
	}
	// A scale of 0, or a product that underflows, gives exp(−∞) = 0.
	return math.Exp(-dist2 / (factor * (a * b)))
}

// MeanSquaredDistance is the mean of ‖x_i − x_j‖² over all pairs of different rows: 2/(n−1) times the sum of the squared distances to the mean row. O(entries + columns);
// no pair is formed. 0 for fewer than two rows.
func MeanSquaredDistance(x mat.Matrix) float64 {
	n, d := x.Dims()
	if n < 2 {
		return 0
	}
	if stored, err := sparse.Stored(x); err == nil {
		x = stored
	}
	mean := make([]float64, d)
	s, isSparse := x.(*sparse.CSR)
	row := func(i int, visit func(j int, v float64)) {
		if isSparse {
			cols, vals := s.Row(i)
			for k, j := range cols {
				visit(int(j), vals[k])
			}
			return
		}
		for j := range d {
			visit(j, x.At(i, j))
		}
	}
	for i := range n {
		row(i, func(j int, v float64) { mean[j] += v / float64(n) })
	}
	base := 0.0 // of a row without entries
	for _, m := range mean {
		base += m * m
	}
	sum := 0.0
	for i := range n {
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
		sum += own / float64(n-1)
	}
	return 2 * sum
}

// FromDistances makes a graph of edges that are there already, dist2 their squared lengths: symmetric bit for bit, without diagonal, a stored zero an edge of length 0. opt.Weight is Heat
// ("" means it) or Binary and opt's rules find the width, except PairsWidth, which needs the points; what opt says of neighbours means nothing. O(edges).
// New points cannot be attached to such a graph.
func FromDistances(dist2 *sparse.CSR, opt Options) (*Graph, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults(true, dist2.NumRows)
	switch {
	case opt.Weight != Heat && opt.Weight != Binary:
		return nil, invalid.Errorf("the edge weight %q needs dot products, and only distances are known: choose heat or binary", opt.Weight)
	case opt.Weight == Heat && opt.HeatRule == PairsWidth && opt.HeatWidth == 0:
		return nil, invalid.Errorf("the mean over all pairs needs the points, and only the lengths of edges are known: choose another heat_rule, or give the width")
	}
	u := undirected{CSR: dist2.Clone()}
	for i := range u.NumRows {
		cols, vals := u.Row(i)
		for k, v := range vals {
			if !(v >= 0) || math.IsInf(v, 1) || int(cols[k]) == i {
				return nil, invalid.Errorf("edge (%d, %d) (counted from 0) of squared length %v: edges join different points, their lengths are finite and not negative", i, cols[k], v)
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
