package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
)

// ReadGiven reads the files of labels and constraints. They name documents of the whole corpus,
// also where ranks divide it.
func (j *Job) ReadGiven(ctx context.Context) error {
	names := &corpus.Corpus{IDs: j.Corpus.IDs, First: j.Corpus.First} // without the rows, which may go
	j.Prior.id, j.Prior.size = names.ID, j.Corpus.Len()
	if err := CheckFiles(ctx, j.Labels, j.Constraints); err != nil {
		return err
	}
	if file := j.Labels; file != "" {
		g, err := corpus.ReadGiven(ctx, file, j.Corpus)
		if err != nil {
			return err
		}
		j.Prior.Labels, j.Prior.Names, j.Prior.from = g.Labels, g.ClassNames, "from "+file
		j.noteAll(g.Notes)
		if g.Own && j.Corpus.Labels != nil {
			j.Note(fmt.Sprintf("The classes in %s differ from the corpus' own, whose labels only serve to compare with.", file))
		} else if j.Corpus.Labels != nil {
			j.compareLabels(g.Labels)
		}
	}
	if file := j.Constraints; file != "" {
		list, note, err := corpus.ReadConstraints(ctx, file, j.Corpus)
		if err != nil {
			return err
		}
		j.noteAll([]string{note})
		j.Prior.pairs, j.Prior.from = list, file
	}
	return j.takeGiven()
}

func (j *Job) noteAll(notes []string) {
	for _, n := range notes {
		if n != "" {
			j.Note(n)
		}
	}
}

// compareLabels notes where known labels differ from the true ones: the scores count these as
// mistakes.
func (j *Job) compareLabels(given []int) {
	differ, first := 0, 0
	for i, k := range given {
		if t := j.Corpus.Labels[i]; k >= 0 && t >= 0 && k != t {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ > 0 {
		j.Note(fmt.Sprintf("%s the corpus' own; the first belongs to document %s.", words.Plural(differ, "known label is not", "known labels are not"), words.Name(j.Corpus.ID(first))))
	}
}

// settleLabels brings the known labels into their final form, once the documents are chosen: drawn
// if they are to be drawn, of the documents at work, with classes that all have a document.
func (j *Job) settleLabels() error {
	g := &j.Prior
	if j.LabeledFraction > 0 {
		if j.Corpus.Labels == nil {
			return invalid.Errorf("%s: it has no labels to draw from: give ‹truth› FILE, or ‹labels› FILE in place of ‹labeled-fraction›", j.File)
		}
		drawn, err := labels.Draw(j.Corpus.Labels, j.LabeledFraction, j.Seed)
		if err != nil {
			return j.InFile(err)
		}
		g.Labels, g.Names = drawn, j.Corpus.ClassNames
		g.from = fmt.Sprintf("%.4g %% of each class, drawn with seed %d", 100*j.LabeledFraction, j.Seed)
	} else if g.Labels == nil {
		return nil
	} else if g.rows != nil {
		g.Labels = labels.Pick(g.Labels, g.rows)
	}
	g.Count, g.Labels, g.Names = compact(g.Labels, g.Names)
	if len(g.Names) < 2 {
		text := "it labels none of the documents at work"
		if len(g.Names) == 1 {
			text = fmt.Sprintf("all known labels are of one class, %s", words.Name(g.Names[0]))
		}
		return invalid.Errorf("%s: %s: give labels of at least two classes", cmp.Or(j.Labels, j.File), text)
	}
	if n := len(j.Corpus.ClassNames); j.Corpus.Labels != nil && len(g.Names) < n && j.Clusters == 0 {
		j.Note(fmt.Sprintf("The known labels are of %d classes, and the corpus has %d: give ‹clusters› %d to look for more clusters than known classes", len(g.Names), n, n))
	}
	return nil
}

// noteEmptyLabels notes labels of documents without terms, which no method can learn from, and the
// classes that have no others.
func (j *Job) noteEmptyLabels() {
	g := &j.Prior
	x, isSparse := j.Corpus.X.(sparse.Rows)
	if g.Labels == nil || !isSparse || j.ByOthers() {
		return
	}
	left, empty, first := make([]int, len(g.Names)), 0, 0
	for i, class := range g.Labels {
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
	id := words.Name(j.Corpus.ID(first))
	text := fmt.Sprintf("%d documents with a label have no terms (first: %s): their labels teach nothing", empty, id)
	if empty == 1 {
		text = fmt.Sprintf("1 document with a label has no terms (%s): its label teaches nothing", id)
	}
	var without []string
	for class, n := range left {
		if n == 0 {
			without = append(without, words.Clip(g.Names[class], 24))
		}
	}
	if len(without) > 0 {
		text += ", and no other is given for " + words.Few(without, 6)
	}
	j.Warn(text)
}

// isEmpty reports whether document i of all has no terms.
func (j *Job) isEmpty(x *sparse.CSR, i int) bool {
	if j.Share.Divided() {
		_, found := slices.BinarySearch(j.Empty, i)
		return found
	}
	return x.RowPtr[i] == x.RowPtr[i+1]
}

// takeGiven takes labels and constraints that are in memory.
func (j *Job) takeGiven() error {
	if given := j.Known; given != nil {
		g := &j.Prior
		if len(given.Labels) != g.size {
			return invalid.Errorf("%s: there are %s given for %s", j.File, words.Plural(len(given.Labels), "label", "labels"), words.Plural(g.size, "document", "documents"))
		}
		for i, k := range given.Labels {
			if k >= len(given.ClassNames) {
				return invalid.Errorf("%s: the label given for document %s is %d, and there are %s", j.File, words.Name(g.id(i)), k, words.Plural(len(given.ClassNames), "class", "classes"))
			}
		}
		g.Labels, g.Names, g.from = slices.Clone(given.Labels), given.ClassNames, "given in memory"
		j.noteAll(given.Notes)
	}
	if list := j.Links; list != nil {
		for _, c := range list {
			if min(c.A, c.B) < 0 || max(c.A, c.B) >= j.Prior.size {
				return invalid.Errorf("%s: line %d: it joins the documents %d and %d (counted from 0), and there are %d", j.constraintsName(), c.Line, c.A, c.B, j.Prior.size)
			}
		}
		j.Prior.pairs, j.Prior.from = list, "given in memory"
	}
	return nil
}
