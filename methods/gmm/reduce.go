package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// Unless the options say otherwise, sparse data and dense data of many columns are reduced: the
// covariances of a vocabulary cannot be held, let alone estimated, and covariances of raw pixels
// are singular.
const (
	// leastDims and dimsPerCluster give the number of components: K clusters lie mostly along their
	// first 2K components. If a cluster has too few rows for so many, the prior of its covariance
	// takes over ([Estimator.Settle]).
	leastDims      = 20
	dimsPerCluster = 2
	// denseDims is the number of columns up to which dense data are taken as they are.
	denseDims = 50
)

// Dims is the number of components of n rows of the given number of columns for K clusters.
func Dims(n, columns, clusters int) int {
	return max(1, min(max(leastDims, dimsPerCluster*max(1, clusters)), n-1, columns))
}

// Reduction are the principal components that documents are reduced to before a mixture is fitted.
type Reduction struct {
	// Amount is the number of components, or the share of the variance that they explain. Unset: 20,
	// or 2 per cluster if these are more ([Dims]); dense data of up to 50 columns are not reduced.
	Amount method.Amount `json:"amount,omitzero" flag:"pca" unset:"20, or 2 per cluster if these are more; dense data of up to 50 columns are not reduced" help:"reduce to principal components first: their number, or the share of the variance that they explain, such as 0.9" group:"method"`
	// Raw takes dense data of any number of columns as they are.
	Raw bool `json:"raw,omitempty" flag:"raw" default:"false" help:"fit to dense data as they are, however many columns they have" group:"method"`
	// Tol and Solver are as in pca.Options.
	Tol    float64      `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" when:"pca | data=sparse" help:"largest residual of a component that counts as found" group:"eigenproblem"`
	Solver eigen.Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos" default:"auto" when:"pca | data=sparse" help:"eigensolver of the principal components" group:"eigenproblem"`
}

// Rows are the rows that a mixture is fitted to: the documents, or their principal components,
// which are then the embedding of what is returned; by places new documents in them, nil if nothing
// is reduced. Rows sets Amount to what it decides. method is the name of the method in messages.
func (r *Reduction) Rows(ctx context.Context, in *method.Input, name string) (x mat.Matrix, by *pca.Placer, out *method.Fitted, err error) {
	if err := r.settle(in); err != nil {
		return nil, nil, nil, err
	}
	if r.Amount.IsZero() {
		if err := r.unused(name); err != nil {
			return nil, nil, nil, err
		}
		return in.X, nil, new(method.Fitted), nil
	}
	out, err = method.Common(in, "pca", in.X, *r, func() (*method.Fitted, error) {
		return (&pca.Options{Amount: r.Amount, Tol: r.Tol, Solver: r.Solver}).Fit(ctx, in)
	})
	if out == nil {
		return nil, nil, nil, err
	}
	own := *out
	out = &own
	by, _ = out.Placer.(*pca.Placer)
	out.Placer, out.Model, out.Used = nil, nil, nil // the mixture sets its own
	return out.Embedding, by, out, err
}

// settle decides how many components there are, or that nothing is reduced.
func (r *Reduction) settle(in *method.Input) error {
	if r.Amount.IsZero() && in.Sparse() {
		if r.Raw {
			return invalid.Errorf("‹raw› takes dense data as they are; these data are sparse: choose ‹pca›, or leave ‹raw› out")
		}
		_, terms := in.X.Dims()
		r.Amount.Count = Dims(in.Len(), terms, in.Clusters)
		in.Notef("‹pca› %d: the mixture is one of principal components, since the data are sparse", r.Amount.Count)
	} else if _, columns := in.X.Dims(); r.wide(columns) {
		*r = r.Decided(in.Len(), columns, in.Clusters)
		in.Notef("‹pca› %d: the mixture is one of principal components, since the data have more than %d columns; ‹raw› takes them as they are", r.Amount.Count, denseDims)
	}
	if r.Raw && !r.Amount.IsZero() {
		return invalid.Errorf("‹raw› and ‹pca› are both given: the first takes the data as they are, the second reduces them; give one of them")
	}
	return nil
}

// wide reports whether dense rows of so many columns are reduced though nothing asks for it.
func (r *Reduction) wide(columns int) bool { return r.Amount.IsZero() && columns > denseDims && !r.Raw }

// Decided is r with the components of n dense rows of d columns, where they are reduced because of
// their columns.
func (r Reduction) Decided(n, d, clusters int) Reduction {
	if r.wide(d) {
		r.Amount.Count = Dims(n, d, clusters)
	}
	return r
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
