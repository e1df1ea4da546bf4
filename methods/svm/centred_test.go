package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// farFrom are rows around a point, in two classes that some of the columns tell apart.
func farFrom(seed uint64, n, d int, point, gap float64) (x *mat.Dense, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, y = mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = float64(2*(i%2) - 1)
		for j := range d {
			x.Set(i, j, point+rng.NormFloat64()+gap*y[i]*float64(j%2))
		}
	}
	return x, y
}

// Rows far from 0 are trained by coordinate descent less their mean, and the machine is the one
// that smo finds on the rows as they are, on the training rows and on others.
func TestRowsFarFromZero(t *testing.T) {
	const d = 5
	x, y := farFrom(4, 1200, d, 40, 0.8)
	far := must.Get(Fit(t.Context(), x, y, Options{Tol: 1e-5}))(t)
	if far.Options.Solver != CD {
		t.Fatalf("the solver is %s", far.Options.Solver)
	}
	as := must.Get(Fit(t.Context(), x, y, Options{Tol: 1e-5, Solver: SMO}))(t)
	if math.Abs(far.Primal-as.Primal) > 1e-4*as.Primal || far.Primal-far.Dual > 1e-3*far.Primal {
		t.Errorf("the objective is %v (dual %v), not %v", far.Primal, far.Dual, as.Primal)
	}
	if got := floats.Distance(far.Weights, as.Weights, 2); got > 1e-2*floats.Norm(as.Weights, 2) {
		t.Errorf("weights %v, not %v", far.Weights, as.Weights)
	}
	others, _ := farFrom(5, 50, d, 40, 3)
	for _, rows := range []*mat.Dense{x, others} {
		a := must.Get(far.Decision(t.Context(), rows))(t)
		b := must.Get(as.Decision(t.Context(), rows))(t)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 2e-2*(1+math.Abs(b[i])) {
				t.Fatalf("row %d has the score %v, not %v", i, a[i], b[i])
			}
		}
	}
	own := must.Get(far.Decision(t.Context(), x))(t)
	for i, v := range far.Values {
		if math.Abs(own[i]-v) > 1e-9*(1+math.Abs(v)) {
			t.Fatalf("row %d: the model has %v and decides %v", i, v, own[i])
		}
	}
}

