package links

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// ContradictionError is a cannot-link between documents that other links put together.
type ContradictionError struct {
	// Bad is the cannot-link; the rest was checked without it.
	Bad Link
	// Chain is the shortest chain of links from Bad.A to Bad.B: of must-links only if they suffice,
	// else with an even number of cannot-links, which with two classes put its ends together. It is
	// empty if Bad.A is Bad.B, and after the first thousand contradictions.
	Chain []Link
}

// Error is Explain with the documents' numbers, counted from 0.
func (e *ContradictionError) Error() string { return e.Explain(nil) }

// Is reports that the request or its data are at fault.
func (e *ContradictionError) Is(target error) bool { return target == fs.ErrInvalid }

// shown is the most links of a chain that a sentence names.
const shown = 12

// Explain names in one sentence the links that contradict each other and the way out, with the
// documents' names (nil: their numbers, counted from 0).
func (e *ContradictionError) Explain(name func(document int) string) string {
	if name == nil {
		name = func(i int) string { return fmt.Sprintf("document %d", i) }
	}
	a, b := name(e.Bad.A), name(e.Bad.B)
	if e.Bad.A == e.Bad.B {
		return fmt.Sprintf("%s says that %s cannot be with itself: remove it", e.Bad.where("a link"), a)
	}
	text := fmt.Sprintf("%s says that %s and %s cannot be together, but ", e.Bad.where("a link"), a, b)
	if len(e.Chain) == 0 {
		return text + "a chain of other links puts them together: remove one of them"
	}
	cannot := 0
	parts := make([]string, 0, len(e.Chain))
	for i, l := range e.Chain {
		verb := "must"
		if l.Cannot {
			verb = "cannot"
			cannot++
		}
		if i == shown && len(e.Chain) > shown {
			parts = append(parts, fmt.Sprintf("and %d more", len(e.Chain)-shown))
		}
		if i < shown {
			part := fmt.Sprintf("%s and %s %s", name(l.A), name(l.B), verb)
			if l.Line > 0 {
				part += fmt.Sprintf(" (line %d)", l.Line)
			}
			parts = append(parts, part)
		}
	}
	if cannot == 0 {
		text += "they must: "
	} else {
		text += "with two clusters they must, since "
	}
	return text + strings.Join(parts, ", ") + ": remove one of these"
}

// where is "line 7", or otherwise if the link is not from a file.
func (l Link) where(otherwise string) string {
	if l.Line > 0 {
		return fmt.Sprintf("line %d", l.Line)
	}
	return otherwise
}

// Contradictions returns all contradictions in an error of this package, in their order.
func Contradictions(err error) []*ContradictionError {
	switch e := err.(type) {
	case *ContradictionError:
		return []*ContradictionError{e}
	case interface{ Unwrap() []error }:
		var all []*ContradictionError
		for _, one := range e.Unwrap() {
			all = append(all, Contradictions(one)...)
		}
		return all
	case interface{ Unwrap() error }:
		return Contradictions(e.Unwrap())
	}
	return nil
}

// explained is the number of contradictions for which the shortest chain is searched: the searches
// of a file in which all links are reversed would take the square of its length.
const explained = 1000

// explain finds the shortest chain behind each contradiction. Both sets of links are consistent, so
// every chain between two documents puts them on the same sides.
func explain(n int, wrong []*ContradictionError, musts, cannots []Link) {
	if len(wrong) == 0 {
		return
	}
	all := slices.Concat(musts, cannots)
	near := newWays(n, all, len(musts))
	for _, w := range wrong[:min(explained, len(wrong))] {
		if w.Bad.A == w.Bad.B {
			continue
		}
		if w.Chain = near.shortest(w.Bad.A, w.Bad.B, true); w.Chain == nil {
			w.Chain = near.shortest(w.Bad.A, w.Bad.B, false)
		}
	}
}

// ways is the graph of the links, to be searched.
type ways struct {
	links []Link
	start []int32 // of a document's ends in at
	at    []int32 // numbers of links
	musts int     // the first links, so many, are must-links
	from  []int32 // link by which the current search reached a document, -1 at its start; valid if seen is now
	seen  []int32 // number of the last search that reached a document
	now   int32
}

func newWays(n int, all []Link, musts int) *ways {
	w := &ways{links: all, start: make([]int32, n+1), at: make([]int32, 2*len(all)), musts: musts, from: make([]int32, n), seen: make([]int32, n)}
	for _, l := range all {
		w.start[l.A+1]++
		w.start[l.B+1]++
	}
	for i := range n {
		w.start[i+1] += w.start[i]
	}
	next := slices.Clone(w.start[:n])
	for k, l := range all {
		for _, i := range [2]int{l.A, l.B} {
			w.at[next[i]] = int32(k)
			next[i]++
		}
	}
	return w
}

// shortest returns the chain with the fewest links from a to b, nil if there is none. Of equal
// chains the one of earlier links wins.
func (w *ways) shortest(a, b int, mustOnly bool) []Link {
	w.now++
	w.seen[a], w.from[a] = w.now, -1
	for queue := []int{a}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if i == b {
			return w.back(b)
		}
		for _, k := range w.at[w.start[i]:w.start[i+1]] {
			l := w.links[k]
			j := l.A + l.B - i
			if w.seen[j] == w.now || mustOnly && int(k) >= w.musts {
				continue
			}
			w.seen[j], w.from[j] = w.now, k
			queue = append(queue, j)
		}
	}
	return nil
}

// back returns the chain by which the current search reached b.
func (w *ways) back(b int) []Link {
	var chain []Link
	for at := b; w.from[at] >= 0; {
		l := w.links[w.from[at]]
		chain = append(chain, l)
		at = l.A + l.B - at
	}
	slices.Reverse(chain)
	return chain
}
