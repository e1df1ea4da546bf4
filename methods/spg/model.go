package spg

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted projection.
type Model struct {
	// Projection is p×d, one column per direction; Intercepts are added to the projections.
	Projection *sparse.CSR
	Intercepts []float64
	// Embedding is n×d, the projected documents.
	Embedding *mat.Dense
	// Responses are the regressed responses, with the signs of the directions.
	Responses *Responses
	// Cardinality is the number of terms of each direction, Asked their limit (0 for Ridge).
	Cardinality []int
	Asked       int
	// Parted counts for each direction the terms that a broken tie left out: they correlate as much as
	// terms that are in, which have lower columns. nil for Ridge.
	Parted []int
	// Penalties are the penalties at which the directions were taken from their paths, max|x_jᵀr|
	// (less Ridge·a_j) over the terms; nil for Ridge.
	Penalties []float64
	// Correlations has the correlation of each response with its projection, over the documents that
	// have a response; 0 if either is constant.
	Correlations []float64
	// Occurring counts the columns with an entry.
	Occurring int

	x     mat.Matrix
	given *Responses // before their directions turned them
	paths []*lars.Path
	opt   Options
}

// Placer places new documents in the embedding.
func (m *Model) Placer() *linear.Placer {
	p := &linear.Placer{Offset: m.Intercepts, NormalizeRows: m.opt.NormalizeRows}
	if m.Projection != nil {
		p.Projection = m.Projection
	}
	return p
}

// Transform projects new documents, n×d; documents of the fit get their rows of Embedding. Costs
// and errors are as for linear.Placer.Project.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return m.Placer().Project(ctx, x)
}

// Direction is one direction, for a person to read.
type Direction struct {
	Number      int             `json:"number"`          // from 1
	Value       *float64        `json:"value,omitempty"` // λ of its response, if that is an eigenvector
	Intercept   float64         `json:"intercept"`
	Terms       int             `json:"terms"` // that it has
	Correlation float64         `json:"correlation"`
	Weights     []method.Weight `json:"weights"` // the heaviest first, ties by column
}

// Directions lists the terms of each direction as linear.Weights does.
func (m *Model) Directions(terms []string, limit int) []Direction {
	out := make([]Direction, m.Projection.NumCols)
	for j, w := range linear.Weights(m.Projection, terms, limit) {
		out[j] = Direction{Number: j + 1, Intercept: m.Intercepts[j], Terms: m.Cardinality[j], Correlation: m.Correlations[j], Weights: w}
		if m.Responses.Values != nil {
			out[j].Value = &m.Responses.Values[j]
		}
	}
	return out
}

// Sparsity is the share of zeros in the projection among the terms that occur in the documents (the
// last columns of the paper's tables).
func (m *Model) Sparsity() float64 {
	if m.Occurring == 0 || m.Projection.NumCols == 0 {
		return 0
	}
	return 1 - float64(m.Projection.NNZ())/(float64(m.Occurring)*float64(m.Projection.NumCols))
}

// WithTerms takes from the paths of the fit the directions with another number of terms, at most as
// many as in the fit: one fit serves a whole curve. It costs one projection of the documents.
// Errors (fs.ErrInvalid): a model without paths (Ridge, or read from a file), a number of terms out
// of range.
func (m *Model) WithTerms(ctx context.Context, terms int) (*Model, error) {
	if m.paths == nil {
		return nil, invalid.Errorf("the model holds no lasso paths; fit it anew with the number of terms")
	}
	if terms < 1 || terms > m.Asked {
		return nil, invalid.Errorf("%d terms per direction are not possible: the paths have 1 to %d; fit again for more", terms, m.Asked)
	}
	return m.cut(ctx, terms)
}
