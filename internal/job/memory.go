package job

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// Take is [takeCorpus] of a corpus whose missing numbers, NaN, become what ‹missing› says, or what
// they became in the rows of a model: known, nil for the first rows.
func (j *Job) Take(c *corpus.Corpus, single bool, known *corpus.Filling) (*corpus.Corpus, error) {
	by := j.Source.Missing
	if j.ColumnsAlone() {
		return nil, invalid.Errorf("%s: ‹views› columns compares the rows of a file of a table: give the file, or leave it out", c.Name)
	}
	taken, err := takeCorpus(c, single)
	var fault *sparse.NotFiniteError
	gaps := errors.As(err, &fault) && math.IsNaN(fault.Value)
	fills := err == nil && (known == nil && (by == corpus.MissingMedian || by == corpus.MissingMean) || known != nil && len(known.Out) > 0)
	switch {
	case !gaps && !fills:
		return taken, err
	case gaps && by == corpus.MissingDropRows:
		return nil, invalid.Errorf("%s: ‹missing› %s leaves out rows of files: leave the rows with missing numbers out of the matrix, or give ‹missing› %s", c.Name, by, corpus.MissingMedian)
	}
	own := *c
	if own.X, err = sparse.Kept(c.X); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	filled, err := own.Fill(by, known)
	if err != nil {
		return nil, err
	}
	for _, note := range filled.Notes[len(c.Notes):] {
		j.Note(note)
	}
	return takeCorpus(filled, single)
}

// takeCorpus checks a corpus that was made in memory; any matrix is converted once. Rows in single
// precision stay so if the request is for that.
func takeCorpus(c *corpus.Corpus, single bool) (*corpus.Corpus, error) {
	taken := *c
	stored := method.Rows
	if single {
		stored = method.KeptRows
	}
	var err error
	if taken.X, err = stored(c.X); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	n, cols := taken.X.Dims()
	switch {
	case c.Labels != nil && len(c.Labels) != n:
		return nil, invalid.Errorf("%s: it has %d labels for %d documents", c.Name, len(c.Labels), n)
	case slices.ContainsFunc(c.Labels, func(k int) bool { return k >= len(c.ClassNames) }):
		return nil, invalid.Errorf("%s: it has %d names of classes, and a label %d", c.Name, len(c.ClassNames), slices.Max(c.Labels))
	case c.IDs != nil && len(c.IDs) != n:
		return nil, invalid.Errorf("%s: it has %d ids for %d documents", c.Name, len(c.IDs), n)
	case c.Terms != nil && len(c.Terms) != cols:
		return nil, invalid.Errorf("%s: it has %d terms for %d columns", c.Name, len(c.Terms), cols)
	}
	return &taken, nil
}
