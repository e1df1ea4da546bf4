package graph

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// sharedApprox is [Approximate] for rows of which each rank has its own. The lists are those of one
// process with the same seed, bit for bit: the ranks draw the same rows, a cell is searched whole
// by one rank, keys of a pair do not depend on the rank, and lists not on the order of candidates.
//
// Rows have numbers, by rank and then by row, and places in the order of the cells, as on one
// process. A rank owns the rows of its numbers and the lists of its places, which are as many on
// every rank. For its places it keeps a copy of the rows, so most neighbours of a row are on the
// same rank. Rows of others come in pieces of about as many rows as the rank has:
//
//   - A partition sends the rows of each cell to one rank (sharedcells.go).
//   - A descent fetches the neighbours of some rows at a time (shareddescent.go).
//   - Distances of the neighbours found are measured with the rows in float64 (measured).
//
// What a rank receives for each own row of z entries, with w = 1.5·k places of a list: 12·z bytes
// once, 2·(8·z + 8·w) in each partition, 8·z + 6·w in a descent for each row fetched, of which
// there are 2·w at most, and 12·z for each of w rows at most at the end. docs/scale.md has figures.
type sharedApprox struct {
	*sharedSearch
	share  *ranks.Share // the numbers of the rows
	obs    progress.Observer
	kind   rowKind
	makes  cellMaker
	cells  []rowSet // of the next partition; nil: none yet
	sample *recallSample
	drawn  []drawnRow // own places
	lowest *lowRows
	piece  int // rows that come at a time: about as many as the rank has

	places *ranks.Share // the places that each rank has
	place  []int32      // of each own row
	// Of the own places: the row, its number and the number of its document.
	rows       mat.Matrix
	number, id []int32
	near       *nearLists // candidates are places of all ranks
}

// leastPiece is the number of rows of the smallest piece: some 60 MB of documents of 40 terms.
const leastPiece = 1 << 15

// drawnRow is a row of the sample in an own place.
type drawnRow struct{ at, r int }

// lowRows are the rows with the lowest numbers.
type lowRows struct {
	records [][]byte
	id      []int32
}

// sharedPiece is the number of rows that come at a time, of n rows of so many ranks.
func sharedPiece(n, size, cell, least int) int { return min(n, max(n/size, 2*cell, least)) }

// sharedApproxBytes estimates the memory of an approximate search of rows that ranks share, beside
// the rows as they are: for own rows with some number of entries (sparse, or values of dense rows)
// and pieces of some number of rows. It is 12 bytes per entry for the rows by place, and as many
// twice while they are on their way; later 28 per entry of a piece for its rows as received,
// decoded and in float32, and for each row and row of a piece the lists and joins of an
// [Approximate].
func sharedApproxBytes(own, piece, entries, k int) int64 {
	moved, pieces := memory.Bytes(24, entries), memory.Bytes(28, entries/max(1, own), piece)
	return memory.Sum(memory.Bytes(12, entries), max(moved, pieces), memory.Bytes(bytesPerApproximate, own, k), memory.Bytes(bytesPerApproximate, piece, k))
}

// search finds the neighbours of the own rows, of n rows of all ranks, exactly or approximately as
// one process would.
func (t *sharedSearch) search(ctx context.Context, n int, o Options) error {
	mean := 0.0
	if t.own.s != nil {
		mean = float64(ranks.Count(t.team, t.own.s.NNZ())) / float64(max(1, n))
	} else {
		mean = float64(t.columns())
	}
	if !o.Search.approximate(n, mean, t.own.s == nil) {
		return t.run(ctx, o)
	}
	recall, err := t.approximate(ctx, o, cellRows, leastPiece)
	if err == nil {
		o.noteRecall(n, recall)
	}
	return err
}

// columns is the number of columns, which a rank without rows does not know.
func (t *sharedSearch) columns() int {
	_, cols := t.matrix().Dims()
	most := []float64{float64(cols)}
	ranks.Largest(t.team, most)
	return int(most[0])
}

// approximate searches the own rows approximately, with cells of the given size and pieces of least
// rows or more. It returns the recall on the sample. All ranks call it.
func (t *sharedSearch) approximate(ctx context.Context, o Options, cell, least int) (recall float64, err error) {
	share := ranks.NewShare(t.team, t.own.rows())
	n := share.Total()
	width := min(t.k+t.k/2+1, n-1)
	cell = max(cell, 4*width)
	if n <= 2*cell {
		return 1, t.run(ctx, o)
	}
	a := &sharedApprox{sharedSearch: t, share: share, obs: o.Observer, piece: sharedPiece(n, share.Size(), cell, least)}
	rows, cols := t.matrix().Dims()
	entries := rows * cols
	if t.own.s != nil {
		entries = t.own.s.NNZ()
	}
	need := sharedApproxBytes(rows, a.piece, entries, t.k)
	err = memory.Check(need, o.MaxBytes, "use more ranks", "the approximate neighbours of %s", words.Counted(rows, "document"))
	if err = ranks.Agree(share, err); err != nil {
		return 0, err
	}
	if err = a.begin(ctx, cell, width, o.Seed); err != nil {
		return 0, err
	}
	if recall, err = improve(ctx, a); err == nil {
		err = a.finish(ctx)
	}
	return recall, err
}

