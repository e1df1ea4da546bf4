package ldl

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// Negative returns the number of negative pivots. By Sylvester's law of inertia it is the number of
// negative eigenvalues of the factored matrix, or of one that differs from it by at most Error.
func (f *Factor) Negative() int {
	count := 0
	for _, d := range f.d {
		if d < 0 {
			count++
		}
	}
	return count
}

// Error bounds the 2-norm of E with A + E = LDLᵀ in exact arithmetic: |E| ≤ m·ε·B with
// B = |L||D||Lᵀ| for m operations per entry (Higham 2002, "Accuracy and Stability of Numerical
// Algorithms", theorem 10.3 and its proof). The 2-norm of the non-negative B is at most the largest
// (Bx)_i/x_i for any positive x (Collatz and Wielandt); x = 1 and x = B·1 are used. It reads
// the factor at hand four times.
func (f *Factor) Error() float64 {
	depth := make([]int32, f.n)
	for p, rows := range f.rows {
		width := int(f.starts[p+1] - f.starts[p])
		for i, r := range rows {
			depth[r] += int32(min(i+1, width))
		}
	}
	x := make([]float64, f.n)
	for i := range x {
		x[i] = 1
	}
	least := math.Inf(1)
	for range 2 {
		y := f.absolute(x)
		largest, top := 0.0, 0.0
		for i, v := range y {
			largest, top = max(largest, v/x[i]), max(top, v)
		}
		least = min(least, largest)
		for i := range y {
			y[i] = max(y[i]/top, 1e-3)
		}
		x = y
	}
	const epsilon = 0x1p-53
	return float64(slices.Max(append(depth, 0))+2) * epsilon * least
}

// absolute returns |L||D||Lᵀ|x.
func (f *Factor) absolute(x []float64) []float64 {
	column, out := make([]float64, f.n), make([]float64, f.n)
	for p, rows := range f.rows {
		from, width := int(f.starts[p]), int(f.starts[p+1]-f.starts[p])
		for i, r := range rows {
			used := min(i+1, width)
			for k, v := range f.panel[p][i*width:][:used] {
				column[from+k] += math.Abs(v) * x[r]
			}
		}
	}
	for k := range column {
		column[k] *= math.Abs(f.d[k])
	}
	for p, rows := range f.rows {
		from, width := int(f.starts[p]), int(f.starts[p+1]-f.starts[p])
		for i, r := range rows {
			used := min(i+1, width)
			for k, v := range f.panel[p][i*width:][:used] {
				out[r] += math.Abs(v) * column[from+k]
			}
		}
	}
	return out
}

// SolveBlock sets dst = A⁻¹x for a block of vectors, row-major. dst and x may be the same. It reads
// the factor twice, whatever the number of columns. 4·Entries flops per column.
func (f *Factor) SolveBlock(dst, x blas64.General) {
	b := x.Cols
	scratch := solutions.Get().(*[]float64)
	defer solutions.Put(scratch)
	*scratch = grown(*scratch, f.n*b)
	y := (*scratch)[:f.n*b]
	if b == 2 {
		for k, i := range f.order {
			from := x.Data[int(i)*x.Stride:][:2]
			y[2*k], y[2*k+1] = from[0], from[1]
		}
	} else {
		for k, i := range f.order {
			copy(y[k*b:][:b], x.Data[int(i)*x.Stride:][:b])
		}
	}
	s := &solution{f: f, engine: native.Default(), y: y, b: b}
	for p := range f.rows {
		s.forward(p)
	}
	for k, d := range f.d {
		row := y[k*b:][:b]
		for j := range row {
			row[j] /= d
		}
	}
	for p := len(f.rows) - 1; p >= 0; p-- {
		s.backward(p)
	}
	if b == 2 {
		for k, i := range f.order {
			to := dst.Data[int(i)*dst.Stride:][:2]
			to[0], to[1] = y[2*k], y[2*k+1]
		}
		return
	}
	for k, i := range f.order {
		copy(dst.Data[int(i)*dst.Stride:][:b], y[k*b:][:b])
	}
}

// solutions keeps the memory of solves.
var solutions = sync.Pool{New: func() any { return new([]float64) }}

// solution is a solve in progress: y holds b values for each row in the order of elimination.
type solution struct {
	f       *Factor
	engine  native.Engine
	y       []float64
	b       int
	scratch []float64
}

// forward removes panel p's columns from the rows below: y ← L⁻¹y.
func (s *solution) forward(p int) {
	rows, data, own, width := s.panel(p)
	b := s.b
	for i := 1; i < width; i++ {
		subtract(own[i*b:][:b], data[i*width:][:i], own)
	}
	high := len(rows) - width
	if 2*high*width*b < worthCalling {
		i := width
		if b == 2 {
			for ; i+4 <= len(rows); i += 4 {
				subtractFour(s.y, rows[i:][:4], data[i*width:][:4*width], own)
			}
		}
		for ; i < len(rows); i++ {
			subtract(s.y[int(rows[i])*b:][:b], data[i*width:][:width], own)
		}
		return
	}
	s.scratch = grown(s.scratch, high*b)
	c := dense(s.scratch, high, b)
	s.engine.Gemm(blas.NoTrans, blas.NoTrans, 1, dense(data[width*width:], high, width), dense(own, width, b), 0, c)
	for i := range high {
		out := s.y[int(rows[width+i])*b:][:b]
		for j, v := range c.Data[i*b:][:b] {
			out[j] -= v
		}
	}
}

