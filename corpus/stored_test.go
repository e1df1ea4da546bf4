package corpus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedCorpora are corpora of each kind: texts in a file and in a folder, sparse and dense
// numbers, with and without labels, ids and terms.
func storedCorpora(t *testing.T) map[string]ReadOptions {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	rewrite(t, in("texts.jsonl"), []byte(`{"id":"a","text":"red green red","label":"x"}
{"id":"b","text":"green blue","label":"y\u0000"}
{"id":"c","text":"blue red"}
`))
	folder := makeFolder(t, map[string]string{"train/one/a.txt": "red green", "train/two/b.txt": "green red", "test/one/c.txt": "red red green"})
	x := must.Get(sparse.NewCSR(3, 4, []int{0, 2, 2, 4}, []int32{0, 3, 1, 3}, []float64{1, 2.5, -1e-300, 4}))(t)
	c := &Corpus{X: x, Labels: []int{1, -1, 0}, ClassNames: []string{"p", "q"}, Terms: []string{"w", "x", "y", "z\xff"}, IDs: []string{"1a", "2b", "3c"}}
	for _, name := range []string{"sparse.npz", "sparse.mtx"} {
		must.Do(t, Write(context.Background(), in(name), c))
	}
	rewrite(t, in("dense.csv"), []byte("1,2,3\n4,5,6.5\n-7,8,9\n"))
	rewrite(t, in("gaps.csv"), []byte("d1,1,,2\nd2,4,,6.5\nd3,,,9\nd4,3,,8\n"))
	rewrite(t, in("filled.csv"), []byte("n,sex,m,of\n1,m,,x\n,f,4,y\n5,m,6,x\n"))
	rewrite(t, in("truth.csv"), []byte("3\n3\n1\n"))
	must.Do(t, os.Symlink(makeFolder(t, map[string]string{"train/one/a.txt": "red green", "train/two/b.txt": "green red"}), in("link")))
	text := TextOptions{MinDF: 1}
	return map[string]ReadOptions{in("texts.jsonl"): {Text: text, Snippets: 9}, folder: {Text: text, Split: []string{"train"}},
		in("link"): {Text: text, Split: []string{"train"}}, in("sparse.npz"): {},
		in("sparse.mtx"): {}, in("dense.csv"): {Labels: in("truth.csv"), IDsFrom: FromOne},
		in("gaps.csv"): {Missing: MissingDropRows}, in("filled.csv"): {Missing: MissingMedian, Categories: true, LabelColumn: "of"}}
}

// TestReadFromStore: a corpus from a piece is the one that is read, whatever happened to the piece.
func TestReadFromStore(t *testing.T) {
	for path, opt := range storedCorpora(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			storetest.Same(t, func(ctx context.Context, o progress.Observer) (*Corpus, error) {
				opt := opt
				opt.Observer = o
				return Read(ctx, path, opt)
			})
		})
	}
}

// TestStoredCorpusIsOfTheseBytes: other bytes, other options, and a file beside that appears or
// goes make another piece; a corpus that was read anew has the new content.
func TestStoredCorpusIsOfTheseBytes(t *testing.T) {
	for path, opt := range storedCorpora(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := storetest.Open(t)
			ctx := store.With(context.Background(), s)
			readAnew := func(what string, opt ReadOptions) {
				t.Helper()
				before := len(storetest.Files(t, s))
				got, err := Read(ctx, path, opt)
				if err != nil {
					t.Fatal(what, err)
				}
				want, err := Read(context.Background(), path, opt)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, %v", what, got, want)
				}
				if after := len(storetest.Files(t, s)); after != before+1 {
					t.Errorf("%s: %d pieces, before %d", what, after, before)
				}
			}
			readAnew("the first time", opt)
			other := opt
			other.Text.NGrams = 2
			readAnew("other options", other)
			if before, ok := strings.CutSuffix(path, ".mtx"); ok {
				must.Do(t, os.Remove(before+labelsSuffix))
				readAnew("without labels beside", opt)
			}
			file := path
			if opt.Split != nil {
				file = filepath.Join(path, "train/one/a.txt")
			}
			old := must.Get(os.ReadFile(file))(t)
			for _, change := range [][2]string{{"red", "blue"}, {"5", "7"}} {
				if text := bytes.Replace(old, []byte(change[0]), []byte(change[1]), 1); !bytes.Equal(text, old) && !strings.HasSuffix(path, ".npz") {
					rewrite(t, file, text)
					readAnew("other bytes", opt)
					break
				}
			}
			if opt.Labels != "" {
				rewrite(t, opt.Labels, []byte("1\n3\n1\n"))
				readAnew("other labels", opt)
			}
			if file != path {
				rewrite(t, filepath.Join(path, "train/two/d.txt"), []byte("red"))
				readAnew("another file", opt)
			}
		})
	}
}

