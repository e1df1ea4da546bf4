package kmeans

import (
	"fmt"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkFit runs ten restarts of k-means++ and Lloyd on data like a spectral embedding (dense)
// and like a corpus (sparse unit rows).
func BenchmarkFit(b *testing.B) {
	run := func(name string, x mat.Matrix, k int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m, err := Fit(ctx, x, Options{K: k})
				if err != nil {
					b.Fatal(err)
				}
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
	dense, err := newDensePoints(ctx, blobs(9394, 30, 30, 1, 1))
	if err != nil {
		b.Fatal(err)
	}
	sp, err := newSparsePoints(ctx, texts(b, 3000, 10_000, 100, 20, 1))
	if err != nil {
		b.Fatal(err)
	}
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
				if err := r.lloyd(ctx, 30); err != nil {
					b.Fatal(err)
				}
			}
			fast := b.Elapsed().Seconds() / float64(b.N)
			start()
			begun := time.Now()
			plainLloyd(r, 30)
			b.ReportMetric(time.Since(begun).Seconds()/fast, "times-plain")
		})
	}
}
