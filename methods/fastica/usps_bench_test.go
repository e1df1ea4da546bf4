//go:build unix

package fastica

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// peer is scikit-learn's FastICA. It prints the processor time of the fastest of three fits and its
// steps.
const peer = `
import sys, time, warnings
import numpy as np
from sklearn.decomposition import FastICA
warnings.simplefilter("ignore")
x = np.fromfile(sys.argv[1]).reshape(int(sys.argv[2]), -1)
spent = []
for _ in range(3):
    t = time.process_time()
    f = FastICA(30, whiten="unit-variance", tol=0, max_iter=100, random_state=0).fit(x)
    spent.append(time.process_time() - t)
print(min(spent), f.n_iter_)
`

// BenchmarkUSPS is 30 components of 9,298 digits of 256 pixels after 100 steps, on one thread.
// times-scalar-slopes is the processor time of g and g′ with package math over ours, times-sklearn
// the processor time of a whole fit by scikit-learn over ours.
func BenchmarkUSPS(b *testing.B) {
	const file = "../../../shared/data/USPS.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("USPS.mat is not in ../shared/data")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
	x := mat.DenseCopyOf(c.X)
	defer native.SetThreads(0)
	native.SetThreads(1)
	opt := Options{Dims: 30, Tol: 1e-300, MaxIter: 100}
	ours := 0.0
	for b.Loop() {
		start := scikit.CPUSeconds(b)
		fit(b, x, opt)
		if spent := scikit.CPUSeconds(b) - start; ours == 0 || spent < ours {
			ours = spent
		}
	}
	b.ReportMetric(ours, "cpu-s")
	var values, sums [30 * 256]float64
	for i := range values {
		values[i] = float64(i%41)/10 - 2
	}
	g := Options{}.withDefaults().contrast()
	start := scikit.CPUSeconds(b)
	for range 300 {
		eachRow(values[:], sums[:30], g.slope)
	}
	scalar := scikit.CPUSeconds(b) - start
	start = scikit.CPUSeconds(b)
	for range 300 {
		g.slopes(values[:], sums[:30])
	}
	b.ReportMetric(scalar/(scikit.CPUSeconds(b)-start), "times-scalar-slopes")
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return
	}
	var raw bytes.Buffer
	must.Do(b, binary.Write(&raw, binary.LittleEndian, x.RawMatrix().Data))
	data := filepath.Join(b.TempDir(), "data")
	must.Do(b, os.WriteFile(data, raw.Bytes(), 0o600))
	rows, _ := x.Dims()
	cmd := exec.Command(python, "-c", peer, data, fmt.Sprint(rows))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("scikit-learn: %v", err)
	}
	var seconds, steps float64
	if _, err := fmt.Sscan(string(out), &seconds, &steps); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(seconds/ours, "times-sklearn")
	b.ReportMetric(steps, "steps-sklearn")
}
