package isomap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// Transform places new points, the rows of x: each is attached to the graph by its rules (graph.Attach), its distances to the landmarks are the shortest
// paths through its neighbours, and these put it where the landmarks' own rule does. A point of the fit gets its own coordinates back. Rows of points from
// which no path leads to what was embedded are zero, and listed.
//
// Cost: that of graph.Attach, and one search of the graph a point; nothing of n² is kept for it. Errors: a model without points (FitLengths,
// FitDistances), shapes and values that do not fit, and the context's.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (y *mat.Dense, outside []int, err error) {
	if m.ref == nil {
		return nil, nil, invalid.Errorf("this model was fitted without points, so new ones cannot be placed: fit it to the points")
	}
	a, err := graph.Attach(ctx, x, m.ref, m.opt.Observer)
	if err != nil {
		return nil, nil, err
	}
	lengths, err := geodesic.CrossLengths(ctx, x, m.ref.X, a.W)
	if err != nil {
		return nil, nil, err
	}
	at := make([]int32, m.lengths.NumRows) // the landmark that a node is, or −1
	for i := range at {
		at[i] = -1
	}
	for k, i := range m.Landmarks {
		at[i] = int32(k)
	}
	fresh, _ := x.Dims()
	y = mat.NewDense(fresh, m.opt.Dims, nil)
	lost := make([]bool, fresh)
	searches := make([]*geodesic.Search, parallel.Workers(fresh, 1))
	err = parallel.For(ctx, fresh, 1, func(w, i, _ int) error {
		if searches[w] == nil {
			searches[w] = geodesic.NewSearch(m.lengths)
		}
		seeds, from := lengths.Row(i)
		if same := a.Same[i]; same >= 0 {
			seeds, from = []int32{int32(same)}, []float64{0}
		}
		left := len(m.Landmarks)
		row := y.RawRowView(i)
		err := searches[w].Run(ctx, seeds, from, func(v int32, d float64) bool {
			if k := at[v]; k >= 0 {
				left--
				for c, p := range m.project.RawRowView(int(k)) {
					row[c] += p * (d*d - m.mean[k])
				}
			}
			return left > 0
		})
		if lost[i] = left > 0; lost[i] {
			clear(row)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for i, l := range lost {
		if l {
			outside = append(outside, i)
		}
	}
	return y, outside, nil
}
