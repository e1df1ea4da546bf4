package exact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

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

// Tiling divides an exact search for neighbours into tiles: pairs of bands of rows. A tile finds
// the k best candidates of each of its rows among the pairs that it has. Every pair is in one tile,
// so the best candidates of all tiles are the neighbours, whichever tile comes first. Bands depend
// on the number of rows alone.
//
// A tile leaves out what cannot be a neighbour: candidates that are farther than the k best that
// the process knows from other tiles. So its piece depends on what was known, and the neighbours do
// not: less than k candidates are nearer than a neighbour, so no tile leaves it out.
//
// A piece has 12 bytes per candidate: all tiles together bands·k·12 bytes per row.
type Tiling struct {
	x      mat.Matrix // as [Stored] returns rows; all sparse ones have entries
	points Points     // of x
	traits Traits
	k      int
	Bands  int
	key    store.Key // of the rows
}

// NewTiling divides the search for k neighbours of the rows of x, stored as [Stored] returns them.
func NewTiling(x mat.Matrix, k int) (*Tiling, error) {
	n, _ := x.Dims()
	t := &Tiling{x: x, k: k, Bands: min(max(n/bandRows, min(n/leastRows, fewBands), 1), mostBands), key: store.Rows(x)}
	var err error
	if t.points, err = newPoints(x); err == nil && t.points.s != nil {
		m := t.points.s
		t.traits = Traits{Unit: m.unit, whole: m.whole, Negative: m.signed, screened: m.screenable(k)}
	}
	return t, err
}

// Count is the number of tiles.
func (t *Tiling) Count() int { return t.Bands * (t.Bands + 1) / 2 }

// band returns the rows of a band.
func (t *Tiling) band(b int) (lo, hi int) {
	n, _ := t.x.Dims()
	return b * n / t.Bands, (b + 1) * n / t.Bands
}

// ends returns the two bands of a tile, the earlier one first.
func (t *Tiling) ends(tile int) (a, b int) {
	b, a = triangle(tile)
	return a, b
}

// name describes a tile, counted from 1, by its rows.
func (t *Tiling) name(tile int) string {
	a, b := t.ends(tile)
	al, ah := t.band(a)
	bl, bh := t.band(b)
	return fmt.Sprintf("tile %d (documents %d-%d and %d-%d)", tile+1, al+1, ah, bl+1, bh)
}

// Piece is the kind and the key of the piece of a tile.
func (t *Tiling) Piece(tile int) (kind string, key store.Key) {
	h := store.NewHasher("neighbours 2")
	h.Text(t.key.String())
	h.Ints([]int{t.k, t.Bands, tile})
	return tileKind, h.Key()
}

// work estimates the cost of each tile: multiply-adds and visits of pairs.
func (t *Tiling) work() []float64 {
	counts := make([][]float64, t.Bands)
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
	list := make([]float64, t.Count())
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
func (t *Tiling) share(i, n int) []int {
	work := t.work()
	order := indices.Falling(work)
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
func (t *Tiling) add(ctx context.Context, st *store.Store, known *heaps, tile int) error {
	var piece []byte
	kind, key := t.Piece(tile)
	err := st.Make(ctx, kind, key, func(d *store.Decoder) { piece = d.AllBytes() }, func() (func(*store.Encoder), error) {
		a, b := t.ends(tile)
		h, err := t.search(ctx, a, b, known)
		if err != nil {
			return nil, err
		}
		piece = h.piece(t.rowsOf(a, b))
		return func(e *store.Encoder) { e.Bytes(piece) }, nil
	})
	if err != nil {
		return err
	}
	if !known.offerPiece(t.rowsOf(t.ends(tile)), piece) {
		return invalid.Errorf("the piece of %s does not fit its rows", t.name(tile))
	}
	return nil
}

// rowsOf lists the rows of a tile in the order of its heaps.
func (t *Tiling) rowsOf(a, b int) []int {
	var list []int
	for _, band := range slices.Compact([]int{a, b}) {
		lo, hi := t.band(band)
		for i := lo; i < hi; i++ {
			list = append(list, i)
		}
	}
	return list
}

// Tiled finds the neighbours of the rows by tiles, which it takes from the store as far as that has
// them. The result is the same as by [Nearest].
func Tiled(ctx context.Context, st *store.Store, x mat.Matrix, k int, obs progress.Observer) (*Lists, error) {
	t, err := NewTiling(x, k)
	if err != nil {
		return nil, err
	}
	all := indices.UpTo(t.Count())
	n, _ := x.Dims()
	ticks := NewTicker(obs, n)
	h, _, err := t.find(ctx, st, all, ticks)
	if err != nil {
		return nil, err
	}
	g, err := h.lists(ctx, parallel.For, t.points.measure)
	if err == nil {
		ticks.Finish()
	}
	return g, err
}

// find searches tiles that the store lacks, and keeps them there. It returns what is found for all
// rows, and how many tiles are done.
func (t *Tiling) find(ctx context.Context, st *store.Store, tiles []int, ticks *Ticker) (known *heaps, done int, err error) {
	n, _ := t.x.Dims()
	known = newHeaps(n, t.k, t.traits.Unit)
	for _, tile := range tiles {
		if err := t.add(ctx, st, known, tile); err != nil {
			return nil, done, err
		}
		done++
		ticks.Add(float64(n) / float64(len(tiles)))
	}
	return known, done, nil
}

// SearchBlock searches the tiles of block i of n, counted from 1, as far as the store lacks them.
// It returns how many tiles are done.
func (t *Tiling) SearchBlock(ctx context.Context, st *store.Store, i, n int, obs progress.Observer) (done int, err error) {
	rows, _ := t.x.Dims()
	ticks := NewTicker(obs, rows)
	if _, done, err = t.find(ctx, st, t.share(i, n), ticks); err == nil {
		ticks.Finish()
	}
	return done, err
}

// Missing names the tiles that the store lacks, and those whose pieces are refused, with the
// reason.
func (t *Tiling) Missing(st *store.Store) (missing, bad []string, err error) {
	for tile := range t.Count() {
		err := st.Check(t.Piece(tile))
		var refused *store.RefusedError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, t.name(tile))
		case errors.As(err, &refused):
			bad = append(bad, t.name(tile)+": "+refused.Error())
		case err != nil:
			return nil, nil, err
		}
	}
	return missing, bad, nil
}

// search finds the candidates of the rows of bands a ≤ b: the rows of a first, then the rows of b.
// known has the heaps of all rows; candidates that score too low for them are left out.
func (t *Tiling) search(ctx context.Context, a, b int, known *heaps) (*heaps, error) {
	rows := t.rowsOf(a, b)
	h := newHeaps(len(rows), t.k, known.unit)
	for r, i := range rows {
		h.floor[r].Store(known.floor[i].Load())
	}
	var later mat.Matrix
	if a != b {
		later = t.between(t.band(b))
	}
	_, err := t.traits.fill(ctx, h, t.between(t.band(a)), later, NewTicker(nil, h.rows()))
	return h, err
}

// between returns the rows from lo up to hi; sparse ones in double precision.
func (t *Tiling) between(lo, hi int) mat.Matrix {
	if t.points.s != nil {
		return Between(t.points.s.rows, lo, hi)
	}
	return denseBetween(t.x, lo, hi)
}
