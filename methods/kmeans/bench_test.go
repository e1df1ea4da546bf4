package kmeans

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkFit runs ten restarts of k-means++ and Lloyd on data like a spectral embedding (dense)
// and like a corpus (sparse unit rows).
func BenchmarkFit(b *testing.B) {
	run := func(name string, x mat.Matrix, k int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m := must.Get(Fit(ctx, x, Options{K: k}))(b)
				b.ReportMetric(float64(m.Iterations), "moves")
			}
		})
	}
	for _, s := range []struct{ n, d, k int }{{9394, 30, 30}, {100_000, 2, 50}, {100_000, 50, 2}} {
		run(fmt.Sprintf("dense/%dx%d,k=%d", s.n, s.d, s.k), blobs(s.n, s.d, s.k, 2, 1), s.k)
	}
	run("sparse/9394x36771,k=30", texts(b, 9394, 36771, 140, 30, 1), 30)
}

// BenchmarkAgainstPlain prints the speed-up of the bounds and tiles over the plain algorithm from
// the same starts.
func BenchmarkAgainstPlain(b *testing.B) {
	dense := must.Get(newDensePoints(ctx, blobs(9394, 30, 30, 1, 1)))(b)
	sp := must.Get(newSparsePoints(ctx, texts(b, 3000, 10_000, 100, 20, 1)))(b)
	for name, p := range map[string]points{"dense": dense, "sparse": sp} {
		b.Run(name, func(b *testing.B) {
			r := newRun(p, 20, 1, parallel.Serial)
			start := func() {
				for j := range r.k {
					r.c.place(j, j)
				}
			}
			for b.Loop() {
				start()
				must.Do(b, r.lloyd(ctx, 30))
			}
			fast := b.Elapsed().Seconds() / float64(b.N)
			start()
			begun := time.Now()
			plainLloyd(r, 30)
			b.ReportMetric(time.Since(begun).Seconds()/fast, "times-plain")
		})
	}
}

// BenchmarkMNIST is one start of 25 moves with 100 clusters on the 60,000 digits, of 784 pixels.
func BenchmarkMNIST(b *testing.B) {
	file, err := os.Open("../../../shared/data/mnist-train-images-idx3-ubyte.gz")
	if err != nil {
		b.Skip("MNIST is not in ../shared/data")
	}
	defer file.Close()
	z := must.Get(gzip.NewReader(file))(b)
	pixels := must.Get(io.ReadAll(z))(b)
	x := mat.NewDense(60000, 784, nil)
	for i, v := range pixels[16:] {
		x.RawMatrix().Data[i] = float64(v)
	}
	for _, init := range []Init{PlusPlus, Random} {
		b.Run(string(init), func(b *testing.B) {
			cpu := scikit.CPUSeconds(b)
			for b.Loop() {
				m := must.Get(Fit(ctx, x, Options{K: 100, Init: init, Restarts: 1, MaxIter: 25}))(b)
				b.ReportMetric(m.Objective/1e9, "objective-e9")
			}
			b.ReportMetric((scikit.CPUSeconds(b)-cpu)/float64(b.N), "cpu-s/op")
		})
	}
}
