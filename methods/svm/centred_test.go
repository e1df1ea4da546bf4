package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Rows far from 0 are trained by coordinate descent less their mean, and the machine is the one
// that smo finds on the rows as they are, on the training rows and on others.
func TestRowsFarFromZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	const n, d = 1200, 5
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = float64(2*(i%2) - 1)
		for j := range d {
			x.Set(i, j, 40+float64(j)+rng.NormFloat64()+0.8*y[i]*float64(j%2))
		}
	}
	far, err := Fit(t.Context(), x, y, Options{Tol: 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	if far.Options.Solver != CD {
		t.Fatalf("the solver is %s", far.Options.Solver)
	}
	as, err := Fit(t.Context(), x, y, Options{Tol: 1e-5, Solver: SMO})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(far.Primal-as.Primal) > 1e-4*as.Primal || far.Primal-far.Dual > 1e-3*far.Primal {
		t.Errorf("the objective is %v (dual %v), not %v", far.Primal, far.Dual, as.Primal)
	}
	if got := floats.Distance(far.Weights, as.Weights, 2); got > 1e-2*floats.Norm(as.Weights, 2) {
		t.Errorf("weights %v, not %v", far.Weights, as.Weights)
	}
	new := mat.NewDense(50, d, nil)
	for i := range 50 {
		for j := range d {
			new.Set(i, j, 40+3*rng.NormFloat64())
		}
	}
	for _, rows := range []*mat.Dense{x, new} {
		a, err := far.Decision(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		b, err := as.Decision(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if math.Abs(a[i]-b[i]) > 2e-2*(1+math.Abs(b[i])) {
				t.Fatalf("row %d has the score %v, not %v", i, a[i], b[i])
			}
		}
	}
	own, err := far.Decision(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range far.Values {
		if math.Abs(own[i]-v) > 1e-9*(1+math.Abs(v)) {
			t.Fatalf("row %d: the model has %v and decides %v", i, v, own[i])
		}
	}
}

// Many long rows of measurements have the same machine in any unit, and one that ends.
func TestRowsOfMeasurements(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	const n, d = 1500, 4
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = float64(2*(i%2) - 1)
		for j := range d {
			x.Set(i, j, 9+rng.NormFloat64()+0.7*y[i]*float64(j%2))
		}
	}
	decide := func(unit float64) []float64 {
		t.Helper()
		var rows mat.Dense
		rows.Scale(unit, x)
		m, err := Fit(t.Context(), &rows, y, Options{Tol: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		own, err := m.Decision(t.Context(), &rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range m.Values {
			if math.Abs(own[i]-v) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("row %d: the model has %v and decides %v", i, v, own[i])
			}
		}
		return own
	}
	centimetres, micrometres := decide(1e2), decide(1e6)
	wrong := 0
	for i, v := range centimetres {
		if math.Abs(v-micrometres[i]) > 1e-3*(1+math.Abs(v)) {
			t.Fatalf("row %d has the score %v in one unit, %v in another", i, v, micrometres[i])
		}
		if v*y[i] < 0 {
			wrong++
		}
	}
	if wrong > n/4 {
		t.Errorf("%d of %d rows are on the wrong side", wrong, n)
	}
}
