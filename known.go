package eigenmap

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
)

// known is what a method is given to learn from: labels of a part of the documents, or constraints
// between them.
type known struct {
	labels []int    // class of each document or labels.Unknown; nil without labels
	names  []string // of the classes, each of which has a document
	count  int      // documents with a label
	from   string   // where labels or constraints are from, in words

	pairs  []corpus.Constraint // of the whole file
	rows   []int               // of the documents that the selection of classes kept, in the whole file
	id     func(int) string    // names of the documents of the whole file
	size   int                 // and their number
	groups *links.Groups       // of the documents at work; nil without constraints
	broken int                 // constraints that the clusters do not keep
}

func pick[T any](values []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = values[r]
	}
	return out
}

// compact numbers the classes that occur, in their order, and counts the documents that have one.
func compact(given []int, names []string) (count int, numbers []int, kept []string) {
	used := make([]int, len(names))
	for _, k := range given {
		if k >= 0 {
			used[k]++
			count++
		}
	}
	number := make([]int, len(names))
	for k, n := range used {
		if n > 0 {
			number[k] = len(kept)
			kept = append(kept, names[k])
		}
	}
	numbers = make([]int, len(given))
	for i, k := range given {
		if numbers[i] = labels.Unknown; k >= 0 {
			numbers[i] = number[k]
		}
	}
	return count, numbers, kept
}

// kinds counts the constraints of each kind.
func (g *known) kinds() (must, cannot int) {
	for _, p := range g.pairs {
		if p.Cannot {
			cannot++
		} else {
			must++
		}
	}
	return must, cannot
}

// row says in a table what was given; nil if nothing was.
func (g *known) row(n int) []string {
	switch {
	case g.labels != nil:
		sizes := make([]int, len(g.names))
		for _, k := range g.labels {
			if k >= 0 {
				sizes[k]++
			}
		}
		const shown = 12
		parts := make([]string, 0, shown+1)
		for k, name := range g.names[:min(shown, len(g.names))] {
			parts = append(parts, fmt.Sprintf("%s %s", words.Clip(name, 24), words.Thousands(sizes[k])))
		}
		if len(g.names) > shown {
			parts = append(parts, fmt.Sprintf("... (%d classes)", len(g.names)))
		}
		return []string{"labels", fmt.Sprintf("%s given, %s: %s", words.Counted(g.count, "document")+" of "+words.Thousands(n), g.from, strings.Join(parts, ", "))}
	case g.groups != nil:
		must, cannot := g.kinds()
		return []string{"links", fmt.Sprintf("%s and %s from %s, in %s", words.Counted(must, "must-link"), words.Counted(cannot, "cannot-link"), g.from, words.Counted(g.groups.Count, "group"))}
	}
	return nil
}

// name is the class that was given for a document, "" for none.
func (g *known) name(i int) string {
	if g.labels == nil || g.labels[i] < 0 {
		return ""
	}
	return g.names[g.labels[i]]
}

// LinksSummary counts constraints.
type LinksSummary struct {
	Must   int `json:"must"`
	Cannot int `json:"cannot"`
	Groups int `json:"groups"` // of documents that chains of constraints join
	Broken int `json:"broken"` // constraints that the clusters do not keep
}

func (g *known) summary() *LinksSummary {
	if g.groups == nil {
		return nil
	}
	must, cannot := g.kinds()
	return &LinksSummary{must, cannot, g.groups.Count, g.broken}
}
