package lapgmm

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A fit that is stopped goes on with its last state, bit for bit, ridges that were raised included.
func TestStoppedAndResumed(t *testing.T) {
	x, flat := blobs(80, 3, 3, 2, 1), blobs(60, 4, 3, 2, 2)
	for i := range 60 {
		flat.Set(i, 3, flat.At(i, 0)) // a singular covariance: ridges are raised
	}
	for name, c := range map[string]struct {
		x   *mat.Dense
		opt Options
	}{
		"rule":    {x, Options{K: 3, MaxIter: 14, KMeansRestarts: 2}},
		"literal": {x, Options{K: 3, Lambda: 10, Schedule: Literal, StartFrom: StartKMeans, Starts: 2, MaxIter: 12, KMeansRestarts: 2}},
		"raised":  {flat, Options{K: 3, Lambda: 1, Ridge: number(0), StartFrom: StartKMeans, Starts: 2, MaxIter: 14, KMeansRestarts: 2, Tol: 1e-9}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Model, error) {
				opt := c.opt
				opt.Observer, opt.Graph = o, graph.Options{Neighbors: 6}
				return Fit(ctx, c.x, opt)
			})
		})
	}
}
