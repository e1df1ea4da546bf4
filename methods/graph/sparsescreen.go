package graph

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// sparseScreen finds shortlists of neighbours of sparse rows of length 1 without negative entries,
// by dot products in float32.
//
// Rows are searched in blocks of lanes, four blocks together (see [group]). The frequent terms of a
// block are a dense tile of terms × lanes, which each later row multiplies by its own frequent
// terms, 64 products at a time. Other terms go through an inverted index of the later rows, in
// chunks whose accumulators stay in cache.
//
// A float32 dot product of m common terms without negative ones has a relative error below
// (m+4)·2⁻²⁴ in any order of summation, so the shortlists decide which pairs are computed again in
// float64 ([sparseRows.choose]), not the result.
type sparseScreen struct {
	n     int
	split int // > 0: only pairs of a row from split on with one before it
	// The entries of each row: of frequent, of rare and of the rarest terms. Terms of a single row
	// are left out. Terms are numbered in each class by falling number of rows.
	class [3]laneRows
}

// The classes of terms. Frequent terms are multiplied as dense tiles, rare ones by an index of
// chunks. The rarest have too few rows in a chunk to be looked up there; their index spans several.
const (
	frequent = iota
	rare
	rarest
)

const (
	// frequentShare is the share of the rows from which a term is frequent, and mostFrequent the
	// largest number of frequent terms: their tile, 256 bytes each, stays in the second cache. Terms
	// in less than rarestShare of the rows are the rarest: about two rows of a chunk. Half and twice
	// of each changed the time by less than a tenth.
	frequentShare = 0.03
	mostFrequent  = 768
	rarestShare   = 0.002
	// chunkRows is the number of rows of a chunk of the index. Their products with a block take 256
	// KiB.
	chunkRows = 1024
	// spanChunks is the number of chunks that are indexed at a time.
	spanChunks = 8
	spanRows   = spanChunks * chunkRows
	// chunkStride keeps the rows of accumulators from sharing places in the cache.
	chunkStride = chunkRows + 16
	// leastWork is the number of common terms of a pair, on average, from which the screen pays.
	leastWork = 2
	// leastValue is the smallest entry whose products are normal float32 numbers.
	leastValue = 0x1p-60
)

// screenable reports whether the screen applies to the rows: length 1, no negative entries, and
// enough rows and common terms that it pays.
func (m *sparseRows) screenable() bool {
	return m.unit && m.split == 0 && m.x.NumRows >= 2*lanes && !m.negative() && m.common()
}

// negative reports whether an entry is too small for the screen: negative, or near the smallest
// numbers.
func (m *sparseRows) negative() bool {
	small := func(v float64) bool { return v < leastValue && v != 0 }
	var buf []float64
	for i := range m.x.NumRows {
		vals := m.rows.Values(i, buf)
		if slices.ContainsFunc(vals, small) {
			return true
		}
		if sparse.IsSingle(m.rows) {
			buf = vals
		}
	}
	return false
}

// common reports whether the rows have so many common terms that a screen pays.
func (m *sparseRows) common() bool {
	count := make([]float64, m.x.NumCols)
	for _, c := range m.x.Col {
		count[c]++
	}
	common := 0.0
	for _, k := range count {
		common += k * k
	}
	n := float64(m.x.NumRows)
	return common >= leastWork*n*n
}

