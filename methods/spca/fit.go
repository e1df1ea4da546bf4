package spca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Stage is the name of the stage in progress reports and notes.
const Stage = "sparse components"

// Fit analyses the rows of x, n×p: *sparse.CSR stays sparse, *mat.Dense is not copied.
//
// Cost: pca.Fit; then per round k paths (lars.Fit), 4·entries·k flops, and about p·k² for A.
// Memory: the transposes of sparse x that both hold, some blocks of (n + p)·k numbers, the paths.
// With at least two rows per column and at most 1,024 columns (the Gram mode) the Gram matrix and
// its eigenpairs come first, n·p² + 9·p³ flops, and p rows take the place of the n in each round.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, fewer directions of variance
// than components, values that are not finite; the context's error; errors of the principal
// components' solver.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	return analyse(ctx, x, opt, true)
}

// analyse is Fit, which takes the Gram mode only if gram is set.
func analyse(ctx context.Context, x mat.Matrix, opt Options, gram bool) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to analyse")
	}
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of components is %d; it must be at least 1", opt.Dims)
	}
	rows, columns := x.Dims()
	opt = opt.withDefaults(rows, columns)
	b, err := svd.New(ctx, x, true)
	if err != nil {
		return nil, err
	}
	m := &Model{Mean: b.Mean, NormalizeRows: opt.NormalizeRows, TotalVariance: b.Total / b.Scale / b.Scale / float64(b.Rows-1)}
	f := &fit{x: x, b: b, opt: opt, rows: rows, loadings: panel.New(columns, opt.Dims)}
	if err := f.begin(ctx, gram); err != nil {
		return nil, err
	}
	for m.Rounds < opt.MaxIter && !m.Converged {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		opt.Observer.Report(Stage, int64(m.Rounds), int64(opt.MaxIter), "rounds")
		if err := f.round(ctx, m); err != nil {
			return nil, err
		}
		m.Rounds++
		m.Converged = settled(m.Objective, opt.Tol)
	}
	opt.Observer.Report(Stage, int64(opt.MaxIter), int64(opt.MaxIter), "rounds")
	if !m.Converged {
		opt.Observer.Unsettledf(Stage, "The objective still changes after %d rounds; allow more, or a larger tolerance.", m.Rounds)
	}
	if err := f.finish(ctx, m); err != nil {
		return nil, err
	}
	m.Embedding, err = m.Transform(ctx, x)
	return m, err
}

// begin chooses between the Gram mode, if it may, and the rows, and sets A to the first principal
// components.
func (f *fit) begin(ctx context.Context, gram bool) error {
	var start blas64.General
	reduced := false
	if gram {
		var err error
		if start, reduced, err = f.reduce(ctx); err != nil {
			return err
		}
	}
	if !reduced {
		first, err := pca.Fit(ctx, f.x, pca.Options{Dims: f.opt.Dims, Seed: f.opt.Seed, Observer: f.opt.Observer})
		if err != nil {
			return err
		}
		if first.Rank < f.opt.Dims {
			if first.Rank == 0 {
				return invalid.Errorf("the documents are all equal, and vary in no direction: give others, or check that this is the right file")
			}
			return invalid.Errorf("‹dims› %d is more than the %s in which the documents vary: give ‹dims› %d", f.opt.Dims, words.Counted(first.Rank, "direction"), first.Rank)
		}
		start = mat.DenseCopyOf(first.Components.T()).RawMatrix()
	}
	f.a, f.alpha = start, f.opt.Ridge*f.b.Total
	return nil
}

// fit is the state between rounds. x are the rows, or in the Gram mode those that stand for them,
// and b is x centred. alpha is in the squared units of b.
type fit struct {
	x        mat.Matrix
	b        *svd.Matrix
	reduced  bool // the Gram mode
	rows     int  // n
	opt      Options
	alpha    float64
	a        blas64.General // A, p×k
	loadings blas64.General // B with columns of unit length, p×k
}

// settled says that the last two changes of the objective are within tol.
func settled(objective []float64, tol float64) bool {
	n := len(objective)
	if n < 3 {
		return false
	}
	last := objective[n-1]
	return math.Abs(objective[n-2]-last) <= tol*last && math.Abs(objective[n-3]-objective[n-2]) <= tol*last
}

