package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
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
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
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
			if err := find(background, h, NewTicker(nil, n)); err != nil {
				t.Fatal(err)
			}
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
