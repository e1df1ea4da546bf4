package exact

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// teamSearch is the exact search for neighbours by a team, each rank of which has its own rows.
// One process is a team of one: it searches its own rows and is done.
//
// Own rows are searched first, as a whole. Then every two ranks form a tile, which one of them
// searches: in step s rank r receives the rows of rank r+s, and sends their candidates back. In the
// last step of an even number of ranks, where both of a pair would visit each other, each searches
// half of the tile. So every pair of rows is searched once, all ranks have about the same number of
// pairs, and a rank holds the rows of one other rank at most.
//
// The neighbours do not depend on the ranks, bit for bit: the score of a pair does not depend on
// the tile, and the best candidates do not depend on the order.
//
// A rank receives the rows of half of the other ranks, and for each own row at most 20·k bytes of
// candidates per step.
type teamSearch struct {
	team   ranks.Team
	own    visitor
	k      int
	traits Traits
	points Points // the own rows
	best   *partialLists
}

// Nearest finds the k nearest neighbours of the rows of x, of which each rank has its own, among
// the rows of all ranks. ids are the numbers of the rows among all documents, ascending from rank
// to rank; nil numbers the rows of one process from 0. All sparse rows have entries, and all ranks
// together have more than k rows. All ranks call it.
func Nearest(ctx context.Context, team ranks.Team, x mat.Matrix, ids []int32, k int, obs progress.Observer) (*Lists, error) {
	p, traits, err := TeamPoints(team, x, ids)
	if err != nil {
		return nil, err
	}
	s := &teamSearch{team: team, own: visitor{x: x, ids: ids}, k: k, traits: traits, points: p}
	return s.run(ctx, obs)
}

// run searches the own rows, then the tiles of this rank.
func (s *teamSearch) run(ctx context.Context, obs progress.Observer) (*Lists, error) {
	own, size := s.own.rows(), s.team.Size()
	n := ranks.Count(s.team, own)
	t := NewTicker(obs, n)
	steps := size / 2
	part := float64(n) / float64(steps+1) // of the rows, for each step
	home := NewLists(own, 0)
	var err error
	if k := min(s.k, own-1); k > 0 {
		home, err = s.points.nearest(ctx, k, t.Part(part, own))
	}
	if err = ranks.Agree(s.team, err); err != nil {
		return nil, err
	}
	s.points = Points{}
	home.Number(s.own.ids)
	if size == 1 {
		t.Finish()
		return home, nil
	}
	s.best = home.lengthened(s.k)
	for step := 1; step <= steps; step++ {
		if err := s.step(ctx, step, t, part); err != nil {
			return nil, err
		}
	}
	t.Finish()
	return s.best.Lists, nil
}

// step searches the tile of this rank's rows and the rows of rank r+step.
func (s *teamSearch) step(ctx context.Context, step int, t *Ticker, part float64) error {
	size, r := s.team.Size(), s.team.Rank()
	to, from := (r-step+size)%size, (r+step)%size
	mine, sent := s.own, s.own
	if 2*step == size { // both ranks of a pair would search the same tile
		half := s.own.rows() / 2
		if r < from {
			mine, sent = s.own.between(0, half), s.own.between(half, s.own.rows())
		}
	}
	sent.far = s.far(sent)
	parts := make([][]byte, size)
	parts[to] = sent.encode()
	visiting := decodeVisitor(s.team.Exchange(parts)[from], s.own.x)
	mine.far = s.far(mine)
	forMine, forVisitor, err := s.tile(ctx, mine, visiting, t.Part(part, mine.rows()+visiting.rows()))
	if err = ranks.Agree(s.team, err); err != nil {
		return err
	}
	s.take(mine, forMine)
	parts = make([][]byte, size)
	parts[from] = forVisitor.encode()
	s.take(sent, decodeLists(s.team.Exchange(parts)[to], s.k))
	return nil
}

