package lars

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// panel is the number of columns of a Gram matrix computed at a time.
const panel = 64

// direct solves with the Gram matrix of the smaller side: (AᵀA + λI)B = AᵀY, or (AAᵀ + λI)C = Y and
// B = AᵀC. Refinement on A itself removes the rounding errors of the factor, as long as it improves
// the solution.
func (s *ridgeSystem) direct(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	rows := s.a.Rows < s.a.Cols
	g, err := s.gram(ctx, rows)
	if err != nil {
		return err
	}
	if err := svd.Cholesky(ctx, g); err != nil {
		return err
	}
	factor := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: g.N, Stride: g.Stride, Data: g.Data}
	solve := func(v blas64.General) {
		defer native.Parallel()()
		native.Default().Trsm(blas.Left, blas.Trans, 1, factor, v)
		native.Default().Trsm(blas.Left, blas.NoTrans, 1, factor, v)
	}
	dual, step := block(0, 0), block(s.b.Rows, s.b.Cols)
	if rows {
		dual = block(s.a.Rows, s.b.Cols)
	}
	last := math.Inf(1)
	for range 4 {
		if worst := largestOf(s.left); worst <= 1e-15 || worst >= last/2 {
			break
		} else {
			last = worst
		}
		if rows {
			// The residual of (AAᵀ + λI)C = Y is Y − A·B − λC.
			for i, v := range s.rest.Data {
				s.rest.Data[i] = v - s.penalty*dual.Data[i]
			}
			solve(s.rest)
			for i, v := range s.rest.Data {
				dual.Data[i] += v
			}
			if err := s.a.MulT(ctx, s.b, dual); err != nil {
				return err
			}
		} else {
			copy(step.Data, s.grad.Data)
			solve(step)
			for i, v := range step.Data {
				s.b.Data[i] += v
			}
		}
		if err := s.measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// gram computes AAᵀ + λI (rows) or AᵀA + λI, by products with panels of the identity, which include
// the centring. 4·entries·q flops.
func (s *ridgeSystem) gram(ctx context.Context, rows bool) (blas64.Symmetric, error) {
	q, other := s.a.Cols, s.a.Rows
	first, second := s.a.Mul, s.a.MulT
	if rows {
		q, other = other, q
		first, second = second, first
	}
	g := blas64.Symmetric{Uplo: blas.Upper, N: q, Stride: q, Data: make([]float64, q*q)}
	for lo := 0; lo < q; lo += panel {
		w := min(panel, q-lo)
		unit, half := block(q, w), block(other, w)
		for k := range w {
			unit.Data[(lo+k)*w+k] = 1
		}
		if err := first(ctx, half, unit); err != nil {
			return g, err
		}
		if err := second(ctx, blas64.General{Rows: q, Cols: w, Stride: q, Data: g.Data[lo:]}, half); err != nil {
			return g, err
		}
	}
	for i := range q {
		g.Data[i*q+i] += s.penalty
	}
	return g, ctx.Err()
}

// conjugate runs CGLS on all responses at once, from zero. Responses that have converged are not
// changed. When the recurrence says that all have, measured residuals replace its own, and the
// iteration restarts from there if needed.
func (s *ridgeSystem) conjugate(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	r := s.b.Cols
	ahead, image := block(s.b.Rows, r), block(s.y.Rows, r)
	shares, gains := make([]float64, r), make([]float64, r)
	for restart := 0; restart < 4 && !s.converged() && s.rounds < s.opt.MaxIter; restart++ {
		copy(ahead.Data, s.grad.Data)
		gamma := columnDots(s.grad, s.grad)
		for s.rounds < s.opt.MaxIter && !s.converged() {
			s.opt.Observer.Report(ridgeStage, int64(s.rounds), 0, "iterations")
			s.rounds++
			if err := s.a.Mul(ctx, image, ahead); err != nil {
				return err
			}
			curve, size := columnDots(image, image), columnDots(ahead, ahead)
			for k := range shares {
				shares[k] = 0
				if c := curve[k] + s.penalty*size[k]; s.left[k] > s.opt.Tol && c > 0 {
					shares[k] = gamma[k] / c
				}
			}
			addScaled(s.b, shares, ahead, 1)
			addScaled(s.rest, shares, image, -1)
			if err := s.a.MulT(ctx, s.grad, s.rest); err != nil {
				return err
			}
			for i, v := range s.b.Data {
				s.grad.Data[i] -= s.penalty * v
			}
			next := columnDots(s.grad, s.grad)
			for k := range gains {
				gains[k] = 0
				if gamma[k] > 0 {
					gains[k] = next[k] / gamma[k]
				}
				if s.first[k] > 0 {
					s.left[k] = math.Sqrt(next[k]) / s.first[k]
				}
			}
			for i := range ahead.Rows {
				row, g := ahead.Data[i*r:][:r], s.grad.Data[i*r:][:r]
				for k := range row {
					row[k] = g[k] + gains[k]*row[k]
				}
			}
			gamma = next
		}
		if err := s.measure(ctx); err != nil {
			return err
		}
	}
	return s.measure(ctx)
}

// addScaled adds sign·shares[k] times column k of x to that of dst.
func addScaled(dst blas64.General, shares []float64, x blas64.General, sign float64) {
	for i := range dst.Rows {
		d, v := dst.Data[i*dst.Stride:][:dst.Cols], x.Data[i*x.Stride:][:dst.Cols]
		for k, share := range shares {
			d[k] += sign * share * v[k]
		}
	}
}
