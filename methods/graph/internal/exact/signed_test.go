package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// hardlyAbove are rows of length 1 of which the first has products of about size with two others
// and of about -0.3 with the rest.
func hardlyAbove(t *testing.T, n int, size float64, rng *rand.Rand) *sparse.CSR {
	t.Helper()
	const width = 24
	b := sparse.NewBuilder(n, width)
	first := make([]float64, width)
	for i := range n {
		row := make([]float64, width)
		for c := range row {
			row[c] = rng.NormFloat64()
		}
		if i > 0 {
			for range 2 { // the second time takes the rounding of the first
				floats.AddScaled(row, -floats.Dot(row, first), first)
			}
		}
		floats.Scale(1/floats.Norm(row, 2), row)
		switch {
		case i == 0:
			first = row
		case i < 3:
			floats.AddScaled(row, size, first)
		default:
			floats.AddScaled(row, -.3, first)
		}
		for c, v := range row {
			b.Add(i, c, v)
		}
	}
	x := must.Get(b.Build())(t)
	return x.NormalizeRows()
}

// Products that are hardly above 0 may have keys of 0 and less in float32. A tile does not lose
// them, not where candidates of other tiles are hardly above 0 either.
func TestTilesOfTinySignedProducts(t *testing.T) {
	const n, k = 2 * Lanes, 3
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		size := math.Pow(10, -7-2*rng.Float64())
		m := Traits{Unit: true, Negative: true}.sparseTile(hardlyAbove(t, n, size, rng), nil)
		known := size / 2
		search := func(screen bool) (found []string) {
			h := newHeaps(n, k, true)
			for i := range n {
				h.floor[i].Store(math.Float64bits(known))
			}
			find := m.nearest
			if screen {
				find = m.screenTile
			}
			must.Do(t, find(background, h, NewTicker(nil, n)))
			for i := range n {
				for c := range h.count[i] {
					if at := i*k + int(c); h.score[at] >= known {
						found = append(found, fmt.Sprint(i, h.index[at], h.score[at]))
					}
				}
			}
			slices.Sort(found)
			return found
		}
		if got, want := search(true), search(false); !slices.Equal(got, want) {
			t.Fatalf("seed %d, products of %.1e: %d candidates, and %d without a screen", seed, size, len(got), len(want))
		}
	}
}

// drawNearDocuments are rows of any shape and signs whose copies may differ by a little, and the
// numbers that follow.
func drawNearDocuments(t *rapid.T) (*sparse.CSR, *rand.Rand) {
	x := drawDocuments(t)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "near"), 4))
	if size := rapid.SampledFrom([]float64{0, 1e-5, 1e-8, 1e-12}).Draw(t, "size"); size > 0 {
		for p := range x.Val {
			x.Val[p] *= 1 + size*rng.NormFloat64()
		}
		x = x.NormalizeRows()
	}
	return x, rng
}

// Tiles find the neighbours of the search in float64, of rows of any shape and signs, with near
// copies, and with nearly all other rows for neighbours.
func TestTiledIsPlain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x, rng := drawNearDocuments(t)
		k := rapid.IntRange(1, x.NumRows-1).Draw(t, "k")
		tl := must.Get(NewTiling(x, k))(t)
		tl.traits.screened = tl.traits.Unit
		known := newHeaps(x.NumRows, k, tl.traits.Unit)
		for _, tile := range rng.Perm(tl.Count()) {
			a, b := tl.ends(tile)
			h := must.Get(tl.search(background, a, b, known))(t)
			if rows := tl.rowsOf(a, b); !known.offerPiece(rows, h.piece(rows)) {
				t.Fatal("a piece does not fit")
			}
		}
		got := must.Get(known.lists(background, parallel.For, tl.points.measure))(t)
		if want := plainNearest(t, x, k); !equalLists(got, want) {
			t.Fatalf("%d × %d, k = %d: other neighbours", x.NumRows, x.NumCols, k)
		}
		if got, want := screenedNearest(t, x, k), plainNearest(t, x, k); !equalLists(got, want) {
			t.Fatalf("%d × %d, k = %d: other neighbours of all rows", x.NumRows, x.NumCols, k)
		}
	})
}