// TestCorpusIsKeptLate: a run that does not know its weighted documents yet writes nothing, keeps
// the corpus when it knows them, and keeps none in a folder of others.
func TestCorpusIsKeptLate(t *testing.T) {
	dir := t.TempDir()
	work, file := filepath.Join(dir, "work"), filepath.Join(dir, "texts.jsonl")
	lines := jsonLinesOf([]string{"a red text", "a green text", "red and green"})
	rewrite(t, file, []byte(lines))
	read := func(data string) (found bool, err error) {
		s := must.Get(store.Before(work, store.Header{Program: "p"}))(t)
		s.Always = true
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, Observer: func(e progress.Event) { found = found || strings.Contains(e.Message, "was read before") }}
		if _, err := Read(store.With(context.Background(), s), file, opt); err != nil {
			t.Fatal(err)
		}
		return found, s.Settle(data)
	}
	if found, err := read("one"); found || err != nil {
		t.Errorf("the first run: %v, %v", found, err)
	}
	if found, err := read("one"); !found || err != nil {
		t.Errorf("the second run: %v, %v", found, err)
	}
	before := names(t, work)
	if found, err := read("two"); !found || err == nil || !strings.Contains(err.Error(), "other documents") {
		t.Errorf("with other weights: %v, %v", found, err)
	}
	rewrite(t, file, []byte(strings.Replace(lines, "red", "blue", 1)))
	if found, err := read("two"); found || err == nil {
		t.Errorf("with other documents: %v, %v", found, err)
	}
	if after := names(t, work); !slices.Equal(before, after) {
		t.Errorf("the folder that was refused has %v and had %v", after, before)
	}
}

func rewrite(t *testing.T, path string, text []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, text, 0o666))
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestSinglePiece: the piece of a corpus in single precision has the bytes of that in double, and
// is written without a copy of its entries.
func TestSinglePiece(t *testing.T) {
	const n, each = 20_000, 50
	x := &sparse.CSR{NumRows: n, NumCols: 1000, RowPtr: make([]int, n+1)}
	for i := range n {
		for c := range each {
			x.Col, x.Val = append(x.Col, int32(c*20+i%20)), append(x.Val, float64(1+(i*c)%7)/4)
		}
		x.RowPtr[i+1] = len(x.Col)
	}
	var pieces [2][]byte
	for k := range pieces {
		c := &Corpus{Name: "many", X: x}
		if k == 1 {
			must.Do(t, c.ToSingle())
		}
		s := storetest.Open(t)
		took, _ := memory.PeakHeap(func() {
			if err := s.Write("corpus", store.Key{}, c.encode); err != nil {
				t.Error(err)
			}
		})
		if took > 4*n*each { // a copy takes 8 per entry
			t.Errorf("single %v: writing %d entries takes %d bytes", k == 1, n*each, took)
		}
		for _, file := range storetest.Files(t, s) {
			text := must.Get(os.ReadFile(file))(t)
			pieces[k] = append(pieces[k], text...)
		}
	}
	if len(pieces[0]) < 12*n*each || !bytes.Equal(pieces[0], pieces[1]) {
		t.Errorf("pieces of %d and %d bytes differ", len(pieces[0]), len(pieces[1]))
	}
}

// TestHostilePiece: sizes in a piece that its bytes do not back end in another reading.
func TestHostilePiece(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.csv")
	rewrite(t, file, []byte("1,2\n3,4\n"))
	for _, s := range []shape{{Rows: 1 << 40, Cols: 1 << 40}, {Rows: -1, Sparse: true}, {Rows: 2, Cols: 2, Entries: 1 << 60}, {Rows: 2, Cols: 2, Entries: 1 << 60, Sparse: true},
		{Rows: 2, Cols: 2, Entries: 4, Labels: true}, {Rows: 2, Cols: 2, Entries: 4, Sparse: true}, {}} {
		st := storetest.Open(t)
		var said []string
		st.Note = func(text string) { said = append(said, text) }
		ctx := store.With(context.Background(), st)
		want := must.Get(Read(ctx, file, ReadOptions{}))(t)
		files := must.Get(filesOf(ctx, file, ReadOptions{}))(t)
		key := must.Get(readKey(ctx, file, ReadOptions{}, files))(t)
		must.Do(t, st.Write("corpus", key, func(e *store.Encoder) {
			e.Value(s)
			e.Indices([]int32{1, 2})
		}))
		if got, err := Read(ctx, file, ReadOptions{}); err != nil || !mat.Equal(got.X, want.X) || len(said) != 1 || !strings.Contains(said[0], "refused") {
			t.Errorf("%+v: %v, %v, %q", s, got, err, said)
		}
	}
}
