package graph

import (
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
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// split cuts x after the first n rows.
func split(x *mat.Dense, n int) (train, fresh *mat.Dense) {
	rows, d := x.Dims()
	return mat.DenseCopyOf(x.Slice(0, n, 0, d)), mat.DenseCopyOf(x.Slice(n, rows, 0, d))
}

// The lists of new rows equal a brute-force search over the training rows, with all ties, sparse
// and dense.
func TestNearestAmongIsBruteForce(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := graphtest.DrawPoints(t)
		scale := rapid.SampledFrom([]float64{1, 0.375, 0x1p-20}).Draw(t, "scale")
		x.Apply(func(_, _ int, v float64) float64 { return v * scale }, x)
		rows, _ := x.Dims()
		n := rapid.IntRange(1, rows-1).Draw(t, "train")
		k := rapid.IntRange(1, n).Draw(t, "k")
		train, fresh := split(x, n)
		all := bruteForce(x, rows-1)
		want := &KNN{N: rows - n, K: k}
		for i := n; i < rows; i++ {
			index, dist2, dot := all.Row(i)
			for c, taken := 0, 0; taken < k; c++ {
				if int(index[c]) < n {
					want.Index, want.Dist2, want.Dot = append(want.Index, index[c]), append(want.Dist2, dist2[c]), append(want.Dot, dot[c])
					taken++
				}
			}
		}
		for name, pair := range map[string][2]mat.Matrix{"dense": {fresh, train}, "sparse": {graphtest.CSR(t, fresh), graphtest.CSR(t, train)}, "mixed": {fresh, graphtest.CSR(t, train)}} {
			got := must.Get(NearestAmong(background, pair[0], pair[1], k, nil))(t)
			if !equalKNN(got, want) {
				t.Fatalf("%s: got %v\nwant %v\nof %v\namong %v", name, got, want, mat.Formatted(fresh), mat.Formatted(train))
			}
		}
	})
}

// drawGraphOptions draws options of any graph with few neighbours and a given width.
func drawGraphOptions(t *rapid.T, n int) Options {
	opt := Options{
		Neighbors: rapid.IntRange(1, min(6, n-1)).Draw(t, "k"),
		Weight:    rapid.SampledFrom([]Weight{Dot, Binary, Heat, Poly}).Draw(t, "weight"),
		Symmetry:  rapid.SampledFrom([]Symmetry{Union, Mutual, Sum}).Draw(t, "symmetry"),
		HeatWidth: 0.75,
	}
	if rapid.IntRange(0, 3).Draw(t, "within") == 0 {
		opt.Epsilon = rapid.SampledFrom([]float64{0.5, 1, 1.25}).Draw(t, "epsilon")
	}
	return opt
}

// One new point has, bit for bit, the row that it has in the graph of all points including it: for
// every weight, symmetry and storage, with copies, zero rows and ties.
func TestAttachIsTheGraphWithOneMore(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := graphtest.DrawPoints(t)
		rows, d := x.Dims()
		if rows < 3 {
			return
		}
		kind := rapid.SampledFrom([]string{"whole", "real", "unit"}).Draw(t, "values")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for i := range rows {
			row := x.RawRowView(i)
			for j := range row {
				if kind == "real" && row[j] != 0 {
					row[j] += rng.Float64() / 2
				}
			}
			if norm := mat.Norm(x.RowView(i), 2); kind == "unit" && norm > 0 {
				for j := range row {
					row[j] /= norm
				}
			}
		}
		n := rows - 1
		opt := drawGraphOptions(t, n)
		train, fresh := split(x, n)
		for _, isSparse := range []bool{true, false} {
			var a, b, both mat.Matrix = train, fresh, x
			if isSparse {
				a, b, both = graphtest.CSR(t, train), graphtest.CSR(t, fresh), graphtest.CSR(t, x)
			}
			g, err := Build(background, a, opt)
			if err != nil {
				t.Fatal(err)
			}
			at := must.Get(Attach(background, b, g.Reference(a, opt), nil))(t)
			twin := -1
			for i := range n {
				if slices.Equal(x.RawRowView(i), x.RawRowView(n)) && (!isSparse && d <= 3 || mat.Norm(x.RowView(n), 1) > 0) {
					twin = i
					break
				}
			}
			if at.Same[0] != twin {
				t.Fatalf("the new row equals row %d, Attach says %d", twin, at.Same[0])
			}
			whole, row := g, twin
			if twin < 0 {
				row = n
				if whole, err = Build(background, both, opt); err != nil {
					t.Fatal(err)
				}
			}
			wantCols, wantVals := whole.W.Row(row)
			cols, vals := at.W.Row(0)
			if !slices.Equal(cols, wantCols) || !slices.Equal(vals, wantVals) {
				t.Fatalf("sparse %v, %+v, d %d: the new row is %v %v\nin the whole graph (row %d) %v %v", isSparse, opt, d, cols, vals, row, wantCols, wantVals)
			}
			if (len(at.Isolated) == 1) != (len(cols) == 0) {
				t.Fatalf("isolated: %v", at.Isolated)
			}
		}
	})
}

