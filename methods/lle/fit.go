package lle

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted embedding.
type Model struct {
	// Embedding is n×Dims, one row per point: columns of mean 0 with YᵀY = m·I over the m points
	// embedded (with landmarks of a mean near 0). Rows of points outside are zero.
	Embedding *mat.Dense
	// Coordinates are what Embedding was before its rows were normalised, or the same matrix.
	Coordinates *mat.Dense
	// Values are the eigenvalues of the coordinates, ascending, Residuals their ‖My − λy‖/‖y‖ (with
	// landmarks the residuals of the l×l pencil).
	Values, Residuals []float64
	// Weights are W over the points that are embedded: m×m, in their order; rows sum to 1.
	Weights *sparse.CSR
	// Outside lists the points that are not embedded, ascending.
	Outside []int
	// Landmarks are the points from which the others are reconstructed; nil if there are none.
	Landmarks []int
	Stats     eigen.Stats

	opt    Options
	x      mat.Matrix // the points that are embedded
	kept   []int      // their numbers
	pieces *Pieces
}

// Fit embeds the rows of x. Cost: graph.Nearest, Weights, and the eigenproblem: dense up to
// DenseSize points (8·n² bytes, 4/3·n³ flops), by landmarks above, or by the solver that is
// named, at 4·k·n flops per product.
//
// Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), the context's, and
// *eigen.NotConvergedError, with which comes a model of the coordinates as far as they were found.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", opt.Dims)
	}
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		if err := s.CheckColumns(); err != nil {
			return nil, err
		}
	}
	n, _ := x.Dims()
	opt = opt.withDefaults(n)
	m, asked := &Model{x: x}, opt.Neighbors
	var filled []int // nil: all rows have neighbours
	if kept := rows.Filled(x); len(kept) < n && opt.Neighbors < n {
		if filled = kept; len(filled) < 2 {
			return nil, invalid.Errorf("%d of %d points %s entries: local reconstruction needs at least 2", len(filled), n, words.Verb(len(filled), "has", "have"))
		}
		m.Outside = rows.Others(n, filled)
		opt.Observer.Warnf(Stage, "Without entries, and so without neighbours: %d of %d points, which are not embedded.", len(m.Outside), n)
		opt.Neighbors = min(opt.Neighbors, len(filled)-1)
		m.x = rows.Select(x, filled)
	}
	m.opt = opt
	near, err := graph.Nearest(ctx, m.x, opt.Neighbors, opt.Observer)
	if err != nil {
		return nil, err
	}
	near = m.keep(near, filled, n)
	if opt.Dims >= len(m.kept) {
		return nil, invalid.Errorf("‹dims› %d is more than the %d that the %d connected points give: give fewer, or more ‹neighbors›", opt.Dims, max(0, len(m.kept)-1), len(m.kept))
	}
	if m.Weights, err = Weights(ctx, m.x, m.x, near, opt.Ridge); err != nil {
		return nil, err
	}
	y, err := m.solve(ctx)
	if y == nil {
		return nil, err
	}
	m.Coordinates = y
	if len(m.Outside) > 0 {
		_, k := y.Dims()
		m.Coordinates = mat.NewDense(n, k, nil)
		for r, i := range m.kept {
			m.Coordinates.SetRow(i, y.RawRowView(r))
		}
	}
	m.Embedding = rows.MaybeNormalized(m.Coordinates, opt.NormalizeRows)
	m.pieces = &Pieces{X: x, Coordinates: m.Coordinates, Outside: m.Outside, Neighbors: asked, Ridge: opt.Ridge, NormalizeRows: opt.NormalizeRows}
	return m, err
}

// keep keeps the points that are embedded, of those whose neighbours are near. filled are the
// numbers of the latter among all n, nil if they are all. It returns the neighbours of the points
// kept.
func (m *Model) keep(near *graph.KNN, filled []int, n int) *graph.KNN {
	kept, apart := parts(near, m.opt.Parts)
	if len(apart) > 0 {
		m.opt.Observer.Warnf(Stage, "The graph is not connected: %d of %d points %s outside of its largest part and %s not embedded.", len(apart), n, words.Verb(len(apart), "lies", "lie"), words.Verb(len(apart), "is", "are"))
		m.x, near = rows.Select(m.x, kept), within(near, kept)
	}
	if m.kept = kept; filled == nil {
		m.Outside = apart
		return near
	}
	for r, i := range kept {
		m.kept[r] = filled[i]
	}
	m.Outside = rows.Others(n, m.kept)
	return near
}

