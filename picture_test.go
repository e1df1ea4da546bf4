package eigenmap_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// A picture of a part of the documents says so.
func TestPictureOfASample(t *testing.T) {
	for n, says := range map[int]bool{30000: false, 30001: true} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			x.SetRow(i, []float64{rng.NormFloat64() + float64(6*(i%2)), rng.NormFloat64()})
		}
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: "kmeans", Clusters: 2}))(t)
		dir := t.TempDir()
		save(t, run, dir)
		page := must.Get(os.ReadFile(filepath.Join(dir, "report.html")))(t)
		if got := strings.Contains(string(page), "30,000 of 30,001 documents are drawn here, a random sample"); got != says {
			t.Errorf("%d documents: the page says that it shows a sample: %v", n, got)
		}
	}
}
