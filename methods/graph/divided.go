package graph

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// divided finds the neighbours of the rows with the ranks of a team: each searches its share of the
// tiles. The candidates of a row go to the rank that owns it, which keeps the best, and these to
// all ranks. The result is that of [Nearest] on every rank, bit for bit, because the best
// candidates do not depend on the tile that has them.
//
// A rank receives at most 2·(12·k + 4) bytes per row, whatever the number of ranks.
func (o Options) divided(ctx context.Context, team ranks.Team, x mat.Matrix) (*KNN, error) {
	t, err := newTiling(x, o.Neighbors)
	if err != nil {
		return nil, err
	}
	// A tile costs more than its share of one search, and the result does not depend on the tiles: as
	// many bands as ranks share the work equally.
	t.bands = min(t.bands, team.Size())
	n, _ := x.Dims()
	measure, unit, loop, err := t.measures()
	if err != nil {
		return nil, err
	}
	h, progress := newHeaps(n, t.k, unit), newTicker(o.Observer, n)
	var own []int
	if team.Rank() < t.count() {
		own = t.share(team.Rank()+1, min(team.Size(), t.count()))
	}
	for _, tile := range own {
		a, b := t.ends(tile)
		part, err := t.search(ctx, a, b, h)
		if err != nil {
			return nil, err
		}
		if err := t.merge(h, tile, t.encode(part, a, b)); err != nil {
			return nil, err
		}
		progress.add(float64(n) / float64(len(own)))
	}
	if err := t.exchange(team, h); err != nil {
		return nil, err
	}
	g, err := h.lists(ctx, loop, measure)
	if err == nil {
		progress.finish()
	}
	return g, err
}

// exchange gives the heaps of all ranks the best candidates of all of them.
func (t *tiling) exchange(team ranks.Team, h *heaps) error {
	n, _ := t.x.Dims()
	part := func(rank int) []byte {
		lo, hi := ranks.Part(team, rank, n)
		return t.encodeRows(h, lo, hi)
	}
	parts := make([][]byte, team.Size())
	for r := range parts {
		if r != team.Rank() {
			parts[r] = part(r)
		}
	}
	lo, hi := ranks.Part(team, team.Rank(), n)
	for from, p := range team.Exchange(parts) {
		if from == team.Rank() {
			continue
		}
		if err := t.mergeRows(h, lo, hi, p); err != nil {
			return err
		}
	}
	for from, p := range ranks.Gather(team, part(team.Rank())) {
		if from == team.Rank() {
			continue
		}
		lo, hi := ranks.Part(team, from, n)
		h.empty(lo, hi)
		if err := t.mergeRows(h, lo, hi, p); err != nil {
			return err
		}
	}
	return nil
}

// encodeRows writes the candidates of the rows from lo up to hi.
func (t *tiling) encodeRows(h *heaps, lo, hi int) []byte {
	out := make([]byte, 0, (hi-lo)*(4+12*h.k))
	for i := lo; i < hi; i++ {
		out = h.appendRow(out, i, nil)
	}
	return out
}

// mergeRows offers the candidates that another rank has for the rows from lo up to hi.
func (t *tiling) mergeRows(h *heaps, lo, hi int, piece []byte) error {
	list := make([]int, hi-lo)
	for i := range list {
		list[i] = lo + i
	}
	if !t.offerAll(h, list, piece) {
		return invalid.Errorf("the candidates of another rank for documents %d-%d do not fit them: give all ranks the same documents", lo+1, hi)
	}
	return nil
}

// empty removes the candidates of the rows from lo up to hi.
func (h *heaps) empty(lo, hi int) {
	for i := lo; i < hi; i++ {
		h.count[i] = 0
		h.floor[i].Store(math.Float64bits(math.Inf(-1)))
	}
}
