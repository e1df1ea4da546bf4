package space

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// SumParts adds up the consecutive parts of the given size, in order, into the first one, and
// returns it.
func SumParts(partial []float64, size int) []float64 {
	total := partial[:size]
	for at := size; at < len(partial); at += size {
		for i, x := range partial[at : at+size] {
			total[i] += x
		}
	}
	return total
}

// AsBlock returns the r×c block whose rows follow each other in data.
func AsBlock(data []float64, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: data}
}

// Vector returns the column of a block of one column.
func Vector(column blas64.General) blas64.Vector {
	return blas64.Vector{N: column.Rows, Inc: column.Stride, Data: column.Data}
}

// ScaleBlock sets x = f·x for a contiguous block, in parallel.
func ScaleBlock(x blas64.General, f float64) {
	MustRun(parallel.For(context.Background(), len(x.Data), 1<<15, func(_, lo, hi int) error {
		for i, v := range x.Data[lo:hi] {
			x.Data[lo+i] = f * v
		}
		return nil
	}))
}

// LongestColumn returns the length of the longest column of w, whose rows are all here.
func LongestColumn(w blas64.General) float64 {
	longest := 0.0
	for j := range w.Cols {
		longest = max(longest, blas64.Nrm2(blas64.Vector{N: w.Rows, Inc: w.Stride, Data: w.Data[j:]}))
	}
	return longest
}

// OneThread solves a small dense problem with single-threaded BLAS: a second thread would cost more
// than it saves, and the bits must not depend on the number of threads.
func OneThread(solve func() ([]float64, blas64.General, error)) ([]float64, blas64.General, error) {
	defer native.Parallel()()
	return solve()
}

// MustRun takes the error of a loop whose body cannot fail and whose context is never cancelled.
func MustRun(err error) {
	if err != nil {
		panic(err)
	}
}

// VectorOf returns the numbers as a vector.
func VectorOf(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// AddTo sets y += a·x.
func AddTo(y []float64, a float64, x []float64) { blas64.Axpy(a, VectorOf(x), VectorOf(y)) }

// ColumnNorms returns the length of every column of r, whose rows are all here, by chunks of rows
// in parallel. Its first argument is not used, as in [Space.Norms].
func ColumnNorms(_, r blas64.General) []float64 {
	grain := max(256, 1<<15/max(1, r.Cols)) // rows that are in cache for all columns
	partial := make([]float64, parallel.Chunks(r.Rows, grain)*r.Cols)
	MustRun(parallel.For(context.Background(), r.Rows, grain, func(_, lo, hi int) error {
		lengths := partial[lo/grain*r.Cols:][:r.Cols]
		if sumSquares(lengths, Rows(r, lo, hi)) {
			return nil
		}
		for j := range r.Cols {
			lengths[j] = blas64.Nrm2(blas64.Vector{N: hi - lo, Inc: r.Stride, Data: r.Data[lo*r.Stride+j:]})
		}
		return nil
	}))
	norms := make([]float64, r.Cols)
	for at, v := range partial {
		norms[at%r.Cols] = math.Hypot(norms[at%r.Cols], v)
	}
	return norms
}

// sumSquares sets lengths to the lengths of the columns of r by sums of squares, row by row, and
// reports whether none of them is so small, so large or no number that squares may have lost
// digits.
func sumSquares(lengths []float64, r blas64.General) bool {
	clear(lengths)
	if r.Cols == 2 {
		s0, s1 := 0.0, 0.0
		for i := range r.Rows {
			row := r.Data[i*r.Stride:][:2]
			s0 += row[0] * row[0]
			s1 += row[1] * row[1]
		}
		lengths[0], lengths[1] = s0, s1
	} else {
		for i := range r.Rows {
			for j, v := range r.Data[i*r.Stride:][:r.Cols] {
				lengths[j] += v * v
			}
		}
	}
	const least, most = 1e-200, 1e300
	for j, s := range lengths {
		if !(s > least && s < most) {
			return false
		}
		lengths[j] = math.Sqrt(s)
	}
	return true
}

// NewBlock makes a zero block.
func NewBlock(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: memory.Large(make([]float64, rows*cols))}
}

// Columns returns the view of the columns [from, to) of a.
func Columns(a blas64.General, from, to int) blas64.General {
	if a.Rows == 0 || from == to {
		return blas64.General{Rows: a.Rows, Cols: to - from, Stride: max(1, a.Stride)}
	}
	return blas64.General{Rows: a.Rows, Cols: to - from, Stride: a.Stride, Data: a.Data[from : (a.Rows-1)*a.Stride+to]}
}

// Rows returns the view of the rows [from, to) of a.
func Rows(a blas64.General, from, to int) blas64.General {
	if from == to {
		return blas64.General{Cols: a.Cols, Stride: a.Stride}
	}
	return blas64.General{Rows: to - from, Cols: a.Cols, Stride: a.Stride, Data: a.Data[from*a.Stride : (to-1)*a.Stride+a.Cols]}
}

// CopyWhole copies src to dst, contiguous blocks of the same shape, in parallel.
func CopyWhole(dst, src blas64.General) {
	size := src.Rows * src.Cols
	MustRun(parallel.For(context.Background(), size, max(1<<15, size/64), func(_, lo, hi int) error {
		copy(dst.Data[lo:hi], src.Data[lo:hi])
		return nil
	}))
}

// CopyBlock copies src to dst, blocks of the same shape.
func CopyBlock(dst, src blas64.General) {
	rows, cols := src.Rows, src.Cols
	switch {
	case cols == 0 || rows == 0:
	case cols == src.Stride && cols == dst.Stride:
		copy(dst.Data[:rows*cols], src.Data[:rows*cols])
	case cols == 1:
		for i := range rows {
			dst.Data[i*dst.Stride] = src.Data[i*src.Stride]
		}
	case cols == 2:
		for i := range rows {
			to, from := dst.Data[i*dst.Stride:][:2], src.Data[i*src.Stride:][:2]
			to[0], to[1] = from[0], from[1]
		}
	case cols == 4:
		for i := range rows {
			moveFour(dst.Data[i*dst.Stride:], src.Data[i*src.Stride:])
		}
	default:
		for i := range rows {
			copy(dst.Data[i*dst.Stride:][:cols], src.Data[i*src.Stride:][:cols])
		}
	}
}

// moveFour copies four numbers. An assignment of arrays would be a call, since they may overlap.
func moveFour(dst, src []float64) {
	a, b, c, d := src[0], src[1], src[2], src[3]
	_ = dst[3]
	dst[0], dst[1], dst[2], dst[3] = a, b, c, d
}

// Combine sets y = a·y + b·u + c·v, all contiguous; v may be empty. Three reads and one write per
// entry.
func Combine(y blas64.General, a float64, u blas64.General, b float64, v blas64.General, c float64) {
	size := y.Rows * y.Cols
	MustRun(parallel.For(context.Background(), size, max(1<<15, size/64), func(_, lo, hi int) error {
		y, u := y.Data[lo:hi], u.Data[lo:hi]
		if v.Data == nil {
			for i, s := range u {
				y[i] = a*y[i] + b*s
			}
			return nil
		}
		v := v.Data[lo:hi]
		for i, s := range u {
			y[i] = a*y[i] + b*s + c*v[i]
		}
		return nil
	}))
}

// block returns a matrix in scratch memory, with any content.
func block(scratch *[]float64, rows, columns int) blas64.General {
	*scratch = slices.Grow((*scratch)[:0], rows*columns)[:rows*columns]
	return AsBlock(*scratch, rows, max(1, columns))
}
