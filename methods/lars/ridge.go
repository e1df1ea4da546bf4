package lars

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const ridgeStage = "ridge regression"

// gramBytes is the size of the largest Gram matrix that is solved directly, of order 2,896: larger
// ones take longer than conjugate gradients.
const gramBytes = 64 << 20

// RidgeOptions of Ridge; the zero value is least squares of minimal norm.
type RidgeOptions struct {
	// Ridge is λ ≥ 0 of ‖Y − XB‖² + λ‖B‖².
	Ridge float64 `json:"ridge,omitempty" range:">=0"`
	// Intercept centres Y and the columns of X, X implicitly.
	Intercept bool `json:"intercept,omitempty"`
	// Iterate takes conjugate gradients where the Gram matrix of the smaller side would be solved
	// directly too.
	Iterate bool `json:"iterate,omitempty"`
	// Tol bounds the residuals of the normal equations (RidgeModel.Residuals); 0 is 1e-10.
	Tol float64 `json:"tol,omitempty" range:"0<=x<1"`
	// MaxIter bounds the iterations of conjugate gradients; 0 is 1,000.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// Observer receives the stage "ridge regression": iterations, and a note of the way chosen.
	Observer progress.Observer `json:"-"`
	// Share divides the rows of x and y among the ranks of a team, which call Ridge together: each
	// gives its own, and gets the coefficients. nil: all rows are here.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o RidgeOptions) Validate() error {
	return option.Check(&o)
}

func (o RidgeOptions) withDefaults() RidgeOptions {
	o.Tol = cmp.Or(o.Tol, 1e-10)
	o.MaxIter = cmp.Or(o.MaxIter, 1000)
	return o
}

// RidgeModel is a fitted ridge regression of r responses.
type RidgeModel struct {
	// Coefficients is p×r, Intercepts has one number per response (0 without an intercept).
	Coefficients *mat.Dense
	Intercepts   []float64
	// Residuals are ‖Xᵀ(y − Xb) − λb‖ / ‖Xᵀy‖ of each response, measured at the end; 0 if Xᵀy is zero.
	Residuals []float64
	// Converged says whether all of them are within Tol, or what rounding leaves of the solution by
	// singular values.
	Converged bool
	// Iterations of conjugate gradients, 0 for the direct solution.
	Iterations int
}

// Ridge solves min ‖Y − XB‖² + λ‖B‖² for all columns of y, n×r, at once; X (n×p) may be sparse and
// stays so.
//
// If the Gram matrix of the smaller side q = min(n, p) takes at most 64 MiB (q ≤ 2,896) and what
// the context leaves, it is formed (4·q·entries flops) and solved by Cholesky (q³/3), once for all
// responses, with iterative refinement on X itself. If the Gram matrix is singular, X of at most 16
// MiB is solved by its singular values. Otherwise conjugate gradients solve the normal equations in
// the form of CGLS (Björck 1996, section 7.4) for all responses in one block: two block products of
// 2·entries·r flops per iteration, about √(σ₁²+λ)/√(σ_q²+λ) iterations per digit. Without a penalty
// this gives the solution of least norm.
//
// Memory: the transpose of sparse x (12 bytes per entry), the Gram matrix, and blocks of (3n +
// 4p)·r numbers.
//
// A model whose iteration reached MaxIter comes without an error, with Converged false and its
// Residuals. Errors that satisfy fs.ErrInvalid: options, shapes, values that are not finite or
// whose result is not. When ctx is done, Ridge returns its error.
func Ridge(ctx context.Context, x mat.Matrix, y *mat.Dense, opt RidgeOptions) (*RidgeModel, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := rows.Agreed(opt.Share, checkResponses(x, y)); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	a, err := svd.NewShared(ctx, opt.Share, x, opt.Intercept)
	if err != nil {
		return nil, err
	}
	outer := ctx
	ctx, _ = opt.Share.Watch(ctx)
	s := newRidgeSystem(a, y, opt)
	if math.IsInf(s.Ridge, 0) {
		return nil, invalid.Errorf("the ridge penalty %v is too large for values of the matrix this small: scale the matrix", opt.Ridge)
	}
	solved := false
	if q := int64(min(a.Rows, a.Cols)); !opt.Iterate && 8*q*q <= ranks.Least(opt.Share, min(gramBytes, memory.Left(outer))) {
		opt.Observer.Notef(ridgeStage, "The Gram matrix of the smaller side (order %d, %d bytes) is solved directly.", q, 8*q*q)
		err := s.direct(ctx)
		var singular *native.NotPositiveDefiniteError
		if err != nil && !errors.As(err, &singular) {
			return nil, err
		}
		solved = err == nil && s.converged()
	}
	if size := memory.Bytes(4*8, a.Rows, a.Cols); !solved && !opt.Iterate && !opt.Share.Divided() && size <= min(gramBytes, memory.Left(outer)) {
		opt.Observer.Notef(ridgeStage, "The Gram matrix is singular to rounding: the matrix is solved by its singular values.")
		if solved, err = s.bySVD(ctx); err != nil {
			return nil, err
		}
	}
	if !solved {
		opt.Observer.Notef(ridgeStage, "Conjugate gradients on %d responses at once.", y.RawMatrix().Cols)
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
		if err := s.Solve(outer, cg.Options{Tol: opt.Tol, MaxIter: opt.MaxIter, Stage: ridgeStage, Observer: opt.Observer}); err != nil {
			return nil, err
		}
	}
	return s.model()
}

