package isomap

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted embedding.
type Model struct {
	// Embedding is n×Dims, one row per point. Rows of points outside of what was embedded are zero.
	Embedding *mat.Dense
	// Coordinates are what Embedding was before its rows were normalised, or the same matrix.
	Coordinates *mat.Dense
	// Values are the eigenvalues of the coordinates, descending, Residuals their ‖Bv − λv‖ for v of
	// unit length.
	Values, Residuals []float64
	// ResidualVariance holds for 1, 2, ..., Dims coordinates 1 − R² between geodesic and straight
	// distances (with landmarks, from landmarks to all points).
	ResidualVariance []float64
	// Outside lists the points that are not embedded, ascending; Links counts the edges that [Join]
	// added.
	Outside []int
	Links   int
	// Landmarks are the points whose distances were scaled, ascending if they are random. Without
	// landmarks they are all points embedded.
	Landmarks []int
	Stats     eigen.Stats

	opt   Options
	paths *Paths // nil if the points are not known
	// y_a = Σ_k project_ka·(δ_k − mean_k) over the landmarks.
	project *mat.Dense
	mean    []float64
}

// Fit embeds the rows of x. Besides the neighbour graph it costs one search of the graph per
// landmark, 8·l·n bytes, 4·l² flops per product of the eigensolver, and 2·l·n·Dims flops for the
// coordinates and as many for the residual variance.
//
// Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), the context's, and
// *eigen.NotConvergedError, with which comes a model of the coordinates as far as they were found.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	opt.Graph = unweighted(opt.Graph)
	g, err := graph.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, x, g, opt)
}

// unweighted are the options of the same graph with all weights 1, so that no edge is left out
// because its weight rounds to 0 or is not positive.
func unweighted(opt graph.Options) graph.Options {
	opt.Weight, opt.HeatWidth = graph.Binary, 0
	return opt
}

// FitGraph embeds the rows of x along the edges of g, the graph that graph.Build made of them under
// opt.Graph: Fit without its first step.
func FitGraph(ctx context.Context, x mat.Matrix, g *graph.Graph, opt Options) (*Model, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	lengths, err := geodesic.Lengths(ctx, x, g.W)
	if err != nil {
		return nil, err
	}
	lengths, links, err := joined(ctx, x, lengths, opt)
	if err != nil {
		return nil, err
	}
	opt.Parts = Largest
	m, err := FitLengths(ctx, lengths, opt)
	if m == nil {
		return nil, err
	}
	m.Links = links
	var failed error
	if m.paths, failed = newPaths(ctx, m, nystrom.NewJoined(x, g, opt.Graph), lengths); failed != nil && err == nil {
		return nil, failed
	}
	return m, err
}

// joined connects the components of a graph under the rule of opt; links are the edges added.
func joined(ctx context.Context, x mat.Matrix, lengths *sparse.CSR, opt Options) (all *sparse.CSR, links int, err error) {
	if opt.Parts == Largest || lengths.NNZ() == 0 {
		return lengths, 0, nil
	}
	if parts := len(geodesic.Parts(x, lengths)); opt.Parts == "" && parts > geodesic.MaxParts {
		opt.Observer.Warnf(Stage, "The graph has %s parts, more than the %d that are joined.", words.Thousands(parts), geodesic.MaxParts)
		return lengths, 0, nil
	}
	if all, links, err = geodesic.Join(ctx, x, lengths); links > 0 {
		opt.Observer.Warnf(Stage, "The graph is not connected, and its parts were joined by %s; ‹parts› largest embeds the largest part alone.",
			words.Counted(links, "shortest link"))
	}
	return all, links, err
}

// FitLengths embeds the nodes of a graph of lengths (package geodesic): Fit without its first step.
func FitLengths(ctx context.Context, lengths *sparse.CSR, opt Options) (*Model, error) {
	if err := invalid.Join(opt.complete(), geodesic.Check(lengths)); err != nil {
		return nil, err
	}
	if opt.Parts == Join {
		return nil, invalid.Errorf("the parts of a graph of lengths cannot be joined, because its points are not known: choose %q", Largest)
	}
	opt = opt.withDefaults().within(ctx)
	n := lengths.NumRows
	kept, outside := manifold.LargestPart(geodesic.Components(lengths))
	if opt.Dims >= len(kept) {
		if len(kept) < 2 {
			return nil, invalid.Errorf("no point of the graph has a neighbour: there are no paths to keep the lengths of")
		}
		return nil, invalid.Errorf("‹dims› %d is more than the %d that the graph's largest part, of %d points, gives: give ‹dims› %d, or more ‹neighbors›", opt.Dims, len(kept)-1, len(kept), len(kept)-1)
	}
	part := lengths
	if len(outside) > 0 {
		opt.Observer.Warnf(Stage, "The graph is not connected: %d of %d points %s outside of its largest part and %s not embedded.", len(outside), n, words.Verb(len(outside), "lies", "lie"), words.Verb(len(outside), "is", "are"))
		part = lengths.SelectRows(kept).SelectCols(kept)
	}
	m := &Model{opt: opt, Outside: outside}
	y, err := m.settled(ctx, part)
	if y == nil {
		return nil, err
	}
	m.noteLost()
	for i, s := range m.Landmarks {
		m.Landmarks[i] = kept[s]
	}
	if len(outside) == 0 {
		m.take(y)
		return m, err
	}
	all := mat.NewDense(n, opt.Dims, nil)
	for r, i := range kept {
		all.SetRow(i, y.RawRowView(r))
	}
	m.take(all)
	return m, err
}