// solve returns the coordinates of the points kept.
func (m *Model) solve(ctx context.Context) (*mat.Dense, error) {
	l := m.opt.LandmarksOf(len(m.kept))
	if l >= len(m.kept) {
		return m.free(ctx)
	}
	if m.opt.Eigen.Verify {
		return nil, invalid.Errorf("‹verify› counts the eigenvalues of the problem without landmarks, and %d landmarks carry the %d points: choose solver shift-invert, or leave it out", l, len(m.kept))
	}
	if m.opt.Landmarks == 0 {
		m.opt.Observer.Notef(Stage, "The eigenproblem of %d points is too large for LAPACK: %d landmarks carry them.", len(m.kept), l)
	}
	m.opt.Landmarks = l
	return m.carried(ctx)
}

// fewPoints is the number of points up to which LAPACK takes little time, and no factor is tried.
const fewPoints = 1000

// free solves for the bottom eigenvectors of M besides the constant.
func (m *Model) free(ctx context.Context) (*mat.Dense, error) {
	n := m.Weights.NumRows
	e := m.opt.Eigen
	op := newOperator(m.Weights, e.K)
	if e.Solver == "" || e.Solver == eigen.Auto {
		e.Solver = eigen.Dense
		if n > fewPoints && e.K <= n/8 && eigen.EasyToFactor(op.WithoutConstant(), e.K) {
			e.Solver = eigen.ShiftInvert
		}
	}
	if e.Solver == eigen.Dense && !e.Verify {
		op.m = nil // LAPACK's matrix takes its place
	}
	r, err := eigen.Symmetric(ctx, op, e)
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) || len(r.Values) == 0 {
		return nil, err
	}
	m.Values, m.Residuals, m.Stats = r.Values, r.Residuals, r.Stats
	for j, v := range m.Values {
		m.Values[j] = max(0, v) // M has no negative ones
	}
	y := r.Vectors
	y.Scale(math.Sqrt(float64(n)), y)
	return y, err
}

// operator is M + c·11ᵀ/n: the constant, whose eigenvalue 0 is known, leaves the wanted end.
type operator struct {
	w, t *sparse.CSR
	c    float64
	m    *sparse.CSR // what WithoutConstant returns, once it is computed
}

func newOperator(w *sparse.CSR, wanted int) *operator {
	op := &operator{w: w, t: w.Transpose()}
	// The trace of M is the sum of its eigenvalues, none of them negative: less than a quarter of
	// them are above four times their mean, so c is above the wanted ones, and of the size of
	// ‖M‖, to which tolerances are relative. If most eigenvalues are wanted it has to be above
	// all.
	trace := float64(w.NumRows)
	for _, v := range w.Val {
		trace += v * v
	}
	op.c = 4 * trace / float64(w.NumRows)
	if wanted > w.NumRows/2 {
		op.c = trace
	}
	return op
}

// Dims returns n, n.
func (op *operator) Dims() (r, c int) { return op.w.NumRows, op.w.NumRows }

// Hash implements eigen.Hashed.
func (op *operator) Hash(h *store.Hasher) {
	h.Text("lle")
	h.Matrix(op.w)
	h.Floats([]float64{op.c})
}

// MulBlock sets dst = (I − Wᵀ)((I − W)x) + c·1(1ᵀx)/n: 4 flops an entry of W and a vector.
func (op *operator) MulBlock(dst, x blas64.General) {
	n := op.w.NumRows
	half := blas64.General{Rows: n, Cols: x.Cols, Stride: x.Cols, Data: make([]float64, n*x.Cols)}
	op.w.MulBlock(half, x)
	mean := make([]float64, x.Cols)
	for i := range n {
		h, v := half.Data[i*half.Stride:][:x.Cols], x.Data[i*x.Stride:][:x.Cols]
		for j := range h {
			h[j] = v[j] - h[j]
			mean[j] += v[j]
		}
	}
	op.t.MulBlock(dst, half)
	for j := range mean {
		mean[j] *= op.c / float64(n)
	}
	for i := range n {
		d, h := dst.Data[i*dst.Stride:][:x.Cols], half.Data[i*half.Stride:][:x.Cols]
		for j := range d {
			d[j] = h[j] - d[j] + mean[j]
		}
	}
}

