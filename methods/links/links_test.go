package links

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// some draws links among n documents, few enough of them to be consistent at times.
func some(t *rapid.T, n int) []Link {
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Link {
		return Link{A: rapid.IntRange(0, n-1).Draw(t, "a"), B: rapid.IntRange(0, n-1).Draw(t, "b"), Cannot: rapid.Bool().Draw(t, "cannot")}
	}), 0, 10).Draw(t, "links")
	for i := range list {
		list[i].Line = i + 1
	}
	return list
}

// colourings returns all ways to give n documents one of two sides that every link agrees with.
func colourings(n int, list []Link) [][]int8 {
	var all [][]int8
	for bits := range 1 << n {
		c := make([]int8, n)
		for i := range c {
			c[i] = int8(2*(bits>>i&1) - 1)
		}
		if !slices.ContainsFunc(list, func(l Link) bool { return (c[l.A] == c[l.B]) == l.Cannot }) {
			all = append(all, c)
		}
	}
	return all
}

// without drops the links that were reported.
func without(list []Link, wrong []*ContradictionError) []Link {
	return slices.DeleteFunc(slices.Clone(list), func(l Link) bool {
		return slices.ContainsFunc(wrong, func(w *ContradictionError) bool { return w.Bad == l })
	})
}

// distance is the number of links on the shortest chain, by relaxation; n if there is none.
func distance(n int, list []Link, a, b int) int {
	d := make([]int, n)
	for i := range d {
		d[i] = n
	}
	d[a] = 0
	for range n {
		for _, l := range list {
			d[l.A], d[l.B] = min(d[l.A], d[l.B]+1), min(d[l.B], d[l.A]+1)
		}
	}
	return d[b]
}

// The groups say exactly what all two-colourings that satisfy the links have in common.
func TestResolveAgainstColourings(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		list := some(t, n)
		g, err := Resolve(n, list)
		possible := colourings(n, list)
		if (len(possible) > 0) != (err == nil) {
			t.Fatalf("%d colourings of %v: %v", len(possible), list, err)
		}
		if err != nil {
			checkContradictions(t, n, list, err)
			if list = without(list, Contradictions(err)); len(colourings(n, list)) == 0 {
				t.Fatalf("without what was reported, %v still contradict", list)
			}
			if g, err = Resolve(n, list); err != nil {
				t.Fatalf("without what was reported: %v", err)
			}
			possible = colourings(n, list)
		}
		for a := range n {
			for b := range n {
				together, apart := false, false
				for _, c := range possible {
					together, apart = together || c[a] == c[b], apart || c[a] != c[b]
				}
				joined := g.Group[a] >= 0 && g.Group[a] == g.Group[b]
				switch {
				case joined && g.Side[a] == g.Side[b] && apart, joined && g.Side[a] != g.Side[b] && together, !joined && a != b && !(together && apart):
					t.Fatalf("%v: documents %d and %d in groups %v with sides %v; together %v, apart %v", list, a, b, g.Group, g.Side, together, apart)
				}
			}
		}
		checkGroups(t, g, n)
		for i, two := range g.TwoSided {
			hasCannot := slices.ContainsFunc(list, func(l Link) bool { return l.Cannot && g.Group[l.A] == int32(i) })
			if two != hasCannot {
				t.Fatalf("group %d: two-sided %v, holds a cannot-link %v", i, two, hasCannot)
			}
		}
	})
}