// newSparseScreen splits the rows of x into frequent and rare terms, in O(nnz + columns·log). 8
// bytes per entry.
func newSparseScreen(rows sparse.Rows) *sparseScreen {
	x := rows.Pattern()
	n := x.NumRows
	count := make([]int32, x.NumCols)
	for _, c := range x.Col {
		count[c]++
	}
	order := make([]int32, 0, x.NumCols) // columns of several rows
	for c, k := range count {
		if k > 1 {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	s := &sparseScreen{n: n}
	class, number := make([]int8, x.NumCols), make([]int32, x.NumCols)
	for c := range class {
		class[c] = -1
	}
	var entries [3]int
	for _, c := range order {
		share, k := float64(count[c])/float64(n), frequent
		switch {
		case share < rarestShare:
			k = rarest
		case share < frequentShare || s.class[frequent].terms == mostFrequent:
			k = rare
		}
		class[c], number[c] = int8(k), int32(s.class[k].terms)
		s.class[k].terms++
		entries[k] += int(count[c])
	}
	for k := range s.class {
		a := &s.class[k]
		a.ptr, a.index, a.val = make([]int, n+1), make([]int32, 0, entries[k]), make([]float32, 0, entries[k])
	}
	buf := make([]float64, 0, 256)
	for i := range n {
		vals := rows.Values(i, buf)
		for p, c := range x.Col[x.RowPtr[i]:x.RowPtr[i+1]] {
			if class[c] >= 0 {
				a := &s.class[class[c]]
				a.index, a.val = append(a.index, number[c]), append(a.val, float32(vals[p]))
			}
		}
		for k := range s.class {
			s.class[k].ptr[i+1] = len(s.class[k].index)
		}
	}
	return s
}

// postingLists is an inverted index of the rows of a chunk or a span, for one class of terms.
type postingLists struct {
	first []int32  // postings of term t: [first[t], first[t+1])
	row   []uint16 // counted from the first row
	val   []float32
}

// load indexes rows lo to hi of a.
func (p *postingLists) load(a *laneRows, lo, hi int) {
	if p.first == nil {
		p.first = make([]int32, a.terms+2)
	}
	start, end := a.ptr[lo], a.ptr[hi]
	// first[t+2] counts term t; then first[t+1] is its next place, and in the end its last.
	clear(p.first)
	for _, t := range a.index[start:end] {
		p.first[t+2]++
	}
	for t := range a.terms {
		p.first[t+2] += p.first[t+1]
	}
	p.row, p.val = slices.Grow(p.row[:0], end-start)[:end-start], slices.Grow(p.val[:0], end-start)[:end-start]
	for i := lo; i < hi; i++ {
		for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
			next := &p.first[a.index[k]+1]
			p.row[*next], p.val[*next] = uint16(i-lo), a.val[k]
			*next++
		}
	}
}

// span is the index of some rows.
type span struct {
	lo, hi int
	rare   [spanChunks]postingLists // by chunk
	rarest postingLists
}

// load indexes rows lo to hi.
func (sp *span) load(ctx context.Context, s *sparseScreen, loop parallel.Loop, lo, hi int) error {
	sp.lo, sp.hi = lo, hi
	return loop(ctx, 1+parallel.Chunks(hi-lo, chunkRows), 1, func(_, c, _ int) error {
		if c == 0 {
			sp.rarest.load(&s.class[rarest], lo, hi)
			return nil
		}
		from := lo + (c-1)*chunkRows
		sp.rare[c-1].load(&s.class[rare], from, min(from+chunkRows, hi))
		return nil
	})
}

// product is a part of the dot product of a lane and a row of a chunk.
type product struct {
	row, lane uint16
	val       float32
}

// block is the scratch memory of one worker for the rows of a block: one of its [group].
type block struct {
	lo, hi int
	terms  []float32 // frequent terms × lanes
	rare   []float32 // lanes × chunkStride: products of rare terms; the blocks of a group share it
	// rarest has the products of the rarest terms with each chunk of a span.
	rarest [spanChunks][]product
	// tile has the products of laneStep rows with the lanes.
	tile                                     [laneStep * lanes]float32
	laneFloor, laneShift, rowFloor, rowShift []float32
}

func newBlock(s *sparseScreen, rare []float32) *block {
	return &block{terms: make([]float32, s.class[frequent].terms*lanes), rare: rare,
		laneFloor: make([]float32, lanes), laneShift: make([]float32, lanes),
		rowFloor: make([]float32, laneStep), rowShift: make([]float32, laneStep)}
}

// load prepares the block of rows lo to hi.
func (b *block) load(s *sparseScreen, lo, hi int) {
	clear(b.terms)
	b.lo, b.hi = lo, hi
	a := &s.class[frequent]
	for i := lo; i < hi; i++ {
		for p := a.ptr[i]; p < a.ptr[i+1]; p++ {
			b.terms[int(a.index[p])*lanes+i-lo] = a.val[p]
		}
	}
	for l := hi - lo; l < lanes; l++ {
		b.laneFloor[l] = math.MaxFloat32
	}
}

// multiplyRare sets rare to the products of rare and the rarest terms with chunk c of the span.
func (b *block) multiplyRare(s *sparseScreen, sp *span, c int) {
	clear(b.rare)
	for _, p := range b.rarest[c] {
		b.rare[int(p.lane)*chunkStride+int(p.row)] += p.val
	}
	a, p := &s.class[rare], &sp.rare[c]
	for i := b.lo; i < b.hi; i++ {
		sum := (*[chunkRows]float32)(b.rare[(i-b.lo)*chunkStride:])
		for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
			t := a.index[k]
			from, to := p.first[t], p.first[t+1]
			addProducts(sum, p.row[from:to], p.val[from:to], a.val[k])
		}
	}
}

