package eigenmap

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// In a run of several ranks each rank has the rows of its own documents, their edges and their
// coordinates, where the method can work so ([method.Sharer]). Names, labels and clusters of all
// documents, some 60 bytes each, and their probabilities are on every rank. Else every rank has all
// documents.

// fewDocuments is the number of documents from which on ranks divide the rows. It is a variable for
// tests.
var fewDocuments = 4000

// dividesRows reports whether the ranks are to divide the documents' rows.
func (r *request) dividesRows(ctx context.Context) bool {
	s, ok := r.config.(method.Sharer)
	return ok && ranks.From(ctx).Size() > 1 && s.Shares() && !r.Source.Precomputed && r.Graph == "" && r.Constraints == "" &&
		len(r.Source.Classes) == 0 && r.Source.RandomClasses == 0
}

// allNumbers converts each rank's local numbers of documents to numbers among all documents and
// gathers them, ascending.
func (j *job) allNumbers(own []int) []int {
	list := slices.Clone(own)
	for at := range list {
		list[at] += j.share.First()
	}
	return ranks.GatherInts(j.share, list)
}

// allRows gathers the rows of documents of all ranks on each of them; nil for nil. 8 bytes per
// number.
func (j *job) allRows(own *mat.Dense) *mat.Dense {
	if own == nil || !j.share.Divided() {
		return own
	}
	_, d := own.Dims()
	return mat.NewDense(j.share.Total(), d, ranks.GatherFloats(j.share, mat.DenseCopyOf(own).RawMatrix().Data))
}

// rowsHere is the corpus whose documents are the rows that are here: in a run that divides them the
// part of this rank, else j.corpus.
func (j *job) rowsHere() *corpus.Corpus {
	if j.part != nil {
		return j.part
	}
	return j.corpus
}

// takeShare takes a corpus that is divided: j.corpus has the names and labels of all documents, and
// the rows that are here.
func (j *job) takeShare(team ranks.Team, c *corpus.Corpus) {
	j.part, j.corpus = c, c.Gathered()
	j.share = ranks.NewShare(team, c.Len())
	if x, ok := c.X.(*sparse.CSR); ok {
		j.entries = ranks.Count(team, x.NNZ())
		j.empty = j.allNumbers(x.EmptyRows())
	}
}

// sharedMeans are the means of the coordinates of each class, of all ranks' documents.
func (j *job) sharedMeans(own mat.Matrix, known []int, classes int) *mat.Dense {
	means := labels.Means(own, ranks.Own(j.share, known), classes)
	if !j.share.Divided() { // a sum of products and quotients would round the means again
		return means
	}
	here, count := make([]float64, classes), make([]float64, classes)
	for _, k := range ranks.Own(j.share, known) {
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
	j.share.Sum(sums)
	return mat.NewDense(classes, d, sums)
}

// closedByShare is why the model of such a run takes no new documents.
const closedByShare = "each rank had a part of the documents, and none had all that new ones are placed by; a run with ‹landmarks›, or without mpirun, makes one that does"

// Collect gathers on rank 0 what files need of the documents of all ranks: the embedding, and how
// new documents become rows. All ranks call it before rank 0 saves; without ranks it does nothing.
// 8 bytes per document and dimension.
func (r *Run) Collect() error {
	if !r.j.share.Divided() || r.whole {
		return nil
	}
	var err error
	if r.rows, err = r.modelRows(); err != nil {
		return wrapped(err)
	}
	if r.Fitted.Placer == nil {
		r.j.note("The model takes no new documents: " + closedByShare)
	}
	if r.Embedding == nil {
		r.j.note("There is no picture: no rank has the weighted terms of all documents")
		return nil
	}
	_, d := r.Embedding.Dims()
	parts := make([][]byte, r.j.share.Size())
	parts[0] = ranks.Bytes(mat.DenseCopyOf(r.Embedding).RawMatrix().Data)
	var all []float64
	for _, part := range r.j.share.Exchange(parts) {
		all = append(all, ranks.Floats(part)...)
	}
	if r.j.share.Rank() == 0 {
		r.Embedding, r.whole = mat.NewDense(r.Corpus.Len(), d, all), true
	}
	return nil
}

// summarizeShared describes a graph of which each rank has the rows of its own documents. All ranks
// call it; 12 bytes per document go to each.
func (j *job) summarizeShared(g *graph.Graph) *GraphSummary {
	n := nodesOf(g)
	n.edges, n.weights = ranks.GatherInts(j.share, n.edges), ranks.GatherFloats(j.share, n.weights)
	sizes := make([]float64, len(n.sizes))
	for c, size := range n.sizes {
		sizes[c] = float64(size)
	}
	j.share.Sum(sizes)
	for c, size := range sizes {
		n.sizes[c] = int(size)
	}
	s := n.summary()
	s.Components, s.Isolated = g.Components, g.AllIsolated()
	return &s
}
