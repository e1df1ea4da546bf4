package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sharedSearch finds the neighbours of rows of which each rank has its own. Every two ranks form a
// tile, which one of them searches: in step s rank r has the rows of rank r+s as a visitor, and
// sends their candidates home. In the last step of an even number of ranks, where both of a pair
// would visit each other, each searches half of the tile. So every pair of rows is searched once,
// all ranks have about the same number of pairs, and a rank holds the rows of one other rank at
// most.
//
// The neighbours are those of [Nearest], bit for bit: scores of a pair do not depend on the tile,
// and the best candidates do not depend on the order.
//
// A rank receives the rows of half of the other ranks, and for each own row 20·k bytes per step of
// candidates at most.
type sharedSearch struct {
	team     ranks.Team
	own      visitor // the own rows
	k        int
	unit     bool // of all rows, see sparseRows
	whole    bool
	negative bool // some rows have such entries
	screened bool // see tiling
	best     *sharedLists
}

// visitor are rows that a tile is searched of.
type visitor struct {
	s   *sparse.CSR // or d
	d   *mat.Dense
	ids []int32   // the number of each row among all
	far []float64 // the squared distance that a candidate must not exceed, +Inf: none
}

func (v visitor) rows() int { return len(v.ids) }

// sharedLists are the nearest candidates of rows so far, nearest first, ties by lower number. 20
// bytes per candidate.
type sharedLists struct {
	k          int
	count      []int32
	index      []int32
	dist2, dot []float64
}

func newSharedLists(n, k int) *sharedLists {
	return &sharedLists{k: k, count: make([]int32, n), index: make([]int32, n*k), dist2: make([]float64, n*k), dot: make([]float64, n*k)}
}

// near is one candidate.
type near struct {
	j          int32
	dist2, dot float64
}

func nearerFirst(a, b near) int {
	return cmp.Or(cmp.Compare(a.dist2, b.dist2), cmp.Compare(a.j, b.j))
}

// add merges candidates, sorted, into those of row i; scratch has room for 2·k.
func (l *sharedLists) add(i int, found, scratch []near) {
	lo := i * l.k
	all := scratch[:0]
	for c := range int(l.count[i]) {
		all = append(all, near{l.index[lo+c], l.dist2[lo+c], l.dot[lo+c]})
	}
	all = append(all, found...)
	slices.SortFunc(all, nearerFirst)
	all = all[:min(len(all), l.k)]
	for c, v := range all {
		l.index[lo+c], l.dist2[lo+c], l.dot[lo+c] = v.j, v.dist2, v.dot
	}
	l.count[i] = int32(len(all))
}

// last is the squared distance that a candidate of row i must not exceed.
func (l *sharedLists) last(i int) float64 {
	if int(l.count[i]) < l.k {
		return math.Inf(1)
	}
	return l.dist2[(i+1)*l.k-1]
}

// newSharedSearch prepares the search of the own rows, which have the numbers ids; all sparse rows
// have entries.
func newSharedSearch(team ranks.Team, s *sparse.CSR, d *mat.Dense, ids []int32, k int) (*sharedSearch, error) {
	t := &sharedSearch{team: team, own: visitor{s: s, d: d, ids: ids}, k: k, best: newSharedLists(len(ids), k)}
	var err error
	var m *sparseRows
	if s != nil {
		m, err = newSparseRows(s, 0)
	} else {
		_, err = newDenseRows(d, nil) // checks the rows
	}
	err = rows.Raised(err, func(i int) int { return int(ids[i]) })
	if err = ranks.Agree(team, err); err != nil || s == nil {
		return t, err
	}
	// A rank without rows agrees to anything. A screen pays if it does so for the rows of one rank.
	kinds := allOf(team, m.unit, m.whole, !m.negative())
	t.unit, t.whole, t.negative = kinds[0], kinds[1], !kinds[2]
	t.screened = kinds[0] && kinds[2] && !allOf(team, !m.common())[0]
	return t, nil
}

// allOf reports for each statement whether it holds on all ranks.
func allOf(team ranks.Team, statements ...bool) []bool {
	count := make([]float64, len(statements))
	for i, holds := range statements {
		if !holds {
			count[i] = 1
		}
	}
	team.Sum(count)
	for i, c := range count {
		statements[i] = c == 0
	}
	return statements
}

