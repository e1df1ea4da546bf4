package fastica

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/vecmath"
)

// contrast is G with its derivatives.
type contrast struct {
	value func(y float64) float64
	slope func(y float64) (g, bend float64) // g = G′ and g′
	// slopes replaces values, the rows of a panel as long as sums, by g of them, and adds g′ to sums.
	slopes func(values, sums []float64)
	// normal is E[G(ν)] for a standard normal ν.
	normal float64
}

func (o Options) contrast() contrast {
	c := contrast{}
	c.slopes = func(values, sums []float64) {
		eachRow(values, sums, func(y float64) (float64, float64) { return c.slope(y) })
	}
	switch o.Contrast {
	case Exp:
		c.value = func(y float64) float64 { return -math.Exp(-y * y / 2) }
		c.slope = func(y float64) (float64, float64) {
			e := math.Exp(-y * y / 2)
			return y * e, (1 - y*y) * e
		}
		c.slopes = func(values, sums []float64) {
			var e [256]float64
			j := 0
			for lo := 0; lo < len(values); lo += len(e) {
				part := values[lo:min(lo+len(e), len(values))]
				for i, y := range part {
					e[i] = -y * y / 2
				}
				vecmath.Exp(e[:len(part)])
				for i, y := range part {
					part[i] = y * e[i]
					sums[j] += (1 - y*y) * e[i]
					if j++; j == len(sums) {
						j = 0
					}
				}
			}
		}
		c.normal = -math.Sqrt2 / 2
	case Cube:
		c.value = func(y float64) float64 { return y * y * y * y / 4 }
		c.slope = func(y float64) (float64, float64) { return y * y * y, 3 * y * y }
		c.normal = 3. / 4
	default:
		a := o.Alpha
		c.value = func(y float64) float64 {
			// log cosh t = |t| + log(1 + e^-2|t|) − log 2, which does not overflow.
			t := math.Abs(a * y)
			return (t + math.Log1p(math.Exp(-2*t)) - math.Ln2) / a
		}
		c.slope = func(y float64) (float64, float64) {
			t := math.Tanh(a * y)
			return t, a * (1 - t*t)
		}
		c.slopes = func(values, sums []float64) {
			if a != 1 {
				for i := range values {
					values[i] *= a
				}
			}
			vecmath.Tanh(values)
			eachRow(values, sums, func(t float64) (float64, float64) { return t, a * (1 - t*t) })
		}
		c.normal = normalMean(c.value)
	}
	return c
}

// eachRow replaces values, rows as long as sums, by the first result of f and adds the second to
// sums.
func eachRow(values, sums []float64, f func(float64) (float64, float64)) {
	for ; len(values) > 0; values = values[len(sums):] {
		for j, v := range values[:len(sums)] {
			g, bend := f(v)
			values[j] = g
			sums[j] += bend
		}
	}
}

// normalMean is E[f(ν)] by the trapezoidal rule, whose error for such functions on the whole line
// is far below rounding at this step.
func normalMean(f func(float64) float64) float64 {
	const step = 1. / 64
	sum := 0.0
	for i := -12 * 64; i <= 12*64; i++ {
		y := float64(i) * step
		sum += f(y) * math.Exp(-y*y/2)
	}
	return sum * step / math.Sqrt(2*math.Pi)
}
