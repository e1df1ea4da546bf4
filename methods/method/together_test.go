package method

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Groups that are others on one rank alone make another graph on every rank: a rank with the same
// rows as before took the graph before, and the others waited for it.
func TestGroupsOfOneRankThatChange(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 3))
	all := mat.NewDense(n, 6, nil)
	for i := range n {
		for j := range 6 {
			all.Set(i, j, rng.Float64())
		}
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		ranks.Together(2, func(team ranks.Team) {
			ctx := ranks.With(t.Context(), team)
			own := make([]int, n/2)
			for i := range own {
				own[i] = team.Rank()*n/2 + i
			}
			x := sparse.SelectRows(all, own)
			in := &Input{X: x, Share: ranks.NewShare(&ranks.Share{Team: team}, n/2), Shared: new(Shared)}
			opt := graph.Options{Neighbors: 4, Share: in.Share}
			g, err := in.build(ctx, x, opt)
			if err != nil {
				t.Error(err)
				return
			}
			var of []*graph.Graph
			for _, set := range [][]int32{{n - 2, n - 1}, {n - 1, n - 2}} {
				among, err := in.among(ctx, x, [][]int32{set}, opt, g)
				if err != nil || among == nil {
					t.Error(among, err)
					return
				}
				of = append(of, among)
			}
			if slices.Equal(of[0].W.Val, of[1].W.Val) {
				t.Error("the graphs of other documents are equal")
			}
		})
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a rank waits for another")
	}
}