// ridgeSystem is the scaled system: A = Scale·(X − 1μᵀ), the responses scaled by powers of two and
// centred, λ·Scale².
type ridgeSystem struct {
	cg.Least
	a     *svd.Matrix
	opt   RidgeOptions
	exact bool      // solved as far as rounding allows
	exps  []int     // response k is 2^exps[k] times its column of y
	means []float64 // of the scaled responses
}

func newRidgeSystem(a *svd.Matrix, y *mat.Dense, opt RidgeOptions) *ridgeSystem {
	own, r := y.Dims()
	s := &ridgeSystem{
		Least: cg.Least{
			A: a, Ridge: opt.Ridge * a.Scale * a.Scale,
			B: panel.New(own, r), X: panel.New(a.Cols, r), Rest: panel.New(own, r), Grad: panel.New(a.Cols, r), Left: make([]float64, r),
			Share: opt.Share,
		},
		a: a, opt: opt, exps: make([]int, r), means: make([]float64, r),
	}
	column := make([]float64, own)
	for k := range r {
		for i := range column {
			column[i] = y.At(i, k)
		}
		top := []float64{panel.Largest(column)}
		ranks.Largest(opt.Share, top)
		s.exps[k] = exponent(top[0])
		rescale(column, -s.exps[k])
		if opt.Intercept {
			s.means[k] = centre(opt.Share, column)
		}
		for i, v := range column {
			s.B.Data[i*r+k] = v
		}
	}
	return s
}

// begin sets X = 0 and the norms that residuals are measured by; Grad is then AᵀB.
func (s *ridgeSystem) begin(ctx context.Context) error {
	if err := s.Begin(ctx); err != nil {
		return err
	}
	for k, square := range s.Squares(s.B) {
		// Correlations that are rounding are none: there is nothing to solve for.
		if s.First[k] <= 1e-15*math.Sqrt(square)*math.Sqrt(s.a.Total) {
			s.First[k], s.Left[k] = 0, 0
		}
	}
	return nil
}

func (s *ridgeSystem) converged() bool { return s.exact || panel.Largest(s.Left) <= s.opt.Tol }

// model returns the solution in the units of the data.
func (s *ridgeSystem) model() (*RidgeModel, error) {
	p, r := s.X.Rows, s.X.Cols
	m := &RidgeModel{Coefficients: mat.NewDense(p, r, nil), Intercepts: make([]float64, r),
		Residuals: s.Left, Converged: s.converged(), Iterations: s.Iterations}
	scale := exponent(s.a.Scale) - 1 // a power of two
	for j := range p {
		row := m.Coefficients.RawRowView(j)
		for k := range row {
			scaled := s.X.Data[j*r+k]
			row[k] = math.Ldexp(scaled, scale+s.exps[k])
			if row[k]-row[k] != 0 {
				return nil, invalid.Errorf("the coefficients of response %d (counted from 0) are larger than a float64 holds: scale the data", k)
			}
			if s.opt.Intercept {
				s.means[k] -= (s.a.Mean[j] * s.a.Scale) * scaled
			}
		}
	}
	for k := range m.Intercepts {
		m.Intercepts[k] = math.Ldexp(s.means[k], s.exps[k])
	}
	return m, nil
}
