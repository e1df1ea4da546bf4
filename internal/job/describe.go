package job

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// CorpusText is "6,012 documents, 14,203 terms, 400,123 entries, 12 classes".
func (j *Job) CorpusText() string {
	c := j.Corpus
	r := c.Len()
	_, cols := c.X.Dims()
	if j.Source.Precomputed {
		return "affinity of " + words.Counted(r, "document")
	}
	parts := []string{words.Counted(r, "document"), words.Counted(cols, "term")}
	n, ok := c.Entries()
	if !ok {
		n, ok = entriesOf(c.X)
	}
	if ok {
		entries := " entries"
		if j.Share.Divided() {
			n = j.Entries
		}
		if n == 1 {
			entries = " entry"
		}
		parts = append(parts, words.Thousands(n)+entries)
	}
	if c.HasLabels() {
		parts = append(parts, words.Plural(len(c.ClassNames), "class", "classes"))
	}
	return strings.Join(parts, ", ")
}

// entriesOf is the number of entries of a sparse matrix; false of a dense one.
func entriesOf(x mat.Matrix) (int, bool) {
	switch x := x.(type) {
	case sparse.Rows:
		return x.Pattern().NNZ(), true
	case *sparse.Counts:
		return x.NNZ(), true
	}
	return 0, false
}

// InputRows are the lines about what was read.
func (j *Job) InputRows() [][]string {
	rows := [][]string{{"read", j.File + ": " + j.CorpusText()}}
	if row := j.vectorsRow(); row != nil {
		rows = append(rows, row)
	}
	if row := j.viewsRow(); row != nil {
		rows = append(rows, row)
	}
	if j.X != nil && (j.VectorsRead == nil || j.JoinsWords()) {
		rows = append(rows, []string{"weights", j.Weighting + ", normalize " + j.Normalize})
	}
	if row := j.Prior.row(j.Corpus.Len()); row != nil {
		rows = append(rows, row)
	}
	return rows
}

// vectorsRow says in a table what the documents are compared by; nil without vectors.
func (j *Job) vectorsRow() []string {
	if j.VectorsRead == nil {
		return nil
	}
	width := j.Columns()
	if r := j.VectorRows; r != nil && r.Beside > 0 {
		return []string{"vectors", fmt.Sprintf("%s: %s a document, beside the terms", j.VectorsRead.Name, words.Counted(r.Beside, "number"))}
	} else if r != nil {
		width = r.Columns
	}
	return []string{"vectors", fmt.Sprintf("%s: %s a document, by which documents are compared", j.VectorsRead.Name, words.Counted(width, "number"))}
}