// checkGroups wants numbers by lowest document, +1 for it, two documents at least, and sides that
// say what TwoSided does.
func checkGroups(t *rapid.T, g *Groups, n int) {
	if len(g.Group) != n || len(g.Side) != n || len(g.TwoSided) != g.Count {
		t.Fatalf("%+v of %d documents", g, n)
	}
	sizes, next := make([]int, g.Count), int32(0)
	both := make([]bool, g.Count)
	for i, k := range g.Group {
		if (k < 0) != (g.Side[i] == 0) || k > next || k == next && g.Side[i] != 1 {
			t.Fatalf("document %d: %+v", i, g)
		}
		if k == next {
			next++
		}
		if k >= 0 {
			sizes[k]++
			both[k] = both[k] || g.Side[i] < 0
		}
	}
	if int(next) != g.Count || slices.ContainsFunc(sizes, func(s int) bool { return s < 2 }) || !slices.Equal(both, g.TwoSided) {
		t.Fatalf("sizes %v: %+v", sizes, g)
	}
}

// checkContradictions wants each one to be independent, its chain to join its documents, and no
// shorter one to do so.
func checkContradictions(t *rapid.T, n int, list []Link, err error) {
	if !errors.Is(err, fs.ErrInvalid) {
		t.Fatalf("not the request's fault: %v", err)
	}
	wrong := Contradictions(err)
	kept := without(list, wrong)
	musts := slices.DeleteFunc(slices.Clone(kept), func(l Link) bool { return l.Cannot })
	for _, w := range wrong {
		if !w.Bad.Cannot || !slices.Contains(list, w.Bad) {
			t.Fatalf("%v is none of %v", w.Bad, list)
		}
		// Whatever is reported does contradict those that are kept.
		if len(colourings(n, append(slices.Clone(kept), w.Bad))) > 0 {
			t.Fatalf("%v agrees with %v", w.Bad, kept)
		}
		if w.Bad.A == w.Bad.B {
			continue
		}
		at, cannots := w.Bad.A, 0
		for _, l := range w.Chain {
			if !slices.Contains(kept, l) || l.A != at && l.B != at {
				t.Fatalf("%v is no chain of %v", w.Chain, kept)
			}
			at = l.A + l.B - at
			if l.Cannot {
				cannots++
			}
		}
		if at != w.Bad.B || cannots%2 != 0 {
			t.Fatalf("%v does not put %v together", w.Chain, w.Bad)
		}
		shortest := distance(n, musts, w.Bad.A, w.Bad.B)
		if shortest == n {
			shortest = distance(n, kept, w.Bad.A, w.Bad.B)
		} else if cannots > 0 {
			t.Fatalf("%v uses cannot-links where must-links suffice", w.Chain)
		}
		if len(w.Chain) != shortest {
			t.Fatalf("%v has %d links, the shortest %d", w.Chain, len(w.Chain), shortest)
		}
	}
}

// For any number of clusters, only a chain of must-links contradicts a cannot-link: with as many
// clusters as documents, labels that keep to all links exist otherwise.
func TestMustOnly(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		list := some(t, n)
		musts := slices.DeleteFunc(slices.Clone(list), func(l Link) bool { return l.Cannot })
		bad := 0
		for _, l := range list {
			if l.Cannot && distance(n, musts, l.A, l.B) < n {
				bad++
			}
		}
		g, err := MustOnly(n, list)
		if wrong := Contradictions(err); len(wrong) != bad || (err == nil) != (bad == 0) {
			t.Fatalf("%d contradictions of %d: %v", len(wrong), bad, err)
		}
		if err != nil {
			checkContradictions(t, n, list, err)
			return
		}
		checkGroups(t, g, n)
		for a := range n {
			for b := range a {
				if joined := g.Group[a] >= 0 && g.Group[a] == g.Group[b]; joined != (distance(n, musts, a, b) < n) {
					t.Fatalf("%d and %d: %+v", a, b, g)
				}
			}
		}
	})
}

// A selection keeps the relation of each of its pairs.
func TestSelect(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		g, err := Resolve(n, some(t, n))
		if err != nil {
			return
		}
		rows := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}[:n]).Draw(t, "order")
		rows = rows[:rapid.IntRange(0, n).Draw(t, "kept")]
		s := g.Select(rows)
		checkGroups(t, s, len(rows))
		for i, a := range rows {
			for j, b := range rows[:i] {
				before := g.Group[a] >= 0 && g.Group[a] == g.Group[b]
				after := s.Group[i] >= 0 && s.Group[i] == s.Group[j]
				if before != after || before && (g.Side[a] == g.Side[b]) != (s.Side[i] == s.Side[j]) {
					t.Fatalf("%d and %d of %+v became %d and %d of %+v", a, b, g, i, j, s)
				}
			}
		}
	})
}

