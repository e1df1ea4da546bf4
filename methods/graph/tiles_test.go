package graph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// inStore is a context with a new store.
func inStore(t *testing.T) (context.Context, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Header{})
	if err != nil {
		t.Fatal(err)
	}
	return store.With(context.Background(), s), s
}

// tileRowsOf makes rows with copies, of length 1 or not, sparse or dense, with empty rows or not.
func tileRowsOf(n, cols, entries int, unit, empty bool, seed uint64) *sparse.CSR {
	r := rand.New(rand.NewPCG(seed, 1))
	x := &sparse.CSR{NumCols: cols, RowPtr: []int{0}}
	add := func(at []int32, vals []float64) {
		x.Col, x.Val = append(x.Col, at...), append(x.Val, vals...)
		x.NumRows++
		x.RowPtr = append(x.RowPtr, len(x.Col))
	}
	for i := range n {
		if empty && i%37 == 5 {
			add(nil, nil)
			continue
		}
		if i > 10 && i%9 == 0 {
			at, vals := x.Row(r.IntN(i))
			add(slices.Clone(at), slices.Clone(vals))
			continue
		}
		set := map[int32]bool{}
		for range entries {
			set[int32(r.IntN(1+r.IntN(cols)))] = true
		}
		var at []int32
		for c := range set {
			at = append(at, c)
		}
		slices.Sort(at)
		vals, sum := make([]float64, len(at)), 0.0
		for k := range vals {
			vals[k] = 0.1 + r.Float64()
			sum += vals[k] * vals[k]
		}
		if unit {
			x0 := &sparse.CSR{NumRows: 1, NumCols: cols, RowPtr: []int{0, len(at)}, Col: at, Val: vals}
			vals = x0.ScaleRows([]float64{1 / math.Sqrt(sum)}).Val
		}
		add(at, vals)
	}
	return x
}

func tileCases() map[string]mat.Matrix {
	dense := mat.DenseCopyOf(tileRowsOf(300, 12, 6, false, false, 5))
	whole := mat.NewDense(200, 3, nil)
	r := rand.New(rand.NewPCG(3, 3))
	whole.Apply(func(int, int, float64) float64 { return float64(r.IntN(6)) }, whole)
	return map[string]mat.Matrix{
		"length 1":             tileRowsOf(700, 300, 20, true, false, 1),
		"length 1, few common": tileRowsOf(400, 5000, 5, true, false, 2),
		"length 1, empty rows": tileRowsOf(500, 200, 15, true, true, 3),
		"other lengths":        tileRowsOf(350, 100, 8, false, true, 4),
		"dense":                dense,
		"dense whole numbers":  whole,
		"one band":             tileRowsOf(40, 30, 5, true, false, 6),
	}
}

// A graph by blocks, of any number and in any order, is the graph of one search, bit for bit.
func TestBlocksGiveTheSameGraph(t *testing.T) {
	for name, x := range tileCases() {
		for _, opt := range []Options{{}, {Neighbors: 6, Weight: Heat, HeatRule: LocalWidth}} {
			opt.Search = ExactSearch
			want, err := Build(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, blocks := range []int{1, 2, 3, 7} {
				ctx, _ := inStore(t)
				order := rand.New(rand.NewPCG(uint64(blocks), 9)).Perm(blocks)
				total := 0
				for _, i := range order {
					done, err := SearchBlock(ctx, x, opt, i+1, blocks)
					if err != nil && blocks > 1 && strings.Contains(err.Error(), "it divides into at most") {
						break
					}
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					total += done
				}
				if total == 0 {
					continue
				}
				if err := CheckBlocks(ctx, x, opt); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for _, again := range []string{"merged", "finished"} {
					got, err := Build(ctx, x, opt)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s, %d blocks, %s: the graph differs", name, blocks, again)
					}
				}
			}
		}
	}
}

