package eigenmap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// TestRanksFindGroups: ranks choose the number of plain groups as one process does.
func TestRanksFindGroups(t *testing.T) {
	var table strings.Builder
	rng := rand.New(rand.NewPCG(5, 5))
	table.WriteString("depth,width\n")
	for i := range 360 {
		fmt.Fprintf(&table, "%.4f,%.4f\n", float64(i%3)*5+rng.NormFloat64(), float64(i%3%2)*6+rng.NormFloat64())
	}
	file, opt := rankFile(t, "a.csv", table.String()), Options{Seed: 1}
	must.Do(t, opt.Set("clusters", "auto"))
	want := must.Get(Cluster(context.Background(), file, opt))(t)
	if len(want.Sizes) != 3 || !want.Search.ByGap || len(want.Clusters[0].Differences) == 0 {
		t.Errorf("%d clusters, %+v", len(want.Sizes), want.Search)
	}
	ranks.Together(2, func(team ranks.Team) {
		run, err := Cluster(ranks.With(context.Background(), team), file, opt)
		if err != nil {
			t.Error(err)
			return
		}
		if err := sameRun(run, want); err != nil || !run.Search.ByGap || !reflect.DeepEqual(run.Clusters, want.Clusters) {
			t.Errorf("rank %d: %v, %+v", team.Rank(), err, run.Search)
		}
	})
}
