package corpus

import (
	"path/filepath"
	"slices"
	"testing"

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
		x, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return &Corpus{X: x, IDs: names}
	}
	mtx := filepath.Join(dir, "v.mtx")
	if err := Write(t.Context(), mtx, corpus("a", "b")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"v.svm", "v.npy", "v.mtx.gz"} {
		wantFault(t, Write(t.Context(), filepath.Join(dir, name), corpus("c", "d")), name, "v.labels.csv", "belongs to")
		wantFault(t, Write(t.Context(), filepath.Join(dir, name), corpus("a", "bb")), "belongs to")
	}
	// The same corpus again.
	if err := Write(t.Context(), filepath.Join(dir, "v.svm"), corpus("a", "b")); err != nil {
		t.Fatal(err)
	}
	labels := filepath.Join(dir, "v.labels.csv")
	for name, want := range map[string][]string{"v.mtx": {labels}, "v.mtx.gz": {labels}, "v.npz": nil, "other.mtx": nil} {
		if got := Beside(filepath.Join(dir, name)); !slices.Equal(got, want) {
			t.Errorf("beside %s: %q", name, got)
		}
	}
	if err := Write(t.Context(), filepath.Join(dir, "w.mtx"), corpus("c", "d")); err != nil {
		t.Fatal(err)
	}
	c, err := Read(t.Context(), mtx, ReadOptions{})
	if err != nil || c.IDs[1] != "b" {
		t.Errorf("%v %v", c, err)
	}
}
