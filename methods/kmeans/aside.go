package kmeans

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fitWithout fits the rows without those of opt.Aside, and puts these to the nearest centres. It
// returns nil without an error where that cannot be: the other rows are fewer than the clusters, or
// a rank has none of them. All ranks call it.
func fitWithout(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	n, d := x.Dims()
	others := make([]int, 0, n)
	for i := range n {
		if _, aside := slices.BinarySearch(opt.Aside, i); !aside {
			others = append(others, i)
		}
	}
	if ranks.Count(opt.Share, len(others)) < opt.K || ranks.Least(opt.Share, int64(len(others))) == 0 {
		return nil, nil
	}
	bytes := memory.Bytes(8, len(others), d)
	if s, ok := x.(sparse.Rows); ok {
		bytes = memory.Bytes(12, s.Pattern().NNZ())
	}
	err := memory.Need(ctx, bytes, "leave out the documents without terms", "the rows without the empty ones")
	if err = ranks.Agree(opt.Share, err); err != nil {
		return nil, err
	}
	own := opt
	if own.Aside = nil; opt.Seeds != nil {
		own.Seeds = make([]int, len(others))
		for at, i := range others {
			own.Seeds[at] = opt.Seeds[i]
		}
	}
	if opt.Share.Divided() {
		own.Share = ranks.NewShare(opt.Share, len(others))
	}
	m, err := Fit(ctx, sparse.SelectRows(x, others), own)
	if m == nil {
		return nil, err
	}
	all := make([]int, n)
	for at, i := range others {
		all[i] = m.Labels[at]
	}
	added, failed := m.join(ctx, x, opt.Aside, all)
	if failed = ranks.Agree(opt.Share, failed); failed != nil {
		return nil, failed
	}
	if opt.Share.Divided() {
		opt.Share.Sum(added)
	}
	for c := range m.Sizes {
		m.Sizes[c] += int(added[c])
	}
	m.Labels, m.Objective = all, m.Objective+added[opt.K]
	if opt.Seeds == nil {
		m.renumber()
	}
	return m, err
}

// join puts the rows list of x to their nearest centres, in all. It returns by how many rows that
// makes each cluster larger, and then by how much the objective.
func (m *Model) join(ctx context.Context, x mat.Matrix, list, all []int) (added []float64, err error) {
	k, d := m.Centers.Dims()
	added = make([]float64, k+1)
	if len(list) == 0 {
		return added, nil
	}
	rows := sparse.SelectRows(x, list)
	nearest, err := m.Predict(ctx, rows)
	if err != nil {
		return added, err
	}
	row := make([]float64, d)
	for at, i := range list {
		all[i] = nearest[at]
		added[nearest[at]]++
		distance := floats.Distance(mat.Row(row, at, rows), m.Centers.RawRowView(nearest[at]), 2)
		added[k] += distance * distance
	}
	return added, nil
}

// renumber numbers the clusters by falling size again; equal ones keep their order.
func (m *Model) renumber() {
	order := make([]int, len(m.Sizes))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return m.Sizes[b] - m.Sizes[a] })
	number, sizes := make([]int, len(order)), make([]int, len(order))
	for now, c := range order {
		number[c], sizes[now] = now, m.Sizes[c]
	}
	m.Sizes, m.Centers = sizes, sparse.SelectRows(m.Centers, order).(*mat.Dense)
	for i, c := range m.Labels {
		m.Labels[i] = number[c]
	}
}
