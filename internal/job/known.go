package job

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Prior is what a method is given to learn from: labels of a part of the documents, or constraints
// between them.
type Prior struct {
	Labels []int    // class of each document or labels.Unknown; nil without labels
	Names  []string // of the classes, each of which has a document
	Count  int      // documents with a label
	from   string   // where labels or constraints are from, in words

	pairs  []corpus.Constraint // of the whole file
	rows   []int               // of the documents that the selection of classes kept, in the whole file
	id     func(int) string    // names of the documents of the whole file
	size   int                 // and their number
	Groups *links.Groups       // of the documents at work; nil without constraints
	broken int                 // constraints that the clusters do not keep
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
func (g *Prior) kinds() (must, cannot int) {
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
func (g *Prior) row(n int) []string {
	switch {
	case g.Labels != nil:
		sizes := (&method.Given{Labels: g.Labels, Names: g.Names}).Sizes()
		const shown = 12
		parts := make([]string, 0, shown+1)
		for k, name := range g.Names[:min(shown, len(g.Names))] {
			parts = append(parts, fmt.Sprintf("%s %s", words.ClipMiddle(name, 24), words.Thousands(sizes[k])))
		}
		if len(g.Names) > shown {
			parts = append(parts, fmt.Sprintf("... (%d classes)", len(g.Names)))
		}
		return []string{"labels", fmt.Sprintf("%s given, %s: %s", words.Counted(g.Count, "document")+" of "+words.Thousands(n), g.from, strings.Join(parts, ", "))}
	case g.Groups != nil:
		must, cannot := g.kinds()
		return []string{"links", fmt.Sprintf("%s and %s from %s, in %s", words.Counted(must, "must-link"), words.Counted(cannot, "cannot-link"), g.from, words.Counted(g.Groups.Count, "group"))}
	}
	return nil
}

// Name is the class that was given for a document, "" for none.
func (g *Prior) Name(i int) string {
	if g.Labels == nil || g.Labels[i] < 0 {
		return ""
	}
	return g.Names[g.Labels[i]]
}

// LinksSummary counts constraints.
type LinksSummary struct {
	Must   int `json:"must"`
	Cannot int `json:"cannot"`
	Groups int `json:"groups"` // of documents that chains of constraints join
	Broken int `json:"broken"` // constraints that the clusters do not keep
}

// Summary counts the constraints; nil without any.
func (g *Prior) Summary() *LinksSummary {
	if g.Groups == nil {
		return nil
	}
	must, cannot := g.kinds()
	return &LinksSummary{must, cannot, g.Groups.Count, g.broken}
}
