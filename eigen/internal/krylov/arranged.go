package krylov

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
)

// Limits of a new order of the rows: the least number of rows, below which a block of vectors is in
// cache anyway, and the share of the old distance of entries from the diagonal that it may leave.
const (
	leastArranged = 50_000
	nearer        = 0.25
)

// nearOrder returns the matrix in an order in which its products read neighbouring rows, with more
// of its entries near the diagonal. The order is nil if a is small, has no such order (the
// neighbour graphs of most texts), or if the copy takes more than the given bytes.
//
// The order costs some dozen products. It saves more than half of the time of each if the graph
// follows a geometry of few dimensions (BenchmarkFilterStep).
func nearOrder(ctx context.Context, a *sparse.CSR, most int64) (near *sparse.CSR, order []int32, err error) {
	if a.NumRows < leastArranged || memory.Sum(memory.Bytes(12, a.NNZ()), memory.Bytes(16, a.NumRows)) > most {
		return nil, nil, nil
	}
	order = a.NearOrder()
	if !(a.SpreadIn(order) < nearer*a.Spread()) {
		return nil, nil, nil
	}
	near, err = a.Permute(ctx, order)
	return near, order, err
}

// arrange puts the rows of the task into a better order, if there is one ([nearOrder]); the result
// of the solver is in the old order again. S of a pencil is dropped for its copy.
func (k *krylov) arrange(ctx context.Context, most int64) error {
	a, ok := problem.MatrixOf(k.Op)
	if !ok {
		return nil
	}
	near, order, err := nearOrder(ctx, a, most)
	if err != nil || order == nil {
		return err
	}
	if s, ok := k.Op.(*problem.Scaled); ok {
		s.Drop()
		memory.Dropped(memory.Bytes(8, near.NNZ()))
	}
	k.Op, k.Space.Order = near, order
	k.Known, k.Start = k.Known.InOrder(order), space.InOrder(k.Start, order)
	k.basis.Known = k.Known
	return nil
}
