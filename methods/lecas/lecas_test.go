package lecas

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// blobs draws n rows around k corners, apart from each other by about apart·√d; truth is i mod k.
func blobs(n, d, k int, apart float64, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 5))
	corner := mat.NewDense(k, d, nil)
	corner.Apply(func(_, _ int, _ float64) float64 { return apart * rng.NormFloat64() }, corner)
	x, truth := mat.NewDense(n, d, nil), make([]int, n)
	x.Apply(func(i, j int, _ float64) float64 { return corner.At(i%k, j) + rng.NormFloat64() }, x)
	for i := range truth {
		truth[i] = i % k
	}
	return x, truth
}

func fitOK(t testing.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

// With one cluster, found or given, the result is Laplacian Eigenmaps bit for bit.
func TestOneClusterIsLE(t *testing.T) {
	x, _ := blobs(500, 6, 4, 0.5, 1)
	a := must.Get(sparse.FromMatrix(x))(t)
	for name, data := range map[string]mat.Matrix{"dense": x, "sparse": a} {
		sigma := must.Get(kernelkmeans.MeanSquaredDistance(ctx, data))(t)
		want := must.Get(le.Fit(ctx, data, le.Options{Dims: 4, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 10, Weight: graph.Heat, HeatWidth: sigma}}}))(t)
		nobody := make([]int, 500)
		for i := range nobody {
			nobody[i] = -1
		}
		for how, opt := range map[string]Options{
			"found":  {Search: Search{Clusters: 1}},
			"given":  {Labels: make([]int, 500)},
			"nobody": {Labels: nobody},
		} {
			opt.LE.Dims = 4
			m := fitOK(t, data, opt)
			if !slices.Equal(m.Embedding.RawMatrix().Data, want.Embedding.RawMatrix().Data) || !slices.Equal(m.Values, want.Values) {
				t.Errorf("%s, one cluster %s: not the bits of Laplacian Eigenmaps", name, how)
			}
			if m.Sigma != sigma || m.Between != 0 || m.Lost != 0 {
				t.Errorf("σ = %v, %v of the edges between clusters, %d lost", m.Sigma, m.Between, m.Lost)
			}
		}
	}
}

// Given labels and σ → 0 leave exactly the edges within labels; the eigenvalues 0 that this makes
// are left out.
func TestSigmaToZeroSplitsByLabel(t *testing.T) {
	x, truth := blobs(240, 3, 3, 0.4, 2)
	g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 12, Weight: graph.Binary}))(t)
	if g.Components != 1 {
		t.Fatalf("%d components: the test tests nothing", g.Components)
	}
	m := must.Get(FitGraph(ctx, g, x, Options{Labels: truth, Sigma: 1e-8, LE: le.Options{Dims: 3, Skip: le.SkipZeros}}))(t)
	within := 0
	for i := range g.W.NumRows {
		js, _ := g.W.Row(i)
		for _, j := range js {
			if truth[i] == truth[j] {
				within++
				if m.Adjusted.W.At(i, int(j)) != 1 {
					t.Fatalf("edge %d-%d within a label has weight %v", i, j, m.Adjusted.W.At(i, int(j)))
				}
			}
		}
	}
	if m.Adjusted.W.NNZ() != within || m.Lost != (g.W.NNZ()-within)/2 {
		t.Errorf("%d edges are left, %d within labels; %d lost", m.Adjusted.W.NNZ(), within, m.Lost)
	}
	if m.Adjusted.Components < 3 {
		t.Errorf("%d components for 3 labels", m.Adjusted.Components)
	}
	of := map[int32]int{}
	for i, c := range m.Adjusted.Component {
		if l, seen := of[c]; seen && l != truth[i] {
			t.Fatalf("component %d holds labels %d and %d", c, l, truth[i])
		}
		of[c] = truth[i]
	}
	for _, v := range m.Values {
		if v < 1e-9 {
			t.Errorf("values %v: zeros are to be skipped", m.Values)
		}
	}
	if math.Abs(m.Between-float64(g.W.NNZ()-within)/float64(g.W.NNZ())) > 1e-15 {
		t.Errorf("share between clusters %v", m.Between)
	}
}

