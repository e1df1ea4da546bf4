package comparing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSignFlips: equal differences have 2 of the 2ⁿ signs as far out, opposite ones all of them,
// and the p of data without a difference is at most α with a probability of α.
func TestSignFlips(t *testing.T) {
	for n := 1; n <= mostExact; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = -.25
		}
		if p, want := signFlips(d), math.Ldexp(1, 1-n); p != want {
			t.Errorf("%d equal differences: %v, want %v", n, p, want)
		}
	}
	for _, c := range []struct {
		d    []float64
		want float64
	}{{[]float64{0, 0, 0}, 1}, {[]float64{1, -1}, 1}, {[]float64{.1, .2, .3, -.6}, 1}, {[]float64{1, 2, 4, -.5}, 2. / 8}, {[]float64{3, 1, 1}, 2. / 8}} {
		if p := signFlips(c.d); math.Abs(p-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.d, p, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 12, mostExact + 20} {
		const trials = 4000
		low := 0
		for range trials {
			d := make([]float64, n)
			for i := range d {
				d[i] = r.NormFloat64() * r.Float64()
			}
			if signFlips(d) <= level {
				low++
			}
		}
		share := float64(low) / trials
		if sigma := math.Sqrt(level * (1 - level) / trials); share > level+4*sigma || share < level-.012-4*sigma {
			t.Errorf("%d differences around 0: %.4f of the p are at most %v", n, share, level)
		}
	}
}

// TestHolm: the smallest is multiplied by their number, none gets below a smaller one or above 1.
func TestHolm(t *testing.T) {
	got := holm(map[string]float64{"a": .01, "b": .04, "c": .03, "d": .9})
	for name, want := range map[string]float64{"a": .04, "c": .09, "b": .09, "d": .9} {
		if math.Abs(got[name]-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if got := holm(map[string]float64{"a": .6, "b": .7}); got["a"] != 1 || got["b"] != 1 {
		t.Errorf("%v", got)
	}
	if len(holm(nil)) != 0 {
		t.Error("of no tests")
	}
}

// TestSpread: the sample's deviation, and the same of any order.
func TestSpread(t *testing.T) {
	mean, deviation := spread([]float64{.1, .4, .7})
	again, same := spread([]float64{.7, .1, .4})
	if math.Abs(mean-.4) > 1e-15 || math.Abs(deviation-.3) > 1e-15 || again != mean || same != deviation {
		t.Errorf("%v ± %v, %v ± %v", mean, deviation, again, same)
	}
	if mean, deviation := spread([]float64{2}); mean != 2 || deviation != 0 {
		t.Errorf("%v ± %v", mean, deviation)
	}
}

func TestEscapeLaTeX(t *testing.T) {
	if got, want := escapeLaTeX(`a_b 5% {x} \n ~^&#$`), `a\_b 5\% \{x\} \textbackslash{}n \textasciitilde{}\textasciicircum{}\&\#\$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
