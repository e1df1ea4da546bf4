package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// TestMaxMemory: a budget that the work does not fit is refused with status 1, before the work, in
// one sentence with both sizes and the flag that allows more.
func TestMaxMemory(t *testing.T) {
	file := example(t)
	for _, args := range [][]string{
		{"embed", file, "--method", "le", "-d", "500", "--max-memory", "150MB"},
		{"cluster", file, "--method", "plsa", "-k", "1000", "--max-memory", "200MB"},
		{"cluster", file, "--method", "kmeans", "-k", "900", "--max-memory", "200MB"},
		{"graph", file, "--neighbors", "2000", "--max-memory", "0.5GiB"},
	} {
		r := call(args...)
		if r.status != exitFailed || !strings.Contains(r.stderr, "iB") && !strings.Contains(r.stderr, "bytes") {
			t.Errorf("%s: status %d", args, r.status)
		}
		checkSentence(t, r, "--max-memory")
	}
	if r := call("info", file, "--max-memory", "8GiB"); r.status != exitDone {
		t.Errorf("8 GiB: status %d: %s", r.status, r.stderr)
	}
	for _, wrong := range []string{"much", "0", "-5MB", "8GBB", "1MB"} {
		r := call("info", file, "--max-memory="+wrong)
		if r.status != exitRequest {
			t.Errorf("%q: status %d", wrong, r.status)
		}
		checkSentence(t, r, "--max-memory")
	}
}

// TestColumnsWithoutEntries: a file of twelve entries that claims 2³¹−1 columns ends with a result
// or one sentence under every method, and takes no memory for the columns.
func TestColumnsWithoutEntries(t *testing.T) {
	dir := t.TempDir()
	var mtx, svm strings.Builder
	mtx.WriteString("%%MatrixMarket matrix coordinate real general\n6 2147483647 12\n")
	columns := []int{1, 2, 1, 2, 3, 2147483646, 3, 2147483645, 5, 9, 1, 5}
	for i, c := range columns {
		fmt.Fprintf(&mtx, "%d %d %d\n", i/2+1, c, i+1)
		if i%2 == 0 {
			fmt.Fprintf(&svm, "%d", i%4)
		}
		fmt.Fprintf(&svm, " %d:%d", c, i+1)
		if i%2 == 1 {
			svm.WriteString("\n")
		}
	}
	write(t, dir, "wide.svm", svm.String())
	files := []string{write(t, dir, "wide.mtx", mtx.String()), filepath.Join(dir, "wide.svm")}
	labels := write(t, dir, "labels.csv", "1,a\n2,b\n3,a\n4,b\n")
	for _, file := range files {
		r := call("cluster", file, "-k", "2", "--quiet", "--max-memory", "500MB", "--weighting", "tfidf")
		if r.status == exitDone || !strings.Contains(r.stderr, "give --weighting tf") {
			t.Errorf("tf-idf of two billion columns: status %d, %s", r.status, r.stderr)
		}
		for _, spec := range eigenmap.Methods() {
			memory.ResetPeak()
			args := []string{"cluster", file, "--method", spec.Name, "-k", "2", "--quiet", "--max-memory", "500MB", "--out", filepath.Join(dir, filepath.Base(file)+spec.Name)}
			if spec.Needs.Labels != 0 {
				args = append(args, "--labels", labels, "--ids-from", "1")
			}
			r := call(args...)
			if r.status != exitDone && r.status != exitFailed && r.status != exitRequest {
				t.Errorf("%s: status %d", spec.Name, r.status)
			}
			if r.status != exitDone {
				checkSentence(t, r, filepath.Base(file))
			}
			if took := memory.Peak(); took > 1<<30 { // a byte for each column would be 2 GiB
				t.Errorf("%s: the process takes %d MB, and 500 are allowed", spec.Name, took/1e6)
			}
		}
	}
}
