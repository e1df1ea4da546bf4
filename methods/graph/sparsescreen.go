package graph

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// sparseScreen finds shortlists of neighbours of sparse rows of length 1 without negative entries,
// by dot products in float32.
//
// Rows are searched in blocks of lanes. Frequent terms of a block are a dense tile of terms × lanes,
// which the rows after it multiply by their own frequent terms; other terms go through an inverted
// index. Both add to a tile of rows × lanes that stays in cache.
//
// A float32 dot product of m common terms without negative ones has a relative error below
// (m+4)·2⁻²⁴ in any order of summation, so the shortlists decide which pairs are computed again in
// float64 ([sparseRows.choose]), not the result.
type sparseScreen struct {
	n        int
	frequent laneRows
	terms    int // number of frequent terms
	rare     laneRows
	// Postings of rare term t: rows at [first[t], first[t+1]), ascending, with their values.
	first []int
	row   []int32
	val   []float32
}

const (
	// frequentShare is the share of the rows from which a term is frequent, and mostFrequent the
	// largest number of frequent terms: a tile of 256 bytes per term stays in the second cache.
	// Adding a term of a row to 64 lanes takes about as long as three postings.
	frequentShare = 0.03
	mostFrequent  = 768
	// chunkOfRows is the number of rows of a tile of products: 256 KiB.
	chunkOfRows = 1024
	// leastValue is the smallest entry whose products are normal float32 numbers.
	leastValue = 0x1p-60
)

// screenable reports whether the screen applies to the rows: length 1, no negative entries, and
// enough of them that it pays.
func (m *sparseRows) screenable() bool {
	if !m.unit || m.split > 0 || m.x.NumRows < 2*lanes {
		return false
	}
	for _, v := range m.x.Val {
		if v < leastValue && v != 0 {
			return false
		}
	}
	return true
}

