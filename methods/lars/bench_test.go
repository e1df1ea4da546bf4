package lars

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// tdt2 returns unit rows of TDT2 and its class indicators as responses, which are orthogonal as
// they stand, of unit length; Fit centres them.
func tdt2(b *testing.B) (*sparse.CSR, *mat.Dense) {
	b.Helper()
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("TDT2.mat is not in ../shared/data")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
	x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(b)
	return x.(*sparse.CSR), indicators(c.Labels)
}

func indicators[T int | int32](labels []T) *mat.Dense {
	counts := map[T]float64{}
	classes := 0
	for _, l := range labels {
		counts[l]++
		classes = max(classes, int(l)+1)
	}
	y := mat.NewDense(len(labels), classes, nil)
	for i, l := range labels {
		y.Set(i, int(l), 1/math.Sqrt(counts[l]))
	}
	return y
}

// taken is how many bytes f allocates in all, which bounds what it holds at any time.
func taken(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// BenchmarkTDT2 follows 30 responses to 100 terms on 9,394 × 36,771; MB-over-data is all it
// allocates.
func BenchmarkTDT2(b *testing.B) {
	x, y := tdt2(b)
	opt := Options{Intercept: true, MaxTerms: 100}
	bytes, knots := 0.0, 0
	for b.Loop() {
		bytes = taken(func() {
			paths := must.Get(Fit(ctx, x, y, opt))(b)
			knots = 0
			for _, p := range paths {
				knots += p.Knots()
			}
		})
	}
	b.ReportMetric(bytes/1e6, "MB-over-data")
	b.ReportMetric(float64(knots), "knots")
}

// BenchmarkRidgeTDT2 is ridge regression of the same responses, by conjugate gradients.
func BenchmarkRidgeTDT2(b *testing.B) {
	x, y := tdt2(b)
	for _, penalty := range []float64{1, 0.01} {
		b.Run(fmt.Sprintf("penalty=%v", penalty), func(b *testing.B) {
			var m *RidgeModel
			for b.Loop() {
				var err error
				if m, err = Ridge(ctx, x, y, RidgeOptions{Ridge: penalty, Intercept: true}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(m.Iterations), "iterations")
			b.ReportMetric(panel.Largest(m.Residuals)*1e12, "residual-e12")
		})
	}
}

const scikitTimes = `
import sys, time, resource, warnings
import numpy as np
from sklearn.linear_model import lars_path
warnings.simplefilter("ignore")
name, n, p, r, steps = sys.argv[1], *map(int, sys.argv[2:])
a = np.fromfile(name)
x, y = np.asfortranarray(a[:n * p].reshape(n, p)), a[n * p:].reshape(n, r)
del a
x -= x.mean(0)
y = y - y.mean(0)
spent = 0
coefs = []
for k in range(r):
    t = time.perf_counter()
    alphas, active, c = lars_path(x, y[:, k], method="lasso", max_iter=steps)
    spent += time.perf_counter() - t
    coefs.append(c[:, -1])
np.array(coefs).tofile(name + ".out")
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
`

// BenchmarkAgainstScikitLearn is 100 steps on a part of TDT2 that fits in memory as a dense matrix
// (every sixth document, the terms of at least two of these), ours for all responses and
// scikit-learn's lars_path for two of them, on the dense centred matrix that it needs.
// times-sklearn is its time a response over ours, apart-e12 the largest difference of the last
// coefficients over the largest, in 1e-12.
func BenchmarkAgainstScikitLearn(b *testing.B) {
	whole, _ := tdt2(b)
	python, err := scikit.Python()
	if err != nil {
		b.Skip(err)
	}
	c := must.Get(corpus.Read(ctx, "../../../shared/data/TDT2.mat", corpus.ReadOptions{}))(b)
	var rows, cols []int
	var labels []int
	for i := 0; i < whole.NumRows; i += 6 {
		rows, labels = append(rows, i), append(labels, int(c.Labels[i]))
	}
	x := whole.SelectRows(rows)
	for j, count := range x.ColCounts() {
		if count >= 2 {
			cols = append(cols, j)
		}
	}
	x = x.SelectCols(cols)
	y := indicators(labels)
	n, r := y.Dims()
	const steps, theirs = 100, 2
	opt := Options{Intercept: true, MaxSteps: steps}
	var paths []*Path
	bytes := 0.0
	for b.Loop() {
		bytes = taken(func() {
			if paths, err = Fit(ctx, x, y, opt); err != nil {
				b.Fatal(err)
			}
		})
	}
	ours := b.Elapsed().Seconds() / float64(b.N) / float64(r)

	file := filepath.Join(b.TempDir(), "data")
	part := mat.DenseCopyOf(y.Slice(0, n, 0, theirs))
	writeNumbers(b, file, x.ToDense().RawMatrix().Data, part.RawMatrix().Data)
	text, err := exec.Command(python, "-c", scikitTimes, file, fmt.Sprint(n), fmt.Sprint(len(cols)), fmt.Sprint(theirs), fmt.Sprint(steps)).Output()
	if err != nil {
		b.Fatalf("scikit-learn: %v", err)
	}
	var seconds, megabytes float64
	if _, err := fmt.Sscan(string(text), &seconds, &megabytes); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(seconds/theirs/ours, "times-sklearn")
	b.ReportMetric(bytes/1e6, "MB-over-data")
	b.ReportMetric(megabytes, "MB-sklearn")
	b.ReportMetric(1e12*lastApart(b, file+".out", paths[:theirs], len(cols)), "apart-e12")
	b.Logf("%d × %d, %d entries: %.4f s a response, scikit-learn %.2f s", n, len(cols), x.NNZ(), ours, seconds/theirs)
}

// lastApart compares the coefficients at the last knots with those in a file, p a path.
func lastApart(b *testing.B, file string, paths []*Path, p int) float64 {
	want, err := readNumbers(file)
	if err != nil || len(want) != p*len(paths) {
		b.Fatalf("%d numbers, error %v", len(want), err)
	}
	worst := 0.0
	for k, path := range paths {
		got := make([]float64, p)
		terms, values, _ := path.At(path.Knots() - 1)
		for i, j := range terms {
			got[j] = values[i]
		}
		for j, v := range got {
			worst = max(worst, math.Abs(v-want[k*p+j])/panel.Largest(values))
		}
	}
	return worst
}
