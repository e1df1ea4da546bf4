package graph

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
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Small integers: squared distances are exact.
func wholePoints(n, d int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 9))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, float64(r.IntN(9)))
		}
	}
	return x
}

func squared(x *mat.Dense, i, j int) float64 {
	d := 0.0
	for c, v := range x.RawRowView(i) {
		d += (v - x.At(j, c)) * (v - x.At(j, c))
	}
	return d
}

// Every rule compared with its definition, on the edges of the binary graph.
func TestPropertyWidthRules(t *testing.T) {
	ctx := context.Background()
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(4, 40).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "k")
		x := wholePoints(n, 2, rapid.Uint64().Draw(t, "seed"))
		symmetry := rapid.SampledFrom([]Symmetry{Union, Mutual}).Draw(t, "symmetry")
		pattern := must.Get(Build(ctx, x, Options{Neighbors: k, Weight: Binary, Symmetry: symmetry}))(t)
		var edges, all []float64
		for i := range n {
			for j := range i {
				all = append(all, squared(x, i, j))
				if pattern.W.At(i, j) != 0 {
					edges = append(edges, squared(x, i, j))
				}
			}
		}
		if len(edges) == 0 {
			return
		}
		slices.Sort(edges)
		mean := func(v []float64) (s float64) {
			for _, e := range v {
				s += e
			}
			return s / float64(len(v))
		}
		m := len(edges)
		widths := map[WidthRule]float64{"": mean(edges), MeanWidth: mean(edges), MedianWidth: (edges[(m-1)/2] + edges[m/2]) / 2, PairsWidth: mean(all)}
		for rule, want := range widths {
			g := must.Get(Build(ctx, x, Options{Neighbors: k, Weight: Heat, Symmetry: symmetry, HeatRule: rule}))(t)
			if math.Abs(g.HeatWidth-want) > 1e-12*want {
				t.Fatalf("rule %q: t = %v, want %v", rule, g.HeatWidth, want)
			}
		}

		neighbor := rapid.IntRange(1, 4).Draw(t, "neighbor")
		opt := Options{Neighbors: k, Weight: Heat, Symmetry: symmetry, HeatRule: LocalWidth, LocalNeighbor: neighbor, HeatWidth: 1.5}
		g := must.Get(Build(ctx, x, opt))(t)
		sigma := func(i int) float64 {
			var d []float64
			for j := range n {
				if pattern.W.At(i, j) != 0 {
					d = append(d, squared(x, i, j))
				}
			}
			slices.Sort(d)
			for at := min(neighbor, len(d)) - 1; ; at++ {
				if d[at] > 0 || at == len(d)-1 {
					return math.Sqrt(d[at])
				}
			}
		}
		for i := range n {
			for j := range i {
				want := 0.0
				if pattern.W.At(i, j) != 0 {
					want = 1
					if d := squared(x, i, j); d > 0 {
						want = math.Exp(-d / (1.5 * sigma(i) * sigma(j)))
					}
				}
				if got := g.W.At(i, j); math.Abs(got-want) > 1e-14 || got != g.W.At(j, i) {
					t.Fatalf("weight (%d, %d) = %v, want %v", i, j, got, want)
				}
			}
		}
	})
}

// In a union graph with at least k neighbours the scale is the distance of the k-th nearest of all
// points.
func TestLocalScaleIsTheNeighboursDistance(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(60, 3, nil)
	r := rand.New(rand.NewPCG(4, 4))
	x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, x)
	g, err := Build(ctx, x, Options{Neighbors: 9, Weight: Heat, HeatRule: LocalWidth})
	if err != nil {
		t.Fatal(err)
	}
	near := must.Get(Nearest(ctx, x, DefaultLocalNeighbor, nil))(t)
	for i, s := range g.Scales {
		if _, d2, _ := near.Row(i); s != math.Sqrt(d2[DefaultLocalNeighbor-1]) {
			t.Fatalf("point %d has scale %v, its seventh neighbour the distance %v", i, s, math.Sqrt(d2[DefaultLocalNeighbor-1]))
		}
	}
	// Each cluster has its own scale: shrinking the data changes no weight.
	small := mat.NewDense(60, 3, nil)
	small.Scale(1.0/64, x)
	h := must.Get(Build(ctx, small, Options{Neighbors: 9, Weight: Heat, HeatRule: LocalWidth}))(t)
	for k, v := range g.W.Val {
		if math.Abs(v-h.W.Val[k]) > 1e-12 {
			t.Fatal("local scaling depends on the scale of the data")
		}
	}
	// New points: copies get their rows of the graph, others get weights from both scales.
	a := must.Get(Attach(ctx, x, g.Reference(x, Options{Neighbors: 9, Weight: Heat, HeatRule: LocalWidth}), nil))(t)
	if !slices.Equal(a.W.Val, g.W.Val) {
		t.Fatal("points of the graph do not get their own affinities")
	}
	fresh := mat.NewDense(1, 3, []float64{0.1, -0.2, 0.3})
	a, err = Attach(ctx, fresh, g.Reference(x, Options{Neighbors: 9, Weight: Heat, HeatRule: LocalWidth}), nil)
	if err != nil {
		t.Fatal(err)
	}
	own := must.Get(NearestAmong(ctx, fresh, x, DefaultLocalNeighbor, nil))(t)
	sigma := math.Sqrt(own.Dist2[DefaultLocalNeighbor-1])
	cols, vals := a.W.Row(0)
	if len(cols) < 9 {
		t.Fatalf("the new point has only %d neighbours", len(cols))
	}
	for k, j := range cols {
		d := 0.0
		for c := range 3 {
			d += math.Pow(fresh.At(0, c)-x.At(int(j), c), 2)
		}
		if want := math.Exp(-d / (sigma * g.Scales[j])); math.Abs(vals[k]-want) > 1e-13 {
			t.Fatalf("affinity to %d is %v, want %v", j, vals[k], want)
		}
	}
}

