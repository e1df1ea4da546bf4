package sle

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func cloud(n, d int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, x)
	return x
}

// Sizes, threshold and edges against their definitions on the whole table of geodesic distances.
func TestPropertyLiteralNeighborhoods(t *testing.T) {
	ctx := context.Background()
	defer native.SetThreads(0)
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 50).Draw(t, "n")
		most := rapid.IntRange(1, 5).Draw(t, "most")
		least := rapid.IntRange(1, most).Draw(t, "least")
		x := cloud(n, rapid.IntRange(1, 3).Draw(t, "d"), rapid.Uint64().Draw(t, "seed"))
		opt := Options{MinNeighbors: least, Threshold: rapid.SampledFrom([]float64{0, 1.2}).Draw(t, "threshold"), LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: most}}}}
		native.SetThreads(rapid.IntRange(1, 3).Draw(t, "threads"))
		g, h, err := Graph(ctx, x, opt)
		if err != nil {
			t.Fatal(err)
		}
		base := must.Get(geodesic.FromPoints(ctx, x, graph.Options{Neighbors: least}))(t)
		table := must.Get(geodesic.Distances(ctx, base, geodesic.Options{}))(t)
		near := must.Get(graph.Nearest(ctx, x, most, nil))(t)
		ratio := func(i, c int) float64 {
			index, d2, _ := near.Row(i)
			return max(1, table.D.At(i, int(index[c]))/math.Sqrt(d2[c]))
		}
		sum, count := 0.0, 0.0
		for i := range n {
			for c := least; c < most; c++ {
				sum += 1 / ratio(i, c)
				count++
			}
		}
		threshold := opt.Threshold
		if threshold == 0 {
			if threshold = max(1, count/sum); sum == 0 {
				threshold = math.Inf(1)
			}
			if threshold != h.Threshold && math.Abs(threshold-h.Threshold) > 1e-12*threshold {
				t.Fatalf("threshold %v, want %v", h.Threshold, threshold)
			}
		}
		for i := range n {
			size := least
			for size < most && ratio(i, size) <= h.Threshold*(1+1e-12) && !math.IsInf(ratio(i, size), 1) {
				size++
			}
			if h.Sizes[i] != size {
				t.Fatalf("point %d has %d neighbours, want %d", i, h.Sizes[i], size)
			}
		}
		for i := range n {
			mine, _, _ := near.Row(i)
			for j := range n {
				other, _, _ := near.Row(j)
				want := slices.Contains(mine[:h.Sizes[i]], int32(j)) || slices.Contains(other[:h.Sizes[j]], int32(i))
				if (g.W.At(i, j) > 0) != want {
					t.Fatalf("edge (%d, %d): %v, want %v", i, j, g.W.At(i, j), want)
				}
			}
		}
	})
}

// If the least number of neighbours is the most, nothing is regulated, and the method is LE.
func TestNothingToRegulateIsLE(t *testing.T) {
	ctx := context.Background()
	x := cloud(120, 4, 3)
	shape := le.Options{Dims: 3, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 8}}}
	want := must.Get(le.Fit(ctx, x, shape))(t)
	got, h, err := Fit(ctx, x, Options{MinNeighbors: 8, LE: shape})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Graph.W.Val, want.Graph.W.Val) || !mat.Equal(got.Embedding, want.Embedding) {
		t.Error("not the embedding of LE")
	}
	if !math.IsInf(h.Threshold, 1) || slices.Min(h.Sizes) != 8 {
		t.Errorf("%+v", h)
	}
}

// Two sheets are close to each other: the straight way across is short, the way along the data
// long. Fixed neighbourhoods cross the gap, regulated ones do not.
func TestGapsAreNotLeapt(t *testing.T) {
	ctx := context.Background()
	const n = 200
	x := mat.NewDense(2*n, 2, nil)
	for i := range n { // a horseshoe of two arms at a distance of 2.5 steps
		x.SetRow(i, []float64{float64(i), 0})
		x.SetRow(n+i, []float64{float64(i) + 0.3, 2.5})
	}
	across := func(g *graph.Graph) (count int) {
		for i := range n {
			cols, _ := g.W.Row(i)
			for _, j := range cols {
				if j >= n {
					count++
				}
			}
		}
		return count
	}
	shape := graph.Options{Neighbors: 9, Weight: graph.Heat}
	fixed := must.Get(graph.Build(ctx, x, shape))(t)
	g, h, err := Graph(ctx, x, Options{LE: le.Options{Problem: nystrom.Problem{Graph: shape}}})
	if err != nil {
		t.Fatal(err)
	}
	if across(fixed) < n || 20*across(g) > across(fixed) { // near the open ends the way along is short
		t.Errorf("edges across the gap: %d fixed, %d regulated (threshold %v)", across(fixed), across(g), h.Threshold)
	}
}

func TestHostileData(t *testing.T) {
	ctx := context.Background()
	copies := mat.NewDense(30, 2, nil)
	for i := range 30 {
		copies.Set(i, 0, float64(i/10))
	}
	g, h, err := Graph(ctx, copies, Options{MinNeighbors: 2, LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 12}}}})
	if err != nil || g.Components != 3 || len(h.Sizes) != 30 {
		t.Errorf("copies: %v, %+v", err, h)
	}
	wrong := map[string]Options{
		"dims": {}, "least": {MinNeighbors: 9, LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 3}}}}, "threshold": {Threshold: 0.5, LE: le.Options{Dims: 1}},
		"weight":   {LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Weight: graph.Dot, Symmetry: graph.Mutual, Epsilon: 1}}}},
		"too many": {LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 30}}}},
	}
	for name, opt := range wrong {
		if _, _, err := Fit(ctx, copies, opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := Fit(cancelled, copies, Options{LE: le.Options{Dims: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
