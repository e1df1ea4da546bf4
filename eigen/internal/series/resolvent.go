// Package series applies the inverse of a shifted operator as a Chebyshev series, for many shifts
// at once, and finds eigenvalues of matrices that have two rows more than one whose spectrum is
// known.
package series

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Resolvent is (μ − S)^-1 on the complement of V, where S has its spectrum in [low, high],
// for μ > high: the series
//
//	(μ − S)^-1 = Σ_d γ_d(μ) T_d((S − c)/e),  c, e the interval's centre and half length,
//
// with known coefficients: for τ = (μ − c)/e and ρ = τ − √(τ²−1), γ_0 = 1/(e√(τ²−1)) and
// γ_d = 2ρ^d/(e√(τ²−1)).
type Resolvent struct {
	S        problem.Operator
	V        blas64.General // n×m, orthonormal eigenvectors of S
	Top      float64        // the largest eigenvalue of S
	Basis    *space.Basis   // v as a basis, for its panels
	Low      float64
	High     float64
	Products int
}

func (r *Resolvent) center() float64 { return (r.Low + r.High) / 2 }

func (r *Resolvent) half() float64 { return (r.High - r.Low) / 2 }

// decay returns ρ and the factor 1/(e√(τ²−1)).
func (r *Resolvent) decay(mu float64) (rho, factor float64) {
	// τ² − 1 = (τ−1)(τ+1), without cancellation if μ is close to the interval.
	root := math.Sqrt((mu - r.High) * (mu - r.Low))
	return r.half() / (mu - r.center() + root), 1 / root
}

// Degree is the number of terms after which the relative truncation error of the series for μ is
// tol.
func (r *Resolvent) Degree(mu, tol float64) int {
	rho, _ := r.decay(mu)
	return int(math.Ceil(math.Log(tol*(1-rho)) / math.Log(rho)))
}

// growth is the factor by which a component in V, which is rounding at first, may grow in the
// recurrence before it is projected out again.
const growth = 1e3

// reproject returns the number of products until then: a component along the eigenvalue θ grows by
// cosh(d·arcosh τ(θ)) in d products.
func (r *Resolvent) reproject() int {
	step := math.Acosh(max(1, (r.Top-r.center())/r.half()))
	return int(min(32, max(2, math.Log(growth)/step)))
}

// project removes the components in V from x: 4·n·m flops per column, V is read twice.
func (r *Resolvent) project(x blas64.General) {
	m, c := r.V.Cols, x.Cols
	if m == 0 {
		return
	}
	b := r.Basis
	partial := make([]float64, parallel.Chunks(x.Rows, b.Grain)*m*c)
	b.Panels(func(chunk, lo, hi int) {
		b.Engine.Gemm(blas.Trans, blas.NoTrans, 1, space.Rows(r.V, lo, hi), space.Rows(x, lo, hi), 0, space.AsBlock(partial[chunk*m*c:][:m*c], m, c))
	})
	h := space.AsBlock(space.SumParts(partial, m*c), m, c)
	b.Panels(func(_, lo, hi int) {
		b.Engine.Gemm(blas.NoTrans, blas.NoTrans, -1, space.Rows(r.V, lo, hi), h, 1, space.Rows(x, lo, hi))
	})
}

// Moments holds tᵀT_d(S)h, hᵀT_d(S)h for the columns h of a block, and tᵀT_d(S)t, for d up to twice
// the number of products.
type Moments struct {
	HH, TH [][]float64 // by column, then degree
	TT     []float64
}

// Moments runs the recurrence from the block, which it overwrites; the last column of the block is
// t. T_2d = 2·T_d² − 1 and T_2d−1 = 2·T_d·T_d−1 − T_1 give two moments for each product.
func (r *Resolvent) Moments(ctx context.Context, block blas64.General, degree int) (Moments, error) {
	last := block.Cols - 1
	m := Moments{HH: make([][]float64, last), TH: make([][]float64, last)}
	var first [2][]float64 // moments 0 and 1
	note := func(d int, of, with []float64) {
		// of and with are hᵀT_a T_b h and tᵀT_a T_b h with a + b = d.
		if d < 2 {
			first[d] = append(append([]float64(nil), of...), with...)
		}
		for k := range of {
			hh, th := of[k], with[k]
			if d >= 2 {
				hh, th = 2*hh-first[d%2][k], 2*th-first[d%2][len(of)+k]
			}
			if k == last {
				m.TT = append(m.TT, hh)
				continue
			}
			m.HH[k], m.TH[k] = append(m.HH[k], hh), append(m.TH[k], th)
		}
	}
	err := r.recur(ctx, block, (degree+1)/2, func(d int, before, now blas64.General) {
		squares, withT := products(now, now)
		if d == 0 {
			note(0, squares, withT)
			return
		}
		odd, oddT := products(now, before)
		note(2*d-1, odd, oddT)
		note(2*d, squares, withT)
	})
	return m, err
}

