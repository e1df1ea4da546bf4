package lars

import "math"

// factor is the lower triangular L of LLᵀ = the Gram matrix of the active columns, with its rows
// packed one after the other: row i has i+1 numbers from i(i+1)/2. 4k² bytes for k columns.
type factor struct {
	k    int
	data []float64
	// worst is the least ratio of L_ii to the length of column i, which measures how close the columns
	// are to dependence.
	worst float64
	ratio []float64
}

func (f *factor) reset() { f.k, f.data, f.ratio, f.worst = 0, f.data[:0], f.ratio[:0], 1 }

func (f *factor) row(i int) []float64 {
	at := i * (i + 1) / 2
	return f.data[at : at+i+1]
}

// push appends the row (w, diagonal), w of length k; ratio is the diagonal over the column's
// length.
func (f *factor) push(w []float64, diagonal, ratio float64) {
	f.data = append(append(f.data, w[:f.k]...), diagonal)
	f.ratio = append(f.ratio, ratio)
	f.worst = min(f.worst, ratio)
	f.k++
}

// remove deletes row and column i of LLᵀ: one rotation of neighbouring columns for each row below
// it. 3(k−i)² flops.
func (f *factor) remove(i int) {
	for c := i; c < f.k-1; c++ {
		top := f.row(c + 1)
		h := math.Hypot(top[c], top[c+1])
		cos, sin := top[c]/h, top[c+1]/h
		for r := c + 1; r < f.k; r++ {
			row := f.row(r)
			a, b := row[c], row[c+1]
			row[c], row[c+1] = cos*a+sin*b, cos*b-sin*a
		}
	}
	for r := i; r < f.k-1; r++ { // the row below without its last number, which is zero
		copy(f.row(r), f.row(r + 1)[:r+1])
	}
	f.k--
	f.data = f.data[:f.k*(f.k+1)/2]
	f.ratio = append(f.ratio[:i], f.ratio[i+1:]...)
	f.worst = 1
	for _, v := range f.ratio {
		f.worst = min(f.worst, v)
	}
}

// forward solves Lw = v in place, k² flops.
func (f *factor) forward(v []float64) {
	for i := range f.k {
		row := f.row(i)
		v[i] = (v[i] - inner(row[:i], v[:i])) / row[i]
	}
}

// backward solves Lᵀz = v in place, k² flops.
func (f *factor) backward(v []float64) {
	for i := f.k - 1; i >= 0; i-- {
		row := f.row(i)
		v[i] /= row[i]
		for c, l := range row[:i] {
			v[c] -= l * v[i]
		}
	}
}

// solve solves LLᵀz = v in place.
func (f *factor) solve(v []float64) { f.forward(v); f.backward(v) }

// multiplyT sets dst = Lᵀz.
func (f *factor) multiplyT(dst, z []float64) {
	clear(dst[:f.k])
	for i := range f.k {
		for c, l := range f.row(i) {
			dst[c] += l * z[i]
		}
	}
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
