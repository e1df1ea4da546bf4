package exact

import (
	"context"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Within lists the pairs of rows, stored as [Stored] returns them, at a distance of at most
// epsilon, in double precision; sparse ones have a positive dot product too.
func Within(ctx context.Context, x mat.Matrix, epsilon float64, p Pass) (*sparse.CSR, error) {
	if s, ok := x.(*sparse.CSR); ok {
		return sparseWithin(ctx, s, epsilon, p)
	}
	return denseWithin(ctx, x.(*mat.Dense), epsilon, p)
}

// sparseWithin lists the pairs of documents with a positive dot product and a distance of at most
// epsilon.
func sparseWithin(ctx context.Context, x *sparse.CSR, epsilon float64, p Pass) (*sparse.CSR, error) {
	m, err := newSparseRows(x, 0)
	if err != nil {
		return nil, err
	}
	n, limit := x.NumRows, epsilon*epsilon
	l, t := newEdgeLists(m.chunks(), p), NewTicker(p.Observer, n)
	err = m.pairs(ctx, t, func(chunk, i, base int, dots []float64) error {
		list := l.lists[chunk]
		before := len(list)
		for j, s := range dots {
			if s <= 0 {
				continue
			}
			if d := m.Dist2(i, base+j, s); d <= limit {
				list = append(list, edge{int32(i), int32(base + j), p.raw(d, s)})
			}
		}
		l.lists[chunk] = list
		return l.added(len(list) - before)
	})
	if err != nil {
		return nil, err
	}
	t.Finish()
	return l.matrix(n, n), nil
}

// denseWithin lists the pairs of points at a distance of at most epsilon.
func denseWithin(ctx context.Context, x *mat.Dense, epsilon float64, p Pass) (*sparse.CSR, error) {
	m, err := newDenseRows(x, nil)
	if err != nil {
		return nil, err
	}
	n, limit := m.x.Rows, epsilon*epsilon
	l, t := newEdgeLists(m.chunks(), p), NewTicker(p.Observer, n)
	err = m.pairs(ctx, t, func(chunk, i, base int, low []float64) error {
		list := l.lists[chunk]
		before := len(list)
		for j, bound := range low {
			if bound > limit {
				continue
			}
			d := m.exact(i, base+j, bound)
			if d > limit {
				continue
			}
			raw := d
			if p.Dot {
				raw = m.dot(i, base+j)
			}
			list = append(list, edge{int32(i), int32(base + j), raw})
		}
		l.lists[chunk] = list
		return l.added(len(list) - before)
	})
	if err != nil {
		return nil, err
	}
	t.Finish()
	return l.matrix(n, n), nil
}
