package approx

import (
	"context"
	"encoding/binary"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// mostCentres is the largest number of centres at a time. A cell of more than twice as many
	// rows as it should have is divided again.
	mostCentres = 2048
	// meanRows is the number of rows, per centre, whose means the centres become, and meanPasses
	// the number of times. On 100,000 abstracts a partition finds 0.58 of the neighbours with them
	// and 0.33 with centres that are rows, at 1 µs per row.
	meanRows   = 24
	meanPasses = 2
)

// cellMaker divides the rows of all ranks at random. The rows that are drawn, and so the centres,
// are on every rank; each rank finds the cells of its own rows. The cells do not depend on the
// number of ranks.
type cellMaker struct {
	drawer
	unit   bool       // sparse rows of length 1
	short  bool       // rows of whole numbers
	cell   int        // rows that a cell should have
	copies int        // the number of cells that a row is in
	rng    *rand.Rand // the same on all ranks
}

// drawer gives all ranks copies of some rows.
type drawer struct {
	x     mat.Matrix   // the own rows as [exact.Stored] returns them; with ranks in double precision
	share *ranks.Share // which of all rows x has; nil: all
	wire  exact.Wire   // of the rows
}

func newDrawer(x mat.Matrix, share *ranks.Share) drawer {
	d := drawer{x: x, share: share}
	if share.Divided() {
		d.wire = exact.WireOf(x)
		d.wire.Cols = exact.MostColumns(share, x)
	}
	return d
}

// rowSet is a set of rows of all ranks, which are numbered through: by rank, then by row.
type rowSet struct {
	rows          []int32 // the own ones, ascending, counted from the first own row
	before, total int     // how many lower ranks have, and how many all have
}

// all is the set of all rows.
func (d *drawer) all() rowSet {
	n, _ := d.x.Dims()
	s := rowSet{rows: make([]int32, n), before: d.share.First(), total: d.share.Among(n)}
	for i := range s.rows {
		s.rows[i] = int32(i)
	}
	return s
}

// sets are the sets of the rows that each rank has in them.
func (d *cellMaker) sets(own [][]int32) []rowSet {
	sets, count := make([]rowSet, len(own)), make([]int, len(own))
	for p, rows := range own {
		count[p] = len(rows)
		sets[p].rows = rows
	}
	before, total := ranks.Before(d.share, count)
	for p := range sets {
		sets[p].before, sets[p].total = before[p], total[p]
	}
	return sets
}

// chunks are parts of size rows of a set, in the order of the rows.
func (s rowSet) chunks(size int) []rowSet {
	var list []rowSet
	for lo := 0; lo < s.total; lo += size {
		hi := min(lo+size, s.total)
		a, b := min(max(lo-s.before, 0), len(s.rows)), min(max(hi-s.before, 0), len(s.rows))
		list = append(list, rowSet{rows: s.rows[a:b:b], before: max(0, min(s.before, hi)-lo), total: hi - lo})
	}
	return list
}

// divide appends cells of a set, with each row in the given number of them. All ranks call it.
func (d *cellMaker) divide(ctx context.Context, set rowSet, copies int, cells *[]rowSet) error {
	if set.total <= 2*d.cell {
		*cells = append(*cells, set)
		return nil
	}
	count := min(max(2, copies*set.total/d.cell), mostCentres, set.total)
	copies = min(copies, count)
	drawn := d.gather(set, draw(d.rng, set.total, min(set.total, count*meanRows)))
	var near []int32
	centres, err := d.centres(ctx, drawn, count)
	if err == nil {
		near, err = assign(ctx, d.x, set.rows, set.before, centres, copies, d.unit, d.short)
	}
	if err = ranks.Agree(d.share, err); err != nil {
		return err
	}
	parts := make([][]int32, count)
	for r, p := range near {
		if p >= 0 {
			parts[p] = append(parts[p], set.rows[r/copies])
		}
	}
	for _, part := range d.sets(parts) {
		if part.total > set.total*9/10 {
			// Rows that no centre separates, such as copies of one row.
			*cells = append(*cells, part.chunks(2*d.cell)...)
		} else if part.total > 1 {
			if err := d.divide(ctx, part, 1, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw returns m of the first n numbers, drawn without replacement: the first m steps of a shuffle,
// which keeps in memory what it moved. O(m).
func draw(rng *rand.Rand, n, m int) []int {
	moved := make(map[int]int, m)
	at := func(p int) int {
		if v, ok := moved[p]; ok {
			return v
		}
		return p
	}
	out := make([]int, m)
	for i := range out {
		j := i + rng.IntN(n-i)
		out[i] = at(j)
		moved[j] = at(i)
	}
	return out
}

// gather copies the rows of a set with the given numbers, in double precision. Every rank gets all
// of them.
func (d *drawer) gather(set rowSet, numbers []int) mat.Matrix {
	if !d.share.Divided() {
		rows := make([]int, len(numbers))
		for r, at := range numbers {
			rows[r] = int(set.rows[at])
		}
		return exact.SelectRows(d.x, rows)
	}
	w := d.wire
	var own []byte
	for r, at := range numbers {
		if at -= set.before; at >= 0 && at < len(set.rows) {
			own = binary.LittleEndian.AppendUint32(own, uint32(r))
			own = w.Put(own, d.x, int(set.rows[at]))
		}
	}
	records := make([][]byte, len(numbers))
	for _, part := range ranks.Gather(d.share, own) {
		for len(part) > 0 {
			r := binary.LittleEndian.Uint32(part)
			records[r], part = w.Cut(part[4:])
		}
	}
	return w.Rows(records)
}

// centres returns count means of the rows drawn near each of the first ones.
func (d *cellMaker) centres(ctx context.Context, drawn mat.Matrix, count int) (mat.Matrix, error) {
	n, _ := drawn.Dims()
	all := exact.InOrder(n)
	var centres mat.Matrix = exact.SelectRows(drawn, indices.Ints(all[:count]))
	for range meanPasses {
		near, err := assign(ctx, drawn, all, 0, centres, 1, d.unit, d.short)
		if err != nil {
			return nil, err
		}
		members := make([][]int32, count)
		for r, p := range near {
			if p >= 0 {
				members[p] = append(members[p], int32(r))
			}
		}
		switch x := drawn.(type) {
		case *sparse.CSR:
			centres, err = sparseMeans(ctx, x, centres.(*sparse.CSR), members, d.unit)
		case *mat.Dense:
			centres = denseMeans(x, centres.(*mat.Dense), members)
		}
		if err != nil {
			return nil, err
		}
	}
	return centres, nil
}

// newCellMaker makes the maker of cells, of rows the lists of which have the given width.
func newCellMaker(d drawer, kind rowKind, cell, width int, rng *rand.Rand) cellMaker {
	m := cellMaker{drawer: d, unit: kind.traits.Unit, short: kind.short, cell: cell, copies: cellsOfRow, rng: rng}
	switch {
	case kind.short:
		m.cell, m.copies = max(cell*imageCell/CellRows, 4*width), imageCells
	case !m.unit:
		m.cell = max(cell/otherShare, 4*width)
	}
	return m
}
