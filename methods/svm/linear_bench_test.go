//go:build unix

package svm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// liblinear trains one machine per class by LIBLINEAR through scikit-learn, again for each line
// that it reads. It prints the processor time of the fit, and the sum of the primal objectives.
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
for _ in sys.stdin:
    t = time.process_time()
    m = LinearSVC(loss=loss, C=1, tol=tol, dual=True, max_iter=10000, random_state=0).fit(x, y)
    t = time.process_time() - t
    f = x @ m.coef_.T + m.intercept_
    slack = np.maximum(0, 1 - np.where(y[:, None] == m.classes_, 1, -1) * f)
    print(t, ((m.coef_ ** 2).sum() + (m.intercept_ ** 2).sum()) / 2 + (slack ** (1 if loss == 'hinge' else 2)).sum(), flush=True)
`

// BenchmarkLinear trains a linear machine for each class of TDT2 and of Reuters, on one thread,
// with LIBLINEAR's penalised b and with a free one; LIBLINEAR in turn with each fit.
// times-liblinear is the median ratio of the processor times of a pair, times-least and times-most
// are the extremes; above-e6 is how far our primal objective lies above LIBLINEAR's, in 1e-6 of it
// (a free b has another optimum), and gap-e6 how far it lies above the dual one.
func BenchmarkLinear(b *testing.B) {
	defer native.SetThreads(0)
	native.SetThreads(1)
	for _, name := range []string{"TDT2", "Reuters21578"} {
		file := "../../../shared/data/" + name + ".mat"
		if _, err := os.Stat(file); err != nil {
			b.Logf("%s.mat is not in ../shared/data", name)
			continue
		}
		c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
		weighted := must.Get(c.Weighted(corpus.WeightTFIDF, corpus.NormL2))(b)
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			for _, bias := range []Bias{Feature, Free} {
				b.Run(fmt.Sprintf("%s/%s/%s", name, loss, bias), func(b *testing.B) {
					benchLinear(b, weighted.(*sparse.CSR), c.Labels, Options{Loss: loss, Bias: bias})
				})
			}
		}
	}
}

func benchLinear(b *testing.B, x *sparse.CSR, labels []int, opt Options) {
	peer := startLiblinear(b, x, labels, opt.Loss)
	var ours, ratios []float64
	var primal, dual, optimum float64
	sweeps := 0
	for b.Loop() {
		start := scikit.CPUSeconds(b)
		e := must.Get(OneVsRest(ctx, x, labels, slices.Max(labels)+1, opt))(b)
		ours = append(ours, scikit.CPUSeconds(b)-start)
		primal, dual, sweeps = 0, 0, 0
		for _, m := range e.Machines {
			primal += m.Primal
			dual += m.Dual
			sweeps += m.Sweeps
		}
		if peer != nil {
			var seconds float64
			seconds, optimum = peer(b)
			ratios = append(ratios, seconds/ours[len(ours)-1])
		}
	}
	slices.Sort(ours)
	b.ReportMetric(ours[len(ours)/2], "cpu-s")
	b.ReportMetric(float64(sweeps), "sweeps")
	b.ReportMetric(1e6*(primal/dual-1), "gap-e6")
	if peer == nil {
		return
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "times-liblinear")
	b.ReportMetric(ratios[0], "times-least")
	b.ReportMetric(ratios[len(ratios)-1], "times-most")
	if opt.Bias == Feature {
		b.ReportMetric(1e6*(primal/optimum-1), "above-e6")
	}
}

// startLiblinear returns a function that fits once and returns what liblinear prints; nil if
// scikit-learn is not installed.
func startLiblinear(b *testing.B, x *sparse.CSR, y []int, loss Loss) func(testing.TB) (seconds, primal float64) {
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return nil
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
	must.Do(b, binary.Write(&raw, binary.LittleEndian, append(all, x.Val...)))
	data := filepath.Join(b.TempDir(), "data")
	must.Do(b, os.WriteFile(data, raw.Bytes(), 0o600))
	cmd := exec.Command(python, "-c", liblinear, data, fmt.Sprint(x.NumRows), fmt.Sprint(x.NumCols), fmt.Sprint(x.NNZ()), fmt.Sprint(DefaultTol), strings.ReplaceAll(string(loss), "-", "_"))
	cmd.Stderr = os.Stderr
	in := must.Get(cmd.StdinPipe())(b)
	out := must.Get(cmd.StdoutPipe())(b)
	must.Do(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("scikit-learn: %v", err)
		}
	})
	return func(t testing.TB) (seconds, primal float64) {
		t.Helper()
		if _, err := fmt.Fprintln(in); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fscan(out, &seconds, &primal); err != nil {
			t.Fatal(err)
		}
		return seconds, primal
	}
}
