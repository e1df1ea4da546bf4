package gmm

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// EM that is stopped goes on with its last state, bit for bit, ridges that were raised included.
func TestStoppedAndResumed(t *testing.T) {
	x, flat := blobs(200, 3, 4, 2, 1), blobs(60, 4, 3, 2, 2)
	for i := range 60 {
		flat.Set(i, 3, flat.At(i, 0)) // a singular covariance: ridges are raised
	}
	for name, c := range map[string]struct {
		x   *mat.Dense
		opt Options
	}{
		"full":       {x, Options{K: 4, Restarts: 3, MaxIter: 12, Tol: 1e-9}},
		"tied":       {x, Options{K: 3, Covariance: Tied, MaxIter: 8}},
		"diagonal":   {x, Options{K: 3, Covariance: Diagonal, Restarts: 2, MaxIter: 8}},
		"raised":     {flat, Options{K: 3, Ridge: number(0), Restarts: 2, MaxIter: 10, Tol: 1e-9}},
		"means":      {x, Options{K: 2, Start: blobs(2, 3, 2, 2, 4), MaxIter: 6}},
		"posteriors": {x, Options{K: 2, StartPosterior: responsibilities(200, 2, 3), MaxIter: 6}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Model, error) {
				opt := c.opt
				opt.Observer = o
				return Fit(ctx, c.x, opt)
			})
		})
	}
}
