package spg

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

func ridge(alpha float64) *float64 { return &alpha }

func count(terms int) method.Amount { return method.Amount{Count: terms} }

// topics returns documents of k topics with words of their own, common words, an empty and a
// constant column and, where asked, duplicated documents.
func topics(rng *rand.Rand, n, p, k int, duplicates bool) *sparse.CSR {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		for j := range p {
			switch own := j%k == i%k; {
			case j == 0:
			case j == 1:
				b.Add(i, j, 1)
			case own && rng.Float64() < 0.6, rng.Float64() < 0.15:
				b.Add(i, j, 1+rng.Float64())
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	if duplicates {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
			if i%6 == 5 {
				rows[i] = i - 5
			}
		}
		x = x.SelectRows(rows)
	}
	return x
}

// graphOf joins documents of the same topic with random weights, and few others; every ninth stays
// alone where asked.
func graphOf(rng *rand.Rand, n, k int, isolated bool) *graph.Graph {
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i {
			if isolated && (i%9 == 8 || j%9 == 8) || rng.Float64() > 0.5 || i%k != j%k && rng.Float64() > 0.1 {
				continue
			}
			w := 0.2 + rng.Float64()
			b.Add(i, j, w)
			b.Add(j, i, w)
		}
	}
	w, err := b.Build()
	if err == nil {
		var g *graph.Graph
		if g, err = graph.FromAffinity(w); err == nil {
			return g
		}
	}
	panic(err)
}

// apart is the sine of the largest angle between two spans of independent columns.
func apart(a, b mat.Matrix) float64 {
	basis := func(m mat.Matrix) *mat.Dense {
		q := mat.DenseCopyOf(m)
		if _, err := native.Default().QR(q.RawMatrix()); err != nil {
			panic(err)
		}
		return q
	}
	u, v := basis(a), basis(b)
	var ut, rest mat.Dense
	ut.Mul(u.T(), v)
	rest.Mul(u, &ut)
	rest.Sub(v, &rest)
	return mat.Norm(&rest, 2)
}

// Every direction satisfies the conditions of eq. (5) at its penalty on centred data written out,
// keeps its cardinality, has its heaviest term positive, and projects documents as X·a + b; sparse
// and dense rows agree, and so do the two scales but for lengths.
func TestPropertyDirections(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		n, p := 20+rng.IntN(20), 8+rng.IntN(50)
		x := topics(rng, n, p, 3, rng.IntN(2) == 0)
		g := graphOf(rng, n, 3, rng.IntN(2) == 0)
		opt := Options{Dims: 2, Terms: count(1 + rng.IntN(12)), Scale: Path, NoIntercept: rng.IntN(2) == 0}
		if rng.IntN(3) == 0 {
			opt.Penalty, opt.Ridge = ElasticNet, ridge(0.5)
		}
		m := must.Get(FitGraph(ctx, x, g, opt))(t)
		out := make([]bool, n)
		for _, i := range m.Responses.Without {
			out[i] = true
		}
		for j := range 2 {
			checkDirection(t, x, m, opt, j, out)
		}
		dense := must.Get(FitGraph(ctx, x.ToDense(), g, opt))(t)
		opt.Scale = Response
		scaled := must.Get(FitGraph(ctx, x, g, opt))(t)
		for j := range 2 {
			spread, response, _, _, _ := moments(nil, scaled.Embedding, scaled.Responses.Y, j, out)
			if m.Cardinality[j] > 0 && m.Correlations[j] != 0 && math.Abs(spread-response) > 1e-10 {
				t.Fatalf("the projections spread by %v, the responses by %v", spread, response)
			}
			for i := range n {
				if math.Abs(m.Embedding.At(i, j)-dense.Embedding.At(i, j)) > 1e-9 {
					t.Fatalf("document %d: %v sparse, %v dense", i, m.Embedding.At(i, j), dense.Embedding.At(i, j))
				}
			}
		}
	})
}

