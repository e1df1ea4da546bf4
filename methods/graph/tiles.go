package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// MostTiles is the largest number of tiles of a search for neighbours, and so of its blocks.
const MostTiles = mostBands * (mostBands + 1) / 2

const (
	// mostBands is the number of bands of rows of a large corpus. A band of fewer than bandRows rows
	// costs more per pair, so small corpora have fewBands bands of leastRows rows or more.
	mostBands = 16
	bandRows  = 1024
	fewBands  = 4
	leastRows = 64
	// tileKind is the kind of the pieces of a store.
	tileKind = "neighbours"
)

// tiling divides an exact search for neighbours into tiles: pairs of bands of rows. A tile finds
// the k best candidates of each of its rows among the pairs that it has. Every pair is in one tile,
// so the best candidates of all tiles are the neighbours, whichever tile comes first. Bands depend
// on the number of rows alone.
//
// A tile leaves out what cannot be a neighbour: candidates that are farther than the k best that
// the process knows from other tiles. So its piece depends on what was known, and the neighbours do
// not: less than k candidates are nearer than a neighbour, so no tile leaves it out.
//
// A piece has 12 bytes per candidate: all tiles together bands·k·12 bytes per row.
type tiling struct {
	x     mat.Matrix // as [stored] returns rows; all sparse ones have entries
	rows  *sparseRows
	k     int
	bands int
	key   store.Key // of the rows
	// screened: tiles of sparse rows are searched in float32 first.
	screened bool
}

func newTiling(x mat.Matrix, k int) (*tiling, error) {
	n, _ := x.Dims()
	t := &tiling{x: x, k: k, bands: min(max(n/bandRows, min(n/leastRows, fewBands), 1), mostBands), key: store.Rows(x)}
	s, ok := x.(sparse.Rows)
	if !ok {
		_, err := newDenseRows(x, nil) // checks the rows
		return t, err
	}
	var err error
	if t.rows, err = newSparseRows(s, 0); err == nil {
		t.screened = t.rows.screenable()
	}
	return t, err
}

// count is the number of tiles.
func (t *tiling) count() int { return t.bands * (t.bands + 1) / 2 }

// band returns the rows of a band.
func (t *tiling) band(b int) (lo, hi int) {
	n, _ := t.x.Dims()
	return b * n / t.bands, (b + 1) * n / t.bands
}

// ends returns the two bands of a tile, the earlier one first.
func (t *tiling) ends(tile int) (a, b int) {
	b, a = triangle(tile)
	return a, b
}

// name describes a tile, counted from 1, by its rows.
func (t *tiling) name(tile int) string {
	a, b := t.ends(tile)
	al, ah := t.band(a)
	bl, bh := t.band(b)
	return fmt.Sprintf("tile %d (documents %d-%d and %d-%d)", tile+1, al+1, ah, bl+1, bh)
}

// keyOf is the key of the piece of a tile.
func (t *tiling) keyOf(tile int) store.Key {
	h := store.NewHasher("neighbours 2")
	h.Text(t.key.String())
	h.Ints([]int{t.k, t.bands, tile})
	return h.Key()
}

// work estimates the cost of each tile: multiply-adds and visits of pairs.
func (t *tiling) work() []float64 {
	counts := make([][]float64, t.bands)
	if rows, ok := t.x.(sparse.Rows); ok {
		s := rows.Pattern()
		for b := range counts {
			lo, hi := t.band(b)
			counts[b] = make([]float64, s.NumCols)
			for _, c := range s.Col[s.RowPtr[lo]:s.RowPtr[hi]] {
				counts[b][c]++
			}
		}
	}
	list := make([]float64, t.count())
	for tile := range list {
		a, b := t.ends(tile)
		al, ah := t.band(a)
		bl, bh := t.band(b)
		list[tile] = float64(ah-al) * float64(bh-bl)
		for c, v := range counts[a] {
			list[tile] += v * counts[b][c]
		}
		if a == b {
			list[tile] /= 2
		}
	}
	return list
}

