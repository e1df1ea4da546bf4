package method

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Input is what a method works on.
type Input struct {
	// X has one row per document: *mat.Dense, *sparse.CSR, or any matrix, which the method converts
	// (one with DoNonZero to sparse). nil if Graph is all there is.
	X mat.Matrix
	// Counts are the entries as they were read: before they were weighted, or of the affinity
	// matrix that Graph was made from, its diagonal included; nil: the entries of X.
	Counts mat.Matrix
	// Checked says that [Rows] returned X and Counts, and that nothing has changed them since: Fit
	// does not look at their values again.
	Checked bool
	// Graph is a given affinity graph; nil: the method builds its own from X.
	Graph *graph.Graph
	// Joined are the options under which Graph was built of X; nil if they are not known. New
	// documents then cannot be joined to a given graph.
	Joined *graph.Options
	// Given are labels of a part of the documents, nil if there are none.
	Given *Given
	// Links are must-links and cannot-links, nil if there are none.
	Links *links.Groups
	// Clusters is the number of clusters wanted; 0: an embedding alone is wanted.
	Clusters int
	// Classes is the number of classes that the data are known to have, 0 if it is not known. It is
	// the default of the number of dimensions if Clusters is 0.
	Classes int
	// Share says that X has the rows of this rank, and which ones; labels, links and what is found are
	// then of the own documents. nil: all documents are here. Only methods whose options are a
	// [Sharer] take one.
	Share *ranks.Share
	// Together says that small groups of documents that have nearly all neighbours among themselves,
	// such as near-copies of one text, count as one node each of a neighbour graph.
	Together bool
	// Seed decides every random choice.
	Seed uint64
	// Terms are the names of the columns, nil if they have none.
	Terms []string
	// Document names row i in messages; nil: its number, counted from 1.
	Document func(i int) string
	// Observer receives progress and notes.
	Observer progress.Observer
	// Shared, if not nil, keeps what fits of the same rows have in common.
	Shared *Shared
	// Stages is called when a stage of the work begins, and what it returns when the stage ends; nil:
	// stages are not timed.
	Stages func(name string) (end func())
}

// Given are labels of a part of the documents.
type Given struct {
	Labels []int    // class of each document, negative for none
	Names  []string // of the classes, each of which has a document
	// Expected is how many documents will have a label, where a plan gives Labels without documents;
	// 0: not known.
	Expected int
}

// Count is the number of documents with a label.
func (g *Given) Count() int {
	n := 0
	for _, k := range g.Labels {
		if k >= 0 {
			n++
		}
	}
	return n
}

// Sizes is the number of labels of each class.
func (g *Given) Sizes() []int {
	sizes := make([]int, len(g.Names))
	for _, k := range g.Labels {
		if k >= 0 {
			sizes[k]++
		}
	}
	return sizes
}

// ClassNames names k clusters, the first of which are the classes given; the others have no name.
func (g *Given) ClassNames(k int) []string {
	return append(slices.Clone(g.Names), make([]string, k-len(g.Names))...)
}

// Len is the number of documents, of all ranks.
func (in *Input) Len() int { return in.Share.Among(in.here()) }

// here is the number of documents of this rank.
func (in *Input) here() int {
	switch {
	case in.X != nil:
		n, _ := in.X.Dims()
		return n
	case in.Graph != nil:
		return in.Graph.W.NumRows
	}
	return 0
}

// Sparse says whether the rows are sparse.
func (in *Input) Sparse() bool {
	return sparse.Is(in.X)
}

// Raw are the entries before they were weighted.
func (in *Input) Raw() mat.Matrix {
	if in.Counts != nil {
		return in.Counts
	}
	return in.X
}

// Stage begins a stage of the work; the caller calls what it returns when the stage ends.
func (in *Input) Stage(name string) (end func()) {
	if in.Stages == nil {
		in.Observer.Report(name, 0, 0, "")
		return func() {}
	}
	return in.Stages(name)
}

// Notef reports something that the user should know, in one sentence without a full stop.
func (in *Input) Notef(format string, args ...any) { in.Observer.Notef("", format, args...) }

// Warnf is Notef of a [progress.Warning]: the result is not all that was asked for.
func (in *Input) Warnf(format string, args ...any) { in.Observer.Warnf("", format, args...) }

// Unsettledf is Notef of a warning that iterations ended early ([progress.Convergence]).
func (in *Input) Unsettledf(format string, args ...any) { in.Observer.Unsettledf("", format, args...) }

// ID names document i of this rank in messages.
func (in *Input) ID(i int) string {
	if in.Document != nil {
		return in.Document(i)
	}
	return words.Thousands(in.Share.First() + i + 1)
}

// Dims is the number of dimensions: asked if that is above 0, else the number of clusters, of
// classes given, or of classes of the data.
func (in *Input) Dims(asked int) (int, error) {
	switch {
	case asked > 0:
		return asked, nil
	case in.Clusters > 0:
		return in.Clusters, nil
	case in.Given != nil:
		in.Notef("‹dims› %d: as many dimensions as the known labels have classes", len(in.Given.Names))
		return len(in.Given.Names), nil
	case in.Classes > 0:
		dims := min(in.Classes, in.Len())
		in.Notef("‹dims› %d: as many dimensions as the file has classes", dims)
		return dims, nil
	}
	return 0, invalid.Errorf("it has no labels, so the number of dimensions is not known: give ‹dims›")
}

