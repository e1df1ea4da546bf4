package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Model is a finished clustering. Clusters are numbered by falling size, ties by their first row;
// with Options.Seeds they keep the numbers of the seeds.
type Model struct {
	Labels []int // cluster of each row, 0..K-1
	// Centers is K×d: means of the clusters if Converged, else the centres after the last move.
	Centers *mat.Dense
	// Sizes are the rows of each cluster; 0 if there are fewer distinct rows than clusters.
	Sizes      []int
	Objective  float64 // sum of the squared distances from the rows to their centres
	Iterations int     // moves of the centres
	Converged  bool    // no row changed its cluster in the last pass
	Repaired   int     // empty clusters that were given a row during the run
}

func newModel(r *run, ranked bool) *Model {
	byRank := indices.UpTo(r.k)
	firstRow := r.firstRows()
	if ranked {
		slices.SortStableFunc(byRank, func(a, b int) int {
			return cmp.Or(cmp.Compare(r.size(b), r.size(a)), cmp.Compare(firstRow[a], firstRow[b]))
		})
	}
	m := &Model{
		Labels: make([]int, r.n), Centers: mat.NewDense(r.k, r.d, nil), Sizes: make([]int, r.k),
		Objective: r.objective, Iterations: r.iterations, Converged: r.converged, Repaired: r.repaired,
	}
	rank := make([]int, r.k)
	for now, j := range byRank {
		rank[j] = now
		m.Sizes[now] = r.size(j)
		r.c.row(j, m.Centers.RawRowView(now))
	}
	for i, j := range r.label {
		m.Labels[i] = rank[j]
	}
	return m
}

// firstRows returns the lowest row of each cluster, by its number among the rows of all ranks.
func (r *run) firstRows() []float64 {
	rows := make([]float64, r.k)
	for j := range rows {
		rows[j] = math.Inf(1)
		if own := r.members(j); len(own) > 0 {
			rows[j] = float64(own[0])
		}
	}
	for j := range rows {
		rows[j] = -(rows[j] + float64(r.share.First()))
	}
	ranks.Largest(r.share, rows)
	for j := range rows {
		rows[j] = -rows[j]
	}
	return rows
}

func (m *Model) empty() int {
	e := 0
	for _, s := range m.Sizes {
		if s == 0 {
			e++
		}
	}
	return e
}

// Predict returns the nearest centre of every row of x, the lower number on a tie. For the rows of
// the fit these are its Labels, with two exceptions: a row equally near to two centres may get the
// other one, and a clamped row may be nearer to another centre. Errors are as for [Fit]; x must
// have as many columns as the centres.
func (m *Model) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	if m.Centers == nil || m.Centers.IsEmpty() {
		return nil, invalid.Errorf("the k-means model has no centres: fit it first")
	}
	k, d := m.Centers.Dims()
	if x != nil {
		if n, c := x.Dims(); c != d && n > 0 {
			return nil, invalid.Errorf("the rows have %d columns, but the k-means model was fitted on %d", c, d)
		}
	}
	p, err := newPoints(ctx, x)
	if err != nil {
		return nil, err
	}
	defer native.Parallel()()
	n, _ := p.dims()
	r := newRun(p, k, parallel.Workers(n, 1), parallel.For)
	for j := range k {
		r.c.set(j, m.Centers.RawRowView(j))
	}
	r.reset()
	r.separations()
	if _, err := r.assign(ctx); err != nil {
		return nil, err
	}
	return indices.Ints(r.label), nil
}
