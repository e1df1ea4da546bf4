// Package cle is the Constrained Laplacian Eigenmap: labels as hard constraints on the embedding.
//
// There is one map per class. In map k the labelled documents of class k are one point and all
// other labelled documents a second one. The coordinates are the second smallest eigenvector of L y
// = λ D y under this constraint; the maps are the columns of the embedding.
//
// Source: Chen, Zhang, Bu, Wang and Chen 2010 ("Constrained Laplacian Eigenmap for dimensionality
// reduction"), section 3. The paper's W_k and P_k (eq. 9, P_kᵀL_kP_k z = λ P_kᵀD_kP_k z) have dense
// blocks among the labelled documents. Merging those documents in the graph is the same problem: in
// the paper's z, a = z_1 + z_2 is the merged point of class k, b = z_1 − z_2 the merged point of
// the other classes, and z_1 + z_u an unlabelled document. The blocks vanish from the quadratic
// form and leave |l|² in the masses of the two points. eigen.Anchored solves all maps from one
// eigensolve.
//
// FitLinks takes pairwise must-link and cannot-link constraints instead of labels (De Bie, Suykens
// and De Moor 2004, the paper's subspace trick).
package cle

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Options of Fit. The zero value of every field is its default.
type Options struct {
	// Dims is the number of coordinates of FitLinks, at least 1. Through the contract of package
	// method 0 is the number of clusters or classes. Labels make one map per class, and Dims is that
	// or 0.
	Dims int `json:"dims,omitempty" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// Literal takes the second smallest eigenvector whatever it separates, as the paper says. If a
	// part of the graph has no label, that vector splits off the part (λ = 0) and says nothing about
	// the class. By default such parts are placed at the origin, and each map is the second smallest
	// eigenvector of the rest.
	Literal bool `json:"literal,omitempty"`
	// NormalizeRows scales every point's coordinates to unit length.
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

// checkMaps refuses another number of dimensions than one per class.
func (o Options) checkMaps(classes int) error {
	if o.Dims != 0 && o.Dims != classes {
		return invalid.Errorf("labels make one map per class, here %d dimensions, not %d: leave ‹dims› out", classes, o.Dims)
	}
	return nil
}

// Model is a fitted embedding.
type Model struct {
	// Embedding has one row per point and one column per map: n×classes, of FitLinks n×dims. Columns
	// have yᵀMy = 1 over the merged points before rows are normalised. Labelled points of class k have
	// the larger value in column k.
	Embedding *mat.Dense
	// Coordinates are what Embedding was before its rows were normalised, or the same matrix.
	Coordinates *mat.Dense
	// Values are the maps' eigenvalues, Residuals their ‖PᵀLPz − λPᵀMPz‖/‖z‖.
	Values, Residuals []float64
	// Isolated lists the points without neighbours, constraints or labels. Apart lists the points that
	// no path joins to a labelled point, the isolated ones included. Both are placed at the origin.
	Isolated, Apart []int
	Graph           *graph.Graph
	Stats           eigen.Stats
}

// Fit embeds the rows of x: graph.Build, then FitGraph.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	n, _ := x.Dims()
	_, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit, opt.checkMaps(classes), nystrom.NoLandmarks(opt.Landmarks)); err != nil { // before the long work
		return nil, err
	}
	g, err := opt.Kind.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, g, known, classes, opt)
}

// FitGraph embeds the points of a graph. known holds a label, 0 to classes−1 or labels.Unknown, for
// each point, and at least one label of each class. The weight between labelled points of one side
// is semile.InsideWeight, 1 in the paper.
//
// It takes the time and memory of eigen.Anchored.Solve: about two solutions of Laplacian Eigenmaps
// for 30 classes of 9,394 documents, and more for hundreds of classes, or if labels are so few that
// the unlabelled rest is nearly disconnected. No term grows with the square of the labels. Errors:
// labels that do not fit (labels.Check), the context's, and *eigen.NotConvergedError, with which
// comes a model of the maps found so far.
func FitGraph(ctx context.Context, g *graph.Graph, known []int, classes int, opt Options) (*Model, error) {
	_, unfit := labels.Check(known, g.Len(), classes, nil)
	if err := invalid.Join(opt.Validate(), unfit, opt.checkMaps(classes)); err != nil {
		return nil, err
	}
	group := make([]int32, len(known))
	for i, k := range known {
		group[i] = int32(k)
	}
	inside := semile.InsideWeight(g)
	if opt.Literal && g.IsComplete() {
		return nil, invalid.Errorf("the literal form needs the weights of the graph, which a complete graph does not have: leave Literal out")
	}
	a, err := anchored(g, group, classes, inside)
	if err != nil {
		return nil, err
	}
	m := &Model{Graph: g, Apart: a.Apart()}
	for _, i := range g.Isolated {
		if known[i] == labels.Unknown {
			m.Isolated = append(m.Isolated, i)
		}
	}
	if opt.Literal && len(m.Apart) > len(m.Isolated) {
		m.Apart = m.Isolated
		return m.literal(ctx, known, classes, inside, opt)
	}
	r, err := a.Solve(ctx, eigen.OneAgainstRest(classes), opt.Eigen)
	return m.take(r, err, opt)
}

// anchored prepares the graph for the maps.
func anchored(g *graph.Graph, group []int32, groups int, inside float64) (*eigen.Anchored, error) {
	if g.IsComplete() {
		return eigen.NewFactoredAnchored(g.Factor, group, groups, inside)
	}
	return eigen.NewAnchored(g.W, group, groups, inside)
}

// take fills the model from what the solver found.
func (m *Model) take(r *eigen.Result, err error, opt Options) (*Model, error) {
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	if len(r.Values) == 0 {
		return nil, err
	}
	m.Values, m.Residuals, m.Stats, m.Coordinates = r.Values, r.Residuals, r.Stats, r.Vectors
	m.Embedding = m.Coordinates
	if opt.NormalizeRows {
		m.Embedding = rows.Normalized(m.Coordinates)
	}
	return m, err
}

// literal solves every map by itself on the whole graph, components without a label included. Their
// indicators are null vectors, and the map is the contrast of the two heaviest components.
func (m *Model) literal(ctx context.Context, known []int, classes int, inside float64, opt Options) (*Model, error) {
	n := len(known)
	isolated := make([]bool, n)
	for _, i := range m.Isolated {
		isolated[i] = true
	}
	var kept []int
	for i := range n {
		if !isolated[i] {
			kept = append(kept, i)
		}
	}
	w := m.Graph.W.Filter(func(i, j int, _ float64) bool { return known[i] == labels.Unknown || known[j] == labels.Unknown }).
		SelectRows(kept).SelectCols(kept)
	all := &eigen.Result{Vectors: mat.NewDense(n, classes, nil)}
	var late error // of a map that has not converged
	for k := range classes {
		r, c, err := literalMap(ctx, w, kept, known, k, inside, opt.Eigen)
		var stopped *eigen.NotConvergedError
		if errors.As(err, &stopped) && len(r.Values) > 0 {
			late = err
		} else if err != nil {
			return nil, err
		}
		y := c.Expand(r.Vectors)
		sign := 1.0
		if a, b := sides(y, kept, known, k); a < b {
			sign = -1
		}
		for at, i := range kept {
			all.Vectors.Set(i, k, sign*y.At(at, 0))
		}
		all.Values, all.Residuals = append(all.Values, r.Values[0]), append(all.Residuals, r.Residuals[0])
		products := all.Stats.Products + r.Stats.Products
		all.Stats = r.Stats
		all.Stats.Products = products
	}
	return m.take(all, late, opt)
}

// literalMap solves map k as a contraction of the points kept.
func literalMap(ctx context.Context, w *sparse.CSR, kept, known []int, k int, inside float64, opt eigen.Options) (*eigen.Result, *eigen.Contraction, error) {
	var size [2]float64
	side := func(i int) int {
		if known[i] == k {
			return 0
		}
		return 1
	}
	for _, i := range kept {
		if known[i] != labels.Unknown {
			size[side(i)]++
		}
	}
	mass, node, free := w.RowSums(), make([]int32, len(kept)), int32(2)
	for at, i := range kept {
		if known[i] == labels.Unknown {
			node[at] = free
			free++
			continue
		}
		node[at] = int32(side(i))
		mass[at] += inside * size[side(i)]
	}
	c, err := eigen.Contract(w, mass, node)
	if err != nil {
		return nil, nil, err
	}
	opt.K, opt.SkipNull = 2, false
	r, err := c.Solve(ctx, opt)
	if r != nil {
		c.DropConstant(r)
	}
	return r, c, err
}

// sides returns map y's value at class k's labelled points and at the others.
func sides(y *mat.Dense, kept, known []int, k int) (of, others float64) {
	for at, i := range kept {
		switch {
		case known[i] == k:
			of = y.At(at, 0)
		case known[i] != labels.Unknown:
			others = y.At(at, 0)
		}
	}
	return of, others
}
