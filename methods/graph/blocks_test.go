package graph

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph/internal/graphtest"
	"gonum.org/v1/gonum/mat"
)

// A graph by blocks, of any number and in any order, is the graph of one search, bit for bit.
func TestBlocksGiveTheSameGraph(t *testing.T) {
	for name, x := range graphtest.Cases() {
		for _, opt := range []Options{{}, {Neighbors: 6, Weight: Heat, HeatRule: LocalWidth}} {
			opt.Search = ExactSearch
			want := must.Get(Build(context.Background(), x, opt))(t)
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
					got := must.Get(Build(ctx, x, opt))(t)
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s, %d blocks, %s: the graph differs", name, blocks, again)
					}
				}
			}
		}
	}
}

// Missing and damaged tiles are named, other rows and other numbers of neighbours have none, and
// searches that are not divided say so.
func TestMissingTiles(t *testing.T) {
	x := graphtest.Rows(300, 100, 10, true, false, 12)
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
	check(Options{}, graphtest.Rows(300, 100, 10, true, false, 13), "10 of 10 tiles")
	check(Options{Epsilon: 1}, x, "‹epsilon›")
	check(Options{Search: ApproxSearch}, x, "approximate")
	files, err := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
	if err != nil || len(files) != 10 {
		t.Fatalf("%d pieces, %v", len(files), err)
	}
	text := must.Get(os.ReadFile(files[3]))(t)
	text[len(text)-5] ^= 4
	must.Do(t, os.WriteFile(files[3], text, 0o666))
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
	x, opt := graphtest.Rows(300, 100, 10, true, false, 12), Options{Search: ExactSearch, Neighbors: 5, Weight: Heat, HeatRule: LocalWidth}
	want := must.Get(Build(context.Background(), x, opt))(t)
	ctx, st := inStore(t)
	if _, err := Build(ctx, x, opt); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(st.Dir, "*.piece"))
	if err != nil || len(files) != 11 {
		t.Fatalf("%d pieces, %v", len(files), err)
	}
	tl := must.Get(tilingOf(ctx, x, opt))(t)
	graphs, err := filepath.Glob(filepath.Join(st.Dir, "affinity-*.piece"))
	if err != nil || len(graphs) != 1 {
		t.Fatalf("%d graphs, %v", len(graphs), err)
	}
	var notes []string
	st.Note = func(text string) { notes = append(notes, text) }
	must.Do(t, os.Remove(graphs[0]))
	other := func(kind string, key store.Key) {
		must.Do(t, st.Write(kind, key, func(e *store.Encoder) { e.Value("of another program"); e.Indices([]int32{1}) }))
	}
	kind, key := tl.Piece(4)
	other(kind, key)
	got, err := Build(ctx, x, opt)
	if err != nil || !reflect.DeepEqual(got, want) || len(notes) != 1 {
		t.Errorf("after another tile: %v, notes %q", err, notes)
	}
	rows, used, err := prepared(ctx, x, opt)
	if err != nil {
		t.Fatal(err)
	}
	other("affinity", graphKey(rows, used))
	got, err = Build(ctx, x, opt)
	if err != nil || !reflect.DeepEqual(got, want) || len(notes) != 2 || !strings.Contains(notes[1], graphs[0]) {
		t.Errorf("after another graph: %v, notes %q", err, notes)
	}
}

// inStore is a context with a new store.
func inStore(t *testing.T) (context.Context, *store.Store) {
	t.Helper()
	s := must.Get(store.Open(t.TempDir(), store.Header{}))(t)
	return store.With(context.Background(), s), s
}
