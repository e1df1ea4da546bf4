package geodesic

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// randomLengths draws a graph of n nodes. About a fifth of its edges have length 0, and many
// lengths are equal if whole is true.
func randomLengths(n int, share float64, whole bool, seed uint64) *sparse.CSR {
	r := rand.New(rand.NewPCG(seed, 1))
	edges := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		for j := range i {
			if r.Float64() < share {
				v := r.Float64()
				if whole {
					v = float64(r.IntN(4))
				} else if v < 0.2 {
					v = 0
				}
				edges.Col, edges.Val = append(edges.Col, int32(j)), append(edges.Val, v)
			}
		}
		edges.RowPtr[i+1] = len(edges.Col)
	}
	return Union(edges)
}

// floydWarshall computes all distances by the Floyd-Warshall algorithm.
func floydWarshall(g *sparse.CSR) *mat.Dense {
	n := g.NumRows
	d := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			if i != j {
				d.Set(i, j, math.Inf(1))
			}
		}
		cols, vals := g.Row(i)
		for k, j := range cols {
			d.Set(i, int(j), vals[k])
		}
	}
	for m := range n {
		for i := range n {
			for j := range n {
				d.Set(i, j, min(d.At(i, j), d.At(i, m)+d.At(m, j)))
			}
		}
	}
	return d
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

func TestPropertyAgainstFloydWarshall(t *testing.T) {
	ctx := context.Background()
	defer native.SetThreads(0)
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		g := randomLengths(n, rapid.SampledFrom([]float64{0, 0.03, 0.1, 0.5}).Draw(t, "share"), rapid.Bool().Draw(t, "whole"), rapid.Uint64().Draw(t, "seed"))
		native.SetThreads(1)
		one := must.Get(Distances(ctx, g, Options{}))(t)
		native.SetThreads(3)
		all := must.Get(Distances(ctx, g, Options{}))(t)
		if !slices.Equal(one.D.RawMatrix().Data, all.D.RawMatrix().Data) {
			t.Fatal("the bits depend on the number of threads")
		}
		want, infinite := floydWarshall(g), int64(0)
		for i := range n {
			for j := range n {
				if !near(all.D.At(i, j), want.At(i, j)) {
					t.Fatalf("d(%d, %d) = %v, Floyd and Warshall say %v", i, j, all.D.At(i, j), want.At(i, j))
				}
				if all.D.At(i, j) != all.D.At(j, i) {
					t.Fatalf("d(%d, %d) differs from d(%d, %d)", i, j, j, i)
				}
				if math.IsInf(want.At(i, j), 1) {
					infinite++
				}
			}
		}
		if all.Unreached != infinite {
			t.Fatalf("%d pairs are told to have no path, there are %d", all.Unreached, infinite)
		}
		label, _ := Components(g)
		for i := range n {
			for j := range n {
				if (label[i] == label[j]) == math.IsInf(want.At(i, j), 1) {
					t.Fatal("components and infinite distances disagree")
				}
			}
		}
		sources := []int{n - 1, 0, n / 2}
		some := must.Get(Distances(ctx, g, Options{Sources: sources}))(t)
		for r, s := range sources {
			for j := range n {
				if !near(some.D.At(r, j), want.At(s, j)) {
					t.Fatal("landmark distances differ from the distances of all pairs")
				}
			}
		}
	})
}

