package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/sparse"
)

// What is told of labels and constraints given: in tables, in JSON, and where the clusters do not keep to them.

// row tells in a table what was given; nil where nothing was.
func (g *given) row(n int) []string {
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
			parts = append(parts, fmt.Sprintf("%s %s", report.Clip(name, 24), report.Thousands(sizes[k])))
		}
		if len(g.names) > shown {
			parts = append(parts, fmt.Sprintf("... (%d classes)", len(g.names)))
		}
		return []string{"labels", fmt.Sprintf("%s given, %s: %s", counted(g.count, "document")+" of "+report.Thousands(n), g.from, strings.Join(parts, ", "))}
	case g.groups != nil:
		must, cannot := g.kinds()
		return []string{"links", fmt.Sprintf("%s and %s from %s, in %s", counted(must, "must-link"), counted(cannot, "cannot-link"), g.from, counted(g.groups.Count, "group"))}
	}
	return nil
}

// noteEmptyLabels tells of labels given to documents without terms, which no method can learn from, and of the classes that have no others.
func (j *job) noteEmptyLabels() {
	g := &j.given
	x, isSparse := j.corpus.X.(*sparse.CSR)
	if g.labels == nil || !isSparse {
		return
	}
	left, empty, first := make([]int, len(g.names)), 0, 0
	for i, class := range g.labels {
		switch {
		case class < 0:
		case x.RowPtr[i] < x.RowPtr[i+1]:
			left[class]++
		default:
			if empty++; empty == 1 {
				first = i
			}
		}
	}
	if empty == 0 {
		return
	}
	id := report.Clip(j.corpus.ID(first), 40)
	text := fmt.Sprintf("%d documents with a label have no terms (first: %s): their labels teach nothing", empty, id)
	if empty == 1 {
		text = fmt.Sprintf("1 document with a label has no terms (%s): its label teaches nothing", id)
	}
	var without []string
	for class, n := range left {
		if n == 0 {
			without = append(without, report.Clip(g.names[class], 24))
		}
	}
	if len(without) > 0 {
		text += ", and no other is given for " + shortList(without)
	}
	j.ui.note(text)
}

// shortList joins the first few names.
func shortList(names []string) string {
	const shown = 6
	list := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		list += fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return list
}

// kinds counts the constraints of each kind.
func (g *given) kinds() (must, cannot int) {
	for _, p := range g.pairs {
		if p.Cannot {
			cannot++
		} else {
			must++
		}
	}
	return must, cannot
}

// linksSummary is the constraints in JSON.
type linksSummary struct {
	Must   int `json:"must"`
	Cannot int `json:"cannot"`
	Groups int `json:"groups"` // of documents that chains of constraints join
	Broken int `json:"broken"` // constraints that the clusters do not keep
}

func (g *given) links() *linksSummary {
	if g.groups == nil {
		return nil
	}
	must, cannot := g.kinds()
	return &linksSummary{must, cannot, g.groups.Count, g.broken}
}

// name returns the class that was given for a document, "" for none.
func (g *given) name(i int) string {
	if g.labels == nil || g.labels[i] < 0 {
		return ""
	}
	return g.names[g.labels[i]]
}

// countBroken notes how many constraints the clusters do not keep: k-means on the coordinates does not know of them either.
func (c *clustering) countBroken() {
	g := &c.given
	if g.pairs == nil {
		return
	}
	cluster := c.partition.labels
	if g.rows != nil { // of the documents of the whole file; -1 where --classes left them out
		cluster = slices.Repeat([]int{-1}, g.size)
		for i, r := range g.rows {
			cluster[r] = c.partition.labels[i]
		}
	}
	first := ""
	for _, p := range g.pairs {
		a, b := cluster[p.A], cluster[p.B]
		if a < 0 || b < 0 || (a == b) != p.Cannot {
			continue
		}
		if g.broken++; g.broken == 1 {
			word := "must"
			if p.Cannot {
				word = "cannot"
			}
			first = fmt.Sprintf("%s and %s %s (line %d)", report.Clip(g.id(p.A), 40), report.Clip(g.id(p.B), 40), word, p.Line)
		}
	}
	if g.broken > 0 {
		c.ui.note(fmt.Sprintf("The clusters do not keep %d of %s, the first: %s. k-means on the coordinates does not know the constraints", g.broken, counted(len(g.pairs), "constraint"), first))
	}
}

// compareWithGiven notes where labels given of several classes ended in one cluster: k-means on the coordinates does not know of them.
func (c *clustering) compareWithGiven() {
	g := &c.given
	c.countBroken()
	if g.labels == nil {
		return
	}
	if c.partition.classes != nil {
		c.compareWithClasses()
		return
	}
	k := len(c.partition.sizes)
	counts := make([]int, len(g.names)*k)
	for i, class := range g.labels {
		if class >= 0 {
			counts[class*k+c.partition.labels[i]]++
		}
	}
	together := make([][]string, k) // classes most of whose labels are in a cluster
	for class, name := range g.names {
		row := counts[class*k:][:k]
		most := slices.Index(row, slices.Max(row))
		together[most] = append(together[most], report.Clip(name, 24))
	}
	way := "more of them may part the classes"
	if c.opt.init != initLabels && k == len(g.names) {
		way = "more of them, or --init labels, may part the classes"
	}
	for cluster, names := range together {
		if len(names) < 2 {
			continue
		}
		c.ui.note(fmt.Sprintf("The documents given the labels %s are in one cluster, %d: k-means on the coordinates is free to; %s", shortList(names), cluster, way))
	}
}

// compareWithClasses notes which labels given a method did not keep whose clusters are their classes.
func (c *clustering) compareWithClasses() {
	g, differ, first := &c.given, 0, 0
	for i, class := range g.labels {
		if class >= 0 && c.partition.labels[i] != class {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ > 0 {
		other := c.partition.classes[c.partition.labels[first]]
		if other == "" {
			other = "none of them"
		}
		c.ui.note(fmt.Sprintf("%s not the class that was given; the first is %s, given %s and found in %s", plural(differ, "document with a label has", "documents with a label have"),
			report.Clip(c.corpus.ID(first), 40), report.Clip(g.names[g.labels[first]], 24), report.Clip(other, 24)))
	}
}
