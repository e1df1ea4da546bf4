package exact

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
)

// The screen decides nothing: with it and without it a tile has the same candidates.
func TestTilesWithAndWithoutScreen(t *testing.T) {
	x := graphtest.Rows(700, 300, 20, true, false, 8)
	a := must.Get(NewTiling(x, 15))(t)
	if !a.traits.screened {
		t.Fatal("the case is not screened")
	}
	b := *a
	b.traits.screened = false
	for tile := range a.Count() {
		p, q := a.ends(tile)
		lists := [2][]string{}
		for k, of := range []*Tiling{a, &b} {
			h := must.Get(of.search(context.Background(), p, q, newHeaps(x.NumRows, of.k, of.traits.Unit)))(t)
			for i := range h.rows() {
				var row []string
				for c := range h.count[i] {
					at := i*h.k + int(c)
					row = append(row, fmt.Sprint(h.index[at], h.score[at]))
				}
				slices.Sort(row)
				lists[k] = append(lists[k], strings.Join(row, ";"))
			}
		}
		if !slices.Equal(lists[0], lists[1]) {
			t.Errorf("%s differs", a.name(tile))
		}
	}
}

// Blocks share the tiles and the work: each tile is in one block, and no block has much more work
// than the mean.
func TestBlocksShareTheWork(t *testing.T) {
	x := graphtest.Rows(2000, 500, 15, true, false, 11)
	tl := must.Get(NewTiling(x, 10))(t)
	tl.Bands = mostBands
	work, all := tl.work(), 0.0
	for _, w := range work {
		all += w
	}
	for _, blocks := range []int{1, 2, 4, 5, 16, 40} {
		var seen []int
		for i := range blocks {
			load := 0.0
			for _, tile := range tl.share(i+1, blocks) {
				seen = append(seen, tile)
				load += work[tile]
			}
			if mean := all / float64(blocks); load > 1.2*mean {
				t.Errorf("block %d of %d has %.2f times the mean", i+1, blocks, load/mean)
			}
		}
		slices.Sort(seen)
		if len(seen) != tl.Count() || seen[0] != 0 || seen[len(seen)-1] != tl.Count()-1 || len(slices.Compact(seen)) != tl.Count() {
			t.Errorf("%d blocks: tiles %v", blocks, seen)
		}
	}
}

// Tiles leave out what others have better, so their pieces depend on the order of the search. The
// neighbours do not: not on the order, and not on pieces that were lost and found again when others
// were known.
func TestLostTilesAreFoundAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for name, x := range graphtest.Cases() {
		const k = 6
		x = KeepRows(x, rows.Filled(x))
		want := must.Get(nearestAlone(background, x, k))(t)
		tl := must.Get(NewTiling(x, k))(t)
		for round := range 6 {
			ctx, st := inStore(t)
			n, _ := tl.x.Dims()
			for range 3 {
				known := newHeaps(n, tl.k, tl.traits.Unit)
				for _, tile := range r.Perm(tl.Count()) {
					must.Do(t, tl.add(ctx, st, known, tile))
				}
				pieces, _ := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
				for _, p := range pieces {
					if r.IntN(2) == 0 {
						must.Do(t, os.Remove(p))
					}
				}
			}
			got, err := Tiled(ctx, st, x, k, nil)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, round %d: other neighbours (%v)", name, round, err)
			}
		}
	}
}

// inStore is a context with a new store.
func inStore(t *testing.T) (context.Context, *store.Store) {
	t.Helper()
	s := must.Get(store.Open(t.TempDir(), store.Header{}))(t)
	return store.With(context.Background(), s), s
}
