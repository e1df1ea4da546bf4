package lars

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

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
	err = svd.Cholesky(ctx, g)
	failed := 0
	if err != nil {
		failed = 1
	}
	if ranks.Count(s.Share, failed) > 0 && err == nil { // on a rank that rounds otherwise
		err = &native.NotPositiveDefiniteError{}
	}
	if err != nil {
		return err
	}
	factor := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: g.N, Stride: g.Stride, Data: g.Data}
	solve := func(v blas64.General) {
		defer native.Parallel()()
		native.Default().Trsm(blas.Left, blas.Trans, 1, factor, v)
		native.Default().Trsm(blas.Left, blas.NoTrans, 1, factor, v)
		s.Share.Share(v.Data) // other processors may round otherwise
	}
	dual, step := panel.New(0, 0), panel.New(s.X.Rows, s.X.Cols)
	if rows {
		dual = panel.New(s.B.Rows, s.X.Cols)
	}
	last := math.Inf(1)
	for range 4 {
		if worst := panel.Largest(s.Left); worst <= 1e-15 || worst >= last/2 {
			break
		} else {
			last = worst
		}
		if rows {
			// Of (AAᵀ + λI)C = Y the residual is Y − A·B − λC.
			for i, v := range s.Rest.Data {
				s.Rest.Data[i] = v - s.Ridge*dual.Data[i]
			}
			for i, v := range s.solveRows(solve) {
				dual.Data[i] += v
			}
			if err := s.a.MulT(ctx, s.X, dual); err != nil {
				return err
			}
		} else {
			copy(step.Data, s.Grad.Data)
			solve(step)
			for i, v := range step.Data {
				s.X.Data[i] += v
			}
		}
		if err := s.Measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// solveRows returns the own rows of the solution for Rest, of which ranks bring all rows together.
func (s *ridgeSystem) solveRows(solve func(v blas64.General)) []float64 {
	if !s.Share.Divided() {
		solve(s.Rest)
		return s.Rest.Data
	}
	k := s.Rest.Cols
	all := blas64.General{Rows: s.a.Rows, Cols: k, Stride: k, Data: ranks.GatherFloats(s.Share, s.Rest.Data)}
	solve(all)
	return all.Data[s.Share.First()*k:][:s.Rest.Rows*k]
}

// gram computes AAᵀ + λI (rows) or AᵀA + λI, by products with panels of the identity, which include
// the centring, on every rank. 4·entries·q flops.
func (s *ridgeSystem) gram(ctx context.Context, rows bool) (blas64.Symmetric, error) {
	q, other := s.a.Cols, s.B.Rows
	first, second := s.a.Mul, s.a.MulT
	if rows {
		q, other = s.a.Rows, s.a.Cols
		first, second = s.a.AllMulT, s.a.AllMul
	}
	g, err := panel.Gram(ctx, q, other, first, second)
	for i := range q {
		g.Data[i*q+i] += s.Ridge
	}
	return g, err
}

// bySVD sets X = V·S/(S² + λ)·UᵀY of least norm by A = USVᵀ. It keeps the digits that the Gram
// matrix loses where columns or rows differ by many orders. 4·rows·cols numbers, 2·entries·q flops
// for A and about 8·rows·cols·q for its values, q = min(rows, cols), on one thread. It reports
// whether the gradient is within the tolerance or rounding, 1e-13·‖A‖·(‖A‖·‖x‖ + ‖y‖).
func (s *ridgeSystem) bySVD(ctx context.Context) (bool, error) {
	q, other, product := s.a.Cols, s.a.Rows, s.a.Mul
	if s.a.Rows < s.a.Cols {
		q, other, product = s.a.Rows, s.a.Cols, s.a.MulT
	}
	unit, a := panel.New(q, q), panel.New(other, q)
	for i := range q {
		unit.Data[i*q+i] = 1
	}
	if err := product(ctx, a, unit); err != nil {
		return false, err
	}
	engine := native.Default()
	type factors struct {
		u, vt  blas64.General
		values []float64
	}
	f, err := native.Abandonable(ctx, func() (f factors, err error) {
		defer native.Parallel()() // the same bits at any number of threads
		f.u, f.values, f.vt, err = engine.SVD(a)
		return f, err
	})
	if err != nil {
		return false, err
	}
	values := f.values
	left, right, of, to := f.u, f.vt, blas.Trans, blas.Trans
	if s.a.Rows < s.a.Cols { // of Aᵀ
		left, right, of, to = f.vt, f.u, blas.NoTrans, blas.NoTrans
	}
	part, end := panel.New(len(values), s.B.Cols), native.Parallel()
	defer end()
	engine.Gemm(of, blas.NoTrans, 1, left, s.B, 0, part)
	for i, v := range values {
		factor := v / (v*v + s.Ridge)
		if v <= values[0]*float64(other)*0x1p-52 {
			factor = 0
		}
		for j := range part.Cols {
			part.Data[i*part.Stride+j] *= factor
		}
	}
	engine.Gemm(to, blas.NoTrans, 1, right, part, 0, s.X)
	end()
	if err := s.Measure(ctx); err != nil {
		return false, err
	}
	size, sizes := panel.Dots(s.X, s.X), panel.Dots(s.B, s.B)
	s.exact = true
	for j, left := range s.Left {
		rounding := 1e-13 * values[0] * (values[0]*math.Sqrt(size[j]) + math.Sqrt(sizes[j]))
		s.exact = s.exact && (left <= s.opt.Tol || left*s.First[j] <= rounding)
	}
	return s.exact, nil
}
