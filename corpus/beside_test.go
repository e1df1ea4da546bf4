package corpus

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// NAME.mtx and NAME.svm have the same files beside them. Writing one of them must not replace the
// names of another corpus.
func TestFilesBesideAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	corpus := func(names ...string) *Corpus {
		b := sparse.NewBuilder(2, 2)
		b.Add(0, 0, 1)
		b.Add(1, 1, 2)
		x := must.Get(b.Build())(t)
		return &Corpus{X: x, IDs: names}
	}
	mtx := filepath.Join(dir, "v.mtx")
	must.Do(t, Write(t.Context(), mtx, corpus("a", "b")))
	for _, name := range []string{"v.svm", "v.npy", "v.mtx.gz"} {
		wantFault(t, Write(t.Context(), filepath.Join(dir, name), corpus("c", "d")), name, "v.labels.csv", "belongs to")
		wantFault(t, Write(t.Context(), filepath.Join(dir, name), corpus("a", "bb")), "belongs to")
	}
	// The same corpus again.
	must.Do(t, Write(t.Context(), filepath.Join(dir, "v.svm"), corpus("a", "b")))
	labels := filepath.Join(dir, "v.labels.csv")
	for name, want := range map[string][]string{"v.mtx": {labels}, "v.mtx.gz": {labels}, "v.npz": nil, "other.mtx": nil} {
		if got := Beside(filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("beside %s: %q", name, got)
		}
	}
	must.Do(t, Write(t.Context(), filepath.Join(dir, "w.mtx"), corpus("c", "d")))
	c, err := Read(t.Context(), mtx, ReadOptions{})
	if err != nil || c.IDs[1] != "b" {
		t.Errorf("%v %v", c, err)
	}
}

func TestMtxLabelsBeside(t *testing.T) {
	dir := t.TempDir()
	// Three columns with three labels, four rows: the columns are the documents.
	path := writeFile(t, dir, "docs.mtx", []byte("%%MatrixMarket matrix coordinate real general\n4 3 2\n1 1 1\n4 3 5\n"))
	writeFile(t, dir, "docs.labels.csv", []byte("id,label\na,x\nb,y\nc,x\n"))
	c, err := Read(t.Context(), path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	checkInvariants(t, c)
	if c.Len() != 3 || c.ID(2) != "c" || !slices.Equal(c.Labels, []int{0, 1, 0}) {
		t.Errorf("%d documents, labels %v, last %q", c.Len(), c.Labels, c.ID(2))
	}
	wantNote(t, c, "docs.labels.csv")
	// Labels from a separate file win.
	c, err = Read(t.Context(), path, ReadOptions{Labels: writeFile(t, dir, "l", []byte("1\n2\n2\n1\n"))})
	if err != nil || c.Len() != 4 || !slices.Equal(c.ClassNames, []string{"1", "2"}) {
		t.Errorf("%v, %v", c, err)
	}
	if got := besideName(filepath.Join("d", "x.y.mtx.gz"), labelsSuffix); got != "x.y.labels.csv" {
		t.Error(got)
	}
}
