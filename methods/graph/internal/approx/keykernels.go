package approx

import "github.com/eigenmap/eigenmap/methods/graph/internal/exact"

// The kernels of this file have twins in assembly (keykernels_amd64.s) with the same bits: every
// product and every sum is rounded to float32, in the same order.

// sparseProductsGo sets out[c] to the dot product of row js[c] and the open row, which has the
// values of its terms: eight partial sums, one for each place in a block. 2 flops per entry, and 64
// bytes per block, read once from memory and in order; the terms of the open row are in cache.
func sparseProductsGo(first []int, block []exact.TermBlock, open []float32, js []int32, out []float32) {
	for c, j := range js {
		var s [8]float32
		rows := block[first[j]:first[j+1]]
		for b := range rows {
			t := &rows[b]
			for l := range s {
				s[l] += float32(t.Val[l] * open[t.Term[l]])
			}
		}
		out[c] = sum8(&s)
	}
}

// sum8 adds eight numbers in the order in which halves of a register are added.
func sum8(s *[8]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// denseDistancesGo sets out[c] to -Σ(a−b)² of rows i and js[c], which have some steps each: 32
// partial sums. 3 flops and 4 bytes per value.
func denseDistancesGo(rows []denseStep, steps, i int, js []int32, out []float32) {
	a := rows[i*steps : (i+1)*steps]
	for c, j := range js {
		var s denseStep
		for p, b := range rows[int(j)*steps : (int(j)+1)*steps] {
			for l, v := range a[p] {
				d := v - b[l]
				s[l] += float32(d * d)
			}
		}
		var t [8]float32
		for l := range t {
			t[l] = (s[l] + s[l+8]) + (s[l+16] + s[l+24])
		}
		out[c] = 0 - sum8(&t) // not -0
	}
}

// denseStep is the part of a dense row that a step of the kernel takes.
type denseStep [32]float32
