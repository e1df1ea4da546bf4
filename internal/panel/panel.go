// Package panel has the small operations on panels: tall matrices of a few columns, stored by rows.
package panel

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// New is a panel of zeros.
func New(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: make([]float64, r*c)}
}

// Clone copies a panel without its padding.
func Clone(a blas64.General) blas64.General {
	b := New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(b.Data[i*b.Stride:][:b.Cols], a.Data[i*a.Stride:])
	}
	return b
}

// Symmetrize sets both triangles of a square matrix to their mean.
func Symmetrize(a blas64.General) {
	for i := range a.Rows {
		for j := range i {
			upper, lower := &a.Data[j*a.Stride+i], &a.Data[i*a.Stride+j]
			mean := (*lower + *upper) / 2
			*lower, *upper = mean, mean
		}
	}
}

// ScaleColumns multiplies column j by by[j].
func ScaleColumns(a blas64.General, by []float64) {
	for i := range a.Rows {
		row := a.Data[i*a.Stride:][:a.Cols]
		for j := range row {
			row[j] *= by[j]
		}
	}
}

// Norms are the lengths of the columns.
func Norms(a blas64.General) []float64 {
	norms := Dots(a, a)
	for j, v := range norms {
		norms[j] = math.Sqrt(v)
	}
	return norms
}

// Largest is the largest absolute value, NaN if there is one.
func Largest(values []float64) float64 {
	m := 0.0
	for _, v := range values {
		m = max(m, math.Abs(v))
	}
	return m
}

// width is the number of columns of a Gram matrix that are computed at a time.
const width = 64

// GramBytes is the memory of [Gram], in bytes.
func GramBytes(q, other int) int64 {
	return memory.Sum(memory.Bytes(8, q, q), memory.Bytes(8*width, q), memory.Bytes(8*width, other))
}

// Gram is the Gram matrix of order q of an operator with q columns and other rows, both triangles,
// by products with panels of the identity: mul sets dst = A·b, mulT dst = Aᵀ·b. With the two
// exchanged it is AAᵀ. 4·entries·q operations.
func Gram(ctx context.Context, q, other int, mul, mulT func(ctx context.Context, dst, b blas64.General) error) (blas64.Symmetric, error) {
	g := blas64.Symmetric{Uplo: blas.Upper, N: q, Stride: max(1, q), Data: make([]float64, q*q)}
	units, halves := New(q, min(width, q)), New(other, min(width, q))
	for lo := 0; lo < q; lo += width {
		w := min(width, q-lo)
		unit := blas64.General{Rows: q, Cols: w, Stride: w, Data: units.Data[:q*w]}
		half := blas64.General{Rows: other, Cols: w, Stride: w, Data: halves.Data[:other*w]}
		clear(unit.Data)
		for k := range w {
			unit.Data[(lo+k)*w+k] = 1
		}
		if err := mul(ctx, half, unit); err != nil {
			return g, err
		}
		if err := mulT(ctx, blas64.General{Rows: q, Cols: w, Stride: q, Data: g.Data[lo:]}, half); err != nil {
			return g, err
		}
	}
	return g, ctx.Err()
}
