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
	return ok && ranks.From(ctx).Size() > 1 && s.Shares() && r.Constraints == ""
}

// readsOwnRows reports whether each rank is to read its own documents alone: nothing in the request
// needs the rows of all of them first.
func (r *request) readsOwnRows(ctx context.Context) bool {
	return r.dividesRows(ctx) && !r.Source.Precomputed && r.Graph == "" && !r.withVectors() && len(r.Source.Classes) == 0 && r.Source.RandomClasses == 0
}

// divideRows keeps this rank's rows of documents that every rank has read whole, and their edges,
// if the run divides them.
func (j *job) divideRows(ctx context.Context) error {
	if j.share.Divided() || !j.dividesRows(ctx) || j.corpus.Len() < fewDocuments {
		return nil
	}
	team := ranks.From(ctx)
	part, err := j.corpus.Divide(team)
	if err != nil {
		return err
	}
	j.takeShare(team, part)
	if j.x != nil {
		j.x = corpus.RowsOf(j.x, j.share.First(), j.share.First()+j.share.Own())
	}
	if j.graph != nil {
		j.graph, err = j.graph.Part(j.share)
	}
	return err
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

// divideSearch gives the input the rows of this rank, if ranks can divide the search for
// neighbours.
func (r *GraphRun) divideSearch(ctx context.Context, in *method.Input) {
	team, g := ranks.From(ctx), &r.own.Graph
	if team.Size() == 1 || in.X == nil || in.Len() < fewDocuments || g.Epsilon > 0 || g.HeatRule == graph.PairsWidth {
		return
	}
	in.Share = ranks.Evenly(team, in.Len())
	in.X = corpus.RowsOf(in.X, in.Share.First(), in.Share.First()+in.Share.Own())
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

// collected are the rows of all ranks on rank 0; nil on the others, and for nil. All ranks call it.
func (j *job) collected(own *mat.Dense) *mat.Dense {
	if own == nil || !j.share.Divided() {
		return own
	}
	_, d := own.Dims()
	parts := make([][]byte, j.share.Size())
	parts[0] = ranks.Bytes(mat.DenseCopyOf(own).RawMatrix().Data)
	var all []float64
	for _, part := range j.share.Exchange(parts) {
		all = append(all, ranks.Floats(part)...)
	}
	if j.share.Rank() > 0 {
		return nil
	}
	return mat.NewDense(len(all)/d, d, all)
}

// summarizeShared describes a graph of which each rank has the rows of its own documents. All ranks
// call it; 12 bytes per document go to each.
func summarizeShared(share *ranks.Share, g *graph.Graph) *GraphSummary {
	n := nodesOf(g)
	n.edges, n.weights = ranks.GatherInts(share, n.edges), ranks.GatherFloats(share, n.weights)
	sizes := make([]float64, len(n.sizes))
	for c, size := range n.sizes {
		sizes[c] = float64(size)
	}
	share.Sum(sizes)
	for c, size := range sizes {
		n.sizes[c] = int(size)
	}
	s := n.summary()
	s.Components, s.Isolated = g.Components, g.AllIsolated()
	return &s
}