// Rows of length 1 at one distance tie, whatever their dot products: 1e-17 and 0 both give 2−2a·b =
// 2. The graph of all points once ranked them by the dot product, and Attach had the distance only.
func TestAttachAtATie(t *testing.T) {
	for _, small := range []float64{1e-17, 4e-17, -1e-17} {
		x := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, small, 1, 0, small, 0, 0, 1})
		for _, symmetry := range []Symmetry{Union, Mutual, Sum} {
			for _, k := range []int{1, 2} {
				opt := Options{Neighbors: k, Weight: Binary, Symmetry: symmetry}
				train, fresh := split(x, 3)
				a, both := graphtest.CSR(t, train), graphtest.CSR(t, x)
				g := must.Get(Build(background, a, opt))(t)
				at := must.Get(Attach(background, graphtest.CSR(t, fresh), g.Reference(a, opt), nil))(t)
				whole := must.Get(Build(background, both, opt))(t)
				cols, vals := at.W.Row(0)
				wantCols, wantVals := whole.W.Row(3)
				if !slices.Equal(cols, wantCols) || !slices.Equal(vals, wantVals) {
					t.Errorf("%v, %s, k = %d: the new row is %v %v, in the whole graph %v %v", small, symmetry, k, cols, vals, wantCols, wantVals)
				}
			}
		}
	}
}

// randomDocuments returns sparse rows of length 1 over a few topics; every tenth is empty.
func randomDocuments(n int, seed uint64) *sparse.CSR {
	rng := rand.New(rand.NewPCG(seed, 3))
	b := sparse.NewBuilder(n, 400)
	for i := range n {
		if i%10 == 9 {
			continue
		}
		for range 12 {
			b.Add(i, (i%4*100+rng.IntN(110))%400, float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// Many new points together have the rows that each has alone, at any number of threads, over
// several blocks and tiles.
func TestAttachManyAtAnyThreads(t *testing.T) {
	defer native.SetThreads(0)
	train, fresh := randomDocuments(700, 1), randomDocuments(540, 2) // two tiles of each, dense
	for _, isSparse := range []bool{true, false} {
		var a, b mat.Matrix = train, fresh
		if !isSparse {
			a, b = train.ToDense(), fresh.ToDense()
		}
		for _, opt := range []Options{{Neighbors: 7}, {Neighbors: 7, Symmetry: Mutual, Weight: Heat}, {Epsilon: 1.2, Symmetry: Sum}} {
			native.SetThreads(1)
			g := must.Get(Build(background, a, opt))(t)
			one := must.Get(Attach(background, b, g.Reference(a, opt), nil))(t)
			native.SetThreads(3)
			three := must.Get(Attach(background, b, g.Reference(a, opt), nil))(t)
			if !slices.Equal(one.W.Col, three.W.Col) || !slices.Equal(one.W.Val, three.W.Val) || !slices.Equal(one.Isolated, three.Isolated) {
				t.Errorf("sparse %v, %+v: the affinities depend on the number of threads", isSparse, opt)
			}
			if _, err := sparse.NewCSR(one.W.NumRows, one.W.NumCols, one.W.RowPtr, one.W.Col, one.W.Val); err != nil {
				t.Error(err)
			}
			for _, i := range []int{0, 63, 64, 539} {
				alone := must.Get(Attach(background, fresh.SelectRows([]int{i}), g.Reference(a, opt), nil))(t)
				cols, vals := one.W.Row(i)
				if !slices.Equal(alone.W.Col, cols) || !slices.Equal(alone.W.Val, vals) {
					t.Errorf("sparse %v, %+v: row %d alone is another", isSparse, opt, i)
				}
			}
		}
	}
}

// Every training point, attached again, gets its own row of W.
func TestAttachKnowsItsPoints(t *testing.T) {
	x := randomDocuments(300, 5)
	for _, opt := range []Options{{}, {Symmetry: Mutual, Neighbors: 4, Weight: Binary}, {Epsilon: 1.1, Weight: Heat}} {
		g := must.Get(Build(background, x, opt))(t)
		at := must.Get(Attach(background, x, g.Reference(x, opt), nil))(t)
		if !slices.Equal(at.W.Col, g.W.Col) || !slices.Equal(at.W.Val, g.W.Val) || !slices.Equal(at.Isolated, g.Isolated) {
			t.Errorf("%+v: the affinities of the graph's own points are not W", opt)
		}
	}
}

func TestAttachErrors(t *testing.T) {
	x := randomDocuments(50, 1)
	g := must.Get(Build(background, x, Options{}))(t)
	ref := g.Reference(x, Options{})
	nan := mat.NewDense(1, 400, nil)
	nan.Set(0, 3, math.NaN())
	for name, c := range map[string]struct {
		x    mat.Matrix
		ref  Reference
		says string
	}{
		"columns": {mat.NewDense(2, 3, nil), *ref, "400"},
		"nil":     {nil, *ref, "nil"},
		"NaN":     {nan, *ref, "NaN"},
		"reach":   {x, Reference{X: x, Reach: g.Reach[1:]}, "49 distances"},
		"options": {x, Reference{X: x, Reach: g.Reach, Options: Options{Weight: "?"}}, "edge-weight"},
	} {
		_, err := Attach(background, c.x, &c.ref, nil)
		if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Attach(memory.Bound(background, 1000), x, ref, nil); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "fewer") {
		t.Errorf("memory: %v", err)
	}
	if _, err := NearestAmong(background, x, x, 51, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("51 neighbours among 50: %v", err)
	}
}