// scale embeds the nodes of a connected graph. Landmarks are its nodes. key is the key of the work
// in a store.
func (m *Model) scale(ctx context.Context, part *sparse.CSR, key store.Key) (*mat.Dense, error) {
	t, full, err := table(ctx, part, m.opt)
	if err != nil {
		return nil, err
	}
	m.Landmarks = t.Sources
	if full {
		return m.scaleAll(ctx, t.D, key)
	}
	return m.scaleLandmarks(ctx, t, key)
}

// FitDistances is classical scaling of given distances, d n×n: symmetric, finite, not negative. It
// copies them. The model has no Transform.
func FitDistances(ctx context.Context, d *mat.Dense, opt Options) (*Model, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	n, c := d.Dims()
	if n != c || n <= opt.Dims {
		return nil, invalid.Errorf("%d × %d distances cannot give %d dimensions: the table must be square, of more than %d points", n, c, opt.Dims, opt.Dims)
	}
	if err := memory.Need(ctx, memory.Bytes(8, n, n), "use landmarks", "the distances of %s", words.Counted(n, "point")); err != nil {
		return nil, err
	}
	for i := range n {
		for j, v := range d.RawRowView(i) {
			if !(v >= 0) || math.IsInf(v, 1) || v != d.At(j, i) {
				return nil, invalid.Errorf("the distance of points %d and %d (counted from 0) is %v, and %v the other way: distances must be finite, not negative and symmetric", i, j, v, d.At(j, i))
			}
		}
	}
	m := &Model{opt: opt, Landmarks: make([]int, n)}
	for i := range n {
		m.Landmarks[i] = i
	}
	var key store.Key
	if store.From(ctx) != nil {
		h := store.NewHasher("isomap of distances 1")
		h.Matrix(d)
		key = h.Key()
	}
	y, err := m.scaleAll(ctx, mat.DenseCopyOf(d), key)
	if y == nil {
		return nil, err
	}
	m.noteLost()
	m.take(y)
	return m, err
}

// take makes y the coordinates.
func (m *Model) take(y *mat.Dense) {
	m.Coordinates, m.Embedding = y, rows.MaybeNormalized(y, m.opt.NormalizeRows)
}

// table measures distances from the landmarks of a connected graph; full says that all nodes are
// landmarks.
func table(ctx context.Context, part *sparse.CSR, opt Options) (t *geodesic.Table, full bool, err error) {
	n := part.NumRows
	l := opt.LandmarksOf(n)
	measure := geodesic.Options{Observer: opt.Observer}
	switch {
	case l == n:
		t, err = geodesic.Distances(ctx, part, measure)
		return t, true, err
	}
	if opt.Pick == MaxMin {
		t, err = geodesic.MaxMin(ctx, part, l, opt.Seed, measure)
		return t, false, err
	}
	measure.Sources = rand.New(rand.NewPCG(opt.Seed, 0x69736f6d6170)).Perm(n)[:l]
	slices.Sort(measure.Sources)
	t, err = geodesic.Distances(ctx, part, measure)
	return t, false, err
}

// solved takes the eigenpairs of B, largest first, and makes the projection of squared distances.
// It returns the eigenvectors' scaled columns √λ·v.
func (m *Model) solved(r *eigen.Result, err error) (*mat.Dense, error) {
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) || len(r.Values) == 0 {
		return nil, err
	}
	n, k := r.Vectors.Dims()
	m.Stats = r.Stats
	y := mat.NewDense(n, m.opt.Dims, nil)
	m.project = mat.NewDense(n, m.opt.Dims, nil)
	m.Values, m.Residuals = make([]float64, k), make([]float64, k)
	for a := range k {
		b := k - 1 - a
		v := r.Values[b]
		m.Values[a], m.Residuals[a] = v, r.Residuals[b]
		// Rounding makes a zero eigenvalue of the size ε·√n·λ₁; its square root would give
		// coordinates of size √ε.
		if !m.positive(v, n) {
			continue
		}
		root := math.Sqrt(v)
		for i := range n {
			u := r.Vectors.At(i, b)
			y.Set(i, a, root*u)
			m.project.Set(i, a, -0.5*u/root)
		}
	}
	return y, err
}

// positive says whether an eigenvalue of the scaling of n points is more than rounding.
func (m *Model) positive(v float64, n int) bool { return v > 1e-13*math.Sqrt(float64(n))*m.Values[0] }

// noteLost reports coordinates that have no positive eigenvalue.
func (m *Model) noteLost() {
	positive := 0
	for _, v := range m.Values {
		if m.positive(v, len(m.Landmarks)) {
			positive++
		}
	}
	if positive < m.opt.Dims {
		m.opt.Observer.Warnf(Stage, "Only %d of %d coordinates %s a positive eigenvalue; the others are 0.", positive, m.opt.Dims, words.Verb(positive, "has", "have"))
	}
}
