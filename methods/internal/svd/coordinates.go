package svd

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Coordinates returns what A's rows are in the directions that [Truncated] finds, n×k in the units of the data, and the
// singular values. Where LAPACK has the Gram matrix of the rows, the directions themselves, d×k, are never made: the
// coordinates are the eigenvectors of A·Aᵀ times the roots of their values (Torgerson 1952). That spares the refinement,
// 8·k·(n + 2d) bytes and some 6·k²·(n + d) flops. Squared, small values lose digits: a direction is exact to ε·(σ_1/σ)² or
// so, whatever Tol says, and what is no more than rounding, σ below some 1e-8·√n of the largest, is an exact zero, its column too.
// Elsewhere it is Truncated. Signs are [eigen.CanonicalSigns] on the coordinates.
//
// Errors: those of Truncated; with *eigen.NotConvergedError comes what was found.
func Coordinates(ctx context.Context, m *Matrix, opt Options) (*mat.Dense, []float64, error) {
	w, err := newWork(m, opt)
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

// doubtful is the part of the largest eigenvalue of a Gram matrix below which another may be the rounding of its entries: centring takes
// large numbers off large ones.
const doubtful = 1e-6

// fromGram makes the coordinates of the eigenpairs of A·Aᵀ, in place of the vectors.
func (w *work) fromGram(ctx context.Context, pairs eigenpairs) (*mat.Dense, []float64, error) {
	k := len(pairs.values)
	null := float64(w.m.Rows) * 0x1p-52 * max(0, pairs.values[0])
	sure, rank := 0, 0
	for rank < k && pairs.values[rank] > null {
		if rank++; pairs.values[rank-1] > doubtful*pairs.values[0] {
			sure = rank
		}
	}
	// A doubtful value is true where the direction is one of the data: v = ‖Aᵀu‖².
	const step = 32
	for lo := sure; lo < rank; lo += step {
		hi := min(lo+step, rank)
		along := newBlock(w.m.Cols, hi-lo)
		if err := w.m.MulT(ctx, along, columns(pairs.vectors, lo, hi)); err != nil {
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
	ScaleColumns(y, singular)
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
