package model

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"gonum.org/v1/gonum/mat"
)

// few are the options of methods that learn from few labels.
type few struct {
	kind        plsa.Kind
	propagation labelprop.Options
	machines    svm.Options
}

// fitFew fits one of them; false where the recipe is of another method.
func fitFew(t testing.TB, c *corpus.Corpus, x mat.Matrix, known []int, r recipe, from *Fitted, out *fitted) bool {
	t.Helper()
	var err error
	switch r.method {
	case "plsa":
		m, e := plsa.Fit(background, x, plsa.Options{K: 3, Kind: r.few.kind, Labels: known})
		if err = e; e == nil {
			from.Model, out.labels = m, m.Labels
		}
	case "semi-ldc":
		m, e := semildc.Fit(background, c.X, x, known, 3, semildc.Options{})
		if err = e; e == nil {
			from.Model, out.labels, out.embedding = m, m.Labels, m.Embedding
			out.Clusters = &Clusters{Sizes: m.Clusters.Sizes, Centers: m.Clusters.Centers}
		}
	case "ckmeans":
		m, e := ckmeans.Fit(background, x, known, 3, ckmeans.Options{})
		if err = e; e == nil {
			out.labels, out.Clusters = m.Labels, &Clusters{Sizes: m.Sizes, Centers: m.Centers}
		}
	case "label-propagation":
		opt := r.few.propagation
		opt.Graph = r.graph
		m, e := labelprop.Fit(background, x, known, 3, opt)
		if err = e; e == nil {
			from.Model, out.labels = m, m.Labels
		}
	case "tsvm":
		m, e := tsvm.Fit(background, x, known, 3, tsvm.Options{SVM: r.few.machines})
		if err = e; e == nil {
			from.Model, out.labels = m, m.Labels
		}
	default:
		return false
	}
	if err != nil {
		t.Fatal(r.method, err)
	}
	if out.Clusters == nil {
		sizes := make([]int, 3)
		for _, k := range out.labels {
			sizes[k]++
		}
		out.Clusters = &Clusters{Sizes: sizes}
	}
	return true
}

func init() {
	for name, r := range map[string]recipe{
		"plsa":                 {method: "plsa", weighting: "tf", normalize: "none"},
		"plsa, aspect":         {method: "plsa", weighting: "tf", normalize: "none", few: few{kind: plsa.Aspect}, dense: true},
		"semi-ldc":             {method: "semi-ldc"},
		"semi-ldc, dense":      {method: "semi-ldc", dense: true, weighting: "tf", normalize: "l2"},
		"ckmeans":              {method: "ckmeans"},
		"propagation":          {method: "label-propagation"},
		"propagation, zhou":    {method: "label-propagation", few: few{propagation: labelprop.Options{Form: labelprop.Zhou}}, graph: graph.Options{Weight: graph.Heat, HeatRule: graph.LocalWidth}},
		"propagation, zhu":     {method: "label-propagation", few: few{propagation: labelprop.Options{Form: labelprop.Zhu, ClassMass: true}}, graph: graph.Options{Epsilon: 1.2}},
		"tsvm":                 {method: "tsvm"},
		"tsvm, Gaussian":       {method: "tsvm", few: few{machines: svm.Options{Kernel: svm.Gaussian}}},
		"tsvm, Gaussian, rows": {method: "tsvm", few: few{machines: svm.Options{Kernel: svm.Gaussian, Gamma: 0.7}}, dense: true},
		"tsvm, polynomial":     {method: "tsvm", few: few{machines: svm.Options{Kernel: svm.Polynomial, Gamma: 1, Degree: 3}}},
	} {
		recipes[name] = r
	}
}

