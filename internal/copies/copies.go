// Package copies finds the rows of a matrix that are equal, and carries what was found of the
// distinct rows over to all of them. It also looks for rows that are nearly equal ([Near]).
package copies

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Groups says which rows are equal: those of all ranks, if ranks divide them.
type Groups struct {
	// First is the first row of each group of equal rows, ascending; a row without copies is a
	// group of its own.
	First []int
	// Of is the group of each row: its place in First.
	Of []int32
}

// keyBytes is the part of a row's SHA-256 that rows are compared by. No two different rows are
// known, or can be made with less than 2⁶⁴ attempts, that agree in it.
const keyBytes = 16

type key [keyBytes]byte

// Bytes is the memory that [Find] takes for n rows, beside the rows themselves: keys, groups, and
// their first rows while that list grows.
func Bytes(n int) int64 { return memory.Bytes(keyBytes+4+4*4+16, n) }

// Find groups the rows of x that have the same values; entries of zero do not count. With beside,
// which may be nil, these are copies only if their rows there have nearly one direction: its
// cosines with the axes agree to six bits. That is so of embeddings of one text, which differ in
// their last digits from one batch to the next, unless a cosine lies at the border of two values.
// The rows in alone, ascending, have no copies: those that say nothing of their documents. If ranks
// divide the rows, x and alone are this rank's, and all ranks call it and get the groups of all
// rows.
//
// It returns nil if no two rows are equal. Time: one pass over the entries, on all threads. Memory:
// [Bytes] of the rows of all ranks. The only error is the context's.
func Find(ctx context.Context, x, beside mat.Matrix, alone []int, share *ranks.Share) (*Groups, error) {
	n, _ := x.Dims()
	keys := make([]key, n)
	err := parallel.For(ctx, n, 512, func(_, lo, hi int) error {
		h := newHasher(x, beside)
		for i := lo; i < hi; i++ {
			keys[i] = h.row(i)
		}
		return nil
	})
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	for _, i := range alone {
		keys[i] = key{}
	}
	return group(gathered(keys, share)), nil
}

// gathered are the keys of the rows of all ranks.
func gathered(own []key, share *ranks.Share) []key {
	if !share.Divided() {
		return own
	}
	say := make([]byte, 0, keyBytes*len(own))
	for i := range own {
		say = append(say, own[i][:]...)
	}
	said := bytes.Join(ranks.Gather(share, say), nil)
	all := make([]key, len(said)/keyBytes)
	for i := range all {
		copy(all[i][:], said[i*keyBytes:])
	}
	return all
}

// group groups rows by their keys, in the order of their first rows; rows with the key of zeros are
// alone. nil if every row is. Keys are hashes, so their bits are places in a table.
func group(keys []key) *Groups {
	size := 1
	for size < 2*len(keys) {
		size *= 2
	}
	table := make([]int32, size) // 1 + a group
	g := &Groups{Of: make([]int32, len(keys))}
	for i, k := range keys {
		at := int(binary.LittleEndian.Uint64(k[:]) & uint64(size-1))
		for k != (key{}) && table[at] > 0 && keys[g.First[table[at]-1]] != k {
			at = (at + 1) & (size - 1)
		}
		if k != (key{}) && table[at] > 0 {
			g.Of[i] = table[at] - 1
			continue
		}
		g.Of[i] = int32(len(g.First))
		g.First = append(g.First, i)
		if k != (key{}) {
			table[at] = int32(len(g.First))
		}
	}
	if len(g.First) == len(keys) {
		return nil
	}
	return g
}

// hasher makes the keys of rows of a matrix, and of another one beside it.
type hasher struct {
	x, beside mat.Matrix // beside may be nil
	text      []byte
	// The values of a row of x and of beside. For a sparse matrix they are the matrix' own memory.
	vals, near []float64
}

func newHasher(x, beside mat.Matrix) *hasher { return &hasher{x: x, beside: beside} }

// row is the key of row i: of the places and the bits of its values, zeros left out, and of its
// direction beside. Keys tell rows of one matrix apart; a sparse and a dense matrix have different
// keys for equal rows.
func (h *hasher) row(i int) key {
	h.text = h.text[:0]
	each(h.x, i, &h.vals, h.add)
	if h.beside != nil {
		squares := 0.0
		each(h.beside, i, &h.near, func(_ int32, v float64) { squares += v * v })
		h.text = append(h.text, 0)
		each(h.beside, i, &h.near, func(j int32, v float64) { h.add(j, math.Round(v/math.Sqrt(squares)*directionSteps)) })
	}
	sum := sha256.Sum256(h.text)
	return key(sum[:keyBytes])
}

// directionSteps is 1 over the difference of cosines that are taken for equal.
const directionSteps = 1 << 6

