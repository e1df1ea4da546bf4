package lle

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Finished eigenpairs are kept, and give the same coordinates, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	_, x := sheet(15, 12, 4)
	for _, solver := range []eigen.Solver{eigen.Lanczos, eigen.Dense} {
		storetest.Same(t, func(ctx context.Context, o progress.Observer) (*mat.Dense, error) {
			opt := Options{Dims: 2, Neighbors: 8}
			opt.Eigen.Solver, opt.Eigen.Observer = solver, o
			m, err := Fit(ctx, x, opt)
			if err != nil {
				return nil, err
			}
			return m.Embedding, nil
		})
	}
}
