package cle

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/sparse"
)

func graphOf(t *testing.T, n int, edges map[[2]int]float64) *graph.Graph {
	t.Helper()
	b := sparse.NewBuilder(n, n)
	for e, v := range edges {
		b.Add(e[0], e[1], v)
		b.Add(e[1], e[0], v)
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	return g
}

// A literal map of a graph with a part without labels is the contrast of two parts: constant on
// each, with Σ D y = 0 and Σ D y² = 1, in the degrees of the paper's W, whose blocks of ones count
// the square of their labels.
func TestLiteralMapCountsItsBlocks(t *testing.T) {
	g := graphOf(t, 7, map[[2]int]float64{{0, 3}: 1, {1, 3}: 0.5, {2, 3}: 0.7, {4, 3}: 0.2, {5, 6}: 1})
	known := []int{0, 0, 1, -1, 0, -1, -1}
	m := must.Get(FitGraph(context.Background(), g, known, 2, Options{Literal: true}))(t)
	first, second := 2*2.4+semile.InsideWeight(g)*(3*3+1), 2.0 // volumes of the parts
	for k := range 2 {
		y := m.Coordinates
		for i := range 5 {
			if math.Abs(y.At(i, k)-y.At(0, k)) > 1e-9 {
				t.Errorf("map %d: point %d at %v, point 0 at %v", k, i, y.At(i, k), y.At(0, k))
			}
		}
		a, b := y.At(0, k), y.At(5, k)
		if math.Abs(first*a+second*b) > 1e-8 || math.Abs(first*a*a+second*b*b-1) > 1e-8 || m.Values[k] > 1e-12 {
			t.Errorf("map %d: λ = %v, %v on a volume of %v and %v on one of %v", k, m.Values[k], a, first, b, second)
		}
	}
}

// The literal map of a class is the larger at its labels, also where it separates components.
func TestLiteralMapHasItsSign(t *testing.T) {
	g := graphOf(t, 6, map[[2]int]float64{{0, 1}: 3, {2, 3}: 3, {4, 5}: 0.1})
	known := []int{0, -1, 1, -1, -1, -1}
	m := must.Get(FitGraph(context.Background(), g, known, 2, Options{Literal: true}))(t)
	for k := range 2 {
		checkOnePoint(t, m.Coordinates, known, k)
		if of, other := m.Coordinates.At(2*k, k), m.Coordinates.At(2-2*k, k); !(of > other) {
			t.Errorf("map %d is %v at its label and %v at the other", k, of, other)
		}
	}
}

// Linked points without any weight are isolated, and so is their group.
func TestGroupsWithoutMass(t *testing.T) {
	g := graphOf(t, 7, map[[2]int]float64{{0, 1}: 1, {1, 2}: 1, {2, 3}: 2})
	for _, cannot := range []bool{false, true} {
		groups := must.Get(links.Resolve(7, []links.Link{{A: 4, B: 5, Cannot: cannot}, {A: 0, B: 1}}))(t)
		u := newUnits(g, groups)
		if !slices.Equal(u.isolated, []int{4, 5, 6}) || u.count != 3 || slices.Contains(u.mass, 0) {
			t.Errorf("cannot %v: isolated %v, %d units of masses %v", cannot, u.isolated, u.count, u.mass)
		}
		m, err := FitLinks(context.Background(), g, groups, Options{Dims: 2})
		if cannot {
			continue // the group has two sides and no weight on either
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{4, 5, 6} {
			if m.Embedding.At(i, 0) != 0 || m.Embedding.At(i, 1) != 0 {
				t.Errorf("point %d without weight is at %v", i, m.Embedding.RawRowView(i))
			}
		}
	}
}
