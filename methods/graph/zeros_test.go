package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// directions are n rows of length 1 in 12 columns around three directions.
func directions(n int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, 12, nil)
	for i := range n {
		row := x.RawRowView(i)
		sum := 0.0
		for j := range row {
			row[j] = .6 * rng.NormFloat64()
			if j == i%3 {
				row[j]++
			}
			sum += row[j] * row[j]
		}
		for j := range row {
			row[j] /= math.Sqrt(sum)
		}
	}
	return x
}

// withZeros puts rows of zeros into x before the rows at.
func withZeros(x *mat.Dense, at []int) (all *mat.Dense, kept []int) {
	n, d := x.Dims()
	all = mat.NewDense(n+len(at), d, nil)
	r := 0
	for i := range n {
		for slices.Contains(at, i) {
			at = at[1:]
			r++
		}
		all.SetRow(r, x.RawRowView(i))
		kept = append(kept, r)
		r++
	}
	return all, kept
}

// Dense rows of zeros have no neighbours and are nobody's, and the graph of the others is the one
// without them: exact, approximate, within a distance, in single precision, and by ranks.
func TestDenseZerosAreApart(t *testing.T) {
	ctx := context.Background()
	const n = 300
	x := directions(n, 1)
	all, kept := withZeros(x, []int{0, 17, 120})
	for name, opt := range map[string]Options{
		"exact": {}, "approximate": {Search: ApproxSearch, Seed: 3}, "within": {Epsilon: 1.1}, "dot": {Weight: Dot}, "local": {HeatRule: LocalWidth},
		"pairs": {HeatRule: PairsWidth}, "poly": {Weight: Poly, Symmetry: Mutual},
	} {
		want := must.Get(Build(ctx, x, opt))(t)
		check := func(name string, g *Graph, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if len(g.Isolated) != len(want.Isolated)+3 {
				t.Errorf("%s: isolated are %v", name, g.Isolated)
			}
			got := g.W.SelectRows(kept).SelectCols(kept)
			if !slices.Equal(got.RowPtr, want.W.RowPtr) || !slices.Equal(got.Col, want.W.Col) || !mat.EqualApprox(got, want.W, 1e-14) {
				t.Errorf("%s: the graph of the others has %d entries, and %d without rows of zeros", name, got.NNZ(), want.W.NNZ())
			}
		}
		g, err := Build(ctx, all, opt)
		check(name, g, err)
		if name == "exact" || name == "dot" || name == "pairs" {
			ranks.Together(2, func(team ranks.Team) {
				share := ranks.NewShare(team, []int{140, n + 3 - 140}[team.Rank()])
				o := opt
				o.Share = share
				own := mat.DenseCopyOf(all.Slice(share.First(), share.First()+share.Own(), 0, 12))
				g, err := Build(ctx, own, o)
				if err == nil {
					g, err = g.Whole()
				}
				check(name+" by ranks", g, err)
			})
		}
	}
	single := must.Get(sparse.ToSingle(all))(t)
	g, err := Build(ctx, single, Options{})
	if err != nil || len(g.Isolated) != 3 {
		t.Errorf("single precision: %v", err)
	}
}

// A new row of zeros is attached to nothing, and training rows of zeros take no place among the
// neighbours of new rows.
func TestAttachDenseZeros(t *testing.T) {
	ctx := context.Background()
	x := directions(200, 1)
	all, kept := withZeros(x, []int{3, 90})
	fresh, places := withZeros(directions(20, 5), []int{4})
	for name, opt := range map[string]Options{"heat": {}, "within": {Epsilon: 1.05}} {
		plain := must.Get(Build(ctx, x, opt))(t)
		mixed := must.Get(Build(ctx, all, opt))(t)
		want := must.Get(Attach(ctx, directions(20, 5), plain.Reference(x, opt), nil))(t)
		got := must.Get(Attach(ctx, fresh, mixed.Reference(all, opt), nil))(t)
		if !mat.Equal(got.W.SelectRows(places).SelectCols(kept), want.W) || got.W.NNZ() != want.W.NNZ() || !slices.Contains(got.Isolated, 4) {
			t.Errorf("%s: %d affinities, and %d without rows of zeros; isolated %v", name, got.W.NNZ(), want.W.NNZ(), got.Isolated)
		}
	}
}

// In a plane the origin is a place like others.
func TestTheOriginOfAPlaneIsAPlace(t *testing.T) {
	g, err := Build(context.Background(), mat.NewDense(5, 2, []float64{0, 0, 1, 0, 0, 1, -1, 0, 0, -1}), Options{Neighbors: 2})
	if err != nil || len(g.Isolated) != 0 {
		t.Errorf("%v, %v", g, err)
	}
}