// The adjusted weights follow the printed formula for both readings, any labels and any edge
// weight; and symmetric bit for bit.
func TestWeightsLiterally(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(4, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		x, _ := blobs(n, d, 3, 1, rapid.Uint64().Draw(t, "seed"))
		labels := rapid.SliceOfN(rapid.SampledFrom([]int{-3, -1, 0, 4, 9, 70}), n, n).Draw(t, "labels")
		opt := Options{Labels: labels, Denominator: rapid.SampledFrom([]Denominator{"", Sigma, SigmaSquared}).Draw(t, "denominator"),
			Sigma: rapid.SampledFrom([]float64{0, 0.3, 20}).Draw(t, "sigma"), LE: le.Options{Dims: 1, Skip: le.SkipNone}}
		opt.LE.Graph.Neighbors = rapid.IntRange(1, min(n-1, 6)).Draw(t, "neighbours")
		heat := rapid.Bool().Draw(t, "heat")
		if !heat {
			opt.LE.Graph.Weight = graph.Binary
		}
		m := must.Get(Fit(ctx, x, opt))(t)
		dist := func(a, b []float64) (s float64) {
			for c := range a {
				s += (a[c] - b[c]) * (a[c] - b[c])
			}
			return s
		}
		sigma := opt.Sigma
		if sigma == 0 {
			for i := range n {
				for j := range n {
					sigma += dist(x.RawRowView(i), x.RawRowView(j)) / float64(n*(n-1))
				}
			}
		}
		if math.Abs(m.Sigma-sigma) > 1e-12*sigma {
			t.Fatalf("σ = %v, over all pairs %v", m.Sigma, sigma)
		}
		under := sigma
		if opt.Denominator == SigmaSquared {
			under = sigma * sigma
		}
		mean := func(label int) []float64 {
			u, size := make([]float64, d), 0.0
			for i, l := range labels {
				if l == label {
					size++
					for c := range d {
						u[c] += x.At(i, c)
					}
				}
			}
			for c := range u {
				u[c] /= size
			}
			return u
		}
		w := m.Adjusted.W
		for i := range n {
			for j := range n {
				if m.Graph.W.At(i, j) == 0 {
					if w.At(i, j) != 0 {
						t.Fatalf("a new edge %d-%d", i, j)
					}
					continue
				}
				want := 1.0
				if heat {
					want = math.Exp(-dist(x.RawRowView(i), x.RawRowView(j)) / under)
				}
				if labels[i] != labels[j] && labels[i] >= 0 && labels[j] >= 0 {
					want *= math.Exp(-dist(mean(labels[i]), mean(labels[j])) / under)
				}
				if math.Abs(w.At(i, j)-want) > 1e-12 || w.At(i, j) != w.At(j, i) {
					t.Fatalf("weight %d-%d is %v (%v from the other side), by the formula %v", i, j, w.At(i, j), w.At(j, i), want)
				}
			}
		}
	})
}

// The coordinates solve the eigenproblem of the adjusted graph.
func TestEigenproblem(t *testing.T) {
	x, _ := blobs(600, 5, 4, 1, 3)
	m := fitOK(t, x, Options{LE: le.Options{Dims: 5, Skip: le.SkipZeros}})
	n, k := m.Embedding.Dims()
	wy := mat.NewDense(n, k, nil)
	m.Adjusted.W.MulBlock(wy.RawMatrix(), m.Embedding.RawMatrix())
	for j := range k {
		if m.Values[j] <= 0 || j > 0 && m.Values[j] < m.Values[j-1] {
			t.Fatalf("values %v", m.Values)
		}
		for i := range n {
			if r := m.Adjusted.Degrees[i]*m.Embedding.At(i, j)*(1-m.Values[j]) - wy.At(i, j); math.Abs(r) > 1e-7 {
				t.Fatalf("coordinate %d: Ly − λDy has an entry %g", j, r)
			}
		}
	}
	if m.Graph == m.Adjusted || m.Between <= 0 {
		t.Error("nothing was adjusted: the test tests nothing")
	}
}

