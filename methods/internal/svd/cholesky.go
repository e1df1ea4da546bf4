package svd

import (
	"context"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// Cholesky factors g in place with LAPACK on one thread, so the bits do not depend on the number of
// threads. The call cannot be interrupted: if the context ends first, the call continues in the
// background, and g must not be used. It returns the errors of native.Engine.Cholesky and of ctx.
func Cholesky(ctx context.Context, g blas64.Symmetric) error {
	_, err := native.Abandonable(ctx, func() (struct{}, error) {
		defer native.Parallel()()
		return struct{}{}, native.Default().Cholesky(g)
	})
	return err
}
