// Package lsi is latent semantic indexing: documents get as coordinates their projections on the first right singular
// vectors of the document-term matrix.
//
// Source: Deerwester et al. 1990; as a rival in Chen, Zhang, He, Bu and Cai 2010 ("constrained Laplacian Eigenmap"),
// section 4.3, which "embeds the documents into an r-dimensional subspace by using the first r largest left singular
// vectors". The paper's documents are columns, its left singular vectors are directions among the terms, and to embed by
// them is to project: this is [Projection], U·Σ in our notation of X = U·Σ·Vᵀ with documents as rows, and the default.
// Read with documents as rows the sentence says U itself; that is [Left].
//
// Sparse X is never made dense. How the decomposition is found, and what is promised of it, stands in the comment of
// methods/internal/svd: eigenpairs of the Gram matrix of the smaller side, refined on X itself, residuals measured.
package lsi

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Scale says which multiple of the left singular vectors the coordinates are.
type Scale string

// What coordinates can be.
const (
	// Projection is X·V = U·Σ: inner products of documents are kept as well as r dimensions can.
	Projection Scale = "projection"
	// Left is U = X·V·Σ⁻¹: every dimension weighs the same.
	Left Scale = "left"
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is r, the number of coordinates, 1 to the smaller of documents and terms.
	Dims int `json:"dims" yaml:"dims"`
	// Scale is Projection unless set.
	Scale Scale `json:"scale,omitempty" yaml:"scale,omitempty"`
	// Tol bounds the residuals relative to the largest singular value; 0 is 1e-8.
	Tol float64 `json:"tol,omitempty" yaml:"tol,omitempty"`
	// Solver is auto unless set; dense is LAPACK on the Gram matrix of the smaller side, the others are eigen's.
	Solver eigen.Solver `json:"solver,omitempty" yaml:"solver,omitempty"`
	// Memory is how many bytes LAPACK on the Gram matrix may take for auto to choose it; 0 is 1 GiB.
	Memory int64 `json:"memory,omitempty" yaml:"memory,omitempty"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Observer hears of the solver picked, of the pairs found and of a rank below Dims.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	if o.Dims < 1 {
		errs = append(errs, invalid.Errorf("the number of dimensions is %d; it must be at least 1", o.Dims))
	}
	switch o.Scale {
	case "", Projection, Left:
	default:
		errs = append(errs, invalid.Errorf("there is no scale %q; choose %q or %q", string(o.Scale), string(Projection), string(Left)))
	}
	errs = append(errs, o.svd().Validate())
	return invalid.Join(errs...)
}

func (o Options) svd() svd.Options {
	return svd.Options{K: o.Dims, Tol: o.Tol, Solver: o.Solver, Memory: o.Memory, Seed: o.Seed, Observer: o.Observer}
}

// Model is a fitted decomposition, largest singular values first.
type Model struct {
	// Embedding is n×r, a row a document.
	Embedding *mat.Dense
	// Singular are the r singular values, Components (r×terms) their right singular vectors as rows: orthonormal, with the
	// signs of eigen.CanonicalSigns.
	Singular   []float64
	Components *mat.Dense
	// LeftResiduals are ‖Xv − σu‖ and RightResiduals ‖Xᵀu − σv‖ with u = Xv/‖Xv‖, measured on the final vectors.
	LeftResiduals, RightResiduals []float64
	// Rank counts the singular values that are not zero but for rounding. Where it is below r the matrix has no
	// further directions: those values, components and coordinates are exact zeros.
	Rank int
	// Scale is what the coordinates are.
	Scale Scale
	Stats eigen.Stats
}

// Fit decomposes the rows of x, n×d: *sparse.CSR stays sparse, *mat.Dense is not copied, other matrices are made dense.
//
// Cost: a few times r products with x and its transpose (2·entries flops each), and about 10·n·r² flops of
// orthogonalisation, where n is the smaller side. Memory: the transpose of sparse x, some 3r vectors of the smaller side,
// and the components twice.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, more dimensions than the matrix has, values that are not
// finite (*sparse.NotFiniteError); the context's; and *eigen.NotConvergedError, with which comes a model of what was found.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	a, err := svd.New(ctx, x, false)
	if err != nil {
		return nil, err
	}
	f, err := svd.Truncated(ctx, a, opt.svd())
	if f == nil {
		return nil, err
	}
	m := &Model{
		Singular: f.Singular, Components: f.Components(), LeftResiduals: f.Left, RightResiduals: f.Right,
		Rank: f.Rank, Scale: opt.Scale, Stats: f.Stats,
	}
	if m.Scale == "" {
		m.Scale = Projection
	}
	m.Embedding = f.Coordinates(func(j int) float64 { return m.factor(j) / a.Scale })
	return m, err
}

// factor is what the projection on component j is multiplied by.
func (m *Model) factor(j int) float64 {
	switch {
	case m.Scale != Left:
		return 1
	case m.Singular[j] == 0:
		return 0
	}
	return 1 / m.Singular[j]
}

// Transform returns the coordinates of new documents, n×r, folded in by projection (x·V, over Σ for [Left]): for the
// documents of the fit their Embedding, to rounding. 2·entries·r flops. Errors (fs.ErrInvalid): an empty matrix, another
// number of columns, values that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	y, err := svd.Project(ctx, x, m.Components, nil)
	if err != nil || m.Scale != Left {
		return y, err
	}
	by := make([]float64, len(m.Singular))
	for j := range by {
		by[j] = m.factor(j)
	}
	svd.ScaleColumns(y, by)
	return y, nil
}
