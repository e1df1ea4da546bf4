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
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// peer is libsvm through scikit-learn. It prints the processor time of the fastest of three fits,
// and the dual objective.
const peer = `
import sys, time
import numpy as np
from sklearn.svm import SVC
x = np.fromfile(sys.argv[1])
n, gamma, tol = int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
y, x = x[:n], x[n:].reshape(n, -1)
spent = []
for _ in range(3):
    t = time.process_time()
    m = SVC(C=1, gamma=gamma, tol=tol, cache_size=1000).fit(x, y)
    spent.append(time.process_time() - t)
a, s = m.dual_coef_[0], m.support_vectors_
q = (s * s).sum(1)
k = np.exp(-gamma * (q[:, None] + q[None] - 2 * s @ s.T))
print(min(spent), abs(a).sum() - a @ k @ a / 2, len(a))
`

// peerClasses is libsvm through scikit-learn, one machine per class, and its scores. It prints the
// processor time of the fastest of three runs, and the share of the rows that the largest score
// classifies correctly.
const peerClasses = `
import sys, time
import numpy as np
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC
x = np.fromfile(sys.argv[1])
n, gamma, tol = int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
y, x = x[:n], x[n:].reshape(n, -1)
spent = []
for _ in range(3):
    t = time.process_time()
    m = OneVsRestClassifier(SVC(C=1, gamma=gamma, tol=tol, cache_size=1000)).fit(x, y)
    m.decision_function(x)
    spent.append(time.process_time() - t)
print(min(spent), (m.predict(x) == y).mean())
`

// BenchmarkUSPS separates the digits of five classes of USPS from the others by a Gaussian kernel,
// 5,000 rows, on one thread. times-libsvm is the processor time of libsvm over ours; gap-e6 is how
// far our dual objective lies below libsvm's, in 1e-6 of it.
func BenchmarkUSPS(b *testing.B) {
	x, digits := uspsRows(b, 5000)
	y := make([]float64, len(digits))
	for i, digit := range digits {
		y[i] = 1 - 2*float64(digit%2)
	}
	var err error
	defer native.SetThreads(0)
	native.SetThreads(1)
	var m *Model
	ours := 0.0
	opt := Options{Kernel: Gaussian, Solver: SMO, Tol: 1e-3, C: 1}
	for b.Loop() {
		start := scikit.CPUSeconds(b)
		if m, err = Fit(ctx, x, y, opt); err != nil {
			b.Fatal(err)
		}
		if spent := scikit.CPUSeconds(b) - start; ours == 0 || spent < ours {
			ours = spent
		}
	}
	b.ReportMetric(ours, "cpu-s")
	b.ReportMetric(float64(len(m.Support)), "vectors")
	var seconds, dual, vectors float64
	if !askLibsvm(b, peer, y, x, opt, &seconds, &dual, &vectors) {
		return
	}
	b.ReportMetric(seconds/ours, "times-libsvm")
	b.ReportMetric(1e6*(dual-m.Dual)/dual, "gap-e6")
	b.ReportMetric(vectors, "vectors-libsvm")
}

// BenchmarkUSPSClasses trains a machine for each of the ten digits of USPS and scores all rows,
// 2,000 rows, on one thread. times-libsvm is the processor time of libsvm over ours, correct the
// share of the rows that the largest score classifies correctly.
func BenchmarkUSPSClasses(b *testing.B) {
	x, digits := uspsRows(b, 2000)
	defer native.SetThreads(0)
	native.SetThreads(1)
	opt := Options{Kernel: Gaussian, Solver: SMO, Tol: 1e-3, C: 1}
	ours, right := math.Inf(1), 0
	for b.Loop() {
		start := scikit.CPUSeconds(b)
		e := must.Get(OneVsRest(ctx, x, digits, 10, opt))(b)
		ours = min(ours, scikit.CPUSeconds(b)-start)
		right = 0
		for i, digit := range digits {
			if floats.MaxIdx(e.Scores.RawRowView(i)) == digit {
				right++
			}
		}
	}
	b.ReportMetric(ours, "cpu-s")
	b.ReportMetric(float64(right)/float64(len(digits)), "correct")
	y := make([]float64, len(digits))
	for i, digit := range digits {
		y[i] = float64(digit)
	}
	var seconds, share float64
	if askLibsvm(b, peerClasses, y, x, opt, &seconds, &share) {
		b.ReportMetric(seconds/ours, "times-libsvm")
		b.ReportMetric(share, "correct-libsvm")
	}
}

// uspsRows are n digits of USPS, evenly spread, and their classes.
func uspsRows(b *testing.B, n int) (*mat.Dense, []int) {
	const file = "../../../shared/data/USPS.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("USPS.mat is not in ../shared/data")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(b)
	whole := mat.DenseCopyOf(c.X)
	_, d := whole.Dims()
	x, digits := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		from := i * c.Len() / n
		x.SetRow(i, whole.RawRowView(from))
		digits[i] = c.Labels[from]
	}
	return x, digits
}

// askLibsvm reads what a program prints for rows and targets, and returns whether scikit-learn is
// installed.
func askLibsvm(b *testing.B, program string, y []float64, x *mat.Dense, opt Options, answers ...any) bool {
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return false
	}
	var raw bytes.Buffer
	for _, part := range [][]float64{y, x.RawMatrix().Data} {
		must.Do(b, binary.Write(&raw, binary.LittleEndian, part))
	}
	data := filepath.Join(b.TempDir(), "data")
	must.Do(b, os.WriteFile(data, raw.Bytes(), 0o600))
	rows := must.Get(NewTrainer(ctx, x, opt))(b)
	cmd := exec.Command(python, "-c", program, data, fmt.Sprint(len(y)), fmt.Sprint(1/rows.Options().Sigma), fmt.Sprint(opt.Tol))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("scikit-learn: %v", err)
	}
	if _, err := fmt.Sscan(string(out), answers...); err != nil {
		b.Fatal(err)
	}
	return true
}
