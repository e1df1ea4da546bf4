package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// TestRanksChooseByLabels: known labels choose at any number of ranks what they choose in one
// process, beside a number of clusters, a range and `auto`, and the clusters, their names and
// confidences are the same, also where ranks would divide the rows of a method that is named.
func TestRanksChooseByLabels(t *testing.T) {
	file := everyNth(t, 24, 150)
	for name, opt := range map[string]Options{
		"classes": {LabeledFraction: 0.2},
		"auto":    {LabeledFraction: 0.2, ClusterRange: KRange{Auto: true}},
		"range":   {LabeledFraction: 0.2, ClusterRange: KRange{From: 20, To: 24}}, // more than the classes
		"few":     {LabeledFraction: 0.001},
	} {
		if race.On && name != "few" { // ranks share no other memory there
			continue
		}
		opt.Seed = 4
		want := must.Get(Cluster(context.Background(), file, opt))(t)
		ranks.Together(2, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), file, opt)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if err := sameRun(run, want); err != nil {
				t.Errorf("%s: rank %d: %v", name, team.Rank(), err)
			}
			if !reflect.DeepEqual(run.Choice, want.Choice) || !reflect.DeepEqual(run.Search, want.Search) || !reflect.DeepEqual(run.Confidence, want.Confidence) ||
				fmt.Sprint(run.Classes, Config(run.Settings())) != fmt.Sprint(want.Classes, Config(want.Settings())) {
				t.Errorf("%s: rank %d chose %+v, %+v and one process %+v, %+v", name, team.Rank(), run.Choice, run.Search, want.Choice, want.Search)
			}
			if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, "Each of the 2 ranks has all documents") || !strings.Contains(notes, "with one of semi-le, cle") {
				t.Errorf("%s: no note says that the work is not divided: %s", name, notes)
			}
		})
	}
}

// TestRanksStopTogetherByLabels: a choice by labels that ends on one rank ends on all of them, and
// SLEPc, which ranks call together, is refused beside it.
func TestRanksStopTogetherByLabels(t *testing.T) {
	file := everyNth(t, 24, 150)
	for _, at := range []int64{20, 200, 2000} {
		ranks.Together(2, func(team ranks.Team) {
			ctx := ranks.With(context.Background(), team)
			if team.Rank() == 1 {
				ctx, _ = ranks.Looked(ctx, at)
			}
			if run, err := Cluster(ctx, file, Options{LabeledFraction: 0.2}); !errors.Is(err, context.Canceled) {
				t.Errorf("stopped at look %d, rank %d: %v beside %v", at, team.Rank(), err, run)
			}
		})
	}
	opt := Options{LabeledFraction: 0.2}
	must.Do(t, opt.Set("solver", "slepc"))
	ranks.Together(2, func(team ranks.Team) {
		if _, err := Cluster(ranks.With(context.Background(), team), file, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "solver") {
			t.Error(err)
		}
	})
}
