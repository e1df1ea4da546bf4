package graph

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// tilingOf is the division of the search that [Build] makes with a store.
func tilingOf(ctx context.Context, x mat.Matrix, opt Options) (*exact.Tiling, error) {
	x, opt, err := prepared(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	if opt.Epsilon > 0 {
		return nil, invalid.Errorf("‹epsilon› joins documents by distance, and only a search for a number of neighbours is divided into blocks: leave ‹block› out, or give ‹neighbors›")
	}
	kept := rows.Filled(x)
	if len(kept) < 2 {
		return nil, invalid.Errorf("fewer than two documents have terms: there is nothing to divide into blocks")
	}
	if n, _ := x.Dims(); len(kept) < n {
		x = exact.KeepRows(x, kept)
	}
	if _, yes := opt.approximately(x); yes {
		return nil, invalid.Errorf("an approximate search is not divided into blocks: give ‹neighbors-method› exact, or leave ‹block› out")
	}
	return exact.NewTiling(x, min(opt.Neighbors, len(kept)-1))
}

// SearchBlock finds the part of the neighbours of the rows of x that block i of n has, counted from
// 1, and puts it into the store of the context. The blocks share the work of [Build] about equally,
// and every pair of rows is in one block. Build with the same store then takes what the blocks
// found: its graph is the same for any n.
//
// done is the number of tiles of the block. It returns the errors of Build, and an error for a
// search that is not divided (ε-graphs, approximate) and for more blocks than tiles.
func SearchBlock(ctx context.Context, x mat.Matrix, opt Options, i, n int) (done int, err error) {
	t, err := tilingOf(ctx, x, opt)
	if err != nil {
		return 0, err
	}
	if n > t.Count() {
		return 0, invalid.Errorf("‹block› %d/%d: the search of %s has %s, so it divides into at most %s", i, n, words.Counted(t.Bands, "band"), words.Counted(t.Count(), "tile"), words.Counted(t.Count(), "block"))
	}
	return t.SearchBlock(ctx, store.From(ctx), i, n, opt.Observer)
}

// CheckBlocks refuses a store that lacks tiles of the search of [Build], or has some that cannot be
// trusted, and names them.
func CheckBlocks(ctx context.Context, x mat.Matrix, opt Options) error {
	t, err := tilingOf(ctx, x, opt)
	if err != nil {
		return err
	}
	st := store.From(ctx)
	missing, bad, err := t.Missing(st)
	if err != nil {
		return err
	}
	if missing == nil && bad == nil {
		return nil
	}
	var why []string
	if missing != nil {
		why = append(why, fmt.Sprintf("%d of %s are missing: %s", len(missing), words.Counted(t.Count(), "tile"), words.Few(missing, 5)))
	}
	if bad != nil {
		why = append(why, words.Few(bad, 5))
	}
	return invalid.Errorf("%s: %s. Run the blocks again, which pass over what is finished", st.Dir, strings.Join(why, "; "))
}
