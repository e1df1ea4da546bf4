package diffusion

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// clumps are points on lines far from each other, on each so many clumps of some points.
func clumps(lines, each, points int) (*mat.Dense, []int) {
	var data []float64
	var truth []int
	for l := range lines {
		for c := range each {
			for p := range points {
				data, truth = append(data, 4*float64(c)+0.1*float64(p), 100*float64(l)), append(truth, l)
			}
		}
	}
	return mat.NewDense(len(truth), 2, data), truth
}

// TestPartsJoined: where the graph of the default number of neighbours falls into more parts than
// clusters, twice as many neighbours are taken if they join them; a number that was given stays,
// and a note says what remains.
func TestPartsJoined(t *testing.T) {
	for _, c := range []struct {
		each, points, neighbors, used int
		ari                           float64 // at least
		note                          string
	}{
		{8, 10, 0, 14, 1, "these are taken, for 2 clusters"},
		{8, 10, 7, 7, 0, ""},
		{60, 10, 0, 14, 1, "With 7 neighbours the graph falls into 120 parts, and with 14 into 2 parts"}, // each below a hundredth
		{8, 20, 0, 7, 0, "some of 2 clusters are several of them"},                                       // 14 neighbours are among the clump's own
	} {
		x, truth := clumps(2, c.each, c.points)
		var notes []string
		in := &method.Input{X: x, Clusters: 2, Observer: func(e progress.Event) { notes = append(notes, e.Message) }}
		opt := &Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: c.neighbors}}}
		out := must.Get(Spec.Fit(context.Background(), opt, in))(t)
		if got := out.Used.(*Options).Graph.Neighbors; got != c.used {
			t.Errorf("%+v: %d neighbours", c, got)
		}
		found := must.Get(kmeans.Fit(context.Background(), out.Embedding, kmeans.Options{K: 2}))(t)
		if score := must.Get(metrics.Score(truth, found.Labels))(t); score.ARI < c.ari {
			t.Errorf("%+v: ARI %v", c, score.ARI)
		}
		said := slices.ContainsFunc(notes, func(n string) bool { return c.note != "" && strings.Contains(n, c.note) })
		if said != (c.note != "") || c.note == "" && slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "a hundredth") }) {
			t.Errorf("%+v: the notes are %q", c, notes)
		}
		again := must.Get(Spec.Fit(context.Background(), out.Used.(*Options), &method.Input{X: x, Clusters: 2}))(t)
		if !mat.Equal(again.Embedding, out.Embedding) {
			t.Errorf("%+v: the options that were used give another embedding", c)
		}
	}
}

// TestPartsJoinedOnRanks: ranks that have parts of the documents find what one process does.
func TestPartsJoinedOnRanks(t *testing.T) {
	x, _ := clumps(2, 8, 10)
	alone := must.Get(Spec.Fit(context.Background(), new(Options), &method.Input{X: x, Clusters: 2}))(t)
	n, _ := x.Dims()
	var fits [2]*method.Fitted
	var errs [2]error
	var first [2]int
	ranks.Together(2, func(team ranks.Team) {
		r := team.Rank()
		share := ranks.NewShare(team, []int{60, n - 60}[r])
		first[r] = share.First()
		in := &method.Input{X: x.Slice(share.First(), share.First()+share.Own(), 0, 2), Clusters: 2, Share: share}
		fits[r], errs[r] = Spec.Fit(ranks.With(context.Background(), team), new(Options), in)
	})
	for r, f := range fits {
		must.Do(t, errs[r])
		if got, want := f.Used.(*Options).Graph, alone.Used.(*Options).Graph; got.Neighbors != want.Neighbors || got.HeatWidth != want.HeatWidth {
			t.Errorf("rank %d: %d neighbours, width %v; one process %d, %v", r, got.Neighbors, got.HeatWidth, want.Neighbors, want.HeatWidth)
		}
		found := must.Get(kmeans.Fit(context.Background(), alone.Embedding, kmeans.Options{K: 2}))(t)
		own, _ := f.Embedding.Dims()
		for i := range own {
			for j := range own {
				same := mat.Dot(f.Embedding.RowView(i), f.Embedding.RowView(j)) > 0.5
				if same != (found.Labels[first[r]+i] == found.Labels[first[r]+j]) {
					t.Fatalf("rank %d: documents %d and %d", r, i, j)
				}
			}
		}
	}
}
