package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// sparseDims is the number of principal components of sparse data unless the options say another:
// the covariances of a vocabulary cannot be held, let alone estimated.
const sparseDims = 100

// Reduction are the principal components that documents are reduced to before a mixture is fitted.
type Reduction struct {
	// Amount is the number of components, or the share of the variance that they explain. Unset:
	// 100 of sparse data, none of dense data, which are not reduced.
	Amount method.Amount `json:"amount,omitzero" flag:"pca" unset:"100 of sparse data, or all if there are fewer; dense data are not reduced" help:"reduce to principal components first: their number, or the share of the variance that they explain, such as 0.9" group:"method"`
	// Tol and Solver are those of pca.Options.
	Tol    float64      `json:"tol,omitempty" flag:"tol" range:">0" default:"1e-08" when:"pca | data=sparse" help:"largest residual of a component that counts as found" group:"eigenproblem"`
	Solver eigen.Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos" default:"auto" when:"pca | data=sparse" help:"eigensolver of the principal components" group:"eigenproblem"`
}

// Rows are the rows that a mixture is fitted to: the documents, or their principal components,
// which are then the embedding of what is returned; by places new documents in them, nil if nothing
// is reduced. Rows sets Amount to what it decides. method is the name of the method in messages.
func (r *Reduction) Rows(ctx context.Context, in *method.Input, name string) (x mat.Matrix, by *pca.Placer, out *method.Fitted, err error) {
	if r.Amount.IsZero() && in.Sparse() {
		n, terms := in.X.Dims()
		r.Amount.Count = min(sparseDims, n, terms)
		in.Notef("‹pca› %d: the mixture is one of principal components, since the data are sparse", r.Amount.Count)
	}
	if r.Amount.IsZero() {
		if err := r.unused(name); err != nil {
			return nil, nil, nil, err
		}
		return in.X, nil, new(method.Fitted), nil
	}
	out, err = (&pca.Options{Amount: r.Amount, Tol: r.Tol, Solver: r.Solver}).Fit(ctx, in)
	if out == nil {
		return nil, nil, nil, err
	}
	by, _ = out.Placer.(*pca.Placer)
	out.Placer, out.Model, out.Used = nil, nil, nil // those of the mixture come
	return out.Embedding, by, out, err
}

// unused refuses options of components that are not computed.
func (r *Reduction) unused(name string) error {
	unused := ""
	switch {
	case r.Solver != "":
		unused = "solver"
	case r.Tol != 0:
		unused = "tol"
	default:
		return nil
	}
	return invalid.Errorf("‹%s› has no effect beside dense data without ‹pca›, which %s takes as they are: leave it out", unused, name)
}