// matrix is the own rows; of dense ones there may be none.
func (t *sharedSearch) matrix() mat.Matrix {
	switch {
	case t.own.s != nil:
		return t.own.s
	case t.own.d == nil:
		return &mat.Dense{}
	}
	return t.own.d
}

// begin draws the sample, divides the rows for the first time and moves them to their places.
func (a *sharedApprox) begin(ctx context.Context, cell, width int, seed uint64) error {
	x := a.matrix()
	a.kind = rowKind{sparse: a.own.s != nil, unit: a.unit, whole: a.whole, negative: a.negative}
	if a.unit {
		a.kind.counts = sumCounts(a.share, countTerms(a.own.s))
	}
	largest := []float64{largestNorm(x)}
	ranks.Largest(a.share, largest)
	a.kind.largest = largest[0]
	a.kind.ready()
	a.makes = newCellMaker(x, a.share, wire{cols: a.columns(), dense: !a.kind.sparse}, a.unit, cell, width, seed)
	var drawn mat.Matrix
	var err error
	if a.sample, drawn, err = a.makes.newRecallSample(ctx, a.k); err != nil {
		return err
	}
	if d, ok := drawn.(*mat.Dense); ok {
		a.kind.mean = meanOf(d)
	}
	low := make([]int, min(a.share.Total(), 2*a.k+1))
	numbers := make([]int32, len(low))
	for i := range low {
		low[i], numbers[i] = i, int32(i)
	}
	rows, w := a.makes.gather(a.makes.all(), low), a.makes.wire
	a.lowest = &lowRows{id: a.share.Look(numbers, a.own.ids)}
	for i := range low {
		a.lowest.records = append(a.lowest.records, w.put(nil, rows, i))
	}
	if err = a.divide(ctx); err != nil {
		return err
	}
	a.order()
	a.move()
	a.near = newNearLists(a.places.Own(), width, a.kind.start())
	return nil
}

// sumCounts adds up the counts of all ranks.
func sumCounts(share *ranks.Share, own []int32) []int32 {
	sum := make([]float64, len(own))
	for c, n := range own {
		sum[c] = float64(n)
	}
	share.Sum(sum)
	for c, n := range sum {
		own[c] = int32(n)
	}
	return own
}

// divide makes the cells of the next partition.
func (a *sharedApprox) divide(ctx context.Context) error {
	a.cells = nil
	return a.makes.divide(ctx, a.makes.all(), cellsOfRow, &a.cells)
}

// order gives each row its place: rows lie in the order of the first cell that each is in, and in a
// cell by number. Rows in no cell are last.
func (a *sharedApprox) order() {
	own := a.share.Own()
	first := make([]int, own) // the cell, then the place among the own rows of it
	count := make([]int, len(a.cells)+1)
	a.place = make([]int32, own)
	for i := range first {
		first[i] = -1
	}
	put := func(cell int, i int32) {
		if first[i] < 0 {
			first[i], a.place[i] = cell, int32(count[cell])
			count[cell]++
		}
	}
	for c, cell := range a.cells {
		for _, i := range cell.rows {
			put(c, i)
		}
	}
	for i := range first {
		put(len(a.cells), int32(i))
	}
	before, total := ranks.Before(a.share, count)
	start := 0
	for c := range total {
		before[c] += start
		start += total[c]
	}
	for i, c := range first {
		a.place[i] += int32(before[c])
	}
	n := a.share.Total()
	lo, hi := ranks.Part(a.share, a.share.Rank(), n)
	a.places = ranks.NewShare(a.share, hi-lo)
}

