package geodesic

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// blockBytes is the size of a block of rows that a store keeps: seconds of work.
var blockBytes = 16 << 20

// measureBlocks computes all rows, block by block if there is a store: it has finished blocks, and
// gets those that it lacks.
func (t *Table) measureBlocks(ctx context.Context, lengths *sparse.CSR, obs progress.Observer) error {
	const kind = "distances"
	st := store.From(ctx)
	n := lengths.NumRows
	block := len(t.Sources)
	var graph store.Key
	if st != nil {
		block = max(1, blockBytes/8/n)
		h := store.NewHasher("distances 1")
		h.Matrix(lengths)
		graph = h.Key()
	}
	workers := make([]worker, parallel.Workers(len(t.Sources), 1))
	tell := newCounter(obs, len(t.Sources))
	blocks, kept := 0, 0
	for from := 0; from < len(t.Sources); from += block {
		to := min(from+block, len(t.Sources))
		var key store.Key
		if st != nil {
			h := store.NewHasher(graph.String())
			h.Ints(t.Sources[from:to])
			key = h.Key()
			found, err := st.Read(kind, key, func(d *store.Decoder) {
				for i := from; i < to && !d.Failed(); i++ {
					d.Floats(t.D.RawRowView(i))
				}
			})
			if err != nil {
				return err
			}
			if blocks++; found {
				kept++
				tell.add(to - from)
				continue
			}
		}
		began := time.Now()
		err := t.measureRows(ctx, lengths, workers, from, to, tell)
		if err == nil && st.Worth(time.Since(began)) {
			err = st.Write(kind, key, func(e *store.Encoder) {
				for i := from; i < to; i++ {
					e.Floats(t.D.RawRowView(i))
				}
			})
		}
		if err != nil {
			return err
		}
	}
	if kept > 0 {
		obs.Notef(Stage, "%d of %d blocks of distances %s in %s.", kept, blocks, words.Verb(kept, "is the finished one", "are the finished ones"), st.Dir)
	}
	return nil
}
