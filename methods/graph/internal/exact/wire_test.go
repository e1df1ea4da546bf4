package exact

import (
	"testing"

	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rows for another rank are written into memory of their size: what grows while it is written takes
// up to three times as much.
func TestEncodedSize(t *testing.T) {
	rows := graphtest.Rows(300, 50, 8, true, false, 4)
	for name, x := range map[string]mat.Matrix{"sparse": rows, "dense": mat.DenseCopyOf(rows), "no rows": &sparse.CSR{NumCols: 4, RowPtr: []int{0}}} {
		n, _ := x.Dims()
		v := visitor{x: x, ids: make([]int32, n), far: make([]float64, n)}
		if b := v.encode(); cap(b) > len(b)+len(b)/4+64 || testing.AllocsPerRun(1, func() { v.encode() }) > 3 {
			t.Errorf("%s: %d bytes in memory of %d, by %.0f allocations", name, len(b), cap(b), testing.AllocsPerRun(1, func() { v.encode() }))
		}
	}
}
