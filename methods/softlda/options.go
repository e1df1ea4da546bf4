package softlda

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which events go to the observer.
const Stage = "soft discriminant analysis"

// Defaults of Options.
const (
	DefaultMu           = 0.1
	DefaultTol          = 1e-10
	DefaultMaxIter      = 10000
	DefaultDenseMemory  = 256 << 20
	DefaultSparseMemory = 32 << 20
)

// Options of Fit and FitKernel. The zero value of every field is its default.
type Options struct {
	// Dims is the number of directions at most; 0 = classes − 1.
	Dims int `json:"dims,omitempty"`
	// Mu is μ as a share of S_w's mean eigenvalue, > 0; 0 is DefaultMu. See the package comment.
	Mu float64 `json:"mu,omitempty"`
	// Absolute says that Mu is μ itself, in the units of the data's squares; it must then be given.
	Absolute bool `json:"absolute,omitempty"`
	// Tol bounds the relative residual of the regressions where they are iterated; 0 is DefaultTol.
	Tol float64 `json:"tol,omitempty"`
	// MaxIter bounds their steps; 0 is DefaultMaxIter.
	MaxIter int `json:"max_iter,omitempty"`
	// Memory is how many bytes the matrix of the smaller side may take, 8·min(n, d)²; above it the regressions are iterated. 0 is DefaultDenseMemory
	// (order 5,792), for sparse rows DefaultSparseMemory (order 2,048). FitKernel does not ask.
	Memory int64 `json:"memory,omitempty"`
	// Observer hears what was left out and how the regressions go.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Dims < 0 {
		bad("the number of dimensions is %d; it must be at least 1, or 0 for all", o.Dims)
	}
	if !(o.Mu >= 0) || math.IsInf(o.Mu, 0) {
		bad("the regulariser μ is %v; it must be finite and above 0, or 0 for the default", o.Mu)
	}
	if o.Absolute && o.Mu == 0 {
		bad("the regulariser μ is to be taken as it is, but is not given; give a number above 0")
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		bad("the tolerance is %v; it must be at least 0 and below 1", o.Tol)
	}
	if o.MaxIter < 0 {
		bad("the number of iterations is %d; it must be at least 1, or 0 for the default", o.MaxIter)
	}
	if o.Memory < 0 {
		bad("the memory is %d bytes; it must not be negative", o.Memory)
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults(sparse bool) Options {
	if o.Mu == 0 {
		o.Mu = DefaultMu
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	switch {
	case o.Memory != 0:
	case sparse:
		o.Memory = DefaultSparseMemory
	default:
		o.Memory = DefaultDenseMemory
	}
	return o
}
