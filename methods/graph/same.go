package graph

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Same returns for each row of x the lowest row of points that equals it, -1 if none does. Unlike
// [Attach] it compares rows without entries too.
//
// It costs a call of [NearestAmong] for one neighbour, with the same errors and events.
func Same(ctx context.Context, x, points mat.Matrix, obs progress.Observer) ([]int, error) {
	near, err := NearestAmong(ctx, x, points, 1, obs)
	if err != nil {
		return nil, err
	}
	same := slices.Repeat([]int{-1}, near.N)
	for i := range same {
		if index, dist2, _ := near.Row(i); dist2[0] == 0 {
			same[i] = int(index[0])
		}
	}
	return same, nil
}
