package graph

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/progress"
)

// TestSharedApproximateBuild: an approximate search by ranks gives the graph of one process and the
// same note about it, on rank 0 as on the others.
func TestSharedApproximateBuild(t *testing.T) {
	n := 2*approx.CellRows + 300
	if race.On {
		n = 3300 // one cell: approx has a test of ranks on more
	}
	x := graphtest.Stories(n, 60, 3000, 12, rand.New(rand.NewPCG(9, 2)))
	notes := func(said *string) progress.Observer {
		return func(e progress.Event) { *said += e.Message }
	}
	var said string
	opt := Options{Neighbors: 5, Search: ApproxSearch, Seed: 3, Observer: notes(&said)}
	want := must.Get(Build(background, x, opt))(t)
	if !strings.Contains(said, "approximate") {
		t.Errorf("note %q", said)
	}
	ranks.Together(3, func(team ranks.Team) {
		var again string
		mine := opt
		mine.Observer, mine.Share = notes(&again), graphtest.Uneven(team, n)
		g, err := Build(background, graphtest.Own(x, mine.Share), mine)
		if err != nil {
			t.Error(err)
			return
		}
		if err := sameRows(g, want, true); err != nil || again != said {
			t.Errorf("rank %d: %v; note %q, not %q", team.Rank(), err, again, said)
		}
	})
}
