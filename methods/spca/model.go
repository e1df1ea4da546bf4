package spca

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, in the order of the principal components it started from.
type Model struct {
	// Loadings are p×k, columns of unit length (zero if a penalty left no term); the heaviest loading,
	// the first on a tie, is positive. Mean is subtracted from documents.
	Loadings *sparse.CSR
	Mean     []float64
	// Embedding is n×k, (x − mean)·b for each document.
	Embedding *mat.Dense
	// Variance is the variance of each coordinate, AdjustedVariance the part that the coordinates
	// before it do not explain, TotalVariance the sum over all columns of the data.
	Variance, AdjustedVariance []float64
	TotalVariance              float64
	// Cardinality is the number of terms of each component, Penalties the λ of its last elastic net.
	Cardinality []int
	Penalties   []float64
	// Objective is the objective after each round, as a share of the data's sum of squares: with
	// penalties eq. (3.12), with numbers of terms without β.
	Objective []float64
	Rounds    int
	// Converged says that the last two rounds changed the objective by Tol at most.
	Converged bool
	// NormalizeRows says that rows of the embedding have length 1.
	NormalizeRows bool
}

// Placer places new documents in the embedding.
func (m *Model) Placer() *linear.Placer {
	if m.Loadings == nil || m.Loadings.NumCols == 0 {
		return new(linear.Placer)
	}
	return linear.Centered(m.Loadings.ToDense(), m.Mean, m.NormalizeRows)
}

// Transform returns the coordinates of new documents, n×k; documents of the fit get their rows of
// Embedding. Costs and errors are as for linear.Placer.Project.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return m.Placer().Project(ctx, x)
}

// Directions lists the terms of each component as linear.Weights does.
func (m *Model) Directions(terms []string, limit int) [][]method.Weight {
	return linear.Weights(m.Loadings, terms, limit)
}
