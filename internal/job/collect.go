package job

import (
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// CollectedBytes is what the rows and counts of all ranks take on rank 0. All ranks call it.
func (j *Job) CollectedBytes() int64 {
	bytes := int64(0)
	for _, x := range []mat.Matrix{j.X, j.Corpus.X} {
		if x == nil || x == j.X && bytes > 0 {
			continue
		}
		n, cols := x.Dims()
		own := n * cols * 8
		if s, ok := x.(*sparse.CSR); ok {
			own = 12 * s.NNZ()
		}
		bytes += int64(ranks.Count(j.Share, own))
	}
	return memory.Whole(float64(bytes))
}

// Collect makes the job of rank 0 one of the documents of all ranks, as of one process: their rows
// and counts. All ranks call it; on the others the job stays.
func (j *Job) Collect(g *method.Gathering) {
	c, x := j.collected(g, j.Corpus), g.Rows(j.X)
	w := j.Whole
	var all *corpus.Corpus
	var rows mat.Matrix
	if w != nil {
		all, rows = c, x
		if w.Corpus != j.Corpus { // copies were left out
			all, rows = j.collected(g, w.Corpus), g.Rows(w.X)
		}
	}
	if j.Share.Rank() > 0 {
		return
	}
	j.Corpus, j.X, j.Share, j.part = c, x, nil, nil
	if w != nil {
		w.Corpus, w.X, w.Share = all, rows, nil
	}
}

// collected is a corpus with the rows of all ranks.
func (j *Job) collected(g *method.Gathering, of *corpus.Corpus) *corpus.Corpus {
	c := *of
	c.X, c.Total = g.Rows(of.X), 0
	return &c
}
