package lars

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/panel"
)

// dependence is the distance of a column to the span of the active ones, over its length, below
// which it counts as dependent: in a Gram matrix half of the digits are needed to distinguish a
// direction from rounding.
const dependence = 1e-6

// conditioned is the distance from which solutions with the factor need no refinement.
const conditioned = 0.03

// activeSet are the active columns of one follower in the order of the factor's rows, with their
// coefficients b, the signs s (weights within rounding of ±1) of their correlations and the
// direction d = (X_AᵀX_A + λ₂I)⁻¹s. u = X_A·d.
type activeSet struct {
	c       *columns
	ridge   float64 // scaled λ₂
	factor  factor
	terms   []int32
	b, s, d []float64
	fresh   []bool // entered at this knot: b is zero
	u       []float64

	vec, work, more []float64 // n; k; k
}

func newActiveSet(c *columns, ridge float64) *activeSet {
	return &activeSet{c: c, ridge: ridge, u: make([]float64, c.n), vec: make([]float64, c.n)}
}

func (a *activeSet) reset() {
	a.factor.reset()
	a.terms, a.b, a.s, a.d, a.fresh = a.terms[:0], a.b[:0], a.s[:0], a.d[:0], a.fresh[:0]
	clear(a.u)
}

// project writes the row of the factor that column j would have and returns its diagonal: the
// distance of the (augmented) column from the span of the active ones; and its ratio to the length
// of the column. n + Σ entries of the active columns, and k² flops; three times that if the column
// is so close that the difference of squares has lost its digits: the distance is then computed
// from the difference itself, with one correction.
func (a *activeSet) project(j int) (w []float64, diagonal, ratio float64) {
	k := a.factor.k
	a.work, a.more = room(a.work, k), room(a.more, k)
	w, z := a.work, a.more
	clear(a.vec)
	a.c.add(j, 1, a.vec)
	a.c.centre(a.vec)
	a.c.dotAll(a.terms, a.vec, w)
	length := a.c.norm[j]*a.c.norm[j] + a.ridge
	a.factor.forward(w)
	if rest := length - square(w); rest > 1e-4*length {
		return w, math.Sqrt(rest), math.Sqrt(rest / length)
	}
	copy(z, w)
	a.factor.backward(z)
	var rest float64
	for pass := range 2 {
		clear(a.vec)
		a.c.add(j, 1, a.vec)
		for i, t := range a.terms {
			a.c.add(int(t), -z[i], a.vec)
		}
		a.c.centre(a.vec)
		rest = a.c.square(a.vec) + a.ridge*(1+square(z))
		if pass == 1 {
			break
		}
		a.c.dotAll(a.terms, a.vec, w)
		for i := range w {
			w[i] -= a.ridge * z[i]
		}
		a.factor.solve(w)
		for i, v := range w {
			z[i] += v
		}
	}
	a.factor.multiplyT(w, z)
	return w, math.Sqrt(rest), math.Sqrt(rest / length)
}

// enter makes column j active with the given sign, or returns false if it is dependent.
func (a *activeSet) enter(j int32, sign float64) bool {
	w, diagonal, ratio := a.project(int(j))
	if !(ratio > dependence) {
		return false
	}
	a.factor.push(w, diagonal, ratio)
	a.terms, a.b, a.s, a.d, a.fresh = append(a.terms, j), append(a.b, 0), append(a.s, sign), append(a.d, 0), append(a.fresh, true)
	return true
}

// leave takes out the column at place i.
func (a *activeSet) leave(i int) {
	a.factor.remove(i)
	a.terms = append(a.terms[:i], a.terms[i+1:]...)
	a.b = append(a.b[:i], a.b[i+1:]...)
	a.s = append(a.s[:i], a.s[i+1:]...)
	a.d = append(a.d[:i], a.d[i+1:]...)
	a.fresh = append(a.fresh[:i], a.fresh[i+1:]...)
}

// solve sets d and u, refined if the factor is badly conditioned (corrected seminormal equations,
// Björck 1987).
func (a *activeSet) solve() {
	copy(a.d, a.s)
	a.factor.solve(a.d)
	a.c.combine(a.u, a.terms, a.d)
	if a.factor.worst < conditioned {
		a.refine(a.d, a.u, func(i int, dot float64) float64 { return a.s[i] - dot - a.ridge*a.d[i] },
			func() { a.c.combine(a.u, a.terms, a.d) })
	}
}

// polish changes b so that the active correlations are penalty·s up to rounding, and sets r = y −
// X_A·b.
func (a *activeSet) polish(y, r []float64, penalty float64) {
	a.residual(y, r)
	a.refine(a.b, r, func(i int, dot float64) float64 { return dot - a.ridge*a.b[i] - penalty*a.s[i] },
		func() { a.residual(y, r) })
}

// refine adds to x the solution with the factor for the residual, and updates the residual, until
// it is rounding error or falls no more; once if the factor is well conditioned. missing returns
// the residual of place i from the product of its column with rest. Each pass is two products with
// the active columns.
func (a *activeSet) refine(x, rest []float64, missing func(i int, dot float64) float64, update func()) {
	passes := 1
	if a.factor.worst < conditioned {
		passes = 6
	}
	a.work = room(a.work, len(x))
	last := math.Inf(1)
	for range passes {
		a.c.dotAll(a.terms, rest, a.work)
		for i, dot := range a.work {
			a.work[i] = missing(i, dot)
		}
		a.factor.solve(a.work)
		size := panel.Largest(a.work)
		if size >= last/2 {
			return
		}
		last = size
		for i, v := range a.work {
			x[i] += v
		}
		update()
		if size <= 0x1p-51*panel.Largest(x) {
			return
		}
	}
}

// residual sets r = y − X_A·b.
func (a *activeSet) residual(y, r []float64) {
	copy(r, y)
	for i, t := range a.terms {
		a.c.add(int(t), -a.b[i], r)
	}
	a.c.centre(r)
}

// room returns v with length k.
func room(v []float64, k int) []float64 {
	if cap(v) < k {
		return make([]float64, k, 2*k)
	}
	return v[:k]
}