// Many long rows of measurements have the same machine in any unit, and one that ends.
func TestRowsOfMeasurements(t *testing.T) {
	const n = 1500
	x, y := farFrom(6, n, 4, 9, 0.7)
	decide := func(unit float64) []float64 {
		t.Helper()
		var rows mat.Dense
		rows.Scale(unit, x)
		m := must.Get(Fit(t.Context(), &rows, y, Options{Tol: 1e-5}))(t)
		own := must.Get(m.Decision(t.Context(), &rows))(t)
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

// A few long rows in unlike units take few sweeps, and the machine is the same in other units of
// single columns: each column then has its own. Of columns of one unit the scores do not depend on
// it, and every column keeps its share.
func TestFewLongRows(t *testing.T) {
	const n = 180
	x, y := farFrom(8, n, 6, 2, 0.35)
	fit := func(units ...float64) *Model {
		t.Helper()
		var rows mat.Dense
		rows.Apply(func(_, j int, v float64) float64 { return v * units[j%len(units)] }, x)
		m := must.Get(Fit(t.Context(), &rows, y, Options{Tol: 1e-5}))(t)
		if m.Sweeps > 400 || m.Primal-m.Dual > 1e-3*m.Primal {
			t.Errorf("units %v: %d sweeps, objectives %v and %v", units, m.Sweeps, m.Primal, m.Dual)
		}
		own := must.Get(m.Decision(t.Context(), &rows))(t)
		for i, v := range m.Values {
			if math.Abs(own[i]-v) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("units %v, row %d: the model has %v and decides %v", units, i, v, own[i])
			}
		}
		return m
	}
	alike := func(what string, a, b *Model) {
		t.Helper()
		for i, v := range a.Values {
			if math.Abs(v-b.Values[i]) > 1e-3*(1+math.Abs(v)) {
				t.Fatalf("%s: row %d has the scores %v and %v", what, i, v, b.Values[i])
			}
		}
	}
	one := fit(1e2)
	other := fit(1e5)
	alike("one unit", one, other)
	long := fit(1, 1, 1, 1, 1, 900)
	longer := fit(30, 1, 1, 0.01, 1, 70_000)
	alike("a unit of each column", long, longer)

	// A C below 1 by which rows are not long is taken as it is.
	short := must.Get(Fit(t.Context(), x, y, Options{C: 1e-3, Tol: 1e-6}))(t)
	var rows mat.Dense
	rows.Scale(10, x)
	as := must.Get(Fit(t.Context(), &rows, y, Options{C: 1e-5, Tol: 1e-6}))(t)
	alike("a small C", short, as)
}

// Columns of one value change nothing, whatever the value: no unit, no weight, and not whether rows
// are long. Nor do columns that vary by rounding alone.
func TestColumnsOfOneValue(t *testing.T) {
	const n, d = 60, 6
	x, y := farFrom(8, n, d, 2, 0.35)
	for _, c := range []struct {
		last float64 // the unit of the last column
		more int     // columns of one value
	}{{100, 80}, {900, 3}, {900, 80}} {
		fit := func(more int) *Model {
			t.Helper()
			rows := mat.NewDense(n, d+more, nil)
			for i := range n {
				for j := range d + more {
					v := 0.1 + float64(j)
					switch {
					case j < d-1:
						v = 100 * x.At(i, j)
					case j < d:
						v = c.last * 100 * x.At(i, j)
					case j == d+1 && i%3 == 0:
						v = math.Nextafter(v, 0)
					}
					rows.Set(i, j, v)
				}
			}
			m := must.Get(Fit(t.Context(), rows, y, Options{Tol: 1e-6}))(t)
			return m
		}
		want, got := fit(0), fit(c.more)
		for i, v := range want.Values {
			if math.Abs(v-got.Values[i]) > 1e-4*(1+math.Abs(v)) {
				t.Fatalf("%+v: row %d has the score %v, without the columns %v", c, i, got.Values[i], v)
			}
		}
		for j, w := range got.Weights[d:] {
			if math.Abs(w) > 1e-9 {
				t.Fatalf("%+v: column %d, of one value, has the weight %v", c, d+j, w)
			}
		}
	}
}

// Tables that are nearly equal have nearly equal machines, however long their rows are: the scores
// do not jump while one unit, or that of one column, grows.
func TestUnitsDoNotJump(t *testing.T) {
	x, y := farFrom(9, 90, 6, 0, 0.3)
	for i := range 90 { // five columns share most of their variance, and small differences part the classes
		for j := range 5 {
			x.Set(i, j, 0.2*x.At(i, j)+2*math.Sin(float64(i)))
		}
	}
	decide := func(all, last float64) []float64 {
		t.Helper()
		var rows mat.Dense
		rows.Apply(func(_, j int, v float64) float64 {
			if j == 5 {
				v *= last
			}
			return v * all
		}, x)
		m := must.Get(Fit(t.Context(), &rows, y, Options{Tol: 1e-5}))(t)
		return m.Values
	}
	const step = 1.02
	for _, c := range []struct {
		what string
		at   func(v float64) []float64
	}{
		{"one unit", func(v float64) []float64 { return decide(v, 1) }},
		{"the unit of one column", func(v float64) []float64 { return decide(1.5, v) }},
		{"the unit of one column of long rows", func(v float64) []float64 { return decide(40, v/1.5) }},
	} {
		before := c.at(1.5)
		for v := 1.5 * step; v < 30; v *= step {
			now := c.at(v)
			for i := range now {
				if math.Abs(now[i]-before[i]) > 0.15*(1+math.Abs(before[i])) {
					t.Fatalf("%s: from %.4g to %.4g the score of row %d goes from %v to %v", c.what, v/step, v, i, before[i], now[i])
				}
			}
			before = now
		}
	}
}

// What columns are divided by follows the number of rows and the variances without a jump.
func TestUnitsFollowTheRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		variance := make([]float64, 2+rng.IntN(30))
		for j := range variance {
			variance[j] = math.Exp(6 * rng.NormFloat64())
		}
		other := make([]float64, len(variance))
		for j, v := range variance {
			other[j] = v * (1 + 1e-4*rng.NormFloat64())
		}
		n := 1 + rng.IntN(3*len(variance))*100
		scales := func(variance []float64, n int) []float64 {
			return units(variance, length(floats.Sum(variance), n, 100*len(variance)), steady)
		}
		a, b, c := scales(variance, n), scales(other, n), scales(variance, n+1)
		for j, v := range a {
			if math.Abs(math.Log(v/b[j])) > 0.02 || math.Abs(math.Log(v/c[j])) > 60/float64(n) {
				t.Fatalf("%d rows of the variances %.4g: column %d is divided by %v; by %v of variances a little different, by %v of one row more", n, variance, j, v, b[j], c[j])
			}
		}
	}
}
