package corpus

import (
	"errors"

	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/missing"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The values of ReadOptions.Missing.
const (
	MissingMedian      = missing.Median
	MissingMean        = missing.Mean
	MissingDropRows    = missing.DropRows
	MissingDropColumns = missing.DropColumns
)

// Category is a column of words of a table whose values are columns of a corpus.
type Category = matrix.Category

// Filling says what became of missing numbers: the values of the columns that took their place, and
// the columns that were left out of rows whose columns have no names.
type Filling = missing.Filling

// Fill returns the corpus without missing numbers, NaN: by is one of the values of
// ReadOptions.Missing, and known the [Corpus].Filling of earlier documents, nil for the first ones.
// Without a missing number, where no values of columns are wanted, it is c itself; the matrix of c
// is never changed. X may be a *sparse.CSR, *mat.Dense or *sparse.SingleDense, and is returned as
// it is otherwise.
//
// Errors (fs.ErrInvalid): by is "" and numbers are missing; nothing would be left.
func (c *Corpus) Fill(by string, known *Filling) (*Corpus, error) {
	switch c.X.(type) {
	case *sparse.CSR, *mat.Dense, *sparse.SingleDense:
	default:
		return c, nil
	}
	s, err := missing.Settle(c.X, missing.Request{By: by, Known: known, Terms: c.Terms})
	var refused *missing.Error
	if errors.As(err, &refused) {
		return nil, invalid.Errorf("%s: %w", c.Name, refused)
	}
	if err != nil {
		return nil, err
	}
	if s.X == c.X && s.Filling == nil {
		return c, nil
	}
	out := *c
	out.X, out.Filling, out.gaps, out.kept = s.X, s.Filling, s.Gaps, s.Rows
	if s.Columns != nil {
		out.Terms, out.Stems, out.numbers = matrix.Picked(c.Terms, s.Columns), matrix.Picked(c.Stems, s.Columns), matrix.Picked(c.places(), s.Columns)
	}
	out = *out.keepRows()
	if s.Note != "" {
		out.Notes = append(out.Notes, s.Note)
	}
	return &out, nil
}

// keepRows leaves out the documents with missing numbers, if these are to be left out.
func (c *Corpus) keepRows() *Corpus {
	if c.kept == nil {
		return c
	}
	rows := c.kept
	c.kept = nil
	out := c.SelectRows(rows)
	out.LabelNote = c.LabelNote
	return out
}
