package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literal builds the affinity matrix directly from the definitions.
func literal(x *mat.Dense, isSparse bool, opt Options) *mat.Dense {
	n, d := x.Dims()
	w := mat.NewDense(n, n, nil)
	rows := []int{}
	for i := range n {
		if !isSparse && d <= 3 || mat.Norm(x.RowView(i), 1) > 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) < 2 {
		return w
	}
	kept := mat.NewDense(len(rows), x.RawMatrix().Cols, nil)
	for r, i := range rows {
		kept.SetRow(r, x.RawRowView(i))
	}
	all := bruteForce(kept, len(rows)-1)
	member := make([][]bool, n)
	for i := range member {
		member[i] = make([]bool, n)
	}
	dist2, dot := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for r, i := range rows {
		index, d2, prod := all.Row(r)
		for c, s := range index {
			j := rows[s]
			dist2.Set(i, j, d2[c])
			dot.Set(i, j, prod[c])
			near := c < opt.Neighbors
			if opt.Epsilon > 0 {
				near = d2[c] <= opt.Epsilon*opt.Epsilon
			}
			member[i][j] = near && (!isSparse || prod[c] > 0)
		}
	}
	joined := func(i, j int) int { // in how many of the two directions it holds
		both := 0
		if member[i][j] {
			both++
		}
		if member[j][i] {
			both++
		}
		if opt.Symmetry == Mutual && both < 2 {
			return 0
		}
		return both
	}
	width, edges := opt.HeatWidth, 0.0
	if width == 0 {
		for i := range n {
			for j := range i {
				if joined(i, j) > 0 {
					width += dist2.At(i, j)
					edges++
				}
			}
		}
		width /= edges
	}
	for i := range n {
		for j := range n {
			both := joined(i, j)
			if both == 0 {
				continue
			}
			v := literalWeight(opt, dist2.At(i, j), dot.At(i, j), width)
			if opt.Symmetry == Sum {
				v *= float64(both)
			}
			w.Set(i, j, max(v, 0))
		}
	}
	return w
}

func checkInvariants(t interface{ Fatalf(string, ...any) }, g *Graph) {
	w := g.W
	if _, err := sparse.NewCSR(w.NumRows, w.NumCols, w.RowPtr, w.Col, w.Val); err != nil {
		t.Fatalf("W: %v", err)
	}
	if !w.IsSymmetric(0) {
		t.Fatalf("W is not symmetric bit for bit")
	}
	for i := range w.NumRows {
		cols, vals := w.Row(i)
		sum := 0.0
		for k, v := range vals {
			if v <= 0 || int(cols[k]) == i {
				t.Fatalf("entry (%d, %d) = %v", i, cols[k], v)
			}
			if g.Component[i] != g.Component[cols[k]] {
				t.Fatalf("an edge between components")
			}
			sum += v
		}
		if g.Degrees[i] != sum || slices.Contains(g.Isolated, i) != (len(cols) == 0) {
			t.Fatalf("row %d: degree %v, isolated %v", i, g.Degrees[i], g.Isolated)
		}
	}
	if int(slices.Max(g.Component))+1 != g.Components {
		t.Fatalf("%d components, labels up to %d", g.Components, slices.Max(g.Component))
	}
}

func TestBuildIsTheDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := graphtest.DrawPoints(t)
		n, _ := x.Dims()
		opt := Options{
			Neighbors:  rapid.IntRange(1, n-1).Draw(t, "k"),
			Weight:     rapid.SampledFrom([]Weight{Dot, Binary, Heat, Poly}).Draw(t, "weight"),
			Symmetry:   rapid.SampledFrom([]Symmetry{Union, Mutual, Sum}).Draw(t, "symmetry"),
			HeatWidth:  rapid.SampledFrom([]float64{0, 0.5, 30}).Draw(t, "width"),
			PolyDegree: rapid.IntRange(1, 3).Draw(t, "degree"), PolyOffset: 1.5,
		}
		if rapid.Bool().Draw(t, "epsilon") {
			opt.Epsilon = rapid.SampledFrom([]float64{0.5, 1, 2, 3.5, 100}).Draw(t, "ε")
		}
		for _, m := range []mat.Matrix{x, graphtest.CSR(t, x)} {
			_, isSparse := m.(*sparse.CSR)
			g := must.Get(Build(background, m, opt))(t)
			checkInvariants(t, g)
			want := literal(x, isSparse, opt)
			got := g.W.ToDense()
			for i := range n {
				for j := range n {
					if v, w := got.At(i, j), want.At(i, j); math.Abs(v-w) > 1e-13*w {
						t.Fatalf("%T: W(%d, %d) = %v, want %v", m, i, j, v, w)
					}
				}
			}
		}
	})
}

func TestBuildDefaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := graphtest.Documents(60, 50, rng)
	same := func(what string, m mat.Matrix, a, b Options) {
		ga, errA := Build(background, m, a)
		gb, errB := Build(background, m, b)
		if errA != nil || errB != nil || !slices.Equal(ga.W.Val, gb.W.Val) || !slices.Equal(ga.W.Col, gb.W.Col) {
			t.Errorf("%s: the zero value is not the documented default (%v, %v)", what, errA, errB)
		}
	}
	same("sparse", x, Options{}, Options{Neighbors: 15, Weight: Dot, Symmetry: Union})
	same("dense", x.ToDense(), Options{}, Options{Neighbors: 15, Weight: Heat, Symmetry: Union})
	same("poly", x, Options{Weight: Poly}, Options{Weight: Poly, PolyDegree: 2, PolyOffset: 1})
	few := x.SelectRows([]int{0, 1, 2, 3})
	same("few documents", few, Options{}, Options{Neighbors: 3})
}

func TestBuildAtAnyThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rng := rand.New(rand.NewPCG(8, 8))
	docs := graphtest.Documents(530, 100, rng)
	for _, x := range []mat.Matrix{docs, docs.NormalizeRows(), docs.NormalizeRows().ToDense()} {
		for _, opt := range []Options{{}, {Weight: Heat, Symmetry: Mutual}, {Symmetry: Sum}, {Epsilon: 1.1, Weight: Heat}} {
			native.SetThreads(1)
			want := must.Get(Build(background, x, opt))(t)
			for _, threads := range []int{2, 3} {
				native.SetThreads(threads)
				got, err := Build(background, x, opt)
				if err != nil || !slices.Equal(got.W.RowPtr, want.W.RowPtr) || !slices.Equal(got.W.Col, want.W.Col) || !slices.Equal(got.W.Val, want.W.Val) {
					t.Errorf("%T %+v with %d threads: another graph (%v)", x, opt, threads, err)
				}
			}
		}
	}
}

// Without ties, documents in another order give the same graph in that order.
func TestBuildIsEquivariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n := 150
	b := sparse.NewBuilder(n, 80)
	for i := range n {
		for j := range 80 {
			if rng.IntN(3) == 0 {
				b.Add(i, j, rng.NormFloat64()+1)
			}
		}
	}
	x, _ := b.Build()
	perm := rng.Perm(n)
	for _, opt := range []Options{{}, {Weight: Binary, Symmetry: Mutual}, {Weight: Heat, Epsilon: 9}} {
		g := must.Get(Build(background, x, opt))(t)
		p := must.Get(Build(background, x.SelectRows(perm), opt))(t)
		want := g.W.SelectRows(perm).SelectCols(perm)
		if !slices.Equal(p.W.RowPtr, want.RowPtr) || !slices.Equal(p.W.Col, want.Col) || !mat.EqualApprox(p.W, want, 1e-13) {
			t.Errorf("%+v: the graph depends on the order of the documents", opt)
		}
	}
}

func TestEmptyDocumentsStayIsolated(t *testing.T) {
	// 0 and 3 are empty, 1 and 2 share a term, 4 shares none.
	b := sparse.NewBuilder(5, 3)
	b.Add(1, 0, 1)
	b.Add(2, 0, 2)
	b.Add(4, 2, 1)
	x, _ := b.Build()
	var notes []string
	opt := Options{Neighbors: 2, Weight: Binary, Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}
	g := must.Get(Build(background, x, opt))(t)
	checkInvariants(t, g)
	if !slices.Equal(g.Isolated, []int{0, 3, 4}) || g.Components != 4 || g.W.At(1, 2) != 1 || len(notes) != 0 {
		t.Errorf("isolated %v, %d components, notes %q", g.Isolated, g.Components, notes)
	}
	for _, x := range []*sparse.CSR{x.SelectRows([]int{0, 3}), x.SelectRows([]int{0, 1, 3}), x.SelectCols(nil)} {
		if g, err := Build(background, x, Options{}); err != nil || len(g.Isolated) != x.NumRows {
			t.Errorf("no edges possible: %+v %v", g, err)
		}
	}
}

func TestCopiesOnly(t *testing.T) {
	for _, x := range []mat.Matrix{
		mat.NewDense(4, 2, []float64{.3, .7, .3, .7, .3, .7, .3, .7}),
		graphtest.CSR(t, mat.NewDense(4, 2, []float64{.6, .8, .6, .8, .6, .8, .6, .8})),
	} {
		g := must.Get(Build(background, x, Options{Neighbors: 1, Weight: Heat}))(t)
		checkInvariants(t, g)
		if g.W.At(0, 1) != 1 || g.W.At(0, 2) != 1 || g.W.At(2, 3) != 0 {
			t.Errorf("%T: copies are joined to the lowest index with weight 1, got\n%v", x, mat.Formatted(g.W))
		}
	}
}

func TestPencil(t *testing.T) {
	x := graphtest.Documents(30, 20, rand.New(rand.NewPCG(1, 1)))
	g := must.Get(Build(background, x, Options{Neighbors: 3}))(t)
	p := must.Get(g.Pencil())(t)
	if _, count := p.Components(); count != g.Components {
		t.Errorf("%d components in the pencil, %d in the graph", count, g.Components)
	}
}

// literalWeight is an edge's weight by its definition.
func literalWeight(opt Options, dist2, dot, width float64) (v float64) {
	switch opt.Weight {
	case Dot:
		v = dot
	case Binary:
		v = 1
	case Heat:
		v = math.Exp(-dist2 / width)
		if width == 0 {
			v = 1
		}
	case Poly:
		v = math.Pow(max(0, opt.PolyOffset+dot), float64(opt.PolyDegree))
	}
	return v
}