// The screen decides nothing: with it and without it a tile has the same candidates.
func TestTilesWithAndWithoutScreen(t *testing.T) {
	x := tileRowsOf(700, 300, 20, true, false, 8)
	a, err := newTiling(x, 15)
	if err != nil {
		t.Fatal(err)
	}
	if !a.screened {
		t.Fatal("the case is not screened")
	}
	b := *a
	b.screened = false
	for tile := range a.count() {
		p, q := a.ends(tile)
		lists := [2][]string{}
		for k, of := range []*tiling{a, &b} {
			h, err := of.search(context.Background(), p, q, newHeaps(x.NumRows, of.k, of.rows.unit))
			if err != nil {
				t.Fatal(err)
			}
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

// Tiles leave out what others have better, so their pieces depend on the order of the search. The
// graph does not: not on the order, and not on pieces that were lost and found again when others
// were known.
func TestLostTilesAreFoundAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for name, x := range tileCases() {
		opt := Options{Neighbors: 6, Search: ExactSearch}
		want, err := Build(context.Background(), x, opt)
		if err != nil {
			t.Fatal(err)
		}
		tl, err := tilingOf(context.Background(), x, opt)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 6 {
			ctx, st := inStore(t)
			n, _ := tl.x.Dims()
			for range 3 {
				_, unit, _, err := tl.measures()
				if err != nil {
					t.Fatal(err)
				}
				known := newHeaps(n, tl.k, unit)
				for _, tile := range r.Perm(tl.count()) {
					if err := tl.add(ctx, st, known, tile); err != nil {
						t.Fatal(err)
					}
				}
				pieces, _ := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
				for _, p := range pieces {
					if r.IntN(2) == 0 {
						if err := os.Remove(p); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			got, err := Build(ctx, x, opt)
			if err != nil || !reflect.DeepEqual(got.W, want.W) {
				t.Errorf("%s, round %d: another graph (%v)", name, round, err)
			}
		}
	}
}

// Blocks share the tiles and the work: each tile is in one block, and no block has much more work
// than the mean.
func TestBlocksShareTheWork(t *testing.T) {
	x := tileRowsOf(2000, 500, 15, true, false, 11)
	tl, err := newTiling(x, 10)
	if err != nil {
		t.Fatal(err)
	}
	tl.bands = mostBands
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
		if len(seen) != tl.count() || seen[0] != 0 || seen[len(seen)-1] != tl.count()-1 || len(slices.Compact(seen)) != tl.count() {
			t.Errorf("%d blocks: tiles %v", blocks, seen)
		}
	}
}

// Missing and damaged tiles are named, other rows and other numbers of neighbours have none, and
// searches that are not divided say so.
func TestMissingTiles(t *testing.T) {
	x := tileRowsOf(300, 100, 10, true, false, 12)
	ctx, st := inStore(t)
	check := func(opt Options, x mat.Matrix, parts ...string) {
		t.Helper()
		err := CheckBlocks(ctx, x, opt)
		if !errors.Is(err, fs.ErrInvalid) {
			t.Fatalf("%v", err)
		}
		for _, p := range parts {
			if !strings.Contains(err.Error(), p) {
				t.Errorf("%v does not say %q", err, p)
			}
		}
	}
	if _, err := SearchBlock(ctx, x, Options{}, 1, 2); err != nil {
		t.Fatal(err)
	}
	check(Options{}, x, "of 10 tiles are missing", "documents ", st.Dir)
	if _, err := SearchBlock(ctx, x, Options{}, 2, 2); err != nil {
		t.Fatal(err)
	}
	if err := CheckBlocks(ctx, x, Options{Weight: Binary}); err != nil {
		t.Errorf("other weights need no other search: %v", err)
	}
	check(Options{Neighbors: 14}, x, "10 of 10 tiles")
	check(Options{}, tileRowsOf(300, 100, 10, true, false, 13), "10 of 10 tiles")
	check(Options{Epsilon: 1}, x, "‹epsilon›")
	check(Options{Search: ApproxSearch}, x, "approximate")
	files, err := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
	if err != nil || len(files) != 10 {
		t.Fatalf("%d pieces, %v", len(files), err)
	}
	text, err := os.ReadFile(files[3])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-5] ^= 4
	if err := os.WriteFile(files[3], text, 0o666); err != nil {
		t.Fatal(err)
	}
	check(Options{}, x, files[3], "checksum")
	want, _ := Build(context.Background(), x, Options{})
	got, err := Build(ctx, x, Options{})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("a damaged piece was not made again: %v", err)
	}
	if _, err := SearchBlock(ctx, x, Options{}, 1, 11); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "at most 10 blocks") {
		t.Errorf("too many blocks: %v", err)
	}
}

// TestOtherPieces: what is under the key of a graph or of a tile and has another form is refused,
// named and made again.
func TestOtherPieces(t *testing.T) {
	x, opt := tileRowsOf(300, 100, 10, true, false, 12), Options{Search: ExactSearch, Neighbors: 5, Weight: Heat, HeatRule: LocalWidth}
	want, err := Build(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, st := inStore(t)
	if _, err := Build(ctx, x, opt); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
	if err != nil || len(files) != 11 {
		t.Fatalf("%d pieces, %v", len(files), err)
	}
	tl, err := tilingOf(ctx, x, opt)
	if err != nil {
		t.Fatal(err)
	}
	graphs, err := filepath.Glob(filepath.Join(st.Dir, "affinity-*.piece"))
	if err != nil || len(graphs) != 1 {
		t.Fatalf("%d graphs, %v", len(graphs), err)
	}
	var notes []string
	st.Note = func(text string) { notes = append(notes, text) }
	if err := os.Remove(graphs[0]); err != nil {
		t.Fatal(err)
	}
	other := func(kind string, key store.Key) {
		if err := st.Write(kind, key, func(e *store.Encoder) { e.Value("of another program"); e.Indices([]int32{1}) }); err != nil {
			t.Fatal(err)
		}
	}
	other(tileKind, tl.keyOf(4))
	got, err := Build(ctx, x, opt)
	if err != nil || !reflect.DeepEqual(got, want) || len(notes) != 1 {
		t.Errorf("after another tile: %v, notes %q", err, notes)
	}
	rows, _, used, err := prepared(ctx, x, opt)
	if err != nil {
		t.Fatal(err)
	}
	other("affinity", graphKey(rows, used))
	got, err = Build(ctx, x, opt)
	if err != nil || !reflect.DeepEqual(got, want) || len(notes) != 2 || !strings.Contains(notes[1], graphs[0]) {
		t.Errorf("after another graph: %v, notes %q", err, notes)
	}
}