// far returns the distances that candidates of some own rows must not exceed.
func (s *teamSearch) far(v visitor) []float64 {
	at := s.offset(v)
	list := make([]float64, v.rows())
	for i := range list {
		list[i] = s.best.last(at + i)
	}
	return list
}

// offset is the place of the first row of v among the own rows.
func (s *teamSearch) offset(v visitor) int {
	if v.rows() == 0 {
		return 0
	}
	at, _ := slices.BinarySearch(s.own.ids, v.ids[0])
	return at
}

// take adds the candidates that were found for some own rows.
func (s *teamSearch) take(v visitor, l *partialLists) {
	at, scratch := s.offset(v), make([]Neighbour, 0, 2*s.k)
	found := make([]Neighbour, 0, s.k)
	for i := range v.rows() {
		found = found[:0]
		for c := i * s.k; c < i*s.k+int(l.count[i]); c++ {
			found = append(found, Neighbour{l.Index[c], l.Dist2[c], l.Dot[c]})
		}
		s.best.add(at+i, found, scratch)
	}
}

// tile finds the candidates of rows a among b and of b among a.
func (s *teamSearch) tile(ctx context.Context, a, b visitor, t *Ticker) (forA, forB *partialLists, err error) {
	na, nb := a.rows(), b.rows()
	forA, forB = newPartialLists(na, s.k), newPartialLists(nb, s.k)
	if na == 0 || nb == 0 {
		return forA, forB, nil
	}
	h := newHeaps(na+nb, s.k, s.traits.Unit)
	for i, d := range slices.Concat(a.far, b.far) {
		h.floor[i].Store(math.Float64bits(floorOf(d, s.traits.Unit)))
	}
	measure, err := s.traits.fill(ctx, h, a.x, b.x, t)
	if err != nil {
		return nil, nil, err
	}
	ids := slices.Concat(a.ids, b.ids)
	err = parallel.For(ctx, na+nb, 256, func(_, lo, hi int) error {
		found, scratch := make([]Neighbour, 0, s.k), make([]Neighbour, 0, 2*s.k)
		for i := lo; i < hi; i++ {
			found = found[:0]
			for c := i * s.k; c < i*s.k+int(h.count[i]); c++ {
				j := h.index[c]
				dist2, dot := measure(i, int(j), h.score[c])
				found = append(found, Neighbour{ids[j], dist2, dot})
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

// visitor are rows of one rank that another rank searches.
type visitor struct {
	x   mat.Matrix // *sparse.CSR or *mat.Dense
	ids []int32    // the number of each row among all
	far []float64  // the squared distance that a candidate must not exceed, +Inf: none
}

func (v visitor) rows() int {
	n, _ := v.x.Dims()
	return n
}

// between returns the rows from lo up to hi.
func (v visitor) between(lo, hi int) visitor {
	part := visitor{x: &mat.Dense{}, ids: v.ids[lo:hi]}
	if s, ok := v.x.(*sparse.CSR); ok {
		part.x = Between(s, lo, hi)
	} else if hi > lo {
		part.x = denseBetween(v.x, lo, hi)
	}
	return part
}

// encode writes rows for another rank.
func (v visitor) encode() []byte {
	n, w := v.rows(), WireOf(v.x)
	out := le.AppendUint64(make([]byte, 0, 8+12*n+w.size(v.x)), uint64(n))
	for _, id := range v.ids {
		out = le.AppendUint32(out, uint32(id))
	}
	out = append(out, ranks.Bytes(v.far)...)
	for i := range n {
		out = w.Put(out, v.x, i)
	}
	return out
}

// decodeVisitor reads rows that are stored as like is.
func decodeVisitor(b []byte, like mat.Matrix) visitor {
	n := int(le.Uint64(b))
	b = b[8:]
	v := visitor{ids: ranks.Ints(b[:4*n]), far: ranks.Floats(b[4*n : 12*n])}
	w := WireOf(like)
	if b = b[12*n:]; w.dense && n > 0 { // a rank without rows does not know their length
		w.Cols = len(b) / 8 / n
	}
	v.x = w.Rows(w.records(b, n))
	return v
}
