package corpus

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

func TestDetect(t *testing.T) {
	mtx := "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 3\n"
	m := corpustest.NewMatWriter(true, true)
	m.Add(m.Sparse("fea", [][]float64{{0, 3}}))
	for _, c := range []struct{ name, content, format string }{
		{"a.mat", string(m.Out), "mat"}, {"a", string(m.Out), "mat"}, {"a.mtx", mtx, "mtx"}, {"a.mat", mtx, "mtx"},
		{"a.svm", "1 2:3\n", "svm"}, {"a.txt", "1 2:3\n", "svm"}, {"a.libsvm.gz", "1 2:3\n", "svm"}, {"a", "0,3\n0,4\n", "csv"},
		{"a.TSV", "0\t3\n", "tsv"}, {"a.data", "0 3\n0 4\n", "csv"}, {"a.npy", string(corpustest.NPY("'|u1'", "False", "(1, 2)", []byte{0, 3})), "npy"},
		{"a.bin", string(corpustest.NPZ(t, "X", corpustest.NPY("'|u1'", "False", "(2, 2)", []byte{0, 3, 0, 0}))), "npz"},
		{"a.ubyte", "\x00\x00\x08\x02\x00\x00\x00\x01\x00\x00\x00\x02\x00\x03", "idx"},
	} {
		for _, content := range []string{c.content, gzipped(c.content)} {
			path := writeFile(t, t.TempDir(), c.name, []byte(content))
			got, err := Read(t.Context(), path, ReadOptions{})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			checkInvariants(t, got)
			if got.X.At(0, 1) != 3 || got.Name != path || got.Format != c.format {
				t.Errorf("%s: entry %v of %s, format %s", c.name, got.X.At(0, 1), got.Name, got.Format)
			}
		}
	}
}

func TestReadFaults(t *testing.T) {
	dir := t.TempDir()
	ctx := t.Context()
	pipe := filepath.Join(dir, "pipe")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	for _, c := range []struct {
		path  string
		opt   ReadOptions
		parts []string
	}{
		{filepath.Join(dir, "none.mat"), ReadOptions{}, []string{"none.mat", "no such file"}},
		{dir, ReadOptions{Format: "mat"}, []string{"is a folder", "mat"}},
		{writeFile(t, dir, "file", []byte("1,2\n")), ReadOptions{Format: "folder"}, []string{"is a file"}},
		{writeFile(t, dir, "file", []byte("1,2\n")), ReadOptions{Format: "weka"}, []string{"weka", "jsonl"}},
		{writeFile(t, dir, "file", []byte("1,2\n")), ReadOptions{MaxBytes: -1}, []string{"max_bytes"}},
		{pipe, ReadOptions{}, []string{"not a regular file"}},
		{writeFile(t, dir, "empty.svm", nil), ReadOptions{}, []string{"empty"}},
		{writeFile(t, dir, "empty.svm.gz", []byte(gzipped(""))), ReadOptions{}, []string{"empty"}},
		{writeFile(t, dir, "short.csv.gz", []byte(gzipped("1,2\n"))[:15]), ReadOptions{}, []string{"cut off"}},
		{writeFile(t, dir, "torn.csv.gz", append([]byte(gzipped("1,2\n"))[:24], 1, 2, 3, 4, 5, 6, 7, 8)), ReadOptions{}, []string{"damaged"}},
		{writeFile(t, dir, "a.tar.xz", []byte("\xfd7zXZ\x00abc")), ReadOptions{}, []string{"cut off"}},
		{writeFile(t, dir, "riddle", []byte("what is this\nnobody knows\n")), ReadOptions{}, []string{"put it into a folder", "‹input-format›"}},
		{writeFile(t, dir, "letter.eml", []byte("Received: from a by b; Mon\nSubject: x\n\ntext\n")), ReadOptions{}, []string{"one message", "folder"}},
		{writeFile(t, dir, "empty.tar", make([]byte, 10240)), ReadOptions{}, []string{"archive is empty"}},
		{writeFile(t, dir, "empty.tar.gz", []byte(gzipped(string(make([]byte, 10240))))), ReadOptions{Format: "folder"}, []string{"archive is empty"}},
		{writeFile(t, dir, "zero.csv", []byte("0,0\n0,0\n")), ReadOptions{}, []string{"all entries are zero"}},
		{writeFile(t, dir, "text.jsonl", []byte(`{"text":"some words"}`)), ReadOptions{Transpose: true}, []string{"‹transpose›"}},
	} {
		_, err := Read(ctx, c.path, c.opt)
		wantFault(t, err, c.parts...)
	}
	_, err := Read(ctx, filepath.Join(dir, "none.mat"), ReadOptions{})
	var f *FormatError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &f) {
		t.Errorf("%T %v", err, err)
	}
}