// WithoutConstant implements eigen.Deflated: M written out. M has an entry for every two points
// that reconstruct a third, k² per point before equal ones are added. It is computed once.
func (op *operator) WithoutConstant() *sparse.CSR {
	if op.m == nil {
		op.m = op.gram()
	}
	return op.m
}

// gram writes M = (I − Wᵀ)(I − W) out, row by row, in parallel.
func (op *operator) gram() *sparse.CSR {
	const grain = 512
	n := op.w.NumRows
	parts := make([]*sparse.CSR, parallel.Chunks(n, grain))
	sums := make([][]float64, parallel.Workers(n, grain))
	err := parallel.For(context.Background(), n, grain, func(worker, lo, hi int) error {
		if sums[worker] == nil {
			sums[worker] = make([]float64, n)
		}
		parts[lo/grain] = op.gramRows(lo, hi, sums[worker])
		return nil
	})
	if err != nil {
		panic(err) // neither the body nor the context can fail
	}
	out := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, 1, n+1)}
	for _, p := range parts {
		for i := range p.NumRows {
			out.RowPtr = append(out.RowPtr, len(out.Col)+p.RowPtr[i+1])
		}
		out.Col, out.Val = append(out.Col, p.Col...), append(out.Val, p.Val...)
	}
	return out
}

// gramRows returns the rows lo to hi of M; sum is n zeros, and is again afterwards.
func (op *operator) gramRows(lo, hi int, sum []float64) *sparse.CSR {
	out := &sparse.CSR{NumRows: hi - lo, NumCols: len(sum), RowPtr: make([]int, 1, hi-lo+1)}
	seen := make([]bool, len(sum))
	for i := lo; i < hi; i++ {
		from := len(out.Col)
		add := func(j int32, v float64) {
			if !seen[j] {
				seen[j] = true
				out.Col = append(out.Col, j)
			}
			sum[j] += v
		}
		// Row i of (I − W)ᵀ(I − W) is the sum over the rows k of I − W with an entry at i.
		row := func(k int32, factor float64) {
			add(k, factor)
			cols, vals := op.w.Row(int(k))
			for l, j := range cols {
				add(j, -factor*vals[l])
			}
		}
		row(int32(i), 1)
		users, weights := op.t.Row(i)
		for l, k := range users {
			row(k, -weights[l])
		}
		slices.Sort(out.Col[from:])
		for _, j := range out.Col[from:] {
			out.Val = append(out.Val, sum[j])
			sum[j], seen[j] = 0, false
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}

// parts returns the points that are embedded, and the others.
func parts(near *graph.KNN, rule Parts) (kept, outside []int) {
	n := near.N
	if rule == All {
		return indices.UpTo(n), nil
	}
	w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1), Col: near.Index, Val: make([]float64, len(near.Index))}
	for k := range w.Val {
		w.Val[k] = 1
	}
	for i := range n {
		w.RowPtr[i+1] = (i + 1) * near.K
	}
	return manifold.LargestPart(w.Components()) // which needs no sorted rows
}

// within renumbers the lists of some points, a component, to the points themselves.
func within(near *graph.KNN, kept []int) *graph.KNN {
	place := make([]int32, near.N)
	for r, i := range kept {
		place[i] = int32(r)
	}
	out := &graph.KNN{N: len(kept), K: near.K}
	for _, i := range kept {
		index, dist2, dot := near.Row(i)
		for _, j := range index {
			out.Index = append(out.Index, place[j])
		}
		out.Dist2, out.Dot = append(out.Dist2, dist2...), append(out.Dot, dot...)
	}
	return out
}
