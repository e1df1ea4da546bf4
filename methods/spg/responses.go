package spg

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/semile"
	"gonum.org/v1/gonum/mat"
)

// Responses are the values that the projections are to approximate.
type Responses struct {
	// Y is n×d, one row per document and one column per direction. Rows of documents without a
	// response are zero.
	Y *mat.Dense
	// Without lists the documents that have no response, ascending: those without neighbours, or
	// without a label.
	Without []int
	// Values are λ = 1 − λ' of each column; nil if no eigenproblem was solved.
	Values []float64
	// Residuals belong to Values, ‖Ly − λDy‖/‖y‖.
	Residuals []float64
}

// NeighborResponses are the opt.Dims eigenvectors of a graph with the smallest λ that opt.Skip does
// not leave out (le.FitGraph). Errors and costs are as for le.FitGraph; beside
// *eigen.NotConvergedError it returns the responses found so far.
func NeighborResponses(ctx context.Context, g *graph.Graph, opt Options) (*Responses, error) {
	if err := opt.needDims(); err != nil {
		return nil, err
	}
	m, err := le.FitGraph(ctx, g, opt.embedding())
	return embedded(m, err)
}

// SemiResponses returns the responses of the graph with labels: weight 1 between any two documents
// of a class, none between classes (semile.FitGraph). The edges within classes are never stored.
// Labelled documents without neighbours have a response too.
func SemiResponses(ctx context.Context, g *graph.Graph, known []int, classes int, opt Options) (*Responses, error) {
	if err := opt.needDims(); err != nil {
		return nil, err
	}
	m, err := semile.FitGraph(ctx, g, known, classes, opt.embedding())
	return embedded(m, err)
}

func (o Options) needDims() error {
	var missing error
	if o.Dims == 0 {
		missing = invalid.Errorf("the number of dimensions is missing; the paper takes one fewer than clusters")
	}
	return invalid.Join(missing, o.Validate())
}

func embedded(m *le.Model, err error) (*Responses, error) {
	var stopped *eigen.NotConvergedError
	if m == nil || err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	return &Responses{Y: m.Coordinates, Without: m.Isolated, Values: m.Values, Residuals: m.Residuals}, err
}

// ClassResponses are the classes−1 eigenvectors of the LDA graph with λ' = 1 besides the constant,
// eq. (8): lda.Responses of the labelled documents; the others have none. Errors are as for
// labels.Check.
func ClassResponses(known []int, classes int) (*Responses, error) {
	of, err := labels.Check(known, len(known), classes, nil)
	if err != nil {
		return nil, err
	}
	r := &Responses{Y: lda.Responses(of, len(known))}
	for i, k := range known {
		if k == labels.Unknown {
			r.Without = append(r.Without, i)
		}
	}
	return r, nil
}

// ofShare is this rank's part of responses of all documents.
func (r *Responses) ofShare(share *ranks.Share) *Responses {
	if !share.Divided() {
		return r
	}
	_, d := r.Y.Dims()
	first, own := share.First(), share.Own()
	part := *r
	part.Y, part.Without = mat.DenseCopyOf(r.Y.Slice(first, first+own, 0, d)), nil
	for _, i := range r.Without {
		if i >= first && i < first+own {
			part.Without = append(part.Without, i-first)
		}
	}
	return &part
}

// PCAResponses are the first opt.Dims principal components of x, scaled to unit length. Costs and
// errors are as for pca.Fit.
func PCAResponses(ctx context.Context, x mat.Matrix, opt Options) (*Responses, error) {
	if err := opt.needDims(); err != nil {
		return nil, err
	}
	m, err := pca.Fit(ctx, x, pca.Options{Dims: opt.Dims, Tol: opt.Eigen.Tol, Solver: opt.Eigen.Solver, Seed: opt.Eigen.Seed, Observer: opt.Eigen.Observer, Share: opt.Share})
	if m == nil {
		return nil, err
	}
	y := m.Embedding
	y.Apply(func(_, j int, v float64) float64 {
		if m.Singular[j] == 0 {
			return 0
		}
		return v / m.Singular[j]
	}, y)
	return &Responses{Y: y}, err
}
