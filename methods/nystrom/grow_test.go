package nystrom

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// drawnRows are sparse rows of length 1 with 6 of the columns from lo up to hi each.
func drawnRows(rng *rand.Rand, n, lo, hi, columns int) *sparse.CSR {
	x := mat.NewDense(n, columns, nil)
	for i := range n {
		for range 6 {
			x.Set(i, lo+rng.IntN(hi-lo), 1+rng.Float64())
		}
	}
	s, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return s.NormalizeRows()
}

// grownFrom makes an extension of n rows of 30 columns, with drawn coordinates.
func grownFrom(t *testing.T, rng *rand.Rand, n int, landmarks []int) (*Extension, *sparse.CSR) {
	t.Helper()
	x := drawnRows(rng, n, 0, 30, 30)
	opt := graph.Options{Neighbors: 7, Weight: graph.Dot}
	g := must.Get(graph.Build(context.Background(), x, opt))(t)
	e := &Extension{Coordinates: mat.NewDense(n, 2, nil), Values: []float64{0.1, 0.3}, NormalizeRows: true, Landmarks: landmarks}
	for i := range n {
		e.Coordinates.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	e.Join(x, g, opt)
	return e, x
}

// Rows that a model has grown by are where it put them, old rows are where they were, and other
// rows meet the graph that Build makes of old and new rows together.
func TestGrowPlacesByOldAndNewRows(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(5, 6))
	for _, columns := range []int{30, 36} {
		e, old := grownFrom(t, rng, 80, nil)
		wide := drawnRows(rng, 25, 20, columns, columns)
		narrow := wide.SelectCols(sequence(30)).NormalizeRows()
		before := must.Get(e.Place(ctx, narrow, nil))(t)
		if columns == 30 {
			wide = narrow
		}
		p, err := e.Grow(ctx, narrow, wide, 80, nil)
		if err != nil || p == nil {
			t.Fatal(p, err)
		}
		g := p.(*Extension)
		if e.X.(*sparse.CSR).NumRows != 80 || e.X.(*sparse.CSR).NumCols != 30 {
			t.Fatal("the model that grew is another one")
		}
		after := must.Get(g.Place(ctx, wide, nil))(t)
		if !mat.Equal(before.Embedding, after.Embedding) || len(after.Known) != 25 {
			t.Errorf("%d columns: %d of 25 known, %v", columns, len(after.Known), mat.Equal(before.Embedding, after.Embedding))
		}
		all, ok := joinedRows(old, wide)
		if !ok {
			t.Fatal("the rows do not join")
		}
		built := must.Get(graph.Build(ctx, all, e.Graph))(t)
		if !slices.Equal(built.Reach, g.Reach) {
			t.Errorf("%d columns: the reach is not as in a graph of all rows", columns)
		}
		same, err := g.Place(ctx, all, nil)
		if err != nil || len(same.Known) != 105 {
			t.Fatalf("%d columns: %d of 105 known, %v", columns, len(same.Known), err)
		}
		where, err := e.Place(ctx, old, nil)
		if err != nil || !mat.Equal(where.Embedding, same.Embedding.Slice(0, 80, 0, 2)) {
			t.Errorf("%d columns: old rows have moved, %v", columns, err)
		}
	}
}

func sequence(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Landmarks get the numbers after the documents of the model; other kinds of rows do not grow.
func TestGrowOfLandmarks(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(7, 8))
	marks := sequence(60)
	e, _ := grownFrom(t, rng, 60, marks)
	x := drawnRows(rng, 3, 0, 30, 30)
	p, err := e.Grow(ctx, x, x, 200, nil)
	if err != nil || !slices.Equal(p.(*Extension).Landmarks[60:], []int{200, 201, 202}) || len(marks) != 60 {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := e.Grow(ctx, x, x.ToDense(), 200, nil); p != nil || err != nil {
		t.Errorf("dense rows beside sparse ones: %v, %v", p, err)
	}
}
