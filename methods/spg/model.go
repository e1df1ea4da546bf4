package spg

import (
	"context"
	"math"
	"sort"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted projection.
type Model struct {
	// Projection is p×d, a column a direction; Intercepts are added to the projections.
	Projection *sparse.CSR
	Intercepts []float64
	// Embedding is n×d, the projected documents.
	Embedding *mat.Dense
	// Responses are what was regressed, with the signs of the directions.
	Responses *Responses
	// Cardinality holds the terms that each direction has, Asked how many were asked for at most (0 for Ridge).
	Cardinality []int
	Asked       int
	// Parted counts for each direction the terms that a tie at the cardinality kept out: they correlate as well as others that are in, whose columns come
	// first. nil for Ridge.
	Parted []int
	// Penalties are the penalty at which each direction left its path, max|x_jᵀr| (less Ridge·a_j) over the terms; nil for Ridge.
	Penalties []float64
	// Correlations are those of each response with its projection over the documents that have one; 0 where either is constant.
	Correlations []float64
	// Occurring counts the columns with an entry.
	Occurring int

	x     mat.Matrix
	given *Responses // before their directions turned them
	paths []*lars.Path
	opt   Options
}

// Transform projects new documents, n×d; those of the fit go to their Embedding, to rounding. Sparse rows stay sparse and meet the rows of the
// projection that they have entries for: O(entries + hits·d). Errors (fs.ErrInvalid): another number of columns, values that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if m.Projection == nil || m.Projection.NumCols == 0 {
		return nil, invalid.Errorf("the model has no directions: fit it first")
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	a, ok := x.(*sparse.CSR)
	if !ok {
		y, err := svd.Project(ctx, x, mat.DenseCopyOf(m.Projection.T()), nil)
		if err == nil {
			y.Apply(func(_, j int, v float64) float64 { return v + m.Intercepts[j] }, y)
		}
		return y, err
	}
	n, p := a.Dims()
	if n == 0 {
		return nil, invalid.Errorf("the matrix to project is empty (%d × %d)", n, p)
	}
	if p != m.Projection.NumRows {
		return nil, invalid.Errorf("the rows have %d columns, but the model was fitted on %d", p, m.Projection.NumRows)
	}
	if err := a.CheckFinite(); err != nil {
		return nil, err
	}
	y := mat.NewDense(n, m.Projection.NumCols, nil)
	return y, parallel.For(ctx, n, 256, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to := y.RawRowView(i)
			copy(to, m.Intercepts)
			cols, vals := a.Row(i)
			for k, j := range cols {
				at, weights := m.Projection.Row(int(j))
				for t, c := range at {
					to[c] += vals[k] * weights[t]
				}
			}
		}
		return nil
	})
}

// Weight is a term of a direction.
type Weight struct {
	Column int     `json:"column"` // of the data, from 0
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Direction is one direction, to be read.
type Direction struct {
	Number      int      `json:"number"`          // from 1
	Value       *float64 `json:"value,omitempty"` // λ of its response, where that is an eigenvector's
	Intercept   float64  `json:"intercept"`
	Terms       int      `json:"terms"` // that it has
	Correlation float64  `json:"correlation"`
	Weights     []Weight `json:"weights"` // the heaviest first, ties by column
}

// Directions lists the terms of each direction as Weights does.
func (m *Model) Directions(terms []string, limit int) []Direction {
	out := make([]Direction, m.Projection.NumCols)
	for j, w := range Weights(m.Projection, terms, limit) {
		out[j] = Direction{Number: j + 1, Intercept: m.Intercepts[j], Terms: m.Cardinality[j], Correlation: m.Correlations[j], Weights: w}
		if m.Responses.Values != nil {
			out[j].Value = &m.Responses.Values[j]
		}
	}
	return out
}

// Weights lists the entries of each column of a projection, p×d, by falling |weight|, ties by the lower row, at most limit of them (0 = all), with names from
// terms; where terms is nil a row is named by its number from 1.
func Weights(projection *sparse.CSR, terms []string, limit int) [][]Weight {
	out := make([][]Weight, projection.NumCols)
	for i := range projection.NumRows {
		at, weights := projection.Row(i)
		for k, j := range at {
			out[j] = append(out[j], Weight{Column: i, Weight: weights[k]})
		}
	}
	for j, w := range out {
		sort.SliceStable(w, func(a, b int) bool { return math.Abs(w[a].Weight) > math.Abs(w[b].Weight) })
		if limit > 0 && len(w) > limit {
			w = w[:limit:limit]
		}
		for k, t := range w {
			w[k].Term = strconv.Itoa(t.Column + 1)
			if t.Column < len(terms) {
				w[k].Term = terms[t.Column]
			}
		}
		out[j] = w
	}
	return out
}

// Sparsity is the share of zeros in the projection, of the terms that occur in the documents (the paper's last columns).
func (m *Model) Sparsity() float64 {
	if m.Occurring == 0 || m.Projection.NumCols == 0 {
		return 0
	}
	return 1 - float64(m.Projection.NNZ())/(float64(m.Occurring)*float64(m.Projection.NumCols))
}

// WithTerms cuts the paths of the fit at another cardinality, at most the one that was asked for: one fit serves a whole curve of
// cardinalities. The projection of the documents is what it costs. Errors (fs.ErrInvalid): a model without paths (Ridge, or read from a file), a cardinality out of range.
func (m *Model) WithTerms(ctx context.Context, terms int) (*Model, error) {
	if m.paths == nil {
		return nil, invalid.Errorf("the model holds no lasso paths; fit it anew with the number of terms")
	}
	if terms < 1 || terms > m.Asked {
		return nil, invalid.Errorf("%d terms a direction were asked, but the paths reach from 1 to %d; fit anew for more", terms, m.Asked)
	}
	return m.cut(ctx, terms)
}