// run searches all tiles of this rank. All ranks call it.
func (t *sharedSearch) run(ctx context.Context, o Options) error {
	size, r := t.team.Size(), t.team.Rank()
	n := ranks.Count(t.team, t.own.rows())
	progress := newTicker(o.Observer, n)
	steps := size / 2
	part := float64(n) / float64(steps+1) // of the rows, for each step
	home, _, err := t.tile(ctx, t.own, visitor{}, progress.part(part, t.own.rows()))
	if err == nil {
		t.take(home)
	}
	for s := 1; s <= steps; s++ {
		if err = ranks.Agree(t.team, err); err != nil {
			return err
		}
		to, from := (r-s+size)%size, (r+s)%size
		mine, sent := t.own, t.own
		if 2*s == size { // both ranks of a pair would search the same tile
			half := t.own.rows() / 2
			if r < from {
				mine, sent = t.part(0, half), t.part(half, t.own.rows())
			}
		}
		sent.far = t.far(sent)
		parts := make([][]byte, size)
		parts[to] = sent.encode()
		visiting := decodeVisitor(t.team.Exchange(parts)[from], t.own)
		mine.far = t.far(mine)
		own, theirs, failed := t.tile(ctx, mine, visiting, progress.part(part, mine.rows()+visiting.rows()))
		if err = ranks.Agree(t.team, failed); err != nil {
			return err
		}
		t.takeFor(mine, own)
		parts = make([][]byte, size)
		parts[from] = theirs.encode()
		back := decodeLists(t.team.Exchange(parts)[to], t.k)
		t.takeFor(sent, back)
	}
	if err = ranks.Agree(t.team, err); err == nil {
		progress.finish()
	}
	return err
}

// part are own rows.
func (t *sharedSearch) part(lo, hi int) visitor {
	v := visitor{ids: t.own.ids[lo:hi]}
	if t.own.s != nil {
		v.s = rowsBetween(t.own.s, lo, hi)
	} else if hi > lo {
		_, cols := t.own.d.Dims()
		v.d = t.own.d.Slice(lo, hi, 0, cols).(*mat.Dense)
	}
	return v
}

// far are the distances that candidates of own rows must not exceed.
func (t *sharedSearch) far(v visitor) []float64 {
	at := t.offset(v)
	list := make([]float64, v.rows())
	for i := range list {
		list[i] = t.best.last(at + i)
	}
	return list
}

// offset is the number among the own rows of the first of v.
func (t *sharedSearch) offset(v visitor) int {
	if v.rows() == 0 {
		return 0
	}
	at, _ := slices.BinarySearch(t.own.ids, v.ids[0])
	return at
}

func (t *sharedSearch) take(l *sharedLists) { t.takeFor(t.own, l) }

// takeFor takes the candidates found for the own rows v.
func (t *sharedSearch) takeFor(v visitor, l *sharedLists) {
	at, scratch := t.offset(v), make([]near, 0, 2*t.k)
	found := make([]near, 0, t.k)
	for i := range v.rows() {
		found = found[:0]
		for c := i * t.k; c < i*t.k+int(l.count[i]); c++ {
			found = append(found, near{l.index[c], l.dist2[c], l.dot[c]})
		}
		t.best.add(at+i, found, scratch)
	}
}