func TestMeanSquaredDistance(t *testing.T) {
	x := wholePoints(25, 4, 3)
	sum := 0.0
	for i := range 25 {
		for j := range i {
			sum += squared(x, i, j)
		}
	}
	s := must.Get(sparse.FromMatrix(x))(t)
	for _, m := range []mat.Matrix{x, s, mat.DenseCopyOf(x.T()).T()} {
		if got, want := MeanSquaredDistance(m), sum/300; math.Abs(got-want) > 1e-12*want {
			t.Errorf("%T: %v, want %v", m, got, want)
		}
	}
	if got := MeanSquaredDistance(mat.NewDense(1, 2, []float64{1, 2})); got != 0 {
		t.Errorf("one row: %v", got)
	}
}

func TestLocalScaleOfCopies(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(20, 1, nil) // ten copies of 0, ten of 5
	for i := 10; i < 20; i++ {
		x.Set(i, 0, 5)
	}
	for _, rule := range []WidthRule{MeanWidth, MedianWidth, PairsWidth, LocalWidth} {
		for _, k := range []int{4, 12} {
			g := must.Get(Build(ctx, x, Options{Neighbors: k, Weight: Heat, HeatRule: rule}))(t)
			if g.W.At(0, 1) != 1 {
				t.Errorf("%s, %d neighbours: copies have the weight %v", rule, k, g.W.At(0, 1))
			}
		}
	}
}

func TestFromDistances(t *testing.T) {
	ctx := context.Background()
	x := wholePoints(30, 3, 8)
	for _, rule := range []WidthRule{MeanWidth, MedianWidth, LocalWidth} {
		opt := Options{Neighbors: 5, HeatRule: rule}
		want := must.Get(Build(ctx, x, opt))(t)
		d := want.W.Clone()
		for i := range 30 {
			for k := d.RowPtr[i]; k < d.RowPtr[i+1]; k++ {
				d.Val[k] = squared(x, i, int(d.Col[k]))
			}
		}
		got := must.Get(FromDistances(d, opt))(t)
		if !slices.Equal(got.W.Val, want.W.Val) || got.HeatWidth != want.HeatWidth {
			t.Errorf("%s: not the graph that Build makes", rule)
		}
	}
	edge := func(v float64) *sparse.CSR {
		return &sparse.CSR{NumRows: 2, NumCols: 2, RowPtr: []int{0, 1, 2}, Col: []int32{1, 0}, Val: []float64{v, v}}
	}
	for name, err := range map[string]error{
		"negative": second(FromDistances(edge(-1), Options{})), "infinite": second(FromDistances(edge(math.Inf(1)), Options{})),
		"dot": second(FromDistances(edge(1), Options{Weight: Dot})), "pairs": second(FromDistances(edge(1), Options{HeatRule: PairsWidth})),
		"rule": second(FromDistances(edge(1), Options{HeatRule: "median of medians", LocalNeighbor: -1})),
	} {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ *Graph, err error) error { return err }

// The median of an even number of edges is the mean of the middle two.
func TestMedianOfAnEvenNumber(t *testing.T) {
	for _, c := range []struct {
		dist2 []float64 // of the edges of a path
		want  float64
	}{{[]float64{1, 3}, 2}, {[]float64{9, 1, 4, 2}, 3}, {[]float64{5, 1, 2}, 2}} {
		b := sparse.NewBuilder(len(c.dist2)+1, len(c.dist2)+1)
		for i, d := range c.dist2 {
			b.Add(i, i+1, d)
			b.Add(i+1, i, d)
		}
		x := must.Get(b.Build())(t)
		g := must.Get(FromDistances(x, Options{Weight: Heat, HeatRule: MedianWidth}))(t)
		if g.HeatWidth != c.want {
			t.Errorf("edges of squared lengths %v: width %v, want %v", c.dist2, g.HeatWidth, c.want)
		}
	}
}
