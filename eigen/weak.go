package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// weak is the λ below which the solvers may leave eigenvectors mixed.
const weak = 1e-6

// refine replaces the pairs below cancelled, from column zeros on, by Ritz pairs of a larger space
// if one of them is below weak, and reports whether it did.
func (p *Pencil) refine(r *Result, zeros int) bool {
	last := zeros
	for last < len(r.Values) && r.Values[last] < cancelled {
		last++
	}
	if last == zeros || r.Values[zeros] >= weak {
		return false
	}
	y := r.Vectors.RawMatrix()
	small, rest := columns(y, zeros, last), columns(y, last, y.Cols)
	q := p.quotient()
	e := newBlock(small.Rows, small.Cols)
	copyBlock(e, small)
	e = p.deviations(q, e)
	found, ok := p.ritzOverEdges(q, e, small.Cols)
	if !ok {
		return false
	}
	copy(r.Values[zeros:], found.values)
	p.expand(small, q, e, found)
	if rest.Cols > 0 { // what the other vectors have of these is an error
		p.subtract(rest, small, p.inner(small, rest))
	}
	r.sort(zeros)
	return true
}

// quotient is a partition of the points with the eigenvectors of the pencil on vectors that are
// constant on its parts.
type quotient struct {
	part   []int32
	volume []float64 // of each part; sums of mass
	values []float64 // above zero, ascending
	// heights has a row for each part, with a column for each eigenvector.
	heights blas64.General
}

// quotient solves the pencil whose points are the parts. Without weak spots these are the
// components, and there are no values above zero.
func (p *Pencil) quotient() *quotient {
	g := p.parts()
	if g == nil {
		return &quotient{part: p.label, volume: p.volumes(), heights: newBlock(p.count, 0)}
	}
	q := &quotient{part: g.part, volume: g.mass}
	mass := make([]float64, len(g.divided))
	for at, a := range g.divided {
		mass[at] = g.mass[a]
	}
	values, vectors := spectrumOf(g.between(p), mass)
	q.values, q.heights = values, newBlock(len(g.mass), len(values))
	for at, a := range g.divided {
		for j, y := range vectors {
			q.heights.Data[int(a)*q.heights.Stride+j] = y[at]
		}
	}
	return q
}

// negligible is the M-norm of the deviation of a unit vector from its means that is dropped.
const negligible = 1e-13

// deviations makes of e an M-orthonormal basis of its deviations from its means over the parts, in
// fewer columns if they are dependent.
func (p *Pencil) deviations(q *quotient, e blas64.General) blas64.General {
	least := negligible
	for pass := 0; pass < 3 && e.Cols > 0; pass++ {
		p.removeMeans(q, e)
		s := independent(p.inner(e, e), least)
		e = p.combine(e, s)
		least = 0
	}
	return e
}

// independent returns s for which the columns of e·s are orthonormal up to rounding if gram is
// eᵀMe; they span e but for columns shorter than least and dependent ones.
func independent(gram blas64.General, least float64) blas64.General {
	n := gram.Rows
	scale := make([]float64, n)
	for i := range n {
		if length := math.Sqrt(gram.Data[i*gram.Stride+i]); length > least {
			scale[i] = 1 / length
		}
	}
	for i := range n {
		for j := range n {
			gram.Data[i*gram.Stride+j] *= scale[i] * scale[j]
		}
	}
	const dependent = 1e-10 // the square of the sine of an angle
	values, vectors, err := oneThread(func() ([]float64, blas64.General, error) {
		return native.Default().SymEig(blas64.Symmetric{N: n, Stride: gram.Stride, Uplo: blas.Upper, Data: gram.Data}, native.EigRange{}, true)
	})
	if err != nil || n == 0 {
		return newBlock(n, 0)
	}
	first := 0
	for first < n && !(values[first] > dependent) {
		first++
	}
	s := newBlock(n, n-first)
	for j := range s.Cols {
		root := math.Sqrt(values[first+j])
		for i := range n {
			s.Data[i*s.Stride+j] = scale[i] * vectors.Data[i*vectors.Stride+first+j] / root
		}
	}
	return s
}

// ritzPairs are Ritz pairs in terms of the eigenvectors of a quotient (coarse) and of a basis
// (fine), with a column for each pair.
type ritzPairs struct {
	values       []float64
	coarse, fine blas64.General
}

// ritzOverEdges returns the count smallest Ritz pairs on the sum of the quotient's space and of the
// M-orthonormal e, whose means over the parts are 0. ok is false if there are fewer.
//
// The matrix is diag(q.values) in the quotient's part. Since a vector that is constant on the parts
// meets e only across the edges between them, the other entries are small where these edges are:
// the matrix is graded, and all its values keep their digits.
func (p *Pencil) ritzOverEdges(q *quotient, e blas64.General, count int) (found ritzPairs, ok bool) {
	d, c := len(q.values), e.Cols
	if d+c < count {
		return found, false
	}
	l := p.differences(e)
	a := newBlock(d+c, d+c)
	for j, v := range q.values {
		a.Data[j*a.Stride+j] = v
	}
	inside := p.energies(e, l)
	for i := range c {
		for j := range c {
			a.Data[(d+i)*a.Stride+d+j] = 0.5 * (inside.Data[i*inside.Stride+j] + inside.Data[j*inside.Stride+i])
		}
	}
	if d > 0 && c > 0 {
		across := newBlock(d, c)
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, q.heights, p.sumsOf(q.part, len(q.volume), l, nil), 0, across)
		for i := range d {
			for j := range c {
				v := across.Data[i*across.Stride+j]
				a.Data[i*a.Stride+d+j], a.Data[(d+j)*a.Stride+i] = v, v
			}
		}
	}
	values, vectors, ok := gradedSpectrum(a)
	if !ok {
		return found, false
	}
	found = ritzPairs{values[:count], newBlock(d, count), newBlock(c, count)}
	for j, v := range vectors[:count] {
		for i, x := range v {
			if i < d {
				found.coarse.Data[i*count+j] = x
			} else {
				found.fine.Data[(i-d)*count+j] = x
			}
		}
	}
	return found, true
}

