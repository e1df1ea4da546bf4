package lecas

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// maxClusters bounds the similarities to 128 MiB.
const maxClusters = 4096

// Centroids are the means of clusters and how similar these are.
type Centroids struct {
	Labels []int      // by row, 0..k-1 in the order of the labels, -1 if a row belongs to no cluster
	Means  *mat.Dense // k×d; nil if no row belongs to a cluster
	// Similarity is k×k: exp(−‖u_a − u_b‖²/t), 1 on the diagonal.
	Similarity *mat.SymDense
}

// NewCentroids computes the means of the clusters of the rows of x and their heat kernel of width t
// ≥ 0 (eq. 2 and 3). Labels are arbitrary integers; a negative one is no cluster. If t = 0,
// different means have similarity 0. O(entries of x + k²·d).
func NewCentroids(ctx context.Context, x mat.Matrix, labels []int, t float64) (*Centroids, error) {
	r, err := pairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	if len(labels) != r.N {
		return nil, invalid.Errorf("there are %d labels for %d rows", len(labels), r.N)
	}
	if !(t >= 0) {
		return nil, invalid.Errorf("the width of the centroids' heat kernel is %v; it must not be negative", t)
	}
	c := &Centroids{Labels: make([]int, r.N)}
	distinct := slices.Compact(slices.Sorted(slices.Values(labels)))
	first, _ := slices.BinarySearch(distinct, 0)
	spare := first > 0
	distinct = distinct[first:]
	for i, l := range labels {
		c.Labels[i] = -1
		if l >= 0 {
			c.Labels[i], _ = slices.BinarySearch(distinct, l)
		}
	}
	k := len(distinct)
	if k == 0 {
		return c, nil
	}
	// The rows of no cluster form one more cluster, after the others.
	of, groups := c.Labels, k
	if spare {
		groups++
		of = make([]int, r.N)
		for i, l := range c.Labels {
			if of[i] = l; l < 0 {
				of[i] = k
			}
		}
	}
	if r.D > math.MaxInt32/groups {
		return nil, invalid.Errorf("%d means of %d columns do not fit: reduce the columns or the number of clusters", k, r.D)
	}
	if k > maxClusters {
		return nil, invalid.Errorf("%d clusters are too many to compare with each other: ask for at most %d", k, maxClusters)
	}
	all, err := r.Means(ctx, of, groups)
	if err != nil {
		return nil, err
	}
	c.Means = all.Slice(0, k, 0, r.D).(*mat.Dense)
	means, err := pairs.New(ctx, c.Means)
	if err != nil {
		return nil, err
	}
	c.Similarity = mat.NewSymDense(k, nil)
	for a := range k {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Similarity.SetSym(a, a, 1)
		for b := range a {
			c.Similarity.SetSym(a, b, heat(pairs.SqDist(means, a, means, b), t))
		}
	}
	return c, nil
}

func heat(dist2, t float64) float64 {
	if dist2 == 0 {
		return 1
	}
	return math.Exp(-dist2 / t)
}

// Scale returns the affinities w with every entry (i, j) between clusters rows[i] ≠ cols[j]
// multiplied by their similarity. A negative cluster changes nothing, and entries that become 0 are
// left out. For the graph itself both are Labels. For new points, rows are the clusters of these
// points, so that they are treated as points of the graph were. O(entries).
func (c *Centroids) Scale(w *sparse.CSR, rows, cols []int) (*sparse.CSR, error) {
	if len(rows) != w.NumRows || len(cols) != w.NumCols {
		return nil, invalid.Errorf("there are %d and %d labels for affinities of %d × %d", len(rows), len(cols), w.NumRows, w.NumCols)
	}
	k := 0
	if c.Similarity != nil {
		k = c.Similarity.SymmetricDim()
	}
	for _, of := range [][]int{rows, cols} {
		for _, l := range of {
			if l >= k {
				return nil, invalid.Errorf("there is no cluster %d: they count from 0 to %d", l, k-1)
			}
		}
	}
	out := &sparse.CSR{NumRows: w.NumRows, NumCols: w.NumCols, RowPtr: make([]int, w.NumRows+1),
		Col: make([]int32, 0, w.NNZ()), Val: make([]float64, 0, w.NNZ())}
	for i := range w.NumRows {
		js, vals := w.Row(i)
		for p, j := range js {
			v := vals[p]
			if a, b := rows[i], cols[j]; a >= 0 && b >= 0 && a != b {
				v *= c.Similarity.At(a, b)
			}
			if v > 0 {
				out.Col, out.Val = append(out.Col, j), append(out.Val, v)
			}
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	return out, nil
}

// Adjust returns the graph with the adjusted weights (eq. 5), or the graph itself if all points are
// in one cluster, so that nothing changes. Edges whose weight becomes 0 are left out, so the graph
// may have more components.
func (c *Centroids) Adjust(g *graph.Graph) (*graph.Graph, error) {
	if c.Similarity == nil || c.Similarity.SymmetricDim() < 2 {
		if len(c.Labels) != g.W.NumRows {
			return nil, invalid.Errorf("there are %d labels for a graph of %d points", len(c.Labels), g.W.NumRows)
		}
		return g, nil
	}
	w, err := c.Scale(g.W, c.Labels, c.Labels)
	if err != nil {
		return nil, err
	}
	adjusted, err := graph.FromAffinity(w)
	if err != nil {
		return nil, err
	}
	adjusted.Reach, adjusted.HeatWidth = g.Reach, g.HeatWidth
	return adjusted, nil
}
