package svd

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// squarable is the fraction of the largest eigenvalue of a Gram matrix that all wanted ones must
// exceed for its eigenvectors to be the result. Squaring costs digits: the residual of a pair is
// about ε·σ_1²/σ, below 1e-13·σ_1·√p here, and its value has a relative error of ε·(σ_1/σ)², below
// 1e-9. With smaller values [Matrix.refine] computes all from the matrix itself.
const squarable = 1e-6

// fromSquares takes eigenpairs of AᵀA as they are: their vectors, and one product with A. It
// returns nil if the matrix is to be refined: sparse, with fewer rows than columns, or with small
// singular values. 2·n·d·k flops.
//
// Right residuals ‖Gv − σ²v‖/σ are measured on the Gram matrix G = AᵀA, whose own rounding adds
// some ε·√n·σ_1²/σ.
func (w *work) fromSquares(ctx context.Context, pairs eigenpairs) (*Factors, error) {
	m, k := w.m, len(pairs.values)
	if pairs.gram.N == 0 || k == 0 || !(pairs.values[k-1] > squarable*pairs.values[0]) {
		return nil, nil
	}
	ctx, stopped := m.share.Watch(ctx)
	f := &Factors{V: whole(m.columns, pairs.vectors), AV: panel.New(m.own, k), Left: make([]float64, k), Rank: k}
	eigen.CanonicalSigns(asDense(f.V))
	if err := m.wide(ctx, stopped, f.AV, f.V, m.Mul); err != nil {
		return nil, err
	}
	norms := m.norms(f.AV)
	f.Singular = append(f.Singular, norms...)
	for j := k - 2; j >= 0; j-- { // equal values may be in any order
		f.Singular[j] = max(f.Singular[j], f.Singular[j+1])
	}
	f.Right = squareResiduals(pairs.gram, f.V, f.Singular)
	for j, norm := range norms {
		f.Left[j] = math.Abs(norm - f.Singular[j])
	}
	m.share.Share(f.Right)
	for j := range k {
		if f.Right[j] > w.opt.Tol*f.Singular[0] {
			return nil, nil
		}
	}
	for j := range k {
		f.Singular[j] /= m.Scale
		f.Left[j] /= m.Scale
		f.Right[j] /= m.Scale
	}
	return f, nil
}

// squareResiduals are ‖Gv − σ²v‖/σ of the columns of v, for the upper triangle of G, which it
// completes. 2·p²·k flops.
func squareResiduals(g blas64.Symmetric, v blas64.General, singular []float64) []float64 {
	all := blas64.General{Rows: g.N, Cols: g.N, Stride: g.Stride, Data: g.Data}
	for i := range g.N {
		for j := range i {
			all.Data[i*all.Stride+j] = all.Data[j*all.Stride+i]
		}
	}
	image := panel.New(v.Rows, v.Cols)
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, all, v, 0, image)
	for i := range v.Rows {
		row := image.Data[i*image.Stride:][:v.Cols]
		for j, x := range v.Data[i*v.Stride:][:v.Cols] {
			row[j] = row[j]/singular[j] - singular[j]*x
		}
	}
	return columnLengths(image)
}
