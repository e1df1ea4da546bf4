package approx

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// TestSharedApproximation: ranks find the same approximate neighbours as one process with the same
// seed, bit for bit, and the same recall.
func TestSharedApproximation(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	unit := graphtest.Stories(3000, 40, 2000, 40, rng)
	counts := graphtest.Stories(1500, 20, 500, 30, rng)
	for i := range counts.Val {
		counts.Val[i] *= float64(1 + i%3)
	}
	signed := unit.SelectRows(indices.UpTo(1500))
	for i := range signed.Val {
		if i%7 == 0 {
			signed.Val[i] = -signed.Val[i]
		}
	}
	copies := mat.NewDense(900, 2, nil)
	for i := range 900 {
		copies.SetRow(i, []float64{1, float64(i / 850)})
	}
	for i, c := range []struct {
		name    string
		x       mat.Matrix
		k, cell int
	}{
		{"documents", unit, 10, 150},
		{"cells in cells", unit, 4, 30},
		{"many words apart", graphtest.Rows(1200, 3000, 4, true, true, 3), 6, 60},
		{"negative entries", signed, 7, 100},
		{"counts", counts, 6, 200},
		{"points", graphtest.Blobs(1500, 5, rng), 8, 200},
		{"points of many columns", graphtest.Blobs(1200, 70, rng), 8, 200},
		{"directions", sheet(800, 150, 8, 0.1, rng), 8, 130},
		{"tight", tight(700, 40, rng), 8, 150},
		{"copies", copies, 3, 200},
	} {
		if race.On && i%3 != 0 {
			continue
		}
		want, recall, err := approximated(background, c.x, c.k, c.cell, 7)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		n, _ := c.x.Dims()
		for _, size := range []int{4, 1, 2} {
			if testing.Short() && size != 4 {
				break
			}
			ranks.Together(size, func(team ranks.Team) {
				share := graphtest.Uneven(team, n)
				ids := make([]int32, share.Own())
				for i := range ids {
					ids[i] = int32(share.First() + i)
				}
				b, got, err := Search(context.Background(), share, graphtest.Own(c.x, share), ids, Options{Neighbors: c.k, Seed: 7, Cell: c.cell, Piece: 1})
				if err != nil || got != recall {
					t.Errorf("%s, %d ranks: recall %v, not %v (%v)", c.name, size, got, recall, err)
					return
				}
				for i := range ids {
					index, dist2, dot := want.Row(share.First() + i)
					for q, j := range index {
						at := i*c.k + q
						if b.Index[at] != j || b.Dist2[at] != dist2[q] || b.Dot[at] != dot[q] {
							t.Errorf("%s, %d ranks: neighbour %d of row %d is %d at %v, not %d at %v", c.name, size, q, share.First()+i, b.Index[at], b.Dist2[at], j, dist2[q])
							return
						}
					}
				}
			})
		}
		t.Logf("%s: recall %.4f", c.name, recall)
	}
}

// TestSharedApproximateEnds: what ends one rank ends all: too little memory, and a context that is
// cancelled in the middle of a stage.
func TestSharedApproximateEnds(t *testing.T) {
	x := graphtest.Stories(1500, 20, 500, 30, rand.New(rand.NewPCG(9, 3)))
	search := func(team ranks.Team, ctx context.Context, obs progress.Observer) error {
		share := graphtest.Uneven(team, x.NumRows)
		ids := make([]int32, share.Own())
		for i := range ids {
			ids[i] = int32(share.First() + i)
		}
		_, _, err := Search(ctx, share, graphtest.Own(x, share), ids, Options{Neighbors: 6, Observer: obs, Cell: 60, Piece: 1})
		return err
	}
	ranks.Together(3, func(team ranks.Team) {
		ctx := background
		if team.Rank() == 1 {
			ctx = memory.Bound(ctx, 1<<10)
		}
		err := search(team, ctx, nil)
		if err == nil || team.Rank() == 1 && !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "approximate neighbours") {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
	for _, events := range []int{1, 2, 3, 4, 6} {
		ranks.Together(3, func(team ranks.Team) {
			ctx, stop := context.WithCancel(background)
			defer stop()
			var obs progress.Observer
			if team.Rank() == 2 {
				seen := 0
				obs = func(progress.Event) {
					if seen++; seen == events {
						stop()
					}
				}
			}
			if err := search(team, ctx, obs); !errors.Is(err, context.Canceled) {
				t.Errorf("%d events, rank %d: %v", events, team.Rank(), err)
			}
		})
	}
}

// TestDraw: each number once, and every number as often as others.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	count := make([]int, 12)
	for range 6000 {
		drawn := draw(rng, 12, 5)
		for _, i := range drawn {
			count[i]++
		}
		slices.Sort(drawn)
		if len(slices.Compact(drawn)) != 5 {
			t.Fatalf("%v", drawn)
		}
	}
	for i, c := range count { // 2500 on average, with a standard deviation of 38
		if c < 2250 || c > 2750 {
			t.Errorf("%d was drawn %d times", i, c)
		}
	}
	if all := draw(rng, 9, 9); len(all) != 9 {
		t.Errorf("%v", all)
	}
}

// TestScheduled: every cell has a rank and a round; a rank's cells of a round have few rows.
func TestScheduled(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 5))
	cells := make([]rowSet, 57)
	total := 0
	for c := range cells {
		cells[c].total = 1 + rng.IntN(100)
		total += cells[c].total
	}
	const most = 150
	s := scheduled(cells, 4, most)
	var seen []int32
	for _, round := range s.rounds {
		rows, count := make([]int, 4), make([]int, 4)
		for _, c := range round {
			rows[s.rank[c]] += cells[c].total
			count[s.rank[c]]++
		}
		for r := range rows {
			if rows[r] > most && count[r] > 1 {
				t.Errorf("%d rows in a round", rows[r])
			}
		}
		seen = append(seen, round...)
	}
	slices.Sort(seen)
	if !slices.Equal(seen, exact.InOrder(len(cells))) {
		t.Errorf("cells %v", seen)
	}
	sum := 0
	for _, rows := range s.rows {
		sum += rows
		if rows > total/3 {
			t.Errorf("a rank has %d of %d rows", rows, total)
		}
	}
	if sum != total {
		t.Errorf("%d of %d rows", sum, total)
	}
}
