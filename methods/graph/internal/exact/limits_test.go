package exact

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
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
		m := must.Get(newDenseRows(mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)))(t)
		if got := int64(parallel.Workers(m.chunks(), 1)); got != threads {
			t.Fatalf("%d rows: %d threads compare them, want %d", n, got, threads)
		}
		side := tileSide(d)
		if got, want := DenseTileBytes(n, d), memory.Bytes((16*d+8*int64(side))*threads, side); got != want {
			t.Errorf("%d rows: %d bytes are estimated, and %d threads take %d", n, got, threads, want)
		}
	}
}

// Dense rows that are searched among themselves take the tiles of all threads in float32, which the
// least memory of a search on one thread does not have.
func TestScreenTileBytesOfThreads(t *testing.T) {
	defer native.SetThreads(0)
	const d = 200
	side := screenSide(d)
	for _, c := range []struct{ n, threads, tiles int }{{screenRows - 1, 16, 0}, {500, 16, 1}, {4000, 1, 1}, {4000, 16, 16}} {
		native.SetThreads(c.threads)
		if got, want := ScreenTileBytes(c.n, d), memory.Bytes(int64(4*side*side+12*side), c.tiles); got != want {
			t.Errorf("%d rows on %d threads: %d bytes are estimated, and %d tiles take %d", c.n, c.threads, got, c.tiles, want)
		}
	}
}
