package corpus

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// noteRead adds the notes that every corpus may have once it is read: on its classes and on empty
// documents, with the error of noteEmptyRows.
func (c *Corpus) noteRead() error {
	if note := classes.CaseNote(c.ClassNames); note != "" {
		c.Notes = append(c.Notes, note)
	}
	return c.noteEmptyRows()
}

// noteEmptyRows adds a note on documents without terms (without entries, if columns have no names).
// It is an error if all documents are empty.
func (c *Corpus) noteEmptyRows() error {
	what := "entries"
	if c.Terms != nil {
		what = "terms"
	}
	if c.outline != nil {
		return c.noteEmpty(c.outline.empty, c.outline.firstEmpty, what)
	}
	empty, first := 0, 0
	for i := range c.Len() {
		if c.rowIsZero(i) {
			if empty == 0 {
				first = c.First + i
			}
			empty++
		}
	}
	if c.division != nil {
		var say []byte
		if empty > 0 {
			say = []byte(strconv.Itoa(first))
		}
		_, said := ranks.First(c.division.team, say)
		first, _ = strconv.Atoi(string(said))
		empty = c.sumInts([]int{empty})[0]
	}
	return c.noteEmpty(empty, first, what)
}

// noteEmpty notes so many documents without what is named, of which the first has that number.
func (c *Corpus) noteEmpty(empty, first int, what string) error {
	n := c.Documents()
	switch {
	case n == 0:
		return input.NoDocuments(input.Failf(c.Name, "", "it holds no documents; a corpus needs at least one document and one term"))
	case empty == n:
		return &input.FormatError{File: c.Name, Err: input.ErrNoTerms, Why: "all entries are zero, in " + message.Plural(n, "document", "documents") + "; check that this is the right file and variable"}
	case empty == 1:
		c.Notes = append(c.Notes, fmt.Sprintf("1 document has no %s (row %d); it is kept.", what, first+1))
	case empty > 1:
		c.Notes = append(c.Notes, fmt.Sprintf("%d documents have no %s (first: row %d); they are kept.", empty, what, first+1))
	}
	return nil
}

func (c *Corpus) rowIsZero(i int) bool {
	var vals []float64
	switch x := c.X.(type) {
	case *sparse.Counts:
		return x.Len(i) == 0
	case *sparse.CSR:
		_, vals = x.Row(i)
	case *mat.Dense:
		vals = x.RawRowView(i)
	case *sparse.Single:
		vals = x.Values(i, nil)
	case *sparse.SingleDense:
		return !slices.ContainsFunc(x.Row(i), func(v float32) bool { return v != 0 })
	}
	for _, v := range vals {
		if v != 0 {
			return false
		}
	}
	return true
}
