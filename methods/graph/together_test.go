package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// clouds are points of two clouds, and of tight groups of 12, size points in all.
func clouds(size, groups int) *mat.Dense {
	rng := rand.New(rand.NewPCG(7, 8))
	x := mat.NewDense(size, 3, nil)
	for i := range size {
		x.SetRow(i, []float64{rng.NormFloat64() + float64(i%2)*3, rng.NormFloat64(), rng.NormFloat64()})
	}
	for g := range groups {
		for k := 1; k < 12; k++ {
			i := size - 1 - 12*g
			row := append([]float64{}, x.RawRowView(i)...)
			for c := range row {
				row[c] += 1e-3 * rng.NormFloat64()
			}
			x.SetRow(i-k, row)
		}
	}
	return x
}

func graphOf(t *testing.T, x mat.Matrix, neighbours int) *Graph {
	t.Helper()
	g := must.Get(Build(context.Background(), x, Options{Neighbors: neighbours, Weight: Heat}))(t)
	return g
}

// Tight groups are found whole, at any number of threads; a graph without has none, nor one in
// which they are too large.
func TestTight(t *testing.T) {
	g := graphOf(t, clouds(200, 6), 10)
	defer native.SetThreads(0)
	native.SetThreads(1)
	groups, err := g.Tight(context.Background(), 14, 0)
	if err != nil || len(groups) < 6 || len(groups) > 8 { // there are one or two among the others
		t.Fatalf("%d groups, %v", len(groups), err)
	}
	for k := range 6 {
		want := make([]int32, 12)
		for at := range want {
			want[at] = int32(200 - 12*(k+1) + at)
		}
		whole := func(set []int32) bool { // with points that have hardly other neighbours, perhaps
			at, found := slices.BinarySearch(set, want[0])
			return found && at <= 2 && slices.Equal(set[at:], want)
		}
		if !slices.ContainsFunc(groups, whole) {
			t.Errorf("group %d is missing: %v", k, groups)
		}
	}
	native.SetThreads(3)
	if again, err := g.Tight(context.Background(), 14, 0); err != nil || !reflect.DeepEqual(again, groups) {
		t.Errorf("with three threads %v, with one %v", again, groups)
	}
	if none, err := g.Tight(context.Background(), 14, 2); err != nil || none != nil { // no weight is as large
		t.Errorf("%v, %v", none, err)
	}
	for most, g := range map[int]*Graph{8: g, 1: g, 14: graphOf(t, clouds(200, 0), 10)} {
		if found, err := g.Tight(context.Background(), most, 0); err != nil || found != nil {
			t.Errorf("at most %d: %v, %v", most, found, err)
		}
	}
}

// A group that is tight without the last of its near-copies takes it in all the same; a node that
// is less alike, and one that most of its weights lead elsewhere from, stay outside.
func TestTightAbsorbs(t *testing.T) {
	const n, last, unlike, between = 40, 10, 11, 12
	weights := mat.NewDense(n, n, nil)
	edge := func(i, j int, weight float64) {
		weights.Set(i, j, weight)
		weights.Set(j, i, weight)
	}
	for i := range last { // near-copies
		for j := range i {
			edge(i, j, 0.9)
		}
	}
	for i := range 6 {
		edge(i, last, 0.9)
	}
	edge(last, 20, 0.2)
	edge(last, 21, 0.2)
	edge(0, unlike, 0.3)
	edge(1, unlike, 0.3)
	edge(2, between, 0.6)
	for k := 1; k <= 3; k++ {
		edge(between, 12+k, 0.6)
	}
	for i := unlike; i < n-1; i++ {
		if weights.At(i, i+1) == 0 {
			edge(i, i+1, 0.2)
		}
	}
	g := must.Get(newGraph(nil, graphFrom(weights)))(t)
	groups, err := g.Tight(context.Background(), 12, 0.5)
	if want := [][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, last}}; err != nil || !reflect.DeepEqual(groups, want) {
		t.Errorf("%v, %v", groups, err)
	}
	if groups, err = g.Tight(context.Background(), 10, 0.5); err != nil || len(groups) != 1 || len(groups[0]) != 10 {
		t.Errorf("of at most 10: %v, %v", groups, err)
	}
}

// A tight group takes in no set whose own edges have small weights, with which it would no longer
// be one of near-copies.
func TestTightStaysAlike(t *testing.T) {
	const n, copies = 30, 5
	weights := mat.NewDense(n, n, nil)
	edge := func(i, j int, weight float64) {
		weights.Set(i, j, weight)
		weights.Set(j, i, weight)
	}
	for i := range copies {
		for j := range i {
			edge(i, j, 0.9)
		}
	}
	for i := copies; i < 2*copies; i++ { // a set with nearly no other neighbours
		for j := copies; j < i; j++ {
			edge(i, j, 0.1)
		}
	}
	for i := range 2 {
		edge(i, copies+i, 0.5)
	}
	for i := 2 * copies; i < n-1; i++ {
		edge(i, i+1, 0.2)
	}
	edge(copies+2, 2*copies, 0.01)
	g := must.Get(newGraph(nil, graphFrom(weights)))(t)
	groups, err := g.Tight(context.Background(), 12, 0.5)
	if want := [][]int32{{0, 1, 2, 3, 4}}; err != nil || !reflect.DeepEqual(groups, want) {
		t.Errorf("%v, %v", groups, err)
	}
}

// graphFrom are the weights that are not 0.
func graphFrom(weights *mat.Dense) *sparse.CSR {
	n, _ := weights.Dims()
	w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		for j := range n {
			if v := weights.At(i, j); v > 0 {
				w.Col, w.Val = append(w.Col, int32(j)), append(w.Val, v)
			}
		}
		w.RowPtr[i+1] = len(w.Col)
	}
	return w
}

// Eigenvectors of the graph of first nodes, carried over to their groups, are eigenvectors of the
// whole, with equal eigenvalues.
func TestTogether(t *testing.T) {
	x := clouds(60, 0)
	among := graphOf(t, x, 5)
	groups := [][]int32{{3, 61, 62, 63}, {4, 60, 65}, {10, 64}} // 3 and 4 may be neighbours
	first := []int{4, 3, 3, 3, 10, 4}
	g := must.Get(Together(66, among, groups))(t)
	if !g.W.IsSymmetric(0) {
		t.Error("the weights are not symmetric")
	}
	p := must.Get(among.Pencil())(t)
	r := must.Get(p.Solve(context.Background(), eigen.Options{K: 6, Which: eigen.Smallest}))(t)
	for j, value := range r.Values {
		y := make([]float64, 66)
		for i := range y {
			of := i
			if i >= 60 {
				of = first[i-60]
			}
			y[i] = r.Vectors.At(of, j)
		}
		for i := range y { // (D − W) y = λ D y
			sum := g.Degrees[i] * y[i] * (1 - value)
			cols, vals := g.W.Row(i)
			for k, c := range cols {
				sum -= vals[k] * y[c]
			}
			if math.Abs(sum) > 1e-7 {
				t.Fatalf("eigenvalue %v: residual %v at node %d", value, sum, i)
			}
		}
	}
	if len(g.Reach) != 66 || g.Reach[61] != among.Reach[3] || g.Components != among.Components {
		t.Errorf("%d reaches, %d components", len(g.Reach), g.Components)
	}
}
