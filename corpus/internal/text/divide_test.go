package text

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// packedLines writes n lines of JSON, compressed.
func packedLines(t *testing.T, path string, n int) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(strings.Repeat("{\"text\":\"some words\"}\n", n))); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(path, b.Bytes(), 0o666))
	return path
}

// TestSlicedPacked: compressed JSON lines that are larger than the share of a rank are divided by
// the bytes of their content; files that are not are left whole.
func TestSlicedPacked(t *testing.T) {
	dir := t.TempDir()
	large, small := packedLines(t, filepath.Join(dir, "a.jsonl.gz"), 900), packedLines(t, filepath.Join(dir, "b.jsonl.gz"), 900)
	in := &source{File: input.NewFolder(t.Context(), dir, input.Limits{})}
	for _, c := range []struct {
		paths []string
		size  int
		cut   bool
	}{{[]string{large}, 3, true}, {[]string{large, small}, 2, false}, {[]string{large, small}, 3, true}} {
		parts := must.Get(in.plan(c.paths, "jsonl", c.size))(t)
		total := int64(0)
		for rank := range c.size {
			own := sliced(parts, rank, c.size)
			for _, s := range own {
				if c.cut != (s.hi > 0) {
					t.Errorf("%d files, rank %d of %d: %+v", len(c.paths), rank, c.size, s)
				}
				total += s.hi - s.lo
			}
			if len(own) == 0 {
				t.Errorf("%d files: rank %d of %d reads nothing", len(c.paths), rank, c.size)
			}
		}
		if want := int64(900 * 22 * len(c.paths)); c.cut && total != want {
			t.Errorf("%d files: the ranks read %d bytes of %d", len(c.paths), total, want)
		}
	}
}

// TestChangedWhileRead: a file that is replaced or grows after it was looked at is refused on all
// ranks by what happened, whatever was read of it.
func TestChangedWhileRead(t *testing.T) {
	dir := t.TempDir()
	for name, change := range map[string]func(path string) error{
		"longer":  func(path string) error { packedLines(t, path, 2000); return nil },
		"shorter": func(path string) error { packedLines(t, path, 300); return nil },
		"replaced": func(path string) error {
			return os.Rename(packedLines(t, path+".new", 900), path)
		},
		"damaged": func(path string) error {
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, text[:len(text)-9], 0o666))
		},
		"gone": os.Remove,
	} {
		for _, size := range []int{2, 3} {
			path := packedLines(t, filepath.Join(dir, "a.jsonl.gz"), 900)
			ranks.Together(size, func(team ranks.Team) {
				in := &source{File: input.NewFolder(t.Context(), dir, input.Limits{})}
				parts, err := in.plan([]string{path}, "jsonl", size)
				if err = ranks.Agree(team, err); err != nil || parts[0].unpacked == 0 {
					t.Errorf("%s: %v", name, err)
					return
				}
				if team.Rank() == 0 {
					err = change(path)
				}
				if err = ranks.Agree(team, err); err != nil {
					t.Error(err)
					return
				}
				want := "changed while it was read: run the command again"
				if name == "gone" {
					want = "there is no such file"
				}
				if _, _, err = in.countShare(team, parts); err == nil || !input.IsAbout(err, path) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, rank %d of %d: %v", name, team.Rank(), size, err)
				}
			})
		}
	}
}

// TestPackedToItsEnd: the rank that has the last lines of a compressed file reads the checksum
// behind them.
func TestPackedToItsEnd(t *testing.T) {
	dir := t.TempDir()
	path := packedLines(t, filepath.Join(dir, "a.jsonl.gz"), 900)
	in := &source{File: input.NewFolder(t.Context(), dir, input.Limits{})}
	parts := must.Get(in.plan([]string{path}, "jsonl", 2))(t)
	text := must.Get(os.ReadFile(path))(t)
	text[len(text)-8] ^= 1
	must.Do(t, os.WriteFile(path, text, 0o666))
	for rank, damaged := range []bool{false, true} {
		err := in.slices(sliced(parts, rank, 2), false)(func(counting.Batch) bool { return true })
		if damaged != errors.Is(err, fs.ErrInvalid) {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// TestUnpackedAreTheLarge: before they read, ranks unpack only the files that they divide; every
// other file counts as packed as tightly. A file that cannot be unpacked gives all ranks its error.
func TestUnpackedAreTheLarge(t *testing.T) {
	dir := t.TempDir()
	large := packedLines(t, filepath.Join(dir, "a.jsonl.gz"), 90000)
	small := packedLines(t, filepath.Join(dir, "b.jsonl.gz"), 9000)
	cut := func(path string) {
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, text[:len(text)-9], 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cut(small)
	in := &source{File: input.NewFolder(t.Context(), dir, input.Limits{})}
	parts := must.Get(in.plan([]string{large, small}, "jsonl", 3))(t)
	if n := parts[0].unpacked; n != 90000*22 || parts[1].unpacked != 0 {
		t.Errorf("%d and %d bytes were unpacked", n, parts[1].unpacked)
	}
	if n := parts[1].weight(); n < 9000*18 || n > 9000*26 {
		t.Errorf("the small file weighs %d bytes, and has %d", n, 9000*22)
	}
	good := packedLines(t, filepath.Join(t.TempDir(), "a.jsonl.gz"), 90000)
	cut(large)
	ranks.Together(2, func(team ranks.Team) {
		path := []string{good, large}[team.Rank()]
		_, _, err := ReadDivided(input.NewFolder(t.Context(), dir, input.Limits{}), team, []string{path}, "jsonl", "", ReadOptions{})
		if err == nil || !input.IsAbout(err, large) || !strings.Contains(err.Error(), "it was cut off") {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
}