// addProducts adds v·vals[q] to sum[rows[q]].
func addProducts(sum *[chunkRows]float32, rows []uint16, vals []float32, v float32) {
	vals = vals[:len(rows)]
	for q, r := range rows {
		sum[r%chunkRows] += v * vals[q]
	}
}

// search offers every pair with a positive dot product to the shortlists of both rows.
//
// Each list first receives the rows near it in the file: the pairs within a span, then those of
// other spans, the nearest first. In a corpus sorted by time or topic most of these remain, and
// most later pairs fail at the first comparison.
func (s *sparseScreen) search(ctx context.Context, list *shortlists, loop parallel.Loop, t *ticker) error {
	if s.split > 0 {
		return s.searchAcross(ctx, list, loop)
	}
	spans := parallel.Chunks(s.n, spanRows)
	own := make([]*group, parallel.Workers(s.n, groupRows))
	var sp span
	for _, within := range []bool{true, false} {
		for number := range spans {
			lo := number * spanRows
			hi := min(lo+spanRows, s.n)
			from, to := 0, lo // rows of the groups
			if within {
				from, to = lo, hi
			}
			if from == to {
				continue
			}
			if err := sp.load(ctx, s, loop, lo, hi); err != nil {
				return err
			}
			groups := parallel.Chunks(to-from, groupRows)
			err := loop(ctx, groups, 1, func(worker, c, _ int) error {
				if own[worker] == nil {
					own[worker] = newGroup(s)
				}
				first := from + (groups-1-c)*groupRows
				own[worker].load(s, first, min(first+groupRows, to))
				return own[worker].meet(ctx, s, &sp, list)
			})
			if err != nil {
				return err
			}
			share := float64(to-from) * float64(hi-lo)
			if within {
				share /= 2
			}
			t.add(2 * share / float64(s.n))
		}
	}
	return nil
}

