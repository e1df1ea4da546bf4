package spg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Fit is a method without labels: by default the paper's, the graph of 7 nearest neighbours
// (graph.Build), its eigenvectors (NeighborResponses), and FitResponses; with opt.Responses FromPCA
// the principal components (PCAResponses). Labels have ClassResponses or SemiResponses, then
// FitResponses. Beside *eigen.NotConvergedError it returns a model of the eigenvectors found so
// far.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.needDims(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to project")
	}
	switch opt.Responses {
	case FromPCA:
		r, err := PCAResponses(ctx, x, opt)
		if err != nil {
			return nil, err
		}
		return FitResponses(ctx, x, r, opt)
	case FromLabels, FromClasses:
		return nil, invalid.Errorf("the responses %q need labels: call FitResponses with SemiResponses or ClassResponses", opt.Responses)
	}
	o := opt.Graph
	if o.Neighbors == 0 && o.Epsilon == 0 {
		n, _ := x.Dims()
		o.Neighbors = min(DefaultNeighbors, max(1, opt.Share.Among(n)-1))
	}
	o.Share = opt.Share
	g, err := graph.Build(ctx, x, o)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, x, g, opt)
}

// FitGraph is Fit with a given graph.
func FitGraph(ctx context.Context, x mat.Matrix, g *graph.Graph, opt Options) (*Model, error) {
	r, stopped := NeighborResponses(ctx, g, opt)
	if r == nil {
		return nil, stopped
	}
	m, err := FitResponses(ctx, x, r, opt)
	if err != nil {
		return nil, err
	}
	return m, stopped
}

// FitResponses finds the directions of given responses: for each it follows the lasso path to the
// number of terms wanted, or solves a ridge regression. x is n×p, sparse or dense; the responses
// are not written. Ranks that divide the documents (Options.Share) call it together, each with its
// own ones and their responses; directions are on every rank.
//
// Cost: lars.Fit, or lars.Ridge, and one projection. Memory besides x: the transpose, the paths,
// for Ridge 12·p·d bytes.
//
// Errors: a request or data that are wrong (fs.ErrInvalid), the context's, a regression that did
// not converge.
func FitResponses(ctx context.Context, x mat.Matrix, r *Responses, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	x, t, err := taking(x, r)
	if err = rows.Agreed(opt.Share, err); err != nil {
		return nil, err
	}
	if opt.Share.Divided() {
		n, _ := t.x.Dims()
		t.share = ranks.NewShare(opt.Share, n)
	}
	if n, _ := t.x.Dims(); t.share.Among(n) == 0 {
		return nil, invalid.Errorf("no document has a response")
	}
	m := &Model{x: x, opt: opt, given: r, Occurring: occurring(x, opt.Share)}
	if opt.Penalty == Ridge {
		return m.regress(ctx, t)
	}
	m.Asked = opt.terms(m.Occurring)
	m.paths, err = lars.Fit(ctx, t.x, t.y, lars.Options{Ridge: opt.ridge(), Intercept: !opt.NoIntercept, MaxTerms: m.Asked, PartTies: true, Observer: opt.Observer, Share: t.share})
	if err != nil {
		return nil, err
	}
	m.noteTies()
	return m.cut(ctx, m.Asked)
}

// taken has this rank's documents that have a response, and their responses; share divides such
// documents among the ranks.
type taken struct {
	x     mat.Matrix
	y     *mat.Dense
	share *ranks.Share
}