// products returns, for each column k of a and b, the sums Σ a_k·b_k and Σ a_t·b_k, where t is the
// last column.
func products(a, b blas64.General) (own, withT []float64) {
	n, c := a.Rows, a.Cols
	grain := max(512, (n+63)/64)
	partial := make([]float64, parallel.Chunks(n, grain)*2*c)
	space.MustRun(parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		sums := partial[lo/grain*2*c:][:2*c]
		own, with := sums[:c], sums[c:]
		for i := lo; i < hi; i++ {
			x, y := a.Data[i*a.Stride:][:c], b.Data[i*b.Stride:][:c]
			t := x[c-1]
			for k, v := range y {
				own[k] += x[k] * v
				with[k] += t * v
			}
		}
		return nil
	}))
	total := space.SumParts(partial, 2*c)
	return total[:c], total[c:]
}

// At evaluates Σ γ_d(μ)·moment_d.
func (r *Resolvent) At(mu float64, moment ...[]float64) [3]float64 {
	var out [3]float64
	rho, factor := r.decay(mu)
	gamma := factor
	for d := range moment[0] {
		for k, m := range moment {
			out[k] += gamma * m[d]
		}
		if gamma *= rho; d == 0 {
			gamma *= 2
		}
	}
	return out
}

// Solve returns Σ_d γ_d(μ_k) T_d(S)·b_k for the columns b_k of the block, which it overwrites: (μ_k
// − S)^-1 b_k in the complement of V.
func (r *Resolvent) Solve(ctx context.Context, block blas64.General, mu []float64, degree int) (blas64.General, error) {
	c := block.Cols
	gamma, rho := make([]float64, c), make([]float64, c)
	for k, m := range mu {
		rho[k], gamma[k] = r.decay(m)
	}
	x := space.NewBlock(block.Rows, c)
	err := r.recur(ctx, block, degree, func(d int, _, now blas64.General) {
		addScaled(x, now, gamma)
		for k := range gamma {
			if gamma[k] *= rho[k]; d == 0 {
				gamma[k] *= 2
			}
		}
	})
	r.project(x)
	return x, err
}

// addScaled adds each column of a, times its factor, to y. Two reads and one write per entry.
func addScaled(y, a blas64.General, factor []float64) {
	c := a.Cols
	space.MustRun(parallel.For(context.Background(), a.Rows, max(1024, a.Rows/64), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to, from := y.Data[i*y.Stride:][:c], a.Data[i*a.Stride:][:c]
			for k, f := range factor {
				to[k] += f * from[k]
			}
		}
		return nil
	}))
}

// recur visits T_0 b, T_1 b, ... T_degree b in turn, each together with the one before it. Ranks,
// each of which does all of it, look at their contexts together before each product.
func (r *Resolvent) recur(ctx context.Context, b blas64.General, degree int, visit func(d int, before, now blas64.General)) error {
	r.project(b)
	visit(0, blas64.General{}, b)
	every := r.reproject()
	c, e := r.center(), r.half()
	before, now, next := space.NewBlock(b.Rows, b.Cols), b, space.NewBlock(b.Rows, b.Cols)
	for d := 1; d <= degree; d++ {
		if err := ranks.Stopped(ctx); err != nil {
			return err
		}
		r.S.MulBlock(next, now)
		r.Products += b.Cols
		if d == 1 {
			space.Combine(next, 1/e, now, -c/e, blas64.General{}, 0)
		} else {
			space.Combine(next, 2/e, now, -2*c/e, before, -1)
		}
		if d%every == 0 { // both, because a component left in one returns in the other
			r.project(next)
			r.project(now)
		}
		before, now, next = now, next, before
		visit(d, before, now)
	}
	return nil
}

// Times returns VᵀB.
func (r *Resolvent) Times(b blas64.General) blas64.General {
	out := space.NewBlock(r.V.Cols, b.Cols)
	if r.V.Cols > 0 && b.Cols > 0 {
		r.Basis.Engine.Gemm(blas.Trans, blas.NoTrans, 1, r.V, b, 0, out)
	}
	return out
}
