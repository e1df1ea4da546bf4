package fastica

import "math"

// contrast is G with its derivatives.
type contrast struct {
	value func(y float64) float64
	slope func(y float64) (g, bend float64) // g = G′ and g′
	// normal is E[G(ν)] for a standard normal ν.
	normal float64
}

func (o Options) contrast() contrast {
	c := contrast{}
	switch o.Contrast {
	case Exp:
		c.value = func(y float64) float64 { return -math.Exp(-y * y / 2) }
		c.slope = func(y float64) (float64, float64) {
			e := math.Exp(-y * y / 2)
			return y * e, (1 - y*y) * e
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
		c.normal = normalMean(c.value)
	}
	return c
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
