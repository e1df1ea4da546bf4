package ranks

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
)

// Share says how the rows of a problem are divided among the ranks of a team: rank r has the rows
// from Bounds[r] up to Bounds[r+1]. It is a [Team] too. A nil Share is the division among one
// process, which has all rows.
type Share struct {
	Team
	Bounds []int
}

var _ Team = (*Share)(nil)

// Of returns the team that divides the rows, which may have matrices of its own (package slepc).
func (s *Share) Of() Team {
	if s == nil {
		return Alone{}
	}
	return s.Team
}

// Rank implements [Team].
func (s *Share) Rank() int { return s.Of().Rank() }

// Size implements [Team].
func (s *Share) Size() int { return s.Of().Size() }

// Sum implements [Team].
func (s *Share) Sum(x []float64) { s.Of().Sum(x) }

// Share implements [Team].
func (s *Share) Share(x []float64) { s.Of().Share(x) }

// Exchange implements [Team].
func (s *Share) Exchange(parts [][]byte) [][]byte { return s.Of().Exchange(parts) }

// Divided reports whether other ranks have rows too.
func (s *Share) Divided() bool { return s.Size() > 1 }

// Watch returns the context for work that ranks divide, and the look at ctx that they take
// together. Where ranks divide the rows, inner never ends, so that no rank leaves work in which
// another waits for it, and stopped, which all ranks call, returns the error of the context of any
// rank. With one rank inner is ctx, and stopped returns its error.
func (s *Share) Watch(ctx context.Context) (inner context.Context, stopped func() error) {
	if !s.Divided() {
		return ctx, ctx.Err
	}
	return context.WithoutCancel(ctx), func() error { return Agree(s, ctx.Err()) }
}

// NewShare is the division in which every rank has the number of rows that it gives, in the order
// of ranks. All ranks call it.
func NewShare(t Team, own int) *Share {
	if outer, ok := t.(*Share); ok {
		t = outer.Of()
	}
	s := &Share{Team: t, Bounds: make([]int, 1, t.Size()+1)}
	for _, rows := range GatherFloats(t, []float64{float64(own)}) {
		s.Bounds = append(s.Bounds, s.Bounds[len(s.Bounds)-1]+int(rows))
	}
	return s
}

// Evenly is the division of n rows by [Part]. No rank calls another.
func Evenly(t Team, n int) *Share {
	s := &Share{Team: t, Bounds: make([]int, t.Size()+1)}
	for r := range t.Size() {
		_, s.Bounds[r+1] = Part(t, r, n)
	}
	return s
}

// First is the number of this rank's first row among all.
func (s *Share) First() int {
	if s == nil {
		return 0
	}
	return s.Bounds[s.Rank()]
}

// Own is how many rows this rank has.
func (s *Share) Own() int { return s.Bounds[s.Rank()+1] - s.First() }

// Total is how many rows all ranks have.
func (s *Share) Total() int { return s.Bounds[s.Size()] }

// Among is how many rows all ranks have, where this rank has own: the rows of its matrix.
func (s *Share) Among(own int) int {
	if s == nil {
		return own
	}
	return s.Total()
}

// Own returns this rank's slice of a list with an entry for each row of all ranks; nil for nil.
func Own[T any](s *Share, list []T) []T {
	if s == nil || list == nil {
		return list
	}
	return list[s.First():][:s.Own()]
}

// Owner is the rank that has row i.
func (s *Share) Owner(i int) int {
	r, found := slices.BinarySearch(s.Bounds, i)
	if !found {
		return r - 1
	}
	for s.Bounds[r+1] == i { // ranks without rows
		r++
	}
	return r
}

// Count is the sum of n over all ranks.
func Count(t Team, n int) int {
	x := []float64{float64(n)}
	t.Sum(x)
	return int(x[0])
}

// Counts is the sum of each number over all ranks; with one rank it is own.
func Counts(t Team, own []int) []int {
	if t.Size() == 1 {
		return own
	}
	x := make([]float64, len(own))
	for i, n := range own {
		x[i] = float64(n)
	}
	t.Sum(x)
	all := make([]int, len(own))
	for i, v := range x {
		all[i] = int(v)
	}
	return all
}

// Least returns the smallest n of all ranks: of memory, which each of them has, what decisions that
// they take alike may count on.
func Least(t Team, n int64) int64 {
	if t.Size() == 1 {
		return n
	}
	for _, part := range Gather(t, binary.LittleEndian.AppendUint64(nil, uint64(n))) {
		n = min(n, int64(binary.LittleEndian.Uint64(part)))
	}
	return n
}

// Largest replaces each number by the largest of all ranks; no number may be NaN.
func Largest(t Team, x []float64) {
	for _, part := range Gather(t, Bytes(x)) {
		for i, v := range Floats(part) {
			x[i] = max(x[i], v)
		}
	}
}

