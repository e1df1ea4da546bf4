package result

import (
	"context"
	"sync"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Typicality is the mean cosine of each document with the documents of its cluster, in the weighted
// rows: how much it is like many others. nil where rows have no length of 1, as of measurements,
// and where there is no memory for the means of the clusters. Where ranks divide the rows, rank 0
// has it once they were measured, the others do not.
//
// Time: two passes over the entries. Memory: clusters × columns.
func (r *Run) Typicality(ctx context.Context) []float64 {
	if r.measured || r.J.Share.Divided() {
		return r.typicality
	}
	return r.ownTypicality(ctx)
}

// ownTypicality is Typicality of the rows that are here. All ranks call it.
func (r *Run) ownTypicality(ctx context.Context) []float64 {
	c, x := r.Found, r.J.X
	if c == nil || x == nil || r.J.Normalize != corpus.NormL2 {
		return nil
	}
	n, d := x.Dims()
	of := ranks.Own(r.J.Share, c.Labels)
	dot, ok := rowDots(x)
	if n != len(of) || !ok {
		return nil
	}
	if ranks.Agree(r.J.Share, memory.Need(memory.Bound(ctx, r.J.MaxBytes), memory.Bytes(8, len(c.Sizes), d), "", "The means of the clusters")) != nil {
		return nil
	}
	means := r.J.SharedMeans(x, c.Labels, len(c.Sizes))
	out := make([]float64, n)
	err := parallel.For(ctx, n, 1024, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if k := of[i]; k >= 0 {
				out[i] = dot(i, means.RawRowView(k))
			}
		}
		return nil
	})
	if err != nil {
		return nil
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
	case *sparse.SingleDense:
		var buffers sync.Pool
		return func(i int, v []float64) float64 {
			row, _ := buffers.Get().(*[]float64)
			if row == nil {
				list := make([]float64, x.NumCols)
				row = &list
			}
			defer buffers.Put(row)
			x.Values(i, *row)
			return floats.Dot(*row, v)
		}, true
	}
	return nil, false
}