// newSparseScreen splits the rows of x into frequent and rare terms, in O(nnz + columns·log).
func newSparseScreen(x *sparse.CSR) *sparseScreen {
	n := x.NumRows
	count := make([]int32, x.NumCols)
	for _, c := range x.Col {
		count[c]++
	}
	s := &sparseScreen{n: n}
	number := make([]int32, x.NumCols) // of a frequent term; −1 for others
	var order []int32
	for c, k := range count {
		if k > 1 && float64(k) >= frequentShare*float64(n) {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	order = order[:min(len(order), mostFrequent)]
	s.terms = len(order)
	for c := range number {
		number[c] = -1
	}
	for h, c := range order {
		number[c] = int32(h)
	}
	frequent := 0
	for _, c := range order {
		frequent += int(count[c])
	}
	s.frequent = laneRows{make([]int, n+1), make([]int32, 0, frequent), make([]float32, 0, frequent)}
	// A term of a single row joins no pair.
	s.first = make([]int, x.NumCols+1)
	for c, k := range count {
		if number[c] < 0 && k > 1 {
			s.first[c+1] = int(k)
		}
	}
	for c := range x.NumCols {
		s.first[c+1] += s.first[c]
	}
	postings := s.first[x.NumCols]
	s.rare = laneRows{make([]int, n+1), make([]int32, 0, postings), make([]float32, 0, postings)}
	s.row, s.val = make([]int32, postings), make([]float32, postings)
	next := slices.Clone(s.first[:x.NumCols])
	for i := range n {
		cols, vals := x.Row(i)
		for k, c := range cols {
			v := float32(vals[k])
			switch {
			case number[c] >= 0:
				s.frequent.index, s.frequent.val = append(s.frequent.index, number[c]), append(s.frequent.val, v)
			case count[c] > 1:
				s.rare.index, s.rare.val = append(s.rare.index, c), append(s.rare.val, v)
				s.row[next[c]], s.val[next[c]] = int32(i), v
				next[c]++
			}
		}
		s.frequent.ptr[i+1], s.rare.ptr[i+1] = len(s.frequent.index), len(s.rare.index)
	}
	return s
}

// block is the scratch memory of one worker for a block of lanes.
type block struct {
	lo, hi  int       // its rows
	terms   []float32 // frequent terms × lanes
	product []float32 // chunkOfRows × lanes
	// Rare terms of the block in order of appearance: term[q] has the lanes at [start[q],
	// start[q+1]), and its postings from at[q] on are still to be added.
	term  []int32
	start []int
	at    []int
	lane  []uint8
	val   []float32
	slot  []int32 // of each column, 1 + its place in term; 0: not in the block

	laneFloor, laneShift, rowFloor, rowShift []float32
}

func (s *sparseScreen) newBlock() *block {
	return &block{terms: make([]float32, s.terms*lanes), product: make([]float32, chunkOfRows*lanes),
		slot: make([]int32, len(s.first)), laneFloor: make([]float32, lanes), laneShift: make([]float32, lanes),
		rowFloor: make([]float32, chunkOfRows), rowShift: make([]float32, chunkOfRows)}
}

// load prepares the block of rows lo to hi.
func (b *block) load(s *sparseScreen, lo, hi int) {
	b.lo, b.hi = lo, hi
	clear(b.terms)
	for i := lo; i < hi; i++ {
		for p := s.frequent.ptr[i]; p < s.frequent.ptr[i+1]; p++ {
			b.terms[int(s.frequent.index[p])*lanes+i-lo] = s.frequent.val[p]
		}
	}
	// Count the lanes of each rare term, then place them.
	b.term, b.start = b.term[:0], append(b.start[:0], 0)
	from, to := s.rare.ptr[lo], s.rare.ptr[hi]
	for _, t := range s.rare.index[from:to] {
		if b.slot[t] == 0 {
			b.term, b.start = append(b.term, t), append(b.start, 0)
			b.slot[t] = int32(len(b.term))
		}
		b.start[b.slot[t]]++
	}
	for q := range b.term {
		b.start[q+1] += b.start[q]
	}
	b.lane, b.val = slices.Grow(b.lane[:0], to-from)[:to-from], slices.Grow(b.val[:0], to-from)[:to-from]
	b.at = slices.Grow(b.at[:0], len(b.term))[:len(b.term)]
	// From the last row down, so that start[q] ends at the first lane of term q.
	for i := hi - 1; i >= lo; i-- {
		for p := s.rare.ptr[i]; p < s.rare.ptr[i+1]; p++ {
			q := b.slot[s.rare.index[p]]
			b.start[q]--
			b.lane[b.start[q]], b.val[b.start[q]] = uint8(i-lo), s.rare.val[p]
		}
	}
	// start[q+1] is now the first lane of term q: shift down.
	copy(b.start, b.start[1:])
	b.start[len(b.term)] = to - from
	for q, t := range b.term {
		b.slot[t] = 0
		rows := s.row[s.first[t]:s.first[t+1]]
		b.at[q] = s.first[t] + sort.Search(len(rows), func(k int) bool { return rows[k] >= int32(lo) })
	}
}

// multiply sets the products of rows lo to hi with the lanes of the block. Chunks of rows ascend.
func (b *block) multiply(s *sparseScreen, lo, hi int) {
	mulLanes(&s.frequent, lo, hi, b.terms, b.product)
	for q, t := range b.term {
		at, end := b.at[q], s.first[t+1]
		from, to := b.start[q], b.start[q+1]
		if to-from == 1 {
			out, v := b.product[b.lane[from]:], b.val[from]
			for ; at < end && int(s.row[at]) < hi; at++ {
				out[(int(s.row[at])-lo)*lanes] += v * s.val[at]
			}
		} else {
			for ; at < end && int(s.row[at]) < hi; at++ {
				out, v := (*[lanes]float32)(b.product[(int(s.row[at])-lo)*lanes:]), s.val[at]
				for k := from; k < to; k++ {
					out[b.lane[k]&(lanes-1)] += v * b.val[k]
				}
			}
		}
		b.at[q] = at
	}
}

// search offers every pair with a positive dot product to the shortlists of both rows.
//
// Blocks descend and the rows after a block ascend, so each list first receives the rows near it in
// the file. In a corpus sorted by time or topic most of these remain, and most later pairs fail at
// the first comparison.
func (s *sparseScreen) search(ctx context.Context, list *shortlists, t *ticker) error {
	blocks := parallel.Chunks(s.n, lanes)
	own := make([]*block, parallel.Workers(blocks, 1))
	return parallel.For(ctx, blocks, 1, func(worker, c, _ int) error {
		if own[worker] == nil {
			own[worker] = s.newBlock()
		}
		b := own[worker]
		first := (blocks - 1 - c) * lanes
		b.load(s, first, min(first+lanes, s.n))
		for lo := b.lo; lo < s.n; lo += chunkOfRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			hi := min(lo+chunkOfRows, s.n)
			b.multiply(s, lo, hi)
			b.offer(list, lo, hi)
		}
		t.add(float64(b.hi - b.lo))
		return nil
	})
}

// offer passes on the pairs of a lane and a later row whose product may enter a list.
func (b *block) offer(list *shortlists, lo, hi int) {
	list.floors(b.laneFloor[:b.hi-b.lo], b.lo)
	for l := b.hi - b.lo; l < lanes; l++ {
		b.laneFloor[l] = math.MaxFloat32
	}
	list.floors(b.rowFloor[:hi-lo], lo)
	tile := screenTile{product: b.product, stride: lanes, width: lanes,
		rowFloor: b.rowFloor[:hi-lo], rowShift: b.rowShift[:hi-lo], laneFloor: b.laneFloor, laneShift: b.laneShift}
	for row, lane := 0, 0; ; lane += laneStep {
		var mask uint32
		if row, lane, mask = passing(&tile, row, lane); row == hi-lo {
			return
		}
		j := lo + row
		for l := lane; mask != 0; l, mask = l+1, mask>>1 {
			i := b.lo + l
			if mask&1 == 0 || i >= j || i >= b.hi {
				continue
			}
			product := b.product[row*lanes+l]
			if product > b.laneFloor[l] {
				b.laneFloor[l] = list.offer(i, int32(j), product)
			}
			if product > b.rowFloor[row] {
				b.rowFloor[row] = list.offer(j, int32(i), product)
			}
		}
	}
}

// screened finds the k nearest neighbours of every row by shortlists.
func (m *sparseRows) screened(ctx context.Context, k int, t *ticker) (*KNN, error) {
	n := m.x.NumRows
	list := newShortlists(n, k+spareCandidates(k), 0)
	if err := newSparseScreen(m.x).search(ctx, list, t); err != nil {
		return nil, err
	}
	g := newKNN(n, k)
	open := make([]bool, n) // rows whose shortlist does not decide the result
	rows := make([][]float64, parallel.Workers(n, 256))
	err := parallel.For(ctx, n, 256, func(worker, lo, hi int) error {
		if rows[worker] == nil {
			rows[worker] = make([]float64, m.x.NumCols)
		}
		var found []candidate
		for i := lo; i < hi; i++ {
			found, open[i] = m.choose(list, i, k, rows[worker], found[:0])
			if !open[i] {
				g.set(i, found, m.measure)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, m.settle(ctx, g, open)
}

// choose ranks the shortlist of row i in float64 and returns its k best candidates, and whether
// others could be among them. row is a vector of zeros.
func (m *sparseRows) choose(list *shortlists, i, k int, row []float64, found []candidate) (best []candidate, open bool) {
	keys, index := list.row(i)
	cols, vals := m.x.Row(i)
	if list.full(i) {
		// All candidates that are missing have keys of at most the lowest. Twice the error of a
		// product must separate that from the k-th.
		sorted := slices.Clone(keys)
		slices.Sort(sorted)
		margin := 2 * float64(len(cols)+8) * 0x1p-24
		if float64(sorted[0]) >= float64(sorted[len(sorted)-k])*(1-margin) {
			return found, true
		}
	}
	for p, c := range cols {
		row[c] = vals[p]
	}
	for _, j := range index {
		s := 0.0
		cs, vs := m.x.Row(int(j))
		for p, c := range cs {
			s += row[c] * vs[p]
		}
		found = append(found, candidate{m.unitScore(i, int(j), s), j})
	}
	for _, c := range cols {
		row[c] = 0
	}
	// Fewer than k rows have a common term: the lowest of the others follow.
	if len(found) < k {
		known := slices.Clone(index)
		slices.Sort(known)
		for j := int32(0); len(found) < k; j++ {
			if len(known) > 0 && known[0] == j {
				known = known[1:]
			} else if int(j) != i {
				found = append(found, candidate{0, j})
			}
		}
	}
	slices.SortFunc(found, better)
	return found[:k], false
}

// settle searches all rows again for those that are open.
func (m *sparseRows) settle(ctx context.Context, g *KNN, open []bool) error {
	var rows []int
	for i, is := range open {
		if is {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	n := m.x.NumRows
	all, err := newSparseRows(stack(m.x, m.x.SelectRows(rows)), n)
	if err != nil {
		return err
	}
	c := &crossing{fresh: len(rows), trained: n, s: all}
	met, err := c.meet(ctx, min(g.K+1, n), nil, Options{MaxBytes: DefaultMaxBytes})
	if err != nil {
		return err
	}
	found, err := met.lists(ctx)
	if err != nil {
		return err
	}
	g.replace(rows, found)
	return nil
}

// replace sets the lists of rows to found, which has one neighbour more: the row itself, which is
// left out, or one to spare.
func (g *KNN) replace(rows []int, found *KNN) {
	for r, i := range rows {
		index, dist2, dot := found.Row(r)
		at := i * g.K
		for c, left := 0, g.K; left > 0; c++ {
			if int(index[c]) == i {
				continue
			}
			g.Index[at], g.Dist2[at], g.Dot[at] = index[c], dist2[c], dot[c]
			at++
			left--
		}
	}
}
