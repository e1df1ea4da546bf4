package eigenmap

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// TestRanksCompareVectors: ranks that compare documents by vectors, alone or with the terms, find
// what one process finds, and other vectors on one rank are refused.
func TestRanksCompareVectors(t *testing.T) {
	file := enough(t)
	c := must.Get(corpus.Read(context.Background(), file, corpus.ReadOptions{}))(t)
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(c.Len(), 6, nil)
	for i := range c.Len() {
		for j := range 6 {
			x.Set(i, j, .3*rng.NormFloat64())
		}
		x.Set(i, c.Labels[i]%6, 1)
	}
	column := corpus.Column{Name: "kind", Of: make([]int32, c.Len())}
	for k := range 6 {
		column.Words = append(column.Words, string(rune('a'+k)))
	}
	for i := range c.Len() {
		if column.Of[i] = int32(c.Labels[i] % 6); i%3 == 0 { // with errors, so that no two rows are nearly one
			column.Of[i] = int32(i % 6)
		}
	}
	for i, views := range [][]string{nil, {"words", "vectors"}, {"words", "columns"}, {"vectors", "columns"}} {
		if race.On && i%3 != 0 {
			continue // the others have the same views in other pairs
		}
		opt := fewerStarts(Options{Seed: 4, Vectors: Vectors{Rows: x, Views: views}})
		if slices.Contains(views, "columns") {
			opt.Vectors.Columns = []corpus.Column{column}
		}
		if views != nil && !slices.Contains(views, "vectors") {
			opt.Vectors.Rows = nil
		}
		want := must.Get(Cluster(context.Background(), file, opt))(t)
		ranks.Together(2, func(team ranks.Team) {
			run, err := Cluster(ranks.With(context.Background(), team), file, opt)
			if err != nil {
				t.Error(err)
				return
			}
			if err := sameRun(run, want); err != nil {
				t.Errorf("%v: rank %d: %v", views, team.Rank(), err)
			}
		})
	}
	ranks.Together(2, func(team ranks.Team) {
		opt := Options{Vectors: Vectors{Columns: []corpus.Column{column}}}
		if team.Rank() == 1 {
			opt.Vectors.Columns = []corpus.Column{{Name: "kind", Words: column.Words, Of: slices.Repeat([]int32{1, 2}, c.Len())[:c.Len()]}}
		}
		if _, err := Cluster(ranks.With(context.Background(), team), file, opt); err == nil {
			t.Errorf("rank %d works with other columns", team.Rank())
		}
	})
	other := mat.DenseCopyOf(x)
	other.Set(3, 3, 7)
	ranks.Together(2, func(team ranks.Team) {
		opt := Options{Vectors: Vectors{Rows: x}}
		if team.Rank() == 1 {
			opt.Vectors.Rows = other
		}
		if _, err := Cluster(ranks.With(context.Background(), team), file, opt); err == nil {
			t.Errorf("rank %d works with other vectors", team.Rank())
		}
	})
}
