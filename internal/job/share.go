package job

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// divideRows keeps this rank's rows of documents that every rank has read whole, and their edges,
// if the run divides them.
func (j *Job) divideRows(ctx context.Context) error {
	if j.Share.Divided() || !j.DividesRows(ctx) || j.Corpus.Len() < request.FewDocuments {
		return nil
	}
	team := ranks.From(ctx)
	part, err := j.Corpus.Divide(team)
	if err != nil {
		return err
	}
	j.takeShare(team, part)
	if j.X != nil {
		j.X = corpus.RowsOf(j.X, j.Share.First(), j.Share.First()+j.Share.Own())
	}
	if j.Affinity != nil {
		j.Affinity, err = j.Affinity.Part(j.Share)
	}
	return err
}

// AllNumbers converts each rank's local numbers of documents to numbers among all documents and
// gathers them, ascending.
func (j *Job) AllNumbers(own []int) []int {
	list := slices.Clone(own)
	for at := range list {
		list[at] += j.Share.First()
	}
	return ranks.GatherInts(j.Share, list)
}

// RowsHere is the corpus whose documents are the rows that are here: in a run that divides them the
// part of this rank, else Corpus.
func (j *Job) RowsHere() *corpus.Corpus {
	if j.part != nil {
		return j.part
	}
	return j.Corpus
}

// takeShare takes a corpus that is divided: Corpus has the names and labels of all documents, and
// the rows that are here.
func (j *Job) takeShare(team ranks.Team, c *corpus.Corpus) {
	j.part, j.Corpus = c, c.Gathered()
	j.Share = ranks.NewShare(team, c.Len())
	if x, ok := c.X.(*sparse.CSR); ok {
		j.Entries = ranks.Count(team, x.NNZ())
		j.Empty = j.AllNumbers(x.EmptyRows())
	}
}

// SharedMeans are the means of the coordinates of each class, of all ranks' documents.
func (j *Job) SharedMeans(own mat.Matrix, known []int, classes int) *mat.Dense {
	means := labels.Means(own, ranks.Own(j.Share, known), classes)
	if !j.Share.Divided() { // a sum of products and quotients would round the means again
		return means
	}
	here, count := make([]float64, classes), make([]float64, classes)
	for _, k := range ranks.Own(j.Share, known) {
		if k >= 0 {
			here[k]++
		}
	}
	for _, k := range known {
		if k >= 0 {
			count[k]++
		}
	}
	for k := range classes {
		row := means.RawRowView(k)
		for c := range row {
			row[c] *= here[k] / max(1, count[k])
		}
	}
	_, d := means.Dims()
	sums := mat.DenseCopyOf(means).RawMatrix().Data
	j.Share.Sum(sums)
	return mat.NewDense(classes, d, sums)
}

// ClosedByShare is why the model of such a run takes no new documents.
const ClosedByShare = "each rank has a part of the documents, and they were not joined on rank 0"

// Collected are the rows of all ranks on rank 0; nil on the others, and for nil. All ranks call it.
func (j *Job) Collected(own *mat.Dense) *mat.Dense {
	if own == nil || !j.Share.Divided() {
		return own
	}
	_, d := own.Dims()
	parts := make([][]byte, j.Share.Size())
	parts[0] = ranks.Bytes(mat.DenseCopyOf(own).RawMatrix().Data)
	var all []float64
	for _, part := range j.Share.Exchange(parts) {
		all = append(all, ranks.Floats(part)...)
	}
	if j.Share.Rank() > 0 {
		return nil
	}
	return mat.NewDense(len(all)/d, d, all)
}

// MeasuredBytes is what rank 0 takes at most for each document of all ranks while it finds the
// novelty of a model and how typical the documents are: 24 bytes for what comes of each, and 24 for
// what is made of it. MeasuredReceived is what comes of the documents of the other ranks.
const MeasuredBytes, MeasuredReceived = 48, 32
