// Package lsi is latent semantic indexing: the coordinates of documents are their projections on
// the first right singular vectors of the document-term matrix.
//
// Source: Deerwester et al. 1990; compared in Chen, Zhang, Bu, Wang and Chen 2010 ("constrained
// Laplacian Eigenmap"), section 4.3, which "embeds the documents into an r-dimensional subspace by
// using the first r largest left singular vectors". The paper's documents are columns, so its left
// singular vectors are directions among the terms, and to embed by them is to project: this is
// [Projection], U·Σ in our notation of X = U·Σ·Vᵀ with documents as rows, and the default. If
// documents are rows, the sentence means U itself; that is [Left].
//
// Sparse X is never made dense. Package methods/internal/svd says how the decomposition is found
// and how exact it is: eigenpairs of the Gram matrix of the smaller side, refined on X itself, with
// measured residuals.
package lsi

import (
	"cmp"
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
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

// Options of Fit.
type Options struct {
	// Dims is r, the number of coordinates, 1 to the smaller of documents and terms. Through the
	// contract of package method 0 is the number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every document to length 1. Then inner products are
	// cosines, and long projections no longer decide the clusters.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Scale says which multiple of the left singular vectors the coordinates are; "" = projection.
	Scale Scale `json:"scale,omitempty" choices:"projection|left"`
	// Tol bounds the residuals relative to the largest singular value; 0 = 1e-8.
	Tol float64 `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" help:"largest residual of a singular value that counts as found, as a share of the largest value" group:"eigenproblem"`
	// Solver is auto unless set; dense is LAPACK on the Gram matrix of the smaller side, the others
	// are package eigen's.
	Solver eigen.Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos" default:"auto" help:"eigensolver" group:"eigenproblem"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed"`
	// Observer receives the solver picked, the pairs found and a rank below Dims.
	Observer progress.Observer `json:"-"`
	// Share divides the rows among the ranks of a team, which call Fit together: x and the coordinates
	// have the own rows, the rest of the model is of all. nil: x has all rows.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	return option.Check(&o)
}

func (o Options) svd() svd.Options {
	return svd.Options{K: o.Dims, Tol: o.Tol, Solver: o.Solver, Seed: o.Seed, Observer: o.Observer}
}

// Model is a fitted decomposition, largest singular values first.
type Model struct {
	// Placer has the singular values and the components, and places new documents.
	Placer
	// Embedding is n×r, one row per document; under [Options.NormalizeRows] of length 1, or of zeros.
	Embedding *mat.Dense
	// LeftResiduals are ‖Xv − σu‖ and RightResiduals ‖Xᵀu − σv‖ with u = Xv/‖Xv‖, measured on the
	// final vectors.
	LeftResiduals, RightResiduals []float64
	// Rank counts the singular values that are not zero but for rounding. If it is below r the
	// matrix has no further directions: those values, components and coordinates are exact zeros.
	Rank  int
	Stats eigen.Stats
}

// Fit decomposes the rows of x, n×d: *sparse.CSR stays sparse, *mat.Dense is not copied, other
// matrices are made dense.
//
// Cost: a few times r products with x and its transpose (2·entries flops each), and about 10·n·r²
// flops of orthogonalisation, where n is the smaller side. Memory: the transpose of sparse x, some
// 3r vectors of the smaller side, and the components twice.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, more dimensions than the
// matrix has, values that are not finite (*sparse.NotFiniteError); the context's; and
// *eigen.NotConvergedError, with which comes a model of what was found.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", opt.Dims)
	}
	a, err := svd.NewShared(ctx, opt.Share, x, false)
	if err != nil {
		return nil, err
	}
	f, err := svd.Truncated(ctx, a, opt.svd())
	if f == nil {
		return nil, err
	}
	scale := a.Scale
	a.Drop() // the components take the place of what it holds
	m := &Model{
		Placer:        Placer{Singular: f.Singular, Components: f.Components(), Scale: opt.Scale, NormalizeRows: opt.NormalizeRows},
		LeftResiduals: f.Left, RightResiduals: f.Right, Rank: f.Rank, Stats: f.Stats,
	}
	m.Scale = cmp.Or(m.Scale, Projection)
	y := f.Coordinates(func(j int) float64 { return m.factor(j) / scale })
	m.Embedding = rows.MaybeNormalized(y, opt.NormalizeRows)
	return m, err
}
