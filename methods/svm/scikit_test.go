package svm

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/scikit"
	"gonum.org/v1/gonum/mat"
)

const scikitFits = `
import sys, json
import numpy as np
from sklearn.svm import SVC, LinearSVC
a = json.load(sys.stdin)
x, y, cost = np.array(a["x"]), np.array(a["y"]), np.array(a["cost"])
def svc(kernel, gamma="scale", **more):
    m = SVC(kernel=kernel, C=1, gamma=gamma, degree=2, coef0=1, tol=1e-9, **more).fit(x, y, sample_weight=cost)
    # libsvm drops examples of cost 0 and gives the others' dual in dual_coef_
    beta = np.zeros(len(y)); beta[m.support_] = m.dual_coef_[0]
    return dict(beta=beta.tolist(), b=m.intercept_[0], f=m.decision_function(x).tolist(), gamma=m._gamma)
def linear(loss):
    m = LinearSVC(loss=loss, C=1, intercept_scaling=2.0, tol=1e-10, max_iter=10000000, dual=True).fit(x, y, sample_weight=cost)
    return dict(b=m.intercept_[0], f=m.decision_function(x).tolist(), w=m.coef_[0].tolist())
json.dump(dict(linear=svc("linear"), gaussian=svc("rbf"), polynomial=svc("poly"), one=svc("poly", gamma=1.0), hinge=linear("hinge"), squared=linear("squared_hinge")), sys.stdout)
`

type scikitFit struct {
	Beta, F, W []float64
	B, Gamma   float64
}

// libsvm and LIBLINEAR, asked through scikit-learn, have the same machines.
func TestAgainstScikit(t *testing.T) {
	const n, d = 120, 15
	x, y := sample(n, d, 21)
	rows, cost := make([][]float64, n), make([]float64, n)
	for i := range rows {
		rows[i], cost[i] = x.RawRowView(i), float64(1+i%3)/4
	}
	var answer map[string]scikitFit
	scikit.Ask(t, scikitFits, map[string]any{"x": rows, "y": y, "cost": cost}, &answer)
	for name, opt := range map[string]Options{
		"linear":     {Solver: SMO},
		"gaussian":   {Kernel: Gaussian},
		"polynomial": {Kernel: Polynomial}, // with scikit-learn's γ
		"one":        {Kernel: Polynomial},
		"hinge":      {Solver: CD, Bias: Feature, BiasScale: 2},
		"squared":    {Solver: CD, Bias: Feature, BiasScale: 2, Loss: SquaredHinge},
	} {
		if name == "polynomial" {
			opt.Gamma = answer[name].Gamma
		}
		opt.Cost, opt.Tol, opt.MaxIter = cost, 1e-9, 10_000_000
		var data mat.Matrix = x
		if opt.Solver == CD {
			data = csr(x)
		}
		m, err := Fit(ctx, data, y, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		theirs := answer[name]
		for i, f := range theirs.F {
			if math.Abs(f-m.Values[i]) > 1e-5*(1+math.Abs(f)) {
				t.Errorf("%s: f(%d) = %v, scikit-learn %v", name, i, m.Values[i], f)
				break
			}
		}
		if math.Abs(theirs.B-m.Bias) > 1e-5*(1+math.Abs(m.Bias)) {
			t.Errorf("%s: b = %v, scikit-learn %v", name, m.Bias, theirs.B)
		}
		if theirs.Beta == nil {
			continue
		}
		// Their dual objective with our kernel values.
		dual := 0.0
		for i, a := range theirs.Beta {
			dual += a * y[i]
			for j, b := range theirs.Beta {
				if a*b != 0 {
					dual -= a * b * value(x.RowView(i), x.RowView(j), m.Options) / 2
				}
			}
		}
		if math.Abs(dual-m.Dual) > 1e-6*m.Dual {
			t.Errorf("%s: objective %v, libsvm %v", name, m.Dual, dual)
		}
		gamma := m.Options.Gamma
		if opt.Kernel == Gaussian {
			gamma = 1 / m.Options.Sigma
		}
		if opt.Kernel != "" && math.Abs(theirs.Gamma-gamma) > 1e-12*theirs.Gamma {
			t.Errorf("%s: γ = %v, scikit-learn %v", name, gamma, theirs.Gamma)
		}
	}
}
