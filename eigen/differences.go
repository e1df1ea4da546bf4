package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// differences returns L·y, each row as Σ w_ij·(y_i − y_j). Its rounding is relative to these
// differences: where y is nearly constant around a point, the degree does not magnify it. A
// complete graph of products has no edges at hand, and must not come here.
func (p *Pencil) differences(y blas64.General) blas64.General {
	out := space.NewBlock(y.Rows, y.Cols)
	if y.Cols == 0 {
		return out
	}
	switch w := p.w.(type) {
	case *cliqued:
		addDifferences(out, w.CSR, y, y)
		w.addDifferences(out, y)
	case dividedOperator:
		w.Divided.(*ghosted).addDifferences(out, y, p.setSize)
	default:
		addDifferences(out, w.(*sparse.CSR), y, y)
	}
	return out
}

// addDifferences adds Σ w_ij·(y_i − x_j) to row i of out.
func addDifferences(out blas64.General, w *sparse.CSR, y, x blas64.General) {
	c := y.Cols
	space.MustRun(parallel.For(context.Background(), w.NumRows, 1024, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to, yi := out.Data[i*out.Stride:][:c], y.Data[i*y.Stride:][:c]
			cols, vals := w.Row(i)
			for k, j := range cols {
				weight := vals[k]
				for l, v := range x.Data[int(j)*x.Stride:][:c] {
					to[l] += weight * (yi[l] - v)
				}
			}
		}
		return nil
	}))
}

// addDifferences adds weight·|c|·(y_i − mean) to the rows of each set c.
func (a *cliques) addDifferences(out, y blas64.General) {
	space.MustRun(parallel.For(context.Background(), len(a.members), 1, func(_, c, _ int) error {
		set := a.members[c]
		size := float64(len(set))
		mean := make([]float64, y.Cols)
		for _, i := range set {
			for l, v := range y.Data[int(i)*y.Stride:][:y.Cols] {
				mean[l] += v / size
			}
		}
		for _, i := range set {
			to := out.Data[int(i)*out.Stride:][:y.Cols]
			for l, v := range y.Data[int(i)*y.Stride:][:y.Cols] {
				to[l] += a.weight * size * (v - mean[l])
			}
		}
		return nil
	}))
}

// addDifferences adds the rows of L·y that are here; size is the number of points of each set.
func (a *ghosted) addDifferences(out, y blas64.General, size []float64) {
	for from := 0; from < y.Cols; from += ghostColumns {
		to := min(from+ghostColumns, y.Cols)
		part := space.Columns(y, from, to)
		addDifferences(space.Columns(out, from, to), a.local, part, a.extended(part))
	}
	if a.part.Sets == 0 {
		return
	}
	sums := a.setSums(y)
	for i, set := range a.part.Set {
		for l := 0; set >= 0 && l < y.Cols; l++ {
			n := size[set]
			out.Data[i*out.Stride+l] += a.part.Weight * n * (y.Data[i*y.Stride+l] - sums[int(set)*y.Cols+l]/n)
		}
	}
}
