package lpp

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// dense whitens by the thin decomposition B = UΛ^½Vᵀ: with a = V(Λ + α)^-½·z the problem is
// ΘUᵀSUΘ·z = μz, Θ² = Λ/(Λ + α). For Identity a = V·z and Θ² = Λ.
func (p *problem) dense(ctx context.Context) (solution, error) {
	s, err := p.b.spectrum(ctx)
	if err != nil {
		return solution{}, err
	}
	rank := len(s.Values)
	if p.opt.Dims > rank {
		return solution{}, p.tooMany(rank)
	}
	theta, back := make([]float64, rank), make([]float64, rank) // back: V·back·z is a
	for j, v := range s.Values {
		if p.mid.degrees {
			theta[j], back[j] = math.Sqrt(v/(v+p.alpha)), 1/math.Sqrt(v+p.alpha)
		} else {
			theta[j], back[j] = math.Sqrt(v), 1
		}
	}
	// t = U·Θ. From V it is B·V·Λ^-½·Θ.
	t := panel.New(p.b.own, rank)
	by := theta
	if s.ByRows {
		fill(t, s.Vectors)
	} else {
		if err := p.b.Mul(ctx, t, s.Vectors); err != nil {
			return solution{}, err
		}
		by = make([]float64, rank)
		for j, v := range s.Values {
			by[j] = theta[j] / math.Sqrt(v)
		}
	}
	panel.ScaleColumns(t, by)
	product := panel.New(p.b.own, rank)
	p.mid.mul(product, panel.Clone(t))
	m := panel.New(rank, rank)
	p.b.cross(t, product, m)
	panel.Symmetrize(m)
	values, z, err := p.pairs(ctx, blas64.Symmetric{N: rank, Stride: rank, Data: m.Data, Uplo: blas.Upper})
	if err != nil {
		return solution{}, err
	}
	a := panel.New(p.b.Cols, len(values))
	if !s.ByRows {
		scaleRows(z, back)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, s.Vectors, z, 0, a)
		return solution{values: values, a: a}, p.b.stopped(ctx)
	}
	for j, v := range s.Values {
		back[j] /= math.Sqrt(v) // V = BᵀUΛ^-½
	}
	scaleRows(z, back)
	u := panel.New(p.b.own, len(values))
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, s.Vectors, z, 0, u)
	err = errors.Join(p.b.MulT(ctx, a, u), p.b.stopped(ctx))
	return solution{values: values, a: a}, err
}

// pairs returns the wanted end of the whitened problem, the wanted extreme first.
func (p *problem) pairs(ctx context.Context, m blas64.Symmetric) ([]float64, blas64.General, error) {
	k := p.opt.Dims
	r := native.EigRange{Count: k}
	if p.upper() {
		r.First = m.N - k
	}
	values, z, err := p.b.eigenpairs(ctx, m, r)
	if err == nil && p.upper() {
		values, z = reversed(values, z)
	}
	return values, z, err
}

// reversed puts ascending pairs into descending order.
func reversed(values []float64, z blas64.General) ([]float64, blas64.General) {
	k := len(values)
	out, v := panel.New(z.Rows, k), make([]float64, k)
	for j := range k {
		v[j] = values[k-1-j]
		for i := range z.Rows {
			out.Data[i*k+j] = z.Data[i*z.Stride+k-1-j]
		}
	}
	return v, out
}

func scaleRows(a blas64.General, by []float64) {
	for i, f := range by {
		row := a.Data[i*a.Stride:][:a.Cols]
		for j := range row {
			row[j] *= f
		}
	}
}