// share lists the tiles of block i of n, counted from 1, so that all blocks have about the same
// work: the largest tile goes to the block that has the least.
func (t *tiling) share(i, n int) []int {
	work := t.work()
	order := make([]int, len(work))
	for tile := range order {
		order[tile] = tile
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(work[q], work[p]) })
	load := make([]float64, n)
	var own []int
	for _, tile := range order {
		least := 0
		for block, w := range load {
			if w < load[least] {
				least = block
			}
		}
		load[least] += work[tile]
		if least == i-1 {
			own = append(own, tile)
		}
	}
	slices.Sort(own)
	return own
}

// add offers the heaps of all rows the candidates of a tile's piece, which is searched if the store
// has none.
func (t *tiling) add(ctx context.Context, st *store.Store, known *heaps, tile int) error {
	var piece []byte
	err := st.Make(ctx, tileKind, t.keyOf(tile), func(d *store.Decoder) { piece = d.AllBytes() }, func() (func(*store.Encoder), error) {
		a, b := t.ends(tile)
		h, err := t.search(ctx, a, b, known)
		if err != nil {
			return nil, err
		}
		piece = t.encode(h, a, b)
		return func(e *store.Encoder) { e.Bytes(piece) }, nil
	})
	if err != nil {
		return err
	}
	return t.merge(known, tile, piece)
}

// rowsOf lists the rows of a tile in the order of its heaps.
func (t *tiling) rowsOf(a, b int) []int {
	var list []int
	for _, band := range slices.Compact([]int{a, b}) {
		lo, hi := t.band(band)
		for i := lo; i < hi; i++ {
			list = append(list, i)
		}
	}
	return list
}

// encode writes the candidates of each row: their number, then the row and the score of each.
func (t *tiling) encode(h *heaps, a, b int) []byte {
	rows := t.rowsOf(a, b)
	out := make([]byte, 0, len(rows)*(4+12*h.k))
	for r := range rows {
		out = h.appendRow(out, r, rows)
	}
	return out
}

// appendRow writes the candidates of row r; rows are the numbers of the heaps' rows, nil for their
// own.
func (h *heaps) appendRow(out []byte, r int, rows []int) []byte {
	count := int(h.count[r])
	out = binary.LittleEndian.AppendUint32(out, uint32(count))
	for c := range count {
		j := int(h.index[r*h.k+c])
		if rows != nil {
			j = rows[j]
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(j))
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(h.score[r*h.k+c]))
	}
	return out
}

// merge offers the candidates of a tile's piece to the heaps of all rows.
func (t *tiling) merge(h *heaps, tile int, piece []byte) error {
	if !t.offerAll(h, t.rowsOf(t.ends(tile)), piece) {
		return invalid.Errorf("the piece of %s does not fit its rows", t.name(tile))
	}
	return nil
}

// offerAll offers the candidates of a piece to the heaps of its rows. It returns false if they do
// not fit.
func (t *tiling) offerAll(h *heaps, rows []int, piece []byte) bool {
	n, _ := t.x.Dims()
	for _, i := range rows {
		if len(piece) < 4 {
			return false
		}
		count := int(binary.LittleEndian.Uint32(piece))
		if piece = piece[4:]; count > t.k || len(piece) < 12*count {
			return false
		}
		for range count {
			j := binary.LittleEndian.Uint32(piece)
			if int64(j) >= int64(n) || int(j) == i {
				return false
			}
			h.offer(i, int32(j), math.Float64frombits(binary.LittleEndian.Uint64(piece[4:])))
			piece = piece[12:]
		}
	}
	return len(piece) == 0
}

// tiled finds the neighbours of the rows by tiles, which it takes from the store as far as that has
// them. The result is that of [Nearest].
func (o Options) tiled(ctx context.Context, st *store.Store, x mat.Matrix) (*KNN, error) {
	t, err := newTiling(x, o.Neighbors)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	measure, unit, loop, err := t.measures()
	if err != nil {
		return nil, err
	}
	h, progress := newHeaps(n, t.k, unit), newTicker(o.Observer, n)
	for tile := range t.count() {
		if err := t.add(ctx, st, h, tile); err != nil {
			return nil, err
		}
		progress.add(float64(n) / float64(t.count()))
	}
	g, err := h.lists(ctx, loop, measure)
	if err == nil {
		progress.finish()
	}
	return g, err
}

