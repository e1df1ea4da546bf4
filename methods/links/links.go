// Package links holds pairwise constraints: two documents must, or cannot, be in one cluster.
//
// [Resolve] joins them into groups for two classes: a document that cannot be with either of two
// others forces these together. [MustOnly] is for any number of clusters. Both find every
// contradiction and name the links of each.
package links

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Link is one constraint between the documents A and B (row numbers from 0).
type Link struct {
	A, B   int
	Cannot bool
	Line   int // of its file, from 1; 0 if it is not from a file
}

// Groups are the consequences of a consistent set of links. Documents joined by a chain of links
// form a group. Those on one side of it must be together and, for two classes, the two sides apart.
type Groups struct {
	Count    int
	Group    []int32 // of each document; -1 without a link. Numbered by their lowest documents
	Side     []int8  // +1 or -1; 0 without a link. The group's lowest document has +1
	TwoSided []bool  // by group: it holds a cannot-link
	// Apart are the cannot-links of [MustOnly], which [Resolve] makes sides of.
	Apart []Link
}

// Resolve joins the links of n documents, or names every contradiction (*ContradictionError inside
// errors.Join).
//
// With two classes, cannot-links chain as must-links do: a apart from b and b apart from c put a
// and c together. All must-links are added first, then the cannot-links in their order. One that
// contradicts those before it is reported and left out, so each report is an independent fault. A
// must-link of a document with itself has no effect. Cost: O(n + links), and for each of the first
// thousand contradictions a search through its group. Errors satisfy errors.Is(err, fs.ErrInvalid).
func Resolve(n int, list []Link) (*Groups, error) { return resolve(n, list, true) }

// MustOnly joins the must-links of n documents into groups, for any number of clusters: a
// cannot-link only keeps two groups in different clusters, so it contradicts only a chain of
// must-links between its documents. No group of the result has two sides.
func MustOnly(n int, list []Link) (*Groups, error) { return resolve(n, list, false) }

func resolve(n int, list []Link, two bool) (*Groups, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, invalid.Errorf("links of %d documents cannot be held; give at most %d documents", n, math.MaxInt32)
	}
	var errs []error
	f := newForest(n)
	taken := make([]Link, 0, len(list))
	for _, l := range list {
		if l.A < 0 || l.A >= n || l.B < 0 || l.B >= n {
			errs = append(errs, invalid.Errorf("%s joins the documents %d and %d, but they are 0 to %d", l.where("a link"), l.A, l.B, n-1))
			continue
		}
		if !l.Cannot && l.A != l.B {
			f.join(l.A, l.B, 1)
			taken = append(taken, l)
		}
	}
	musts := len(taken)
	var wrong []*ContradictionError
	var apart []Link
	for _, l := range list {
		if !l.Cannot || l.A < 0 || l.A >= n || l.B < 0 || l.B >= n {
			continue
		}
		a, sideA := f.find(l.A)
		b, sideB := f.find(l.B)
		switch {
		case a == b && sideA == sideB:
			wrong = append(wrong, &ContradictionError{Bad: l})
		case two:
			f.join(l.A, l.B, -1)
			taken = append(taken, l)
		default:
			apart = append(apart, l)
		}
	}
	explain(n, wrong, taken[:musts], taken[musts:])
	for _, w := range wrong {
		errs = append(errs, w)
	}
	if err := invalid.Join(errs...); err != nil {
		return nil, err
	}
	g := f.groups(taken)
	g.Apart = apart
	return g, nil
}

// forest is union-find that stores the side of every document relative to its root.
type forest struct {
	parent []int32
	size   []int32
	side   []int8 // relative to the parent
}

func newForest(n int) *forest {
	f := &forest{make([]int32, n), make([]int32, n), make([]int8, n)}
	for i := range n {
		f.parent[i], f.size[i], f.side[i] = int32(i), 1, 1
	}
	return f
}

// find returns the root of i and the side of i relative to it. Paths are short since roots are
// joined by size.
func (f *forest) find(i int) (root int, side int8) {
	at, side := int32(i), int8(1)
	for f.parent[at] != at {
		side *= f.side[at]
		at = f.parent[at]
	}
	return int(at), side
}

// join puts a and b on the same side (+1) or opposite ones (-1); if they are joined already it does
// nothing.
func (f *forest) join(a, b int, side int8) {
	ra, sa := f.find(a)
	rb, sb := f.find(b)
	if ra == rb {
		return
	}
	if f.size[ra] < f.size[rb] {
		ra, rb = rb, ra
	}
	f.parent[rb], f.side[rb] = int32(ra), side*sa*sb
	f.size[ra] += f.size[rb]
}

// groups numbers the trees of the documents that have a link.
func (f *forest) groups(taken []Link) *Groups {
	n := len(f.parent)
	g := &Groups{Group: make([]int32, n), Side: make([]int8, n)}
	number := make([]int32, n) // of a root's group, from 1
	first := make([]int8, n)   // side of the group's lowest document
	for i := range n {
		root, side := f.find(i)
		if f.size[root] == 1 {
			g.Group[i] = -1
			continue
		}
		if number[root] == 0 {
			g.Count++
			number[root], first[root] = int32(g.Count), side
		}
		g.Group[i], g.Side[i] = number[root]-1, side*first[root]
	}
	g.TwoSided = make([]bool, g.Count)
	for _, l := range taken {
		if l.Cannot {
			g.TwoSided[g.Group[l.A]] = true
		}
	}
	return g
}

// Select returns the groups of the documents with the given numbers, each of which occurs once, in
// that order. Documents that a chain through others joins stay joined. Groups of which fewer than
// two documents are left are dropped.
func (g *Groups) Select(rows []int) *Groups {
	out := &Groups{Group: make([]int32, len(rows)), Side: make([]int8, len(rows))}
	left := make([]int, g.Count)
	for _, r := range rows {
		if k := g.Group[r]; k >= 0 {
			left[k]++
		}
	}
	number := make([]int32, g.Count) // from 1
	first := make([]int8, g.Count)
	for i, r := range rows {
		k := g.Group[r]
		if k < 0 || left[k] < 2 {
			out.Group[i] = -1
			continue
		}
		if number[k] == 0 {
			out.Count++
			number[k], first[k] = int32(out.Count), g.Side[r]
			out.TwoSided = append(out.TwoSided, false)
		}
		out.Group[i], out.Side[i] = number[k]-1, g.Side[r]*first[k]
		if out.Side[i] < 0 {
			out.TwoSided[number[k]-1] = true
		}
	}
	out.Apart = g.apartAmong(rows)
	return out
}

// apartAmong are the cannot-links between documents that are left, in their new numbers. A document
// that is not left is stood for by the first one of its group that is.
func (g *Groups) apartAmong(rows []int) (list []Link) {
	if len(g.Apart) == 0 {
		return nil
	}
	at, of := make(map[int]int, len(rows)), make(map[int32]int)
	for i, r := range rows {
		at[r] = i
		if k := g.Group[r]; k >= 0 {
			if _, seen := of[k]; !seen {
				of[k] = i
			}
		}
	}
	place := func(r int) (int, bool) {
		if i, ok := at[r]; ok {
			return i, true
		}
		i, ok := of[g.Group[r]]
		return i, ok && g.Group[r] >= 0
	}
	for _, l := range g.Apart {
		a, left := place(l.A)
		b, too := place(l.B)
		if left && too {
			list = append(list, Link{A: a, B: b, Cannot: true, Line: l.Line})
		}
	}
	return list
}
