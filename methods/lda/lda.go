// Package lda is linear discriminant analysis. It finds the at most K − 1 directions in which the
// means of K classes lie farthest apart, relative to the spread of the documents.
//
// # Contract
//
// With the scatter between classes S_b and within them S_w, S_t = S_b + S_w, the directions solve
// S_b·a = μ·(S_t + αI)·a, largest μ first. They also solve the classical S_b·a = λ·(S_w + αI)·a
// (Fisher 1936, Rao 1948; regularised: Friedman 1989), λ = μ/(1 − μ), and have aᵀ(S_t + αI)a = 1.
// Shrinkage γ replaces S_w by (1 − γ)·S_w + γ·(tr S_w/p)·I, which has the directions of the ridge α
// = γ·tr S_w/(p·(1 − γ)), and is computed so; by default γ is estimated from the labelled documents
// (Ledoit and Wolf 2004), so that the result does not depend on the units of the data. Without α
// and γ, and with more terms than documents, the directions are the shortest ones that separate the
// classes, and μ = 1 if the classes are linearly separable: such directions fit the labelled
// documents exactly and new ones badly.
//
// As a graph embedding (He et al. 2005) S_b is X̃ᵀWX̃ and S_t is X̃ᵀDX̃ for centred rows X̃ and the
// graph with weights 1/m_t within class t: package lpp with lpp.ClassGraph solves the same problem
// from the graph.
//
// # How
//
// W has rank K: with Y an orthonormal basis of the classes' indicators without the constant
// (Gram-Schmidt, no eigensolve; Cai, He and Han 2008 on SPG) S_b = X̃ᵀYYᵀX̃. Every direction is
// therefore (S_t + αI)⁻¹X̃ᵀY·c: K − 1 ridge regressions, as in spectral regression discriminant
// analysis (Cai, He and Han 2008, "SRDA"), after which c solves a symmetric problem of order K − 1;
// SRDA omits this step. Sparse X stays sparse, and a p×p matrix is formed only if it is small
// (lars.Ridge).
//
// # Hostile data
//
// Documents labelled labels.Unknown are left out of the analysis and projected. A single class is
// an error. Directions that separate nothing (classes with the same mean, data of low rank) are
// left out: Values may hold fewer than K − 1.
package lda

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Options of Fit. The zero value of every field is its default.
type Options struct {
	// Dims is the number of directions at most; 0 = classes − 1.
	Dims int `json:"dims,omitempty" flag:"dims" short:"d" range:">=1" unset:"one fewer than the classes given" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every document to length 1.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Ridge is α ≥ 0 in the units of S_w, a sum over documents; nil = by Shrinkage.
	Ridge *float64 `json:"ridge,omitempty" flag:"alpha" range:">=0" unset:"by the estimate of Ledoit and Wolf" help:"weight of the ridge, in the units of the scatter within classes; 0 is none" group:"method"`
	// Shrinkage is γ, 0 to below 1; 0 = by the estimate of Ledoit and Wolf (2004), unless Ridge is
	// given. At most one of Ridge and Shrinkage is given.
	Shrinkage float64 `json:"shrinkage,omitempty" range:"0<=x<1"`
	// Tol bounds the residual of the regressions if they are iterated; 0 is 1e-10.
	Tol float64 `json:"tol,omitempty"`
	// Observer receives the notes of the regressions.
	Observer progress.Observer `json:"-"`

	iterate bool // as in lars.RidgeOptions, for tests
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.Ridge != nil && *o.Ridge > 0 && o.Shrinkage > 0 {
		errs = append(errs, invalid.Errorf("both a ridge and a shrinkage are given, which are two names of one thing; give one"))
	}
	errs = append(errs, o.regression().Validate())
	return invalid.Join(errs...)
}

func (o Options) regression() lars.RidgeOptions {
	return lars.RidgeOptions{Intercept: true, Tol: o.tol(), Iterate: o.iterate, MaxIter: maxSteps, Observer: o.Observer}
}

// shrink sets the model's ridge: given, or from a shrinkage, which is given or estimated.
func (o Options) shrink(ctx context.Context, m *Model, b *svd.Matrix, x mat.Matrix, y *mat.Dense, of [][]int32) error {
	if o.Ridge != nil && o.Shrinkage == 0 {
		m.Ridge = *o.Ridge
		return nil
	}
	within, err := withinTrace(ctx, b, y)
	if err != nil {
		return err
	}
	if m.Shrinkage = o.Shrinkage; m.Shrinkage == 0 {
		if m.Shrinkage, err = ledoitWolf(ctx, b, x, of); err != nil {
			return err
		}
		m.Estimated = true
	}
	m.Ridge = m.Shrinkage / (1 - m.Shrinkage) * within / float64(b.Cols)
	if within == 0 && m.Estimated {
		// One document of each class says nothing of the spread within classes.
		m.Shrinkage, m.Ridge = 0, b.Total/b.Scale/b.Scale/float64(b.Cols)
	}
	return nil
}

// maxSteps bounds the iteration of the regressions.
const maxSteps = 10000

func (o Options) tol() float64 {
	if o.Tol == 0 {
		return 1e-10
	}
	return o.Tol
}

// Model is a fitted analysis, the best separation first.
type Model struct {
	// Projection is p×d, one column per direction, with the signs of eigen.CanonicalSigns. Mean is the
	// mean of the labelled documents.
	Projection *mat.Dense
	Mean       []float64
	// Embedding is n×d: (x − mean)·a for all documents, labelled or not.
	Embedding *mat.Dense
	// Values are μ in (0, 1]: the share of the spread of a direction that lies between the classes,
	// where the ridge counts as spread. The ratio of between to within is μ/(1 − μ).
	Values []float64
	// Ridge is the α used: given, or computed from the shrinkage γ, which is 0 beside a given ridge.
	// Estimated says that γ was not given.
	Ridge, Shrinkage float64
	Estimated        bool
	// Centers are the class means of the embedding, K×d.
	Centers *mat.Dense
	// NormalizeRows says that rows of the embedding have length 1.
	NormalizeRows bool
}

// Fit analyses the rows of x, n×p: *sparse.CSR stays sparse, *mat.Dense is copied only if labels
// are missing. known is the class of each row, 0 to classes−1, or labels.Unknown.
//
// Without a ridge and a shrinkage the shrinkage is estimated, at 4·entries·min(n, 1,000) flops, or
// n·p² for dense rows of at most 1,024 columns.
//
// Cost: one regression of K − 1 responses: by Cholesky in q³/3 flops if the Gram matrix of the
// smaller side q is small (lars.Ridge) and not singular, else by conjugate gradients of
// 4·entries·(K − 1) flops per step.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, labels as in labels.Check,
// values that are not finite, no two classes with different means; the context's; an iteration that
// did not converge.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to analyse")
	}
	n, _ := x.Dims()
	of, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit); err != nil {
		return nil, err
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	rows, in := labelled(x, of)
	b, err := svd.New(ctx, rows, true)
	if err != nil {
		return nil, err
	}
	if err := memory.Need(ctx, Bytes(b.Rows, b.Cols, classes), "reduce the terms or the classes", "%s of %s", words.Plural(classes, "class", "classes"), words.Counted(b.Cols, "term")); err != nil {
		return nil, err
	}
	y := Responses(in, b.Rows)
	m := &Model{Mean: b.Mean, NormalizeRows: opt.NormalizeRows}
	if err := opt.shrink(ctx, m, b, rows, y, in); err != nil {
		return nil, err
	}
	o := opt.regression()
	o.Ridge = m.Ridge
	a, err := lars.Ridge(ctx, rows, y, o)
	if err != nil {
		return nil, err
	}
	if !a.Converged {
		return nil, fmt.Errorf("the discriminants are not found to %g after %d steps (residual %.3g): add a ridge, or give more memory", opt.tol(), a.Iterations, slices.Max(a.Residuals))
	}
	if m.Projection, m.Values, err = discriminants(ctx, b, a.Coefficients.RawMatrix(), y.RawMatrix(), opt.Dims, m.Ridge); err != nil {
		return nil, err
	}
	if m.Embedding, err = m.Transform(ctx, x); err != nil {
		return nil, err
	}
	m.Centers = centers(m.Embedding, of)
	return m, nil
}

// labelled returns the labelled rows of x, x itself if all are, and the classes as sets of these
// rows.
func labelled(x mat.Matrix, of [][]int32) (mat.Matrix, [][]int32) {
	n, p := x.Dims()
	place := make([]int32, n)
	for _, set := range of {
		for _, i := range set {
			place[i] = 1
		}
	}
	var kept []int
	for i, is := range place {
		if is == 1 {
			place[i] = int32(len(kept))
			kept = append(kept, i)
		}
	}
	if len(kept) == n {
		return x, of
	}
	in := make([][]int32, len(of))
	for t, set := range of {
		for _, i := range set {
			in[t] = append(in[t], place[i])
		}
	}
	if a, ok := x.(*sparse.CSR); ok {
		return a.SelectRows(kept), in
	}
	rows := mat.NewDense(len(kept), p, nil)
	for to, i := range kept {
		mat.Row(rows.RawRowView(to), i, x)
	}
	return rows, in
}

// Responses is an n×(K−1) orthonormal basis of the indicators of K disjoint sets of documents,
// orthogonal to the constant: Gram-Schmidt after the constant vector (Cai et al., eq. (8) and
// after), in closed form. Column t is constant on set t, on all later sets, and zero elsewhere;
// with two classes it is eq. (9) up to a factor.
func Responses(of [][]int32, n int) *mat.Dense {
	y := mat.NewDense(n, max(1, len(of)-1), nil)
	later := 0
	for _, set := range of {
		later += len(set)
	}
	for t := range len(of) - 1 {
		own := float64(len(of[t]))
		later -= len(of[t])
		rest := float64(later)
		// Orthogonal to the constant on the sets t, t+1, ...: own·u = rest·v, own·u² + rest·v² = 1.
		u, v := math.Sqrt(rest/(own*(own+rest))), -math.Sqrt(own/(rest*(own+rest)))
		for s, set := range of[t:] {
			value := v
			if s == 0 {
				value = u
			}
			for _, i := range set {
				y.Set(int(i), t, value)
			}
		}
	}
	return y
}

// withinTrace is tr S_w = ‖B‖² − ‖BᵀY‖², in the units of the data.
func withinTrace(ctx context.Context, b *svd.Matrix, y *mat.Dense) (float64, error) {
	k := y.RawMatrix().Cols
	z := blas64.General{Rows: b.Cols, Cols: k, Stride: k, Data: make([]float64, b.Cols*k)}
	if err := b.MulT(ctx, z, y.RawMatrix()); err != nil {
		return 0, err
	}
	between := 0.0
	for _, v := range z.Data {
		between += v * v
	}
	return max(0, b.Total-between) / b.Scale / b.Scale, nil
}

// same is the share of tr S_t/(tr S_t + α), the largest μ that the data can have under the ridge,
// below which the classes count as having the same mean.
const same = 1e-10

// discriminants turns A = K⁻¹X̃ᵀY: with a = A·c, M = YᵀX̃A = AᵀKA, the problem S_b·a = μ·Ka is M·c
// = μ·c.
func discriminants(ctx context.Context, b *svd.Matrix, a, y blas64.General, dims int, ridge float64) (*mat.Dense, []float64, error) {
	k := y.Cols
	fit := blas64.General{Rows: b.Rows, Cols: k, Stride: k, Data: make([]float64, b.Rows*k)}
	if err := b.Mul(ctx, fit, a); err != nil {
		return nil, nil, err
	}
	m := blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1/b.Scale, y, fit, 0, m)
	panel.Symmetrize(m)
	end := native.Parallel()
	values, c, err := native.Default().SymEig(blas64.Symmetric{N: k, Stride: k, Data: m.Data, Uplo: blas.Upper}, native.EigRange{}, true)
	end()
	if err != nil {
		return nil, nil, err
	}
	floor := same * b.Total / (b.Total + ridge*b.Scale*b.Scale)
	kept := 0
	for kept < k && values[k-1-kept] > floor && (dims == 0 || kept < dims) {
		kept++
	}
	if kept == 0 {
		return nil, nil, invalid.Errorf("the classes have the same mean, so no direction separates them: give other labels, or another method")
	}
	turn := blas64.General{Rows: k, Cols: kept, Stride: kept, Data: make([]float64, k*kept)}
	mu := make([]float64, kept)
	for j := range kept {
		mu[j] = min(1, values[k-1-j])
		for i := range k {
			turn.Data[i*kept+j] = c.Data[i*c.Stride+k-1-j] / math.Sqrt(values[k-1-j])
		}
	}
	p := mat.NewDense(b.Cols, kept, nil)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, a, turn, 0, p.RawMatrix())
	eigen.CanonicalSigns(p)
	return p, mu, nil
}

func centers(y *mat.Dense, of [][]int32) *mat.Dense {
	_, d := y.Dims()
	c := mat.NewDense(len(of), d, nil)
	for k, set := range of {
		row := c.RawRowView(k)
		for _, i := range set {
			for j, v := range y.RawRowView(int(i)) {
				row[j] += v / float64(len(set))
			}
		}
	}
	return c
}

// Placer places new documents in the embedding.
func (m *Model) Placer() *linear.Placer {
	return linear.Centered(m.Projection, m.Mean, m.NormalizeRows)
}

// Transform projects new documents, n×d; documents of the fit get their rows of Embedding. Costs
// and errors are as for linear.Placer.Project.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return m.Placer().Project(ctx, x)
}

// Predict gives each document the class with the nearest mean in the embedding, the lower class on
// a tie: the nearest-centroid rule, without prior probabilities. Errors are as for Transform.
func (m *Model) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	y, err := m.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	if m.Centers == nil {
		return nil, invalid.Errorf("the model has no class means: fit it first")
	}
	n, _ := y.Dims()
	k, _ := m.Centers.Dims()
	out := make([]int, n)
	for i := range out {
		best := math.Inf(1)
		for c := range k {
			d := 0.0
			for j, v := range y.RawRowView(i) {
				e := v - m.Centers.At(c, j)
				d += e * e
			}
			if d < best {
				best, out[i] = d, c
			}
		}
	}
	return out, nil
}
