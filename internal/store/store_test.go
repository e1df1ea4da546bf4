package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

var header = Header{Program: "v1", Engine: "go", Data: "aaaa"}

func opened(t *testing.T, dir string, h Header) *Store {
	t.Helper()
	s := must.Get(Open(dir, h))(t)
	return s
}

// What a killed process left is removed by the next one that has the folder to itself; files of
// others stay.
func TestAbandonedFiles(t *testing.T) {
	dir := t.TempDir()
	opened(t, dir, header).folder.Close()
	ours := []string{".tile-0123.piece.0123abcd.tmp", ".work.json.0123abcd.tmp", ".tile-0123.piece.lock"}
	others := []string{".graph.yaml", ".letter.txt.0123abcd.tmp", ".tile-0123.piece.0123.tmp"}
	for _, name := range append(ours, others...) {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	held, err := lock.Dir(dir, true)
	if err != nil || held == nil {
		t.Skip("no locks here")
	}
	second := opened(t, dir, header)
	for _, name := range append(ours, others...) {
		if !there(name) {
			t.Errorf("%s was removed while another process had the folder", name)
		}
	}
	held.Close()
	second.folder.Close()
	third := opened(t, dir, header)
	for _, name := range ours {
		if there(name) {
			t.Errorf("%s stayed", name)
		}
	}
	for _, name := range others {
		if !there(name) {
			t.Errorf("%s was removed", name)
		}
	}
	third.folder.Close()
}

func key(text string) Key { return NewHasher(text).Key() }

// put adds a piece of some bytes.
func (s *Store) put(t *testing.T, kind string, k Key, content []byte) {
	t.Helper()
	must.Do(t, s.Write(kind, k, func(e *Encoder) { e.Bytes(content) }))
}

// get reads a piece of some bytes.
func (s *Store) get(t *testing.T, kind string, k Key) (content []byte) {
	t.Helper()
	if found, err := s.Read(kind, k, func(d *Decoder) { content = d.AllBytes() }); !found || err != nil {
		t.Errorf("the piece is not there: %v", err)
	}
	return content
}

// A piece comes back as it was, and only under its kind and key.
func TestWriteAndCheck(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "new", "work"), header)
	for _, content := range [][]byte{{}, []byte("content\n"), bytes.Repeat([]byte{0, 10, 255}, 100000)} {
		s.put(t, "tile", key("a"), content)
		again := opened(t, s.Dir, header)
		if got := again.get(t, "tile", key("a")); !bytes.Equal(got, content) {
			t.Fatalf("%d bytes came back as %d", len(content), len(got))
		}
		if err := again.Check("tile", key("a")); err != nil {
			t.Error(err)
		}
	}
	for kind, k := range map[string]Key{"tile": key("b"), "eigen": key("a")} {
		if err := s.Check(kind, k); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Every byte that is changed, and every length that is cut, is noticed.
func TestDamage(t *testing.T) {
	s := opened(t, t.TempDir(), header)
	s.put(t, "tile", key("a"), []byte("some content"))
	path := s.path("tile", key("a"))
	whole := must.Get(os.ReadFile(path))(t)
	try := func(what string, at int, text []byte) {
		must.Do(t, os.WriteFile(path, text, 0o666))
		var refused *RefusedError
		if err := s.Check("tile", key("a")); !errors.As(err, &refused) || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
	}
	for at := range whole {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		try("changed", at, changed)
		try("cut", at, whole[:at])
	}
	try("longer", len(whole), append(bytes.Clone(whole), 0))
	var notes []string
	s.Note = func(text string) { notes = append(notes, text) }
	if found, err := s.Read("tile", key("a"), func(d *Decoder) { d.AllBytes() }); found || err != nil || len(notes) != 1 || !strings.Contains(notes[0], path) {
		t.Errorf("%v, %v, notes %q", found, err, notes)
	}
}

// Folders and pieces of other data or programs are refused with the reason.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	opened(t, dir, header)
	for want, h := range map[string]Header{
		"other documents":           {Program: "v1", Engine: "go", Data: "bbbb"},
		"version v1 of the program": {Program: "v2", Engine: "go", Data: "aaaa"},
		"of go, and this run uses":  {Program: "v1", Engine: "openblas", Data: "aaaa"},
	} {
		if _, err := Open(dir, h); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
		other := opened(t, t.TempDir(), h)
		other.put(t, "tile", key("a"), []byte("x"))
		text, _ := os.ReadFile(other.path("tile", key("a")))
		s := opened(t, dir, header)
		must.Do(t, os.WriteFile(s.path("tile", key("a")), text, 0o666))
		part, _, _ := strings.Cut(want, " ")
		if err := s.Check("tile", key("a")); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), part+" ") {
			t.Errorf("a piece: %v does not say %q", err, part)
		}
	}
	strange := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(strange, "letter.txt"), nil, 0o666))
	if _, err := Open(strange, header); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "letter.txt") {
		t.Errorf("a folder of something else: %v", err)
	}
}

