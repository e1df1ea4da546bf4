package kmeans

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// A fit that is stopped goes on with its finished restarts, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	given := make([]int, 300)
	for i := range given {
		given[i] = -1
	}
	given[3], given[5] = 0, 1
	for name, c := range map[string]struct {
		x   mat.Matrix
		opt Options
	}{
		"dense":  {blobs(300, 3, 5, 2, 1), Options{K: 5, Restarts: 7, Seed: 3}},
		"sparse": {texts(t, 200, 40, 8, 3, 1), Options{K: 3, Restarts: 5, Init: Random}},
		"start":  {blobs(300, 3, 2, 2, 1), Options{K: 2, Start: blobs(2, 3, 2, 2, 4)}},
		"seeds":  {blobs(300, 3, 5, 2, 1), Options{K: 5, Restarts: 3, Seeds: given, Clamp: true}},
	} {
		t.Run(name, func(t *testing.T) {
			kept := storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Model, error) {
				opt := c.opt
				opt.Observer = o
				return Fit(ctx, c.x, opt)
			})
			if kept == 0 && c.opt.Restarts > 0 {
				t.Error("no stopped run left a piece")
			}
		})
	}
}
