package spca

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, in the order of the principal components it started from.
type Model struct {
	// Loadings are p×k, columns of unit length (zero where a penalty left no term), the heaviest loading positive, the first on a tie. Mean is what
	// is taken off documents.
	Loadings *sparse.CSR
	Mean     []float64
	// Embedding is n×k, (x − mean)·b for each document.
	Embedding *mat.Dense
	// Variance is that of each coordinate, AdjustedVariance what it adds to the coordinates before it, TotalVariance
	// the sum over all columns of the data.
	Variance, AdjustedVariance []float64
	TotalVariance              float64
	// Cardinality holds the terms of each component, Penalties the λ of its last elastic net.
	Cardinality []int
	Penalties   []float64
	// Objective is what each round reached, in shares of the data's sum of squares: with penalties eq. (3.12), with numbers of terms without β.
	Objective []float64
	Rounds    int
	// Converged tells that the last two rounds changed the objective by Tol at most.
	Converged bool
}

// Transform returns the coordinates of new documents, n×k; those of the fit keep their Embedding. 2·entries·k flops. Errors (fs.ErrInvalid): an empty
// matrix, another number of columns, values that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if m.Loadings == nil || m.Loadings.NumCols == 0 {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	return svd.Project(ctx, x, m.Loadings.Transpose().ToDense(), m.Mean)
}

// Directions lists the terms of each component as spg.Weights does.
func (m *Model) Directions(terms []string, limit int) [][]spg.Weight {
	return spg.Weights(m.Loadings, terms, limit)
}
