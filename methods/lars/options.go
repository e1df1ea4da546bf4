package lars

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
)

// Options of Fit; the zero value is the whole lasso path without centring.
type Options struct {
	// LAR is plain least-angle regression, without the drops of the lasso.
	LAR bool `json:"lar,omitempty"`
	// Positive keeps all coefficients at zero or above; not with LAR.
	Positive bool `json:"positive,omitempty"`
	// Ridge is the elastic net's λ₂ ≥ 0 of ‖y − Xb‖² + λ₂‖b‖² + λ₁‖b‖₁ (the naive form; no rescaling).
	Ridge float64 `json:"ridge,omitempty" range:">=0"`
	// Intercept centres y and the columns of X, X implicitly.
	Intercept bool `json:"intercept,omitempty"`
	// MaxTerms ends the path at the last knot with at most this many coefficients that are not zero.
	// Columns that enter together are not separated unless PartTies is set, so a tie may leave fewer.
	MaxTerms int `json:"max_terms,omitempty" range:">=1"`
	// PartTies breaks a tie that would exceed MaxTerms: of the columns that enter together the lowest
	// enter, the others (Path.Parted) stay out to the end, and the path goes on to the next knot.
	PartTies bool `json:"part_ties,omitempty"`
	// MinPenalty ends the path when the penalty λ = max|x_jᵀr − λ₂b_j| has fallen to it, MaxResidual
	// when ‖y − Xb‖/‖y‖ has (y centred under Intercept): the last knot lies exactly there. 0 is no
	// limit, here and for MaxTerms.
	MinPenalty  float64 `json:"min_penalty,omitempty" range:">=0"`
	MaxResidual float64 `json:"max_residual,omitempty" range:">=0"`
	// MaxSteps bounds the knots after the first; 0 is 8·min(n, p), with Ridge 8·p.
	MaxSteps int `json:"max_steps,omitempty" range:">=1"`
	// Observer receives the stage "lasso paths", which counts responses.
	Observer progress.Observer `json:"-"`
	// Share divides the rows of x and y among the ranks of a team, which call Fit together: each gives
	// its own, of which there may be none, and gets the paths of all. nil: all rows are here.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.LAR && o.Positive {
		errs = append(errs, invalid.Errorf("least-angle regression has no signs of coefficients: use the lasso, or leave out positive"))
	}
	return invalid.Join(errs...)
}

// maxSteps is the most knots after the
// first, for n×p data.
func (o Options) maxSteps(n, p int) int {
	if o.MaxSteps > 0 {
		return o.MaxSteps
	}
	k := min(n, p)
	if o.Ridge > 0 {
		k = p
	}
	return 8 * k
}