// A piece under the name of another is refused.
func TestMovedPiece(t *testing.T) {
	s := opened(t, t.TempDir(), header)
	s.put(t, "tile", key("a"), []byte("x"))
	must.Do(t, os.Rename(s.path("tile", key("a")), s.path("tile", key("b"))))
	if err := s.Check("tile", key("b")); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%v", err)
	}
	if _, err := opened(t, t.TempDir(), header).Merge(s.Dir); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("merged: %v", err)
	}
}

func TestMerge(t *testing.T) {
	all, a, b := opened(t, t.TempDir(), header), opened(t, t.TempDir(), header), opened(t, t.TempDir(), header)
	for s, names := range map[*Store][]string{a: {"x", "y"}, b: {"y", "z"}} {
		for _, n := range names {
			s.put(t, "tile", key(n), []byte(n))
		}
	}
	total := 0
	for _, s := range []*Store{a, b, a} {
		n := must.Get(all.Merge(s.Dir))(t)
		total += n
	}
	if total != 3 {
		t.Errorf("%d pieces were copied", total)
	}
	for _, n := range []string{"x", "y", "z"} {
		if got := all.get(t, "tile", key(n)); string(got) != n {
			t.Errorf("%s: %q", n, got)
		}
	}
	b.put(t, "tile", key("x"), []byte("else"))
	if _, err := all.Merge(b.Dir); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "differ") {
		t.Errorf("two pieces of one name: %v", err)
	}
	if _, err := all.Merge(t.TempDir()); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := all.Merge(opened(t, t.TempDir(), Header{Data: "bbbb"}).Dir); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("other data: %v", err)
	}
}

// Of several makers of one piece at the same time one works, and all have its bytes.
func TestMakeOnce(t *testing.T) {
	dir := t.TempDir()
	opened(t, dir, header)
	var made atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		s := opened(t, dir, header)
		group.Add(1)
		go func() {
			defer group.Done()
			got := []byte("x")
			err := s.Make(context.Background(), "tile", key("a"), func(d *Decoder) { got = d.AllBytes() }, func() (func(e *Encoder), error) {
				made.Add(1)
				return func(e *Encoder) { e.Bytes(got) }, nil
			})
			if err != nil || string(got) != "x" {
				t.Errorf("%q, %v", got, err)
			}
		}()
	}
	group.Wait()
	if made.Load() != 1 {
		t.Errorf("%d were made", made.Load())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.lock")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Different lists of inputs have different keys.
func TestKeys(t *testing.T) {
	seen := map[Key]string{}
	for name, add := range map[string]func(h *Hasher){
		"none": func(*Hasher) {}, "text": func(h *Hasher) { h.Text("ab") }, "two texts": func(h *Hasher) { h.Text("a"); h.Text("b") },
		"floats": func(h *Hasher) { h.Floats([]float64{1, 2}) }, "two floats": func(h *Hasher) { h.Floats([]float64{1}); h.Floats([]float64{2}) },
		"ints": func(h *Hasher) { h.Ints([]int{1, 2}) }, "minus zero": func(h *Hasher) { h.Floats([]float64{1, 0}) }, "zero": func(h *Hasher) { h.Floats([]float64{-1, 0}) },
	} {
		h := NewHasher("test")
		add(h)
		if other, twice := seen[h.Key()]; twice {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[h.Key()] = name
	}
}

// TestBefore: a folder of another program is refused before its data are known, one of other data
// when they are, and nothing is written until then.
// TestNoFolder: a file in place of the folder, and a folder that takes no files, have errors with
// the way out.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o644))
	_, err := Before(file, Header{Program: "p", Engine: "e"})
	if !errors.Is(err, fs.ErrInvalid) || !strings.HasSuffix(err.Error(), "file: it is a file, and ‹work› needs a folder: choose another") {
		t.Errorf("a file: %v", err)
	}
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind the superuser")
	}
	closed := filepath.Join(t.TempDir(), "closed")
	must.Do(t, os.Mkdir(closed, 0o555))
	if _, err := Open(closed, Header{Program: "p", Engine: "e"}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "choose another ‹work› folder") {
		t.Errorf("a folder that takes no files: %v", err)
	}
}

func TestBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	h := Header{Program: "p", Engine: "e"}
	s := must.Get(Before(dir, h))(t)
	key := NewHasher("k").Key()
	done := 0
	later := func() error {
		done++
		return s.Write("a", key, func(e *Encoder) { e.Texts([]string{"", "\xff", "long"}); e.Texts(nil); e.Texts([]string{}) })
	}
	if err := s.Later(later); err != nil || done > 0 {
		t.Errorf("%v, done %d times", err, done)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is there before the data are known")
	}
	if err := s.Settle("data"); err != nil || done != 1 {
		t.Errorf("%v, done %d times", err, done)
	}
	if err := s.Later(later); err != nil || done != 2 {
		t.Errorf("%v, done %d times", err, done)
	}
	again := must.Get(Before(dir, h))(t)
	var texts [3][]string
	found, err := again.Read("a", key, func(d *Decoder) {
		for i := range texts {
			texts[i] = d.Texts()
		}
	})
	if !found || err != nil || !slices.Equal(texts[0], []string{"", "\xff", "long"}) || texts[1] != nil || texts[2] == nil {
		t.Errorf("%v %v %q", found, err, texts)
	}
	checkForeign(t, dir, again)
	s.Close()
	checkClear(t, dir)
}

func checkForeign(t *testing.T, dir string, again *Store) {
	t.Helper()
	var foreign *ForeignError
	if err := again.Settle("other data"); !errors.As(err, &foreign) || !errors.Is(err, fs.ErrInvalid) || foreign.There.Data != "data" || foreign.Own.Data != "other data" {
		t.Error(err)
	}
	if _, err := Before(dir, Header{Program: "q"}); !errors.As(err, &foreign) {
		t.Error(err)
	}
	if err := Clear(dir); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a folder in use is cleared: %v", err)
	}
}

