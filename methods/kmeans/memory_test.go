package kmeans

import (
	"math"
	"runtime"
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Sizes whose product overflows ask for more than any memory, and not for a wrapped number.
func TestMemoryOfAnySize(t *testing.T) {
	const large = math.MaxInt32
	for _, x := range []mat.Matrix{method.Shape(large, large), &sparse.CSR{NumRows: large, NumCols: large}} {
		if bytes := Memory(x, Options{K: large}); bytes != math.MaxInt64 {
			t.Errorf("%T: %d bytes", x, bytes)
		}
	}
}

// The tiles of all threads count, in both precisions.
func TestMemoryOfTiles(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(8)
	x := blobs(300, 2048, 40, 9, 1)
	for _, restarts := range []int{1, 2} {
		opt := Options{K: 64, Restarts: restarts, MaxIter: 1}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Fit(ctx, x, opt); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if took, told := int64(after.TotalAlloc-before.TotalAlloc), Memory(x, opt); took > told*9/8 || took < told/2 {
			t.Errorf("%d restarts: Fit took %d bytes, Memory says %d", restarts, took, told)
		}
	}
}

// A matrix that is copied needs, beside the copy, what a dense one needs.
func TestMemoryOfACopy(t *testing.T) {
	x := blobs(300, 20, 4, 9, 1)
	if a, b := Memory(x.T(), Options{K: 7}), Memory(mat.DenseCopyOf(x.T()), Options{K: 7}); a != b+8*300*20 {
		t.Errorf("%d bytes of a matrix to copy, %d of the copy", a, b)
	}
}

// Margins of many rows take the tiles of the workers once, and not once for each chunk of rows.
func TestMemoryOfMargins(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(2)
	const n, d, k = 6000, 256, 32
	x, centers, labels := blobs(n, d, k, 9, 1), blobs(k, d, k, 9, 2), make([]int, n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Margins(ctx, x, centers, nil, labels); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	const rows, centres, tile = 4 * 8 * n, 8 * 2 * k * d, 8 * 64 * (d + k)
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*(rows+centres+2*tile) {
		t.Errorf("Margins took %d bytes; the rows need %d, the centres %d, and a worker's tile %d", took, rows, centres, tile)
	}
}