// taking checks the documents and the responses. It returns the documents as they are stored, and
// the ones that have a response.
func taking(x mat.Matrix, r *Responses) (mat.Matrix, taken, error) {
	if x == nil || r == nil || r.Y == nil || r.Y.IsEmpty() {
		return nil, taken{}, invalid.Errorf("there are no documents or no responses to project them on")
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, taken{}, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		if err := s.CheckColumns(); err != nil {
			return nil, taken{}, err
		}
	}
	n, p := x.Dims()
	of, d := r.Y.Dims()
	if of != n {
		return nil, taken{}, invalid.Errorf("there are responses for %d documents, but %d documents", of, n)
	}
	if len(r.Without) == 0 {
		return x, taken{x: x, y: r.Y}, nil
	}
	out := make([]bool, n)
	for _, i := range r.Without {
		if i < 0 || i >= n {
			return nil, taken{}, invalid.Errorf("document %d has no response, but there are %d documents", i, n)
		}
		out[i] = true
	}
	var kept []int
	for i, is := range out {
		if !is {
			kept = append(kept, i)
		}
	}
	if _, ok := x.(*mat.Dense); ok && len(kept) == 0 {
		return x, taken{x: without(p), y: without(d)}, nil
	}
	if len(kept) == 0 {
		return x, taken{x: rows.Select(x, nil), y: without(d)}, nil
	}
	y := mat.NewDense(len(kept), d, nil)
	for to, i := range kept {
		copy(y.RawRowView(to), r.Y.RawRowView(i))
	}
	return x, taken{x: rows.Select(x, kept), y: y}, nil
}

// without is a matrix without rows, which mat.NewDense does not make.
func without(columns int) *mat.Dense {
	var m mat.Dense
	m.SetRawMatrix(blas64.General{Cols: columns, Stride: columns})
	return &m
}

// occurring counts the columns with an entry that is not zero, in the rows of all ranks.
func occurring(x mat.Matrix, share *ranks.Share) int {
	n, p := x.Dims()
	entries := make([]int, p)
	if a, ok := x.(*sparse.CSR); ok {
		for j, c := range a.ColCounts() {
			entries[j] = int(c)
		}
	} else {
		for i := range n {
			for j := range p {
				if entries[j] == 0 && x.At(i, j) != 0 {
					entries[j] = 1
				}
			}
		}
	}
	count := 0
	for _, c := range ranks.Counts(share, entries) {
		if c > 0 {
			count++
		}
	}
	return count
}

// column is one direction of a regression.
type column struct {
	terms   []int32
	weights []float64
}

// noteTies notes the directions in which a tie of terms had to be broken.
func (m *Model) noteTies() {
	m.Parted = make([]int, len(m.paths))
	for j, p := range m.paths {
		if m.Parted[j] = len(p.Parted); m.Parted[j] > 0 {
			m.opt.Observer.Notef(Stage, "Direction %d: more terms correlate equally than the cardinality of %d has room for; the first ones in the order of columns were taken, %d stay out.",
				j+1, m.Asked, m.Parted[j])
		}
	}
}

// cut makes the model of the last knots of the paths with at most this many terms.
func (m *Model) cut(ctx context.Context, terms int) (*Model, error) {
	c := *m
	c.Asked = terms
	columns := make([]column, len(m.paths))
	c.Penalties = make([]float64, len(m.paths))
	for j, p := range m.paths {
		if p.Knots() == 0 {
			continue
		}
		knot := p.WithTerms(terms)
		t, w, _ := p.At(knot)
		columns[j] = column{terms: t, weights: w}
		c.Penalties[j] = p.Penalty[knot]
	}
	return c.finish(ctx, columns)
}

// regress solves the ridge regressions; α has the units of the squared data.
func (m *Model) regress(ctx context.Context, t taken) (*Model, error) {
	o := m.opt.regression()
	o.Share = t.share
	r, err := lars.Ridge(ctx, t.x, t.y, o)
	if err != nil {
		return nil, err
	}
	if !r.Converged {
		return nil, fmt.Errorf("the regressions are not found to %g after %d steps (residual %.3g): add a ridge, or give more memory", o.Tol, r.Iterations, slices.Max(r.Residuals))
	}
	p, d := r.Coefficients.Dims()
	columns := make([]column, d)
	for i := range p {
		for j, v := range r.Coefficients.RawRowView(i) {
			if c := &columns[j]; v != 0 {
				c.terms, c.weights = append(c.terms, int32(i)), append(c.weights, v)
			}
		}
	}
	return m.finish(ctx, columns)
}

