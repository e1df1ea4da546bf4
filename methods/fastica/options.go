package fastica

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the stage of the events that the Observer receives.
const Stage = "independent components"

// Algorithm says in which order sources are found.
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
	Cube    Contrast = "cube"    // y⁴/4, which is kurtosis: the quickest, sensitive to outliers
)

// Defaults of Options.
const (
	DefaultMaxIter = 200
	DefaultTol     = 1e-4
)

// Options of Fit. The zero value of every field is its default.
type Options struct {
	// Dims is the number of sources, 1 to the smaller of rows and columns. 0 = by Share.
	Dims int `json:"dims,omitempty" range:">=1"`
	// Share takes as many sources as explain this part of the variance, above 0 and at most 1; 0 =
	// 1, all that is not rounding. At most one of Dims and Share is given.
	Share float64 `json:"share,omitempty" range:"0<x<=1"`
	// Algorithm is Symmetric unless set; Contrast is LogCosh.
	Algorithm Algorithm `json:"algorithm,omitempty" choices:"symmetric|deflation"`
	Contrast  Contrast  `json:"contrast,omitempty" choices:"logcosh|exp|cube"`
	// Alpha is α of LogCosh, 1 to 2; 0 = 1.
	Alpha float64 `json:"alpha,omitempty"`
	// MaxIter bounds the steps, of each source with Deflation; 0 = DefaultMaxIter.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// Tol ends the iteration: no step turns a row of W by an angle of larger 1 − |cos|; 0 =
	// DefaultTol, 0.8°. Close to a solution the error falls with its third power, so much less is
	// left.
	Tol float64 `json:"tol,omitempty" range:"0<=x<1"`
	// Seed draws the start.
	Seed uint64 `json:"seed"`
	// Observer receives the principal components, each step, and what did not converge.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	if o.Dims > 0 && o.Share > 0 {
		errs.Addf("both a number of components and a share of the variance are given; give one")
	}
	if o.Alpha != 0 && !(o.Alpha >= 1 && o.Alpha <= 2) {
		errs.Addf("α is %v; it must be from 1 to 2, or 0 for 1", o.Alpha)
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Dims == 0 && o.Share == 0 {
		o.Share = 1
	}
	o.Algorithm = cmp.Or(o.Algorithm, Symmetric)
	o.Contrast = cmp.Or(o.Contrast, LogCosh)
	o.Alpha = cmp.Or(o.Alpha, 1)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	return o
}
