// Package le is Laplacian Eigenmaps: each point gets as coordinates the entries of the eigenvectors
// of its neighbour graph that vary least over the edges.
//
// Source: Belkin and Niyogi 2003; used for document clustering as in Chen, Zhang, Bu, Wang
// and Chen 2010 ("constrained Laplacian Eigenmap"), eq. (5)-(6): the r smallest eigenvectors of
// L y = λ D y, the constant one included, and k-means on the rows. Papers write documents as
// columns; here they are rows.
package le

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"gonum.org/v1/gonum/mat"
)

// Skip says which of the trivial eigenvectors are left out.
type Skip string

// What can be left out.
const (
	// SkipNone keeps all, as the paper does: the first coordinates are the indicators of the
	// components, for a connected graph the constant.
	SkipNone Skip = "none"
	// SkipConstant leaves out the constant vector only. A disconnected graph's components still get
	// coordinates that separate them, orthogonal to the constant.
	SkipConstant Skip = "constant"
	// SkipZeros leaves out everything with eigenvalue zero.
	SkipZeros Skip = "zeros"
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1. Through the contract of package method 0 is the
	// number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// Skip is SkipNone unless set.
	Skip Skip `json:"skip,omitempty" switches:"drop-first=constant|drop-zeros=zeros" default:"none" auto:"constant" help:"skip the constant eigenvector, as embed does with le and semi-le|skip every eigenvector of eigenvalue 0" group:"method"`
	// NormalizeRows scales the coordinates of every point to unit length (Ng, Jordan and Weiss 2002).
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Problem is the graph and how its eigenpairs are found. Fit sets K, Which and SkipNull.
	nystrom.Problem `flags:"*"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	e := o.Eigen
	e.K = max(o.Dims, 1)
	return invalid.Join(option.Check(&o), e.Validate(), o.Graph.Validate())
}

// Model is a fitted embedding.
type Model struct {
	// Embedding is n×Dims, one row per point; columns have yᵀDy = 1 before rows are normalised. Rows
	// of isolated points are zero.
	Embedding *mat.Dense
	// Coordinates are the eigenvectors themselves: what Embedding was before its rows were normalised,
	// or the same matrix.
	Coordinates *mat.Dense
	// Values are the eigenvalues of the coordinates, ascending, Residuals their ‖Ly − λDy‖/‖y‖.
	Values, Residuals []float64
	// Constant is the value at every other point than those of Isolated of the constant eigenvector,
	// which SkipConstant leaves out; 0 without SkipConstant.
	Constant float64
	// Groups says that the coordinates are to tell the groups of the graph and nothing more: no note
	// says so.
	Groups bool
	// Isolated lists the points without neighbours, which lie at the origin.
	Isolated []int
	Graph    *graph.Graph
	Stats    eigen.Stats
}

// Fit embeds the rows of x: graph.Build, then FitGraph. The costs are theirs.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := invalid.Join(opt.Validate(), nystrom.NoLandmarks(opt.Landmarks)); err != nil {
		return nil, err
	}
	g, err := opt.Kind.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, g, opt)
}

// FitGraph embeds the points of a graph. Isolated points take no part in the eigenproblem, where
// each would claim a coordinate of its own; they are put at the origin and listed in the model.
//
// Memory: the embedding and what the eigensolver needs. Errors: a request that is wrong
// (errors.Is(err, fs.ErrInvalid)), the context's, and *eigen.NotConvergedError, with which comes a
// model of the coordinates as far as they were found.
func FitGraph(ctx context.Context, g *graph.Graph, opt Options) (*Model, error) {
	return FitJoined(ctx, g, nil, 0, opt)
}

// FitJoined is FitGraph with edges of a weight between every two points of each of the sets, on top
// of the graph's: what labels say, for instance. The sets are disjoint; their edges are never
// written out (eigen.NewCliquePencil). A point counts as isolated if it has neither a neighbour
// nor a companion in a set. The ranks of a shared graph fit together: Coordinates and Isolated have
// this rank's points, and so have the sets.
func FitJoined(ctx context.Context, g *graph.Graph, sets [][]int32, weight float64, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", opt.Dims)
	}
	q, err := newProblem(g, sets, weight, opt.Eigen)
	if err != nil {
		return nil, err
	}
	n, p := q.n, q.pencil
	if n == 0 {
		return nil, graph.ErrNoEdges
	}
	_, components := p.Components()
	e := opt.Eigen
	e.K, e.Which, e.SkipNull = opt.Dims, eigen.Smallest, opt.Skip == SkipZeros
	available := n
	switch opt.Skip {
	case SkipConstant:
		e.K++
		available--
	case SkipZeros:
		available -= components
	}
	if opt.Dims > available {
		return nil, invalid.Errorf("‹dims› %d is more than the %d that the graph's %d connected points give: give ‹dims› %d", opt.Dims, available, n, available)
	}
	r, err := p.Solve(ctx, e)
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	constant := 0.0
	if opt.Skip == SkipConstant {
		p.DropConstant(r)
		constant = p.Constant()
	}
	if _, found := r.Vectors.Dims(); found == 0 {
		return nil, err
	}
	m := &Model{
		Coordinates: spread(q.own(r.Vectors), q.kept, g.Len()),
		Constant:    constant, Values: r.Values, Residuals: r.Residuals, Isolated: q.isolated, Graph: g, Stats: r.Stats,
	}
	m.Embedding = m.Coordinates
	if opt.NormalizeRows {
		m.Embedding = rows.Normalized(m.Coordinates)
	}
	return m, err
}

// spread puts the rows of y to their places among n.
func spread(y *mat.Dense, kept []int, n int) *mat.Dense {
	if len(kept) == n {
		return y
	}
	_, k := y.Dims()
	out := mat.NewDense(n, k, nil)
	for from, to := range kept {
		copy(out.RawRowView(to), y.RawRowView(from))
	}
	return out
}