// energies returns eᵀLe for l = L·e.
func (p *Pencil) energies(e, l blas64.General) blas64.General {
	return p.product(e, l, nil)
}

// expand sets y to the vectors of the pairs.
func (p *Pencil) expand(y blas64.General, q *quotient, e blas64.General, found ritzPairs) {
	heights := newBlock(q.heights.Rows, y.Cols)
	engine := native.Default()
	if q.heights.Cols > 0 {
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, q.heights, found.coarse, 0, heights)
	}
	inPanels(y.Rows, func(_, lo, hi int) {
		out := newBlock(hi-lo, y.Cols)
		for i := lo; i < hi; i++ {
			copy(out.Data[(i-lo)*out.Stride:][:y.Cols], heights.Data[int(q.part[i])*heights.Stride:])
		}
		if e.Cols > 0 {
			engine.Gemm(blas.NoTrans, blas.NoTrans, 1, rows(e, lo, hi), found.fine, 1, out)
		}
		copyBlock(rows(y, lo, hi), out)
	})
}

// inPanels calls body for panels of rows, in parallel.
func inPanels(n int, body func(chunk, lo, hi int)) {
	mustRun(parallel.For(context.Background(), n, panelGrain, func(_, lo, hi int) error {
		body(lo/panelGrain, lo, hi)
		return nil
	}))
}

const panelGrain = 2048

// inner returns aᵀMb.
func (p *Pencil) inner(a, b blas64.General) blas64.General { return p.product(a, b, p.mass) }

// product returns aᵀ·diag(mass)·b over all rows; nil masses are 1.
func (p *Pencil) product(a, b blas64.General, mass []float64) blas64.General {
	size := a.Cols * b.Cols
	if size == 0 {
		return newBlock(a.Cols, b.Cols)
	}
	partial := make([]float64, max(1, parallel.Chunks(a.Rows, panelGrain))*size)
	inPanels(a.Rows, func(chunk, lo, hi int) {
		right := rows(b, lo, hi)
		if mass != nil {
			right = newBlock(hi-lo, b.Cols)
			for i := range right.Rows {
				for j, v := range b.Data[(lo+i)*b.Stride:][:b.Cols] {
					right.Data[i*right.Stride+j] = mass[lo+i] * v
				}
			}
		}
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, rows(a, lo, hi), right, 0, asBlock(partial[chunk*size:][:size], a.Cols, b.Cols))
	})
	return asBlock(p.space.sum(sum(partial, size)), a.Cols, b.Cols)
}

// combine returns x·s in the memory of x; s has at most as many columns as rows.
func (p *Pencil) combine(x, s blas64.General) blas64.General {
	y := columns(x, 0, s.Cols)
	if s.Cols == 0 {
		return y
	}
	inPanels(x.Rows, func(_, lo, hi int) {
		out := newBlock(hi-lo, s.Cols)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, rows(x, lo, hi), s, 0, out)
		copyBlock(rows(y, lo, hi), out)
	})
	return y
}

// subtract sets x −= y·s.
func (p *Pencil) subtract(x, y, s blas64.General) {
	inPanels(x.Rows, func(_, lo, hi int) {
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, -1, rows(y, lo, hi), s, 1, rows(x, lo, hi))
	})
}

// sumsOf returns the sums of the rows of x over each of count parts, each row times its mass; nil
// masses are 1.
func (p *Pencil) sumsOf(part []int32, count int, x blas64.General, mass []float64) blas64.General {
	sums := newBlock(count, x.Cols)
	for i, a := range part {
		to, m := sums.Data[int(a)*sums.Stride:][:x.Cols], 1.0
		if mass != nil {
			m = mass[i]
		}
		for j, v := range x.Data[i*x.Stride:][:x.Cols] {
			to[j] += m * v
		}
	}
	p.space.sum(sums.Data)
	return sums
}

// removeMeans subtracts from the columns of x their means over the parts, under the masses.
func (p *Pencil) removeMeans(q *quotient, x blas64.General) {
	means := p.sumsOf(q.part, len(q.volume), x, p.mass)
	for a, v := range q.volume {
		for j := range means.Cols {
			if v > 0 {
				means.Data[a*means.Stride+j] /= v
			}
		}
	}
	p.eachRow(func(i int) {
		row := x.Data[i*x.Stride:][:x.Cols]
		for j, v := range means.Data[int(q.part[i])*means.Stride:][:x.Cols] {
			row[j] -= v
		}
	})
}