// Others returns the rows in rows that other ranks have, ascending and each once.
func (s *Share) Others(rows []int32) []int32 {
	first, own := s.First(), s.Own()
	var list []int32
	for _, i := range rows {
		if at := int(i) - first; at < 0 || at >= own {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Ghosts are rows of other ranks that this rank reads again and again.
type Ghosts struct {
	share *Share
	// IDs are the rows, ascending; From[r] is where the rows of rank r begin.
	IDs  []int32
	From []int
	sent [][]int32 // own rows that each rank reads, counted from the first
}

// NewGhosts informs the owners of the rows ids that this rank reads them. ids are ascending,
// without repetition and without own rows. All ranks call it. 4 bytes per row on both sides.
func NewGhosts(s *Share, ids []int32) *Ghosts {
	g := &Ghosts{share: s, IDs: ids, From: make([]int, s.Size()+1), sent: make([][]int32, s.Size())}
	asked := make([][]byte, s.Size())
	at := 0
	for r := range asked {
		g.From[r] = at
		for ; at < len(ids) && int(ids[at]) < s.Bounds[r+1]; at++ {
			asked[r] = binary.LittleEndian.AppendUint32(asked[r], uint32(int(ids[at])-s.Bounds[r]))
		}
	}
	g.From[s.Size()] = at
	for r, list := range s.Exchange(asked) {
		g.sent[r] = Ints(list)
	}
	return g
}

// Rows returns the ghosts' rows of width numbers; stride is the distance of own rows in own. All
// ranks call it. A rank receives 8·width bytes per ghost.
func (g *Ghosts) Rows(own []float64, width, stride int) []float64 {
	parts := make([][]byte, len(g.sent))
	for r, list := range g.sent {
		part := make([]byte, 0, 8*width*len(list))
		for _, i := range list {
			for _, v := range own[int(i)*stride:][:width] {
				part = binary.LittleEndian.AppendUint64(part, math.Float64bits(v))
			}
		}
		parts[r] = part
	}
	out := make([]float64, 0, width*len(g.IDs))
	for _, part := range g.share.Exchange(parts) {
		out = append(out, Floats(part)...)
	}
	return out
}

// Numbers returns the ghosts' numbers, of which own has one per own row.
func (g *Ghosts) Numbers(own []int32) []int32 {
	parts := make([][]byte, len(g.sent))
	for r, list := range g.sent {
		part := make([]byte, 0, 4*len(list))
		for _, i := range list {
			part = binary.LittleEndian.AppendUint32(part, uint32(own[i]))
		}
		parts[r] = part
	}
	out := make([]int32, 0, len(g.IDs))
	for _, part := range g.share.Exchange(parts) {
		out = append(out, Ints(part)...)
	}
	return out
}

// Look returns the numbers of any rows, in any order, of which own has one per own row. All ranks
// call it.
func (s *Share) Look(ids, own []int32) []int32 {
	first := int32(s.First())
	g := NewGhosts(s, s.Others(ids))
	got := g.Numbers(own)
	out := make([]int32, len(ids))
	for k, id := range ids {
		if at, found := slices.BinarySearch(g.IDs, id); found {
			out[k] = got[at]
		} else {
			out[k] = own[id-first]
		}
	}
	return out
}

// IntBytes are 4 bytes of each number.
func IntBytes(x []int32) []byte {
	out := make([]byte, 0, 4*len(x))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out
}

// Ints are the numbers of four bytes each of which b has the bytes.
func Ints(b []byte) []int32 {
	x := make([]int32, len(b)/4)
	for i := range x {
		x[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return x
}

// Before returns, for each of some counts, the sum of those that the lower ranks give, and the sum
// of all. All ranks call it. A rank receives 24 bytes per count.
func Before(t Team, counts []int) (before, total []int) {
	own := make([]float64, len(counts))
	for c, n := range counts {
		own[c] = float64(n)
	}
	parts := make([][]byte, t.Size())
	for r := range parts {
		lo, hi := Part(t, r, len(own))
		parts[r] = Bytes(own[lo:hi])
	}
	// This rank adds up a part of the counts, and sends each rank its sums and all.
	asked := t.Exchange(parts)
	lo, hi := Part(t, t.Rank(), len(own))
	sum := make([]float64, hi-lo)
	sums := make([][]float64, t.Size())
	for r, part := range asked {
		sums[r] = append(sums[r], sum...)
		for c, v := range Floats(part) {
			sum[c] += v
		}
	}
	back := make([][]byte, t.Size())
	for r := range back {
		back[r] = Bytes(append(sums[r], sum...))
	}
	for _, part := range t.Exchange(back) {
		both := Floats(part)
		for c := range len(both) / 2 {
			before, total = append(before, int(both[c])), append(total, int(both[len(both)/2+c]))
		}
	}
	return before, total
}
