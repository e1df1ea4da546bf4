package nmf

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Batches is factorisation of rows that come in batches and are not kept, by the algorithm of
// Mairal, Bach, Ponce and Sapiro ("Online learning for matrix factorization and sparse coding",
// JMLR 11, 2010, algorithms 1 and 2) without a penalty, with a forgetting factor as in Lefèvre,
// Bach and Févotte ("Online algorithms for nonnegative matrix factorization with the Itakura-Saito
// divergence", 2011). The rows of a batch get their best coefficients c on the topics H before the
// batch. Then H lowers, with these coefficients fixed, the surrogate
//
//	½ Σ w·‖x − c·H‖² = ½ Σ w·‖x‖² − ⟨B, Hᵀ⟩ + ½⟨A, H·Hᵀ⟩
//
// over all rows x so far, for which A = Σ w·cᵀc (k×k) and B = Σ w·xᵀc (m×k) are enough. The
// weight w is 1, or with a half-life h is 2^(−r/h) for a row after whose batch r rows came.
//
// The first batch is factorised by [Fit], whose topics and numbers they keep: they are the whole
// data's if the first batch is all there is. Later rows are seen once, unless they are given twice.
// The surrogate is no less than the objective of H over the same rows with their best coefficients.
// The result depends on the batches, their order, the options and, as of Fit, the engine; it does
// not depend on the number of threads.
//
// Rows that share no term with any topic have no coefficients, and change nothing: data that change
// over time need a new fit.
type Batches struct {
	opt      Options
	halfLife float64
	placer   Placer
	stats    statistics
	rows     int
}

// statistics are what is kept of all rows so far: A and B of [Batches], and the sums of w·‖x‖² and
// of w. B is padded as the factors of a fit are.
type statistics struct {
	a, b           block
	square, weight float64
}

// batchSweeps is the most sweeps over the topics after a batch. They end earlier, for some rows of
// Hᵀ together, when one changes them less than a tenth of the first.
const batchSweeps = 10

// NewBatches makes an empty one. Dims, Solver, Restarts, MaxIter, Tol, Seed, StartW, StartH and
// Observer of the options are for the fit of the first batch. halfLife is the number of rows after
// which a row counts half as much as a new one; 0: all rows count the same for ever. Errors
// (fs.ErrInvalid): options that [Fit] refuses, no Dims, Share, Weighting [NCW] (it needs the sums
// of the columns over all rows; "" is [Plain] here), and a half-life that is negative or not
// finite.
func NewBatches(opt Options, halfLife float64) (*Batches, error) {
	switch {
	case opt.Share != nil:
		return nil, invalid.Errorf("factorisation by batches takes no rows that are divided among ranks: leave them out")
	case opt.Weighting == NCW:
		return nil, invalid.Errorf("factorisation by batches cannot weight documents as the normalised cut does, for which the sums over all of them are needed: use ‹nmf-weighting› none")
	case opt.Dims < 1:
		return nil, invalid.Errorf("the number of topics is %d; it must be at least 1", opt.Dims)
	case !(halfLife >= 0) || math.IsInf(halfLife, 1):
		return nil, invalid.Errorf("the half-life is %g rows; it must be finite and at least 0, which is none", halfLife)
	}
	opt.Weighting = Plain
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	return &Batches{opt: opt, halfLife: halfLife}, nil
}

// Add takes the next batch, rows as of [Fit], and returns their coefficients, n×k: their best ones
// on the topics before the batch ([Placer.Transform]); of the first batch those of its fit. A batch
// without rows changes nothing.
//
// Cost: of the first batch a fit; of later ones 4·k flops per entry, what Transform takes for each
// row, and up to 10 sweeps over the topics of 2·k² flops per column. Memory: 16·m·k bytes between
// batches, twice that and 8·(2·n + m)·k bytes in a batch, whatever the number of batches. Errors
// (fs.ErrInvalid): those of Fit for the first batch, and one without an entry above zero; for later
// ones those of Transform, and data whose statistics overflow; and the context's. After an error
// all is as it was.
func (b *Batches) Add(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if b.placer.H == nil {
		return b.begin(ctx, x)
	}
	if x != nil {
		if n, _ := x.Dims(); n == 0 {
			return new(mat.Dense), nil
		}
	}
	c, err := b.placer.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	if err := b.absorb(ctx, x, c, b.placer.H); err != nil {
		return nil, err
	}
	return c, nil
}

