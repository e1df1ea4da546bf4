package result

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Typicality is the mean cosine of each document with the documents of its cluster, in the weighted
// rows: how much it is like many others. nil where rows have no length of 1, as of measurements,
// where ranks divide them, and where there is no memory for the means of the clusters.
//
// Time: two passes over the entries. Memory: clusters × columns.
func (r *Run) Typicality(ctx context.Context) []float64 {
	c, x := r.Found, r.J.X
	if c == nil || x == nil || r.J.Normalize != corpus.NormL2 || r.J.Share.Divided() {
		return nil
	}
	n, d := x.Dims()
	if n != len(c.Labels) || memory.Need(memory.Bound(ctx, r.J.MaxBytes), memory.Bytes(8, len(c.Sizes), d), "", "The means of the clusters") != nil {
		return nil
	}
	dot, ok := rowDots(x)
	if !ok {
		return nil
	}
	means := labels.Means(x, c.Labels, len(c.Sizes))
	out := make([]float64, n)
	for i, k := range c.Labels {
		if k >= 0 {
			out[i] = dot(i, means.RawRowView(k))
		}
	}
	return out
}

// rowDots is the inner product of a row with a vector.
func rowDots(x mat.Matrix) (dot func(i int, v []float64) float64, ok bool) {
	switch x := x.(type) {
	case sparse.Rows:
		return x.Dot, true
	case *mat.Dense:
		return func(i int, v []float64) float64 { return floats.Dot(x.RawRowView(i), v) }, true
	}
	return nil, false
}
