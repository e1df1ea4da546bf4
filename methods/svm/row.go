package svm

// The kernels of this file have twins in assembly (row_amd64.s) with the same bits: every product
// and every sum is rounded, in the same order.

// dotRowGo is w·x for a sparse row x: four partial sums, one for each place in four entries. 2
// flops per entry.
func dotRowGo(cols []int32, vals, w []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(cols) >= 4 && len(vals) >= 4 {
		s0 += float64(w[cols[0]] * vals[0])
		s1 += float64(w[cols[1]] * vals[1])
		s2 += float64(w[cols[2]] * vals[2])
		s3 += float64(w[cols[3]] * vals[3])
		cols, vals = cols[4:], vals[4:]
	}
	for p, j := range cols {
		s0 += float64(w[j] * vals[p])
	}
	return (s0 + s2) + (s1 + s3)
}

// addRowGo adds s·x to w for a sparse row x. 2 flops per entry.
func addRowGo(cols []int32, vals, w []float64, s float64) {
	for p, j := range cols {
		w[j] += float64(s * vals[p])
	}
}
