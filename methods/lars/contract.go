// Package lars follows the lasso path: least-angle regression, the lasso and the elastic net on sparse or dense rows.
package lars

import (
	"context"

	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Options of Fit; the zero value is the whole lasso path without centring.
type Options struct {
	// LAR leaves out the lasso's drops: plain least-angle regression.
	LAR bool `json:"lar,omitempty" yaml:"lar,omitempty"`
	// Ridge is the elastic net's λ₂ ≥ 0 of ‖y − Xb‖² + λ₂‖b‖² + λ₁‖b‖₁ (the naive form; no rescaling).
	Ridge float64 `json:"ridge,omitempty" yaml:"ridge,omitempty"`
	// Intercept centres y and the columns of X, X implicitly.
	Intercept bool `json:"intercept,omitempty" yaml:"intercept,omitempty"`
	// MaxTerms stops when so many coefficients are not zero; MinPenalty when the penalty max|x_jᵀr| (less λ₂b_j) has fallen to it; MaxResidual when
	// ‖y − Xb‖/‖y‖ has. 0 means no such stop.
	MaxTerms    int     `json:"max_terms,omitempty" yaml:"max_terms,omitempty"`
	MinPenalty  float64 `json:"min_penalty,omitempty" yaml:"min_penalty,omitempty"`
	MaxResidual float64 `json:"max_residual,omitempty" yaml:"max_residual,omitempty"`
	// MaxSteps bounds the knots; 0 is 8·min(n, p).
	MaxSteps int               `json:"max_steps,omitempty" yaml:"max_steps,omitempty"`
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Path is the path of one response: its knots, compactly.
type Path struct {
	Penalty []float64 // λ at each knot, falling; the first is where the first term enters
	Stopped string    // why it ended
}

// Knots is the number of knots.
func (p *Path) Knots() int { panic("contract") }

// At returns the coefficients at a knot: terms ascending with their coefficients, and the intercept.
func (p *Path) At(knot int) (terms []int32, coefficients []float64, intercept float64) {
	panic("contract")
}

// WithTerms returns the last knot with at most k coefficients that are not zero.
func (p *Path) WithTerms(k int) (knot int) { panic("contract") }

// Fit follows the paths of all columns of y, n×r, on the rows of x, n×p, in parallel.
func Fit(ctx context.Context, x mat.Matrix, y *mat.Dense, opt Options) ([]*Path, error) {
	panic("contract")
}
