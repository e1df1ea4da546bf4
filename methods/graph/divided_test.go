package graph

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// TestRanksBuildTheSameGraph: the graph is that of one process, bit for bit, on every rank, also
// with more ranks than tiles.
func TestRanksBuildTheSameGraph(t *testing.T) {
	cases := tileCases()
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		x := cases[name]
		want, err := Build(context.Background(), x, Options{Neighbors: 7})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 4, 11} {
			ranks.Together(size, func(team ranks.Team) {
				got, err := Build(ranks.With(context.Background(), team), x, Options{Neighbors: 7})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				if !reflect.DeepEqual(got.W, want.W) || !slices.Equal(got.Reach, want.Reach) {
					t.Errorf("%s: rank %d of %d has another graph", name, team.Rank(), size)
				}
			})
		}
	}
}
