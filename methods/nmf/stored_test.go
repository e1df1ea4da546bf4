package nmf

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
)

// A fit that is stopped goes on with its finished restarts, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	for _, solver := range []Solver{ProjectedGradient, Multiplicative, HALS} {
		t.Run(string(solver), func(t *testing.T) {
			x := random(60, 25, 0.3, 5)
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Model, error) {
				return Fit(ctx, x, Options{Dims: 3, Restarts: 6, Solver: solver, MaxIter: 30, Observer: o})
			})
		})
	}
}
