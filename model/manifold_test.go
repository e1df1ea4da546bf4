package model

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/lle"
	"gonum.org/v1/gonum/mat"
)

// weighted are the rows that fit and Predict make of a corpus.
func weighted(t *testing.T, m fitted, c *corpus.Corpus) mat.Matrix {
	t.Helper()
	x, _, err := m.Rows.Of(c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// New documents stand where the methods' own packages put them, which the model, read from a file, knows from less.
func TestPlacesAreThoseOfTheMethods(t *testing.T) {
	train, fresh := counts(120, 3, 0, 1), counts(40, 3, 0, 9)
	near := func(name string, got, want *mat.Dense) {
		t.Helper()
		if !mat.EqualApprox(got, want, 1e-8*max(1, mat.Max(want))) {
			t.Errorf("%s: new documents stand elsewhere", name)
		}
	}
	for _, r := range []recipe{{method: "isomap"}, {method: "isomap", landmarks: 30}, {method: "isomap", parts: isomap.Join, graph: graph.Options{Symmetry: graph.Mutual, Neighbors: 6}}} {
		m := fit(t, train, r)
		own, err := isomap.Fit(background, weighted(t, m, train), isomap.Options{Dims: 3, Landmarks: r.landmarks, Parts: r.parts, Graph: r.graph})
		if err != nil {
			t.Fatal(err)
		}
		want, outside, err := own.Transform(background, weighted(t, m, fresh))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		near("isomap", got.Embedding, want)
		if !slices.Equal(got.Isolated, outside) {
			t.Errorf("isomap: outside are %v, and %v by the method", got.Isolated, outside)
		}
	}
	for _, r := range []recipe{{method: "lle"}, {method: "lle", landmarks: 40, dense: true}} {
		m := fit(t, train, r)
		x := weighted(t, m, train)
		own, err := lle.Fit(background, x, lle.Options{Dims: 3, Neighbors: 10, Landmarks: r.landmarks})
		if err != nil {
			t.Fatal(err)
		}
		want, err := own.Transform(background, weighted(t, m, fresh))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		near("lle", got.Embedding, want)
	}
	for _, kernel := range []kernelkmeans.Kernel{kernelkmeans.Gaussian, kernelkmeans.Polynomial, kernelkmeans.Linear} {
		m := fit(t, train, recipe{method: "kernel-kmeans", kernel: kernelkmeans.Options{Kernel: kernel}})
		own, err := kernelkmeans.Fit(background, weighted(t, m, train), kernelkmeans.Options{K: 3, Kernel: kernel})
		if err != nil {
			t.Fatal(err)
		}
		want, err := own.Predict(background, weighted(t, m, fresh))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Labels, want) {
			t.Errorf("%s kernel: new documents are of %v, and %v by the method", kernel, got.Labels, want)
		}
	}
}

// A training document that is taken for a new one finds its first cluster by the rule for new ones, and its affinities in the graph, lowered
// by that, put it where it was.
func TestAdjustedIsExactOnTrainingDocuments(t *testing.T) {
	c := counts(150, 6, 0, 1)
	for name, r := range map[string]recipe{
		"kernel":  {method: "le-cas", first: lecas.Options{Sigma: 0.6}},
		"k-means": {method: "le-cas", first: lecas.Options{Sigma: 0.6, Search: lecas.Search{Clustering: lecas.KMeans}}},
		"linear":  {method: "le-cas", first: lecas.Options{Sigma: 0.6}, kernel: kernelkmeans.Options{Kernel: kernelkmeans.Linear}, graph: graph.Options{HeatRule: graph.MedianWidth}},
	} {
		m := fit(t, c, r)
		p, x := m.Part.(*Adjusted), weighted(t, m, c)
		none := slices.Repeat([]int{-1}, c.Len())
		of, err := p.clusters(background, x, none)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(of, p.First) {
			t.Errorf("%s: documents find other first clusters", name)
		}
		g, err := graph.Build(background, x, p.Graph)
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.centroids().Scale(g.W, of, p.First)
		if err != nil {
			t.Fatal(err)
		}
		lowered := 0
		for i, v := range w.Val {
			if v < g.W.Val[i] {
				lowered++
			}
		}
		y, err := p.extend(w, none)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := range c.Len() {
			for a, v := range y.embedding.RawRowView(i) {
				if first(c, i) {
					worst = max(worst, math.Abs(v-p.Coordinates.At(i, a)))
				}
			}
		}
		if worst > 1e-7 || lowered == 0 {
			t.Errorf("%s: coordinates are off by %g, with %d affinities lowered", name, worst, lowered)
		}
	}
}

// With one first cluster the model predicts what that of Laplacian Eigenmaps does, bit for bit.
func TestOneFirstClusterPredictsAsLE(t *testing.T) {
	train, fresh := counts(120, 3, 0, 1), counts(40, 3, 0, 9)
	m := fit(t, train, recipe{method: "le-cas", first: lecas.Options{Search: lecas.Search{Clusters: 1}}, skip: le.SkipNone})
	width := m.Part.(*Adjusted).Graph.HeatWidth
	plain := fit(t, train, recipe{method: "le", graph: graph.Options{Weight: graph.Heat, HeatWidth: width, Neighbors: lecas.DefaultNeighbors}})
	a, err := m.Predict(background, fresh, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := plain.Predict(background, fresh, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(a.Embedding, b.Embedding) {
		t.Error("new documents stand elsewhere")
	}
}
