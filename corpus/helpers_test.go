package corpus

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// readBytes reads a file that exists in memory only.
func readBytes(data []byte, format string, opt ReadOptions) (*Corpus, error) {
	opt.Format = format
	in, err := newInput(context.Background(), "test."+format, bytes.NewReader(data), int64(len(data)), opt)
	if err != nil {
		return nil, err
	}
	return readInput(in)
}

// mustRead reads, checks the invariants and compares the matrix with rows as a person would write it.
func mustRead(t *testing.T, data []byte, format string, opt ReadOptions, want [][]float64) *Corpus {
	t.Helper()
	c, err := readBytes(data, format, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, c)
	if want != nil {
		checkMatrix(t, c.X, want)
	}
	return c
}

func checkMatrix(t *testing.T, x mat.Matrix, want [][]float64) {
	t.Helper()
	r, k := x.Dims()
	if r != len(want) || k != len(want[0]) {
		t.Fatalf("the matrix is %d×%d, want %d×%d", r, k, len(want), len(want[0]))
	}
	for i := range want {
		for j, v := range want[i] {
			if x.At(i, j) != v {
				t.Errorf("entry (%d, %d) is %v, want %v", i, j, x.At(i, j), v)
			}
		}
	}
}

// checkInvariants states what every corpus satisfies, whatever file it is from.
func checkInvariants(t *testing.T, c *Corpus) {
	t.Helper()
	n, terms := c.X.Dims()
	if n < 1 || terms < 1 {
		t.Fatalf("a corpus of %d×%d", n, terms)
	}
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	switch x := c.X.(type) {
	case *sparse.CSR:
		if _, err := sparse.NewCSR(x.NumRows, x.NumCols, x.RowPtr, x.Col, x.Val); err != nil {
			t.Fatal(err)
		}
	case *mat.Dense:
		for _, v := range x.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("entry %v", v)
			}
		}
	default:
		t.Fatalf("matrix of type %T", c.X)
	}
	sizes, none := c.ClassSizes()
	for k, s := range sizes {
		if s == 0 {
			t.Fatalf("class %q has no documents", c.ClassNames[k])
		}
		none += s
	}
	if none != n {
		t.Fatalf("classes hold %d of %d documents", none, n)
	}
	if c.Labels != nil && len(sizes) == 0 {
		t.Fatal("labels without classes")
	}
	sorted := slices.Clone(c.ClassNames)
	if slices.Sort(sorted); len(slices.Compact(sorted)) != len(c.ClassNames) {
		t.Fatalf("class names %q repeat", c.ClassNames)
	}
}

// wantFault asserts a one-sentence error of the request that contains all the parts.
func wantFault(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
	if strings.Contains(err.Error(), "%!") {
		t.Errorf("error is badly formatted: %q", err)
	}
	checkFault(t, err)
}

// checkFault asserts an error of the request in one line of bearable length, whatever the file holds.
func checkFault(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("not marked as the request's fault: %v", err)
	}
	if s := err.Error(); strings.ContainsAny(s, "\n\r\x00") || len(s) > 4000 {
		t.Errorf("error is no clean sentence: %q", s)
	}
}

func wantNote(t *testing.T, c *Corpus, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(c.Notes, "\n"), part) {
		t.Errorf("notes %q lack %q", c.Notes, part)
	}
}

func writeFile(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// fuzzMemory is the limit that fuzz targets read under, and fuzzAllocs what one reading may allocate in all:
// growing arrays leave their smaller selves behind, and encoding/csv and zip have buffers of their own.
const (
	fuzzMemory = 4 << 20
	fuzzAllocs = 64 << 20
)

// fuzzRead reads arbitrary bytes: a corpus that satisfies the invariants, or an error of the file's
// fault, and no allocation that the limit does not allow.
func fuzzRead(t *testing.T, data []byte, format string, opt ReadOptions) {
	opt.MaxBytes = fuzzMemory
	before := allocated()
	c, err := readBytes(data, format, opt)
	if used := allocated() - before; used > fuzzAllocs {
		t.Fatalf("reading %d bytes allocated %d", len(data), used)
	}
	if err != nil {
		checkFault(t, err)
		return
	}
	checkInvariants(t, c)
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
