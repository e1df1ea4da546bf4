package pca

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/methods/lsi"
)

// peer decomposes the same matrix by scikit-learn. Its TruncatedSVD does not centre, so its figures are those of package
// lsi; its PCA would need the dense matrix.
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

// BenchmarkTDT2 is 500 components of TDT2, 9,394 documents of 36,771 terms, by this package (centred) and by lsi (not
// centred), beside scikit-learn's TruncatedSVD(algorithm="arpack") where Debian's python3-sklearn is installed.
// times-sklearn is its time over ours, MB what the process holds afterwards, residual the largest over σ_1.
func BenchmarkTDT2(b *testing.B) {
	const k = 500
	x := tdt2(b)
	var answer struct {
		Seconds float64
		Values  []float64
	}
	out, err := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", peer, "../../../shared/data/TDT2.mat", "500").Output()
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil {
		b.Logf("no peer to compare with (python3-sklearn): %v", err)
	} else {
		b.Logf("scikit-learn TruncatedSVD(arpack): %.1f s", answer.Seconds)
	}
	measure := func(name string, run func() (singular, left, right []float64)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				began := time.Now()
				singular, left, right := run()
				took := time.Since(began).Seconds()
				worst := 0.0
				for j := range singular {
					worst = max(worst, left[j], right[j])
				}
				b.ReportMetric(worst/singular[0], "residual")
				if answer.Seconds > 0 {
					b.ReportMetric(answer.Seconds/took, "times-sklearn")
				}
				if name == "lsi" && len(answer.Values) == k {
					apart := 0.0
					for j, s := range singular {
						apart = max(apart, s-answer.Values[j], answer.Values[j]-s)
					}
					b.ReportMetric(apart/singular[0], "apart")
				}
			}
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			b.ReportMetric(float64(stats.Sys)/1e6, "MB")
		})
	}
	measure("pca", func() (_, _, _ []float64) {
		m := fit(b, x, Options{Components: k})
		return m.Singular, m.LeftResiduals, m.RightResiduals
	})
	measure("lsi", func() (_, _, _ []float64) {
		m, err := lsi.Fit(ctx, x, lsi.Options{Dims: k})
		if err != nil {
			b.Fatal(err)
		}
		return m.Singular, m.LeftResiduals, m.RightResiduals
	})
	if os.Getenv("EIGENMAP_LONG") != "" {
		measure("share 0.5", func() (_, _, _ []float64) {
			m := fit(b, x, Options{Share: 0.5})
			b.Logf("%d components", len(m.Singular))
			return m.Singular, m.LeftResiduals, m.RightResiduals
		})
	}
}