func TestPropertyNearestAndMaxMin(t *testing.T) {
	ctx := context.Background()
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		g := randomLengths(n, rapid.SampledFrom([]float64{0.03, 0.15, 0.5}).Draw(t, "share"), true, rapid.Uint64().Draw(t, "seed"))
		k := rapid.IntRange(1, n).Draw(t, "k")
		want := floydWarshall(g) // integers: exact
		got := must.Get(Nearest(ctx, g, k, nil))(t)
		for i := range n {
			var order []int
			for j := range n {
				if j != i && !math.IsInf(want.At(i, j), 1) {
					order = append(order, j)
				}
			}
			slices.SortStableFunc(order, func(a, b int) int {
				switch da, db := want.At(i, a), want.At(i, b); {
				case da < db:
					return -1
				case da > db:
					return 1
				}
				return 0
			})
			order = order[:min(k, len(order))]
			slices.Sort(order)
			cols, vals := got.Row(i)
			if len(cols) != len(order) {
				t.Fatalf("node %d has %d neighbours, want %d", i, len(cols), len(order))
			}
			for c, j := range order {
				if int(cols[c]) != j || vals[c] != want.At(i, j) {
					t.Fatalf("neighbours of %d: %v %v, want %v", i, cols, vals, order)
				}
			}
		}
		count := rapid.IntRange(1, n).Draw(t, "count")
		table := must.Get(MaxMin(ctx, g, count, 5, Options{}))(t)
		chosen := map[int]bool{}
		for r, s := range table.Sources {
			if chosen[s] {
				t.Fatalf("landmark %d is chosen twice", s)
			}
			far := func(v int) float64 {
				d := math.Inf(1)
				for _, s := range table.Sources[:r] {
					d = min(d, want.At(s, v))
				}
				return d
			}
			for v := range n {
				if r > 0 && !chosen[v] && far(v) > far(s) {
					t.Fatalf("node %d is farther from the landmarks than %d, which was taken", v, s)
				}
				if table.D.At(r, v) != want.At(s, v) {
					t.Fatal("wrong distance from a landmark")
				}
			}
			chosen[s] = true
		}
	})
}

func cloud(n, d int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
	}
	return x
}

// Joined components are connected by the minimum spanning tree of the components, found here by
// Kruskal's method over all pairs of points.
func TestJoinIsTheMinimumSpanningTree(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(20) {
		x := cloud(40, 2, seed)
		for i := range 40 {
			x.Set(i, 0, x.At(i, 0)+float64(i%5)*8) // five groups, and outliers
		}
		for _, form := range []mat.Matrix{x, sparseOf(t, x)} {
			g := must.Get(FromPoints(ctx, x, graph.Options{Neighbors: 2}))(t)
			label, count := Components(g)
			joined, links, err := Join(ctx, form, g)
			if err != nil {
				t.Fatal(err)
			}
			if _, left := Components(joined); left != 1 || links != count-1 {
				t.Fatalf("%d parts were joined by %d links and %d are left", count, links, left)
			}
			must.Do(t, Check(joined))
			type pair struct {
				a, b int
				d    float64
			}
			var pairs []pair
			for i := range 40 {
				for j := range i {
					pairs = append(pairs, pair{j, i, math.Hypot(x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1))})
				}
			}
			slices.SortFunc(pairs, func(p, q pair) int {
				if p.d < q.d {
					return -1
				}
				return 1
			})
			part := slices.Clone(label)
			for _, p := range pairs {
				from, to := part[p.b], part[p.a]
				if from == to {
					continue
				}
				if got := joined.At(p.a, p.b); !near(got, p.d) {
					t.Fatalf("the link (%d, %d) of length %v is missing", p.a, p.b, p.d)
				}
				for v := range part {
					if part[v] == from {
						part[v] = to
					}
				}
			}
			if joined.NNZ() != g.NNZ()+2*links {
				t.Fatal("the joined graph has other edges than the graph and the links")
			}
		}
	}
}

func sparseOf(t *testing.T, x mat.Matrix) *sparse.CSR {
	t.Helper()
	s := must.Get(sparse.FromMatrix(x))(t)
	return s
}

func TestLengthsOfSparseAndDenseRows(t *testing.T) {
	ctx := context.Background()
	x := cloud(30, 6, 3)
	x.Apply(func(_, _ int, v float64) float64 {
		if v < 0.3 {
			return 0
		}
		return math.Round(4 * v)
	}, x)
	g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 5}))(t)
	dense := must.Get(Lengths(ctx, x, g.W))(t)
	thin := must.Get(Lengths(ctx, sparseOf(t, x), g.W))(t)
	if !slices.Equal(dense.Val, thin.Val) {
		t.Fatal("sparse and dense rows of small whole numbers give different lengths")
	}
	diff := mat.NewVecDense(6, nil)
	for i := range 30 {
		cols, vals := dense.Row(i)
		for k, j := range cols {
			diff.SubVec(x.RowView(i), x.RowView(int(j)))
			if !near(vals[k], mat.Norm(diff, 2)) {
				t.Fatalf("length of (%d, %d): %v, want %v", i, j, vals[k], mat.Norm(diff, 2))
			}
		}
	}
}

