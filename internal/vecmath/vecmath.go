// Package vecmath has functions of whole slices. exp, log and tanh take four values at a time if
// the processor has AVX2, and one by one otherwise. Both ways give the same bits on every machine,
// because products and sums are rounded separately and in the same order.
//
// # Method
//
// x = n·ln 2 + r with |r| ≤ ln 2/2 (Cody and Waite 1980, two parts of ln 2), expm1(r) by its Taylor
// polynomial of degree 13, whose truncation is below 1e-17 of the value, and 2ⁿ from bits.
// tanh(x) = −e/(e + 2) with e = expm1(−2|x|), which keeps all digits of small values.
//
// log(x) = k·ln 2 + log(m) with m = 1 + f in [√½, √2), and log(m) from s = f/(2 + f) by the
// polynomial of FreeBSD's e_log.c (Sun Microsystems 1993), whose error is below 2^-58.
//
// # Errors
//
// Against package math: exp and log differ by at most 2 units in the last place, tanh by at most 4.
// exp is 0 below −708, where the exact value is at most 3.4e-308. Infinities, NaN and, for log,
// subnormal numbers, 0 and negative ones are as in math.
package vecmath

import "math"

const (
	log2e = math.Log2E
	// magic moves the nearest integer of a small number into the last bits.
	magic = 3 << 51
	// ln2High has zeros in its last bits, so that its products with n are exact.
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10

	least = -708.  // exp below is 0
	most  = 709.9  // exp is infinite from here
	flat  = -44.   // expm1 from here on is −1 to rounding
	one   = 0x3ff0 // exponent bits of 1
	half  = 0x3fe0
)

// taylor are 1/13!, 1/12!, …, 1/2!.
var taylor = [12]float64{
	1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320,
	1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2,
}

// reduced returns expm1(r), and bits whose last 12 are n.
func reduced(x float64) (p float64, n uint64) {
	shifted := float64(x*log2e) + magic
	whole := shifted - magic
	r := x - float64(whole*ln2High)
	r -= float64(whole * ln2Low)
	q := taylor[0]
	q = float64(q*r) + taylor[1]
	q = float64(q*r) + taylor[2]
	q = float64(q*r) + taylor[3]
	q = float64(q*r) + taylor[4]
	q = float64(q*r) + taylor[5]
	q = float64(q*r) + taylor[6]
	q = float64(q*r) + taylor[7]
	q = float64(q*r) + taylor[8]
	q = float64(q*r) + taylor[9]
	q = float64(q*r) + taylor[10]
	q = float64(q*r) + taylor[11]
	return r + float64(float64(r*r)*q), math.Float64bits(shifted)
}

// Exp replaces every value by its exponential.
func Exp(v []float64) {
	for i := exps(v); i < len(v); i++ {
		x := v[i]
		if x < least {
			v[i] = 0
			continue
		}
		if x > most {
			x = most
		}
		p, n := reduced(x)
		s := math.Float64frombits(n<<52 + half<<48) // 2ⁿ⁻¹, which is finite where 2ⁿ is not
		v[i] = float64(2 * (s + float64(s*p)))
	}
}

// Tanh replaces every value by its hyperbolic tangent.
func Tanh(v []float64) {
	for i := tanhs(v); i < len(v); i++ {
		t := -2 * math.Abs(v[i])
		if t < flat {
			t = flat
		}
		p, n := reduced(t)
		s := math.Float64frombits(n<<52 + one<<48)
		e := float64(s*p) + (s - 1)
		v[i] = math.Copysign(e/(e+2), v[i])
	}
}

const (
	rootHalf = 0x3fe6a09e667f3bcd // bits of √½
	normal   = 1 << 52            // bits of the least normal number
	infinite = 0x7ff << 52        // bits of +Inf
)

// logs are the coefficients of log, the highest power's first.
var logs = [7]float64{
	1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
	2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01,
}

// Log replaces every value by its natural logarithm.
func Log(v []float64) {
	for len(v) > 0 {
		done := logs4(v) // up to four values of which one is no positive normal number
		v = v[done:]
		for i := range v[:min(4, len(v))] {
			v[i] = log(v[i])
		}
		v = v[min(4, len(v)):]
	}
}

func log(x float64) float64 {
	bits := math.Float64bits(x)
	if bits-normal >= infinite-normal {
		return math.Log(x)
	}
	power := (bits - rootHalf + one<<48) >> 52 // k + 1023
	k := math.Float64frombits(power|0x433<<52) - (1<<52 + 1023)
	f := math.Float64frombits(bits-power<<52+one<<48) - 1
	s := f / (f + 2)
	z := float64(s * s)
	r := logs[0]
	r = float64(r*z) + logs[1]
	r = float64(r*z) + logs[2]
	r = float64(r*z) + logs[3]
	r = float64(r*z) + logs[4]
	r = float64(r*z) + logs[5]
	r = float64(r*z) + logs[6]
	r = float64(r * z)
	half := float64(float64(f*f) * 0.5)
	return float64(k*ln2High) - ((half - (float64(s*(half+r)) + float64(k*ln2Low))) - f)
}

// InverseRoots returns 1/√x of each value, and 0 of one that is not above 0.
func InverseRoots(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		if v > 0 {
			out[i] = 1 / math.Sqrt(v)
		}
	}
	return out
}

// Finite reports whether all values are finite. The sums of v − v, which is NaN for NaN and
// infinities and 0 for all other values, do not wait for each other, and nothing branches.
func Finite(x []float64) bool {
	var s0, s1, s2, s3 float64
	at := 0
	for ; at+4 <= len(x); at += 4 {
		v := x[at : at+4 : at+4]
		s0 += v[0] - v[0]
		s1 += v[1] - v[1]
		s2 += v[2] - v[2]
		s3 += v[3] - v[3]
	}
	for _, v := range x[at:] {
		s0 += v - v
	}
	return s0+s1+(s2+s3) == 0
}
