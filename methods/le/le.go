// Package le is Laplacian Eigenmaps: each point gets as coordinates the entries of the eigenvectors
// of its neighbour graph that vary least over the edges.
//
// Source: Belkin and Niyogi 2003; used for document clustering as in Chen, Zhang, He, Bu and Cai 2010
// ("constrained Laplacian Eigenmap"), eq. (5)-(6): the r smallest eigenvectors of L y = λ D y, the constant one
// included, and k-means on the rows. Papers write documents as columns; here they are rows.
package le

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Skip says which of the trivial eigenvectors are left out.
type Skip string

// What can be left out.
const (
	// SkipNone keeps all, as the paper does: the first coordinates are the indicators of the components,
	// for a connected graph the constant.
	SkipNone Skip = "none"
	// SkipConstant leaves out the constant vector only. A disconnected graph's components still get
	// coordinates that tell them apart, orthogonal to the constant.
	SkipConstant Skip = "constant"
	// SkipZeros leaves out everything with eigenvalue zero.
	SkipZeros Skip = "zeros"
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1.
	Dims int `json:"dims" yaml:"dims"`
	// Skip is SkipNone unless set.
	Skip Skip `json:"skip,omitempty" yaml:"skip,omitempty"`
	// NormalizeRows scales every point's coordinates to unit length (Ng, Jordan and Weiss 2002).
	NormalizeRows bool `json:"normalize_rows,omitempty" yaml:"normalize_rows,omitempty"`
	// Graph says how Fit makes the neighbour graph.
	Graph graph.Options `json:"graph" yaml:"graph"`
	// Eigen says how the eigenpairs are found; K, Which and SkipNull are set by Fit.
	Eigen eigen.Options `json:"eigen" yaml:"eigen"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	if o.Dims < 1 {
		errs = append(errs, invalid.Errorf("the number of dimensions is %d; it must be at least 1", o.Dims))
	}
	switch o.Skip {
	case "", SkipNone, SkipConstant, SkipZeros:
	default:
		errs = append(errs, invalid.Errorf("%q cannot be skipped; choose %q, %q or %q", o.Skip, SkipNone, SkipConstant, SkipZeros))
	}
	e := o.Eigen
	e.K = max(o.Dims, 1)
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

// Model is a fitted embedding.
type Model struct {
	// Embedding is n×Dims, a row a point; columns have yᵀDy = 1 before rows are normalised. Rows of
	// isolated points are zero.
	Embedding *mat.Dense
	// Raw are the coordinates before Options.NormalizeRows, which new points are extended from; nil where Embedding holds them.
	Raw *mat.Dense
	// Values are the eigenvalues of the coordinates, ascending, Residuals their ‖Ly − λDy‖/‖y‖.
	Values, Residuals []float64
	// Isolated lists the points without neighbours, which stand at the origin.
	Isolated []int
	Graph    *graph.Graph
	Stats    eigen.Stats
}

// Fit embeds the rows of x: graph.Build, then FitGraph. The costs are theirs.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, g, opt)
}

// FitGraph embeds the points of a graph. Isolated points take no part in the eigenproblem, where each would
// claim a coordinate of its own; they are put at the origin and listed in the model.
//
// Memory: the embedding and what the eigensolver needs. Errors: a request that is wrong (errors.Is(err,
// fs.ErrInvalid)), the context's, and *eigen.NotConvergedError, with which comes a model of the coordinates as far
// as they were found.
func FitGraph(ctx context.Context, g *graph.Graph, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	w, kept := withoutIsolated(g)
	n := len(kept)
	if n == 0 {
		return nil, invalid.Errorf("no point of the graph has a neighbour; there is nothing to embed")
	}
	p, err := eigen.NewPencil(w, nil)
	if err != nil {
		return nil, err
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
		return nil, invalid.Errorf("%d dimensions were asked, but the graph's %d connected points give at most %d; ask for fewer", opt.Dims, n, available)
	}
	r, err := p.Solve(ctx, e)
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	if opt.Skip == SkipConstant {
		dropConstant(p, w.RowSums(), r)
	}
	if _, found := r.Vectors.Dims(); found == 0 {
		return nil, err
	}
	m := &Model{
		Embedding: spread(r.Vectors, kept, n+len(g.Isolated)),
		Values:    r.Values, Residuals: r.Residuals, Isolated: g.Isolated, Graph: g, Stats: r.Stats,
	}
	if opt.NormalizeRows {
		m.Raw = mat.DenseCopyOf(m.Embedding)
		NormalizeRows(m.Embedding)
	}
	return m, err
}

// withoutIsolated returns the affinities among the points that have neighbours, and who they are.
func withoutIsolated(g *graph.Graph) (w *sparse.CSR, kept []int) {
	isolated := g.Isolated
	for i := range g.W.NumRows {
		if len(isolated) > 0 && isolated[0] == i {
			isolated = isolated[1:]
			continue
		}
		kept = append(kept, i)
	}
	if len(g.Isolated) == 0 {
		return g.W, kept
	}
	return g.W.SelectRows(kept).SelectCols(kept), kept
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

// dropConstant replaces the null vectors in r by one fewer that are D-orthogonal to the constant, and shifts
// the other columns down: column j tells component j+1 (in r's order, heavy first) from all before it.
func dropConstant(p *eigen.Pencil, degrees []float64, r *eigen.Result) {
	n, k := r.Vectors.Dims()
	if k < 2 {
		r.Vectors, r.Values, r.Residuals = new(mat.Dense), nil, nil
		return
	}
	label, components := p.Components()
	volumes := make([]float64, components)
	for i, c := range label {
		volumes[c] += degrees[i]
	}
	// The first columns are the components' indicators; a row belongs to the component where it is not zero.
	zeros := min(k, components)
	place := map[int32]int{}
	volume := make([]float64, zeros)
	for j := range zeros {
		for i := range n {
			if r.Vectors.At(i, j) != 0 {
				place[label[i]], volume[j] = j, volumes[label[i]]
				break
			}
		}
	}
	out := mat.NewDense(n, k-1, nil)
	before := 0.0
	for j := 1; j < zeros; j++ {
		before += volume[j-1]
		inside, outside := contrast(before, volume[j])
		for i := range n {
			if at, ok := place[label[i]]; ok && at < j {
				out.Set(i, j-1, outside)
			} else if ok && at == j {
				out.Set(i, j-1, inside)
			}
		}
	}
	for i := range n {
		copy(out.RawRowView(i)[max(0, zeros-1):], r.Vectors.RawRowView(i)[zeros:])
	}
	eigen.CanonicalSigns(out)
	r.Vectors, r.Values, r.Residuals = out, r.Values[1:], r.Residuals[1:]
}

// contrast returns the values of a vector that is inside on a set of volume v and outside on one of volume u, of
// unit D-norm and D-orthogonal to the constant: inside·v + outside·u = 0.
func contrast(u, v float64) (inside, outside float64) {
	inside = math.Sqrt(u / (v * (u + v)))
	return inside, -inside * v / u
}

// Coordinates are those of the eigenvectors, whether or not rows were normalised.
func (m *Model) Coordinates() *mat.Dense {
	if m.Raw != nil {
		return m.Raw
	}
	return m.Embedding
}

// NormalizeRows scales rows to unit length in place; zero rows stay.
func NormalizeRows(y *mat.Dense) {
	n, _ := y.Dims()
	for i := range n {
		row := y.RawRowView(i)
		norm := 0.0
		for _, v := range row {
			norm = math.Hypot(norm, v)
		}
		if norm > 0 {
			for j := range row {
				row[j] /= norm
			}
		}
	}
}
