package kernelridge

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// leastRidge is the least λ: kernels of 2,000 rows are exact to about 1e-13.
const leastRidge = 1e-10

// Options of a fit. In the zero value the labels choose width and ridge.
type Options struct {
	// Sigma is σ of the kernel exp(−‖x−z‖²/σ); 0 = that of a sixteenth to 64 times the mean squared
	// distance of two labelled rows under which the labels that are left out are the most probable,
	// and the mean itself where no class has two labels.
	Sigma float64 `json:"sigma,omitempty" flag:"sigma" range:">0" unset:"1/16 to 64 times the mean of d² over pairs of labelled documents, by the labels left out one by one" help:"σ in the Gaussian kernel exp(-d²/σ)" group:"method"`
	// Ridge is λ, at least 1e-10; 0 = from 0.0001 to 10, chosen likewise.
	Ridge float64 `json:"ridge,omitempty" flag:"kernel-ridge" range:">0" unset:"0.0001 to 10, by the labels left out one by one" help:"weight λ of the penalty on the coefficients against the squared errors of the labelled documents, at least 1e-10; smaller follows the labels more closely" group:"method"`
	// Observer receives the stage "kernel ridge" (widths tried).
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds errors that
// depend on the data.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	if o.Sigma > 0 && 1/o.Sigma-1/o.Sigma != 0 {
		errs.Addf("sigma is %v: it is too small, for its inverse overflows", o.Sigma)
	}
	if o.Ridge > 0 && o.Ridge < leastRidge {
		errs.Addf("‹kernel-ridge› is %v: below %v the rounding of the kernel decides; choose a larger one", o.Ridge, leastRidge)
	}
	return invalid.Join(errs...)
}
