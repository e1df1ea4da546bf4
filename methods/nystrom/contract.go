// Package nystrom extends eigenvector embeddings to new documents.
package nystrom

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Extend returns the coordinates of new points, a row each, by the eigenvectors' own equation: y_j(x) = Σ_i w(x,i)·y_ij / ((1−λ_j)·Σ_i w(x,i)).
// w is new×n affinities, y n×d, values the d eigenvalues.
func Extend(w *sparse.CSR, y *mat.Dense, values []float64) (*mat.Dense, error) { panic("contract") }
