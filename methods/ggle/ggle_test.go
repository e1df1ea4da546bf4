package ggle

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

// The graph against its definition on the whole table of geodesic distances.
func TestPropertyLiteralGraph(t *testing.T) {
	ctx := context.Background()
	defer native.SetThreads(0)
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(3, 40).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "k")
		x := cloud(n, 2, rapid.Uint64().Draw(t, "seed"))
		opt := Options{
			Reach: rapid.IntRange(1, 2*n).Draw(t, "reach"), Shape: rapid.SampledFrom([]float64{0, 0.5, 1, 2, 3.5}).Draw(t, "shape"),
			Width: rapid.SampledFrom([]float64{0, 0.7}).Draw(t, "width"), LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: k}}},
		}
		native.SetThreads(rapid.IntRange(1, 3).Draw(t, "threads"))
		g := must.Get(Graph(ctx, x, opt))(t)
		lengths := must.Get(geodesic.FromPoints(ctx, x, opt.LE.Graph))(t)
		table := must.Get(geodesic.Distances(ctx, lengths, geodesic.Options{}))(t)
		p := opt.Shape
		if p == 0 {
			p = 2
		}
		member := make([][]bool, n)
		for i := range n {
			var d []float64
			for j := range n {
				if j != i {
					d = append(d, table.D.At(i, j))
				}
			}
			slices.Sort(d)
			last := d[min(opt.Reach, n-1)-1]
			member[i] = make([]bool, n)
			for j := range n {
				member[i][j] = j != i && table.D.At(i, j) <= last*(1+1e-12) && !math.IsInf(table.D.At(i, j), 1)
			}
		}
		width, count := 0.0, 0.0
		for i := range n {
			for j := range n {
				if member[i][j] || member[j][i] {
					width += math.Pow(table.D.At(i, j), p)
					count++
				}
			}
		}
		if width /= count; opt.Width > 0 {
			width = opt.Width
		}
		for i := range n {
			for j := range n {
				want := 0.0
				if member[i][j] || member[j][i] {
					want = math.Exp(-math.Pow(table.D.At(i, j), p) / width)
				}
				if got := g.W.At(i, j); math.Abs(got-want) > 1e-11 {
					t.Fatalf("affinity (%d, %d) = %v, want %v", i, j, got, want)
				}
			}
		}
	})
}

// If all points are joined, geodesic distances are Euclidean, and with the Gaussian the method is
// LE.
func TestAllJoinedIsLE(t *testing.T) {
	ctx := context.Background()
	x := cloud(50, 3, 4)
	shape := graph.Options{Neighbors: 49, Weight: graph.Heat}
	want := must.Get(le.Fit(ctx, x, le.Options{Dims: 3, Problem: nystrom.Problem{Graph: shape}}))(t)
	got := must.Get(Fit(ctx, x, Options{LE: le.Options{Dims: 3, Problem: nystrom.Problem{Graph: shape}}}))(t)
	var diff mat.Dense
	diff.Sub(got.Embedding, want.Embedding)
	if off := mat.Norm(&diff, 2); off > 1e-8 {
		t.Errorf("embeddings differ by %.1e", off)
	}
}

func TestHostileData(t *testing.T) {
	ctx := context.Background()
	copies := mat.NewDense(30, 2, nil) // three places, ten copies each: no path between them with few neighbours
	for i := range 30 {
		copies.Set(i, 0, float64(i/10))
	}
	g := must.Get(Graph(ctx, copies, Options{LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 3}}}}))(t)
	if g.Components != 3 || g.W.At(0, 9) != 1 || g.W.At(0, 10) != 0 {
		t.Errorf("copies: %d components, affinity %v", g.Components, g.W.At(0, 9))
	}
	wrong := map[string]Options{
		"reach": {Reach: -1, LE: le.Options{Dims: 1}}, "shape": {Shape: math.NaN(), LE: le.Options{Dims: 1}}, "width": {Width: math.Inf(1), LE: le.Options{Dims: 1}},
		"dims": {}, "graph": {LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: -1}}}},
		"overflow": {Shape: 1e300, LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 29}}}},
	}
	far := cloud(30, 2, 1)
	far.Scale(10, far)
	for name, opt := range wrong {
		if _, err := Fit(ctx, far, opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	tight := memory.Bound(ctx, bytesPerEdge*29*30-1)
	if _, err := Fit(tight, far, Options{Reach: 29, LE: le.Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 2}}}}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("memory: the error is %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(cancelled, copies, Options{LE: le.Options{Dims: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
