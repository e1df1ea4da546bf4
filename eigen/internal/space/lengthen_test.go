package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// shortBlock is a basis of 20 random vectors and a block of columns of the given lengths,
// orthogonal to it up to the rounding of vectors of length 1. The last column has the direction of
// the first one and a part of its own of the size apart.
func shortBlock(n int, lengths []float64, apart float64) (*Basis, blas64.General) {
	b := NewBasis(n, 40, nil, 3)
	column := NewBlock(n, 1)
	for range 20 {
		b.PushRandom(column)
	}
	rng := rand.New(rand.NewPCG(1, 9))
	w := NewBlock(n, len(lengths))
	for i := range n {
		row := w.Data[i*w.Stride:][:w.Cols]
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		row[len(row)-1] = row[0] + apart*row[len(row)-1]
	}
	b.Orthogonalise(w, 0)
	for j, length := range lengths {
		x := blas64.Vector{N: n, Inc: w.Stride, Data: w.Data[j:]}
		blas64.Scal(length/blas64.Nrm2(x), x)
	}
	for i := range w.Data { // rounding of the product, relative to the operator
		w.Data[i] += 1e-16 * rng.NormFloat64() / math.Sqrt(float64(n))
	}
	return b, w
}

// A block of short columns becomes orthonormal, and orthogonal to the basis at unit length, and R
// belongs to it. Columns that are rounding or dependent are left to the way one by one.
func TestLengthen(t *testing.T) {
	for _, n := range []int{200, 3000} {
		for _, lengths := range [][]float64{{1e-4}, {1e-5, 1e-9, 1, 1e-4}, {1e-7, 1e-7, 1e-6, 1e-8, 1e-5, 1e-4, 1e-10, 1e-6}} {
			b, w := shortBlock(n, lengths, 1)
			original := slices.Clone(w.Data)
			r, ok := b.lengthen(w, Tiny)
			if !ok {
				t.Fatalf("%d rows, columns of %v: not lengthened", n, lengths)
			}
			product := NewBlock(n, w.Cols)
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, w, r, 0, product)
			for i, v := range product.Data {
				if d := math.Abs(v - original[i]); d > 1e-14*lengths[i%w.Cols]+1e-15 {
					t.Fatalf("%d rows, columns of %v: Q·R differs by %.3g in column %d", n, lengths, d, i%w.Cols)
				}
			}
			b.Push(w)
			all := Columns(b.V, 0, b.Size)
			gram := NewBlock(b.Size, b.Size)
			blas64.Gemm(blas.Trans, blas.NoTrans, 1, all, all, 0, gram)
			for i := range b.Size {
				gram.Data[i*gram.Stride+i]--
			}
			for _, v := range gram.Data {
				if math.Abs(v) > 1e-13 {
					t.Fatalf("%d rows, columns of %v: the basis is orthonormal to %.3g only", n, lengths, v)
				}
			}
		}
	}
	for name, bad := range map[string]struct {
		lengths []float64
		apart   float64
	}{"tiny": {[]float64{1e-4, 1e-14, 1e-5}, 1}, "zero": {[]float64{1e-4, 0, 1e-5}, 1}, "dependent": {[]float64{1e-4, 1e-5, 1e-6}, 1e-6}} {
		b, w := shortBlock(200, bad.lengths, bad.apart)
		original := slices.Clone(w.Data)
		if _, ok := b.lengthen(w, Tiny); ok || !slices.Equal(w.Data, original) {
			t.Errorf("%s: lengthened %v, or the block was changed", name, ok)
		}
	}
}

// BenchmarkLengthen adds 8 short columns to a basis of 256 vectors of length 9,394, about what 100
// eigenpairs of TDT2 take. times-as-fast is the ratio of the time one by one to the time of the
// block, both the shortest.
func BenchmarkLengthen(b *testing.B) {
	const n, width = 9394, 8
	v := NewBasis(n, 256+width, nil, 3)
	column := NewBlock(n, 1)
	for range 256 {
		v.PushRandom(column)
	}
	start := NewBlock(n, width)
	for i := range start.Data {
		start.Data[i] = v.Rng.NormFloat64()
	}
	v.Orthogonalise(start, 0)
	w := NewBlock(n, width)
	shortest := [2]float64{math.Inf(1), math.Inf(1)}
	for b.Loop() {
		for way := range shortest {
			for i, x := range start.Data {
				w.Data[i] = 1e-5 * x
			}
			began := b.Elapsed()
			if way == 0 {
				if _, ok := v.lengthen(w, Tiny); !ok {
					b.Fatal("not lengthened")
				}
			} else {
				v.AppendOneByOne(w, width, Tiny)
				v.Size -= width
			}
			shortest[way] = min(shortest[way], (b.Elapsed() - began).Seconds())
		}
	}
	b.ReportMetric(1e3*shortest[0], "ms")
	b.ReportMetric(shortest[1]/shortest[0], "times-as-fast")
}