// begin takes the first batch.
func (b *Batches) begin(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	m, err := Fit(ctx, x, b.opt)
	if err != nil {
		return nil, err
	}
	if mat.Max(m.H) == 0 {
		return nil, invalid.Errorf("the first batch has no entry above zero, and so no topics: begin with another")
	}
	_, terms := m.H.Dims()
	width := paddedWidth(b.opt.Dims)
	b.stats = statistics{a: newBlock(b.opt.Dims, b.opt.Dims, b.opt.Dims), b: newBlock(terms, b.opt.Dims, width)}
	if err := b.absorb(ctx, x, m.W, m.H); err != nil {
		b.stats = statistics{}
		return nil, err
	}
	return m.W, nil
}

// absorb adds a batch with its coefficients on the topics h to the statistics, and lowers the
// surrogate from there on, unless the batch is the first.
func (b *Batches) absorb(ctx context.Context, x mat.Matrix, c, h *mat.Dense) error {
	defer native.Parallel()()
	data, err := readRows(x)
	if err != nil {
		return err
	}
	s, err := b.stats.with(ctx, data, c, b.keep(data))
	if err != nil {
		return err
	}
	if b.placer.H != nil {
		if h, err = s.lower(ctx, h); err != nil {
			return err
		}
	}
	if math.IsInf(s.square, 0) || !finite(s.a.Data) || !finite(s.b.Data) || !finite(h.RawMatrix().Data) {
		return invalid.Errorf("the sums over all rows so far are beyond the largest number: divide the data by a constant")
	}
	n, _ := data.dims()
	b.stats, b.placer.H, b.rows = s, h, b.rows+n
	return nil
}

// keep is what the weights of earlier rows are multiplied by when rows come.
func (b *Batches) keep(rows rowData) float64 {
	if b.halfLife == 0 {
		return 1
	}
	n, _ := rows.dims()
	return math.Exp2(-float64(n) / b.halfLife)
}

// with returns new statistics: these times keep, and the rows' own.
func (s statistics) with(ctx context.Context, x rowData, c *mat.Dense, keep float64) (statistics, error) {
	n, m := x.dims()
	k, width := s.a.Cols, s.b.Stride
	if err := memory.Need(ctx, memory.Bytes(8, 2*(n+3*m), width), "give smaller batches", "the sums of a batch of %s", words.Counted(n, "row")); err != nil {
		return statistics{}, err
	}
	rows := newBlock(n, k, width)
	for i := range n {
		copy(rows.Data[i*width:], c.RawRowView(i))
	}
	to := statistics{a: newBlock(k, k, k), b: newBlock(m, k, width), square: keep * s.square, weight: keep*s.weight + float64(n)}
	(&side{f: rows, join: ranks.Alone{}.Sum}).gram(to.a)
	if err := x.operator(width, true).mul(ctx, to.b, rows, parallel.For); err != nil {
		return statistics{}, err
	}
	addTimes(to.a.Data, s.a.Data, keep)
	addTimes(to.b.Data, s.b.Data, keep)
	to.forget()
	for i := range n {
		_, vals := x.row(i)
		for _, v := range vals {
			to.square += v * v
		}
	}
	return to, nil
}

