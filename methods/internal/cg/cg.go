// Package cg solves linear systems with a block of right-hand sides by conjugate gradients
// (Hestenes and Stiefel 1952). The columns share the products with the matrix; each has its own
// steps and its own end.
//
//   - [Solve] is for (I − T)·X = B with a sparse symmetric T and I − T positive definite: label
//     propagation and graph-based semi-supervised learning, scaled to a unit diagonal. [Iterate]
//     solves the same by the fixed-point iteration X ← T·X + B, which the papers write down.
//   - [Least] is for ridge regressions, min ‖A·X − B‖² + λ‖X‖², with A known by its products.
//
// The residual is computed from the system itself in the end, and conjugate gradients go on from it
// if it is too large. The bits do not depend on the number of threads: sums run over chunks of
// fixed size and are added in their order.
package cg

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// System is (I − T)·X = B. Errors are measured as |B − (I − T)X| times Weight by row, in the
// largest entry. Ranks that divide the rows give their own ones; all of them solve together.
type System struct {
	T      Product
	Share  *ranks.Share // the division of the rows; nil: all are here
	Weight []float64    // > 0, finite
	B      blas64.General
}

// Product is a symmetric matrix that is known by its products with blocks, dst = T·x.
type Product interface{ MulBlock(dst, x blas64.General) }

// Options bound the work.
type Options struct {
	Tol      float64           // the largest weighted residual that is accepted, > 0
	MaxIter  int               // products with T, without those that measure a residual; steps of Least
	Stage    string            // of the events
	Observer progress.Observer // receives products done of at most MaxIter; steps of Least
}

// Result is the work done and the accuracy reached.
type Result struct {
	Iterations int
	Residual   float64 // the largest weighted entry of B − (I − T)X, computed from the final X
}

// NotConvergedError says that the residual stayed above the tolerance.
type NotConvergedError struct {
	Residual, Tol float64
	Iterations    int
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("the linear system is solved to a residual of %.3g, not to %.3g, after %d iterations: allow more iterations or a larger tolerance", e.Residual, e.Tol, e.Iterations)
}

// Reached returns the iterations made, the residual and the tolerance.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	return e.Iterations, e.Residual, e.Tol
}

// Bytes is the memory of [Solve] and [Iterate] for n rows and k columns, X and B included.
func Bytes(n, k int) float64 { return 5 * 8 * float64(n) * float64(k) }

// Solve sets x, which holds the start, to the solution by conjugate gradients. An iteration is one
// block product (2·nnz·k flops) and 10·n·k flops in three passes over blocks. The number of
// iterations is some √((1+τ)/(1−τ)) times the digits wanted, τ the largest eigenvalue of T.
//
// Errors: *NotConvergedError, with which x and the Result hold what was reached, and the context's.
func Solve(ctx context.Context, s System, x blas64.General, opt Options) (Result, error) {
	w := newWork(s, x, opt)
	previous := math.Inf(1)
	for {
		// Rounding parts the recurrence from the residual: begin again from the residual itself.
		if err := w.measure(ctx); err != nil {
			return w.result, err
		}
		left := w.result.Residual
		if left <= opt.Tol {
			return w.result, nil
		}
		if w.result.Iterations >= opt.MaxIter || !(left <= previous/2) {
			return w.result, &NotConvergedError{left, opt.Tol, w.result.Iterations}
		}
		previous = left
		if err := w.round(ctx); err != nil {
			return w.result, err
		}
	}
}

// Iterate sets x, which holds the start, to the fixed point of X ← T·X + B. It takes some
// ln(Tol)/ln τ products, τ the largest absolute eigenvalue of T, and stops when the last change is
// within the tolerance. Errors are as for [Solve].
func Iterate(ctx context.Context, s System, x blas64.General, opt Options) (Result, error) {
	w := newWork(s, x, opt)
	for {
		if err := w.measure(ctx); err != nil {
			return w.result, err
		}
		if w.result.Residual <= opt.Tol {
			return w.result, nil
		}
		if w.result.Iterations >= opt.MaxIter || math.IsNaN(w.result.Residual) {
			return w.result, &NotConvergedError{w.result.Residual, opt.Tol, w.result.Iterations}
		}
		for i, v := range w.r.Data { // the residual is the change of a step
			x.Data[i] += v
		}
		w.count()
	}
}

// grain is how many numbers of a block make a chunk.
const grain = 1 << 13

// work is the state of a solution: blocks of n rows and k columns without gaps.
type work struct {
	System
	opt     Options
	n, k    int
	x       blas64.General
	r, p, q blas64.General
	live    []bool      // columns that are not yet done in this round
	rr      []float64   // their rᵀr
	parts   [][]float64 // of each chunk: sums and maxima of every column, 2k numbers
	totals  []float64   // of the last pass over the rows of all ranks: the same
	rows    int         // of a chunk
	result  Result
	told    time.Time // when progress was last reported
}

func newWork(s System, x blas64.General, opt Options) *work {
	n, k := s.B.Rows, s.B.Cols
	w := &work{System: s, opt: opt, n: n, k: k, x: x, r: panel.New(n, k), q: panel.New(n, k), p: panel.New(n, k), live: make([]bool, k), rr: make([]float64, k),
		rows: max(1, grain/max(1, k)), told: time.Now()}
	w.parts, w.totals = make([][]float64, parallel.Chunks(n, w.rows)), make([]float64, 2*k)
	for i := range w.parts {
		w.parts[i] = make([]float64, 2*k)
	}
	return w
}

