package pca

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
)

// Options of Fit. Dims or Amount says how many components; through the contract of package method
// both may be unset.
type Options struct {
	// Dims is the number of components, 1 to the smaller of rows and columns. 0 = by Amount;
	// through the contract of package method the number of clusters or classes.
	Dims int `json:"dims,omitempty" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// Amount is another way to say Dims, or the share of the variance that the components explain:
	// as few as reach it. The share 1 keeps all that is not rounding.
	Amount method.Amount `json:"amount,omitzero" flag:"pca" unset:"as many as dims" help:"principal components: their number, or the share of the variance that they explain, such as 0.9" group:"method"`
	// Whiten scales every coordinate to variance 1 (sum of squares n − 1).
	Whiten bool `json:"whiten,omitempty"`
	// Tol bounds the residuals of the singular values relative to the largest; 0 = 1e-8.
	Tol float64 `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" help:"largest residual of a singular value that counts as found, as a share of the largest value" group:"eigenproblem"`
	// Solver is auto unless set; dense is LAPACK on the smaller of covariance and Gram matrix, the
	// others are package eigen's.
	Solver eigen.Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos" default:"auto" help:"eigensolver" group:"eigenproblem"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed"`
	// Observer receives the solver picked, the pairs found and a rank below the number of
	// components.
	Observer progress.Observer `json:"-"`
	// Share divides the rows among the ranks of a team, which call Fit together: x and the coordinates
	// have the own rows, the rest of the model is of all. nil: x has all rows.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.Dims > 0 && o.Amount.Share > 0 {
		errs = append(errs, invalid.Errorf("‹dims› and ‹pca› %s are two ways to choose the components: give one of them", o.Amount))
	}
	if o.Dims > 0 && o.Amount.Count > 0 && o.Dims != o.Amount.Count {
		errs = append(errs, invalid.Errorf("‹pca› asks for %s and ‹dims› for %d: leave ‹dims› out", words.Counted(o.Amount.Count, "component"), o.Dims))
	}
	return invalid.Join(errs...)
}

func (o Options) svd() svd.Options {
	return svd.Options{K: max(o.Dims, o.Amount.Count), Share: o.Amount.Share, Tol: o.Tol, Solver: o.Solver, Seed: o.Seed, Observer: o.Observer}
}
