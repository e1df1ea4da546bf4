package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// counts is a corpus of three topics with named terms; every empty-th document has no term, and with shared words topics touch.
func counts(n, shared, empty int, seed uint64) *corpus.Corpus {
	rng := rand.New(rand.NewPCG(seed, 5))
	const width = 25
	b := sparse.NewBuilder(n, 3*width)
	c := &corpus.Corpus{Name: "counts", Labels: make([]int, n), ClassNames: []string{"a", "b", "c"}}
	for i := range n {
		c.Labels[i] = i % 3
		if empty > 0 && i%empty == empty-1 {
			continue
		}
		for range 12 {
			b.Add(i, (i%3*width+rng.IntN(width+shared))%(3*width), float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	c.X = x
	for j := range 3 * width {
		c.Terms = append(c.Terms, fmt.Sprintf("term%02d", j))
	}
	return c
}

// recipe is a way to fit a model.
type recipe struct {
	method        string
	graph         graph.Options
	weighting     string
	normalize     string
	dense         bool
	normalizeRows bool
	skip          le.Skip
	first         lecas.Options // of le-cas
	kernel        kernelkmeans.Options
	parts         isomap.Parts
	landmarks     int
	few           few
}

// fitted is a model beside what its own run found.
type fitted struct {
	*Model
	embedding *mat.Dense
	labels    []int
}

func fit(t testing.TB, c *corpus.Corpus, r recipe) fitted {
	t.Helper()
	if r.dense {
		d := *c
		d.X = c.X.(*sparse.CSR).ToDense()
		c = &d
	}
	if r.weighting == "" {
		r.weighting, r.normalize = corpus.WeightTFIDF, corpus.NormL2
	}
	rows, err := NewRows(c, r.weighting, r.normalize, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Weighted(r.weighting, r.normalize)
	if err != nil {
		t.Fatal(err)
	}
	known := make([]int, c.Len())
	for i, k := range c.Labels {
		if known[i] = labels.Unknown; i < 12 {
			known[i] = k
		}
	}
	tight := eigen.Options{Tol: 1e-10}
	from := Fitted{X: x, Graph: r.graph}
	out := fitted{Model: &Model{Method: r.method, Documents: c.Len(), Rows: rows, Seed: 7, Summary: []byte(`{"who":"a test"}`)}}
	points := x
	leOptions := le.Options{Dims: 4, Graph: r.graph, NormalizeRows: r.normalizeRows, Skip: r.skip, Eigen: tight}
	fitFew(t, c, x, known, r, &from, &out)
	switch r.method {
	case "le", "semi-le":
		var m *le.Model
		if r.method == "le" {
			m, err = le.Fit(background, x, leOptions)
		} else {
			m, err = semile.Fit(background, x, known, 3, leOptions)
		}
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.embedding = m, m.Embedding
	case "cle":
		m, err := cle.Fit(background, x, known, 3, cle.Options{Graph: r.graph, NormalizeRows: r.normalizeRows, Eigen: tight})
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.embedding = m, m.Embedding
	case "le-cas":
		opt := r.first
		if opt.Labels != nil {
			opt.Labels = known
		}
		leOptions.Graph.Weight, leOptions.Graph.Neighbors = graph.Heat, cmp.Or(r.graph.Neighbors, lecas.DefaultNeighbors)
		opt.LE, opt.Search.Kernel = leOptions, r.kernel
		opt.LE.Skip = cmp.Or(r.skip, le.SkipNone)
		m, err := lecas.Fit(background, x, opt)
		if err != nil {
			t.Fatal(err)
		}
		from.Graph, from.Model, out.embedding = leOptions.Graph, m, m.Embedding
		if m.Choice != nil && m.Choice.Kernel != nil {
			from.Kernel = r.kernel
			from.Kernel.K, from.Kernel.Width = m.Choice.Clusters, m.Choice.Kernel.Width
			from.Kernel.Kernel = cmp.Or(from.Kernel.Kernel, kernelkmeans.Gaussian)
		}
	case "isomap":
		from.Graph.Weight = graph.Binary
		if from.Neighbours, err = graph.Build(background, x, from.Graph); err != nil {
			t.Fatal(err)
		}
		if from.Lengths, err = geodesic.Lengths(background, x, from.Neighbours.W); err == nil && r.parts == isomap.Join {
			from.Lengths, _, err = geodesic.Join(background, x, from.Lengths)
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := isomap.FitLengths(background, from.Lengths, isomap.Options{Dims: 3, Landmarks: r.landmarks})
		if err != nil {
			t.Fatal(err)
		}
		from.Model, from.NormalizeRows, out.embedding = m, r.normalizeRows, m.Embedding
		if r.normalizeRows {
			out.embedding = le.NormalizedRows(m.Embedding)
		}
	case "lle":
		m, err := lle.Fit(background, x, lle.Options{Dims: 3, Neighbors: 10, Parts: lle.Parts(r.parts), Landmarks: r.landmarks})
		if err != nil {
			t.Fatal(err)
		}
		from.Graph.Neighbors, from.Regularization, from.Model, out.embedding = 10, lle.DefaultRegularization, m, m.Embedding
	case "kernel-kmeans":
		from.Kernel = r.kernel
		from.Kernel.K = 3
		m, err := kernelkmeans.Fit(background, x, from.Kernel)
		if err != nil {
			t.Fatal(err)
		}
		from.Kernel.Kernel, from.Kernel.Width = cmp.Or(from.Kernel.Kernel, kernelkmeans.Gaussian), m.Width
		from.Model, out.labels, out.Clusters = m, m.Labels, &Clusters{Sizes: m.Sizes}
	case "lsi":
		m, err := lsi.Fit(background, x, lsi.Options{Dims: 3, Scale: lsi.Left})
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.embedding = m, m.Embedding
	case "pca":
		m, err := pca.Fit(background, x, pca.Options{Components: 3, Whiten: true})
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.embedding = m, m.Embedding
	case "gmm":
		opt := gmm.Options{K: 3, Restarts: 1}
		if r.dense {
			opt.Covariance = gmm.Diagonal
		} else {
			if from.Reduced, err = pca.Fit(background, x, pca.Options{Components: 3}); err != nil {
				t.Fatal(err)
			}
			points, out.embedding = from.Reduced.Embedding, from.Reduced.Embedding
		}
		m, err := gmm.Fit(background, points, opt)
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.labels = m, m.Labels
		out.Clusters = &Clusters{Sizes: m.Sizes, Centers: m.Means}
	case "nmf":
		m, err := nmf.Fit(background, x, nmf.Options{Rank: 3, Weighting: nmf.NCW, Tol: 1e-6, MaxIter: 2000, Restarts: 1})
		if err != nil {
			t.Fatal(err)
		}
		from.Model, out.embedding, out.labels = m, m.W, m.Labels
		sizes := make([]int, 3)
		for _, k := range m.Labels {
			sizes[k]++
		}
		out.Clusters = &Clusters{Sizes: sizes}
	}
	if out.embedding != nil {
		points = out.embedding
	}
	if out.Clusters == nil {
		km, err := kmeans.Fit(background, points, kmeans.Options{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		out.labels, out.Clusters = km.Labels, &Clusters{Sizes: km.Sizes, Centers: km.Centers}
	}
	if out.Part, out.Why = Keep(r.method, from); out.Part == nil {
		t.Fatal(out.Why)
	}
	if err := out.Check(); err != nil {
		t.Fatal(err)
	}
	return out
}

// recipes are all methods, and the methods of the graph on graphs of all kinds.
var recipes = map[string]recipe{
	"le":                {method: "le"},
	"le, rows":          {method: "le", normalizeRows: true},
	"le, mutual":        {method: "le", graph: graph.Options{Symmetry: graph.Mutual, Neighbors: 9}, skip: le.SkipConstant},
	"le, heat, dense":   {method: "le", graph: graph.Options{Weight: graph.Heat}, dense: true, normalizeRows: true},
	"le, counts, dense": {method: "le", dense: true, weighting: "tf", normalize: "none"},
	"le, within":        {method: "le", graph: graph.Options{Epsilon: 1.2, Symmetry: graph.Sum}},
	"le, zeros":         {method: "le", graph: graph.Options{Neighbors: 6}, skip: le.SkipZeros},
	"semi-le":           {method: "semi-le", normalizeRows: true},
	"cle":               {method: "cle"},
	"cle, rows":         {method: "cle", normalizeRows: true, graph: graph.Options{Symmetry: graph.Mutual, Neighbors: 8}},
	"lsi":               {method: "lsi"},
	"pca":               {method: "pca", weighting: "binary", normalize: "none"},
	"nmf":               {method: "nmf"},
	"gmm, reduced":      {method: "gmm"},
	"gmm, diagonal":     {method: "gmm", dense: true, weighting: "tf", normalize: "l2"},
	"le, local":         {method: "le", graph: graph.Options{Weight: graph.Heat, HeatRule: graph.LocalWidth, LocalNeighbor: 3}},
	"le, local, dense":  {method: "le", graph: graph.Options{Weight: graph.Heat, HeatRule: graph.LocalWidth, Epsilon: 1.3}, dense: true},
	"le-cas":            {method: "le-cas"},
	"le-cas, poly":      {method: "le-cas", kernel: kernelkmeans.Options{Kernel: kernelkmeans.Polynomial, Degree: 3}, normalizeRows: true, dense: true},
	"le-cas, k-means":   {method: "le-cas", first: lecas.Options{Sigma: 0.5, Search: lecas.Search{Clustering: lecas.KMeans}}},
	"le-cas, labels":    {method: "le-cas", first: lecas.Options{Labels: []int{}}, graph: graph.Options{HeatRule: graph.LocalWidth}},
	"isomap":            {method: "isomap"},
	"isomap, joined":    {method: "isomap", parts: isomap.Join, landmarks: 40, normalizeRows: true},
	"isomap, dense":     {method: "isomap", graph: graph.Options{Epsilon: 1.25}, dense: true, weighting: "tf", normalize: "l2"},
	"lle":               {method: "lle"},
	"lle, landmarks":    {method: "lle", landmarks: 50, parts: isomap.Parts(lle.All), dense: true},
	"kernel-kmeans":     {method: "kernel-kmeans"},
	"kernel, poly":      {method: "kernel-kmeans", kernel: kernelkmeans.Options{Kernel: kernelkmeans.Polynomial}, dense: true},
	"kmeans":            {method: "kmeans"},
	"kmeans, dense":     {method: "kmeans", dense: true, weighting: "tf", normalize: "none"},
}

// first tells whether document i has terms and no document before it the same ones: of equal documents a model knows the first.
func first(c *corpus.Corpus, i int) bool {
	x := c.X.(*sparse.CSR)
	cols, vals := x.Row(i)
	for j := range i {
		otherCols, otherVals := x.Row(j)
		if slices.Equal(cols, otherCols) && slices.Equal(vals, otherVals) {
			return false
		}
	}
	return len(cols) > 0
}

// The documents that a model was made from come out where they were, whatever the method, with gaps and separate parts.
func TestPredictKnowsItsDocuments(t *testing.T) {
	for name, r := range recipes {
		for _, c := range []*corpus.Corpus{counts(150, 6, 0, 1), counts(120, 0, 11, 2)} {
			m := fit(t, c, r)
			p, err := m.Predict(background, c, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			for i, k := range p.Labels {
				if _, alone := slices.BinarySearch(p.Isolated, i); !r.dense && !alone && c.X.(*sparse.CSR).RowPtr[i] == c.X.(*sparse.CSR).RowPtr[i+1] {
					t.Errorf("%s: document %d has no terms and is none of the isolated %v", name, i, p.Isolated)
				}
				if first(c, i) && k != m.labels[i] {
					t.Errorf("%s: document %d is of cluster %d and was of %d", name, i, k, m.labels[i])
				}
			}
			if m.embedding == nil {
				if p.Embedding != nil {
					t.Errorf("%s: an embedding from nowhere", name)
				}
				continue
			}
			limit := 1e-9 * max(1, mat.Max(m.embedding))
			if r.method == "nmf" {
				limit = 0.05 * mat.Max(m.embedding) // the fit stops at a tolerance, Transform is exact
			}
			switch m.Part.(type) {
			case *Neighbours, *Adjusted, *Paths, *Pieces:
				limit = 0
			}
			var off mat.Dense
			off.Sub(p.Embedding, m.embedding)
			for i := range c.Len() {
				if worst := mat.Norm(off.RowView(i), math.Inf(1)); first(c, i) && worst > limit {
					t.Errorf("%s: document %d is off by %g", name, i, worst)
				}
			}
		}
	}
}

// New documents of the same topics fall to their topics' clusters, and one alone is what it is among others.
func TestPredictNewDocuments(t *testing.T) {
	train, fresh := counts(150, 3, 0, 1), counts(60, 3, 10, 9)
	for name, r := range recipes {
		m := fit(t, train, r)
		p, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		of := map[int]int{} // the cluster of a topic
		for i := range 3 {
			of[train.Labels[i]] = m.labels[i]
		}
		wrong := 0
		for i, k := range p.Labels {
			if i%10 != 9 && k != of[fresh.Labels[i]] {
				wrong++
			}
		}
		limit := 2
		if r.method == "lle" { // whose weights may be large and of both signs
			limit = 6
		}
		if wrong > limit && r.skip != le.SkipZeros { // whose clusters are not the topics
			t.Errorf("%s: %d of 54 new documents fall to another cluster", name, wrong)
		}
		if n, ok := m.Part.(*Neighbours); ok && !r.dense {
			if norm := mat.Norm(p.Embedding.RowView(9), 2); norm != 0 || n.width() != p.Embedding.RawMatrix().Cols {
				t.Errorf("%s: a document without terms stands at %v", name, p.Embedding.RawRowView(9))
			}
		}
		if !r.dense && !slices.Equal(p.Isolated, []int{9, 19, 29, 39, 49, 59}) || r.dense && slices.Contains([]string{"kmeans", "kernel-kmeans", "gmm"}, r.method) && p.Isolated != nil {
			t.Errorf("%s: documents without terms are %v", name, p.Isolated)
		}
		alone, err := m.Predict(background, fresh.SelectRows([]int{31}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if alone.Labels[0] != p.Labels[31] || p.Embedding != nil && !mat.EqualApprox(alone.Embedding, p.Embedding.Slice(31, 32, 0, p.Embedding.RawMatrix().Cols), 1e-12) {
			t.Errorf("%s: a document alone is another", name)
		}
		if sum := p.Sizes[0] + p.Sizes[1] + p.Sizes[2]; sum != 60 {
			t.Errorf("%s: sizes %v", name, p.Sizes)
		}
	}
}

// What is written and read again predicts the same bits, and is written as the same bytes.
func TestRoundTrip(t *testing.T) {
	train, fresh := counts(90, 3, 13, 1), counts(30, 3, 10, 9)
	for name, r := range recipes {
		m := fit(t, train, r)
		path := filepath.Join(t.TempDir(), "model.npz")
		if err := Write(path, m.Model); err != nil {
			t.Fatal(name, err)
		}
		if !Is(path) {
			t.Errorf("%s: the file is not known for a model", name)
		}
		back, err := Read(background, path)
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(got.Labels, want.Labels) || want.Embedding != nil && !mat.Equal(got.Embedding, want.Embedding) ||
			want.Posterior != nil && !mat.Equal(got.Posterior, want.Posterior) {
			t.Errorf("%s: what was read predicts otherwise", name)
		}
		var again bytes.Buffer
		if err := back.Encode(&again); err != nil {
			t.Fatal(err)
		}
		first, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Bytes(), first) {
			t.Errorf("%s: written again it is another file", name)
		}
	}
}

// A model without a way to new documents keeps its summary and says why it takes none.
func TestModelWithoutPart(t *testing.T) {
	part, why := Keep("le", Fitted{Model: &le.Model{}})
	if part != nil || !strings.Contains(why, "affinity matrix") {
		t.Errorf("%v, %q", part, why)
	}
	// The components that a mixture was to be fitted to are no mixture.
	part, why = Keep("gmm", Fitted{Model: &pca.Model{}, X: mat.NewDense(2, 1, []float64{1, 2})})
	if part != nil || !strings.Contains(why, "run it again") {
		t.Errorf("%v, %q", part, why)
	}
	if _, why := Keep("magic", Fitted{}); !strings.Contains(why, "magic") {
		t.Errorf("%q", why)
	}
	m := &Model{Method: "le", Documents: 5, Why: why, Summary: []byte(`{}`), Clusters: &Clusters{Sizes: []int{3, 2}, Centers: mat.NewDense(2, 1, []float64{1, 2})}}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := Write(path, m); err != nil {
		t.Fatal(err)
	}
	back, err := Read(background, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := back.Predict(background, counts(5, 0, 0, 1), nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), why) {
		t.Error(err)
	}
}

// Columns are found by name in any order, with some missing and some unknown; by number otherwise.
func TestTermsAreMatched(t *testing.T) {
	train, fresh := counts(90, 3, 0, 1), counts(30, 3, 0, 9)
	for _, r := range []recipe{{method: "le"}, {method: "kmeans", dense: true, weighting: "tf", normalize: "none"}, {method: "pca"}} {
		m := fit(t, train, r)
		// Back to front, without term07, with a column that the model does not know.
		source := []int{}
		moved := &corpus.Corpus{Name: "moved"}
		for j := len(fresh.Terms) - 1; j >= 0; j-- {
			if j != 7 {
				source = append(source, j)
				moved.Terms = append(moved.Terms, fresh.Terms[j])
			}
		}
		moved.Terms = append(moved.Terms, "unknown")
		x := rearranged(fresh.X.(*sparse.CSR), append(source, -1))
		extra := sparse.NewBuilder(30, 75)
		for i := range 30 {
			cols, vals := x.Row(i)
			for k, c := range cols {
				extra.Add(i, int(c), vals[k])
			}
			extra.Add(i, 74, 3)
		}
		var err error
		if moved.X, err = extra.Build(); err != nil {
			t.Fatal(err)
		}
		without := fresh.X.(*sparse.CSR).Filter(func(_, j int, _ float64) bool { return j != 7 })
		want, err := m.Predict(background, &corpus.Corpus{Name: "without", X: without}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want.Terms.By != "order" || want.Terms.String() != "" {
			t.Errorf("without names: %+v", want.Terms)
		}
		for _, storage := range []mat.Matrix{moved.X, moved.X.(*sparse.CSR).ToDense()} {
			moved.X = storage
			got, err := m.Predict(background, moved, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Terms != (Match{"name", 1, 1}) || !strings.Contains(got.Terms.String(), "1 are not in the model") {
				t.Errorf("%+v", got.Terms)
			}
			if !slices.Equal(got.Labels, want.Labels) || want.Embedding != nil && !mat.EqualApprox(got.Embedding, want.Embedding, 1e-12) {
				t.Errorf("%s: matched by name the documents are others", r.method)
			}
		}
		for says, bad := range map[string]*corpus.Corpus{
			"75":                {Name: "narrow", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1, 2})},
			"none of its":       {Name: "foreign", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1}), Terms: []string{"x", "y"}},
			`are both called "`: {Name: "twins", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1}), Terms: []string{"term00", "term00"}},
		} {
			if _, err := m.Predict(background, bad, nil); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), bad.Name) {
				t.Errorf("%s: %v", says, err)
			}
		}
	}
}

// Text is cut into the model's terms, which are stems: another most frequent word of a stem is the same term.
func TestTextsAreMatchedByStem(t *testing.T) {
	dir := t.TempDir()
	read := func(name, text string, opt corpus.TextOptions) *corpus.Corpus {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := corpus.Read(background, path, corpus.ReadOptions{Text: opt})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	stop := filepath.Join(dir, "stop.txt")
	if err := os.WriteFile(stop, []byte("bright"), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := corpus.TextOptions{StopWords: stop}
	var train strings.Builder
	for range 3 {
		train.WriteString(`{"text":"boats sail the bright river"}` + "\n" + `{"text":"violins sing the bright melody"}` + "\n")
	}
	c := read("train.jsonl", train.String(), opt)
	rows, err := NewRows(c, corpus.WeightTF, corpus.NormNone, &opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(stop); err != nil { // the model holds the words
		t.Fatal(err)
	}
	if rows.Text.StopWords != "none" || !slices.Equal(rows.Text.Stop, []string{"bright"}) {
		t.Errorf("the stop words are %+v", rows.Text)
	}
	fresh := read("fresh.jsonl", `{"text":"bright boat sailing rivers and planets"}`+"\n", rows.TextOptions())
	x, match, err := rows.Of(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if match.By != "stem" || match.New != 2 { // and, planets
		t.Errorf("%+v of %q", match, fresh.Terms)
	}
	for j, term := range c.Terms {
		want := 0.0
		if slices.Contains([]string{"boats", "sail", "river"}, term) {
			want = 1
		}
		if x.At(0, j) != want {
			t.Errorf("term %q has %v, want %v", term, x.At(0, j), want)
		}
	}
}

// Nothing but a finite model is written.
func TestEncodeRefuses(t *testing.T) {
	m := fit(t, counts(60, 3, 0, 1), recipe{method: "le"})
	m.Part.(*Neighbours).Values[1] = math.NaN()
	if err := m.Encode(new(bytes.Buffer)); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	m.Part.(*Neighbours).Values[1] = 1
	if _, err := m.Predict(background, counts(5, 3, 0, 4), nil); err == nil || !strings.Contains(err.Error(), "eigenvalue of 1") {
		t.Error(err)
	}
	m.Clusters.Sizes = m.Clusters.Sizes[1:]
	if err := m.Encode(new(bytes.Buffer)); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}