// measure sets r = B − (I − T)x and rr, marks the columns that are above the tolerance as live, and
// sets Result.Residual.
func (w *work) measure(ctx context.Context) error {
	if err := w.multiply(ctx, w.x); err != nil {
		return err
	}
	err := w.pass(ctx, func(lo, hi int, sums, most []float64) {
		for i := lo; i < hi; i++ {
			at, weight := i*w.k, w.Weight[i]
			for j := range w.k {
				v := w.B.Data[at+j] - w.x.Data[at+j] + w.q.Data[at+j]
				w.r.Data[at+j] = v
				sums[j] += v * v
				most[j] = larger(most[j], math.Abs(v)*weight)
			}
		}
	})
	if err != nil {
		return err
	}
	w.result.Residual = 0
	w.total()
	for j := range w.k {
		sum, most := w.column(j)
		w.rr[j] = sum
		w.live[j] = !(most <= w.opt.Tol)
		w.result.Residual = larger(w.result.Residual, most)
	}
	return nil
}

// round runs conjugate gradients from r until no column is live or MaxIter is reached.
func (w *work) round(ctx context.Context) error {
	copy(w.p.Data, w.r.Data)
	step, turn := make([]float64, w.k), make([]float64, w.k)
	for living := true; living && w.result.Iterations < w.opt.MaxIter; {
		if err := w.multiply(ctx, w.p); err != nil {
			return err
		}
		w.count()
		// q = (I − T)p and pᵀq.
		err := w.pass(ctx, func(lo, hi int, sums, _ []float64) {
			for at := lo * w.k; at < hi*w.k; at += w.k {
				p, q := w.p.Data[at:at+w.k], w.q.Data[at:at+w.k]
				for j, v := range p {
					q[j] = v - q[j]
					sums[j] += v * q[j]
				}
			}
		})
		if err != nil {
			return err
		}
		w.total()
		for j := range w.k {
			step[j] = 0
			pq, _ := w.column(j)
			if w.live[j] && pq > 0 && !math.IsInf(w.rr[j]/pq, 0) {
				step[j] = w.rr[j] / pq
			} else {
				w.live[j] = false // done, or the direction is rounding: the measured residual decides
			}
		}
		err = w.pass(ctx, func(lo, hi int, sums, most []float64) {
			for i := lo; i < hi; i++ {
				at, weight := i*w.k, w.Weight[i]
				r, q := w.r.Data[at:at+w.k], w.q.Data[at:at+w.k]
				for j, a := range step {
					v := r[j] - a*q[j]
					r[j] = v
					sums[j] += v * v
					most[j] = larger(most[j], math.Abs(v)*weight)
				}
			}
		})
		if err != nil {
			return err
		}
		living = false
		w.total()
		for j := range w.k {
			turn[j] = 0
			if !w.live[j] {
				continue
			}
			sum, most := w.column(j)
			turn[j] = sum / w.rr[j]
			w.rr[j] = sum
			// Half the tolerance leaves room for the rounding between the recurrence and the residual.
			w.live[j] = most > w.opt.Tol/2 && sum > 0
			living = living || w.live[j]
		}
		err = w.pass(ctx, func(lo, hi int, _, _ []float64) {
			for at := lo * w.k; at < hi*w.k; at += w.k {
				x, p, r := w.x.Data[at:at+w.k], w.p.Data[at:at+w.k], w.r.Data[at:at+w.k]
				for j, b := range turn {
					x[j] += step[j] * p[j]
					p[j] = r[j] + b*p[j]
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// multiply sets q = T·from. It is where the work looks at the context, all ranks together.
func (w *work) multiply(ctx context.Context, from blas64.General) error {
	if err := ranks.Agree(w.Share, ctx.Err()); err != nil {
		return err
	}
	w.T.MulBlock(w.q, from)
	return nil
}

// pass calls body for chunks of rows, with room for a sum and a maximum of every column.
func (w *work) pass(ctx context.Context, body func(lo, hi int, sums, most []float64)) error {
	return parallel.For(context.WithoutCancel(ctx), w.n, w.rows, func(_, lo, hi int) error {
		part := w.parts[lo/w.rows]
		clear(part)
		body(lo, hi, part[:w.k], part[w.k:])
		return nil
	})
}

// total adds up what the last pass found of every column, over all ranks.
func (w *work) total() {
	clear(w.totals)
	sums, most := w.totals[:w.k], w.totals[w.k:]
	for _, part := range w.parts {
		for j := range w.k {
			sums[j] += part[j]
			most[j] = larger(most[j], part[w.k+j])
		}
	}
	w.Share.Sum(sums)
	ranks.Largest(w.Share, most)
}

// column is what [work.total] found of a column.
func (w *work) column(j int) (sum, most float64) { return w.totals[j], w.totals[w.k+j] }

// count counts a product and reports a few times a second.
func (w *work) count() {
	w.result.Iterations++
	if now := time.Now(); w.opt.Observer != nil && now.Sub(w.told) > 250*time.Millisecond {
		w.told = now
		w.opt.Observer.Report(w.opt.Stage, int64(w.result.Iterations), int64(w.opt.MaxIter), "products")
	}
}

// larger is the larger of two numbers, NaN if one is: as the built-in max, but quicker for numbers
// that rarely grow.
func larger(a, b float64) float64 {
	if b <= a {
		return a
	}
	return max(a, b)
}
