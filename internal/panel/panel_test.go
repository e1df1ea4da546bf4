package panel

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func TestPanel(t *testing.T) {
	a := blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{3, 1, 9, 4, -2, 9}}
	if got := Clone(a); got.Stride != 2 || !slices.Equal(got.Data, []float64{3, 1, 4, -2}) {
		t.Errorf("copy %v", got)
	}
	if got := Norms(a); !slices.Equal(got, []float64{5, math.Sqrt(5)}) {
		t.Errorf("norms %v", got)
	}
	if got := Dots(a, Clone(a)); !slices.Equal(got, []float64{25, 5}) {
		t.Errorf("products %v", got)
	}
	if b := New(3, 0); b.Stride != 1 || len(b.Data) != 0 || len(Norms(b)) != 0 {
		t.Errorf("a panel without columns is %v", b)
	}
	if Largest(a.Data) != 9 || Largest([]float64{-2}) != 2 || !math.IsNaN(Largest([]float64{1, math.NaN(), 3})) || Largest(nil) != 0 {
		t.Error("the largest value")
	}
}

// The Gram matrix of both sides equals the literal products, over several panels of columns.
func TestGram(t *testing.T) {
	const n, d = 3, 150
	a := New(n, d)
	for i := range a.Data {
		a.Data[i] = float64(i*i%7) - 3
	}
	mul := func(_ context.Context, dst, b blas64.General) error {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, dst)
		return nil
	}
	mulT := func(_ context.Context, dst, b blas64.General) error {
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, a, b, 0, dst)
		return nil
	}
	g := must.Get(Gram(context.Background(), d, n, mul, mulT))(t)
	rows := must.Get(Gram(context.Background(), n, d, mulT, mul))(t)
	for i := range d {
		for j := range d {
			want := 0.0
			for k := range n {
				want += a.Data[k*d+i] * a.Data[k*d+j]
			}
			if g.Data[i*d+j] != want {
				t.Fatalf("entry (%d, %d) is %v, not %v", i, j, g.Data[i*d+j], want)
			}
		}
	}
	for i := range n {
		for j := range n {
			want := 0.0
			for k := range d {
				want += a.Data[i*d+k] * a.Data[j*d+k]
			}
			if rows.Data[i*n+j] != want {
				t.Fatalf("entry (%d, %d) of AAᵀ is %v, not %v", i, j, rows.Data[i*n+j], want)
			}
		}
	}
}

func TestSymmetrize(t *testing.T) {
	a := blas64.General{Rows: 2, Cols: 2, Stride: 3, Data: []float64{1, 2, -1, 5, 3, -1}}
	if Symmetrize(a); !slices.Equal(a.Data, []float64{1, 3.5, -1, 3.5, 3, -1}) {
		t.Errorf("the matrix is %v", a.Data)
	}
}
