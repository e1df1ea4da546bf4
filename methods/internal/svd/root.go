package svd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Root returns R with RᵀR = (X − 1μᵀ)ᵀ(X − 1μᵀ), or XᵀX without centring, for data with at least
// as many rows as columns. Linear models with a squared loss are the same on R as on the rows, so
// n rows become at most d. With X = UΣVᵀ it is R = ΣVᵀ, one row for each singular value above about
// 1e-8·√d of the largest, in falling order: its rows are orthogonal. Columns shorter than that are
// exact zeros, since a Gram matrix cannot tell them from rounding.
//
// Cost: the Gram matrix, n·d² flops (sparse data Σ over rows of entries²), and about 9·d³ flops in
// LAPACK. Memory: 24·d² bytes. It returns the errors of LAPACK and of ctx.
func Root(ctx context.Context, m *Matrix) (*mat.Dense, error) {
	pairs, err := m.solveGram(ctx, 0)
	if err != nil {
		return nil, err
	}
	d := m.Cols
	null := float64(d) * 0x1p-52 * max(0, pairs.values[0])
	rank := 0
	for rank < d && pairs.values[rank] > null {
		rank++
	}
	r := mat.NewDense(max(1, rank), d, nil)
	for j := range d {
		squared := 0.0
		row := pairs.vectors.Data[j*pairs.vectors.Stride:][:rank]
		for i, v := range row {
			squared += v * v * pairs.values[i]
		}
		if squared <= null {
			continue
		}
		for i, v := range row {
			r.Set(i, j, v*math.Sqrt(pairs.values[i])/m.Scale)
		}
	}
	return r, nil
}
