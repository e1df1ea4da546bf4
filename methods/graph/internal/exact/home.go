package exact

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// nearest finds the k nearest neighbours of every row.
func (p Points) nearest(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	if p.s != nil {
		return p.s.lists(ctx, k, t)
	}
	return p.d.lists(ctx, k, t)
}

// NearestHere finds the k nearest neighbours of every row of x, on the goroutine that calls it.
func NearestHere(ctx context.Context, x mat.Matrix, k int) (*Lists, error) {
	p, err := newPoints(x)
	if err != nil {
		return nil, err
	}
	if p.s != nil {
		p.s.loop = parallel.Serial
	} else {
		p.d.loop = parallel.Serial
	}
	n, _ := x.Dims()
	return p.nearest(ctx, k, NewTicker(nil, n))
}
