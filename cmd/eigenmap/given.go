package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
)

// given is what a method is told of the documents beforehand: labels of a part of them, or constraints between them.
type given struct {
	labels []int    // class of each document or labels.Unknown; nil without labels
	names  []string // of the classes, each of which has a document
	count  int      // documents with a label given
	from   string   // where labels or constraints are from, for a person

	pairs  []corpus.Constraint // of the whole file
	rows   []int               // numbers of the documents that --classes kept, in the whole file
	id     func(int) string    // names of the documents of the whole file
	size   int                 // and their number
	groups *links.Groups       // of the documents at work; nil without constraints
	broken int                 // constraints that the clusters do not keep
}

// needs says what a method wants to be told beforehand.
type needs int

const (
	needsNothing needs = iota
	needsLabels
	needsLabelsOrLinks
	mayTakeLabels
)

// checkGiven refuses a request that gives the method too little or too much, before anything is read.
func (m method) checkGiven(o *options) error {
	const labels = "--labels FILE or --labeled-fraction 0.05"
	switch {
	case o.labelFile != "" && o.labeledShare > 0:
		return requestf("--labels and --labeled-fraction are two ways to give labels: give one of them")
	case m.needs == needsNothing, m.needs == mayTakeLabels, o.labelFile != "", o.labeledShare > 0:
		if o.constraints != "" && m.needs == needsLabelsOrLinks {
			return requestf("--constraints and labels are two ways to tell the method %s what belongs together: give one of them", m.name)
		}
	case m.needs == needsLabels:
		return requestf("the method %s learns from labels of a part of the documents: give %s", m.name, labels)
	case o.constraints == "":
		return requestf("the method %s keeps to labels of a part of the documents, or to constraints: give %s, or --constraints FILE", m.name, labels)
	}
	return nil
}

// readGiven reads the files of labels and constraints, whose documents are those of the whole corpus.
func (j *job) readGiven(ctx context.Context) error {
	j.given.id, j.given.size = j.corpus.ID, j.corpus.Len()
	if file := j.opt.labelFile; file != "" {
		g, err := corpus.ReadGiven(ctx, file, j.corpus)
		if err != nil {
			return err
		}
		j.given.labels, j.given.names, j.given.from = g.Labels, g.ClassNames, "from "+file
		if g.Own && j.corpus.Labels != nil {
			j.ui.note(fmt.Sprintf("The classes in %s are not those of the corpus, whose labels only serve to compare with.", file))
		} else if j.corpus.Labels != nil {
			j.compareGiven(g.Labels)
		}
	}
	if file := j.opt.constraints; file != "" {
		list, err := corpus.ReadConstraints(ctx, file, j.corpus)
		if err != nil {
			return err
		}
		j.given.pairs, j.given.from = list, file
	}
	return nil
}

// compareGiven tells where labels given differ from the true ones: the scores count these as mistakes.
func (j *job) compareGiven(given []int) {
	differ, first := 0, 0
	for i, k := range given {
		if t := j.corpus.Labels[i]; k >= 0 && t >= 0 && k != t {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ > 0 {
		j.ui.note(fmt.Sprintf("%s the corpus' own; the first is that of document %s.", plural(differ, "label given is not", "labels given are not"), report.Clip(j.corpus.ID(first), 40)))
	}
}

// settleLabels brings the labels given into their final form, once the documents are chosen: drawn where they are to be
// drawn, of the documents at work, with classes that all have a document.
func (j *job) settleLabels() error {
	g, o := &j.given, j.opt
	if o.labeledShare > 0 {
		if j.corpus.Labels == nil {
			return requestf("%s: it has no labels to draw from: give --truth FILE, or --labels FILE in place of --labeled-fraction", j.file)
		}
		drawn, err := labels.Draw(j.corpus.Labels, o.labeledShare, o.seed)
		if err != nil {
			return inFile(j.file, err)
		}
		g.labels, g.names = drawn, j.corpus.ClassNames
		g.from = fmt.Sprintf("%.4g %% of each class, drawn with seed %d", 100*o.labeledShare, o.seed)
	} else if g.labels == nil {
		return nil
	} else if g.rows != nil {
		g.labels = pick(g.labels, g.rows)
	}
	g.count, g.labels, g.names = compact(g.labels, g.names)
	source := o.labelFile
	if source == "" {
		source = j.file
	}
	if len(g.names) < 2 {
		text := "it labels none of the documents at work"
		if len(g.names) == 1 {
			text = fmt.Sprintf("all labels given are of one class, %s", report.Clip(g.names[0], 40))
		}
		return requestf("%s: %s: give labels of at least two classes", source, text)
	}
	if n := len(j.corpus.ClassNames); j.corpus.Labels != nil && len(g.names) < n && o.clusters == 0 {
		j.ui.note(fmt.Sprintf("The labels given are of %d classes, and the corpus has %d: give -k %d to look for more clusters than classes given", len(g.names), n, n))
	}
	return nil
}

func pick(values, rows []int) []int {
	out := make([]int, len(rows))
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

// settleLinks joins the constraints into groups, once the number of clusters is known (0: the command asks for none).
func (j *job) settleLinks(clusters int) error {
	g, file := &j.given, j.opt.constraints
	if g.pairs == nil {
		return nil
	}
	list := make([]links.Link, len(g.pairs))
	for i, p := range g.pairs {
		if p.Cannot && clusters > 2 {
			return requestf("%s: line %d: with more than two clusters a cannot-link says nothing that this method could keep to, since documents apart from a third need not be together: leave cannot-links out, or give -k 2 in place of %d",
				file, p.Line, clusters)
		}
		list[i] = links.Link{A: p.A, B: p.B, Cannot: p.Cannot, Line: p.Line}
	}
	groups, err := links.Resolve(g.size, list)
	if err != nil {
		return contradictions(file, err, g.id)
	}
	if g.rows != nil {
		groups = groups.Select(g.rows)
	}
	if groups.Count == 0 {
		return requestf("%s: no constraint joins two of the documents at work: give constraints between them", file)
	}
	g.groups = groups
	return nil
}

// contradictions names all of them.
func contradictions(file string, err error, id func(int) string) error {
	all := links.Contradictions(err)
	if len(all) == 0 {
		return inFile(file, err)
	}
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = c.Explain(func(i int) string { return report.Clip(id(i), 40) })
	}
	return requestf("%s: %s", file, strings.Join(parts, "; "))
}
