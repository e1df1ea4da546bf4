package fastica

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, the least Gaussian source first.
type Model struct {
	// Embedding is n×k, the sources: uncorrelated columns of mean 0 and mean square 1.
	Embedding *mat.Dense
	// Unmixing is k×d, s = Unmixing·(x − Mean). Mixing is d×k, x ≈ Mean + Mixing·s, with the signs
	// of eigen.CanonicalSigns; the squared length of a column is the variance that its source
	// explains.
	Unmixing, Mixing *mat.Dense
	Mean             []float64
	// Negentropy is (E[G(s)] − E[G(ν)])² of each source, falling: how far it is from Gaussian by
	// the contrast.
	Negentropy []float64
	// Explained is the share of the variance that all sources explain together, from 0 to 1: as much
	// as the principal components.
	Explained float64
	// Iterations counts the steps; with Deflation it is the most that one source took. Change is 1 −
	// |cos| of the worst source in the last step, and Converged says that it is within Tol.
	Iterations int
	Change     float64
	Converged  bool
}

// Fit analyses the rows of x, n×d: *sparse.CSR stays sparse and is centred in the operator. If the
// rows have a lower rank than the number of components, there are as many sources as the rank.
//
// It takes the memory of pca.Fit, and 8·n·k bytes twice.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, fewer than two rows, rows that
// do not vary, more components than the smaller side, values that are not finite; the context's;
// *eigen.NotConvergedError of the principal components.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	p, err := pca.Fit(ctx, x, pca.Options{Dims: opt.Dims, Amount: method.Amount{Share: opt.Share}, Whiten: true, Seed: opt.Seed, Observer: opt.Observer})
	if err != nil {
		return nil, err
	}
	k := p.Rank
	if k == 0 {
		return nil, invalid.Errorf("the data do not vary: all rows are equal, and have no components")
	}
	if asked := len(p.Singular); k < asked {
		opt.Observer.Warnf(Stage, "The rows have rank %d, so there are %d sources in place of %d.", k, k, asked)
	}
	z := whitened(p, k)
	s := search{z: z, g: opt.contrast(), opt: opt}
	r, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	m := &Model{Mean: p.Mean, Iterations: r.iterations, Change: r.change, Converged: r.change <= opt.Tol}
	for _, share := range p.ExplainedVarianceRatio[:k] {
		m.Explained += share
	}
	m.Explained = min(1, m.Explained)
	if !m.Converged {
		opt.Observer.Unsettledf(Stage, "After %d steps the sources still turn (1 − |cos| = %.2g, wanted %.2g): some of them are Gaussian or nearly so, and their directions mean little. Fewer components may do.", m.Iterations, m.Change, opt.Tol)
	}
	if err := m.finish(ctx, p, &s, r.w); err != nil {
		return nil, err
	}
	return m, nil
}

// whitened are the coordinates on the first k principal components, zᵀz = n·I.
func whitened(p *pca.Model, k int) blas64.General {
	z := p.Embedding.Slice(0, p.Samples, 0, k).(*mat.Dense).RawMatrix()
	by := math.Sqrt(float64(p.Samples) / float64(p.Samples-1))
	for i := range z.Rows {
		for j, v := range row(z, i) {
			row(z, i)[j] = v * by
		}
	}
	return z
}

// finish makes sources and matrices of the rotation w, ordered and signed.
func (m *Model) finish(ctx context.Context, p *pca.Model, s *search, w blas64.General) error {
	n, k := s.z.Rows, w.Rows
	_, d := p.Components.Dims()
	y := mat.NewDense(n, k, nil)
	score := make([]float64, k)
	err := panels(ctx, n, panelRows(k), func(lo, hi int) {
		to := y.Slice(lo, hi, 0, k).(*mat.Dense).RawMatrix()
		from := blas64.General{Rows: hi - lo, Cols: k, Stride: s.z.Stride, Data: s.z.Data[lo*s.z.Stride:]}
		native.Default().Gemm(blas.NoTrans, blas.Trans, 1, from, w, 0, to)
		for i := range to.Rows {
			for j, v := range row(to, i) {
				score[j] += s.g.value(v)
			}
		}
	})
	if err != nil {
		return err
	}
	for j, sum := range score {
		e := sum/float64(n) - s.g.normal
		score[j] = e * e
	}
	order := indices.Falling(score)
	// Unmixing = W·diag(√n/σ)·C and Mixing = Cᵀ·diag(σ/√n)·Wᵀ.
	there, back := panel.New(k, k), panel.New(k, k)
	root := math.Sqrt(float64(n))
	m.Negentropy = make([]float64, k)
	for to, from := range order {
		m.Negentropy[to] = score[from]
		for j, v := range row(w, from) {
			there.Data[to*k+j] = v * (root / p.Singular[j])
			back.Data[to*k+j] = v * (p.Singular[j] / root)
		}
	}
	c := p.Components.Slice(0, k, 0, d).(*mat.Dense).RawMatrix()
	m.Unmixing, m.Mixing = mat.NewDense(k, d, nil), mat.NewDense(d, k, nil)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, there, c, 0, m.Unmixing.RawMatrix())
	native.Default().Gemm(blas.Trans, blas.Trans, 1, c, back, 0, m.Mixing.RawMatrix())
	for _, v := range m.Unmixing.RawMatrix().Data {
		if v-v != 0 {
			return invalid.Errorf("the unmixing matrix reaches beyond the largest number (%.3g): multiply the data by a constant", math.MaxFloat64)
		}
	}
	was := mat.DenseCopyOf(m.Mixing)
	eigen.CanonicalSigns(m.Mixing)
	m.Embedding = mat.NewDense(n, k, nil)
	for j, from := range order {
		sign := 1.0
		for i := range d {
			if v := was.At(i, j); v != 0 {
				sign = m.Mixing.At(i, j) / v
				break
			}
		}
		for i, v := range m.Unmixing.RawRowView(j) {
			m.Unmixing.Set(j, i, sign*v)
		}
		for i := range n {
			m.Embedding.Set(i, j, sign*y.At(i, from))
		}
	}
	return ctx.Err()
}

// panels visits [0, n) in parts of the given size, and checks the context before each.
func panels(ctx context.Context, n, size int, visit func(lo, hi int)) error {
	for lo := 0; lo < n; lo += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(lo, min(lo+size, n))
	}
	return ctx.Err()
}

// Transform returns the sources of new rows, n×k; for the rows of the fit their Embedding, to
// rounding. 2·entries·k flops. Errors (fs.ErrInvalid): an empty matrix, another number of columns,
// values that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return svd.Project(ctx, x, m.Unmixing, m.Mean)
}

// Inverse returns the rows μ + M·s of sources s, n×k: dense n×d, 2·n·k·d flops. With all components
// it undoes Transform up to rounding, with fewer it gives the nearest point of the principal
// components' span. Errors (fs.ErrInvalid): an empty matrix, another number of columns, values that
// are not finite.
func (m *Model) Inverse(ctx context.Context, sources *mat.Dense) (*mat.Dense, error) {
	if m.Mixing == nil || m.Mixing.IsEmpty() {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	if sources == nil || sources.IsEmpty() {
		return nil, invalid.Errorf("there are no sources to turn back")
	}
	d, k := m.Mixing.Dims()
	if _, c := sources.Dims(); c != k {
		return nil, invalid.Errorf("the sources have %d columns, but the model has %d components", c, k)
	}
	x, err := svd.Project(ctx, sources, m.Mixing, nil)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	for i := range n {
		to := x.RawRowView(i)
		for j := range d {
			to[j] += m.Mean[j]
		}
	}
	return x, nil
}