func TestSentences(t *testing.T) {
	names := []string{"ant", "bee", "cat", "dog", "eel"}
	name := func(i int) string { return names[i] }
	for _, c := range []struct {
		list []Link
		want []string
	}{
		{[]Link{{0, 2, true, 1}, {0, 1, false, 2}, {1, 2, false, 3}},
			[]string{"line 1 says that ant and cat cannot be together, but they must: ant and bee must (line 2), bee and cat must (line 3): remove one of these"}},
		{[]Link{{0, 1, true, 1}, {1, 2, true, 2}, {0, 2, true, 3}},
			[]string{"line 3 says that ant and cat cannot be together, but with two clusters they must, since ant and bee cannot (line 1), bee and cat cannot (line 2): remove one of these"}},
		{[]Link{{3, 3, true, 7}, {3, 3, false, 8}}, []string{"line 7 says that dog cannot be with itself: remove it"}},
		{[]Link{{0, 1, false, 0}, {0, 1, true, 0}, {3, 4, true, 0}, {4, 3, false, 0}},
			[]string{"a link says that ant and bee cannot be together, but they must: ant and bee must: remove one of these",
				"a link says that dog and eel cannot be together, but they must: eel and dog must: remove one of these"}},
	} {
		_, err := Resolve(5, c.list)
		var got []string
		for _, w := range Contradictions(err) {
			got = append(got, w.Explain(name))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v:\n%s", c.list, strings.Join(got, "\n"))
		}
	}
	_, err := Resolve(3, []Link{{0, 3, false, 4}, {-1, 0, true, 5}, {1, 1, true, 6}})
	for _, part := range []string{"line 4", "line 5", "line 6", "0 to 2"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
	if Contradictions(nil) != nil || Contradictions(fs.ErrExist) != nil {
		t.Error("contradictions in other errors")
	}
}

// A file in which every link is reversed is still answered, and a long chain is shortened.
func TestManyContradictions(t *testing.T) {
	const n = 50000
	var list []Link
	for i := range n - 1 {
		list = append(list, Link{i, i + 1, false, i + 1})
	}
	for i := range n - 20 {
		list = append(list, Link{i, i + 20, true, n + i})
	}
	_, err := Resolve(n, list)
	wrong := Contradictions(err)
	if len(wrong) != n-20 || len(wrong[0].Chain) != 20 {
		t.Fatalf("%d contradictions", len(wrong))
	}
	if text := wrong[0].Error(); strings.Count(text, "and 8 more") != 1 || strings.Count(text, "more") != 1 {
		t.Error(text)
	}
	if text := wrong[n-21].Error(); !strings.Contains(text, "a chain of other links") {
		t.Error(text)
	}
}

// Cannot-links for any number of clusters are kept as they are, and follow the documents that are
// selected: one that is left out is stood for by its group.
func TestApart(t *testing.T) {
	g := must.Get(MustOnly(6, []Link{{A: 0, B: 1}, {A: 0, B: 3, Cannot: true, Line: 2}, {A: 4, B: 5, Cannot: true}}))(t)
	if len(g.Apart) != 2 || g.Count != 1 {
		t.Fatalf("%d cannot-links, %d groups", len(g.Apart), g.Count)
	}
	left := g.Select([]int{3, 1, 2, 4}).Apart
	if want := []Link{{A: 1, B: 0, Cannot: true, Line: 2}}; len(left) != 1 || left[0] != want[0] {
		t.Errorf("selected: %+v, want %+v", left, want)
	}
}
