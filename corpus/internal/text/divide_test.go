package text

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// packedLines writes n lines of JSON, compressed.
func packedLines(t *testing.T, path string, n int) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(strings.Repeat("{\"text\":\"some words\"}\n", n))); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
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
		parts, err := in.plan(c.paths, "jsonl", c.size)
		if err != nil {
			t.Fatal(err)
		}
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