// searchAcross is search for the pairs across the split.
func (s *sparseScreen) searchAcross(ctx context.Context, list *shortlists, loop parallel.Loop) error {
	own := make([]*group, parallel.Workers(s.split, groupRows))
	var sp span
	for lo := s.split; lo < s.n; lo += spanRows {
		if err := sp.load(ctx, s, loop, lo, min(lo+spanRows, s.n)); err != nil {
			return err
		}
		err := loop(ctx, parallel.Chunks(s.split, groupRows), 1, func(worker, c, _ int) error {
			if own[worker] == nil {
				own[worker] = newGroup(s)
			}
			own[worker].load(s, c*groupRows, min((c+1)*groupRows, s.split))
			return own[worker].meet(ctx, s, &sp, list)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// meet offers the pairs of a row of the block and a later row of chunk c of the span.
func (b *block) meet(s *sparseScreen, sp *span, list *shortlists, c int) {
	first := sp.lo + c*chunkRows
	last := min(first+chunkRows, sp.hi)
	b.multiplyRare(s, sp, c)
	list.floors(b.laneFloor[:b.hi-b.lo], b.lo)
	for lo := first + max(0, b.lo-first)/laneStep*laneStep; lo < last; lo += laneStep {
		hi := min(lo+laneStep, last)
		mulLanes(&s.class[frequent], lo, hi, b.terms, b.tile[:])
		addTransposed(b.tile[:], b.rare[lo-first:], chunkStride)
		b.offer(list, lo, hi)
	}
}

// offer passes on the pairs of a lane and a row of the tile whose product may enter a list.
func (b *block) offer(list *shortlists, lo, hi int) {
	list.floors(b.rowFloor[:hi-lo], lo)
	tile := screenTile{product: b.tile[:], stride: lanes, width: lanes,
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
			product := b.tile[row*lanes+l]
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
	if err := newSparseScreen(m.rows).search(ctx, list, m.loop, t); err != nil {
		return nil, err
	}
	g := newKNN(n, k)
	open := make([]bool, n) // rows whose shortlist does not decide the result
	scratch := make([][]float64, parallel.Workers(n, 256))
	err := m.loop(ctx, n, 256, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = m.scratch()
		}
		var found []candidate
		for i := lo; i < hi; i++ {
			found, open[i] = m.choose(list, i, k, scratch[worker], found[:0])
			if !open[i] {
				g.set(i, found, m.measure)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows := marked(open)
	switch {
	case len(rows) == 0:
		return g, nil
	case float64(len(rows)) > mostOpen*float64(n):
		return m.plain(ctx, k, newTicker(nil, n))
	}
	again, err := newSparseRows(m.withCopies(rows), n)
	if err != nil {
		return nil, err
	}
	again.loop = m.loop
	return g, g.settle(ctx, rows, &crossing{fresh: len(rows), trained: n, s: again})
}

// withCopies are all rows followed by copies of some of them.
func (m *sparseRows) withCopies(rows []int) sparse.Rows {
	if s, ok := m.rows.(*sparse.CSR); ok {
		return stack(s, s.SelectRows(rows))
	}
	all := make([]int, m.x.NumRows, m.x.NumRows+len(rows))
	for i := range all {
		all[i] = i
	}
	return m.rows.(*sparse.Single).SelectRows(append(all, rows...))
}

// sameDistance is more than the largest difference of dot products that have one distance, 2−2a·b.
const sameDistance = 1e-15

// choose ranks the shortlist of row i in float64 and returns its k best candidates, and whether
// others could be among them. row is a vector of zeros.
func (m *sparseRows) choose(list *shortlists, i, k int, row []float64, found []candidate) (best []candidate, open bool) {
	keys, index := list.row(i)
	few := len(keys) < k
	if len(keys) > 0 {
		few = few || slices.Min(keys) < sameDistance
	}
	if list.full(i) {
		if undecided(keys, k, len(m.columns(i))) {
			return found, true
		}
		few = false
	}
	m.open(i, row)
	for _, j := range index {
		found = append(found, candidate{m.unitScore(i, int(j), m.product(int(j), row)), j})
	}
	m.close(i, row)
	if few {
		// The others have no common term. The lowest of them follow, and precede candidates whose
		// products are too small to make them nearer.
		known := slices.Sorted(slices.Values(index))
		for j, zeros := int32(0), 0; zeros < k && int(j) < m.x.NumRows; j++ {
			if len(known) > 0 && known[0] == j {
				known = known[1:]
			} else if int(j) != i {
				found = append(found, candidate{0, j})
				zeros++
			}
		}
	}
	slices.SortFunc(found, nearer(true))
	return found[:k], false
}

// undecided reports whether candidates that a full shortlist has lost could be among the k best of
// a row with some number of entries. Their keys are at most the lowest; twice the error of a
// product must separate that from the k-th.
func undecided(keys []float32, k, entries int) bool {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	margin := 2 * float64(entries+8) * 0x1p-24
	return float64(sorted[0]) >= float64(sorted[len(sorted)-k])*(1-margin)-sameDistance
}

// settle replaces the lists of some rows by those of an exact search; c has these rows as the new
// ones and all rows as those of training.
func (g *KNN) settle(ctx context.Context, rows []int, c *crossing) error {
	met, err := c.meet(ctx, g.K+1, nil, Options{MaxBytes: memory.Left(ctx)})
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