// Theorem 1: X of full row rank solves Xa = y, and then regression without penalty and eq. (3) give
// the same directions.
func TestTheorem1(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 11))
	for _, size := range [][2]int{{30, 100}, {40, 43}} {
		x := topics(rng, size[0], size[1], 3, false)
		g := graphOf(rng, size[0], 3, false)
		opt := Options{Dims: 4, Penalty: Ridge, Ridge: ridge(0), NoIntercept: true, Skip: le.SkipNone, Scale: Path}
		opt.Eigen.Tol = 1e-12
		m := must.Get(FitGraph(ctx, x, g, opt))(t)
		var d mat.Dense
		d.Sub(m.Embedding, m.Responses.Y)
		if mat.Norm(&d, 2) > 1e-10 {
			t.Errorf("%v: ‖XA − Y‖ = %g", size, mat.Norm(&d, 2))
		}
		l := must.Get(lpp.FitGraph(ctx, x, lpp.Of(g), lpp.Options{Dims: 4, Ridge: ridge(0), Center: new(bool), Tol: 1e-12}))(t)
		if gap := apart(m.Projection.ToDense(), l.Projection); gap > 1e-8 {
			t.Errorf("%v: sine of the largest angle between SPG's and LPP's directions %g", size, gap)
		}
		for j, v := range m.Responses.Values {
			if math.Abs(v-l.Values[j]) > 1e-10 {
				t.Errorf("λ_%d = %v of the graph, %v of eq. (3)", j, v, l.Values[j])
			}
		}
	}
}

// Ridge regression of the class responses spans LDA's directions; ridge regression of the principal
// components spans PCA's.
func TestClassesAndPCA(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 12))
	x := topics(rng, 60, 30, 4, true)
	known := make([]int, 60)
	for i := range known {
		known[i] = i % 4
		if i%5 == 4 {
			known[i] = labels.Unknown
		}
	}
	r, err := ClassResponses(known, 4)
	if err != nil {
		t.Fatal(err)
	}
	m := must.Get(FitResponses(ctx, x, r, Options{Penalty: Ridge, Ridge: ridge(2)}))(t)
	l := must.Get(lda.Fit(ctx, x, known, 4, lda.Options{Ridge: ridge(2)}))(t)
	if gap := apart(m.Projection.ToDense(), l.Projection); gap > 1e-9 {
		t.Errorf("sine of the largest angle to LDA %g", gap)
	}
	r, err = PCAResponses(ctx, x, Options{Dims: 3})
	if err != nil {
		t.Fatal(err)
	}
	m, err = FitResponses(ctx, x, r, Options{Penalty: Ridge, Ridge: ridge(0)})
	if err != nil {
		t.Fatal(err)
	}
	c := must.Get(pca.Fit(ctx, x, pca.Options{Dims: 3}))(t)
	if gap := apart(m.Projection.ToDense(), c.Components.T()); gap > 1e-7 {
		t.Errorf("sine of the largest angle to PCA %g", gap)
	}
	sparser := must.Get(FitResponses(ctx, x, r, Options{Terms: count(5)}))(t)
	for j, c := range sparser.Cardinality {
		if c == 0 || c > 5 {
			t.Errorf("component %d has %d terms", j, c)
		}
	}
}

// Two parts of a graph with words of their own: the directions name these words.
func TestDisconnectedGraph(t *testing.T) {
	b, w := sparse.NewBuilder(20, 7), sparse.NewBuilder(20, 20)
	for i := range 20 {
		b.Add(i, i/10*3, 1)         // word 0 or 3
		b.Add(i, i/10*3+1+i%2, 0.5) // 1, 2 or 4, 5
		b.Add(i, 6, float64(i%3))
		for j := range 20 {
			if i != j && i/10 == j/10 {
				w.Add(i, j, 1)
			}
		}
	}
	x := must.Get(b.Build())(t)
	a := must.Get(w.Build())(t)
	g := must.Get(graph.FromAffinity(a))(t)
	m := must.Get(FitGraph(ctx, x, g, Options{Dims: 1, Terms: count(2)}))(t)
	d := m.Directions([]string{"a", "b", "c", "d", "e", "f", "g"}, 0)[0]
	if math.Abs(d.Correlation-1) > 1e-12 || d.Terms < 1 {
		t.Errorf("%+v", d)
	}
	for _, term := range d.Weights {
		if term.Term != "a" && term.Term != "d" {
			t.Errorf("%+v", d)
		}
	}
}

