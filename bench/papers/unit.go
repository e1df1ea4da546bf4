package papers

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Unit is one test of a row: what its columns work on, for one goroutine. What several of them need is made once.
type Unit struct {
	X     mat.Matrix // documents × terms, weighted
	Truth []int      // class of each document, 0..K-1
	K     int
	Seed  uint64 // of starts and solvers

	// Points is what mixtures of Gaussians work on; nil where there are none.
	Points mat.Matrix

	graphOptions graph.Options
	graph        *graph.Graph
	lapgmm       lapgmm.Options
	terms        int                                           // of a sparse direction
	sparse       func(ctx context.Context) (*spg.Model, error) // with as many terms at least; nil: to be fitted
	components   *mat.Dense
	lecas        *lecasUnit
	semildc      *semildcUnit
}

// Graph returns the unit's neighbour graph.
func (u *Unit) Graph(ctx context.Context) (*graph.Graph, error) {
	if u.graph == nil {
		g, err := graph.Build(ctx, u.X, u.graphOptions)
		if err != nil {
			return nil, err
		}
		u.graph = g
	}
	return u.graph, nil
}

// drawClasses makes the unit of the documents of classes drawn at random, as many as the row's value, with the columns that they have
// entries in.
func drawClasses(all *corpus.Corpus, row Row, test int, seed uint64, opt graph.Options) (*Unit, error) {
	u, _, err := drawClassesWithRows(all, row, test, seed, opt)
	return u, err
}

// drawClassesWithRows also tells which of all documents they are.
func drawClassesWithRows(all *corpus.Corpus, row Row, test int, seed uint64, opt graph.Options) (*Unit, []int, error) {
	r := int(row.Value)
	classes := Draws(seed, len(all.ClassNames), r, test+1)[test]
	names := make([]string, r)
	for i, k := range classes {
		names[i] = all.ClassNames[k]
	}
	part, rows, err := all.SelectWithRows(names)
	if err != nil {
		return nil, nil, err
	}
	u := &Unit{X: part.X, Truth: part.Labels, K: r, Seed: seed + uint64(test), graphOptions: opt}
	if x, ok := part.X.(*sparse.CSR); ok {
		u.X = withTermsOf(x, 1)
	}
	return u, rows, nil
}

// agreementMetrics are what agreement gives.
var agreementMetrics = []Metric{{Key: "accuracy", Name: "Accuracy"}, {Key: "nmi", Name: "Normalised mutual information"}}

// agreement is accuracy and normalised mutual information on all documents.
func agreement(u *Unit, labels []int) ([]float64, error) {
	if len(labels) != len(u.Truth) {
		return nil, fmt.Errorf("%d labels for %d documents", len(labels), len(u.Truth))
	}
	s, err := metrics.Score(u.Truth, labels)
	if err != nil {
		return nil, err
	}
	return []float64{s.Accuracy, s.NMI}, nil
}
