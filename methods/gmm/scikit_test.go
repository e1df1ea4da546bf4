package gmm

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"gonum.org/v1/gonum/mat"
)

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

const scikitFits = `
import sys, json
import numpy as np
from sklearn.mixture import GaussianMixture
dir, n, d, k, iterations = sys.argv[1], *map(int, sys.argv[2:])
x = np.fromfile(dir + "/x").reshape(n, d)
r = np.fromfile(dir + "/r").reshape(n, k)
out = {}
for shape in ("full", "tied", "diag", "spherical"):
    g = GaussianMixture(k, covariance_type=shape, reg_covar=1e-3, tol=0, max_iter=iterations)
    g._initialize_parameters = lambda x, random: g._initialize(x, r)
    g.fit(x)
    out[shape] = dict(loglik=g.score(x) * n, aic=g.aic(x), bic=g.bic(x), labels=g.predict(x).tolist(), means=g.means_.tolist(), iterations=g.n_iter_)
json.dump(out, sys.stdout)
`

// The same data, the same first responsibilities, the same ridge and number of iterations as
// scikit-learn's GaussianMixture: the same fit.
func TestAgainstScikitLearn(t *testing.T) {
	python, err := scikit.Python()
	if err != nil {
		t.Skip(err)
	}
	const n, d, k, iterations = 600, 12, 5, "8"
	x, r := blobs(n, d, k, 1, 21), responsibilities(n, k, 22)
	dir := t.TempDir()
	writeRaw(t, filepath.Join(dir, "x"), x)
	writeRaw(t, filepath.Join(dir, "r"), r)
	text, err := exec.Command(python, "-W", "ignore", "-c", scikitFits, dir, "600", "12", "5", iterations).Output()
	if err != nil {
		t.Fatalf("scikit-learn: %v", err)
	}
	var answers map[string]struct {
		Loglik, AIC, BIC float64
		Labels           []int
		Means            [][]float64
		Iterations       int
	}
	must.Do(t, json.Unmarshal(text, &answers))
	names := map[Covariance]string{Full: "full", Tied: "tied", Diagonal: "diag", Spherical: "spherical"}
	for _, kind := range shapes {
		want := answers[names[kind]]
		m := fitOK(t, x, Options{K: k, Covariance: kind, Ridge: number(1e-3), RidgeKind: RidgeAbsolute, StartPosterior: r, MaxIter: 8, Tol: 1e-300})
		if m.Iterations != want.Iterations {
			t.Errorf("%s: %d iterations, scikit-learn %d", kind, m.Iterations, want.Iterations)
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{{"log-likelihood", m.LogLikelihood, want.Loglik}, {"AIC", m.AIC, want.AIC}, {"BIC", m.BIC, want.BIC}} {
			if !near(c.got, c.want, 1e-8, math.Abs(c.want)) {
				t.Errorf("%s: %s %v, scikit-learn %v", kind, c.name, c.got, c.want)
			}
		}
		for i, label := range want.Labels {
			if m.Labels[i] != label {
				t.Fatalf("%s: row %d has label %d, scikit-learn's %d", kind, i, m.Labels[i], label)
			}
		}
		for j := range k {
			if !mat.EqualApprox(m.Means.RowView(j), mat.NewVecDense(d, want.Means[j]), 1e-7) {
				t.Errorf("%s: mean %d is %v, scikit-learn's %v", kind, j, m.Means.RawRowView(j), want.Means[j])
			}
		}
	}
}