func TestReadOptionsListAllViolations(t *testing.T) {
	err := ReadOptions{Format: "weka", MaxBytes: -1, Text: TextOptions{MinDF: -3, MaxDF: 2}}.Validate()
	if !errors.Is(err, fs.ErrInvalid) {
		t.Fatal(err)
	}
	for _, part := range []string{"weka", "max_bytes", "min-df is -3", "max-df is 2"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
}

// A small compressed file that unpacks to much more than the limit is refused at the limit.
func TestUnpackingIsBounded(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.CopyN(z, zeros{}, 64<<20)
	z.Close()
	for _, format := range []string{"mat", "npz", "npy", "mtx", "svm", "csv", "idx"} {
		before := allocated()
		_, err := readBytes(b.Bytes(), format, ReadOptions{MaxBytes: 1 << 20})
		wantFault(t, err)
		if used := allocated() - before; used > 8<<20 {
			t.Errorf("%s: %d bytes allocated: %v", format, used, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestReadCancelled(t *testing.T) {
	row := strings.Repeat("0,1,", 50) + "1\n"
	path := writeFile(t, t.TempDir(), "big.csv", []byte(strings.Repeat(row, 40000)))
	ctx, cancel := context.WithCancel(t.Context())
	events := 0
	_, err := Read(ctx, path, ReadOptions{Observer: func(e progress.Event) {
		if e.Stage == "read" && e.Unit == "bytes" && e.Total > 0 && e.Done <= e.Total {
			events++
		}
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || events == 0 {
		t.Errorf("after %d events: %v", events, err)
	}
	cancel()
	start := time.Now()
	if _, err := Read(ctx, path, ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	t.Logf("a cancelled reading returned after %v", time.Since(start))
}

func TestEmptyRowsAreTold(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.csv", []byte("1,0\n0,0\n0,2\n0,0\n"))
	c := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	wantNote(t, c, "2 documents have no entries (first: row 2)")
	if c.Len() != 4 {
		t.Errorf("%d documents", c.Len())
	}
}

func TestSelect(t *testing.T) {
	c, err := readBytes([]byte("1,0,10\n0,1,9\n2,0,10\n0,2,1\n3,3,9\n"), "csv", ReadOptions{LabelColumn: "3"})
	if err != nil {
		t.Fatal(err)
	}
	s := must.Get(c.Select([]string{"9", "1.0"}))(t)
	checkInvariants(t, s)
	checkMatrix(t, s.X, [][]float64{{0, 1}, {0, 2}, {3, 3}})
	if !slices.Equal(s.Labels, []int{0, 1, 0}) || !slices.Equal(s.ClassNames, []string{"9", "1"}) || !slices.Equal(s.IDs, []string{"2", "4", "5"}) {
		t.Errorf("labels %v of %v, ids %v", s.Labels, s.ClassNames, s.IDs)
	}
	if all, err := c.Select(nil); all != c || err != nil {
		t.Error("selecting nothing in particular keeps everything")
	}
	for part, classes := range map[string][]string{"9, 10": {"2"}, "twice": {"9", "9.0"}} {
		_, err := c.Select(classes)
		wantFault(t, err, part)
	}
	c.Labels = nil
	_, err = c.Select([]string{"9"})
	wantFault(t, err, "no labels")
}

func TestIDXLabelsBeside(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "t-images-idx3-ubyte.gz", []byte(gzipped("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x00\x03\x04\x05")))
	writeFile(t, dir, "t-labels-idx1-ubyte", []byte("\x00\x00\x08\x01\x00\x00\x00\x02\x07\x01"))
	c, err := Read(t.Context(), path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	checkMatrix(t, c.X, [][]float64{{0, 3}, {4, 5}})
	if !slices.Equal(c.ClassNames, []string{"1", "7"}) || !slices.Equal(c.Labels, []int{1, 0}) {
		t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
	}
	_, err = Read(t.Context(), filepath.Join(dir, "t-labels-idx1-ubyte"), ReadOptions{})
	wantFault(t, err, "list of 2 numbers")
	must.Do(t, os.WriteFile(filepath.Join(dir, "t-labels-idx1-ubyte"), []byte("\x00\x00\x08\x01\x00\x00\x00\x03\x07\x01\x02"), 0o644))
	_, err = Read(t.Context(), path, ReadOptions{})
	wantFault(t, err, "3 entries", "2×2")
}

func ExampleCorpus_Select() {
	c := &Corpus{X: mat.NewDense(4, 1, []float64{1, 2, 3, 4}), Labels: []int{0, 1, 2, 1}, ClassNames: []string{"art", "law", "war"}}
	s, err := c.Select([]string{"war", "law"})
	if err != nil {
		panic(err)
	}
	for i := range s.Len() {
		fmt.Println(s.ID(i), s.ClassNames[s.Labels[i]], s.X.At(i, 0))
	}
	// Output:
	// 2 law 2
	// 3 war 3
	// 4 law 4
}
