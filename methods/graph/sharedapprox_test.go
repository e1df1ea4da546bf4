package graph

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestSharedApproximation: the neighbours that ranks find approximately are those of one process
// with the same seed, bit for bit, and so is the recall.
func TestSharedApproximation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	unit := stories(3000, 40, 2000, 40, rng)
	counts := stories(1500, 20, 500, 30, rng)
	for i := range counts.Val {
		counts.Val[i] *= float64(1 + i%3)
	}
	signed := unit.SelectRows(whole(inOrder(1500)))
	for i := range signed.Val {
		if i%7 == 0 {
			signed.Val[i] = -signed.Val[i]
		}
	}
	copies := mat.NewDense(900, 2, nil)
	for i := range 900 {
		copies.SetRow(i, []float64{1, float64(i / 850)})
	}
	for _, c := range []struct {
		name    string
		x       mat.Matrix
		k, cell int
	}{
		{"documents", unit, 10, 150},
		{"cells in cells", unit, 4, 30},
		{"many words apart", tileRowsOf(1200, 3000, 4, true, true, 3), 6, 60},
		{"negative entries", signed, 7, 100},
		{"counts", counts, 6, 200},
		{"points", blobs(1500, 5, rng), 8, 200},
		{"points of many columns", blobs(1200, 70, rng), 8, 200},
		{"copies", copies, 3, 200},
	} {
		want, recall, err := approximate(background, c.x, c.k, c.cell, 7, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		n, _ := c.x.Dims()
		for _, size := range []int{1, 2, 4, 5} {
			ranks.Together(size, func(team ranks.Team) {
				share := unevenShare(team, n)
				ids := make([]int32, share.Own())
				for i := range ids {
					ids[i] = int32(share.First() + i)
				}
				s, d, err := kind(ownRows(c.x, share))
				if err != nil {
					t.Error(err)
				}
				search, err := newSharedSearch(share, s, d, ids, c.k)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					return
				}
				got, err := search.approximate(context.Background(), Options{Seed: 7, MaxBytes: 1 << 40}, c.cell, 1)
				if err != nil || got != recall {
					t.Errorf("%s, %d ranks: recall %v, not %v (%v)", c.name, size, got, recall, err)
				}
				for i := range ids {
					index, dist2, dot := want.Row(share.First() + i)
					for q, j := range index {
						at := i*c.k + q
						if b := search.best; b.index[at] != j || b.dist2[at] != dist2[q] || b.dot[at] != dot[q] {
							t.Errorf("%s, %d ranks: neighbour %d of row %d is %d at %v, not %d at %v", c.name, size, q, share.First()+i, b.index[at], b.dist2[at], j, dist2[q])
							return
						}
					}
				}
			})
		}
		t.Logf("%s: recall %.4f", c.name, recall)
	}
}
