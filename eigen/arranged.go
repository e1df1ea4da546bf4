package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// arranged is a matrix whose rows are in another order than those of the vectors that it is applied
// to: one in which products read neighbouring rows. A filter takes many products of one block, so
// it changes the order once before and once after them.
type arranged struct {
	*sparse.CSR         // in the new order
	order       []int32 // row p is row order[p] of the vectors
}

// Limits of the new order: the least number of rows, below which a block of vectors is in cache
// anyway, and the share of the old distance of entries from the diagonal that it may leave.
const (
	leastArranged = 50_000
	nearer        = 0.25
)

// arrange returns the matrix in an order with more of its entries near the diagonal. It returns op
// as it is if it is no matrix, is small, has no such order (the neighbour graphs of most texts), or
// if the copy takes more than the given bytes.
//
// The order costs some dozen products. It saves more than half of the time of each if the graph
// follows a geometry of few dimensions (BenchmarkFilterStep).
func arrange(ctx context.Context, op Operator, most int64) (Operator, error) {
	a, ok := op.(*sparse.CSR)
	if !ok || a.NumRows < leastArranged || memory.Sum(memory.Bytes(12, a.NNZ()), memory.Bytes(16, a.NumRows)) > most {
		return op, nil
	}
	old := a.Spread()
	order := a.NearOrder()
	b, err := a.Permute(ctx, order)
	if err != nil {
		return nil, err
	}
	if !(b.Spread() < nearer*old) {
		return op, nil
	}
	return &arranged{b, order}, nil
}

// gather sets the rows of dst to those of x in the new order. Both are contiguous.
func (a *arranged) gather(dst, x blas64.General) {
	c := x.Cols
	a.eachRow(func(lo int, order []int32) {
		for p, row := range order {
			moveRow(dst.Data[(lo+p)*c:], x.Data[int(row)*c:], c)
		}
	})
}

// scatter is the inverse of gather.
func (a *arranged) scatter(dst, x blas64.General) {
	c := x.Cols
	a.eachRow(func(lo int, order []int32) {
		for p, row := range order {
			moveRow(dst.Data[int(row)*c:], x.Data[(lo+p)*c:], c)
		}
	})
}

// eachRow calls body with the order of chunks of rows, in parallel, and the first row of each.
func (a *arranged) eachRow(body func(lo int, order []int32)) {
	mustRun(parallel.For(context.Background(), len(a.order), 1<<13, func(_, lo, hi int) error {
		body(lo, a.order[lo:hi])
		return nil
	}))
}

// moveRow copies a row of c numbers.
func moveRow(dst, src []float64, c int) {
	if c == 4 {
		moveFour(dst, src)
		return
	}
	copy(dst[:c], src[:c])
}

// inOrder is an arranged matrix as an operator on single vectors in the old order.
type inOrder struct {
	*arranged
	x, y blas64.General
}

// MulBlock sets dst = a·x.
func (o *inOrder) MulBlock(dst, x blas64.General) {
	o.gather(o.x, x)
	o.CSR.MulBlock(o.y, o.x)
	o.scatter(dst, o.y)
}
