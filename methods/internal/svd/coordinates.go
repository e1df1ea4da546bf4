package svd

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/panel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Coordinates returns the coordinates of A's rows in the directions that [Truncated] finds, n×k in
// the units of the data, and the singular values. If LAPACK gets the Gram matrix of the rows, the
// directions (d×k) are never computed: the coordinates are the eigenvectors of A·Aᵀ times the
// square roots of their values (Torgerson 1952). That saves the refinement, 8·k·(n + 2d) bytes and
// some 6·k²·(n + d) flops. Small values lose digits by squaring: a direction is exact to about
// ε·(σ_1/σ)² for any Tol. A value that is only rounding, with σ below about 1e-8·√n of the largest,
// is an exact zero, and so is its column. In all other cases Coordinates is Truncated. Signs are
// [eigen.CanonicalSigns] on the coordinates.
//
// Errors are as for Truncated; *eigen.NotConvergedError comes with the partial result.
func Coordinates(ctx context.Context, m *Matrix, opt Options) (*mat.Dense, []float64, error) {
	w, err := newWork(ctx, m, opt)
	if err != nil {
		return nil, nil, err
	}
	if m.Total == 0 {
		f, err := w.factors(ctx)
		return asDense(f.AV), f.Singular, err
	}
	tol := w.firstTol()
	pairs, err := w.spectrum(ctx, tol)
	if _, byRows := m.side(); byRows && err == nil && w.stats.Solver == eigen.Dense {
		return w.fromGram(ctx, pairs)
	}
	f, err := w.refined(ctx, pairs, tol, err)
	if f == nil {
		return nil, nil, err
	}
	w.noteRank(f.Rank, len(f.Singular))
	y := f.Coordinates(func(int) float64 { return 1 / m.Scale })
	eigen.CanonicalSigns(y)
	return y, f.Singular, err
}

// doubtful is the fraction of the largest eigenvalue of a Gram matrix below which another
// eigenvalue may be rounding of the entries, because centring subtracts large numbers from large
// numbers.
const doubtful = 1e-6

// fromGram converts the eigenpairs of A·Aᵀ to coordinates, in place of the vectors.
func (w *work) fromGram(ctx context.Context, pairs eigenpairs) (*mat.Dense, []float64, error) {
	ctx, stopped := w.m.share.Watch(ctx)
	k := len(pairs.values)
	null := float64(w.m.Rows) * 0x1p-52 * max(0, pairs.values[0])
	sure, rank := 0, 0
	for rank < k && pairs.values[rank] > null {
		if rank++; pairs.values[rank-1] > doubtful*pairs.values[0] {
			sure = rank
		}
	}
	// A doubtful value is valid if its direction is one of the data: v = ‖Aᵀu‖².
	const step = 32
	for lo := sure; lo < rank; lo += step {
		hi := min(lo+step, rank)
		along := panel.New(w.m.Cols, hi-lo)
		if err := w.m.MulT(ctx, along, columns(pairs.vectors, lo, hi)); err != nil {
			return nil, nil, err
		}
		if err := stopped(); err != nil {
			return nil, nil, err
		}
		for j, norm := range columnLengths(along) {
			if v := pairs.values[lo+j]; !(norm*norm > v/2) {
				rank = lo + j // those after it are smaller
				break
			}
		}
	}
	w.noteRank(rank, k)
	y, singular := asDense(pairs.vectors), make([]float64, k)
	for j, v := range pairs.values[:rank] {
		singular[j] = math.Sqrt(v) / w.m.Scale
	}
	if math.IsInf(singular[0], 1) {
		return nil, nil, errBeyond()
	}
	panel.ScaleColumns(y.RawMatrix(), singular)
	eigen.CanonicalSigns(y)
	return y, singular, nil
}

func columnLengths(b blas64.General) []float64 {
	lengths := make([]float64, b.Cols)
	for j := range lengths {
		lengths[j] = blas64.Nrm2(blas64.Vector{N: b.Rows, Inc: b.Stride, Data: b.Data[j:]})
	}
	return lengths
}