// MostDims refuses more dimensions than most, which n documents give.
func (in *Input) MostDims(dims, most int) error {
	n := in.Len()
	switch {
	case dims > n:
		return invalid.Errorf("‹dims› %d is more than its %s; give at most %d", dims, words.Counted(n, "document"), n)
	case dims > most:
		return TooManyDims(dims, most, "its "+words.Plural(n, "document gives", "documents give"), "")
	}
	return nil
}

// TooManyDims is the error of more dimensions than most: who is "the 2 documents give", more
// another way out such as ", or more neighbours", or "".
func TooManyDims(dims, most int, who, more string) error {
	if most < 1 {
		if more != "" {
			more = ": give" + more[len(", or"):]
		}
		return invalid.Errorf("%s no dimension at all%s", who, more)
	}
	return invalid.Errorf("%s at most %s, not %d: give ‹dims› %d%s", who, words.Counted(most, "dimension"), dims, most, more)
}

// CheckRank refuses more dimensions than the matrix has rows or columns. name is the option that
// asks for them.
func (in *Input) CheckRank(dims int, name string) error {
	n := in.Len()
	_, terms := in.X.Dims()
	most := min(n, terms)
	if dims <= most {
		return nil
	}
	return invalid.Errorf("%s of %s have at most %s, not %d: give %s %d", words.Counted(n, "document"), words.Counted(terms, "term"), words.Counted(most, "dimension"), dims, words.Option(name), most)
}

// Affinity is the given graph, or the graph of X under opt. The options that it returns have every
// default filled in, and the width of the heat kernel that was used.
func (in *Input) Affinity(ctx context.Context, opt graph.Options) (*graph.Graph, graph.Options, error) {
	if in.Graph != nil {
		if in.Joined != nil {
			opt = *in.Joined
		}
		return in.Graph, opt, nil
	}
	return in.AffinityOf(ctx, in.X, opt)
}

// Joins reports whether new documents can be joined to the graph as the rows of X are. Where ranks
// divide the rows, a placer is then a [Gatherer].
func (in *Input) Joins() bool {
	return in.X != nil && (in.Graph == nil || in.Joined != nil)
}

// AffinityKind is Affinity with a graph of the kind; opt are the options of a neighbour graph.
func (in *Input) AffinityKind(ctx context.Context, kind graph.Kind, opt graph.Options) (*graph.Graph, graph.Options, error) {
	if kind != graph.KindComplete {
		return in.Affinity(ctx, opt)
	}
	if in.Graph != nil {
		return nil, opt, invalid.Errorf("‹graph-kind› complete makes a graph of the documents, and an affinity matrix is given: leave one of them out")
	}
	x, err := sparse.Stored(in.X) // products are of rows in double precision
	if err != nil {
		return nil, opt, err
	}
	defer in.Stage("graph")()
	if err := ranks.Agree(in.Share, rows.Raised(graph.CheckComplete(x), func(i int) int { return in.Share.First() + i })); err != nil {
		return nil, opt, err
	}
	g, err := kind.Build(ctx, x, graph.Options{Share: in.Share})
	if err != nil {
		return nil, opt, err
	}
	if g.Scaled {
		in.Notef("‹graph-kind› complete: the rows are scaled to length 1, so that the weights are cosines")
	}
	return g, opt, nil
}

// AffinityOf is the graph of other rows of the same documents.
func (in *Input) AffinityOf(ctx context.Context, x mat.Matrix, opt graph.Options) (*graph.Graph, graph.Options, error) {
	opt = in.CompleteGraph(x, opt)
	defer in.Stage("graph")()
	g, err := in.build(ctx, x, opt)
	if err != nil {
		return nil, opt, err
	}
	if g, err = in.together(ctx, g, x, opt); err != nil {
		return nil, opt, err
	}
	opt.HeatWidth = g.HeatWidth
	return g, opt, nil
}

// CompleteGraph fills in the defaults of a graph of rows x, and the observer.
func (in *Input) CompleteGraph(x mat.Matrix, opt graph.Options) graph.Options {
	if opt.Weight == "" {
		opt.Weight = graph.Heat
		if sparse.Is(x) {
			opt.Weight = graph.Dot
		}
	}
	if opt.Neighbors == 0 && opt.Epsilon == 0 {
		n, _ := x.Dims()
		n = in.Share.Among(n)
		opt.Neighbors = max(1, min(graph.DefaultNeighbors, n-1))
	}
	opt.Observer, opt.Seed, opt.Share = in.Observer, in.Seed, in.Share
	return opt
}

// FewNeighbors is the number of neighbours asked for, or the default of a method, bounded by the
// other documents.
func (in *Input) FewNeighbors(asked, standard int) int {
	if asked > 0 {
		return asked
	}
	return max(1, min(standard, in.Len()-1))
}
