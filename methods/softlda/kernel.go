package softlda

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// KernelModel is a fitted analysis in the feature space of a kernel.
type KernelModel struct {
	// Coefficients is n×dims, α of eq. (17): a direction is a = Σ_i α_i·φ(x_i), with aᵀ(S_w + μI)a = 1
	// in feature space. Columns sum to zero and have the signs of eigen.CanonicalSigns; documents
	// without weight have zeros.
	Coefficients *mat.Dense
	// Offset is m̃₀·a, which is subtracted from every projection.
	Offset []float64
	// Embedding is n×dims: (φ(x) − m̃₀)·a for all documents.
	Embedding *mat.Dense
	// Values, Masses and Mu are as in Model.
	Values, Masses []float64
	Mu             float64
}

// FitKernel is Fit in feature space (eq. 15-18): k is the kernel's matrix K_ij = φ(x_i)·φ(x_j), n×n
// and symmetric, q the n×K soft labels. The rows of φ are centred by their soft total mean there,
// and the regulariser is μI in feature space, αᵀKα in the terms of eq. (18). With the linear kernel
// this is Fit, with Ridge relative to n eigenvalues of S_w. n³/3 flops and 8·n² bytes besides k,
// with n the documents that have any weight in q.
//
// Errors are as for Fit; also a matrix that is not symmetric, or not positive semidefinite even
// with μ added; a centred kernel that is larger than what the context leaves.
func FitKernel(ctx context.Context, k, q mat.Matrix, opt Options) (*KernelModel, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	n, err := order(k)
	if err != nil {
		return nil, err
	}
	w, err := newWeights(q, n, opt)
	if err != nil {
		return nil, err
	}
	if err := needCentred(ctx, len(w.rows)); err != nil {
		return nil, err
	}
	if err := checkKernel(ctx, k); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	g, size, err := w.centredKernel(ctx, k)
	if err != nil {
		return nil, err
	}
	image := panel.New(g.N, w.h.Cols) // GH
	whole := blas64.General{Rows: g.N, Cols: g.N, Stride: g.Stride, Data: g.Data}
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, whole, w.h, 0, image)
	between, total := 0.0, 0.0
	for _, v := range panel.Dots(w.h, image) {
		between += v
	}
	for i := range g.N {
		total += g.Data[i*g.Stride+i]
	}
	mu, err := opt.regulariser(between, total, size, g.N, 1)
	if err != nil {
		return nil, err
	}
	dual := panel.Clone(w.h)
	if err := solve(ctx, g, mu, dual); err != nil {
		var indefinite *native.NotPositiveDefiniteError
		if errors.As(err, &indefinite) {
			return nil, invalid.Errorf("the kernel matrix is not positive semidefinite, nor with μ = %.3g added: give another kernel, or raise μ", mu)
		}
		return nil, err
	}
	values, turn, err := directions(product(image, dual), w.null, opt.Dims)
	if err != nil {
		return nil, err
	}
	m := &KernelModel{Coefficients: mat.NewDense(n, turn.Cols, nil), Values: values, Masses: w.masses, Mu: mu}
	alpha := panel.New(g.N, turn.Cols)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, dual, turn, 0, alpha)
	w.project(alpha)
	for at, i := range w.rows {
		row := m.Coefficients.RawRowView(i)
		for j := range row {
			row[j] = w.root[at] * alpha.Data[at*alpha.Stride+j]
		}
	}
	eigen.CanonicalSigns(m.Coefficients)
	if err := m.embed(ctx, k, w); err != nil {
		return nil, err
	}
	return m, finite(m.Coefficients, m.Embedding)
}

// embed sets Embedding and Offset, so that the mean of the documents by their weights is 0.
func (m *KernelModel) embed(ctx context.Context, k mat.Matrix, w *weights) (err error) {
	_, dims := m.Coefficients.Dims()
	m.Offset = make([]float64, dims)
	if m.Embedding, err = m.Transform(ctx, k); err != nil {
		return err
	}
	for at, i := range w.rows {
		for j, v := range m.Embedding.RawRowView(i) {
			m.Offset[j] += w.share[at] * v
		}
	}
	for i := range m.Embedding.RawMatrix().Rows {
		row := m.Embedding.RawRowView(i)
		for j, o := range m.Offset {
			row[j] -= o
		}
	}
	return nil
}