// move copies the rows to the ranks that have their places. A rank receives 12 bytes per entry and
// 12 per row.
func (a *sharedApprox) move() {
	x, le := a.matrix(), binary.LittleEndian
	w := a.makes.wire
	parts := make([][]byte, a.share.Size())
	for i, p := range a.place {
		r := a.places.Owner(int(p))
		parts[r] = le.AppendUint32(parts[r], uint32(int(p)-a.places.Bounds[r]))
		parts[r] = le.AppendUint32(parts[r], uint32(a.share.First()+i))
		parts[r] = le.AppendUint32(parts[r], uint32(a.own.ids[i]))
		parts[r] = w.put(parts[r], x, i)
	}
	own := a.places.Own()
	a.number, a.id = make([]int32, own), make([]int32, own)
	records := make([][]byte, own)
	got := a.share.Exchange(parts)
	for _, part := range got {
		for c := cursor(part); len(c) > 0; {
			at := c.uint32()
			a.number[at], a.id[at], records[at] = int32(c.uint32()), int32(c.uint32()), c.row(w)
		}
	}
	a.rows = w.rows(records)
	place := make([]int32, len(a.sample.rows))
	for r, i := range a.sample.rows {
		place[r] = int32(i)
	}
	for r, p := range a.share.Look(place, a.place) {
		if at := int(p) - a.places.First(); at >= 0 && at < own {
			a.drawn = append(a.drawn, drawnRow{at, r})
		}
	}
	slices.SortFunc(a.drawn, func(s, t drawnRow) int { return s.at - t.at })
}

// keys is the form in which rows go to ranks that compute keys of them.
func (a *sharedApprox) keys() wire {
	w := a.makes.wire
	if a.unit {
		w.number = a.kind.counts
	}
	return w
}

// keyer ranks pairs of rows that came in the form of keys.
func (a *sharedApprox) keyer(ctx context.Context, records [][]byte) (keyer, error) {
	x := a.keys().rows(records)
	var m measurer
	if !a.unit {
		m = a.kind.measurer(x)
	}
	return a.kind.keyer(ctx, x, m, inOrder(len(records)))
}

// deliver sends the candidates found to the ranks that have the rows' places. place is that of each
// row of the lists; a list's candidates are such rows. A rank receives 8 bytes per candidate.
func (a *sharedApprox) deliver(place []int32, found *nearLists) {
	le := binary.LittleEndian
	parts := make([][]byte, a.places.Size())
	for i, p := range place {
		key, index := found.row(i)
		if len(key) == 0 {
			continue
		}
		r := a.places.Owner(int(p))
		parts[r] = le.AppendUint32(parts[r], uint32(int(p)-a.places.Bounds[r]))
		parts[r] = le.AppendUint32(parts[r], uint32(len(key)))
		for c, j := range index {
			parts[r] = le.AppendUint32(parts[r], uint32(place[j]))
			parts[r] = le.AppendUint32(parts[r], math.Float32bits(key[c]))
		}
	}
	for _, part := range a.places.Exchange(parts) {
		for c := cursor(part); len(c) > 0; {
			at, count := int32(c.uint32()), c.uint32()
			for range count {
				j := int32(c.uint32())
				a.near.offer(at, j, math.Float32frombits(c.uint32()))
			}
		}
	}
}

// ask returns what the owners of places say of each, in the order of the places: say appends it for
// an own place. The places ascend, each once.
func (a *sharedApprox) ask(places []int32, say func(b []byte, at int) []byte) stream {
	parts := make([][]byte, a.places.Size())
	for _, p := range places {
		r := a.places.Owner(int(p))
		parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(int(p)-a.places.Bounds[r]))
	}
	said := make([][]byte, a.places.Size())
	for r, part := range a.places.Exchange(parts) {
		for c := cursor(part); len(c) > 0; {
			said[r] = say(said[r], int(c.uint32()))
		}
	}
	return a.places.Exchange(said)
}

// batch returns the own places from at lo on, up to hi, that have at most most members together, or
// one of them that has more. visit calls back with the members of an own place. list are the
// members, ascending, each once, and number has the number of each in the list.
func batch(lo, end, most int, visit func(at int, member func(p int32))) (hi int, list []int32, number map[int32]int32) {
	number = map[int32]int32{}
	for hi = lo; hi < end; hi++ {
		fresh := 0
		visit(hi, func(p int32) {
			if _, there := number[p]; !there {
				fresh++
			}
		})
		if hi > lo && len(list)+fresh > most {
			break
		}
		visit(hi, func(p int32) {
			if _, there := number[p]; !there {
				number[p] = 0
				list = append(list, p)
			}
		})
	}
	slices.Sort(list)
	for c, p := range list {
		number[p] = int32(c)
	}
	return hi, list, number
}

// more reports whether any rank has work left.
func (a *sharedApprox) more(left int) bool { return ranks.Count(a.share, left) > 0 }