// finish projects the documents, sets length and sign of each direction, and completes the model.
func (m *Model) finish(ctx context.Context, columns []column) (*Model, error) {
	_, p := m.x.Dims()
	n, d := m.given.Y.Dims()
	b := sparse.NewBuilder(p, d)
	m.Intercepts, m.Cardinality, m.Correlations = make([]float64, d), make([]int, d), make([]float64, d)
	for j, c := range columns {
		m.Cardinality[j] = len(c.terms)
		for k, t := range c.terms {
			b.Add(int(t), j, c.weights[k])
		}
	}
	var err error
	if m.Projection, err = b.Build(); err != nil {
		return nil, err
	}
	// Without the intercepts: added to them, the small coefficients of a large ridge would be lost to
	// rounding.
	first := linear.Placer{Projection: m.Projection, Offset: m.Intercepts}
	inner, stopped := m.opt.Share.Watch(ctx)
	// Documents without a response are read here for the first time: their values may be wrong.
	m.Embedding, err = first.Project(inner, m.x)
	if err = rows.Agreed(m.opt.Share, err); err != nil {
		return nil, err
	}
	out := make([]bool, n)
	for _, i := range m.given.Without {
		out[i] = true
	}
	by, turn := make([]float64, d), make([]float64, d)
	for j, c := range columns {
		spread, response, both, centre, mean := moments(m.opt.Share, m.Embedding, m.given.Y, j, out)
		by[j], turn[j] = 1, 1
		if spread > 0 && response > 0 {
			m.Correlations[j] = both / spread / response
			if m.opt.Scale != Path {
				by[j] = response / spread
			}
		}
		heaviest := 0.0
		for _, w := range c.weights {
			if math.Abs(w) > math.Abs(heaviest) {
				heaviest = w
			}
		}
		if heaviest < 0 {
			by[j], turn[j] = -by[j], -1
		}
		if !m.opt.NoIntercept {
			m.Intercepts[j] = turn[j]*mean - by[j]*centre
		}
	}
	m.Projection = m.Projection.ScaleCols(by)
	// Again, so that a training document and an equal new one get the same coordinates, bit for bit.
	m.Embedding, err = m.Transform(inner, m.x)
	if err = rows.Agreed(m.opt.Share, err); err != nil {
		return nil, err
	}
	r := *m.given
	r.Y = mat.DenseCopyOf(r.Y)
	panel.ScaleColumns(r.Y.RawMatrix(), turn)
	m.Responses = &r
	return m, stopped()
}

// moments are the root sums of squares about the mean of column j of a and b, the sum of products,
// and the means, over the rows of all ranks that are not out. A root that is rounding error of the
// values, or too small to be accurate, is set to zero.
func moments(share *ranks.Share, a, b *mat.Dense, j int, out []bool) (ra, rb, ab, meanA, meanB float64) {
	count, topA, topB := 0.0, 0.0, 0.0
	for i, is := range out {
		if !is {
			u, v := a.At(i, j), b.At(i, j)
			count++
			meanA += (u - meanA) / count
			meanB += (v - meanB) / count
			topA, topB = max(topA, math.Abs(u)), max(topB, math.Abs(v))
		}
	}
	parts := ranks.GatherFloats(share, []float64{count, meanA, meanB, topA, topB})
	count, meanA, meanB = 0, 0, 0
	for p := 0; p < len(parts); p += 5 {
		if n := parts[p]; n > 0 {
			count += n
			meanA += (parts[p+1] - meanA) * (n / count)
			meanB += (parts[p+2] - meanB) * (n / count)
			topA, topB = max(topA, parts[p+3]), max(topB, parts[p+4])
		}
	}
	for i, is := range out {
		if is {
			continue
		}
		u, v := a.At(i, j)-meanA, b.At(i, j)-meanB
		ra, rb, ab = math.Hypot(ra, u), math.Hypot(rb, v), ab+u*v
	}
	parts = ranks.GatherFloats(share, []float64{ra, rb, ab})
	ra, rb, ab = 0, 0, 0
	for p := 0; p < len(parts); p += 3 {
		ra, rb, ab = math.Hypot(ra, parts[p]), math.Hypot(rb, parts[p+1]), ab+parts[p+2]
	}
	if ra <= max(1e-12*topA, 0x1p-1010) {
		ra = 0
	}
	if rb <= max(1e-12*topB, 0x1p-1010) {
		rb = 0
	}
	return ra, rb, ab, meanA, meanB
}
