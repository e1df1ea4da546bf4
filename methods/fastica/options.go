package fastica

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which events go to the observer.
const Stage = "independent components"

// Algorithm says in which order sources are sought.
type Algorithm string

// The algorithms.
const (
	Symmetric Algorithm = "symmetric" // all at once. The default
	Deflation Algorithm = "deflation" // one after the other: errors of the first ones stay in the last ones
)

// Contrast names G.
type Contrast string

// The contrasts.
const (
	LogCosh Contrast = "logcosh" // log cosh(αy)/α: good for most. The default
	Exp     Contrast = "exp"     // −exp(−y²/2): for sources with long tails
	Cube    Contrast = "cube"    // y⁴/4, which is kurtosis: quickest, and at the mercy of outliers
)

// Defaults of Options.
const (
	DefaultMaxIter = 200
	DefaultTol     = 1e-4
)

// Options of Fit. The zero value of every field is its default.
type Options struct {
	// Components is the number of sources, 1 to the smaller of rows and columns. 0 leaves it to Share.
	Components int `json:"components,omitempty" yaml:"components,omitempty"`
	// Share takes as many as explain this part of the variance, above 0 and at most 1; 0 is 1, all that is not rounding. At most one of both is given.
	Share float64 `json:"share,omitempty" yaml:"share,omitempty"`
	// Algorithm is Symmetric unless set; Contrast is LogCosh.
	Algorithm Algorithm `json:"algorithm,omitempty" yaml:"algorithm,omitempty"`
	Contrast  Contrast  `json:"contrast,omitempty" yaml:"contrast,omitempty"`
	// Alpha is α of LogCosh, 1 to 2; 0 is 1.
	Alpha float64 `json:"alpha,omitempty" yaml:"alpha,omitempty"`
	// MaxIter bounds the steps, of each source with Deflation; 0 is DefaultMaxIter.
	MaxIter int `json:"max_iter,omitempty" yaml:"max_iter,omitempty"`
	// Tol is how small 1 − |cos| of the angle must be that a step turns any row of W by; 0 is DefaultTol, 0.8°. Close to a solution the error falls with its
	// third power, so much less is left.
	Tol float64 `json:"tol,omitempty" yaml:"tol,omitempty"`
	// Memory is how many bytes LAPACK may take for the principal components; 0 is that of package pca.
	Memory int64 `json:"memory,omitempty" yaml:"memory,omitempty"`
	// Seed draws the start.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Observer hears of the principal components, of each step, and of what did not converge.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options by themselves.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Components < 0 {
		bad("the number of components is %d; it must be at least 1, or 0 for all", o.Components)
	}
	if !(o.Share >= 0 && o.Share <= 1) {
		bad("the share of the variance is %v; it must be above 0 and at most 1", o.Share)
	}
	if o.Components > 0 && o.Share > 0 {
		bad("both a number of components and a share of the variance are given; give one")
	}
	switch o.Algorithm {
	case "", Symmetric, Deflation:
	default:
		bad("there is no algorithm %q; take %s or %s", o.Algorithm, Symmetric, Deflation)
	}
	switch o.Contrast {
	case "", LogCosh, Exp, Cube:
	default:
		bad("there is no contrast %q; take %s, %s or %s", o.Contrast, LogCosh, Exp, Cube)
	}
	if o.Alpha != 0 && !(o.Alpha >= 1 && o.Alpha <= 2) {
		bad("α is %v; it must be from 1 to 2, or 0 for 1", o.Alpha)
	}
	if o.MaxIter < 0 {
		bad("the number of iterations is %d; it must be at least 1, or 0 for the default", o.MaxIter)
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		bad("the tolerance is %v; it must be at least 0 and below 1", o.Tol)
	}
	if o.Memory < 0 {
		bad("the memory is %d bytes; it must not be negative", o.Memory)
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Components == 0 && o.Share == 0 {
		o.Share = 1
	}
	if o.Algorithm == "" {
		o.Algorithm = Symmetric
	}
	if o.Contrast == "" {
		o.Contrast = LogCosh
	}
	if o.Alpha == 0 {
		o.Alpha = 1
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	return o
}
