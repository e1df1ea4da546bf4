package cle

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// TestSharedStops: ranks that share the documents stop together at the next look at a context that
// has ended, on one of them alone or on all, at any moment of the maps.
func TestSharedStops(t *testing.T) {
	const n = 900
	rng := rand.New(rand.NewPCG(2, 3))
	x := mat.NewDense(n, 6, nil)
	x.Apply(func(i, j int, _ float64) float64 { return 2*float64((i*5+j*i%3)%4) + rng.NormFloat64() }, x)
	known := make([]int, n)
	for i := range known {
		if known[i] = labels.Unknown; i%60 < 4 {
			known[i] = i * 5 % 4
		}
	}
	fit := func(limits [2]int64) (seen [2]int64) {
		ended := limits != [2]int64{countdown.Forever, countdown.Forever}
		ranks.Together(2, func(team ranks.Team) {
			share := ranks.NewShare(team, n/2)
			first, last := share.First(), share.First()+n/2
			in := &method.Input{X: x.Slice(first, last, 0, 6), Share: share, Clusters: 4,
				Given: &method.Given{Labels: known[first:last], Names: []string{"a", "b", "c", "d"}}}
			ctx := ranks.With(context.Background(), team)
			g, _, err := in.AffinityKind(ctx, graph.KindNearest, graph.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			limited := countdown.New(ctx, limits[team.Rank()])
			m, err := fitShared(limited, g, in.Given, Options{})
			seen[team.Rank()] = limited.Looks()
			switch {
			case ended && (m != nil || !errors.Is(err, context.Canceled)):
				t.Errorf("limits %v: rank %d has %v", limits, team.Rank(), err)
			case limited.Late() > int64(native.Threads()):
				t.Errorf("limits %v: rank %d looked %d times after the end", limits, team.Rank(), limited.Late())
			case !ended && err != nil:
				t.Errorf("rank %d: %v", team.Rank(), err)
			}
		})
		return seen
	}
	whole := fit([2]int64{countdown.Forever, countdown.Forever})
	last := min(whole[0], whole[1]) - int64(native.Threads()) // threads look in another order each time
	if last < 50 {
		t.Fatalf("the maps looked at their contexts %d times", last)
	}
	for part := range int64(6) {
		at := last * (part + 1) / 6
		fit([2]int64{countdown.Forever, at})
		fit([2]int64{at, at})
	}
}
