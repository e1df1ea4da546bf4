package svd

import (
	"context"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// Cholesky factors g in place by LAPACK on one thread, whose bits do not depend on their number. The call cannot be interrupted: where the context
// ends first it is left to finish by itself, and g must not be used. Errors: those of native.Engine.Cholesky, the context's.
func Cholesky(ctx context.Context, g blas64.Symmetric) error {
	_, err := abandonable(ctx, func() (struct{}, error) {
		defer native.Parallel()()
		return struct{}{}, native.Default().Cholesky(g)
	})
	return err
}
