package graph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// besideVectors are rows of length 1 of terms, with a vector behind them whose numbers are below 0
// in the last rows alone.
func besideVectors(terms *sparse.CSR, width int) *sparse.CSR {
	rng := rand.New(rand.NewPCG(6, 4))
	b := sparse.NewBuilder(terms.NumRows, terms.NumCols+width)
	for i := range terms.NumRows {
		cols, vals := terms.Row(i)
		for p, c := range cols {
			b.Add(i, int(c), vals[p])
		}
		for c := range width {
			v := .2 * rng.NormFloat64()
			if i < terms.NumRows*4/5 {
				v = math.Abs(v)
			}
			b.Add(i, terms.NumCols+c, v)
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// TestShared: the edges, weights, degrees and components of the ranks' own rows, joined, equal the
// graph of all rows, bit for bit.
func TestShared(t *testing.T) {
	dense := mat.NewDense(300, 9, nil)
	rng := rand.New(rand.NewPCG(4, 4))
	dense.Apply(func(i, j int, _ float64) float64 { return rng.NormFloat64() + float64(i%5*j) }, dense)
	for i := range 20 { // copies
		dense.SetRow(i+100, dense.RawRowView(i))
	}
	unit := graphtest.Rows(500, 120, 9, true, true, 1)
	plain := graphtest.Rows(400, 90, 7, false, true, 2)
	cases := []struct {
		name string
		x    mat.Matrix
		opt  Options
		bits bool // weights agree bit for bit
	}{
		{"unit rows", unit, Options{Neighbors: 6}, true},
		{"terms and a vector, below 0 on one rank", besideVectors(unit, 20), Options{Neighbors: 6}, true},
		{"few neighbours, several components", graphtest.Rows(300, 900, 3, true, true, 3), Options{Neighbors: 1}, true},
		{"mutual", unit, Options{Neighbors: 6, Symmetry: Mutual}, true},
		{"sum, binary", unit, Options{Neighbors: 4, Symmetry: Sum, Weight: Binary}, true},
		{"rows of any length", plain, Options{Neighbors: 5, Weight: Dot}, true},
		{"polynomial", plain, Options{Neighbors: 5, Weight: Poly}, true},
		{"dense", dense, Options{Neighbors: 7, HeatWidth: 3}, true},
		{"dense, mean width", dense, Options{Neighbors: 7}, true},
		{"dense, median width", dense, Options{Neighbors: 7, HeatRule: MedianWidth}, true},
		{"dense, width of all pairs", dense, Options{Neighbors: 7, HeatRule: PairsWidth}, false},
		{"dense, local width", dense, Options{Neighbors: 7, HeatRule: LocalWidth}, true},
		{"more neighbours than documents with terms", graphtest.Rows(40, 60, 3, true, true, 3), Options{Neighbors: 39}, true},
	}
	for _, c := range cases {
		want, err := Build(context.Background(), c.x, c.opt)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		n, _ := c.x.Dims()
		sizes := []int{1, 2, 3, 4, 5}
		if testing.Short() {
			sizes = []int{3}
		}
		for _, size := range sizes {
			ranks.Together(size, func(team ranks.Team) {
				opt := c.opt
				opt.Share = graphtest.Uneven(team, n)
				g, err := Build(ranks.With(context.Background(), team), graphtest.Own(c.x, opt.Share), opt)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					return
				}
				if err := sameRows(g, want, c.bits); err != nil {
					t.Errorf("%s, rank %d of %d: %v", c.name, team.Rank(), size, err)
				}
			})
		}
	}
}

// SameRows compares a shared graph with the same rows of a whole one.
func sameRows(g, want *Graph, bits bool) error {
	first := g.Share.First()
	if g.Components != want.Components || g.Total() != want.Len() || g.AllIsolated() != len(want.Isolated) {
		return fmt.Errorf("%d components, %d nodes, %d isolated, not %d, %d, %d", g.Components, g.Total(), g.AllIsolated(), want.Components, want.Len(), len(want.Isolated))
	}
	near := func(a, b float64) bool { return a == b || !bits && math.Abs(a-b) <= 1e-12*math.Abs(b) }
	for i := range g.Len() {
		cols, vals := g.W.Row(i)
		wantCols, wantVals := want.W.Row(first + i)
		if !slices.Equal(cols, wantCols) || !slices.EqualFunc(vals, wantVals, near) {
			return fmt.Errorf("row %d: %v %v, not %v %v", first+i, cols, vals, wantCols, wantVals)
		}
		if !near(g.Degrees[i], want.Degrees[first+i]) || g.Component[i] != want.Component[first+i] {
			return fmt.Errorf("row %d: degree %v, component %d, not %v, %d", first+i, g.Degrees[i], g.Component[i], want.Degrees[first+i], want.Component[first+i])
		}
	}
	if !near(g.HeatWidth, want.HeatWidth) {
		return fmt.Errorf("width %v, not %v", g.HeatWidth, want.HeatWidth)
	}
	return nil
}

// TestSharedComponents: components of graphs on which labels travel far, and of random ones.
func TestSharedComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	path := rng.Perm(200)
	cases := map[string][][2]int{}
	for i := range 199 {
		if i != 120 {
			cases["path in a random order"] = append(cases["path in a random order"], [2]int{path[i], path[i+1]})
		}
		cases["path"] = append(cases["path"], [2]int{i, i + 1})
	}
	for range 150 {
		cases["random"] = append(cases["random"], [2]int{rng.IntN(200), rng.IntN(200)})
	}
	for i := range 200 {
		cases["pairs"] = append(cases["pairs"], [2]int{i, (i + 100) % 200})
	}
	for name, edges := range cases {
		b := sparse.NewBuilder(200, 200)
		for _, e := range edges {
			if e[0] != e[1] {
				b.Add(e[0], e[1], 1)
				b.Add(e[1], e[0], 1)
			}
		}
		w := must.Get(b.Build())(t)
		want, count := w.Components()
		for _, size := range []int{1, 2, 3, 7} {
			ranks.Together(size, func(team ranks.Team) {
				share := graphtest.Uneven(team, 200)
				label, got := components(share, graphtest.Own(w, share).(*sparse.CSR))
				if got != count || !slices.Equal(label, want[share.First():share.First()+share.Own()]) {
					t.Errorf("%s, %d ranks: %d components, not %d, or other numbers", name, size, got, count)
				}
			})
		}
	}
}

// TestSharedRefusals: what one rank finds wrong ends the search on all of them, and what ranks do
// not divide is refused.
func TestSharedRefusals(t *testing.T) {
	x := graphtest.Rows(60, 40, 5, true, false, 5)
	bad := x.Clone()
	bad.Val[len(bad.Val)-1] = math.NaN()
	for _, c := range []struct {
		x    *sparse.CSR
		opt  Options
		want string
	}{
		{bad, Options{Neighbors: 3}, "NaN"},
		{x, Options{Epsilon: 0.5}, "‹epsilon›"},
		{x, Options{Neighbors: 60}, "59"},
	} {
		ranks.Together(3, func(team ranks.Team) {
			opt := c.opt
			opt.Share = graphtest.Uneven(team, 60)
			_, err := Build(ranks.With(context.Background(), team), graphtest.Own(c.x, opt.Share), opt)
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("rank %d: %v", team.Rank(), err)
			}
		})
	}
}
