package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// cancelled is the λ below which 1 − μ has lost digits that matter: its error is some 1e-16.
const cancelled = 1e-4

// sharpen recomputes the values below cancelled, from column zeros on, as Rayleigh quotients over
// the edges, Σ w_ij·(y_i − y_j)² / Σ m_i·y_i². All terms are positive, so the error is relative to
// the value: a weak bridge is told from a missing one. O(nnz) per value. The columns stay in
// ascending order.
func (p *Pencil) sharpen(r *Result, zeros int) {
	first, last := zeros, zeros
	for last < len(r.Values) && r.Values[last] < cancelled {
		last++
	}
	if first == last {
		return
	}
	y := r.Vectors.RawMatrix()
	part := space.Columns(y, first, last)
	energy := p.energy(part)
	mass := make([]float64, part.Cols)
	for i, m := range p.mass {
		for j, v := range part.Data[i*part.Stride:][:part.Cols] {
			mass[j] += m * v * v
		}
	}
	p.space.Summed(mass)
	for j := range energy {
		if mass[j] > 0 {
			r.Values[first+j] = energy[j] / mass[j]
		}
	}
	r.sort(first)
}

// energy returns yᵀLy = Σ w_ij·(y_i − y_j)² over all edges, for every column.
func (p *Pencil) energy(y blas64.General) []float64 {
	switch w := p.w.(type) {
	case *cliqued:
		total := energyOf(w.CSR, y)
		w.addEnergy(total, y)
		return total
	case *factored:
		total := w.energy(y)
		w.addEnergy(total, y)
		return p.space.Summed(total)
	case dividedOperator:
		return w.Divided.(*ghosted).energy(y, p.setSize)
	default:
		return energyOf(w.(*sparse.CSR), y)
	}
}

// energyOf is the energy of the edges of a matrix.
func energyOf(w *sparse.CSR, y blas64.General) []float64 {
	c := y.Cols
	const grain = 4096
	partial := make([]float64, parallel.Chunks(w.NumRows, grain)*c)
	space.MustRun(parallel.For(context.Background(), w.NumRows, grain, func(_, lo, hi int) error {
		out := partial[lo/grain*c:][:c]
		for i := lo; i < hi; i++ {
			yi := y.Data[i*y.Stride:][:c]
			cols, vals := w.Row(i)
			for k, j := range cols {
				if int(j) >= i {
					break // columns ascend, and W is symmetric
				}
				for l, v := range y.Data[int(j)*y.Stride:][:c] {
					d := yi[l] - v
					out[l] += vals[k] * d * d
				}
			}
		}
		return nil
	}))
	return space.SumParts(partial, c)
}

// addEnergy adds the energy of the joined sets: weight·|c|·Σ (y_i − mean)² for a set c, over its
// points that are here.
func (a *cliques) addEnergy(total []float64, y blas64.General) {
	c := y.Cols
	means := make([]float64, len(a.members)*c)
	for s, set := range a.members {
		mean := means[s*c:][:c]
		for _, i := range set {
			for l, v := range y.Data[int(i)*y.Stride:][:c] {
				mean[l] += v / a.size[s]
			}
		}
	}
	a.share.Sum(means)
	for s, set := range a.members {
		for _, i := range set {
			for l, v := range y.Data[int(i)*y.Stride:][:c] {
				d := v - means[s*c+l]
				total[l] += a.weight * a.size[s] * d * d
			}
		}
	}
}