// backward is forward for Lᵀ.
func (s *solution) backward(p int) {
	rows, data, own, width := s.panel(p)
	b := s.b
	high := len(rows) - width
	if 2*high*width*b < worthCalling {
		i := width
		if b == 2 {
			for ; i+4 <= len(rows); i += 4 {
				subtractFourTransposed(own, data[i*width:][:4*width], s.y, rows[i:][:4])
			}
		}
		for ; i < len(rows); i++ {
			subtractTransposed(own, data[i*width:][:width], s.y[int(rows[i])*b:][:b])
		}
	} else {
		s.scratch = grown(s.scratch, high*b)
		c := dense(s.scratch, high, b)
		for i := range high {
			copy(c.Data[i*b:][:b], s.y[int(rows[width+i])*b:][:b])
		}
		s.engine.Gemm(blas.Trans, blas.NoTrans, -1, dense(data[width*width:], high, width), c, 1, dense(own, width, b))
	}
	for i := width - 1; i > 0; i-- {
		subtractTransposed(own, data[i*width:][:i], own[i*b:][:b])
	}
}

func (s *solution) panel(p int) (rows []int32, data, own []float64, width int) {
	from, to := int(s.f.starts[p]), int(s.f.starts[p+1])
	return s.f.rows[p], s.f.panel[p], s.y[from*s.b : to*s.b], to - from
}

// subtract sets out −= Σ_k l[k]·x_k for rows x_k of the length of out.
func subtract(out, l, x []float64) {
	b := len(out)
	if b == 4 {
		o0, o1, o2, o3 := out[0], out[1], out[2], out[3]
		for k, v := range l {
			r := x[k*4:][:4]
			o0 -= v * r[0]
			o1 -= v * r[1]
			o2 -= v * r[2]
			o3 -= v * r[3]
		}
		out[0], out[1], out[2], out[3] = o0, o1, o2, o3
		return
	}
	if b == 2 {
		o0, o1 := out[0], out[1]
		for k, v := range l {
			r := x[k*2:][:2]
			o0 -= v * r[0]
			o1 -= v * r[1]
		}
		out[0], out[1] = o0, o1
		return
	}
	for k, v := range l {
		for j, r := range x[k*b:][:b] {
			out[j] -= v * r
		}
	}
}

// subtractFour is subtract for four rows of y, of two columns, with the rows of l one after the
// other: their sums do not wait for each other. The operations of a sum are those of subtract.
func subtractFour(y []float64, rows []int32, l, x []float64) {
	width := len(l) / 4
	l0, l1, l2, l3 := l[:width], l[width:][:width], l[2*width:][:width], l[3*width:][:width]
	y0, y1, y2, y3 := y[2*int(rows[0]):][:2], y[2*int(rows[1]):][:2], y[2*int(rows[2]):][:2], y[2*int(rows[3]):][:2]
	a0, b0, a1, b1 := y0[0], y0[1], y1[0], y1[1]
	a2, b2, a3, b3 := y2[0], y2[1], y3[0], y3[1]
	for k, v := range l0 {
		r := x[2*k:][:2]
		p, q := r[0], r[1]
		a0 -= v * p
		b0 -= v * q
		a1 -= l1[k] * p
		b1 -= l1[k] * q
		a2 -= l2[k] * p
		b2 -= l2[k] * q
		a3 -= l3[k] * p
		b3 -= l3[k] * q
	}
	y0[0], y0[1], y1[0], y1[1] = a0, b0, a1, b1
	y2[0], y2[1], y3[0], y3[1] = a2, b2, a3, b3
}

// subtractFourTransposed is subtractTransposed for four rows of y in turn, of two columns, with the
// rows of l one after the other: it reads and writes x once.
func subtractFourTransposed(x, l, y []float64, rows []int32) {
	width := len(l) / 4
	l0, l1, l2, l3 := l[:width], l[width:][:width], l[2*width:][:width], l[3*width:][:width]
	y0, y1, y2, y3 := y[2*int(rows[0]):][:2], y[2*int(rows[1]):][:2], y[2*int(rows[2]):][:2], y[2*int(rows[3]):][:2]
	a0, b0, a1, b1 := y0[0], y0[1], y1[0], y1[1]
	a2, b2, a3, b3 := y2[0], y2[1], y3[0], y3[1]
	for k, v := range l0 {
		r := x[2*k:][:2]
		r[0] = r[0] - v*a0 - l1[k]*a1 - l2[k]*a2 - l3[k]*a3
		r[1] = r[1] - v*b0 - l1[k]*b1 - l2[k]*b2 - l3[k]*b3
	}
}

// subtractTransposed sets x_k −= l[k]·in for rows x_k of the length of in.
func subtractTransposed(x, l, in []float64) {
	b := len(in)
	if b == 4 {
		i0, i1, i2, i3 := in[0], in[1], in[2], in[3]
		for k, v := range l {
			r := x[k*4:][:4]
			r[0] -= v * i0
			r[1] -= v * i1
			r[2] -= v * i2
			r[3] -= v * i3
		}
		return
	}
	if b == 2 {
		i0, i1 := in[0], in[1]
		for k, v := range l {
			r := x[k*2:][:2]
			r[0] -= v * i0
			r[1] -= v * i1
		}
		return
	}
	for k, v := range l {
		row := x[k*b:][:b]
		for j, i := range in {
			row[j] -= v * i
		}
	}
}
