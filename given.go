package eigenmap

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/sparse"
)

// readGiven reads the files of labels and constraints. They name documents of the whole corpus,
// also where ranks divide it.
func (j *job) readGiven(ctx context.Context) error {
	j.known.id, j.known.size = j.corpus.ID, j.corpus.Len()
	if err := checkFiles(ctx, j.Labels, j.Constraints); err != nil {
		return err
	}
	if file := j.Labels; file != "" {
		g, err := corpus.ReadGiven(ctx, file, j.corpus)
		if err != nil {
			return err
		}
		j.known.labels, j.known.names, j.known.from = g.Labels, g.ClassNames, "from "+file
		j.noteAll(g.Notes)
		if g.Own && j.corpus.Labels != nil {
			j.note(fmt.Sprintf("The classes in %s differ from the corpus' own, whose labels only serve to compare with.", file))
		} else if j.corpus.Labels != nil {
			j.compareLabels(g.Labels)
		}
	}
	if file := j.Constraints; file != "" {
		list, note, err := corpus.ReadConstraints(ctx, file, j.corpus)
		if err != nil {
			return err
		}
		j.noteAll([]string{note})
		j.known.pairs, j.known.from = list, file
	}
	return j.takeGiven()
}

func (j *job) noteAll(notes []string) {
	for _, n := range notes {
		if n != "" {
			j.note(n)
		}
	}
}

// compareLabels notes where known labels differ from the true ones: the scores count these as
// mistakes.
func (j *job) compareLabels(given []int) {
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
		j.note(fmt.Sprintf("%s the corpus' own; the first belongs to document %s.", words.Plural(differ, "known label is not", "known labels are not"), clip(j.corpus.ID(first))))
	}
}

// settleLabels brings the known labels into their final form, once the documents are chosen: drawn
// if they are to be drawn, of the documents at work, with classes that all have a document.
func (j *job) settleLabels() error {
	g := &j.known
	if j.LabeledFraction > 0 {
		if j.corpus.Labels == nil {
			return invalid.Errorf("%s: it has no labels to draw from: give ‹truth› FILE, or ‹labels› FILE in place of ‹labeled-fraction›", j.file)
		}
		drawn, err := labels.Draw(j.corpus.Labels, j.LabeledFraction, j.Seed)
		if err != nil {
			return j.inFile(err)
		}
		g.labels, g.names = drawn, j.corpus.ClassNames
		g.from = fmt.Sprintf("%.4g %% of each class, drawn with seed %d", 100*j.LabeledFraction, j.Seed)
	} else if g.labels == nil {
		return nil
	} else if g.rows != nil {
		g.labels = pick(g.labels, g.rows)
	}
	g.count, g.labels, g.names = compact(g.labels, g.names)
	if len(g.names) < 2 {
		text := "it labels none of the documents at work"
		if len(g.names) == 1 {
			text = fmt.Sprintf("all known labels are of one class, %s", clip(g.names[0]))
		}
		return invalid.Errorf("%s: %s: give labels of at least two classes", cmp.Or(j.Labels, j.file), text)
	}
	if n := len(j.corpus.ClassNames); j.corpus.Labels != nil && len(g.names) < n && j.Clusters == 0 {
		j.note(fmt.Sprintf("The known labels are of %d classes, and the corpus has %d: give ‹clusters› %d to look for more clusters than known classes", len(g.names), n, n))
	}
	return nil
}

// settleLinks joins the constraints into groups, once the number of clusters is known; 0: none is
// wanted.
func (j *job) settleLinks(clusters int) error {
	g, file := &j.known, j.constraintsName()
	if g.pairs == nil {
		return nil
	}
	for _, p := range g.pairs {
		if p.Cannot && clusters > 2 && !j.spec.Needs.Apart {
			return invalid.Errorf("%s: line %d: with more than two clusters this method cannot keep a cannot-link, since documents apart from a third need not be together: give ‹method› pckmeans, leave cannot-links out, or give ‹clusters› 2 in place of %d",
				file, p.Line, clusters)
		}
	}
	groups, err := j.resolveLinks(!j.spec.Needs.Apart)
	if err != nil {
		return err
	}
	if g.rows != nil {
		groups = groups.Select(g.rows)
	}
	if groups.Count == 0 && len(groups.Apart) == 0 {
		return invalid.Errorf("%s: no constraint joins two of the documents at work: give constraints between them", file)
	}
	g.groups = groups
	return nil
}

