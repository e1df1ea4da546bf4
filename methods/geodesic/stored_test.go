package geodesic

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
)

// Distances that were stopped go on with the finished blocks, bit for bit.
func TestStoppedAndResumed(t *testing.T) {
	defer func(before int) { blockBytes = before }(blockBytes)
	blockBytes = 7 * 8 * 90
	g := randomLengths(90, 0.1, false, 3)
	for name, sources := range map[string][]int{"all": nil, "some": {3, 80, 41, 7, 7, 22, 60, 1}} {
		t.Run(name, func(t *testing.T) {
			storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (*Table, error) {
				return Distances(ctx, g, Options{Sources: sources, Observer: o})
			})
		})
	}
}
