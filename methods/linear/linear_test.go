package linear_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

const (
	documents = 60
	terms     = 30
)

// topics are counts of documents of three topics, row i of topic i mod 3.
func topics(n int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := sparse.NewBuilder(n, terms)
	for i := range n {
		for range 8 {
			b.Add(i, (i%3*terms/3+rng.IntN(terms/2))%terms, float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x
}

// input returns the input with the documents, with labels of the first twelve or without.
func input(x mat.Matrix, labelled bool) *method.Input {
	in := &method.Input{X: x, Counts: topics(documents, 3), Clusters: 3}
	if labelled {
		in.Given = &method.Given{Labels: make([]int, documents), Names: []string{"a", "b", "c"}}
		for i := range in.Given.Labels {
			if in.Given.Labels[i] = -1; i < 12 {
				in.Given.Labels[i] = i % 3
			}
		}
	}
	return in
}

// runs are fits with all forms of placers.
var runs = map[string]struct {
	spec     method.Spec
	options  method.Options
	labelled bool
}{
	"spg":             {spg.Spec, &spg.Options{}, false},
	"spg ridge":       {spg.Spec, &spg.Options{Penalty: spg.Ridge, NormalizeRows: true}, true},
	"lpp":             {lpp.Spec, &lpp.Options{}, false},
	"lpp classes":     {lpp.Spec, &lpp.Options{NormalizeRows: true}, true},
	"lpp pca":         {lpp.Spec, &lpp.Options{Kind: lpp.PCA}, false},
	"lda":             {lda.Spec, &lda.Options{}, true},
	"spca":            {spca.Spec, &spca.Options{Terms: method.Amount{Share: 0.2}}, false},
	"semi-ldc":        {semildc.Spec, &semildc.Options{}, true},
	"semi-ldc kernel": {semildc.Spec, &semildc.Options{Discriminant: semildc.Kernel}, true},
}

// Training rows are placed where the fit put them, also by a model that was stored and read.
func TestPlacersOfAllForms(t *testing.T) {
	counts := topics(documents, 3)
	for name, run := range runs {
		for form, x := range map[string]mat.Matrix{"sparse": counts.NormalizeRows(), "dense": counts.NormalizeRows().ToDense()} {
			out, err := run.options.Fit(ctx, input(x, run.labelled))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, form, err)
			}
			_, isSparse := x.(*sparse.CSR)
			again := stored(t, run.spec, out, isSparse)
			for _, p := range []method.Placer{out.Placer, again} {
				got, err := p.Place(ctx, x, nil)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, form, err)
				}
				if !mat.Equal(got.Embedding, out.Embedding) {
					t.Errorf("%s, %s: training rows are placed elsewhere", name, form)
				}
			}
			fresh := topics(7, 9)
			a, err := out.Placer.Place(ctx, fresh, nil)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, form, err)
			}
			b, err := again.Place(ctx, fresh, nil)
			if err != nil || !mat.Equal(a.Embedding, b.Embedding) {
				t.Errorf("%s, %s: %v, new rows are placed elsewhere by a stored model", name, form, err)
			}
		}
	}
}

// stored writes a model of the placer and reads it.
func stored(t *testing.T, s method.Spec, out *method.Fitted, isSparse bool) method.Placer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	m := &model.Model{Method: s.Name, Documents: documents, Part: out.Placer,
		Rows: model.Rows{Columns: terms, Sparse: isSparse, Weighting: "tf", Normalize: "none"}}
	if err := model.Write(path, m); err != nil {
		t.Fatal(s.Name, err)
	}
	read, err := model.Read(ctx, path, func(string) model.Part { return s.Placer() })
	if err != nil {
		t.Fatal(s.Name, err)
	}
	return read.Part.(method.Placer)
}

// A file of an earlier version has a dense projection and no mean, which is part of the offset.
func TestPlacerWithoutMean(t *testing.T) {
	p := &linear.Placer{Projection: mat.NewDense(2, 1, []float64{2, -1}), Offset: []float64{3}}
	got, err := p.Place(ctx, mat.NewDense(2, 2, []float64{1, 1, 0, 5}), nil)
	if err != nil || !mat.Equal(got.Embedding, mat.NewDense(2, 1, []float64{4, -2})) {
		t.Errorf("%v, %v", err, got)
	}
}

func TestPlacerRefuses(t *testing.T) {
	of := model.Frame{Documents: 5, Columns: 2}
	square := mat.NewDense(2, 1, []float64{2, -1})
	csr := must.Get(sparse.FromMatrix(square))(t)
	for name, p := range map[string]*linear.Placer{
		"nothing":       {},
		"columns":       {Projection: mat.NewDense(3, 1, nil), Offset: []float64{0}},
		"coordinates":   {Projection: square, Offset: []float64{0, 0}},
		"mean":          {Projection: square, Offset: []float64{0}, Mean: []float64{1}},
		"mean, sparse":  {Projection: csr, Offset: []float64{0}, Mean: []float64{1, 1}},
		"kernel's mean": {Projection: csr, Offset: []float64{0}, Mean: []float64{1}},
	} {
		if err := p.Check(of); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, x := range map[string]mat.Matrix{"width": mat.NewDense(1, 3, nil), "empty": new(sparse.CSR)} {
		for _, p := range []*linear.Placer{{Projection: square, Offset: []float64{0}}, {Projection: csr, Offset: []float64{0}}, {}} {
			if _, err := p.Project(ctx, x); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestClassDims(t *testing.T) {
	in := input(topics(documents, 3), true)
	for asked, want := range map[int]int{0: 2, 1: 1, 2: 2} {
		if got, err := linear.ClassDims(in, "lda", asked); err != nil || got != want {
			t.Errorf("%d asked: %d, %v", asked, got, err)
		}
	}
	if _, err := linear.ClassDims(in, "lda", 3); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("three directions of three classes: %v", err)
	}
}

func TestTermRange(t *testing.T) {
	for want, counts := range map[string][]int{"75 terms": {75, 75}, "1 term": {1}, "12 to 75 terms": {75, 12, 30}} {
		if got := linear.TermRange(counts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
