package gmm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// gemmPeak is the flops a second of a product of two 2,000×2,000 matrices on all threads, the best
// of three.
func gemmPeak() float64 {
	const n = 2000
	a := blobsFast(n, n, 1, 0, 1).RawMatrix()
	c := mat.NewDense(n, n, nil).RawMatrix()
	best := 0.0
	for range 3 {
		begun := time.Now()
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, a, a, 0, c)
		best = max(best, 2*n*n*n/time.Since(begun).Seconds())
	}
	return best
}

// blobsFast draws n rows of unit noise around k centres.
func blobsFast(n, d, k int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 8))
	centres := make([]float64, k*d)
	for i := range centres {
		centres[i] = spread * rng.NormFloat64()
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		c := centres[i%k*d:]
		for j := range d {
			x.Set(i, j, c[j]+rng.NormFloat64())
		}
	}
	return x
}

// iteration is one M-step and one E-step from the given responsibilities; it returns the seconds of
// both and log P(X).
func iteration(b testing.TB, e *Estimator, m *Mixture, r, out *mat.Dense) (mstep, estep, logLik float64) {
	begun := time.Now()
	must.Do(b, e.MStep(ctx, r, m))
	mstep = time.Since(begun).Seconds()
	begun = time.Now()
	logLik = must.Get(e.EStep(ctx, m, out))(b)
	return mstep, time.Since(begun).Seconds(), logLik
}

// BenchmarkIteration is one EM iteration (M-step and E-step), 10,000×500, K = 30, full covariances:
// beside the bound of 2·K·n·d² flops at the measured peak of gemm, and beside scikit-learn's where
// Debian's interpreter has it. "labels": from the clusters that k-means would find, EM's first
// iteration. "settled": two iterations later. "dense": from random responsibilities that are all
// positive, so that nothing can be left out, the worst that can be.
func BenchmarkIteration(b *testing.B) {
	const n, d, k = 10_000, 500, 30
	x := blobsFast(n, d, k, 0.15, 1)
	peak := gemmPeak()
	bound := 2 * float64(k) * n * d * d / peak
	e := must.Get(NewEstimator(ctx, x, Options{K: k, RidgeKind: RidgeAbsolute}))(b)
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i % k
	}
	m, settled, out := e.NewMixture(), Indicators(labels, k), mat.NewDense(n, k, nil)
	for range 2 {
		iteration(b, e, m, settled, out)
		settled.Copy(out)
	}
	random := mat.NewDense(n, k, nil)
	rng := rand.New(rand.NewPCG(1, 9))
	random.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() + 1e-9 }, random)
	for i := range n {
		row := random.RowView(i).(*mat.VecDense)
		row.ScaleVec(1/mat.Sum(row), row)
	}
	for _, c := range []struct {
		name string
		r    *mat.Dense
	}{{"labels", Indicators(labels, k)}, {"settled", settled}, {"dense", random}} {
		b.Run(c.name, func(b *testing.B) {
			peer := scikitIteration(b, x, c.r)
			best := [3]float64{math.Inf(1)}
			var logLik float64
			for b.Loop() {
				ms, es, l := iteration(b, e, m, c.r, out)
				if logLik = l; ms+es < best[0] {
					best = [3]float64{ms + es, ms, es}
				}
			}
			b.ReportMetric(best[1], "s-M-step")
			b.ReportMetric(best[2], "s-E-step")
			b.ReportMetric(best[0]/bound, "times-bound")
			b.ReportMetric(peak/1e9, "GFlops-gemm")
			if peer != nil {
				b.ReportMetric(peer.seconds/best[0], "times-faster-than-scikit-learn")
				b.ReportMetric(peer.seconds, "s-scikit-learn")
				b.ReportMetric(math.Abs(logLik/n/peer.bound-1), "log-likelihood-differs")
			}
		})
	}
}

// BenchmarkEngines prints how many times faster the native engine is than pure Go, 2,000×200, K =
// 10.
func BenchmarkEngines(b *testing.B) {
	defer native.Use(native.Default().Name())
	x := blobsFast(2000, 200, 10, 0.1, 1)
	r := mat.NewDense(2000, 10, nil)
	r.Apply(func(_, _ int, _ float64) float64 { return 0.1 }, r)
	seconds := map[string]float64{}
	for _, engine := range native.Engines() {
		must.Do(b, native.Use(engine.Name()))
		b.Run(engine.Name(), func(b *testing.B) {
			e := must.Get(NewEstimator(ctx, x, Options{K: 10}))(b)
			m, out := e.NewMixture(), mat.NewDense(2000, 10, nil)
			best := 1e9
			for b.Loop() {
				ms, es, _ := iteration(b, e, m, r, out)
				best = min(best, ms+es)
			}
			if seconds[engine.Name()] = best; engine.Name() == "go" && seconds["openblas"] > 0 {
				b.ReportMetric(best/seconds["openblas"], "times-native")
			}
		})
	}
}

type peerIteration struct{ seconds, bound float64 }

// scikitIteration times scikit-learn's own steps from the same responsibilities, the better of two
// runs; nil if it is absent.
func scikitIteration(b *testing.B, x, r *mat.Dense) *peerIteration {
	python, err := scikit.Python()
	if err != nil {
		b.Log(err)
		return nil
	}
	dir := b.TempDir()
	writeRaw(b, filepath.Join(dir, "x"), x)
	writeRaw(b, filepath.Join(dir, "r"), r)
	n, d := x.Dims()
	_, k := r.Dims()
	text, err := exec.Command(python, "-W", "ignore", "-c", `
import sys, time
import numpy as np
from sklearn.mixture import GaussianMixture
dir, n, d, k = sys.argv[1], *map(int, sys.argv[2:])
x = np.fromfile(dir + "/x").reshape(n, d)
r = np.log(np.fromfile(dir + "/r").reshape(n, k))
g = GaussianMixture(k, reg_covar=1e-6)
best = 1e9
for repeat in range(2):
    t = time.perf_counter()
    g._m_step(x, r)
    bound, _ = g._e_step(x)
    best = min(best, time.perf_counter() - t)
print(best, bound)
`, dir, strconv.Itoa(n), strconv.Itoa(d), strconv.Itoa(k)).Output()
	if err != nil {
		b.Logf("scikit-learn: %v", err)
		return nil
	}
	var p peerIteration
	if _, err := fmt.Sscan(string(text), &p.seconds, &p.bound); err != nil {
		b.Fatal(err)
	}
	return &p
}

// writeRaw writes a matrix as rows of native doubles.
func writeRaw(tb testing.TB, path string, x *mat.Dense) {
	raw := x.RawMatrix()
	buf := make([]byte, 0, 8*raw.Rows*raw.Cols)
	for i := range raw.Rows {
		for _, v := range x.RawRowView(i) {
			buf = appendFloat(buf, v)
		}
	}
	must.Do(tb, os.WriteFile(path, buf, 0o600))
}
