package lpp

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// operator is a matrix known by its products.
type operator interface {
	dims() (r, c int)
	mul(ctx context.Context, dst, v blas64.General) error
	mulT(ctx context.Context, dst, u blas64.General) error
	// dots returns the inner products of the columns of two blocks of B's rows, of all ranks.
	dots(a, b blas64.General) []float64
	// stopped returns the context's error; with ranks, the error of any rank's context.
	stopped(ctx context.Context) error
	// noise is the squared norm that rounding can leave of a matrix that is zero.
	noise() float64
}

// augmented is B stacked on root·I. Ranks that divide the rows of B divide the rows of I too.
type augmented struct {
	operator
	root     float64
	share    *ranks.Share
	lo, hi   int          // the rows of I that are here
	together *ranks.Share // divides the rows of both
}

// augment returns the (n+p)×p operator of B stacked on root·I, whose least squares problems are B's
// with the ridge root².
func augment(b *design, root float64) *augmented {
	lo, hi := ranks.Part(b.share, b.share.Rank(), b.Cols)
	a := &augmented{operator: b, root: root, share: b.share, lo: lo, hi: hi}
	if b.share.Divided() {
		a.together = ranks.NewShare(b.share, b.own+hi-lo)
	}
	return a
}

func (a *augmented) dims() (r, c int) {
	n, p := a.operator.dims()
	return n + a.hi - a.lo, p
}

func (a *augmented) mul(ctx context.Context, dst, v blas64.General) error {
	n, _ := a.operator.dims()
	for i := a.lo; i < a.hi; i++ {
		from, to := row(v, i), row(dst, n+i-a.lo)
		for j, x := range from {
			to[j] = a.root * x
		}
	}
	return a.operator.mul(ctx, part(dst, 0, n, 0, dst.Cols), v)
}

func (a *augmented) mulT(ctx context.Context, dst, u blas64.General) error {
	n, p := a.operator.dims()
	if err := a.operator.mulT(ctx, dst, part(u, 0, n, 0, u.Cols)); err != nil {
		return err
	}
	below := blas64.General{Rows: p, Cols: u.Cols, Stride: u.Stride, Data: u.Data[n*u.Stride:]}
	if a.share.Divided() {
		own := panel.New(a.hi-a.lo, u.Cols)
		for i := range own.Rows {
			copy(row(own, i), row(u, n+i))
		}
		below = blas64.General{Rows: p, Cols: u.Cols, Stride: u.Cols, Data: ranks.GatherFloats(a.share, own.Data)}
	}
	for i := range p {
		from, to := row(below, i), row(dst, i)
		for j, x := range from {
			to[j] += a.root * x
		}
	}
	return nil
}

// regression says when an iteration ends.
type regression struct {
	Tol      float64 // of ‖Bᵀ(y − Ba)‖/‖Bᵀy‖
	MaxIter  int
	Observer progress.Observer
}

// unfinishedError says that the iteration reached its limit before the tolerance.
type unfinishedError struct {
	Steps      int
	Worst, Tol float64
}

func (e *unfinishedError) Error() string {
	return fmt.Sprintf("after %d steps of a regression the worst of the residuals is %.3g, wanted %.3g: add a ridge, or a larger one", e.Steps, e.Worst, e.Tol)
}

// rounding is the share of ‖B‖·‖y‖ at which a residual Bᵀ(y − Ba) is rounding error.
const rounding = 1e-15

// cgls minimises ‖B·a − y‖ column by column from a = 0, all columns in one block, until in each
// ‖Bᵀ(y − Ba)‖ ≤ Tol·‖Bᵀy‖, or it is rounding error: a y orthogonal to the range of B never meets
// the first test. ‖B‖ is estimated from the products; if it is no more than noise, a is 0. It
// returns a, beside *unfinishedError the last iterate.
func cgls(ctx context.Context, b operator, y blas64.General, opt regression) (blas64.General, error) {
	n, p := b.dims()
	k := y.Cols
	a, s, direction := panel.New(p, k), panel.New(p, k), panel.New(p, k)
	r, q := panel.Clone(y), panel.New(n, k)
	if err := b.mulT(ctx, s, r); err != nil {
		return a, err
	}
	first, size := squares(s), b.dots(y, y)
	copy(direction.Data, s.Data)
	gamma := squares(s)
	step, turn := make([]float64, k), make([]float64, k)
	norm := 0.0 // of B, squared
	for it := 0; ; it++ {
		worst, open := 0.0, 0
		for j := range k {
			step[j] = 0
			if gamma[j] > max(opt.Tol*opt.Tol*first[j], rounding*rounding*norm*size[j]) {
				step[j] = 1 // to be set
				open++
				worst = max(worst, math.Sqrt(gamma[j]/first[j]))
			}
		}
		if open == 0 {
			return a, b.stopped(ctx)
		}
		if it == opt.MaxIter {
			return a, &unfinishedError{Steps: it, Worst: worst, Tol: opt.Tol}
		}
		if it%16 == 0 {
			opt.Observer.Report(Stage, int64(it), 0, "steps")
			if err := b.stopped(ctx); err != nil {
				return a, err
			}
		}
		if err := b.mul(ctx, q, direction); err != nil {
			return a, err
		}
		delta, along := b.dots(q, q), squares(direction)
		for j := range k {
			if step[j] == 0 || delta[j] == 0 {
				step[j] = 0
				continue
			}
			step[j] = gamma[j] / delta[j]
			norm = max(norm, delta[j]/along[j])
		}
		if norm <= b.noise() {
			return a, b.stopped(ctx)
		}
		add(a, step, direction, 1)
		add(r, step, q, -1)
		if err := b.mulT(ctx, s, r); err != nil {
			return a, err
		}
		next := squares(s)
		for j := range k {
			turn[j] = 0
			if step[j] != 0 {
				turn[j] = next[j] / gamma[j]
				gamma[j] = next[j]
			} else if delta[j] == 0 {
				gamma[j] = 0 // its direction is in B's null space but for rounding
			}
		}
		mix(direction, turn, s)
	}
}

// grain is how many rows of a block one goroutine takes at once; sums are made by chunk and added
// in their order.
const grain = 4096

// squares returns the squared norm of each column.
func squares(b blas64.General) []float64 { return dots(b, b) }

// dots returns the inner product of each column of a with the same column of b.
func dots(a, b blas64.General) []float64 {
	partial := make([]float64, parallel.Chunks(b.Rows, grain)*b.Cols)
	each(b.Rows, func(lo, hi int) {
		sum := partial[lo/grain*b.Cols:][:b.Cols]
		for i := lo; i < hi; i++ {
			other := row(a, i)
			for j, v := range row(b, i) {
				sum[j] += v * other[j]
			}
		}
	})
	out := make([]float64, b.Cols)
	for i, v := range partial {
		out[i%b.Cols] += v
	}
	return out
}

// add does column j of dst += sign·by[j]·x.
func add(dst blas64.General, by []float64, x blas64.General, sign float64) {
	each(dst.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := row(dst, i), row(x, i)
			for j, f := range by {
				to[j] += sign * f * from[j]
			}
		}
	})
}

// mix does column j of dst = x + by[j]·dst.
func mix(dst blas64.General, by []float64, x blas64.General) {
	each(dst.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := row(dst, i), row(x, i)
			for j, f := range by {
				to[j] = from[j] + f*to[j]
			}
		}
	})
}

func each(n int, body func(lo, hi int)) {
	// Products check the context; these passes are short, and body does not fail.
	_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		body(lo, hi)
		return nil
	})
}
