package kmeans

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fitWithout fits the rows without those of opt.Aside, and puts these to the nearest centres. It
// returns nil without an error where the other rows are fewer than the clusters. All ranks call it.
func fitWithout(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	n, _ := x.Dims()
	if err := ranks.Agree(opt.Share, checkAside(opt.Aside, n)); err != nil {
		return nil, err
	}
	others := make([]int, 0, n)
	for i := range n {
		if _, aside := slices.BinarySearch(opt.Aside, i); !aside {
			others = append(others, i)
		}
	}
	if ranks.Count(opt.Share, len(others)) < opt.K {
		return nil, nil
	}
	m, err := fitOthers(ctx, x, others, opt)
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
	m.renumber()
	return m, err
}

// fitOthers fits the rows others of x. Where a rank has none of them, which no division allows,
// each rank fits those of all ranks. The labels are of this rank's.
func fitOthers(ctx context.Context, x mat.Matrix, others []int, opt Options) (*Model, error) {
	_, d := x.Dims()
	own, share := opt, opt.Share
	own.Aside = nil
	if share.Divided() {
		share = ranks.NewShare(opt.Share, len(others))
		own.Share = share
	}
	alone := ranks.Least(opt.Share, int64(len(others))) == 0
	count, entries := len(others), 0
	if s, ok := x.(sparse.Rows); ok {
		entries = s.Pattern().NNZ()
	}
	if alone {
		count, entries = ranks.Count(opt.Share, count), ranks.Count(opt.Share, entries)
	}
	bytes := memory.Bytes(8, count, d)
	if sparse.Is(x) {
		bytes = memory.Bytes(12, entries)
	}
	err := memory.Need(ctx, bytes, "leave out the documents without terms", "the rows without the empty ones")
	if err = ranks.Agree(opt.Share, err); err != nil {
		return nil, err
	}
	if !alone {
		return Fit(ctx, sparse.SelectRows(x, others), own)
	}
	all := rows.Gather(opt.Share, x, others)
	own.Share = nil
	m, err := Fit(store.With(ranks.With(ctx, ranks.Alone{}), nil), all, own)
	if err = ranks.Agree(opt.Share, err); err != nil {
		return nil, err
	}
	m.Labels = m.Labels[share.First():][:len(others)]
	return m, nil
}

// checkAside refuses a list that does not ascend or names a row that n rows do not have.
func checkAside(list []int, n int) error {
	for at, i := range list {
		if i < 0 || i >= n || at > 0 && i <= list[at-1] {
			return invalid.Errorf("Aside has row %d at place %d: give rows from 0 to %d, ascending", i, at, n-1)
		}
	}
	return nil
}

// join puts the rows list of x to their nearest centres, in all. It returns by how many rows that
// makes each cluster larger, and then by how much the objective.
func (m *Model) join(ctx context.Context, x mat.Matrix, list, all []int) (added []float64, err error) {
	k, d := m.Centers.Dims()
	added = make([]float64, k+1)
	if len(list) == 0 {
		return added, nil
	}
	picked := sparse.SelectRows(x, list)
	nearest, err := m.Predict(ctx, picked)
	if err != nil {
		return added, err
	}
	row := make([]float64, d)
	for at, i := range list {
		all[i] = nearest[at]
		added[nearest[at]]++
		distance := floats.Distance(mat.Row(row, at, picked), m.Centers.RawRowView(nearest[at]), 2)
		added[k] += distance * distance
	}
	return added, nil
}

// renumber numbers the clusters by falling size again; equal ones keep their order.
func (m *Model) renumber() {
	order := indices.Falling(m.Sizes)
	number, sizes := make([]int, len(order)), make([]int, len(order))
	for now, c := range order {
		number[c], sizes[now] = now, m.Sizes[c]
	}
	m.Sizes, m.Centers = sizes, sparse.SelectRows(m.Centers, order).(*mat.Dense)
	for i, c := range m.Labels {
		m.Labels[i] = number[c]
	}
}
