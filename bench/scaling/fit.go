package scaling

import "math"

// leastCPU is the processor time in seconds below which the system's clock is too coarse and the
// start of threads too large a part.
const leastCPU = 0.02

// exponent is the slope of log seconds against log documents by least squares over the points of at
// least leastCPU and at least some number of documents, and the number of points. With fewer than
// two it is NaN.
func exponent(points []Point, from int) (slope float64, used int) {
	var sx, sy, sxx, sxy float64
	for _, p := range points {
		if p.LeftOut != "" || p.CPU < leastCPU || p.Docs < from {
			continue
		}
		x, y := math.Log(float64(p.Docs)), math.Log(p.CPU)
		used++
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(used)
	spread := n*sxx - sx*sx
	if used < 2 || spread <= 1e-9 {
		return math.NaN(), used
	}
	return (n*sxy - sx*sy) / spread, used
}
