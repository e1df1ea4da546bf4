package panel

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// grain is how many rows of a panel one goroutine takes at once. Sums are made by chunks of so many
// rows and added in their order, so that no bit depends on the number of threads.
const grain = 4096

// Dots returns the inner product of each column of a with the same column of b. 2·rows·columns
// flops, memory bound: 16 bytes for each entry.
func Dots(a, b blas64.General) []float64 {
	sums := make([]float64, a.Cols)
	if a.Cols == 0 {
		return sums
	}
	partial := make([]float64, parallel.Chunks(a.Rows, grain)*a.Cols)
	each(a.Rows, func(lo, hi int) {
		sum := partial[lo/grain*a.Cols:][:a.Cols]
		for i := lo; i < hi; i++ {
			u, v := a.Data[i*a.Stride:][:a.Cols], b.Data[i*b.Stride:][:a.Cols]
			for j, x := range u {
				sum[j] += x * v[j]
			}
		}
	})
	for i, v := range partial {
		sums[i%a.Cols] += v
	}
	return sums
}

// Add adds sign·by[j] times column j of x to column j of dst. 24 bytes for each entry.
func Add(dst blas64.General, by []float64, x blas64.General, sign float64) {
	each(dst.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := dst.Data[i*dst.Stride:][:dst.Cols], x.Data[i*x.Stride:][:dst.Cols]
			for j, f := range by {
				to[j] += sign * f * from[j]
			}
		}
	})
}

// Turn sets column j of dst to column j of x plus by[j] times itself, the next directions of
// conjugate gradients. 24 bytes for each entry.
func Turn(dst blas64.General, by []float64, x blas64.General) {
	each(dst.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := dst.Data[i*dst.Stride:][:dst.Cols], x.Data[i*x.Stride:][:dst.Cols]
			for j, f := range by {
				to[j] = from[j] + f*to[j]
			}
		}
	})
}

// each passes over n rows in chunks. The passes are short: no context is looked at.
func each(n int, body func(lo, hi int)) {
	_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		body(lo, hi)
		return nil
	})
}