func TestWrongRequests(t *testing.T) {
	ctx := context.Background()
	g := randomLengths(20, 0.3, false, 1)
	one := func(i, j int32, a, b float64) *sparse.CSR {
		return &sparse.CSR{NumRows: 2, NumCols: 2, RowPtr: []int{0, 1, 2}, Col: []int32{i, j}, Val: []float64{a, b}}
	}
	cases := map[string]error{}
	add := func(name string, _ *Table, err error) { cases[name] = err }
	try := func(name string, g *sparse.CSR, opt Options) {
		table, err := Distances(ctx, g, opt)
		add(name, table, err)
	}
	_, tight := Distances(memory.Bound(ctx, 8*400-1), g, Options{})
	cases["memory"] = tight
	for left, way := range map[int64]string{8*20 - 1: "give fewer documents, or", 8 * 60: "use at most 3 landmarks, or"} {
		if _, err := Distances(memory.Bound(ctx, left), g, Options{}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), way) {
			t.Errorf("%d bytes: %v", left, err)
		}
	}
	try("negative", one(1, 0, -1, -1), Options{})
	try("nan", one(1, 0, math.NaN(), 1), Options{})
	try("infinite", one(1, 0, math.Inf(1), math.Inf(1)), Options{})
	try("asymmetric", one(1, 0, 1, 2), Options{})
	try("one way, of length 0", &sparse.CSR{NumRows: 2, NumCols: 2, RowPtr: []int{0, 1, 1}, Col: []int32{1}, Val: []float64{0}}, Options{})
	try("empty", &sparse.CSR{RowPtr: []int{0}}, Options{})
	try("not square", &sparse.CSR{NumRows: 1, NumCols: 2, RowPtr: []int{0, 0}}, Options{})
	try("no such source", g, Options{Sources: []int{20}})
	try("no source", g, Options{Sources: []int{}})
	table, err := MaxMin(ctx, g, 21, 0, Options{})
	add("too many landmarks", table, err)
	for name, err := range cases {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if _, err := Distances(memory.Bound(ctx, 8*400), g, Options{}); err != nil {
		t.Errorf("a table that just fits is refused: %v", err)
	}
	far := mat.NewDense(3, 1, []float64{-1e200, 0, 1e200})
	if _, err := Lengths(ctx, far, randomLengths(3, 1, true, 1)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("distances that overflow: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g, err := FromPoints(ctx, cloud(3*checkEvery, 2, 4), graph.Options{Neighbors: 5})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := Distances(ctx, g, Options{Sources: []int{0}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Distances: %v", err)
	}
	if _, err := MaxMin(ctx, g, 3, 0, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("MaxMin: %v", err)
	}
	if _, err := Nearest(ctx, g, 3, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Nearest: %v", err)
	}
	visited := 0
	err = NewSearch(g).From(ctx, 0, func(int32, float64) bool { visited++; return true })
	if !errors.Is(err, context.Canceled) || visited > checkEvery {
		t.Errorf("a search goes on for %d nodes: %v", visited, err)
	}
}

// Twenty-four sources in a graph of 20,000 points with ten neighbours each; reports nodes per
// second.
func BenchmarkDistances(b *testing.B) {
	ctx := context.Background()
	g := must.Get(FromPoints(ctx, cloud(20000, 3, 5), graph.Options{Neighbors: 10}))(b)
	sources := make([]int, 24)
	for i := range sources {
		sources[i] = 800 * i
	}
	for b.Loop() {
		if _, err := Distances(ctx, g, Options{Sources: sources}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*24*20000/b.Elapsed().Seconds(), "nodes/s")
}