// add adds a value that is not zero, and its place.
func (h *hasher) add(j int32, v float64) {
	if v != 0 {
		h.text = binary.LittleEndian.AppendUint32(h.text, uint32(j))
		h.text = binary.LittleEndian.AppendUint64(h.text, math.Float64bits(v))
	}
}

// each calls f with the values of row i that may differ from zero, and their places. buf is what
// the row before left there.
func each(x mat.Matrix, i int, buf *[]float64, f func(j int32, v float64)) {
	switch x := x.(type) {
	case sparse.Rows:
		p := x.Pattern()
		*buf = x.Values(i, *buf)
		for k, j := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			f(j, (*buf)[k])
		}
	case *sparse.SingleDense:
		for j, v := range x.Row(i) {
			f(int32(j), float64(v))
		}
	default:
		_, cols := x.Dims()
		*buf = slices.Grow((*buf)[:0], cols)[:cols]
		for j, v := range mat.Row(*buf, i, x) {
			f(int32(j), v)
		}
	}
}

// Len is the number of rows.
func (g *Groups) Len() int { return len(g.Of) }

// Copies is the number of rows that equal an earlier one.
func (g *Groups) Copies() int { return len(g.Of) - len(g.First) }

// IsCopy reports whether row i equals an earlier one.
func (g *Groups) IsCopy(i int) bool { return g.First[g.Of[i]] != i }

// Sizes is the number of rows of each group.
func (g *Groups) Sizes() []int {
	sizes := make([]int, len(g.First))
	for _, k := range g.Of {
		sizes[k]++
	}
	return sizes
}

// Repeated is the number of groups of two rows and more.
func (g *Groups) Repeated() (n int) {
	for _, size := range g.Sizes() {
		if size > 1 {
			n++
		}
	}
	return n
}

// Largest are the groups of two rows and more, the largest first, ties by their first rows; at most
// most of them.
func (g *Groups) Largest(most int) []int {
	sizes := g.Sizes()
	var list []int
	for k, size := range sizes {
		if size > 1 {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return sizes[b] - sizes[a] })
	return list[:min(most, len(list))]
}

// Sets are the rows of each group of two and more, ascending by their first rows.
func (g *Groups) Sets() [][]int32 {
	sizes := g.Sizes()
	at := make([]int, len(sizes))
	var sets [][]int32
	for i, k := range g.Of {
		if sizes[k] < 2 {
			continue
		}
		if g.First[k] == i {
			at[k] = len(sets)
			sets = append(sets, make([]int32, 0, sizes[k]))
		}
		sets[at[k]] = append(sets[at[k]], int32(i))
	}
	return sets
}

// Here are the first rows among this rank's, counted from its own first row.
func (g *Groups) Here(share *ranks.Share) []int {
	if !share.Divided() {
		return g.First
	}
	lo, _ := slices.BinarySearch(g.First, share.First())
	hi, _ := slices.BinarySearch(g.First, share.First()+share.Own())
	list := slices.Clone(g.First[lo:hi])
	for at := range list {
		list[at] -= share.First()
	}
	return list
}

// Each gives every row the entry of its group; nil for nil.
func Each[T any](g *Groups, list []T) []T {
	if list == nil {
		return nil
	}
	all := make([]T, len(g.Of))
	for i, k := range g.Of {
		all[i] = list[k]
	}
	return all
}

// Members are the rows of the groups in list, ascending, as list must be; nil for none.
func (g *Groups) Members(list []int) (rows []int) {
	if len(list) == 0 {
		return nil
	}
	for i, k := range g.Of {
		if _, found := slices.BinarySearch(list, int(k)); found {
			rows = append(rows, i)
		}
	}
	return rows
}

// Rows gives every row the row of m that its group has; nil for nil. Where ranks divide the rows, m
// has the groups of this rank under distinct, the result the rows of this rank under whole, and all
// ranks call it. 8 bytes per row and column.
func (g *Groups) Rows(m *mat.Dense, distinct, whole *ranks.Share) *mat.Dense {
	if m == nil {
		return nil
	}
	_, d := m.Dims()
	of := ranks.Own(whole, g.Of)
	memory.Ahead(memory.Bytes(8, len(of), d))
	out := mat.NewDense(len(of), d, nil)
	if !distinct.Divided() {
		for i, k := range of {
			copy(out.RawRowView(i), m.RawRowView(int(k)))
		}
		return out
	}
	first := distinct.First()
	ghosts := ranks.NewGhosts(distinct, distinct.Others(of))
	raw := m.RawMatrix()
	theirs := ghosts.Rows(raw.Data, d, raw.Stride)
	for i, k := range of {
		if at := int(k) - first; at >= 0 && at < distinct.Own() {
			copy(out.RawRowView(i), m.RawRowView(at))
			continue
		}
		at, _ := slices.BinarySearch(ghosts.IDs, k)
		copy(out.RawRowView(i), theirs[at*d:])
	}
	return out
}
