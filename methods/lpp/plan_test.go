package lpp

import (
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// The time of the directions is planned within three times of what was measured, on one thread of
// an AVX-512 machine: dense rows by LAPACK, sparse ones of many columns by Davidson's method.
func TestPlannedSeconds(t *testing.T) {
	sparseRows := func(n, p, entries int) *method.Input {
		x := &sparse.CSR{NumRows: n, NumCols: p, RowPtr: make([]int, n+1)}
		x.RowPtr[n] = entries
		return &method.Input{X: x}
	}
	for _, c := range []struct {
		in          *method.Input
		at          method.Rates
		native, own float64 // seconds with OpenBLAS and in pure Go; 0 if not measured
	}{
		{&method.Input{X: method.Shape(3000, 800)}, method.Rates{Threads: 1, Entries: 3000 * 800, Dense: true}, 1.6, 21},
		{&method.Input{X: method.Shape(2000, 1500)}, method.Rates{Threads: 1, Entries: 2000 * 1500, Dense: true}, 8.3, 69},
		{sparseRows(5000, 3000, 290_000), method.Rates{Threads: 1, Entries: 290_000}, 7, 0},
		{sparseRows(10_000, 4000, 279_000), method.Rates{Threads: 1, Entries: 279_000}, 7, 0},
	} {
		measured := c.native
		if native.Default().Name() == "go" {
			measured = c.own
		}
		opt := Options{Dims: 10}
		n, p := c.in.X.Dims()
		if got := opt.planned(c.in, c.at).Seconds; measured > 0 && (got > 3*measured || 3*got < measured) {
			t.Errorf("%d rows of %d columns: planned %.1f s, took %.1f s", n, p, got, measured)
		}
	}
}
