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

// Numbers most of which are 0 have one result as a table, in svmlight and as an array: images,
// indicators, a few columns, and rows that are mostly empty. Tables kept directions of rows alone,
// arrays their lengths.
func TestFormatsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		name         string
		cols, filled int
		value        func(rng *rand.Rand) float64
	}{
		{"image", 60, 15, func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(255)) }},
		{"indicators", 60, 15, func(*rand.Rand) float64 { return 1 }},
		{"few columns", 8, 2, func(rng *rand.Rand) float64 { return 1 + rng.Float64() }},
		{"mostly empty", 60, 4, func(rng *rand.Rand) float64 { return 1 + rng.Float64() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n, k = 150, 3
			rng := rand.New(rand.NewPCG(2, 7))
			x := mat.NewDense(n, c.cols, nil)
			var table, svm, npy bytes.Buffer
			for i := range n {
				for range c.filled {
					j := rng.IntN(c.cols)
					if rng.IntN(3) > 0 {
						j = i%k*c.cols/k + j/k
					}
					x.Set(i, j, c.value(rng))
				}
				svm.WriteByte('0')
				for j := range c.cols {
					fmt.Fprintf(&table, "%v,", x.At(i, j))
					if x.At(i, j) != 0 {
						fmt.Fprintf(&svm, " %d:%v", j+1, x.At(i, j))
					}
				}
				table.Truncate(table.Len() - 1)
				table.WriteByte('\n')
				svm.WriteByte('\n')
			}
			must.Do(t, npyio.Write(&npy, x))
			dir := t.TempDir()
			want := must.Get(eigenmap.ClusterMatrix(t.Context(), x, eigenmap.Options{Clusters: k}))(t)
			for name, content := range map[string]string{"table.csv": table.String(), "entries.svm": svm.String(), "array.npy": npy.String()} {
				file := filepath.Join(dir, name)
				must.Do(t, os.WriteFile(file, []byte(content), 0o600))
				got := must.Get(eigenmap.Cluster(t.Context(), file, eigenmap.Options{Clusters: k}))(t)
				if !slices.Equal(got.Labels, want.Labels) || !mat.Equal(got.Embedding, want.Embedding) {
					t.Errorf("%s: other clusters or coordinates than of the matrix in memory", name)
				}
			}
		})
	}
}
