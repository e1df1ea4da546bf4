//go:build unix

package svm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// liblinear trains one machine per class by LIBLINEAR through scikit-learn. It prints the processor
// time of the fastest of three fits, and the sum of the primal objectives.
const liblinear = `
import sys, time, warnings
import numpy as np, scipy.sparse as sp
from sklearn.svm import LinearSVC
warnings.simplefilter('ignore')
n, d, entries, tol, loss = *map(int, sys.argv[2:5]), float(sys.argv[5]), sys.argv[6]
raw = np.fromfile(sys.argv[1])
y, raw = raw[:n].astype(int), raw[n:]
ptr, raw = raw[:n + 1].astype(np.int32), raw[n + 1:]
x = sp.csr_matrix((raw[entries:], raw[:entries].astype(np.int32), ptr), (n, d))
spent = []
for _ in range(3):
    t = time.process_time()
    m = LinearSVC(loss=loss, C=1, tol=tol, dual=True, max_iter=10000, random_state=0).fit(x, y)
    spent.append(time.process_time() - t)
f = x @ m.coef_.T + m.intercept_
slack = np.maximum(0, 1 - np.where(y[:, None] == m.classes_, 1, -1) * f)
print(min(spent), ((m.coef_ ** 2).sum() + (m.intercept_ ** 2).sum()) / 2 + (slack ** (1 if loss == 'hinge' else 2)).sum())
`

// BenchmarkLinear trains a linear machine for each of the 30 classes of TDT2, on one thread, with
// LIBLINEAR's penalised b and with a free one. times-liblinear is the processor time of LIBLINEAR
// over ours, each the shortest; above-e6 is how far our primal objective lies above LIBLINEAR's, in
// 1e-6 of it (a free b has another optimum).
func BenchmarkLinear(b *testing.B) {
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("TDT2.mat is not in ../shared/data")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	weighted, err := c.Weighted(corpus.WeightTFIDF, corpus.NormL2)
	if err != nil {
		b.Fatal(err)
	}
	x := weighted.(*sparse.CSR)
	defer native.SetThreads(0)
	native.SetThreads(1)
	for _, run := range []struct {
		loss Loss
		bias Bias
	}{{Hinge, Feature}, {SquaredHinge, Feature}, {Hinge, Free}, {SquaredHinge, Free}} {
		b.Run(fmt.Sprintf("%s/%s", run.loss, run.bias), func(b *testing.B) {
			ours, primal, sweeps := math.Inf(1), 0.0, 0
			for b.Loop() {
				start := scikit.CPUSeconds(b)
				e, err := OneVsRest(ctx, x, c.Labels, 30, Options{Loss: run.loss, Bias: run.bias})
				if err != nil {
					b.Fatal(err)
				}
				ours = min(ours, scikit.CPUSeconds(b)-start)
				primal, sweeps = 0, 0
				for _, m := range e.Machines {
					primal += m.Primal
					sweeps += m.Sweeps
				}
			}
			b.ReportMetric(ours, "cpu-s")
			b.ReportMetric(float64(sweeps), "sweeps")
			seconds, optimum, ok := askLiblinear(b, x, c.Labels, run.loss)
			if !ok {
				return
			}
			b.ReportMetric(seconds/ours, "times-liblinear")
			if run.bias == Feature {
				b.ReportMetric(1e6*(primal/optimum-1), "above-e6")
			}
		})
	}
}

// askLiblinear returns what liblinear prints, and whether it is installed.
func askLiblinear(b *testing.B, x *sparse.CSR, y []int, loss Loss) (seconds, primal float64, ok bool) {
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return 0, 0, false
	}
	var all []float64
	for _, v := range y {
		all = append(all, float64(v))
	}
	for _, v := range x.RowPtr {
		all = append(all, float64(v))
	}
	for _, v := range x.Col {
		all = append(all, float64(v))
	}
	var raw bytes.Buffer
	if err := binary.Write(&raw, binary.LittleEndian, append(all, x.Val...)); err != nil {
		b.Fatal(err)
	}
	data := filepath.Join(b.TempDir(), "data")
	if err := os.WriteFile(data, raw.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	out, err := exec.Command(python, "-c", liblinear, data, fmt.Sprint(x.NumRows), fmt.Sprint(x.NumCols), fmt.Sprint(x.NNZ()), fmt.Sprint(DefaultTol), strings.ReplaceAll(string(loss), "-", "_")).Output()
	if err != nil {
		b.Fatalf("scikit-learn: %v", err)
	}
	if _, err := fmt.Sscan(string(out), &seconds, &primal); err != nil {
		b.Fatal(err)
	}
	return seconds, primal, true
}
