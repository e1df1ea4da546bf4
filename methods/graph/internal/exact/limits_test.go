package exact

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// The estimate has the tiles of all threads that compare rows with as many of another rank: each
// pair of tiles is work for one, also where there are fewer than threads.
func TestDenseTileBytesOfThreads(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(9)
	const d = 200
	for n, threads := range map[int]int64{100: 1, 600: 4, 1200: 9, 3000: 9} {
		m, err := newDenseRows(mat.NewDense(n, d, nil), mat.NewDense(n, d, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := int64(parallel.Workers(m.chunks(), 1)); got != threads {
			t.Fatalf("%d rows: %d threads compare them, want %d", n, got, threads)
		}
		side := tileSide(d)
		if got, want := DenseTileBytes(n, d), memory.Bytes((16*d+8*int64(side))*threads, side); got != want {
			t.Errorf("%d rows: %d bytes are estimated, and %d threads take %d", n, got, threads, want)
		}
	}
}
