package graph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// singles are rows in single precision for every search: of length 1 with common terms (the screen)
// and with few (the plain search), counts, negative values, rows far from the origin, and few
// columns.
func singles(t *testing.T, n int) map[string]mat.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	text := func(terms, length int, negative bool) *sparse.Single {
		b := sparse.NewBuilder(n, terms)
		for i := range n {
			for range length {
				j := int(float64(terms) * math.Pow(rng.Float64(), 2))
				v := 1 + float64(rng.IntN(3))
				if negative {
					v = rng.NormFloat64()
				}
				b.Add(i, j, v)
			}
		}
		for i := range 4 { // copies, which tie
			for j := range 5 {
				b.Add(n-1-i, terms-1-j, 50)
			}
		}
		x := must.Get(b.Build())(t)
		s := must.Get(sparse.NewSingle(x))(t)
		return s
	}
	unit := func(s *sparse.Single) *sparse.Single {
		_, d := s.Dims()
		terms, lengths := make([]float64, d), make([]float64, n)
		for j := range terms {
			terms[j] = math.Log(2 + float64(j))
		}
		s = s.Weighted(sparse.TakeValue, terms, nil)
		for i := range lengths {
			for _, v := range s.Values(i, nil) {
				lengths[i] += v * v
			}
			lengths[i] = math.Sqrt(lengths[i])
		}
		return s.Weighted(sparse.TakeValue, terms, lengths)
	}
	dense := func(d int, offset float64) *sparse.SingleDense {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, offset+rng.NormFloat64()+float64(i%5))
			}
		}
		s := must.Get(sparse.NewSingleDense(x))(t)
		return s
	}
	return map[string]mat.Matrix{
		"unit, common": unit(text(60, 20, false)), "unit, rare": unit(text(4000, 6, false)), "unit, signs": unit(text(60, 20, true)),
		"counts": text(200, 15, false), "dense": dense(40, 0), "far": dense(7, 1e6), "narrow": dense(2, 0),
	}
}

// Rows in single precision have the neighbours, distances and products of the same values in double
// precision, bit for bit, exact and approximate, at any number of threads.
func TestSingleHasTheBitsOfDouble(t *testing.T) {
	ctx := context.Background()
	defer native.SetThreads(native.Threads())
	n := 350
	for name, x := range singles(t, n) {
		double := must.Get(sparse.Stored(x))(t)
		for _, threads := range []int{1, 3} {
			native.SetThreads(threads)
			want, err := Nearest(ctx, double, 9, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := Nearest(ctx, x, 9, nil)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d threads: other neighbours: %v", name, threads, err)
			}
			st := must.Get(store.Open(t.TempDir(), store.Header{}))(t)
			if got, err := exact.Tiled(store.With(ctx, st), st, x, 9, nil); err != nil || !reflect.DeepEqual((*KNN)(got), want) {
				t.Errorf("%s, %d threads: other neighbours by tiles: %v", name, threads, err)
			}
			wantNear, recall, err := approx.Search(ctx, ranks.Alone{}, double, nil, approx.Options{Neighbors: 6, Cell: 40, Seed: 1})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			near, same, err := approx.Search(ctx, ranks.Alone{}, x, nil, approx.Options{Neighbors: 6, Cell: 40, Seed: 1})
			if err != nil || same != recall || !reflect.DeepEqual(near, wantNear) {
				t.Errorf("%s, %d threads: other approximate neighbours, recall %v and %v: %v", name, threads, same, recall, err)
			}
			for _, opt := range []Options{{Neighbors: 5}, {Neighbors: 5, Weight: Heat, HeatRule: PairsWidth}, {Neighbors: 4, Weight: Heat, HeatRule: LocalWidth}, {Epsilon: 0.5, Weight: Binary}} {
				g, err := Build(ctx, double, opt)
				h, other := Build(ctx, x, opt)
				if fmt.Sprint(err) != fmt.Sprint(other) || err == nil && !reflect.DeepEqual(g, h) {
					t.Errorf("%s, %+v: other graphs: %v, %v", name, opt, err, other)
				}
			}
		}
	}
}

// Rounded values have the same neighbours as the values, but for pairs whose distances differ by no
// more than the rounding: each list is as near as the exact one, within the error of the values.
func TestSingleRounding(t *testing.T) {
	const n, d, k = 400, 12, 7
	rng := rand.New(rand.NewPCG(21, 22))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	s := must.Get(sparse.NewSingleDense(x))(t)
	exact := must.Get(Nearest(context.Background(), x, k, nil))(t)
	rounded := must.Get(Nearest(context.Background(), s, k, nil))(t)
	norm := func(i int) float64 { return mat.Norm(x.RowView(i), 2) }
	for i := range n {
		_, want, _ := exact.Row(i)
		index, got, _ := rounded.Row(i)
		for c, j := range index {
			// Each row moves by at most 2⁻²⁴ of its length.
			move := 0x1p-24 * (norm(i) + norm(int(j)) + 8) * 1.01
			if math.Abs(math.Sqrt(got[c])-math.Sqrt(want[c])) > move {
				t.Fatalf("row %d, neighbour %d: distance %v, exact %v", i, c, math.Sqrt(got[c]), math.Sqrt(want[c]))
			}
		}
	}
}