// New documents get what the methods' own rules say, which the model knows from less.
func TestFewLabelRules(t *testing.T) {
	train, fresh := counts(120, 9, 0, 1), counts(40, 9, 7, 9)
	for name, r := range recipes {
		var from Fitted
		m := fit(t, train, r)
		x := weighted(t, m, train)
		known := make([]int, 120)
		for i, k := range train.Labels {
			if known[i] = -1; i < 12 {
				known[i] = k
			}
		}
		own := fitted{Model: new(Model)}
		from.X = x
		if !fitFew(t, train, x, known, r, &from, &own) {
			continue
		}
		new := weighted(t, m, fresh)
		p, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		var labels []int
		var shares *mat.Dense
		switch f := from.Model.(type) {
		case *plsa.Model:
			if shares, err = f.FoldIn(background, new); err == nil {
				labels = largest(shares)
			}
		case *semildc.Model:
			labels, err = f.Predict(background, new)
		case *labelprop.Model:
			at, e := graph.Attach(background, new, f.Graph.Reference(x, r.graph), nil)
			if err = e; e == nil {
				shares, labels, err = f.Predict(at)
			}
		case *tsvm.Model:
			scores, e := f.Decision(background, new)
			if err = e; e == nil {
				mine, e := m.Part.(*Machines).scores(background, new)
				if e != nil {
					t.Fatal(name, e)
				}
				mine.Sub(mine, scores)
				if worst := mat.Norm(mine, math.Inf(1)); worst > 1e-10 {
					t.Errorf("%s: decision values are off by %g", name, worst)
				}
				labels = largest(scores)
			}
		default:
			continue
		}
		if err != nil {
			t.Fatal(name, err)
		}
		for i, k := range labels {
			if p.Labels[i] != k {
				t.Errorf("%s: document %d is of class %d, and %d by the method", name, i, p.Labels[i], k)
			}
		}
		if shares != nil && !mat.EqualApprox(p.Posterior, shares, 1e-12) {
			t.Errorf("%s: other probabilities than the method's", name)
		}
	}
}

// Parts that do not fit each other are refused in words.
func TestFewLabelParts(t *testing.T) {
	train := counts(60, 3, 0, 1)
	for _, c := range []struct {
		name, says string
		change     func(p Part)
	}{
		{"plsa", "unknown kind", func(p Part) { p.(*Topics).Kind = "words" }},
		{"plsa", "topics of 75 columns", func(p Part) { p.(*Topics).Weights = []float64{1} }},
		{"plsa", "the probability", func(p Part) { p.(*Topics).Weights[1] = -1 }},
		{"plsa", "lacks its topics", func(p Part) { p.(*Topics).Terms = nil }},
		{"propagation", "unknown form", func(p Part) { p.(*Propagation).Form = "x" }},
		{"propagation", "degrees", func(p Part) { p.(*Propagation).Form = labelprop.Zhou }},
		{"propagation", "priors", func(p Part) { p.(*Propagation).Prior = nil }},
		{"propagation", "name cluster 7", func(p Part) { p.(*Propagation).Labels[3] = 7 }},
		{"propagation", "scores of", func(p Part) { p.(*Propagation).Scores = mat.NewDense(60, 2, nil) }},
		{"tsvm", "machines, which", func(p Part) { p.(*Machines).Bias = nil }},
		{"tsvm", "weights of 75", func(p Part) { p.(*Machines).Weights = mat.NewDense(74, 3, nil) }},
		{"tsvm, Gaussian", "unknown kernel", func(p Part) { p.(*Machines).Kernel = "x" }},
		{"tsvm, Gaussian", "impossible kernel", func(p Part) { p.(*Machines).Gamma = 0 }},
		{"tsvm, Gaussian", "coefficients of", func(p Part) { p.(*Machines).Coefficients = mat.NewDense(2, 3, nil) }},
		{"tsvm, Gaussian", "lacks its support", func(p Part) { p.(*Machines).Support = nil }},
	} {
		m := fit(t, train, recipes[c.name])
		c.change(m.Part)
		if err := m.Check(); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s: %v", c.name, c.says, err)
		}
	}
}