// tilingOf is the division of the search that [Build] makes with a store.
func tilingOf(ctx context.Context, x mat.Matrix, opt Options) (*tiling, error) {
	s, d, opt, err := prepared(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	if opt.Epsilon > 0 {
		return nil, invalid.Errorf("‹epsilon› joins documents by distance, and only a search for a number of neighbours is divided into blocks: leave ‹block› out, or give ‹neighbors›")
	}
	divided := func(x mat.Matrix) error {
		if opt.Search.approximately(x) {
			return invalid.Errorf("an approximate search is not divided into blocks: give ‹neighbors-method› exact, or leave ‹block› out")
		}
		return nil
	}
	if x = d; s != nil {
		x = s
	}
	kept := keptRows(x)
	if len(kept) < 2 {
		return nil, invalid.Errorf("fewer than two documents have terms: there is nothing to divide into blocks")
	}
	if n, _ := x.Dims(); len(kept) < n {
		x = keepRows(x, kept)
	}
	if err := divided(x); err != nil {
		return nil, err
	}
	return newTiling(x, min(opt.Neighbors, len(kept)-1))
}

// SearchBlock finds the part of the neighbours of the rows of x that block i of n has, counted from
// 1, and puts it into the store of the context. The blocks share the work of [Build] about equally,
// and every pair of rows is in one block. Build with the same store then takes what the blocks
// found: its graph is the same for any n.
//
// Errors: those of Build, a search that is not divided (ε-graphs, approximate), and more blocks
// than tiles. done counts the tiles of the block.
func SearchBlock(ctx context.Context, x mat.Matrix, opt Options, i, n int) (done int, err error) {
	t, err := tilingOf(ctx, x, opt)
	if err != nil {
		return 0, err
	}
	if n > t.count() {
		return 0, invalid.Errorf("‹block› %d/%d: the search of %s has %s, so it divides into at most %s", i, n, words.Counted(t.bands, "band"), words.Counted(t.count(), "tile"), words.Counted(t.count(), "block"))
	}
	_, unit, _, err := t.measures()
	if err != nil {
		return 0, err
	}
	own := t.share(i, n)
	rows, _ := t.x.Dims()
	known, progress := newHeaps(rows, t.k, unit), newTicker(opt.Observer, rows)
	for _, tile := range own {
		if err := t.add(ctx, store.From(ctx), known, tile); err != nil {
			return done, err
		}
		done++
		progress.add(float64(rows) / float64(len(own)))
	}
	progress.finish()
	return done, nil
}

// CheckBlocks refuses a store that lacks tiles of the search of [Build], or has some that cannot be
// trusted, and names them.
func CheckBlocks(ctx context.Context, x mat.Matrix, opt Options) error {
	t, err := tilingOf(ctx, x, opt)
	if err != nil {
		return err
	}
	st := store.From(ctx)
	var missing, bad []string
	for tile := range t.count() {
		err := st.Check(tileKind, t.keyOf(tile))
		var refused *store.RefusedError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, t.name(tile))
		case errors.As(err, &refused):
			bad = append(bad, t.name(tile)+": "+refused.Error())
		case err != nil:
			return err
		}
	}
	if missing == nil && bad == nil {
		return nil
	}
	var why []string
	if missing != nil {
		why = append(why, fmt.Sprintf("%d of %s are missing: %s", len(missing), words.Counted(t.count(), "tile"), words.Few(missing, 5)))
	}
	if bad != nil {
		why = append(why, words.Few(bad, 5))
	}
	return invalid.Errorf("%s: %s. Run the blocks again, which pass over what is finished", st.Dir, strings.Join(why, "; "))
}
