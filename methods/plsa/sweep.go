package plsa

import "gonum.org/v1/gonum/mat"

// sweep goes once through the entries of a document, of columns col and counts val, for the
// aspect model. With d = Σ_k now_k·Θ_kj of entry e it sets probs[e] to d and ratios[e] to val[e]/d,
// and adds ratios[e]·Θ_kj to acc[k]. now and acc have theta's stride.
//
// Each entry takes 4·K flops and one division, and reads 8·K bytes of Θ. With AVX four entries go
// together. The bits are the same without: d is added in four lanes, k mod 4, in ascending order of
// k and then (0 + 1) + (2 + 3), acc in the order of the entries, and products are rounded before
// they are added.
func sweep(acc, now []float64, theta block, col []int32, val, probs, ratios []float64) {
	col, probs, ratios = col[:len(val)], probs[:len(val)], ratios[:len(val)]
	for e := sweepFours(acc, now, theta, col, val, probs, ratios); e < len(val); e++ {
		terms := theta.Data[int(col[e])*theta.Stride:][:len(acc)]
		d := dot(now, terms)
		r := val[e] / d
		for c, v := range terms {
			acc[c] += float64(r * v)
		}
		probs[e], ratios[e] = d, r
	}
}

// dot adds the products in four lanes.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s [4]float64
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		s[0] += float64(x[0] * y[0])
		s[1] += float64(x[1] * y[1])
		s[2] += float64(x[2] * y[2])
		s[3] += float64(x[3] * y[3])
	}
	for c, v := range x {
		s[c] += float64(v * y[c])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// checkSweep panics where the kernels would go outside the arrays.
func checkSweep(acc, now []float64, theta block, col []int32) {
	if len(acc) != theta.Stride || len(now) != theta.Stride || len(theta.Data) < theta.Rows*theta.Stride {
		panic(mat.ErrShape)
	}
	for _, j := range col {
		if j < 0 || int(j) >= theta.Rows {
			panic(mat.ErrColAccess)
		}
	}
}
