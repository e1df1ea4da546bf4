package papers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
)

// topics makes a corpus of classes with n documents each: every class has terms of its own and
// shares others.
func topics(t testing.TB, classes, n int) *corpus.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	b := sparse.NewBuilder(classes*n, 10*classes+10)
	c := &corpus.Corpus{Name: "topics"}
	for k := range classes {
		c.ClassNames = append(c.ClassNames, fmt.Sprint(k+1))
		for range n {
			for range 8 {
				term := 10*k + rng.IntN(10)
				if rng.IntN(4) == 0 {
					term = 10*classes + rng.IntN(10)
				}
				b.Add(len(c.Labels), term, 1)
			}
			c.Labels = append(c.Labels, k)
		}
	}
	x := must.Get(b.Build())(t)
	c.X = x.NormalizeRows()
	return c
}

// synthetic is an experiment of the package's methods on a made-up corpus, with a column that takes
// labels.
func synthetic(t testing.TB) *Experiment {
	all := topics(t, 6, 20)
	return &Experiment{
		Name: "synthetic", Version: 1, Protocol: "For tests.", Param: "r", Tests: 3, Cases: 2,
		Corpus:  Dataset{Name: "topics", File: "topics.mat", Classes: 6},
		Rows:    []Row{{Key: "2", Value: 2}, {Key: "3", Value: 3}},
		Metrics: agreementMetrics,
		Columns: []Column{
			{Method: "kmeans", Name: "k-means"},
			{Method: "le", Name: "LE"},
			{Method: "labels", Name: "Labels", Share: 0.1, score: scoreLabels(0.1)},
			{Method: "labels", Name: "Labels", Share: 0.3, score: scoreLabels(0.3)},
		},
		load: func(context.Context, string) (*corpus.Corpus, string, error) { return all, "sum", nil },
		prepare: func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
			return drawClasses(all, row, test, seed, graph.Options{Neighbors: 5})
		},
	}
}

// scoreLabels is a method that knows the labels it is given and guesses class 0 or 1 for the
// others.
func scoreLabels(share float64) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(_ context.Context, u *Unit, seed uint64) ([]float64, error) {
		known, err := labels.Draw(u.Truth, share, seed)
		if err != nil {
			return nil, err
		}
		guess := slices.Clone(known)
		for i, k := range guess {
			if k == labels.Unknown {
				guess[i] = int(seed>>uint(i%60)) & 1
			}
		}
		return agreement(u, guess)
	}
}

// view shows an experiment with figures that a paper might have printed.
func (e *Experiment) view() *View {
	return &View{Name: "synthetic/table1", Title: "table 1: for tests", Paper: "Nobody, Nothing (1900)", Shows: "nothing", Source: "table 1", Kind: KindTable, Experiment: e,
		Printed: Printed{"accuracy": {"2": {"kmeans": 0.9, "labels@0.1": 0.1}}}}
}
