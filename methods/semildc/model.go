package semildc

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"gonum.org/v1/gonum/mat"
)

// Model is a finished clustering with what every stage found.
type Model struct {
	// Labels are the classes of all documents. Labelled ones keep theirs under the constrained rule.
	Labels []int

	// Soft is Q, n×K: rows sum to 1; with hard labels the rows of unlabelled documents are zero.
	Soft *mat.Dense
	// Topics is the constrained PLSA, Propagated the label propagation that Soft is from; else nil.
	Topics     *plsa.Model
	Propagated *labelprop.Model

	// Dims is the number of dimensions that the rows were reduced to, without a reduction their
	// columns. Explained is the share of the variance in these dimensions, from 0 to 1; for
	// independent components, in the principal components they are made from; 1 without a reduction.
	Dims      int
	Explained float64

	// Lambda are the discriminants' values λ, falling, Mu is the μ used.
	Lambda []float64
	Mu     float64
	// Embedding is n×dims, dims at most K − 1: (x − Mean)·Projection − Offset. Projection is d×dims,
	// the product of reduction and discriminants.
	Embedding    *mat.Dense
	Projection   *mat.Dense
	Mean, Offset []float64
	// Training are the rows of the fit in the kernel form, else nil. The embedding of x is then
	// k(x)·Projection − Offset, where k(x) are the kernel values of x with the training rows, and
	// Projection is n×dims, the coefficients of these rows.
	Training mat.Matrix
	// UnitRows says that rows are scaled to unit length first, as the rows of the fit were.
	UnitRows bool

	// Clusters is the k-means of the embedding: Centers are K×dims, cluster c is class c. With
	// Options.Priors a document goes to the class of the largest posterior under normal distributions
	// of one variance around the means; the Centers are then the means moved by one vector, so that
	// this class has the nearest one.
	Clusters *kmeans.Model

	Options Options // with defaults filled in
}

// Transform projects new documents, n×dims: rows in the terms and the weighting of the fit; counts
// if the fit was given no other rows. Documents of the fit get their rows of Embedding.
// 2·entries·dims flops, in the kernel form the kernel with all training rows. Errors
// (fs.ErrInvalid): an empty matrix, another number of columns, values that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if m.Projection == nil || m.Projection.IsEmpty() {
		return nil, invalid.Errorf("the Semi-LDC model has no directions: fit it first")
	}
	if x == nil {
		return nil, invalid.Errorf("there are no documents to project")
	}
	if m.UnitRows {
		if n, d := x.Dims(); n == 0 || d == 0 {
			return nil, invalid.Errorf("the matrix to project is empty (%d × %d)", n, d)
		}
		a, err := unitRows(x)
		if err != nil {
			return nil, err
		}
		x = a
	}
	place, err := m.Placer().Place(ctx, x, m.Options.Observer)
	if err != nil {
		return nil, err
	}
	return place.Embedding, nil
}

// Predict gives new documents the class with the nearest centre, the lower one on a tie. Unlabelled
// documents of the fit get their label if the k-means converged; labelled ones may lie nearer to
// another class than the one they were clamped to. Errors are as for [Model.Transform].
func (m *Model) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	y, err := m.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	if m.Clusters == nil {
		return nil, invalid.Errorf("the Semi-LDC model has no clusters: fit it first")
	}
	return m.Clusters.Predict(ctx, y)
}
