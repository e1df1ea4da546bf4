package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// TestRealFiles compares the papers' data with the shapes, entries and class sizes in their readme.
func TestRealFiles(t *testing.T) {
	twenty := slices.Repeat([]int{72}, 20)
	nine := slices.Repeat([]int{120}, 9)
	for _, c := range []struct {
		file               string
		rows, cols, nnz, k int // nnz 0: dense
		sizes              []int
	}{
		{"TDT2.mat", 9394, 36771, 1224135, 30, []int{1844, 1828, 1222, 811, 441}},
		{"Reuters21578.mat", 8293, 18933, 389455, 65, nil},
		{"USPS.mat", 9298, 256, 0, 10, []int{1553, 1269, 929}},
		{"COIL20.mat", 1440, 1024, 0, 20, twenty},
		{"Musk2.mat", 6598, 166, 0, 2, nil},
		{"Madelon.mat", 2600, 500, 0, 2, []int{1300, 1300}},
		{"Msplice.mat", 3175, 60, 0, 3, []int{762, 765, 1648}},
		{"FG-NET.mat", 1002, 262, 0, 63, nil},
		{"CNAE-9.csv", 1080, 856, 0, 9, nine},
		{"w1a.svm", 2477, 300, 28410, 2, []int{2405, 72}},
		{"mnist-t10k-images-idx3-ubyte.gz", 10000, 784, 0, 10, []int{980, 1135, 1032}},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join("..", "..", "shared", "data", c.file)
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the data set %s is not on this machine", c.file)
			}
			got := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
			checkInvariants(t, got)
			r, k := got.X.Dims()
			if r != c.rows || k != c.cols {
				t.Errorf("%d×%d, want %d×%d", r, k, c.rows, c.cols)
			}
			if s, ok := got.X.(*sparse.CSR); c.nnz > 0 && (!ok || s.NNZ() != c.nnz) {
				t.Errorf("%T, want a sparse matrix of %d entries", got.X, c.nnz)
			}
			sizes, none := got.ClassSizes()
			if len(sizes) != c.k || none != 0 {
				t.Errorf("%d classes and %d documents without, want %d", len(sizes), none, c.k)
			}
			if len(sizes) < len(c.sizes) || !slices.Equal(sizes[:len(c.sizes)], c.sizes) {
				t.Errorf("class sizes %v, want %v", sizes, c.sizes)
			}
			t.Log(got.Notes)
		})
	}
}
