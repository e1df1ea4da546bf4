package job

import (
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// CountCollected counts in g, whose Count is set, the bytes that [Job.Collect] joins on rank 0. All
// ranks call it.
func (j *Job) CountCollected(g *method.Gathering) { j.gathered(g) }

// Collect makes the job of rank 0 one of the documents of all ranks, as of one process: their rows
// and counts. All ranks call it; on the others the job stays.
func (j *Job) Collect(g *method.Gathering) {
	c, x, all, rows := j.gathered(g)
	if j.Share.Rank() > 0 {
		return
	}
	j.Corpus, j.X, j.Share, j.part = c, x, nil, nil
	if w := j.Whole; w != nil {
		w.Corpus, w.X, w.Share = all, rows, nil
	}
}

// gathered are the documents of all ranks with their rows, and the same with the copies if these
// were left out.
func (j *Job) gathered(g *method.Gathering) (c *corpus.Corpus, x mat.Matrix, all *corpus.Corpus, rows mat.Matrix) {
	c, x = j.collected(g, j.Corpus), g.Rows(j.X)
	if w := j.Whole; w != nil && w.Corpus != j.Corpus { // copies were left out
		return c, x, j.collected(g, w.Corpus), g.Rows(w.X)
	}
	return c, x, c, x
}

// collected is a corpus with the rows of all ranks.
func (j *Job) collected(g *method.Gathering, of *corpus.Corpus) *corpus.Corpus {
	c := *of
	c.X, c.Total = g.Rows(of.X), 0
	return &c
}
