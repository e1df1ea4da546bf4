package kernelkmeans

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// The 60,000 digits of MNIST, whose kernel matrix would take 27 GiB, in row blocks; EIGENMAP_LONG
// runs all moves, otherwise two moves of 6,000 digits.
func BenchmarkMNIST(b *testing.B) {
	const file = "../../../shared/data/mnist-train-images-idx3-ubyte.gz"
	if _, err := os.Stat(file); err != nil {
		b.Skip("MNIST is not in ../shared/data; row blocks are timed on made-up data only")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
	x := c.X
	opt := Options{K: 10, Restarts: 1}
	if os.Getenv("EIGENMAP_LONG") == "" {
		dense := mat.DenseCopyOf(x)
		_, d := dense.Dims()
		x, opt.MaxIter = dense.Slice(0, 6000, 0, d), 2
	}
	for b.Loop() {
		began, told := time.Now(), time.Now()
		opt.Observer = func(e progress.Event) {
			if e.Stage == "kernel rows" && time.Since(told) > 15*time.Second {
				told = time.Now()
				b.Logf("%.1f s: %d of %d rows of the kernel", time.Since(began).Seconds(), e.Done, e.Total)
			}
		}
		m := fitIn(memory.Bound(ctx, 1<<28), b, x, opt)
		b.Logf("%.1f s: %s, %d moves, converged %v, sizes %v", time.Since(began).Seconds(), m.Storage, m.Iterations, m.Converged, m.Sizes)
	}
}
