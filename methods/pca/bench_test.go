package pca

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"gonum.org/v1/gonum/mat"
)

// peer decomposes the same matrix by scikit-learn. Its TruncatedSVD does not centre, so its figures
// compare with package lsi; its PCA would need the dense matrix.
const peer = `
import json, sys, time
import numpy as np, scipy.io, scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
x = sp.csr_matrix(scipy.io.loadmat(sys.argv[1])["fea"]).astype(float)
x = sp.csr_matrix(sp.diags(1 / np.sqrt(np.asarray(x.multiply(x).sum(1)).ravel())) @ x)
start = time.perf_counter()
m = TruncatedSVD(int(sys.argv[2]), algorithm="arpack").fit(x)
print(json.dumps({"seconds": time.perf_counter() - start, "values": m.singular_values_.tolist()}))
`

// ask runs the peer once; ok is false if there is none.
func ask(b *testing.B, k int) (seconds float64, values []float64, ok bool) {
	b.Helper()
	var answer struct {
		Seconds float64
		Values  []float64
	}
	out, err := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", peer, "../../../shared/data/TDT2.mat", strconv.Itoa(k)).Output()
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil {
		b.Logf("no peer to compare with (python3-sklearn): %v", err)
	}
	return answer.Seconds, answer.Values, err == nil
}

// BenchmarkTDT2 is 500 components of TDT2, 9,394 documents of 36,771 terms, by this package
// (centred) and by lsi (not centred), taking turns with scikit-learn's
// TruncatedSVD(algorithm="arpack") if Debian's python3-sklearn is installed. times-sklearn is
// its time over ours; residual and apart (from its singular values) are in units of 1e-12·σ_1.
func BenchmarkTDT2(b *testing.B) {
	const k = 500
	x := tdt2(b)
	measure := func(name string, run func(b *testing.B) (singular, left, right []float64)) {
		b.Run(name, func(b *testing.B) {
			var ours, theirs float64
			for b.Loop() {
				b.StopTimer()
				seconds, values, ok := ask(b, k)
				theirs += seconds
				b.StartTimer()
				began := time.Now()
				singular, left, right := run(b)
				ours += time.Since(began).Seconds()
				worst, apart := 0.0, 0.0
				for j, s := range singular {
					worst = max(worst, left[j], right[j])
					if ok {
						apart = max(apart, math.Abs(s-values[j]))
					}
				}
				b.ReportMetric(1e12*worst/singular[0], "residual-e-12")
				if ok && name == "lsi" {
					b.ReportMetric(1e12*apart/singular[0], "apart-e-12")
				}
			}
			if theirs > 0 {
				b.ReportMetric(theirs/ours, "times-sklearn")
			}
		})
	}
	measure("pca", func(b *testing.B) (_, _, _ []float64) {
		m := fit(b, x, Options{Dims: k})
		return m.Singular, m.LeftResiduals, m.RightResiduals
	})
	measure("lsi", func(b *testing.B) (_, _, _ []float64) {
		m := must.Get(lsi.Fit(ctx, x, lsi.Options{Dims: k}))(b)
		return m.Singular, m.LeftResiduals, m.RightResiduals
	})
}

// BenchmarkDense is 50 components of dense rows as large as USPS, 9,298 × 256, and 30 as large as
// the digits, 1,797 × 64: an image with decaying variances and noise.
func BenchmarkDense(b *testing.B) {
	for _, size := range []struct{ n, d, k int }{{9298, 256, 50}, {1797, 64, 30}} {
		rng := rand.New(rand.NewPCG(36, 0))
		x := mat.NewDense(size.n, size.d, nil)
		x.Apply(func(_, j int, _ float64) float64 { return 3 + rng.NormFloat64()*100/float64(10+j) }, x)
		b.Run(strconv.Itoa(size.n), func(b *testing.B) {
			cpu := scikit.CPUSeconds(b)
			for b.Loop() {
				fit(b, x, Options{Dims: size.k})
			}
			b.ReportMetric((scikit.CPUSeconds(b)-cpu)/float64(b.N)*1e3, "cpu-ms/op")
		})
	}
}
