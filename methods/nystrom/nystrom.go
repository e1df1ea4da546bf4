// Package nystrom extends the eigenvector coordinates of a graph's points to new points.
//
// For an eigenvector of L y = λ D y the coordinate of every point follows from its neighbours:
// (1−λ)·d_i·y_i = Σ_l w_il·y_l. [Extend] uses this equation for a new point, whose affinities are
// known (graph.Attach) and whose coordinates are not:
//
//	y_j(x) = Σ_i w(x,i)·y_ij / ((1−λ_j)·d(x)),   d(x) = Σ_i w(x,i)
//
// That is the Nyström extension of D⁻¹W (Bengio et al. 2004, "Out-of-sample extensions for LLE,
// Isomap, MDS, eigenmaps, and spectral clustering", section 3). For λ_j = 0 it is the
// affinity-weighted mean of the neighbours, which on a graph's components is their indicator.
//
// It applies to every method whose free points satisfy this equation: Laplacian Eigenmaps;
// semi-supervised Laplacian Eigenmaps, in which edges among labelled documents change the equation
// of these documents only; and the Constrained Laplacian Eigenmap, in whose map of class k an
// unlabelled point satisfies it with the eigenvalue of that map, while labelled neighbours have the
// coordinate of their class.
//
// For a point of the graph itself, given its own row of W, the formula returns the point's
// coordinates up to the residual of the eigenpair: residual_ij / ((1−λ_j)·d_i). The nearer λ is to
// 1, the more it magnifies the residual and rounding.
package nystrom

import (
	"context"
	"fmt"
	"io/fs"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// OneTol is the distance from 1 within which an eigenvalue has no extension: the formula divides by
// 1−λ, which is then only rounding.
const OneTol = 1e-10

// NoExtensionError is the error if a coordinate cannot be extended because its eigenvalue is 1.
type NoExtensionError struct {
	Coordinate int // counted from 0
	Value      float64
}

func (e *NoExtensionError) Error() string {
	return fmt.Sprintf("coordinate %d has the eigenvalue %.12g, and an eigenvalue of 1 has no extension to new points: make the model again with fewer ‹dims›",
		e.Coordinate+1, e.Value)
}

// Is makes it an error of the request: errors.Is(err, fs.ErrInvalid).
func (e *NoExtensionError) Is(target error) bool { return target == fs.ErrInvalid }

// Extend returns the coordinates of new points, new×d, one row each. w holds their affinities,
// new×n and not negative; y the coordinates of the n points, n×d, as the eigensolver returned them
// (without scaling of rows); and values the d eigenvalues. A new point without affinities is placed
// at the origin.
//
// 2·d flops per affinity. Errors: shapes that do not fit (*sparse.ShapeError), an eigenvalue of 1
// (*NoExtensionError), and values that are not finite (*sparse.NotFiniteError, also if the sums
// overflow); all satisfy errors.Is(err, fs.ErrInvalid).
func Extend(w *sparse.CSR, y *mat.Dense, values []float64) (*mat.Dense, error) {
	n, d := y.Dims()
	if w.NumCols != n || len(values) != d {
		return nil, &sparse.ShapeError{Why: fmt.Sprintf("affinities to %d points, coordinates of %d × %d and %d eigenvalues do not fit together",
			w.NumCols, n, d, len(values))}
	}
	if err := checkValues(values); err != nil {
		return nil, err
	}
	if w.NumRows == 0 || d == 0 {
		return new(mat.Dense), nil
	}
	out := mat.NewDense(w.NumRows, d, nil)
	w.MulBlock(out.RawMatrix(), y.RawMatrix())
	degrees := w.RowSums()
	return out, divide(out.RawMatrix(), degrees, values)
}

// checkValues refuses eigenvalues without an extension.
func checkValues(values []float64) error {
	for j, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return invalid.Errorf("eigenvalue %d is %v: every value must be finite", j+1, v)
		}
		if math.Abs(1-v) <= OneTol {
			return &NoExtensionError{Coordinate: j, Value: v}
		}
	}
	return nil
}

// divide converts weighted sums to coordinates.
func divide(out blas64.General, degrees, values []float64) error {
	const grain = 1024
	return parallel.For(context.Background(), out.Rows, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if degrees[i] == 0 {
				continue // the sums are 0
			}
			if math.IsInf(degrees[i], 1) {
				return invalid.At(i, -1, "the affinities of the new {} sum to infinity: scale the data or the weights down")
			}
			for j, s := range out.Data[i*out.Stride : i*out.Stride+out.Cols] {
				v := s / degrees[i] / (1 - values[j])
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
				}
				out.Data[i*out.Stride+j] = v
			}
		}
		return nil
	})
}
