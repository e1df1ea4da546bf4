package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// spreading are n rows of normal numbers with these deviations of the columns.
func spreading(n int, deviations []float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 8))
	x := mat.NewDense(n, len(deviations), nil)
	x.Apply(func(_, j int, _ float64) float64 { return 7 + deviations[j]*rng.NormFloat64() }, x)
	return x
}

func even(d int) []float64 {
	out := make([]float64, d)
	for j := range out {
		out[j] = 3
	}
	return out
}

// Rows that spread evenly in d directions have d, few rows too; those of uneven ones have
// (Σλ)²/Σλ².
func TestDirections(t *testing.T) {
	for _, c := range []struct {
		name       string
		n          int
		deviations []float64
		want       float64
	}{
		{"five of five", 400, even(5), 5},
		{"one of five", 400, []float64{1, 0, 0, 0, 0}, 1},
		{"uneven", 4000, []float64{2, 1, 1}, 6 * 6 / 18.0},
		{"as many as rows", 60, even(60), 60},
		{"more than rows", 40, even(90), 90},
		{"many rows of many columns", 1500, even(1200), 1200},
	} {
		mean := 0.0
		const draws = 5
		for seed := range uint64(draws) {
			x := spreading(c.n, c.deviations, seed)
			for _, data := range []mat.Matrix{x, csr(x)} {
				m := must.Get(svd.New(ctx, data, true))(t)
				d := must.Get(directions(ctx, m))(t)
				mean += d / draws / 2
			}
			if c.n > 1000 {
				mean *= draws // one draw is enough
				break
			}
		}
		if math.Abs(mean-c.want) > 0.1*c.want {
			t.Errorf("%s: %.2f directions, not %.2f", c.name, mean, c.want)
		}
	}
}

// Classes that differ in a short direction are told apart without a C: a plane parts them, and the
// weights that C = 1 allows do not reach it. The units of the rows do not matter.
func TestShortDirection(t *testing.T) {
	const n = 300
	for _, unit := range []float64{1, 1e-6, 1e9} {
		x := spreading(n, []float64{20, 0.3, 0.3}, 4)
		truth, known := make([]int, n), make([]int, n)
		for i := range n {
			truth[i], known[i] = i%2, labels.Unknown
			if i < 60 {
				known[i] = truth[i]
			}
			x.Set(i, 1, x.At(i, 1)+1.2*float64(truth[i]))
		}
		x.Scale(unit, x)
		right := func(opt Options) (share float64) {
			for i, k := range fit(t, x, known, 2, opt).Labels {
				if i >= 60 && k == truth[i] {
					share += 1.0 / (n - 60)
				}
			}
			return share
		}
		if weak, own := right(Options{C: 1}), right(Options{}); own < 0.93 || weak > own-0.1 {
			t.Errorf("unit %g: %.3f are right, with C = 1 %.3f", unit, own, weak)
		}
	}
}

// Rows of many directions have C = 1, those of one 100, and a C that is given stays.
func TestStrength(t *testing.T) {
	for _, c := range []struct {
		deviations  []float64
		given, want float64
	}{{even(600), 0, 1}, {[]float64{1, 0.01}, 0, 100}, {even(10), 0, 25}, {even(600), 7, 7}} {
		x := spreading(300, c.deviations, 3)
		known := make([]int, 300)
		for i := range known {
			known[i] = i % 2
		}
		if m := fit(t, x, known, 2, Options{C: c.given}); math.Abs(m.Options.C-c.want) > 0.15*c.want {
			t.Errorf("C is %g, not %g", m.Options.C, c.want)
		}
	}
}

// Of many rows of many columns a part is looked at, and the C is nearly that of all; one whose
// squares underflow beside a column that is the same everywhere is as in other units.
func TestStrengthOfManyAndSmall(t *testing.T) {
	uneven := make([]float64, mostLooked+100)
	for j := range uneven {
		uneven[j] = math.Exp(-float64(j) / 25)
	}
	small := spreading(60, []float64{1, 0.01, 0}, 5)
	small.Apply(func(_, j int, v float64) float64 {
		if j < 2 {
			return (v - 7) * 1e-90
		}
		return v
	}, small)
	for _, c := range []struct {
		name string
		x    *mat.Dense
		want float64
	}{
		{"many", spreading(mostLooked+300, uneven, 6), 10}, // Σλ = 12.5 and Σλ² = 6.25
		{"small", small, 100},
	} {
		for _, x := range []mat.Matrix{c.x, csr(c.x)} {
			n, _ := x.Dims()
			known := make([]int, n)
			for i := range known {
				known[i] = i % 2
			}
			if m := fit(t, x, known, 2, Options{}); math.Abs(m.Options.C-c.want) > 0.05*c.want {
				t.Errorf("%s, %T: C is %g, not %g", c.name, x, m.Options.C, c.want)
			}
		}
	}
}