// forget drops the sums of topics whose own rows have so long ago lost their weight that rounding
// below the smallest normal number would bend the topics: they then stay as they are.
func (s statistics) forget() {
	const faint, share = 0x1p-960, 0x1p-60
	k, most := s.a.Cols, 0.0
	for j := range k {
		most = max(most, s.a.Data[j*k+j])
	}
	for j := range k {
		if v := s.a.Data[j*k+j]; v >= faint || v >= share*most {
			continue
		}
		for i := range k {
			s.a.Data[i*k+j], s.a.Data[j*k+i] = 0, 0
		}
		for i := range s.b.Rows {
			s.b.Data[i*s.b.Stride+j] = 0
		}
	}
}

// addTimes adds c·from to to.
func addTimes(to, from []float64, c float64) {
	for i, v := range from {
		to[i] += c * v
	}
}

func finite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v-v != 0 })
}

// lower returns topics of a lower surrogate than h's, each of unit length or zero, and gives the
// coefficients that the statistics stand for the lengths.
func (s statistics) lower(ctx context.Context, h *mat.Dense) (*mat.Dense, error) {
	k, m := h.Dims()
	width := s.b.Stride
	w := workspace{k: k, width: width, chunk: chunkRows(width), each: parallel.For}
	w.layEights(parallel.Workers(m, w.chunk))
	f := side{f: newBlock(m, k, width), g: newBlock(m, k, width), same: true, join: ranks.Alone{}.Sum,
		partials: make([]partial, (m+w.chunk-1)/w.chunk), repeats: batchSweeps}
	f.p = f.g
	for j := range k {
		for i, v := range h.RawRowView(j) {
			f.f.Data[i*width+j] = v
		}
	}
	copy(f.p.Data, s.b.Data)
	if err := w.gradient(ctx, &f, s.a, false); err != nil {
		return nil, err
	}
	if err := w.hals(ctx, &f, s.a, false); err != nil {
		return nil, err
	}
	to := mat.NewDense(k, m, nil)
	length := make([]float64, k)
	for j := range k {
		row := to.RawRowView(j)
		for i := range row {
			row[i] = f.f.Data[i*width+j]
		}
		if length[j] = mat.Norm(to.RowView(j), 2); length[j] == 0 {
			length[j] = 1
		}
		for i := range row {
			row[i] /= length[j]
		}
	}
	for i := range k {
		for j := range k {
			s.a.Data[i*k+j] *= length[i] * length[j]
		}
	}
	for i := range m {
		for j := range k {
			s.b.Data[i*width+j] *= length[j]
		}
	}
	return to, nil
}

// Placer has the topics so far, which keep their numbers from batch to batch; their lengths are 1,
// or 0. It places documents, and is written into a model. Errors (fs.ErrInvalid): no batch came
// yet.
func (b *Batches) Placer() (*Placer, error) {
	if b.placer.H == nil {
		return nil, invalid.Errorf("factorisation by batches has no topics: add a batch of %s or more first", words.Counted(b.opt.Dims, "row"))
	}
	return &Placer{H: mat.DenseCopyOf(b.placer.H)}, nil
}

// Surrogate is the mean of ½‖x − c·H‖² over the rows so far by their weights, with the
// coefficients that each row got when it came and the topics of now; 0 before the first batch. With
// equal weights and one batch given again and again it never rises but for rounding.
func (b *Batches) Surrogate() float64 {
	if b.placer.H == nil {
		return 0
	}
	s, h := b.stats, b.placer.H
	k, _ := h.Dims()
	f := 0.5 * s.square
	for j := range k {
		for i, v := range h.RawRowView(j) {
			f -= v * s.b.Data[i*s.b.Stride+j]
		}
	}
	var g mat.Dense
	g.Mul(h, h.T())
	for i := range k {
		for j := range k {
			f += 0.5 * s.a.Data[i*k+j] * g.At(i, j)
		}
	}
	return max(f, 0) / s.weight
}

// Rows is the number of rows so far.
func (b *Batches) Rows() int { return b.rows }
