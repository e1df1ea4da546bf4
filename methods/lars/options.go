package lars

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
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
	// PartTies breaks a tie that would exceed MaxTerms: of the columns that enter together those of
	// the lowest indices enter, the others (Path.Parted) stay out to the end, and the path goes on to
	// the next knot.
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
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.LAR && o.Positive {
		errs = append(errs, invalid.Errorf("least-angle regression has no signs of coefficients: use the lasso, or leave out positive"))
	}
	return invalid.Join(errs...)
}

// maxActive is the most columns that can be active at once, maxSteps the most knots after the
// first, for n×p data.
func (o Options) maxActive(n, p int) int {
	k := min(n, p)
	if o.Ridge > 0 {
		k = p
	}
	if o.MaxTerms > 0 {
		k = min(k, o.MaxTerms)
	}
	return k
}

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

// Memory estimates the bytes that [Fit] takes besides x for the paths of this many responses: the
// transpose (12 bytes per entry of a sparse x, 8 of a dense one) and 16·p of means and norms,
// shared; per thread 40·n + 60·p bytes and 4k² for the Cholesky factor of k active columns; and 12
// bytes for each coefficient of each knot of the results, with one knot per column and room to
// grow: 12k² per response. k is MaxTerms, or the most columns that can be active.
func Memory(x mat.Matrix, responses int, opt Options) int64 {
	n, p := x.Dims()
	entries, width := int64(n)*int64(p), int64(8)
	if a, ok := x.(*sparse.CSR); ok {
		entries, width = int64(a.NNZ()), 12
	}
	k := int64(opt.maxActive(n, p))
	follower := 40*int64(n) + 60*int64(p) + 4*k*k
	return width*entries + 24*int64(p) + int64(min(native.Threads(), max(responses, 1)))*follower + int64(responses)*(12*k*k+128*k)
}
