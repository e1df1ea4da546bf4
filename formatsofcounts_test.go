package eigenmap_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
)

// Counts of terms have one result whether a file, or a caller, has them as a dense or as a sparse
// matrix: dense ones kept the lengths of their rows.
func TestFormatsOfCounts(t *testing.T) {
	const n, d, k = 150, 300, 3
	rng := rand.New(rand.NewPCG(1, 5))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for range 10 + rng.IntN(20) {
			j := rng.IntN(d)
			if rng.IntN(2) == 0 {
				j = i%k*d/k + j/k
			}
			x.Set(i, j, x.At(i, j)+1+float64(rng.IntN(8)/7))
		}
	}
	var table, market, svm, ldac bytes.Buffer
	entries := 0
	for i := range n {
		var words, counts []string
		for j := range d {
			v := int(x.At(i, j))
			words = append(words, fmt.Sprint(v))
			if v > 0 {
				entries++
				fmt.Fprintf(&market, "%d %d %d\n", i+1, j+1, v)
				counts = append(counts, fmt.Sprintf("%d:%d", j, v))
			}
		}
		fmt.Fprintln(&table, strings.Join(words, ","))
		fmt.Fprintf(&svm, "0 %s\n", strings.Join(counts, " "))
		fmt.Fprintf(&ldac, "%d %s\n", len(counts), strings.Join(counts, " "))
	}
	var npy bytes.Buffer
	must.Do(t, npyio.Write(&npy, x))
	dir := t.TempDir()
	opt := eigenmap.Options{Clusters: k}
	want := must.Get(eigenmap.ClusterMatrix(t.Context(), x, opt))(t)
	if notes := strings.Join(want.Notes(), " "); !strings.Contains(notes, "weighting tf with normalize none takes them as they are") {
		t.Errorf("the notes are %q", notes)
	}
	for name, content := range map[string]string{
		"dense.csv": table.String(), "counts.svm": svm.String(), "counts.ldac": ldac.String(), "dense.npy": npy.String(),
		"sparse.mtx": fmt.Sprintf("%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n%s", n, d, entries, market.String()),
	} {
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, []byte(content), 0o600))
		got := must.Get(eigenmap.Cluster(t.Context(), file, opt))(t)
		if !slices.Equal(got.Labels, want.Labels) || !mat.Equal(got.Embedding, want.Embedding) {
			t.Errorf("%s: other clusters or coordinates than of the matrix in memory", name)
		}
	}
}