// resolveLinks joins the constraints of the whole file into groups, for two clusters or for any
// number.
func (j *job) resolveLinks(two bool) (*links.Groups, error) {
	g := &j.known
	list := make([]links.Link, len(g.pairs))
	for i, p := range g.pairs {
		list[i] = links.Link{A: p.A, B: p.B, Cannot: p.Cannot, Line: p.Line}
	}
	resolve := links.Resolve
	if !two {
		resolve = links.MustOnly
	}
	groups, err := resolve(g.size, list)
	if err != nil {
		return nil, j.contradictions(err)
	}
	return groups, nil
}

// contradictions names all of them.
func (j *job) contradictions(err error) error {
	all := links.Contradictions(err)
	if len(all) == 0 {
		return fmt.Errorf("%s: %w", j.constraintsName(), err)
	}
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = c.Explain(func(i int) string { return clip(j.known.id(i)) })
	}
	return invalid.Errorf("%s: %s", j.constraintsName(), invalid.List(parts, "; "))
}

// noteEmptyLabels notes labels of documents without terms, which no method can learn from, and the
// classes that have no others.
func (j *job) noteEmptyLabels() {
	g := &j.known
	x, isSparse := j.corpus.X.(sparse.Rows)
	if g.labels == nil || !isSparse || j.vectors != nil {
		return
	}
	left, empty, first := make([]int, len(g.names)), 0, 0
	for i, class := range g.labels {
		switch {
		case class < 0:
		case !j.isEmpty(x.Pattern(), i):
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
	id := clip(j.corpus.ID(first))
	text := fmt.Sprintf("%d documents with a label have no terms (first: %s): their labels teach nothing", empty, id)
	if empty == 1 {
		text = fmt.Sprintf("1 document with a label has no terms (%s): its label teaches nothing", id)
	}
	var without []string
	for class, n := range left {
		if n == 0 {
			without = append(without, words.Clip(g.names[class], 24))
		}
	}
	if len(without) > 0 {
		text += ", and no other is given for " + words.Few(without, 6)
	}
	j.warn(text)
}

// isEmpty reports whether document i of all has no terms.
func (j *job) isEmpty(x *sparse.CSR, i int) bool {
	if j.share.Divided() {
		_, found := slices.BinarySearch(j.empty, i)
		return found
	}
	return x.RowPtr[i] == x.RowPtr[i+1]
}

// countBroken notes how many constraints the clusters do not keep: k-means on the coordinates does
// not know of them.
func (j *job) countBroken(clusters []int) {
	g := &j.known
	if g.pairs == nil {
		return
	}
	cluster := clusters
	if g.rows != nil { // of the documents of the whole file; -1 if they were not selected
		cluster = slices.Repeat([]int{-1}, g.size)
		for i, r := range g.rows {
			cluster[r] = clusters[i]
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
			first = fmt.Sprintf("%s and %s %s (line %d)", clip(g.id(p.A)), clip(g.id(p.B)), word, p.Line)
		}
	}
	if g.broken > 0 {
		j.warn(fmt.Sprintf("The clusters do not keep %d of %s, the first: %s. k-means on the coordinates does not know the constraints", g.broken, words.Counted(len(g.pairs), "constraint"), first))
	}
}

// takeGiven takes labels and constraints that are in memory.
func (j *job) takeGiven() error {
	if given := j.Known; given != nil {
		g := &j.known
		if len(given.Labels) != g.size {
			return invalid.Errorf("%s: there are %s given for %s", j.file, words.Plural(len(given.Labels), "label", "labels"), words.Plural(g.size, "document", "documents"))
		}
		for i, k := range given.Labels {
			if k >= len(given.ClassNames) {
				return invalid.Errorf("%s: the label given for document %s is %d, and there are %s", j.file, clip(g.id(i)), k, words.Plural(len(given.ClassNames), "class", "classes"))
			}
		}
		g.labels, g.names, g.from = slices.Clone(given.Labels), given.ClassNames, "given in memory"
	}
	if list := j.Links; list != nil {
		for _, c := range list {
			if min(c.A, c.B) < 0 || max(c.A, c.B) >= j.known.size {
				return invalid.Errorf("%s: line %d: it joins the documents %d and %d (counted from 0), and there are %d", j.constraintsName(), c.Line, c.A, c.B, j.known.size)
			}
		}
		j.known.pairs, j.known.from = list, "given in memory"
	}
	return nil
}

// constraintsName names the constraints in messages.
func (j *job) constraintsName() string { return cmp.Or(j.Constraints, "constraints") }
