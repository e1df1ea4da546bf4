package svd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A decomposition takes no more memory than the estimate, whichever side of the matrix is longer.
func TestBytesAreWhatItTakes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 11))
	dense := func(n, d int) mat.Matrix {
		x := mat.NewDense(n, d, nil)
		for i := range x.RawMatrix().Data {
			x.RawMatrix().Data[i] = rnd.NormFloat64()
		}
		return x
	}
	few := func(n, d int) mat.Matrix { // five entries a row
		x := &sparse.CSR{NumRows: n, NumCols: d, RowPtr: []int{0}}
		for range n {
			for j := range 5 {
				x.Col, x.Val = append(x.Col, int32((j*d+rnd.IntN(d))/5)), append(x.Val, rnd.NormFloat64())
			}
			x.RowPtr = append(x.RowPtr, len(x.Col))
		}
		return x
	}
	for _, c := range []struct {
		name   string
		x      mat.Matrix
		k      int
		solver eigen.Solver
	}{
		{"dense, wide", dense(60, 40_000), 40, ""},
		{"dense, wide, Lanczos", dense(100, 40_000), 20, eigen.Lanczos},
		{"dense, long", dense(40_000, 60), 40, ""},
		{"sparse, wide, Lanczos", few(500, 60_000), 20, eigen.Lanczos},
		{"sparse, long, Lanczos", few(60_000, 500), 20, eigen.Lanczos},
	} {
		n, d := c.x.Dims()
		plan := Bytes(nil, n, d, c.k, !sparse.Is(c.x), c.solver)
		m, err := New(context.Background(), c.x, false)
		if err != nil {
			t.Fatal(err)
		}
		took, _ := memory.PeakHeap(func() { _, err = Truncated(context.Background(), m, Options{K: c.k, Solver: c.solver}) })
		if err != nil {
			t.Fatal(err)
		}
		if took > plan+plan/2 { // as of the plans of methods: scratch memory
			t.Errorf("%s: %d MB, the estimate is %d", c.name, took>>20, plan>>20)
		}
	}
}
