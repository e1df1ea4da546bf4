package scple

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// placingNeighbours is how many labelled documents place one that the graphs leave outside.
const placingNeighbours = 5

// placeOutside gives the points without a label the mean of the coordinates of their nearest points
// inside, weighted by the inverse squared distances; a point that equals one inside gets its
// coordinates. Other points outside stay at the origin: single members of classes, which the paper
// leaves there, and sparse rows without entries. It returns the points that stay, ascending.
func (m *Model) placeOutside(ctx context.Context, x mat.Matrix, known []int, normalize bool, obs progress.Observer) (left []int, err error) {
	empty := make(map[int]bool)
	for _, i := range rows.WithoutEntries(x) {
		empty[i] = true
	}
	out := make(map[int]bool, len(m.Outside))
	var outside, inside []int
	for _, i := range m.Outside {
		if out[i] = true; empty[i] || known[i] >= 0 {
			left = append(left, i)
		} else {
			outside = append(outside, i)
		}
	}
	n, k := m.Coordinates.Dims()
	for i := range n {
		if !out[i] && !empty[i] {
			inside = append(inside, i)
		}
	}
	if len(outside) == 0 || len(inside) == 0 {
		return m.Outside, nil
	}
	near, err := graph.NearestAmong(ctx, rows.Select(x, outside), rows.Select(x, inside), min(placingNeighbours, len(inside)), obs)
	if err != nil {
		return nil, err
	}
	for r, i := range outside {
		index, dist2, _ := near.Row(r)
		to, total := make([]float64, k), 0.0
		for p, j := range index {
			from := m.Coordinates.RawRowView(inside[j])
			if dist2[0] == 0 {
				copy(to, from)
				total = 1
				break
			}
			w := dist2[0] / dist2[p] // at most 1, so that no distance overflows
			total += w
			for a, v := range from {
				to[a] += w * v
			}
		}
		for a, v := range to {
			m.Coordinates.Set(i, a, v/total)
		}
	}
	m.Embedding = rows.MaybeNormalized(m.Coordinates, normalize)
	return left, nil
}
