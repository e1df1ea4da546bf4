package comparing

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// material is what all runs work on, read once: the documents, and the vectors and columns by which
// they are compared.
type material struct {
	corpus  *corpus.Corpus
	vectors *corpus.Corpus // nil without vectors
	model   *corpus.VectorModel
	columns *job.ColumnsRead // nil without columns
}

// materialOf is what a job has read.
func materialOf(j *job.Job) *material {
	return &material{j.Corpus, j.VectorsRead, j.VectorModel, j.ColumnsRead}
}

// give gives a job the material. What it changes of it is its own.
func (m *material) give(j *job.Job) {
	own := *m.corpus
	j.Corpus = &own
	if m.vectors != nil {
		v := *m.vectors
		j.VectorsRead, j.VectorModel = &v, m.model
	}
	if m.columns != nil {
		c := *m.columns
		c.View = slices.Clone(c.View)
		j.ColumnsRead = &c
	}
}

// choose leaves the documents of the classes that a run chose, which later runs then all take.
func (m *material) choose(run *result.Run) error {
	classes := run.J.Source.Classes
	if len(classes) == 0 || run.Corpus.Len() == m.corpus.Len() {
		return nil
	}
	chosen, rows, err := m.corpus.SelectWithRows(classes)
	if err != nil {
		return err
	}
	m.corpus = chosen
	if m.vectors != nil {
		v := *m.vectors
		v.X, v.IDs = sparse.SelectRows(v.X, rows), nil
		m.vectors = &v
	}
	if m.columns != nil {
		c := *m.columns
		c.X = sparse.SelectRows(c.X, rows).(*mat.Dense)
		m.columns = &c
	}
	return nil
}
