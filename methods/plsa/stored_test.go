package plsa

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
)

// A fit that is stopped goes on with its finished runs and with the state of the one that was at
// work, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	for _, kind := range []Kind{Clustering, Aspect} {
		t.Run(string(kind), func(t *testing.T) {
			x, _ := texts(t, 60, 40, 20, 3, 0.3, 5)
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Model, error) {
				return Fit(ctx, x, Options{K: 3, Kind: kind, Restarts: 4, MaxIter: 25, Observer: o})
			})
		})
	}
}
