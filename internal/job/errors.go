package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// InFile names the file that an error is about, unless the error does so itself, and documents and
// terms by their names.
func (j *Job) InFile(err error) error {
	err = j.ofDistinct(j.InDocuments(err))
	if err == nil || errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), j.File) {
		return err
	}
	for _, file := range j.Files() { // of labels or constraints, say
		if file != "" && strings.HasPrefix(err.Error(), file+": ") {
			return err
		}
	}
	return fmt.Errorf("%s: %w", j.File, err)
}

// ofDistinct adds to an error that states the number of distinct documents why these are fewer than
// the file has.
func (j *Job) ofDistinct(err error) error {
	if err == nil || j.Whole == nil || !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	g := j.Whole.Groups
	if !strings.Contains(err.Error(), words.Counted(len(g.First), "document")) {
		return err
	}
	return invalid.Errorf("%w; %d of the %s equal an earlier one and count once with it, unless ‹duplicates› is keep",
		err, g.Copies(), words.Counted(g.Len(), "document"))
}

// InDocuments names the documents and terms of an error about a place in a matrix: the rows of a
// file are counted otherwise there, and not all of them may be at work.
func (j *Job) InDocuments(err error) error {
	if err == nil || j.Corpus == nil {
		return err
	}
	var place *invalid.PlaceError
	var value *sparse.NotFiniteError
	switch {
	case errors.As(err, &place):
		if where := j.place(place.Row, place.Col); where != "" {
			return fault.Reword(err, strings.Replace(err.Error(), place.Error(), place.In(where), 1))
		}
	case errors.As(err, &value):
		if where := j.place(value.Row, value.Col); where != "" {
			return fault.Reword(err, strings.Replace(err.Error(), value.Error(), fmt.Sprintf("%s: the value is %v, and every value must be finite", where, value.Value), 1))
		}
	}
	return err
}

// place names a row, and a column unless it is negative; "" if there is no such place.
func (j *Job) place(row, col int) string {
	n := j.Corpus.Len()
	_, cols := j.Corpus.X.Dims()
	if j.ByOthers() {
		cols = j.Columns()
	}
	if row < 0 || row >= n || col >= cols {
		return ""
	}
	where := "document " + words.Name(j.Corpus.ID(row))
	if col >= 0 {
		where += ", " + j.term(col)
	}
	return where
}

// term is a column's name, or its number counted from 1.
func (j *Job) term(t int) string {
	switch {
	case j.ColumnsRead != nil:
		return fmt.Sprintf("number %d of its row", t+1)
	case j.VectorsRead != nil:
		return fmt.Sprintf("number %d of its vector", t+1)
	}
	if j.Corpus.Terms != nil {
		return words.Name(j.Corpus.Terms[t])
	}
	return fmt.Sprintf("term %d", t+1)
}