// round takes one step in B and one in A.
func (f *fit) round(ctx context.Context, m *Model) error {
	n, p, k := f.b.Rows, f.b.Cols, f.opt.Dims
	y := mat.NewDense(n, k, nil)
	if err := f.b.Mul(ctx, y.RawMatrix(), f.a); err != nil {
		return err
	}
	y.Scale(1/f.b.Scale, y)
	squared := f.b.Scale * f.b.Scale
	o := lars.Options{Ridge: f.alpha / squared, Intercept: !f.reduced}
	for j := range k {
		if f.opt.penalised() {
			if v := f.opt.penalty(j); j == 0 || v < o.MinPenalty {
				o.MinPenalty = v
			}
		} else {
			o.MaxTerms = max(o.MaxTerms, f.opt.terms(j))
		}
	}
	paths, err := lars.Fit(ctx, f.x, y, o)
	if err != nil {
		return err
	}
	b := panel.New(p, k)
	m.Penalties, m.Cardinality = make([]float64, k), make([]int, k)
	punished := 0.0 // α‖b‖² and, if the penalties are fixed, β‖b‖₁
	for j, path := range paths {
		terms, values := f.solution(path, j, m)
		norm := 0.0
		for _, v := range values {
			norm = math.Hypot(norm, v)
			punished += f.alpha * v * v
			if f.opt.penalised() {
				punished += 2 * f.opt.penalty(j) * squared * math.Abs(v)
			}
		}
		for t, i := range terms {
			b.Data[int(i)*k+j] = values[t]
		}
		m.Cardinality[j] = len(terms)
		for i := range p {
			v := b.Data[i*k+j]
			if norm > 0 {
				v /= norm
			}
			f.loadings.Data[i*k+j] = v
		}
	}
	g, h := panel.New(n, k), panel.New(p, k)
	if err := f.b.Mul(ctx, g, b); err != nil {
		return err
	}
	if err := f.b.MulT(ctx, h, g); err != nil {
		return err
	}
	if f.a, err = polar(panel.Clone(h)); err != nil {
		return err
	}
	// ‖X − XBAᵀ‖² = ‖X‖² − 2·tr(AᵀXᵀXB) + ‖XB‖², since A is orthonormal.
	loss := f.b.Total
	for _, v := range g.Data {
		loss += v * v
	}
	for i, v := range h.Data {
		loss -= 2 * v * f.a.Data[i]
	}
	m.Objective = append(m.Objective, (loss+punished)/f.b.Total)
	return nil
}

// solution is the elastic net of component j from its path.
func (f *fit) solution(path *lars.Path, j int, m *Model) (terms []int32, values []float64) {
	if f.opt.penalised() {
		m.Penalties[j] = f.opt.penalty(j)
		terms, values, _ = path.AtPenalty(m.Penalties[j])
		return terms, values
	}
	knot := path.WithTerms(f.opt.terms(j))
	m.Penalties[j] = path.Penalty[knot]
	terms, values, _ = path.At(knot)
	return terms, values
}

// polar returns U·Vᵀ of h = UDVᵀ, p×k with orthonormal columns: through h = QR and the
// decomposition of R. It overwrites h. If columns of h depend on others, further orthonormal
// columns complete U.
func polar(h blas64.General) (blas64.General, error) {
	k := h.Cols
	r, err := native.Default().QR(h)
	if err != nil {
		return h, err
	}
	square := panel.New(k, k)
	for i := range k {
		copy(square.Data[i*k+i:(i+1)*k], r.Data[i*r.Stride+i:i*r.Stride+k])
	}
	end := native.Parallel() // one thread: the bits of a wide decomposition depend on their number
	u, _, vt, err := native.Default().SVD(square)
	end()
	if err != nil {
		return h, err
	}
	turn, a := panel.New(k, k), panel.New(h.Rows, k)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, u, vt, 0, turn)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, h, turn, 0, a)
	return a, nil
}

// finish sets signs, loadings and variances of the model.
func (f *fit) finish(ctx context.Context, m *Model) error {
	p, k := f.b.Cols, f.opt.Dims
	sign := make([]float64, k)
	for j := range k {
		heaviest := 0.0
		for i := range p {
			if v := f.loadings.Data[i*k+j]; math.Abs(v) > math.Abs(heaviest) {
				heaviest = v
			}
		}
		sign[j] = math.Copysign(1, heaviest)
	}
	out := sparse.NewBuilder(p, k)
	for i := range p {
		for j := range k {
			if v := f.loadings.Data[i*k+j]; v != 0 {
				f.loadings.Data[i*k+j] = v * sign[j]
				out.Add(i, j, v*sign[j])
			}
		}
	}
	var err error
	if m.Loadings, err = out.Build(); err != nil {
		return err
	}
	z := panel.New(f.b.Rows, k)
	if err := f.b.Mul(ctx, z, f.loadings); err != nil {
		return err
	}
	m.Variance, m.AdjustedVariance = make([]float64, k), make([]float64, k)
	unit := f.b.Scale * f.b.Scale * float64(f.rows-1)
	for i := range z.Rows {
		for j, v := range z.Data[i*k:][:k] {
			m.Variance[j] += v * v / unit
		}
	}
	r, err := native.Default().QR(z)
	if err != nil {
		return err
	}
	for j := range k {
		d := r.Data[j*r.Stride+j]
		m.AdjustedVariance[j] = d * d / unit
	}
	return nil
}