// checkClear: the header, the pieces, states of unfinished work and what killed processes left go,
// other files stay.
func checkClear(t *testing.T, dir string) {
	t.Helper()
	mine := []string{".mine.piece", "mine", "mine.progress.txt"}
	for _, name := range slices.Concat(mine, []string{"run-0123456789abcdef.progress", ".run-0123456789abcdef.piece.lock",
		".run-0123456789abcdef.piece.00ff00ff.tmp", "." + headerName + ".00ff00ff.tmp"}) {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	if err := Clear(dir); err != nil {
		t.Error(err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if err != nil || !slices.Equal(left, mine[1:]) { // .mine.piece is a piece by its name
		t.Errorf("%q, %v are left", left, err)
	}
	if err := Clear(filepath.Join(dir, "none")); err != nil {
		t.Error(err)
	}
}

// TestUnfinishedIsCleared: a run that was stopped leaves its state, and Clear removes it, so that
// the next run begins anew.
func TestUnfinishedIsCleared(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, header)
	s.Always = true
	must.Do(t, s.Progress("run", key("a")).Save(func(e *Encoder) { e.Value(1) }))
	s.Close()
	must.Do(t, Clear(dir))
	var step int
	if found, err := opened(t, dir, header).Progress("run", key("a")).Resume(func(d *Decoder) { d.Value(&step) }); found || err != nil {
		t.Errorf("a cleared folder has the state %d: %v", step, err)
	}
}

// TestFolderOfAnyName: pieces are found, merged and cleared in a folder whose name would be a
// pattern.
func TestFolderOfAnyName(t *testing.T) {
	for _, name := range []string{"part[1]", "a*b", "what?", `back\slash`, "[", "{a,b}"} {
		from := filepath.Join(t.TempDir(), name)
		s := opened(t, from, header)
		must.Do(t, s.Write("run", key("a"), func(e *Encoder) { e.Value(1) }))
		s.Close()
		if n, err := opened(t, filepath.Join(t.TempDir(), name), header).Merge(from); n != 1 || err != nil {
			t.Errorf("%s: %d pieces were merged, %v", name, n, err)
		}
		if err := Clear(from); err != nil {
			t.Error(err)
		}
		if entries, err := os.ReadDir(from); err != nil || len(entries) > 0 {
			t.Errorf("%s: %v, %v are left", name, entries, err)
		}
	}
}

// TestMatrix: a matrix comes back as it was, and one of another size is refused.
func TestMatrix(t *testing.T) {
	s := opened(t, t.TempDir(), header)
	var notes []string
	s.Note = func(text string) { notes = append(notes, text) }
	for _, x := range []*sparse.CSR{
		{NumRows: 3, NumCols: 4, RowPtr: []int{0, 2, 2, 3}, Col: []int32{0, 3, 1}, Val: []float64{1, -2, 0.1}},
		{NumRows: 2, NumCols: 1, RowPtr: []int{0, 0, 0}},
	} {
		must.Do(t, s.Write("matrix", key("m"), func(e *Encoder) { e.Matrix(x) }))
		var got *sparse.CSR
		found, err := s.Read("matrix", key("m"), func(d *Decoder) { got = d.Matrix(x.NumRows, x.NumCols) })
		if !found || err != nil || !reflect.DeepEqual(got, x) {
			t.Errorf("%v, %v: %+v, not %+v", found, err, got, x)
		}
		for _, rows := range []int{0, x.NumRows + 1} {
			if found, err := s.Read("matrix", key("m"), func(d *Decoder) { d.Matrix(rows, x.NumCols) }); found || err != nil {
				t.Errorf("%d rows: %v, %v", rows, found, err)
			}
		}
	}
	if found, _ := s.Read("matrix", key("m"), func(d *Decoder) { d.Matrix(2, 0) }); !found {
		t.Error("a matrix without entries fits no columns")
	}
	s.Write("matrix", key("m"), func(e *Encoder) {
		e.Matrix(&sparse.CSR{NumRows: 1, NumCols: 9, RowPtr: []int{0, 1}, Col: []int32{8}, Val: []float64{1}})
	})
	if found, _ := s.Read("matrix", key("m"), func(d *Decoder) { d.Matrix(1, 8) }); found || len(notes) != 5 {
		t.Errorf("a column too many: %v, notes %q", found, notes)
	}
}

// Many runs open a new folder at the same moment: none loses the header that it writes to one that
// removes unfinished files, and none takes the pieces of another for foreign files.
func TestOpenedTogether(t *testing.T) {
	for range 200 {
		dir := filepath.Join(t.TempDir(), "work")
		var together sync.WaitGroup
		for i := range 4 {
			together.Add(1)
			go func() {
				defer together.Done()
				s, err := Open(dir, header)
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				if err := os.WriteFile(filepath.Join(dir, "tile-"+string(rune('a'+i))+extension), nil, 0o666); err != nil {
					t.Error(err)
				}
			}()
		}
		if together.Wait(); t.Failed() {
			return
		}
	}
}

// TestParts: a folder has the parts of the run that wrote last, unless it has as many as there are
// processes, or a run of one process wrote it.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	expect := func(size, want int) {
		t.Helper()
		if got := Parts(dir, size); got != want {
			t.Errorf("%d processes take %d parts, not %d", size, got, want)
		}
	}
	expect(2, 2)
	folder := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(path, 0o777))
		at := time.Now().Add(-age)
		must.Do(t, os.Chtimes(path, at, at))
	}
	folder(".rank-0-of-6", time.Hour)
	folder(".rank-1-of-4", time.Minute)
	folder(".rank-x-of-9", 0)
	folder(".rank-0-of-4097", 0)
	folder(".rank-0-of-2000000000", 0)
	for size, want := range map[int]int{1: 4, 2: 4, 3: 4, 4: 4, 5: 6, 6: 6, 7: 7} {
		expect(size, want)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, headerName), nil, 0o666))
	expect(1, 1)
	expect(2, 4)
	if Parts("", 3) != 3 || Parts(filepath.Join(dir, "none"), 3) != 3 {
		t.Error("no folder has parts")
	}
}
