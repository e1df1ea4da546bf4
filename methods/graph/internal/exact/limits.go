package exact

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
)

// BytesPerNeighbour is the memory of a search for each entry of its lists: heap and result.
const BytesPerNeighbour = 12 + 20

// DenseTileBytes is the memory of the tiles in which n dense rows of d columns are compared with as
// many others, a pair of each thread ([native.Threads]), in bytes. Among themselves they may take
// less.
func DenseTileBytes(n, d int) int64 {
	side := tileSide(d)
	tiles := parallel.Chunks(n, side)
	return memory.Bytes(int64(16*d+8*side), side, parallel.Workers(tiles*tiles, 1))
}

// ScreenTileBytes is the memory of the tiles in which n dense rows of d columns are compared with
// each other in float32, one of each thread ([native.Threads]), in bytes.
func ScreenTileBytes(n, d int) int64 {
	if n < screenRows || d < 2 || d > ScreenCols {
		return 0
	}
	side := screenSide(d)
	tiles := parallel.Chunks(n, side)
	return memory.Bytes(int64(4*(side+3)), side, parallel.Workers(tiles*(tiles+1)/2, 1))
}

// CheckNeighbours refuses k neighbours of n documents unless 1 ≤ k < n.
func CheckNeighbours(n, k int) error {
	switch {
	case n == 0:
		return invalid.Errorf("there are no documents: a graph needs at least 2")
	case n == 1:
		return invalid.Errorf("there is only one document: a graph needs at least 2")
	case k < 1:
		return invalid.Errorf("the number of neighbours is %d: it must be at least 1", k)
	case k >= n:
		return invalid.Errorf("‹neighbors› %d is more than the %s of each of %s: give at most %d", k, words.Counted(n-1, "other"), words.Counted(n, "document"), n-1)
	}
	return nil
}

// CheckLists refuses lists of k neighbours of the rows that are here, of n documents, that take
// more memory than is left under ctx: each bytes per entry.
func CheckLists(ctx context.Context, here, n, k int, each int64) error {
	// The numbers are below 2³¹ here, so the product does not overflow.
	return memory.Need(ctx, memory.Bytes(each, here, k), "choose fewer ‹neighbors›", "%d neighbours of %s", k, words.Counted(n, "document"))
}

// own returns the number of row i in its own matrix, if the rows from split on belong to a second
// one.
func own(i, split int) int {
	if i >= split {
		return i - split
	}
	return i
}

// checkNorm returns an error for rows whose distances would overflow.
func checkNorm(i int, norm2 float64) error {
	if norm2 > math.MaxFloat64/8 {
		return invalid.At(i, -1, "{} is too long, its squared length overflows: scale the data down")
	}
	return nil
}
