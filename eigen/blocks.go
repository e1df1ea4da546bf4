package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// inPanels calls body for panels of rows, in parallel.
func inPanels(n int, body func(chunk, lo, hi int)) {
	space.MustRun(parallel.For(context.Background(), n, panelGrain, func(_, lo, hi int) error {
		body(lo/panelGrain, lo, hi)
		return nil
	}))
}

const panelGrain = 2048

// inner returns aᵀMb.
func (p *Pencil) inner(a, b blas64.General) blas64.General { return p.product(a, b, p.mass) }

// product returns aᵀ·diag(mass)·b over all rows; nil masses are 1.
func (p *Pencil) product(a, b blas64.General, mass []float64) blas64.General {
	size := a.Cols * b.Cols
	if size == 0 {
		return space.NewBlock(a.Cols, b.Cols)
	}
	partial := make([]float64, max(1, parallel.Chunks(a.Rows, panelGrain))*size)
	inPanels(a.Rows, func(chunk, lo, hi int) {
		right := space.Rows(b, lo, hi)
		if mass != nil {
			right = space.NewBlock(hi-lo, b.Cols)
			for i := range right.Rows {
				for j, v := range b.Data[(lo+i)*b.Stride:][:b.Cols] {
					right.Data[i*right.Stride+j] = mass[lo+i] * v
				}
			}
		}
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, space.Rows(a, lo, hi), right, 0, space.AsBlock(partial[chunk*size:][:size], a.Cols, b.Cols))
	})
	return space.AsBlock(p.space.Summed(space.SumParts(partial, size)), a.Cols, b.Cols)
}

// combine returns x·s in the memory of x; s has at most as many columns as rows.
func (p *Pencil) combine(x, s blas64.General) blas64.General {
	y := space.Columns(x, 0, s.Cols)
	if s.Cols == 0 {
		return y
	}
	inPanels(x.Rows, func(_, lo, hi int) {
		out := space.NewBlock(hi-lo, s.Cols)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, space.Rows(x, lo, hi), s, 0, out)
		space.CopyBlock(space.Rows(y, lo, hi), out)
	})
	return y
}

// subtract sets x −= y·s.
func (p *Pencil) subtract(x, y, s blas64.General) {
	inPanels(x.Rows, func(_, lo, hi int) {
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, -1, space.Rows(y, lo, hi), s, 1, space.Rows(x, lo, hi))
	})
}

// dots returns Σ mass_i·a_i·b_i for the columns of a and b; nil masses are 1.
func (p *Pencil) dots(a, b blas64.General, mass []float64) []float64 {
	c := a.Cols
	partial := make([]float64, max(1, parallel.Chunks(a.Rows, panelGrain))*c)
	inPanels(a.Rows, func(chunk, lo, hi int) {
		out := partial[chunk*c:][:c]
		for i := lo; i < hi; i++ {
			m, right := 1.0, b.Data[i*b.Stride:][:c]
			if mass != nil {
				m = mass[i]
			}
			for j, v := range a.Data[i*a.Stride:][:c] {
				out[j] += m * v * right[j]
			}
		}
	})
	return p.space.Summed(space.SumParts(partial, c))
}

// sumsOf returns the sums of the rows of x over each of count parts, each row times its mass; nil
// masses are 1.
func (p *Pencil) sumsOf(part []int32, count int, x blas64.General, mass []float64) blas64.General {
	n, c := x.Rows, x.Cols
	grain := max(panelGrain, (n+31)/32)
	if count > n/64 { // the partial sums would cost more than they save
		grain = max(1, n)
	}
	partial := make([]float64, max(1, parallel.Chunks(n, grain))*count*c)
	space.MustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		sums := partial[lo/grain*count*c:]
		for i := lo; i < hi; i++ {
			to, m := sums[int(part[i])*c:][:c], 1.0
			if mass != nil {
				m = mass[i]
			}
			for j, v := range x.Data[i*x.Stride:][:c] {
				to[j] += m * v
			}
		}
		return nil
	}))
	return space.AsBlock(p.space.Summed(space.SumParts(partial, count*c)), count, c)
}
