package kernelkmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Predict returns the nearest mean of every row of x, the lower number on a tie. With the kernel precomputed, x has a row for each
// new point and a column for each row of the training data: their kernel, without the shift. For the training rows themselves these are
// the Labels of a converged model, but for rows as near to two means. Cost: the kernel of new against training rows, a panel of training
// rows at a time; 8·K bytes a new row. Errors are those of [Fit].
func (m *Model) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	k, n := m.kernel, len(m.Labels)
	if k == nil {
		return nil, errNotFitted
	}
	defer native.Parallel()()
	if k.data == nil {
		if err := sameColumns(x, n, "the kernel of the training data has"); err != nil {
			return nil, err
		}
		given := &kernel{opt: k.opt}
		if err := given.store(x); err != nil {
			return nil, err
		}
		sums := m.zeros(given.rows())
		for i := range given.rows() {
			given.visitRow(i, func(j int, v float64) { sums[m.Labels[j]][i] += v })
		}
		return m.nearest(ctx, given.rows(), sums)
	}
	if err := sameColumns(x, k.data.D, "the kernel k-means model was fitted on"); err != nil {
		return nil, err
	}
	fresh, err := pairs.Like(ctx, x, k.data)
	if err != nil {
		return nil, err
	}
	if _, err := k.diagonal(fresh); err != nil {
		return nil, err
	}
	e := &engine{n: fresh.N, obs: k.opt.Observer, src: &computed{k: k, panel: pairs.NewPanel(k.data, fresh)}}
	e.makeTiles()
	sums := m.zeros(fresh.N)
	err = e.each(ctx, span(0, n), func(first, lo, hi int, part [][]float64) {
		for q, values := range part {
			floats.Add(sums[m.Labels[first+q]][lo:hi], values)
		}
	})
	if err != nil {
		return nil, err
	}
	return m.nearest(ctx, fresh.N, sums)
}

func (m *Model) zeros(n int) [][]float64 {
	sums := make([][]float64, len(m.Sizes))
	for c := range sums {
		sums[c] = make([]float64, n)
	}
	return sums
}

// visitRow calls visit for the stored values of row i.
func (k *kernel) visitRow(i int, visit func(j int, v float64)) {
	if k.graph != nil {
		cols, vals := k.graph.Row(i)
		for p, j := range cols {
			visit(int(j), vals[p])
		}
		return
	}
	for j, v := range k.dense.Data[i*k.dense.Stride : i*k.dense.Stride+k.dense.Cols] {
		visit(j, v)
	}
}

func (e *engine) makeTiles() {
	e.tiles = make([][]float64, parallel.Workers(e.n, columns))
	if _, there := e.src.(*stored); there {
		return
	}
	for w := range e.tiles {
		e.tiles[w] = make([]float64, e.src.size()*columns)
	}
}
