package exact

// togetherRows is the number of rows whose sums with one row are computed together, which hides the
// latency of the additions.
const togetherRows = 4

// partSums are the four partial sums of togetherRows rows.
type partSums [togetherRows][4]float64

// number is the storage of dense rows, in single or in double precision.
type number interface{ float32 | float64 }

// squaresGo sets the partial sums of Σ(a−b)² over the first values of a, a multiple of four: sum c
// takes every fourth value from value c on. 3 flops and 4 or 8 bytes per value, which are doubled
// before anything is computed. Its twins in assembly have the same bits: every product and sum is
// rounded.
func squaresGo[T number](a []T, b *[togetherRows][]T, sum *partSums) {
	for r := range b {
		s, row := &sum[r], b[r]
		for k := 0; k+4 <= len(a); k += 4 {
			p, q := a[k:k+4:k+4], row[k:k+4:k+4]
			for l := range s {
				d := float64(p[l]) - float64(q[l])
				s[l] += float64(d * d)
			}
		}
	}
}

// productsGo is squaresGo for Σ a·b. 2 flops per value.
func productsGo[T number](a []T, b *[togetherRows][]T, sum *partSums) {
	for r := range b {
		s, row := &sum[r], b[r]
		for k := 0; k+4 <= len(a); k += 4 {
			p, q := a[k:k+4:k+4], row[k:k+4:k+4]
			for l := range s {
				s[l] += float64(float64(p[l]) * float64(q[l]))
			}
		}
	}
}

// squaredDistances sets out[c] to squaredDistance of a and row js[c].
func squaredDistances[T number](a []T, row func(j int) []T, js []int32, out []float64) {
	eachFour(row, js, func(from int, b *[togetherRows][]T) {
		var sum partSums
		squares(a, b, &sum)
		for r := range min(togetherRows, len(js)-from) {
			s := &sum[r]
			for k := len(a) &^ 3; k < len(a); k++ {
				d := float64(a[k]) - float64(b[r][k])
				s[0] += float64(d * d)
			}
			out[from+r] = s[0] + s[1] + (s[2] + s[3])
		}
	})
}

// dotProducts sets out[c] to dotProduct of a and row js[c].
func dotProducts[T number](a []T, row func(j int) []T, js []int32, out []float64) {
	eachFour(row, js, func(from int, b *[togetherRows][]T) {
		var sum partSums
		products(a, b, &sum)
		for r := range min(togetherRows, len(js)-from) {
			s := &sum[r]
			for k := len(a) &^ 3; k < len(a); k++ {
				s[0] += float64(float64(a[k]) * float64(b[r][k]))
			}
			out[from+r] = s[0] + s[1] + (s[2] + s[3])
		}
	})
}

// eachFour visits togetherRows of the rows js at a time; the last ones may be one row.
func eachFour[T number](row func(j int) []T, js []int32, visit func(from int, b *[togetherRows][]T)) {
	var b [togetherRows][]T
	for from := 0; from < len(js); from += togetherRows {
		for r := range b {
			b[r] = row(int(js[min(from+r, len(js)-1)]))
		}
		visit(from, &b)
	}
}
