package pckmeans

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/labels"
)

// unitsApart are units of one row each, of which pairs cannot be together.
func unitsApart(n int, pairs [][2]int) *units {
	u := &units{rows: make([][]int, n), apart: make([][]int, n), class: make([]int, n)}
	for at := range n {
		u.rows[at], u.class[at] = []int{at}, labels.Unknown
	}
	for _, p := range pairs {
		if a, b := p[0], p[1]; a != b && !slices.Contains(u.apart[a], b) {
			u.apart[a], u.apart[b] = append(u.apart[a], b), append(u.apart[b], a)
		}
	}
	return u
}

// searchAll is [coloring.search] that looks at all units for the next one.
func searchAll(s *coloring) bool {
	next, fewest := -1, 0
	for at, c := range s.place {
		if c >= 0 {
			continue
		}
		left := 0
		for _, n := range s.taken[at] {
			if n == 0 {
				left++
			}
		}
		if next < 0 || cmp.Or(cmp.Compare(left, fewest), cmp.Compare(len(s.u.apart[next]), len(s.u.apart[at]))) < 0 {
			next, fewest = at, left
		}
	}
	if next < 0 {
		return true
	}
	if fewest == 0 {
		s.stuck = next
	}
	var order []int
	for c, n := range s.taken[next] {
		if n == 0 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.cost[next][a], s.cost[next][b]) })
	for _, c := range order {
		if s.steps++; s.steps > mostSteps {
			return false
		}
		s.put(next, c, 1)
		if searchAll(s) {
			return true
		}
		s.put(next, c, -1)
	}
	return false
}

// TestSearchOrder: units are placed in the order of a search that looks at all of them each time,
// with the same steps, also where it goes back.
func TestSearchOrder(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 14).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		pairs := make([][2]int, rapid.IntRange(0, 3*n).Draw(t, "pairs"))
		for p := range pairs {
			pairs[p] = [2]int{rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")}
		}
		u, cost := unitsApart(n, pairs), make([][]float64, n)
		for at := range cost {
			cost[at] = make([]float64, k)
			for c := range cost[at] {
				cost[at][c] = float64(rapid.IntRange(0, 3).Draw(t, "cost"))
			}
		}
		got, want := newColoring(u, cost, k), newColoring(u, cost, k)
		found, expected := got.search(t.Context()), searchAll(want)
		if found != expected || got.steps != want.steps || got.stuck != want.stuck || !slices.Equal(got.place, want.place) {
			t.Errorf("%v, places %v, %d steps, stuck at %d; by all units %v, %v, %d, %d",
				found, got.place, got.steps, got.stuck, expected, want.place, want.steps, want.stuck)
		}
	})
}

// TestManyCannotLinks: a chain of 100,000 cannot-links takes less than a second. Looking at all
// units for each would take a minute and more.
func TestManyCannotLinks(t *testing.T) {
	const n, k, most = 100000, 10, 30 * time.Second
	pairs, cost := make([][2]int, n-1), make([][]float64, n)
	for at := range cost {
		cost[at] = make([]float64, k)
		if at > 0 {
			pairs[at-1] = [2]int{at - 1, at}
		}
	}
	start := time.Now()
	if found := newColoring(unitsApart(n, pairs), cost, k).search(t.Context()); !found || time.Since(start) > most {
		t.Errorf("found %v in %v, want less than %v", found, time.Since(start), most)
	}
}
