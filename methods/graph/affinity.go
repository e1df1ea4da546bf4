package graph

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
)

// symmetryTolerance is the largest difference between w_ij and w_ji that counts as symmetric,
// relative to the largest entry of the matrix.
const symmetryTolerance = 1e-12

// FromAffinity makes a graph from a precomputed affinity matrix: square, symmetric to 1e-12 of its
// largest entry, non-negative, finite. It replaces w_ij and w_ji by their mean, so the result is
// symmetric bit for bit. The diagonal and stored zeros are dropped. The error names the first
// invalid entry.
func FromAffinity(w *sparse.CSR) (*Graph, error) { return fromMatrix(w, false) }

// FromKernel is FromAffinity for a kernel, whose entries may be negative. The weights of the graph
// are then the kernel off its diagonal, so that it is none for methods that need affinities.
func FromKernel(k *sparse.CSR) (*Graph, error) { return fromMatrix(k, true) }

func fromMatrix(w *sparse.CSR, signed bool) (*Graph, error) {
	n := w.NumRows
	if n != w.NumCols {
		return nil, invalid.Errorf("an affinity matrix must be square: this one is %d × %d", n, w.NumCols)
	}
	if n == 0 {
		return nil, invalid.Errorf("the affinity matrix is empty: a graph needs at least one node")
	}
	w, err := sparse.NewCSR(n, n, w.RowPtr, w.Col, w.Val)
	if err != nil {
		return nil, err
	}
	for i := range n {
		cols, vals := w.Row(i)
		for k, v := range vals {
			if v < 0 && !signed {
				return nil, invalid.Errorf("affinity (%d, %d) (counted from 0) is %v: affinities must not be negative", i, cols[k], v)
			}
		}
	}
	if i, j, ok := w.Asymmetry(symmetryTolerance); !ok {
		return nil, invalid.Errorf("the affinity matrix is not symmetric: entry (%d, %d) (counted from 0) is %v, entry (%d, %d) is %v",
			i, j, w.At(i, j), j, i, w.At(j, i))
	}
	t := w.Transpose()
	s := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1),
		Col: make([]int32, 0, len(w.Col)), Val: make([]float64, 0, len(w.Val))}
	for i := range n {
		merge(w, t, i, func(j int32, a, b float64, _, _ bool) {
			v := a
			if a != b {
				v = 0.5*a + 0.5*b
			}
			if int(j) != i && v != 0 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, v)
			}
		})
		s.RowPtr[i+1] = len(s.Col)
	}
	return newGraph(nil, s)
}

// TakeAffinity is FromAffinity for a matrix that the graph may own: if it is such a graph already,
// it is not copied.
func TakeAffinity(w *sparse.CSR) (*Graph, error) {
	n, columns := w.Dims()
	if n == 0 || n != columns {
		return FromAffinity(w)
	}
	own, err := sparse.NewCSR(n, n, w.RowPtr, w.Col, w.Val)
	if err != nil {
		return nil, err
	}
	if !clean(own) || !own.IsSymmetric(0) {
		return FromAffinity(w)
	}
	return newGraph(nil, own)
}

// clean reports whether all entries are positive and none is on the diagonal.
func clean(w *sparse.CSR) bool {
	for i := range w.NumRows {
		cols, vals := w.Row(i)
		for k, j := range cols {
			if int(j) == i || !(vals[k] > 0) {
				return false
			}
		}
	}
	return true
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
		opt.Observer.Notef(exact.Stage, "%d edges with a %s weight that is not positive are left out", lost/2, opt.Weight)
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