// needCentred asks for the memory of the centred kernel of n documents.
func needCentred(ctx context.Context, n int) error {
	return memory.Need(ctx, memory.Bytes(8, n, n), "take a sample of the documents, or the linear form", "the centred kernel of %s", words.Counted(n, "document"))
}

// order returns the order of a kernel matrix, which must be square.
func order(k mat.Matrix) (int, error) {
	if k == nil {
		return 0, invalid.Errorf("there is no kernel matrix")
	}
	n, c := k.Dims()
	switch {
	case n == 0:
		return 0, invalid.Errorf("the kernel matrix is empty (%d × %d)", n, c)
	case n != c:
		return 0, invalid.Errorf("the kernel matrix is %d × %d; it must be square, a row and a column for each document", n, c)
	}
	return n, nil
}

// checkKernel refuses a square kernel matrix that is not finite and symmetric.
func checkKernel(ctx context.Context, k mat.Matrix) error {
	n, _ := k.Dims()
	top := 0.0
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j := range n {
			v := k.At(i, j)
			if v-v != 0 {
				return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
			top = max(top, math.Abs(v))
		}
	}
	if top > 1e150 {
		return invalid.Errorf("the kernel matrix reaches %.3g, beyond what can be squared: divide it by a constant", top)
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j := range i {
			if math.Abs(k.At(i, j)-k.At(j, i)) > 1e-10*top {
				return invalid.Errorf("the kernel matrix is not symmetric: entry (%d, %d), counted from 1, is %v, and (%d, %d) is %v", i+1, j+1, k.At(i, j), j+1, i+1, k.At(j, i))
			}
		}
	}
	return nil
}

// centredKernel is G = AAᵀ, over the documents with weight: √(p_i·p_j)·(φ(x_i) − m̃₀)·(φ(x_j) −
// m̃₀). size is tr before the centring.
func (w *weights) centredKernel(ctx context.Context, k mat.Matrix) (g blas64.Symmetric, size float64, err error) {
	n := len(w.rows)
	g = blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: make([]float64, n*n)}
	mean := make([]float64, n) // φ(x_i)·m̃₀
	for i, from := range w.rows {
		if err := ctx.Err(); err != nil {
			return g, 0, err
		}
		row := g.Data[i*n:][:n]
		for j, to := range w.rows {
			row[j] = (k.At(from, to) + k.At(to, from)) / 2
			mean[i] += w.share[j] * row[j]
		}
		size += w.share[i] * math.Abs(row[i])
	}
	grand := 0.0
	for i, v := range mean {
		grand += w.share[i] * v
	}
	for i := range n {
		row := g.Data[i*n:][:n]
		for j := range row {
			row[j] = w.root[i] * w.root[j] * (row[j] - mean[i] - mean[j] + grand)
		}
	}
	return g, size, ctx.Err()
}

// Transform projects new documents, given as m×n rows of kernel values, column j with document j of
// the fit: m×dims. 2·m·n·dims flops. Errors (fs.ErrInvalid): an empty matrix, another number of
// columns, values that are not finite.
func (m *KernelModel) Transform(ctx context.Context, k mat.Matrix) (*mat.Dense, error) {
	if m.Coefficients == nil || m.Coefficients.IsEmpty() {
		return nil, invalid.Errorf("the model has no directions: fit it first")
	}
	y, err := svd.Project(ctx, k, mat.DenseCopyOf(m.Coefficients.T()), nil)
	if err != nil {
		return nil, err
	}
	rows, _ := y.Dims()
	for i := range rows {
		row := y.RawRowView(i)
		for j, o := range m.Offset {
			row[j] -= o
		}
	}
	return y, nil
}
