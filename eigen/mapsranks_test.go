package eigen

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// TestRanksStopTheirMaps: ranks that solve maps stop at the next look at a context that has ended,
// be it the context of one rank or of all. None of them waits for another, and all have the error.
// If no context ends, they find the maps of one process.
func TestRanksStopTheirMaps(t *testing.T) {
	large, largeGroup := blobs(t, 3, 150, 0.05, 11)
	small, smallGroup := blobs(t, 3, 60, 0.1, 7)
	crowded, crowdedGroup := beads(t, 30, 15)
	for name, c := range map[string]struct {
		w     *sparse.CSR
		group []int32
		opt   Options
	}{
		"the series":      {large, largeGroup, Options{}},
		"all of S":        {small, smallGroup, Options{}},
		"verified":        {small, smallGroup, Options{Verify: true}},
		"factors":         {large, largeGroup, Options{Solver: ShiftInvert}},
		"maps separately": {crowded, crowdedGroup, Options{}},
	} {
		a := must.Get(NewAnchored(c.w, c.group, 3, 1))(t)
		want, err := a.Solve(context.Background(), OneAgainstRest(3), c.opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// looks lets two ranks solve, whose contexts end after some looks, and returns how often they
		// looked.
		looks := func(limits [2]int64) (seen [2]int64) {
			ended := limits != [2]int64{countdown.Forever, countdown.Forever}
			ranks.Together(2, func(team ranks.Team) {
				rank := team.Rank()
				ctx := countdown.New(ranks.With(context.Background(), team), limits[rank])
				r, err := a.Solve(ctx, OneAgainstRest(3), c.opt)
				seen[rank] = ctx.Looks()
				switch {
				case ended && (r != nil || !errors.Is(err, context.Canceled)):
					t.Errorf("%s, limits %v: rank %d has %v, %v", name, limits, rank, r, err)
				case ctx.Late() > int64(native.Threads()):
					t.Errorf("%s, limits %v: rank %d looked %d times after the end", name, limits, rank, ctx.Late())
				case !ended && err != nil:
					t.Errorf("%s: rank %d: %v", name, rank, err)
				case !ended:
					for k, v := range r.Values {
						if math.Abs(v-want.Values[k]) > 1e-10 {
							t.Errorf("%s: rank %d: λ = %v, not %v", name, rank, v, want.Values[k])
						}
					}
				}
			})
			return seen
		}
		whole := looks([2]int64{countdown.Forever, countdown.Forever})
		parts := int64(5)
		if testing.Short() {
			parts = 2
		}
		for part := range parts {
			// Threads look in another order each time, so the last few looks may be missing.
			last := min(whole[0], whole[1]) - int64(native.Threads())
			at := part * last / parts
			looks([2]int64{countdown.Forever, at})
			looks([2]int64{at, at})
		}
	}
}

// beads makes a string of complete graphs that are weakly joined, three of which have a point of a
// group: the largest eigenvalues of S are so close that its series are long.
func beads(t testing.TB, count, size int) (*sparse.CSR, []int32) {
	var edges []edge
	group := make([]int32, count*size)
	for b := range count {
		for i := range size {
			group[b*size+i] = -1
			for j := range i {
				edges = append(edges, edge{b*size + j, b*size + i, 1})
			}
		}
		if b > 0 {
			edges = append(edges, edge{b*size - 1, b * size, 1e-3})
		}
	}
	group[0], group[count/2*size], group[count*size-1] = 0, 1, 2
	return fromEdges(t, count*size, edges), group
}
