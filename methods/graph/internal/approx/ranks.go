package approx

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// rankRows are the rows of an approximate search by ranks. Each has copies of the rows of its
// places, so most neighbours of a row are on the same rank, and receives others in pieces.
type rankRows struct {
	search *search
	rows   mat.Matrix // of the own places
	images mat.Matrix // of the own places: the rows as they are compared
	ids    []int32    // the numbers of their documents
	lowest lowRows
}

// lowRows are the rows with the lowest numbers.
type lowRows struct {
	records [][]byte
	ids     []int32
}

// moved copies the rows to the ranks that have their places. A rank receives 12 bytes per entry and
// 12 per row.
func (s *search) moved() *rankRows {
	q := &rankRows{search: s}
	q.lowest = s.lowRows()
	w := s.wire
	parts := make([][]byte, s.share.Size())
	for i, p := range s.place {
		r := s.places.Owner(int(p))
		parts[r] = le.AppendUint32(parts[r], uint32(int(p)-s.places.Bounds[r]))
		parts[r] = le.AppendUint32(parts[r], uint32(s.share.First()+i))
		parts[r] = le.AppendUint32(parts[r], uint32(s.ids[i]))
		parts[r] = w.Put(parts[r], s.x, i)
		if s.kind.short {
			parts[r] = s.makes.wire.Put(parts[r], s.z, i)
		}
	}
	own := s.places.Own()
	s.number, q.ids = make([]int32, own), make([]int32, own)
	records, images := make([][]byte, own), make([][]byte, own)
	for _, part := range s.share.Exchange(parts) {
		for m := ranks.Message(part); len(m) > 0; {
			at := m.Uint32()
			s.number[at], q.ids[at], records[at] = int32(m.Uint32()), int32(m.Uint32()), w.Take(&m)
			if s.kind.short {
				images[at] = s.makes.wire.Take(&m)
			}
		}
	}
	q.rows = w.Rows(records)
	q.images = q.rows
	if s.kind.short {
		q.images = s.makes.wire.Rows(images)
	}
	return q
}

// lowRows gathers the rows with the lowest numbers, as many as fill any list.
func (s *search) lowRows() (low lowRows) {
	count := min(s.share.Total(), 2*s.k+1)
	low.ids = s.share.Look(exact.InOrder(count), s.ids)
	rows, w := s.gather(s.all(), indices.UpTo(count)), s.wire
	for i := range count {
		low.records = append(low.records, w.Put(nil, rows, i))
	}
	return low
}

// keyWire is the form in which rows go to ranks that compute keys of them.
func (q *rankRows) keyWire() exact.Wire {
	w := q.search.makes.wire
	if q.search.traits.Unit {
		w.Number = q.search.kind.counts
	}
	return w
}

// newBatch makes a batch of rows that came in the form of keys.
func (q *rankRows) newBatch(ctx context.Context, place []int32, near *nearLists, records [][]byte) (batch, error) {
	x, kind := q.keyWire().Rows(records), &q.search.kind
	var m exact.Measurer
	if !kind.traits.Unit {
		m = kind.traits.Measurer(x)
	}
	keys, err := kind.keyer(ctx, x, m, exact.InOrder(len(records)))
	return batch{n: len(place), keys: keys, near: near, place: place}, err
}

// cells sends the own rows in some cells to the ranks that search these. A rank receives 8 bytes
// per entry of a row of length 1, or the row in float64, and 8 bytes per row.
func (q *rankRows) cells(ctx context.Context, plan schedule, round []int32, members [][]int32, floors []float32) (b batch, cells [][]int32, floor []float32, err error) {
	places, w := q.search.places, q.keyWire()
	parts := make([][]byte, places.Size())
	for _, c := range round {
		r := plan.rank[c]
		parts[r] = le.AppendUint32(parts[r], uint32(len(members[c])))
		for _, at := range members[c] {
			parts[r] = le.AppendUint32(parts[r], uint32(places.First()+int(at)))
			parts[r] = le.AppendUint32(parts[r], math.Float32bits(floors[at]))
			parts[r] = w.Put(parts[r], q.images, int(at))
		}
	}
	got := places.Exchange(parts)
	var place []int32
	var records [][]byte
	var ends []int // of each cell
	for _, c := range round {
		if plan.rank[c] != places.Rank() {
			continue
		}
		for r := range got {
			said := (*ranks.Message)(&got[r])
			for range said.Uint32() {
				place = append(place, int32(said.Uint32()))
				floor = append(floor, math.Float32frombits(said.Uint32()))
				records = append(records, w.Take(said))
			}
		}
		ends = append(ends, len(place))
	}
	all, from := exact.InOrder(len(place)), 0
	for _, to := range ends {
		cells = append(cells, all[from:to])
		from = to
	}
	near := newNearLists(len(place), q.search.near.width, q.search.near.start)
	for i, f := range floor {
		near.floor[i].Store(math.Float32bits(f))
	}
	b, err = q.newBatch(ctx, place, near, records)
	return b, cells, floor, err
}

