package space

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// Residuals returns ‖product_j − λ_j·M·v_j‖/‖v_j‖ for every column and overwrites product; a nil
// mass means the identity.
func Residuals(s Space, product, v blas64.General, mass, values []float64) []float64 {
	MustRun(parallel.For(context.Background(), v.Rows, 4096, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			m := 1.0
			if mass != nil {
				m = mass[i]
			}
			p := product.Data[i*product.Stride:][:v.Cols]
			for j, x := range v.Data[i*v.Stride:][:v.Cols] {
				p[j] -= values[j] * m * x
			}
		}
		return nil
	}))
	norms := s.Norms(v, product)
	for j, n := range s.Norms(v, v) {
		if n > 0 {
			norms[j] /= n
		}
	}
	return norms
}
