package papers

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Unit is one test of a row: what its columns work on. It is for one goroutine. What several
// columns need is made once.
type Unit struct {
	X      mat.Matrix // documents × terms, weighted
	Counts mat.Matrix // entries before they were weighted; nil: the entries of X
	Truth  []int      // class of each document, 0..K-1
	K      int
	Seed   uint64 // of the methods
	Starts uint64 // of k-means on coordinates

	// Points are the rows that mixtures of Gaussians work on; nil if there are none.
	Points mat.Matrix

	// settings are the values that options of columns refer to, by name.
	settings map[string]string
	// known are the labels of one test that methods learn from; nil if there are none.
	known []int
	// compare gives the metrics of clusters.
	compare func(u *Unit, found []int) ([]float64, error)
	// graph is the neighbour graph that columns share; nil: each method builds its own.
	graph func(ctx context.Context) (*graph.Graph, error)

	// most is the number of dimensions that methods are asked for, or as many as their graph gives
	// if it gives fewer; 0: the methods decide, and too few are an error.
	most int
	// used is the number of coordinates that k-means uses; 0: all.
	used int
	// partial says that the eigenpairs that were found count if not all were.
	partial bool

	// fits are fits that units of the same data share, and of names these data; nil if none are
	// shared.
	fits *memo[fitKey, *method.Fitted]
	of   any

	components *mat.Dense // principal components of X
	lecas      *lecasUnit
	semildc    *semildcStore
}

// drawClasses makes the unit of the documents of classes drawn at random, as many as the row's
// value, with the columns that they have entries in. Its methods share a graph under opt.
func drawClasses(all *corpus.Corpus, row Row, test int, seed uint64, opt graph.Options) (*Unit, error) {
	u, _, err := drawRows(all, row, test, seed)
	if err != nil {
		return nil, err
	}
	var g *graph.Graph
	u.graph = func(ctx context.Context) (_ *graph.Graph, err error) {
		if g == nil {
			g, err = graph.Build(ctx, u.X, opt)
		}
		return g, err
	}
	return u, nil
}

// drawRows is drawClasses without a graph. It returns the numbers of the documents in the corpus
// too.
func drawRows(all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, []int, error) {
	r := int(row.Value)
	return unitOf(all, row, Draws(seed, len(all.ClassNames), r, test+1)[test], test, seed)
}

// unitOf is drawRows of the given classes.
func unitOf(all *corpus.Corpus, row Row, classes []int, test int, seed uint64) (*Unit, []int, error) {
	r := len(classes)
	names := make([]string, r)
	for i, k := range classes {
		names[i] = all.ClassNames[k]
	}
	part, rows, err := all.SelectWithRows(names)
	if err != nil {
		return nil, nil, err
	}
	u := &Unit{X: part.X, Truth: part.Labels, K: r, Seed: seed + uint64(test), Starts: seed + uint64(test),
		compare: agreement, settings: settingsOf(row.Settings)}
	if x, ok := part.X.(*sparse.CSR); ok {
		u.X = withTermsOf(x, 1)
	}
	return u, rows, nil
}

// agreementMetrics are the metrics of agreement.
var agreementMetrics = []Metric{{Key: "accuracy", Name: "Accuracy"}, {Key: "nmi", Name: "Normalised mutual information"},
	{Key: "nmi_sqrt", Name: "Mutual information over √ of both entropies", Aside: true}}

// agreement is accuracy and normalised mutual information on all documents, by both norms.
func agreement(u *Unit, found []int) ([]float64, error) {
	if len(found) != len(u.Truth) {
		return nil, fmt.Errorf("%d labels for %d documents", len(found), len(u.Truth))
	}
	t, err := metrics.NewTable(u.Truth, found)
	if err != nil {
		return nil, err
	}
	s := t.Scores()
	return []float64{s.Accuracy, s.NMI, t.GeometricNMI()}, nil
}