// tile finds the candidates of rows a among b and of b among a; without rows b those of a among a.
func (t *sharedSearch) tile(ctx context.Context, a, b visitor, progress *ticker) (forA, forB *sharedLists, err error) {
	within := b.ids == nil
	na, nb := a.rows(), b.rows()
	forA, forB = newSharedLists(na, t.k), newSharedLists(nb, t.k)
	if na == 0 || !within && nb == 0 || within && na < 2 {
		return forA, forB, nil
	}
	h := newHeaps(na+nb, t.k, t.unit)
	for i, d := range slices.Concat(a.far, b.far) {
		h.floor[i].Store(math.Float64bits(floorOf(d, t.unit)))
	}
	var measure func(i, j int, score float64) (dist2, dot float64)
	if a.s != nil {
		m := t.sparseTile(a, b)
		measure = m.measure
		if t.screened && m.x.NumRows >= 2*lanes {
			err = m.screenTile(ctx, h, progress)
		} else {
			err = m.nearest(ctx, h, progress)
		}
	} else {
		var fresh mat.Matrix
		if b.d != nil {
			fresh = b.d
		}
		var m *denseRows
		if m, err = newDenseRows(a.d, fresh); err == nil {
			measure = m.measure
			err = m.nearest(ctx, h, progress)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	ids := slices.Concat(a.ids, b.ids)
	err = parallel.For(ctx, na+nb, 256, func(_, lo, hi int) error {
		found, scratch := make([]near, 0, t.k), make([]near, 0, 2*t.k)
		for i := lo; i < hi; i++ {
			found = found[:0]
			for c := i * t.k; c < i*t.k+int(h.count[i]); c++ {
				j := h.index[c]
				dist2, dot := measure(i, int(j), h.score[c])
				found = append(found, near{ids[j], dist2, dot})
			}
			if i < na {
				forA.add(i, found, scratch)
			} else {
				forB.add(i-na, found, scratch)
			}
		}
		return nil
	})
	return forA, forB, err
}

// floorOf is a score that no candidate within the squared distance d falls below.
func floorOf(d float64, unit bool) float64 {
	if !unit {
		return -d
	}
	if math.IsInf(d, 1) {
		return math.Inf(-1)
	}
	const step = 1e-15 // more than the rounding of 2−2s
	return min(1-d/2, nearDot) - step
}

// sparseTile are the rows of a tile, with the kind of all rows.
func (t *sharedSearch) sparseTile(a, b visitor) *sparseRows {
	rows := a.s
	if b.s != nil {
		rows = stack(a.s, b.s)
	}
	rows = rows.Compact()
	m := &sparseRows{x: rows, rows: rows, unit: t.unit, whole: t.whole, loop: parallel.For}
	if b.s != nil {
		m.split = a.rows()
	}
	m.measureNorms()
	m.tile = tileRows(m.x, m.indexed())
	return m
}

// encode writes rows for another rank.
func (v visitor) encode() []byte {
	var out []byte
	out = binary.LittleEndian.AppendUint64(out, uint64(v.rows()))
	for _, id := range v.ids {
		out = binary.LittleEndian.AppendUint32(out, uint32(id))
	}
	out = append(out, ranks.Bytes(v.far)...)
	switch {
	case v.s != nil:
		for i := range v.rows() {
			out = binary.LittleEndian.AppendUint32(out, uint32(v.s.RowPtr[i+1]-v.s.RowPtr[i]))
		}
		for _, c := range v.s.Col[:v.s.RowPtr[v.rows()]] {
			out = binary.LittleEndian.AppendUint32(out, uint32(c))
		}
		out = append(out, ranks.Bytes(v.s.Val[:v.s.RowPtr[v.rows()]])...)
	case v.d != nil:
		for i := range v.rows() {
			out = append(out, ranks.Bytes(v.d.RawRowView(i))...)
		}
	}
	return out
}

// decodeVisitor reads rows of the same kind as those of like.
func decodeVisitor(b []byte, like visitor) visitor {
	n := int(binary.LittleEndian.Uint64(b))
	b = b[8:]
	v := visitor{ids: ranks.Ints(b[:4*n]), far: ranks.Floats(b[4*n : 12*n])}
	b = b[12*n:]
	if like.s == nil {
		if n > 0 {
			v.d = mat.NewDense(n, len(b)/8/n, ranks.Floats(b))
		}
		return v
	}
	s := &sparse.CSR{NumRows: n, NumCols: like.s.NumCols, RowPtr: make([]int, n+1)}
	for i, entries := range ranks.Ints(b[:4*n]) {
		s.RowPtr[i+1] = s.RowPtr[i] + int(uint32(entries))
	}
	b = b[4*n:]
	s.Col, s.Val = ranks.Ints(b[:4*s.RowPtr[n]]), ranks.Floats(b[4*s.RowPtr[n]:])
	v.s = s
	return v
}

// encode writes the candidates of all rows.
func (l *sharedLists) encode() []byte {
	var out bytes.Buffer
	var part []byte
	for i, n := range l.count {
		part = binary.LittleEndian.AppendUint32(part[:0], uint32(n))
		for c := i * l.k; c < i*l.k+int(n); c++ {
			part = binary.LittleEndian.AppendUint32(part, uint32(l.index[c]))
			part = binary.LittleEndian.AppendUint64(part, math.Float64bits(l.dist2[c]))
			part = binary.LittleEndian.AppendUint64(part, math.Float64bits(l.dot[c]))
		}
		out.Write(part)
	}
	return out.Bytes()
}

func decodeLists(b []byte, k int) *sharedLists {
	l := &sharedLists{k: k}
	for len(b) > 0 {
		n := int(binary.LittleEndian.Uint32(b))
		b = b[4:]
		l.count = append(l.count, int32(n))
		for c := range k {
			if c >= n {
				l.index, l.dist2, l.dot = append(l.index, 0), append(l.dist2, 0), append(l.dot, 0)
				continue
			}
			l.index = append(l.index, int32(binary.LittleEndian.Uint32(b)))
			l.dist2 = append(l.dist2, math.Float64frombits(binary.LittleEndian.Uint64(b[4:])))
			l.dot = append(l.dot, math.Float64frombits(binary.LittleEndian.Uint64(b[12:])))
			b = b[20:]
		}
	}
	return l
}
