//go:build unix

package nmf

import (
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// peer factorises the matrix by scikit-learn's coordinate descent from three random starts each:
// with the given number of iterations, and with ten more until the objective is at most the target.
const peer = `
import json, sys, time
import numpy as np, scipy.sparse as sp
from sklearn.decomposition import NMF
q = json.load(sys.stdin)
x = np.array(q["val"])
x = sp.csr_matrix((x, q["col"], q["ptr"]), (q["n"], q["m"])) if q["ptr"] else x.reshape(q["n"], q["m"])
spent, objective, until, longer = 0, 0, 0, 0
for seed in range(3):
    def fit(iterations, **start):
        m = NMF(q["k"], solver="cd", tol=0, max_iter=iterations, random_state=seed, init="custom" if start else "random")
        began = time.process_time()
        w = m.fit_transform(x, **start)
        return time.process_time() - began, m.reconstruction_err_ ** 2 / 2, w, m.components_
    took, f, w, h = fit(q["iterations"])
    spent, objective, until, did = spent + took, objective + f, until + took, q["iterations"]
    while f > q["target"] and did < 1000:
        took, f, w, h = fit(10, W=w, H=h)
        until, did = until + took, did + 10
    longer += did
print(json.dumps({"cpu": spent, "objective": objective, "until": until, "did": longer}))
`

// BenchmarkPeers fits unit rows without further weights by HALS with its own end, and by
// scikit-learn's coordinate descent with as many iterations, and with as many as it needs for
// HALS's mean objective. All is on one thread, from three random starts; times are of the
// processor. "same-iterations" and "same-objective" are how many times as fast HALS is, above-e6
// is how far its objective lies above that after as many iterations of the peer's, in 1e-6 of it.
func BenchmarkPeers(b *testing.B) {
	b.Setenv("OPENBLAS_NUM_THREADS", "1")
	b.Setenv("OMP_NUM_THREADS", "1")
	defer native.SetThreads(0)
	native.SetThreads(1)
	for _, set := range []struct {
		name, file string
		topics     int
	}{{"TDT2", "../../../shared/data/TDT2.mat", 30}, {"Reuters", "../../../shared/data/Reuters21578.mat", 30},
		{"COIL20", "../../../shared/data/COIL20.mat", 20}, {"Debian", "../../examples/debian/packages.jsonl.gz", 12}} {
		b.Run(set.name, func(b *testing.B) {
			if _, err := os.Stat(set.file); err != nil {
				b.Skipf("%s is not there", set.file)
			}
			c := must.Get(corpus.Read(ctx, set.file, corpus.ReadOptions{}))(b)
			x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(b)
			question := map[string]any{"k": set.topics, "ptr": nil}
			question["n"], question["m"] = x.Dims()
			switch x := x.(type) {
			case *sparse.CSR:
				question["ptr"], question["col"], question["val"] = x.RowPtr, x.Col, x.Val
			case *mat.Dense:
				question["val"] = x.RawMatrix().Data
			}
			var theirs struct{ CPU, Objective, Until, Did float64 }
			for b.Loop() {
				spent, objective, iterations := 0.0, 0.0, 0
				for seed := range uint64(3) {
					start := scikit.CPUSeconds(b)
					m := must.Get(Fit(ctx, x, Options{Dims: set.topics, Weighting: Plain, Restarts: 1, Seed: seed}))(b)
					spent += scikit.CPUSeconds(b) - start
					objective += m.Objective
					iterations += m.Iterations
				}
				question["iterations"], question["target"] = iterations/3, objective/3
				scikit.Ask(b, peer, question, &theirs)
				b.ReportMetric(spent, "cpu-s")
				b.ReportMetric(theirs.CPU/spent, "same-iterations")
				b.ReportMetric(theirs.Until/spent, "same-objective")
				b.ReportMetric(1e6*(objective/theirs.Objective-1), "above-e6")
				b.Logf("%d iterations, the peer's for the same objective %.0f, %.2f s of CPU; objectives %.6g, %.6g", iterations, theirs.Did, theirs.Until, objective, theirs.Objective)
			}
		})
	}
}
