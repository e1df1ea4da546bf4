package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// partition searches each cell on one rank. In a round a rank has the rows of some cells, in all
// about as many as its own, and sends their candidates home.
//
// A rank receives for each row of its cells, which are about twice as many as its own rows, 8 bytes
// per entry of a row of length 1, or those of the row in float64, and 8 per candidate that is
// nearer than the last one of the row's list; and 16 bytes per own row.
func (a *sharedApprox) partition(ctx context.Context) error {
	t := newTicker(a.obs, a.share.Total())
	if a.cells == nil {
		if err := a.divide(ctx); err != nil {
			return err
		}
	}
	plan := scheduled(a.cells, a.share.Size(), a.piece)
	members := a.members()
	a.cells = nil
	floors := a.near.floors()
	for _, cells := range plan.rounds {
		place, ends, floor, records := a.visit(plan, cells, members, floors)
		found := newNearLists(len(place), a.near.width, a.near.start)
		for i, f := range floor {
			found.floor[i].Store(math.Float32bits(f))
		}
		keys, err := a.keyer(ctx, records)
		if err == nil {
			all := inOrder(len(place))
			own := make([]*keyScratch, parallel.Workers(len(ends), 1))
			err = parallel.For(ctx, len(ends), 1, func(worker, c, _ int) error {
				if own[worker] == nil {
					own[worker] = keys.scratch()
				}
				lo := 0
				if c > 0 {
					lo = ends[c-1]
				}
				defer t.add(float64(ends[c]-lo) / float64(max(1, plan.rows[a.share.Rank()])) * float64(a.share.Total()))
				return keys.within(ctx, all[lo:ends[c]], floor, found, own[worker])
			})
		}
		if err = ranks.Agree(a.share, err); err != nil {
			return err
		}
		a.deliver(place, found)
	}
	t.finish()
	return nil
}

// schedule says which rank searches each cell, and when.
type schedule struct {
	rank   []int     // of each cell
	rounds [][]int32 // cells of all ranks, ascending
	rows   []int     // of the cells of each rank
}

// scheduled gives the largest cells that are left to the ranks with the least work. The cells of a
// rank and a round have at most most rows, or there is one.
func scheduled(cells []rowSet, size, most int) schedule {
	order := inOrder(len(cells))
	slices.SortStableFunc(order, func(c, d int32) int { return cmp.Compare(cells[d].total, cells[c].total) })
	s := schedule{rank: make([]int, len(cells)), rows: make([]int, size)}
	work := make([]float64, size)
	for _, c := range order {
		r, n := 0, float64(cells[c].total)
		for q := range work {
			if work[q] < work[r] {
				r = q
			}
		}
		s.rank[c] = r
		s.rows[r] += cells[c].total
		work[r] += n * n
	}
	round, rows := make([]int, size), make([]int, size)
	for c, cell := range cells {
		r := s.rank[c]
		if rows[r] > 0 && rows[r]+cell.total > most {
			round[r]++
			rows[r] = 0
		}
		rows[r] += cell.total
		for len(s.rounds) <= round[r] {
			s.rounds = append(s.rounds, nil)
		}
		s.rounds[round[r]] = append(s.rounds[round[r]], int32(c))
	}
	return s
}

// members are the own places of each cell, ascending.
func (a *sharedApprox) members() [][]int32 {
	parts := make([][]byte, a.places.Size())
	for c, cell := range a.cells {
		for _, i := range cell.rows {
			p := int(a.place[i])
			r := a.places.Owner(p)
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(c))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(p-a.places.Bounds[r]))
		}
	}
	list := make([][]int32, len(a.cells))
	for _, part := range a.places.Exchange(parts) {
		for c := cursor(part); len(c) > 0; {
			cell := c.uint32()
			list[cell] = append(list[cell], int32(c.uint32()))
		}
	}
	for _, places := range list {
		slices.Sort(places)
	}
	return list
}

// visit sends the own rows in some cells to the ranks that search these, and returns the rows of
// the cells that this rank searches: cell by cell, by place in each. A cell ends before row
// ends[c].
func (a *sharedApprox) visit(plan schedule, cells []int32, members [][]int32, floors []float32) (place []int32, ends []int, floor []float32, records [][]byte) {
	le, w := binary.LittleEndian, a.keys()
	parts := make([][]byte, a.places.Size())
	for _, c := range cells {
		r := plan.rank[c]
		parts[r] = le.AppendUint32(parts[r], uint32(len(members[c])))
		for _, at := range members[c] {
			parts[r] = le.AppendUint32(parts[r], uint32(a.places.First()+int(at)))
			parts[r] = le.AppendUint32(parts[r], math.Float32bits(floors[at]))
			parts[r] = w.put(parts[r], a.rows, int(at))
		}
	}
	got := a.places.Exchange(parts)
	for _, c := range cells {
		if plan.rank[c] != a.places.Rank() {
			continue
		}
		for r := range got {
			said := (*cursor)(&got[r])
			for range said.uint32() {
				place = append(place, int32(said.uint32()))
				floor = append(floor, math.Float32frombits(said.uint32()))
				records = append(records, said.row(w))
			}
		}
		ends = append(ends, len(place))
	}
	return place, ends, floor, records
}