func TestDocumentsWithoutResponse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 13))
	x, g := topics(rng, 45, 30, 3, true), graphOf(rng, 45, 3, true)
	m := must.Get(FitGraph(ctx, x, g, Options{Dims: 2, Terms: count(6)}))(t)
	var kept []int
	for i, d := range g.Degrees {
		if d > 0 {
			kept = append(kept, i)
		}
	}
	if len(kept)+len(m.Responses.Without) != 45 || len(kept) == 45 {
		t.Fatalf("%d documents kept, %d left out", len(kept), len(m.Responses.Without))
	}
	rest := must.Get(graph.FromAffinity(g.W.SelectRows(kept).SelectCols(kept)))(t)
	without := must.Get(FitGraph(ctx, x.SelectRows(kept), rest, Options{Dims: 2, Terms: count(6)}))(t)
	var d mat.Dense
	d.Sub(m.Projection, without.Projection)
	if mat.Norm(&d, 2) > 1e-9*mat.Norm(m.Projection, 2) {
		t.Errorf("directions differ by %g", mat.Norm(&d, 2))
	}
	// With labels, a lonely document of a class has a response: the response of its class.
	known := make([]int, 45)
	for i := range known {
		known[i] = labels.Unknown
		if i%9 >= 6 {
			known[i] = i % 3
		}
	}
	semi := must.Get(SemiResponses(ctx, g, known, 3, Options{Dims: 2}))(t)
	if len(semi.Without) != 0 {
		t.Errorf("documents %v have no response", semi.Without)
	}
	for i, a := range known {
		for j, b := range known[:i] {
			if a == labels.Unknown || b == labels.Unknown {
				continue
			}
			gap := math.Hypot(semi.Y.At(i, 0)-semi.Y.At(j, 0), semi.Y.At(i, 1)-semi.Y.At(j, 1))
			if (a == b) != (gap < 0.1*mat.Norm(semi.Y, 2)) {
				t.Fatalf("documents %d and %d of classes %d and %d are %g apart", i, j, a, b, gap)
			}
		}
	}
}

func TestCardinalities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 14))
	x, g := topics(rng, 60, 80, 3, false), graphOf(rng, 60, 3, false)
	r := must.Get(NeighborResponses(ctx, g, Options{Dims: 3}))(t)
	fit := func(opt Options) *Model {
		m := must.Get(FitResponses(ctx, x, r, opt))(t)
		return m
	}
	all := fit(Options{Terms: count(30)})
	for _, k := range []int{1, 7, 30} {
		cut := must.Get(all.WithTerms(ctx, k))(t)
		anew := fit(Options{Terms: count(k)})
		if !mat.Equal(cut.Projection, anew.Projection) || !mat.Equal(cut.Embedding, anew.Embedding) || cut.Sparsity() != anew.Sparsity() ||
			!mat.Equal(cut.Responses.Y, anew.Responses.Y) || !slices.Equal(cut.Correlations, anew.Correlations) || !slices.Equal(cut.Intercepts, anew.Intercepts) {
			t.Errorf("a path cut at %d terms differs from one followed to there", k)
		}
	}
	share := fit(Options{Terms: method.Amount{Share: 0.1}}) // of the 79 columns with an entry
	if share.Asked != 8 || share.Occurring != 79 {
		t.Errorf("%d terms of %d", share.Asked, share.Occurring)
	}
	if s := share.Sparsity(); math.Abs(s-(1-float64(share.Projection.NNZ())/(79*3))) > 1e-15 {
		t.Errorf("sparsity %v", s)
	}
	y := must.Get(all.Transform(ctx, x.SelectRows([]int{3, 50})))(t)
	if !mat.Equal(y.RowView(1), all.Embedding.RowView(50)) {
		t.Error("a document of the fit moved")
	}
}

func TestThreadsAndRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	x, g := topics(rng, 300, 80, 3, true), graphOf(rng, 300, 3, true)
	for _, opt := range []Options{{Dims: 3, Terms: count(10)}, {Dims: 3, Penalty: Ridge, Ridge: ridge(1)}} {
		paralleltest.Same(t, opt.Penalty, []int{1, 3}, func() *Model {
			return must.Get(FitGraph(ctx, x, g, opt))(t)
		})
	}
	fitted := must.Get(Fit(ctx, x, Options{Dims: 2, Terms: count(5)}))(t)
	one := make([]int, 300)
	zero := &Responses{Y: mat.NewDense(300, 1, nil)}
	if m, err := FitResponses(ctx, x, zero, Options{}); err != nil || m.Cardinality[0] != 0 || mat.Norm(m.Embedding, 2) != 0 {
		t.Errorf("a response of zeros: %v", err)
	}
	everyone := &Responses{Y: mat.NewDense(300, 1, nil)}
	for i := range 300 {
		everyone.Without = append(everyone.Without, i)
	}
	for name, run := range map[string]func() error{
		"options": func() error {
			_, err := FitResponses(ctx, x, zero, Options{Terms: method.Amount{Count: -1, Share: 2}, Ridge: ridge(-1), Scale: "?"})
			return err
		},
		"two": func() error {
			_, err := FitResponses(ctx, x, zero, Options{Terms: method.Amount{Count: 1, Share: 0.5}})
			return err
		},
		"penalty": func() error { _, err := FitResponses(ctx, x, zero, Options{Penalty: "?"}); return err },
		"lasso":   func() error { _, err := FitResponses(ctx, x, zero, Options{Ridge: ridge(1)}); return err },
		"net": func() error {
			_, err := FitResponses(ctx, x, zero, Options{Penalty: ElasticNet, Ridge: ridge(0)})
			return err
		},
		"ridge": func() error {
			_, err := FitResponses(ctx, x, zero, Options{Penalty: Ridge, Terms: count(3)})
			return err
		},
		"no dims":    func() error { _, err := Fit(ctx, x, Options{}); return err },
		"nothing":    func() error { _, err := Fit(ctx, nil, Options{Dims: 1}); return err },
		"size":       func() error { _, err := FitResponses(ctx, x.SelectRows([]int{1}), zero, Options{}); return err },
		"nobody":     func() error { _, err := FitResponses(ctx, x, everyone, Options{}); return err },
		"one class":  func() error { _, err := ClassResponses(one, 1); return err },
		"many terms": func() error { _, err := fitted.WithTerms(ctx, 6); return err },
		"columns":    func() error { _, err := fitted.Transform(ctx, x.SelectCols([]int{1})); return err },
		"unfitted":   func() error { _, err := (&Model{}).Transform(ctx, x); return err },
	} {
		if err := run(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(cancelled, x, Options{Dims: 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// checkDirection checks direction j of a model against the equations of its path; out says which
// documents take no part.
func checkDirection(t *rapid.T, x *sparse.CSR, m *Model, opt Options, j int, out []bool) {
	n := len(out)
	if m.Cardinality[j] > opt.Terms.Count {
		t.Fatalf("%d terms, asked for %d", m.Cardinality[j], opt.Terms.Count)
	}
	a := mat.Col(nil, j, m.Projection)
	residual := make([]float64, n)
	sum, count := 0.0, 0.0
	for i := range n {
		fitted := m.Intercepts[j]
		for l, v := range a {
			fitted += v * x.At(i, l)
		}
		if math.Abs(fitted-m.Embedding.At(i, j)) > 1e-12 {
			t.Fatalf("document %d stands at %v, X·a + b is %v", i, m.Embedding.At(i, j), fitted)
		}
		if !out[i] {
			residual[i] = m.Responses.Y.At(i, j) - fitted
			sum += residual[i]
			count++
		}
	}
	if !opt.NoIntercept && math.Abs(sum) > 1e-10 {
		t.Fatalf("residuals sum to %g", sum)
	}
	for l, v := range a {
		c := -opt.ridge() * v
		for i, r := range residual {
			c += x.At(i, l) * r
		}
		if v != 0 && math.Abs(c-m.Penalties[j]*math.Copysign(1, v)) > 1e-9 || math.Abs(c) > m.Penalties[j]+1e-9 {
			t.Fatalf("term %d of weight %v: x_jᵀr = %v at the penalty %v", l, v, c, m.Penalties[j])
		}
	}
	d := m.Directions(nil, 0)[j]
	if len(d.Weights) != m.Cardinality[j] || len(d.Weights) > 0 && d.Weights[0].Weight <= 0 {
		t.Fatalf("direction %+v", d)
	}
}
