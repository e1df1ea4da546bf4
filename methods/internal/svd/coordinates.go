package svd

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"gonum.org/v1/gonum/mat"
)

// Coordinates returns what A's rows are in the directions that [Truncated] finds, n×k in the units of the data, and the
// singular values. Where LAPACK has the Gram matrix of the rows, the directions themselves, d×k, are never made: the
// coordinates are the eigenvectors of A·Aᵀ times the roots of their values (Torgerson 1952). That spares the refinement,
// 8·k·(n + 2d) bytes and some 6·k²·(n + d) flops, and values below about 1e-8·√n of the largest are exact zeros, their
// columns too: squared, they are rounding. Elsewhere it is Truncated. Signs are [eigen.CanonicalSigns] on the coordinates.
//
// Errors: those of Truncated; with *eigen.NotConvergedError comes what was found.
func Coordinates(ctx context.Context, m *Matrix, opt Options) (*mat.Dense, []float64, error) {
	w, err := newWork(m, opt)
	if err != nil {
		return nil, nil, err
	}
	if p, byRows := m.side(); byRows && m.Total > 0 {
		room := w.opt.K
		if room == 0 {
			room = p
		}
		if explicit, why := w.explicit(room, room); explicit {
			return w.fromGram(ctx, why)
		}
	}
	f, err := w.factors(ctx)
	if f == nil {
		return nil, nil, err
	}
	y := f.Coordinates(func(int) float64 { return 1 / m.Scale })
	eigen.CanonicalSigns(y)
	return y, f.Singular, err
}

// fromGram makes the coordinates of the eigenpairs of A·Aᵀ, in place of the vectors.
func (w *work) fromGram(ctx context.Context, why string) (*mat.Dense, []float64, error) {
	pairs, err := w.dense(ctx, w.opt.K, why)
	if err != nil {
		return nil, nil, err
	}
	if w.opt.K == 0 {
		count, _ := w.reached(pairs.values)
		pairs = pairs.first(count)
	}
	y, singular := asDense(pairs.vectors), make([]float64, len(pairs.values))
	null := float64(w.m.Rows) * 0x1p-52 * max(0, pairs.values[0])
	for j, v := range pairs.values {
		if v > null {
			singular[j] = math.Sqrt(v) / w.m.Scale
		}
	}
	if math.IsInf(singular[0], 1) {
		return nil, nil, errBeyond()
	}
	ScaleColumns(y, singular)
	eigen.CanonicalSigns(y)
	return y, singular, nil
}