// measured calls visit with the candidates of some own places, measured with the rows in float64:
// in any order, and filled up to k with the lowest rows as those of one process are. A rank
// receives 12 bytes per entry of a row that it does not have, again for each piece.
func (a *sharedApprox) measured(ctx context.Context, list []int, visit func(at int, found []near)) error {
	w := a.makes.wire
	for from := 0; a.more(len(list) - from); {
		to, places, number := batch(from, len(list), a.piece, func(c int, member func(p int32)) {
			member(int32(a.places.First() + list[c]))
			_, index := a.near.row(list[c])
			for _, j := range index {
				member(j)
			}
		})
		said := a.ask(places, func(b []byte, at int) []byte {
			return w.put(binary.LittleEndian.AppendUint32(b, uint32(a.id[at])), a.rows, at)
		})
		ids, records := make([]int32, len(places)), make([][]byte, len(places))
		for c := range places {
			next := said.next()
			ids[c], records[c] = int32(next.uint32()), next.row(w)
		}
		ids, records = append(ids, a.lowest.id...), append(records, a.lowest.records...)
		m := a.kind.measurer(w.rows(records))
		found := make([][]near, to-from)
		own := make([][]float64, parallel.Workers(len(found), 64))
		err := parallel.For(ctx, len(found), 64, func(worker, lo, hi int) error {
			if own[worker] == nil {
				own[worker] = m.scratch()
			}
			for c := lo; c < hi; c++ {
				at := list[from+c]
				_, index := a.near.row(at)
				rows := make([]int32, 0, max(a.k, len(index)))
				for _, j := range index {
					rows = append(rows, number[j])
				}
				i := number[int32(a.places.First()+at)]
				for l := len(places); len(rows) < a.k; l++ {
					if ids[l] != ids[i] && !slices.ContainsFunc(rows, func(j int32) bool { return ids[j] == ids[l] }) {
						rows = append(rows, int32(l))
					}
				}
				m.open(int(i), own[worker])
				for _, j := range rows {
					found[c] = append(found[c], near{ids[j], m.dist2(int(i), int(j), own[worker]), m.inner(int(i), int(j), own[worker])})
				}
				m.close(int(i), own[worker])
			}
			return nil
		})
		if err = ranks.Agree(a.share, err); err != nil {
			return err
		}
		for c, list := range found {
			visit(from+c, list)
		}
		from = to
	}
	return nil
}

func (a *sharedApprox) recall(ctx context.Context) (float64, error) {
	list := make([]int, len(a.drawn))
	for c, d := range a.drawn {
		list[c] = d.at
	}
	total := 0
	err := a.measured(ctx, list, func(c int, found []near) {
		limit, count := a.sample.limit(a.drawn[c].r), 0
		for _, v := range found {
			if v.dist2 <= limit {
				count++
			}
		}
		total += min(count, a.k)
	})
	return float64(ranks.Count(a.share, total)) / float64(len(a.sample.rows)*a.k), err
}

// finish measures the lists and sends the k nearest of each row to the rank that has the row. A
// rank receives 20 bytes per neighbour.
func (a *sharedApprox) finish(ctx context.Context) error {
	le := binary.LittleEndian
	list := make([]int, a.places.Own())
	for at := range list {
		list[at] = at
	}
	parts := make([][]byte, a.share.Size())
	err := a.measured(ctx, list, func(at int, found []near) {
		slices.SortFunc(found, nearerFirst)
		r := a.share.Owner(int(a.number[at]))
		parts[r] = le.AppendUint32(parts[r], uint32(int(a.number[at])-a.share.Bounds[r]))
		for _, v := range found[:a.k] {
			parts[r] = le.AppendUint32(parts[r], uint32(v.j))
			parts[r] = le.AppendUint64(parts[r], math.Float64bits(v.dist2))
			parts[r] = le.AppendUint64(parts[r], math.Float64bits(v.dot))
		}
	})
	if err != nil {
		return err
	}
	for _, part := range a.share.Exchange(parts) {
		for c := cursor(part); len(c) > 0; {
			at := int(c.uint32())
			a.best.count[at] = int32(a.k)
			for q := at * a.k; q < (at+1)*a.k; q++ {
				a.best.index[q], a.best.dist2[q], a.best.dot[q] = int32(c.uint32()), c.float64(), c.float64()
			}
		}
	}
	return nil
}

// cursor is what is left of a message.
type cursor []byte

func (c *cursor) uint32() uint32 {
	v := binary.LittleEndian.Uint32(*c)
	*c = (*c)[4:]
	return v
}

func (c *cursor) float64() float64 {
	v := binary.LittleEndian.Uint64(*c)
	*c = (*c)[8:]
	return math.Float64frombits(v)
}

func (c *cursor) row(w wire) (row []byte) {
	row, *c = w.cut(*c)
	return row
}

// stream is what several ranks say, in the order of ranks.
type stream [][]byte

// next is the message of the rank that has the next place.
func (s *stream) next() *cursor {
	for len((*s)[0]) == 0 {
		*s = (*s)[1:]
	}
	return (*cursor)(&(*s)[0])
}

// inOrder are the numbers below n.
func inOrder(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
