package vecmath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// functions are the functions of the package, their references, the error allowed in units in the
// last place, and the range of arguments.
var functions = []struct {
	name   string
	vector func([]float64)
	scalar func(float64) float64
	ulps   float64
	lo, hi float64
}{
	{"exp", Exp, math.Exp, 2, -708, 709},
	{"tanh", Tanh, math.Tanh, 4, -25, 25},
	{"log", Log, math.Log, 2, 0x1p-900, 40},
}

// arguments spread over the range, and over the exponents of small values.
func arguments(rng *rand.Rand, n int, lo, hi float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*rng.Float64()
		if i%2 == 1 {
			v[i] *= math.Ldexp(1, -rng.IntN(60))
		}
	}
	return v
}

func TestErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, f := range functions {
		x := arguments(rng, 400000, f.lo, f.hi)
		y := append([]float64(nil), x...)
		f.vector(y)
		worst, at := 0.0, 0.0
		for i, v := range y {
			want := f.scalar(x[i])
			if e := math.Abs(v-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)); !(e <= worst) {
				worst, at = e, x[i]
			}
		}
		t.Logf("%s: %g units in the last place at %v", f.name, worst, at)
		if !(worst <= f.ulps) {
			t.Errorf("%s is %g units in the last place off at %v, allowed %g", f.name, worst, at, f.ulps)
		}
	}
}

// TestBits: the values do not depend on their place, so the kernels and the Go loop agree.
func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e-320, -1e-320, 5e-324, -708, math.Nextafter(-708, -709),
		709, 709.79, 709.9, 710, 1e300, -1e300, 22, -22, 1e-9,
		1, math.Nextafter(1, 2), math.Nextafter(1, 0), 0x1p-1022, math.Nextafter(0x1p-1022, 0), math.MaxFloat64, math.Sqrt2, math.Sqrt2 / 2}
	for _, f := range functions {
		x := append(arguments(rng, 4001, f.lo, f.hi), special...)
		together := append([]float64(nil), x...)
		f.vector(together)
		for i, v := range x {
			alone := []float64{v}
			f.vector(alone)
			if a, b := math.Float64bits(alone[0]), math.Float64bits(together[i]); a != b && !(alone[0] != alone[0] && together[i] != together[i]) {
				t.Fatalf("%s(%v) is %v alone and %v among others", f.name, v, alone[0], together[i])
			}
		}
		for i, v := range x[4001:] {
			want, got := f.scalar(v), together[4001+i]
			near := math.Abs(got-want) <= 4*(math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want))
			if v < least && f.name == "exp" {
				want, near = 0, got == 0
			}
			if got != want && !near && !(want != want && got != got) || math.Signbit(got) != math.Signbit(want) && want == want {
				t.Errorf("%s(%v) is %v, want %v", f.name, v, got, want)
			}
		}
	}
	// Near the largest number math.Exp itself may be infinite too early.
	v := []float64{709.78}
	if Exp(v); math.Abs(v[0]/math.Exp(708.78)-math.E) > 1e-12 {
		t.Errorf("exp(709.78) is %v", v[0])
	}
	for n := range 9 {
		v := make([]float64, n+1)
		v[n] = 7
		Exp(v[:n])
		for i, e := range v[:n] {
			if e != 1 || v[n] != 7 {
				t.Errorf("length %d: value %d is %v, the one after %v", n, i, e, v[n])
			}
		}
	}
}

// A value that is not finite is found at every place of slices of every length.
func TestFinite(t *testing.T) {
	for n := range 11 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.MaxFloat64
		}
		if !Finite(v) {
			t.Errorf("%d large values are not finite", n)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for i := range v {
				v[i] = bad
				if Finite(v) {
					t.Errorf("length %d: %v at %d is finite", n, bad, i)
				}
				v[i] = -math.SmallestNonzeroFloat64
			}
		}
	}
}

// BenchmarkVector prints how many times as fast as package math the functions are: the ratio of the
// shortest times, which other processes change least.
func BenchmarkVector(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, f := range functions {
		b.Run(f.name, func(b *testing.B) {
			x := arguments(rng, 4096, max(f.lo, -3), 3)
			y, z := make([]float64, len(x)), make([]float64, len(x))
			ours, theirs := math.Inf(1), math.Inf(1)
			for b.Loop() {
				began := b.Elapsed()
				copy(y, x)
				f.vector(y)
				middle := b.Elapsed()
				for i, v := range x {
					z[i] = f.scalar(v)
				}
				ours = min(ours, (middle - began).Seconds())
				theirs = min(theirs, (b.Elapsed() - middle).Seconds())
			}
			b.ReportMetric(theirs/ours, "ratio")
			b.ReportMetric(1e9*ours/float64(len(x)), "ns/value")
		})
	}
}

func TestInverseRoots(t *testing.T) {
	if got := InverseRoots([]float64{4, 0, -1, 0.25, math.Inf(1), math.NaN()}); !slices.Equal(got, []float64{0.5, 0, 0, 2, 0, 0}) {
		t.Errorf("the inverse roots are %v", got)
	}
}