// The number of clusters is found by both clusterings and both rules, exact and simplified, with
// any number of threads.
func TestChooseClusters(t *testing.T) {
	defer native.SetThreads(0)
	x, truth := blobs(320, 4, 5, 6, 4)
	a := must.Get(sparse.FromMatrix(x))(t)
	for _, s := range []Search{{}, {By: ByMean}, {Clustering: KMeans}, {Simplified: true}, {Clustering: KMeans, By: ByMean, Simplified: true},
		{Init: kernelkmeans.Random, Starts: 12}} {
		var first *Choice
		ctx := ctx
		if s.Init == kernelkmeans.Random { // rows of the kernel are computed when they are needed
			ctx = memory.Bound(ctx, 8*320*320-1)
		}
		for threads, data := range []mat.Matrix{x, a, x} {
			native.SetThreads(threads + 1)
			c := must.Get(ChooseClusters(ctx, data, s))(t)
			if c.Clusters != 5 || len(c.Tried) != 9 || len(c.Best) != 9 || len(c.Mean) != 9 {
				t.Fatalf("%+v: %d clusters; best %v, mean %v", s, c.Clusters, c.Best, c.Mean)
			}
			for i, l := range c.Labels {
				if l != c.Labels[truth[i]] {
					t.Fatalf("%+v: row %d is not with row %d", s, i, truth[i])
				}
			}
			for q := range c.Best {
				if c.Mean[q] > c.Best[q]+1e-15 {
					t.Errorf("mean %v above the best %v", c.Mean[q], c.Best[q])
				}
			}
			if (c.Kernel == nil) != (s.Clustering == KMeans) {
				t.Error("the kernel's model is not where it belongs")
			}
			if threads == 2 && (!slices.Equal(c.Labels, first.Labels) || !slices.Equal(c.Best, first.Best)) {
				t.Error("other bits at three threads")
			}
			if first == nil {
				first = c
			}
		}
	}
	c, err := ChooseClusters(ctx, x, Search{Clusters: 3})
	if err != nil || c.Clusters != 3 || !slices.Equal(c.Tried, []int{3}) || c.Best != nil {
		t.Errorf("three asked: %+v, %v", c, err)
	}
	if c, err = ChooseClusters(ctx, x, Search{Clusters: 5, Starts: 1, Clustering: KMeans}); err != nil || c.Clusters != 5 {
		t.Errorf("five asked, from one start: %+v, %v", c, err)
	}
}

func TestChooseClustersOfEqualRows(t *testing.T) {
	few := mat.NewDense(3, 1, []float64{1, 1, 5})
	c, err := ChooseClusters(ctx, few, Search{})
	if err != nil || c.Clusters != 2 {
		t.Errorf("three rows, two of them equal: %+v, %v", c, err)
	}
	same := mat.NewDense(4, 1, []float64{2, 2, 2, 2})
	if c, err = ChooseClusters(ctx, same, Search{}); err != nil || c.Clusters != 1 {
		t.Errorf("equal rows: %+v, %v", c, err)
	}
}

func TestRefuses(t *testing.T) {
	x, truth := blobs(30, 2, 3, 2, 1)
	g := must.Get(graph.Build(ctx, x, graph.Options{}))(t)
	ok := le.Options{Dims: 1}
	for name, opt := range map[string]Options{
		"dims":        {},
		"labels":      {Labels: truth[:29], LE: ok},
		"sigma":       {Sigma: math.NaN(), LE: ok},
		"denominator": {Denominator: "cube", LE: ok},
		"clustering":  {Search: Search{Clustering: "ward"}, LE: ok},
		"by":          {Search: Search{By: "median"}, LE: ok},
		"bounds":      {Search: Search{MinClusters: 5, MaxClusters: 4}, LE: ok},
		"too many":    {Search: Search{Clusters: 31}, LE: ok},
		"up to many":  {Search: Search{MaxClusters: 31}, LE: ok},
		"negative":    {Search: Search{Starts: -1}, LE: ok},
		"precomputed": {Search: Search{Kernel: kernelkmeans.Precomputed}, LE: ok},
		"neighbours":  {LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: -2}}}},
	} {
		if _, err := Fit(ctx, x, opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
	if _, err := FitGraph(ctx, g, x.Slice(0, 20, 0, 2), Options{LE: ok}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("20 rows for 30 points: %v", err)
	}
	if _, err := Fit(ctx, nil, Options{LE: ok}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no data: %v", err)
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(stop, x, Options{LE: ok}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// New points are scaled as points of the graph are.
func TestScaleNewRows(t *testing.T) {
	x, truth := blobs(60, 3, 3, 1, 6)
	c := must.Get(NewCentroids(ctx, x, truth, 4))(t)
	g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 20}))(t)
	whole := must.Get(c.Adjust(g))(t)
	some := []int{7, 3, 50}
	got := must.Get(c.Scale(g.W.SelectRows(some), []int{truth[7], truth[3], truth[50]}, c.Labels))(t)
	want := whole.W.SelectRows(some)
	if !slices.Equal(got.Col, want.Col) || !slices.Equal(got.Val, want.Val) {
		t.Error("rows by themselves are scaled in another way than in the graph")
	}
	for _, rows := range [][]int{{0}, {0, 1, 3}} {
		if _, err := c.Scale(g.W.SelectRows(some), rows, c.Labels); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("labels %v: %v", rows, err)
		}
	}
}
