package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// localRows are all rows, in one process.
type localRows struct {
	search *search
	all    batch
	exact  exact.Measurer
}

// here makes the rows of one process ready, in the order of their places.
func (s *search) here(ctx context.Context, p exact.Points) (*localRows, error) {
	s.number = make([]int32, len(s.place))
	for i, at := range s.place {
		s.number[at] = int32(i)
	}
	l := &localRows{search: s, exact: p.Measurer(), all: batch{n: len(s.place)}}
	var err error
	l.all.keys, err = s.kind.keyer(ctx, s.z, l.exact, s.number)
	return l, err
}

func (l *localRows) cells(_ context.Context, _ schedule, round []int32, members [][]int32, floors []float32) (b batch, cells [][]int32, floor []float32, err error) {
	for _, c := range round {
		cells = append(cells, members[c])
	}
	return l.whole(), cells, floors, nil
}

func (l *localRows) joins(_ context.Context, _ int, join *joins) (to int, b batch, via, known *joins, err error) {
	return l.all.n, l.whole(), join, join, nil
}

func (l *localRows) whole() batch {
	b := l.all
	b.near = l.search.near
	return b
}

func (l *localRows) measured(list []int, _ int) (to int, m measuredRows, err error) {
	s := l.search
	lowest := exact.InOrder(min(l.all.n, 2*s.k+1))
	return len(list), measuredRows{Measurer: l.exact, row: func(place int32) int32 { return s.number[place] }, id: s.id, lowest: lowest}, nil
}

func (l *localRows) deliver(batch) {}
