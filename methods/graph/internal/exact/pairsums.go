package exact

// togetherRows is the number of rows whose sums with one row are computed together, which hides the
// latency of the additions.
const togetherRows = 4

// partSums are the four partial sums of togetherRows rows.
type partSums [togetherRows][4]float64

// squaresGo sets the partial sums of Σ(a−b)² over the first values of a, a multiple of four: sum c
// takes every fourth value from value c on. 3 flops and 8 bytes per value. Its twin in assembly has
// the same bits: every product and sum is rounded.
func squaresGo(a []float64, b *[togetherRows][]float64, sum *partSums) {
	for r := range b {
		s, row := &sum[r], b[r]
		for k := 0; k+4 <= len(a); k += 4 {
			p, q := a[k:k+4:k+4], row[k:k+4:k+4]
			for l := range s {
				d := p[l] - q[l]
				s[l] += float64(d * d)
			}
		}
	}
}

// productsGo is squaresGo for Σ a·b. 2 flops per value.
func productsGo(a []float64, b *[togetherRows][]float64, sum *partSums) {
	for r := range b {
		s, row := &sum[r], b[r]
		for k := 0; k+4 <= len(a); k += 4 {
			p, q := a[k:k+4:k+4], row[k:k+4:k+4]
			for l := range s {
				s[l] += float64(p[l] * q[l])
			}
		}
	}
}

// squaredDistances sets out[c] to squaredDistance of a and row js[c].
func squaredDistances(a []float64, row func(j int) []float64, js []int32, out []float64) {
	eachFour(row, js, func(from int, b *[togetherRows][]float64) {
		var sum partSums
		squares(a, b, &sum)
		for r := range min(togetherRows, len(js)-from) {
			s := &sum[r]
			for k := len(a) &^ 3; k < len(a); k++ {
				d := a[k] - b[r][k]
				s[0] += float64(d * d)
			}
			out[from+r] = s[0] + s[1] + (s[2] + s[3])
		}
	})
}

// dotProducts sets out[c] to dotProduct of a and row js[c].
func dotProducts(a []float64, row func(j int) []float64, js []int32, out []float64) {
	eachFour(row, js, func(from int, b *[togetherRows][]float64) {
		var sum partSums
		products(a, b, &sum)
		for r := range min(togetherRows, len(js)-from) {
			s := &sum[r]
			for k := len(a) &^ 3; k < len(a); k++ {
				s[0] += float64(a[k] * b[r][k])
			}
			out[from+r] = s[0] + s[1] + (s[2] + s[3])
		}
	})
}

// eachFour visits togetherRows of the rows js at a time; the last ones may be one row.
func eachFour(row func(j int) []float64, js []int32, visit func(from int, b *[togetherRows][]float64)) {
	var b [togetherRows][]float64
	for from := 0; from < len(js); from += togetherRows {
		for r := range b {
			b[r] = row(int(js[min(from+r, len(js)-1)]))
		}
		visit(from, &b)
	}
}
