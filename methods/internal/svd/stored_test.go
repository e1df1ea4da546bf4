package svd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A decomposition that is stopped goes on with its last basis, bit for bit; another matrix takes
// none of its pieces.
func TestStoppedAndResumed(t *testing.T) {
	x := scattered(300, 200, 0.1, rand.New(rand.NewPCG(2, 3)))
	for name, c := range map[string]struct {
		x      mat.Matrix
		centre bool
	}{"sparse": {x, false}, "centred": {x, true}, "dense": {mat.DenseCopyOf(x), true}} {
		t.Run(name, func(t *testing.T) {
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Factors, error) {
				m, err := New(ctx, c.x, c.centre)
				if err != nil {
					return nil, err
				}
				f, err := Truncated(ctx, m, Options{K: 12, Solver: eigen.Lanczos, Observer: o})
				if f != nil {
					f.Stats.ProductTime, f.Stats.BasisTime, f.Stats.Total = 0, 0, 0
				}
				return f, err
			})
		})
	}
}
