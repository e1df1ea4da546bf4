package svm

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
)

// The kernels have the bits of their twins in Go, and the twins are sums of products, for rows of
// every length up to 40.
func TestRowKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	const d = 100
	for n := range 41 {
		cols, vals, w := make([]int32, n), make([]float64, n), make([]float64, d)
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		exact, size := 0.0, 0.0
		for p := range cols {
			cols[p], vals[p] = int32(2*p+rng.IntN(2)), rng.NormFloat64()
			exact += w[cols[p]] * vals[p]
			size += math.Abs(w[cols[p]] * vals[p])
		}
		fetchRow(cols, vals)
		s := dotRow(cols, vals, w)
		if want := dotRowGo(cols, vals, w); s != want || math.Abs(s-exact) > 1e-14*size {
			t.Errorf("%d entries: dot product %v, twin %v, literal %v", n, s, want, exact)
		}
		a, b := append([]float64{}, w...), append([]float64{}, w...)
		addRow(cols, vals, a, 0.7)
		addRowGo(cols, vals, b, 0.7)
		for p, j := range cols {
			w[j] += 0.7 * vals[p]
			if math.Abs(a[j]-w[j]) > 1e-15*(1+math.Abs(w[j])) {
				t.Errorf("%d entries: sum %v, literal %v", n, a[j], w[j])
			}
		}
		for j := range a {
			if a[j] != b[j] {
				t.Errorf("%d entries: column %d has %v, by the twin %v", n, j, a[j], b[j])
			}
		}
	}
}

// The kernels read w at the columns without looking: a handmade matrix is refused before.
func TestHandmadeRowsAreChecked(t *testing.T) {
	for _, cols := range [][]int32{{0, 3}, {-1, 1}, {1, 1}, {2, 0}} {
		x := &sparse.CSR{NumRows: 2, NumCols: 3, RowPtr: []int{0, 2, 4}, Col: append([]int32{0, 1}, cols...), Val: []float64{1, 2, 3, 4}}
		if _, err := Fit(ctx, x, []float64{1, -1}, Options{Solver: CD}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("columns %v: %v", cols, err)
		}
	}
}
