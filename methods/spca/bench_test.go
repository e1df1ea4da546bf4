//go:build unix

package spca

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
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// peer is scikit-learn's MiniBatchSparsePCA with the penalty at which it keeps about 48 terms per
// component. It prints seconds and the adjusted variance of unit loadings.
const peer = `
import sys, time, warnings
import numpy as np
from sklearn.decomposition import MiniBatchSparsePCA
warnings.simplefilter("ignore")
x = np.fromfile(sys.argv[1]).reshape(int(sys.argv[2]), -1)
spent = []
for _ in range(3):
    t = time.process_time()
    b = MiniBatchSparsePCA(5, alpha=float(sys.argv[3]), random_state=0).fit(x).components_.T
    spent.append(time.process_time() - t)
kept = (b != 0).sum()
b = b / np.linalg.norm(b, axis=0)
r = np.linalg.qr((x - x.mean(0)) @ b, mode="r")
print(sorted(spent)[1], (np.diag(r) ** 2).sum() / (len(x) - 1), kept)
`

// BenchmarkUSPS is 5 components of 48 of 256 pixels of 9,298 digits. times-sklearn is the processor
// time of scikit-learn's MiniBatchSparsePCA over ours, both on one thread; variance is the adjusted
// one.
func BenchmarkUSPS(b *testing.B) {
	const file = "../../../shared/data/USPS.mat"
	if _, err := os.Stat(file); err != nil {
		b.Skip("USPS.mat is not in ../shared/data")
	}
	c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	x := mat.DenseCopyOf(c.X)
	defer native.SetThreads(0)
	native.SetThreads(1)
	var m *Model
	start := scikit.CPUSeconds(b)
	for b.Loop() {
		if m, err = Fit(ctx, x, Options{Dims: 5, Terms: method.Amount{Count: 48}}); err != nil {
			b.Fatal(err)
		}
	}
	ours := (scikit.CPUSeconds(b) - start) / float64(b.N)
	sum := 0.0
	for _, v := range m.AdjustedVariance {
		sum += v
	}
	b.ReportMetric(sum, "variance")
	b.ReportMetric(ours, "cpu-s")
	b.ReportMetric(float64(m.Rounds), "rounds")
	python, err := scikit.Python()
	if err != nil {
		b.Logf("no comparison: %v", err)
		return
	}
	data := filepath.Join(b.TempDir(), "data")
	var raw bytes.Buffer
	must.Do(b, binary.Write(&raw, binary.LittleEndian, x.RawMatrix().Data))
	must.Do(b, os.WriteFile(data, raw.Bytes(), 0o600))
	rows, _ := x.Dims()
	cmd := exec.Command(python, "-c", peer, data, fmt.Sprint(rows), "10")
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("scikit-learn: %v", err)
	}
	var seconds, variance, kept float64
	if _, err := fmt.Sscan(string(out), &seconds, &variance, &kept); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(seconds/ours, "times-sklearn")
	b.ReportMetric(variance, "variance-sklearn")
	b.ReportMetric(kept, "terms-sklearn")
}
