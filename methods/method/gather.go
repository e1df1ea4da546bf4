package method

import (
	"encoding/binary"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Gatherer is a Placer that keeps something of each training document. Where ranks divide the
// documents, each rank has one of its own documents.
type Gatherer interface {
	Placer
	// Partial reports whether what is here is of the documents of this rank; else it is whole on
	// every rank.
	Partial() bool
	// Gather returns the placer of the documents of all ranks on rank 0, nil on the others; with
	// [Gathering.Apart] this rank's part of that placer. All ranks call it.
	Gather(g *Gathering) Placer
}

// Gathering joins on rank 0 what ranks have of their own documents, in the order of the ranks, one
// rank after the other: beside what is joined rank 0 has one rank's part at a time. Its methods are
// calls of all ranks; the others get nil.
type Gathering struct {
	Share *ranks.Share
	// Count: nothing is joined, all ranks get nil, and [Gathering.Bytes] is what would be joined.
	Count bool
	// Apart: nothing is joined, and every rank gets what is here, its part of the whole.
	Apart bool

	rows  map[mat.Matrix]mat.Matrix // what was joined already, by the own part
	bytes int64
}

// Bytes is what was counted so far.
func (g *Gathering) Bytes() int64 { return g.bytes }

// Nothing reports whether this rank gets nil.
func (g *Gathering) Nothing() bool { return g.Share.Rank() > 0 && !g.Apart }

// size is the number of values of all ranks, of so many bytes each; here is the number that this
// rank has.
func (g *Gathering) size(here int, each int64) int {
	n := ranks.Count(g.Share, here)
	if g.Count {
		g.bytes = memory.Sum(g.bytes, memory.Bytes(each, n))
	}
	return n
}

// parts calls take on rank 0 with what each rank says.
func (g *Gathering) parts(own []byte, take func(said []byte)) {
	for r := range g.Share.Size() {
		say := make([][]byte, g.Share.Size())
		if g.Share.Rank() == r {
			say[0] = own
		}
		if heard := g.Share.Exchange(say); g.Share.Rank() == 0 {
			take(heard[r])
		}
	}
}

// join joins values of each bytes, which say writes and read reads; nil for nil on all ranks.
func join[T any](g *Gathering, own []T, each int64, say func([]T) []byte, read func([]byte) []T) []T {
	n := g.size(len(own), each)
	switch {
	case n == 0:
		return own
	case g.Count:
		return nil
	case g.Apart && own == nil:
		return []T{} // as the whole has values
	case g.Apart:
		return own
	}
	var all []T
	if g.Share.Rank() == 0 {
		all = make([]T, 0, n)
	}
	g.parts(say(own), func(said []byte) { all = append(all, read(said)...) })
	return all
}

// Floats joins a number of each document; nil for nil on all ranks.
func (g *Gathering) Floats(own []float64) []float64 {
	return join(g, own, 8, ranks.Bytes, ranks.Floats)
}

// Ints is [Gathering.Floats] for whole numbers.
func (g *Gathering) Ints(own []int) []int { return join(g, own, 8, longBytes, longs) }

// longBytes are 8 bytes of each number.
func longBytes(x []int) []byte {
	out := make([]byte, 0, 8*len(x))
	for _, v := range x {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}

// longs are the numbers of which b has the bytes.
func longs(b []byte) []int {
	out := make([]int, len(b)/8)
	for i := range out {
		out[i] = int(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}

// Numbers joins numbers of own documents, of which here many are here: they become numbers among
// the documents of all ranks.
func (g *Gathering) Numbers(own []int, here int) []int {
	first := ranks.NewShare(g.Share, here).First()
	list := slices.Clone(own)
	for at := range list {
		list[at] += first
	}
	return g.Ints(list)
}

// Dense joins rows of as many columns on all ranks; nil for nil on all ranks.
func (g *Gathering) Dense(own *mat.Dense) *mat.Dense {
	if own == nil {
		return nil
	}
	n, d := own.Dims()
	if g.Count {
		g.CountDense(n, d)
		return nil
	}
	if g.Apart {
		return own
	}
	all := g.Floats(compact(own))
	if g.Share.Rank() > 0 {
		return nil
	}
	return mat.NewDense(len(all)/d, d, all)
}

// CountDense counts n rows of d values here. Without a Share n are the rows of all ranks, as for a
// plan; so it is of CountSparse.
func (g *Gathering) CountDense(n, d int) { g.size(n*d, 8) }

// CountSparse counts n sparse rows here, with so many entries.
func (g *Gathering) CountSparse(n, entries int) {
	g.size(n, 16) // lengths and row pointers
	g.size(entries, 12)
}

// compact are the values of a matrix row by row: its own memory if its rows are side by side there.
func compact(x *mat.Dense) []float64 {
	raw := x.RawMatrix()
	if raw.Stride != raw.Cols {
		raw = mat.DenseCopyOf(x).RawMatrix()
	}
	return raw.Data[:raw.Rows*raw.Cols]
}

// Rows joins the rows of a matrix, *sparse.CSR or *mat.Dense; nil for nil on all ranks. The same
// matrix is joined once.
func (g *Gathering) Rows(own mat.Matrix) mat.Matrix {
	if own == nil {
		return nil
	}
	if all, ok := g.rows[own]; ok {
		return all
	}
	var all mat.Matrix
	switch x := own.(type) {
	case *sparse.CSR:
		if w := g.sparse(x); w != nil {
			all = w
		}
	case *mat.Dense:
		if y := g.Dense(x); y != nil {
			all = y
		}
	default:
		if y := g.Dense(mat.DenseCopyOf(own)); y != nil {
			all = y
		}
	}
	if g.rows == nil {
		g.rows = map[mat.Matrix]mat.Matrix{}
	}
	g.rows[own] = all
	return all
}

// sparse is Rows of sparse rows.
func (g *Gathering) sparse(own *sparse.CSR) *sparse.CSR {
	if g.Count {
		g.CountSparse(own.NumRows, len(own.Col))
		return nil
	}
	if g.Apart {
		return own
	}
	lengths := make([]int, own.NumRows)
	for i := range lengths {
		lengths[i] = own.RowPtr[i+1] - own.RowPtr[i]
	}
	lengths = g.Ints(lengths)
	cols := join(g, own.Col, 4, ranks.IntBytes, ranks.Ints)
	vals := g.Floats(own.Val)
	if g.Share.Rank() > 0 {
		return nil
	}
	all := &sparse.CSR{NumRows: len(lengths), NumCols: own.NumCols, RowPtr: make([]int, len(lengths)+1), Col: cols, Val: vals}
	for i, n := range lengths {
		all.RowPtr[i+1] = all.RowPtr[i] + n
	}
	return all
}