// joins fetches the rows that the joins of some own places lead to, about as many as a piece has.
// They come with their joins, so that pairs tried before are skipped as on one process. A pair that
// has several rows as neighbours is tried once for all of a piece, and again in another one, with
// the same result.
//
// A rank receives for each row of the piece the row as in a partition, 4 bytes per join and 8 more.
func (q *rankRows) joins(ctx context.Context, from int, join *joins) (to int, b batch, via, known *joins, err error) {
	s, w := q.search, q.keyWire()
	to, place, number := gather(from, s.places.Own(), s.piece, func(at int, member func(p int32)) {
		for _, e := range untried(join.of(uint32(at))) {
			member(int32(e >> 1))
		}
	})
	said := ask(s.places, place, func(b []byte, at int) []byte {
		entries := join.of(uint32(at))
		b = le.AppendUint32(b, math.Float32bits(s.near.least(int32(at))))
		b = le.AppendUint32(b, uint32(len(entries)))
		for _, e := range entries {
			b = le.AppendUint32(b, e>>1)
		}
		return w.Put(b, q.images, at)
	})
	near := newNearLists(len(place), s.near.width, s.near.start)
	known = &joins{ptr: make([]int, len(place)+1)}
	records := make([][]byte, len(place))
	for c := range place {
		next := said.next()
		near.floor[c].Store(next.Uint32())
		for range next.Uint32() {
			if j, here := number[int32(next.Uint32())]; here {
				known.entries = append(known.entries, uint32(j)<<1)
			}
		}
		known.ptr[c+1] = len(known.entries)
		records[c] = w.Take(next)
	}
	via = &joins{ptr: make([]int, to-from+1)}
	for at := from; at < to; at++ {
		for _, e := range untried(join.of(uint32(at))) {
			via.entries = append(via.entries, uint32(number[int32(e>>1)])<<1|e&1)
		}
		via.ptr[at-from+1] = len(via.entries)
	}
	b, err = q.newBatch(ctx, place, near, records)
	return to, b, via, known, err
}

// untried are the entries of a row's joins, or none if no two of them are to be tried.
func untried(entries []uint32) []uint32 {
	if slices.ContainsFunc(entries, func(e uint32) bool { return e&1 == 1 }) {
		return entries
	}
	return nil
}

// measured fetches the rows of some own places and of their candidates in float64, about as many as
// a piece has. A rank receives 12 bytes per entry of a row that it does not have.
func (q *rankRows) measured(list []int, from int) (to int, m measuredRows, err error) {
	s, w := q.search, q.search.wire
	to, places, number := gather(from, len(list), s.piece, func(c int, member func(p int32)) {
		member(int32(s.places.First() + list[c]))
		_, index := s.near.row(list[c])
		for _, j := range index {
			member(j)
		}
	})
	said := ask(s.places, places, func(b []byte, at int) []byte {
		return w.Put(le.AppendUint32(b, uint32(q.ids[at])), q.rows, at)
	})
	ids, records := make([]int32, len(places)), make([][]byte, len(places))
	for c := range places {
		next := said.next()
		ids[c], records[c] = int32(next.Uint32()), w.Take(next)
	}
	ids, records = append(ids, q.lowest.ids...), append(records, q.lowest.records...)
	m = measuredRows{
		Measurer: s.traits.Measurer(w.Rows(records)),
		row:      func(place int32) int32 { return number[place] },
		id:       func(row int32) int32 { return ids[row] },
		lowest:   exact.InOrder(len(ids))[len(places):],
	}
	return to, m, nil
}

// deliver sends the candidates of a batch. A rank receives 8 bytes for each and 8 per list.
func (q *rankRows) deliver(b batch) {
	s := q.search
	parts := make([][]byte, s.places.Size())
	for i, p := range b.place {
		key, index := b.near.row(i)
		if len(key) == 0 {
			continue
		}
		r := s.places.Owner(int(p))
		parts[r] = le.AppendUint32(parts[r], uint32(int(p)-s.places.Bounds[r]))
		parts[r] = le.AppendUint32(parts[r], uint32(len(key)))
		for c, j := range index {
			parts[r] = le.AppendUint32(parts[r], uint32(b.place[j]))
			parts[r] = le.AppendUint32(parts[r], math.Float32bits(key[c]))
		}
	}
	for _, part := range s.places.Exchange(parts) {
		for m := ranks.Message(part); len(m) > 0; {
			at, count := int32(m.Uint32()), m.Uint32()
			for range count {
				j := int32(m.Uint32())
				s.near.offer(at, j, math.Float32frombits(m.Uint32()))
			}
		}
	}
}
