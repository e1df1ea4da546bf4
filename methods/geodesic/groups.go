package geodesic

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

const (
	// groupRows is the most rows of a group: the first lanes of a group need a search of their own
	// for the order of the nodes, which costs as much as some 16 rows.
	groupRows = 16 * width
	// fewRows is the number of rows from which lanes are faster than searches.
	fewRows = 8
)

// worker is what a goroutine needs for the rows of a table.
type worker struct {
	search *Search
	lanes  *lanes
}

// WorkerBytes is the memory that [Distances] takes for a goroutine, of a graph of n nodes.
func WorkerBytes(n int) int64 { return memory.Bytes(8*width+13+20, n) }

// measureRows computes the rows from..to, in groups of sources near each other. workers are kept
// for further calls. tell is told of each row.
func (t *Table) measureRows(ctx context.Context, lengths *sparse.CSR, workers []worker, from, to int, tell *counter) error {
	if workers[0].search == nil {
		workers[0].search = NewSearch(lengths)
	}
	groups, copies, err := t.groups(ctx, workers[0].search, from, to)
	if err != nil {
		return err
	}
	err = parallel.For(ctx, len(groups), 1, func(w, lo, _ int) error {
		if workers[w].search == nil {
			workers[w].search = NewSearch(lengths)
		}
		return t.measureGroup(ctx, &workers[w], groups[lo], tell)
	})
	if err != nil {
		return err
	}
	for _, c := range copies {
		copy(t.D.RawRowView(c[0]), t.D.RawRowView(c[1]))
		tell.add(1)
	}
	return nil
}

// groups divides the rows from..to into groups of at most groupRows, each of the nearest rows to
// its first one that were in none before, ascending by their distance from it. copies are rows of
// the same source as another one, and that one.
func (t *Table) groups(ctx context.Context, s *Search, from, to int) (groups [][]int, copies [][2]int, err error) {
	most := groupRows
	if w := parallel.Workers(to-from, 1); w > 1 { // some groups for each
		most = min(most, max(1, (to-from)/(4*w)/width)*width)
	}
	row := make([]int, s.lengths.NumRows) // of a node that is in no group yet, counted from 1
	for i := from; i < to; i++ {
		if v := t.Sources[i]; row[v] == 0 {
			row[v] = i + 1
		} else {
			copies = append(copies, [2]int{i, row[v] - 1})
		}
	}
	for i := from; i < to; i++ {
		if row[t.Sources[i]] != i+1 {
			continue
		}
		var group []int
		err := s.From(ctx, t.Sources[i], func(v int32, _ float64) bool {
			if row[v] > 0 {
				group = append(group, row[v]-1)
				row[v] = 0
			}
			return len(group) < most
		})
		if err != nil {
			return nil, nil, err
		}
		groups = append(groups, group)
	}
	return groups, copies, nil
}

// measureGroup computes the rows of a group of one component: width rows at a time, each time those
// nearest to the last one before, and by single searches the last few, and all that are left where
// paths wind about so much that these are faster.
func (t *Table) measureGroup(ctx context.Context, w *worker, group []int, tell *counter) error {
	rest, err := t.measureLanes(ctx, w, group, tell)
	if err != nil {
		return err
	}
	for _, i := range rest {
		if err := t.measure(ctx, w.search, i); err != nil {
			return err
		}
		tell.add(1)
	}
	return nil
}

// measureLanes computes rows of a group by lanes, and returns those that are left.
func (t *Table) measureLanes(ctx context.Context, w *worker, group []int, tell *counter) (rest []int, err error) {
	if len(group) < fewRows {
		return group, nil
	}
	if w.lanes == nil {
		w.lanes = newLanes(w.search.lengths)
	}
	if all, err := w.lanes.reach(ctx, w.search, t.Sources[group[0]]); !all || err != nil {
		return group, err
	}
	for {
		now := group[:min(width, len(group))]
		sources, rows := make([]int32, len(now)), make([][]float64, len(now))
		for b, i := range now {
			sources[b], rows[b] = int32(t.Sources[i]), t.D.RawRowView(i)
		}
		if ok, err := w.lanes.run(ctx, sources); !ok || err != nil {
			return group, err
		}
		w.lanes.give(rows)
		tell.add(len(now))
		if group = group[len(now):]; len(group) < fewRows {
			return group, nil
		}
		last := rows[len(rows)-1]
		w.lanes.sort(last)
		slices.SortFunc(group, func(a, b int) int { return cmp.Compare(last[t.Sources[a]], last[t.Sources[b]]) })
	}
}
