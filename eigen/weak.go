package eigen

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// weak is the λ below which the solvers may leave eigenvectors mixed.
const weak = 1e-6

// refine replaces the pairs below cancelled, from column zeros on, by Ritz pairs of a larger space,
// if one of them is below weak: of the vectors that are constant on the parts of the graph, of what
// the solver's vectors deviate from these, and of corrections. Residuals stay below the solver's or
// below tol. It reports whether it did.
func (p *Pencil) refine(r *Result, zeros int, tol float64) bool {
	last := zeros
	for last < len(r.Values) && r.Values[last] < cancelled {
		last++
	}
	if last == zeros || r.Values[zeros] >= weak {
		return false
	}
	if _, ok := p.w.(*factored); ok {
		return false // its edges are not at hand
	}
	q := p.quotient()
	if q == nil {
		return false
	}
	y := r.Vectors.RawMatrix()
	small, rest := space.Columns(y, zeros, last), space.Columns(y, last, y.Cols)
	s := &refinement{Pencil: p, quotient: q, e: space.NewBlock(small.Rows, small.Cols)}
	space.CopyBlock(s.e, small)
	if !s.solve(small.Cols) {
		return false
	}
	for range mostCorrections {
		list := s.imprecise()
		if len(list) == 0 {
			break
		}
		s.widen(s.corrections(list))
		if !s.solve(small.Cols) {
			return false
		}
	}
	if !s.within(tol, small, r.Values[zeros:last]) {
		return false
	}
	copy(r.Values[zeros:], s.values)
	space.CopyBlock(small, s.y)
	if rest.Cols > 0 { // what the other vectors have of these is an error
		p.subtract(rest, small, p.inner(small, rest))
	}
	r.sort(zeros)
	return true
}

// refinement is a search for Ritz pairs on the sum of a quotient's space and of the span of e.
type refinement struct {
	*Pencil
	*quotient
	e      blas64.General // M-orthonormal; its means over the parts are 0
	values []float64
	y      blas64.General // the Ritz vectors
	r      blas64.General // M^-1·(L·y − λ·M·y); 0 for isolated points
}

// solve finds the count smallest pairs, after it has made e what it must be. It returns false if
// there are fewer.
func (s *refinement) solve(count int) bool {
	s.e = s.deviations(s.quotient, s.e)
	found, ok := s.ritzOverEdges(s.quotient, s.e, count)
	if !ok {
		return false
	}
	s.values, s.y = found.values, space.NewBlock(s.e.Rows, count)
	s.expand(s.y, s.quotient, s.e, found)
	s.r = s.residual(s.y, s.values)
	return true
}

// residual returns M^-1·(L·y − λ·M·y), with L·y by differences.
func (p *Pencil) residual(y blas64.General, values []float64) blas64.General {
	r := p.differences(y)
	p.eachRow(func(i int) {
		to, inv := r.Data[i*r.Stride:][:r.Cols], p.invSqrt[i]*p.invSqrt[i]
		for j, v := range y.Data[i*y.Stride:][:y.Cols] {
			to[j] = inv*to[j] - values[j]*v
			if inv == 0 {
				to[j] = 0
			}
		}
	})
	return r
}

// precise bounds the estimate of the relative error of a value that needs no correction; slow is a
// low guess of the least eigenvalue of a part above zero.
const (
	precise = 1e-8
	slow    = 1e-3
)

// imprecise lists the values whose relative error may exceed precise. For a residual r it is at
// most r²/(g·λ), where g is the least eigenvalue of a part above zero. Without parts there is no
// such g.
func (s *refinement) imprecise() []int {
	var list []int
	squares := s.dots(s.r, s.r, s.mass)
	for j, v := range s.values {
		if len(s.quotient.values) > 0 && v < weak && squares[j] > precise*slow*v {
			list = append(list, j)
		}
	}
	return list
}

// Steps of the corrections, which end if all residuals have fallen by this factor.
const (
	mostCorrections = 4
	correctionSteps = 50
	corrected       = 1e-3
)

// corrections solves L·t = −r inside of the parts for the listed pairs, by conjugate gradients that
// M preconditions.
func (s *refinement) corrections(list []int) blas64.General {
	n, c := s.y.Rows, len(list)
	z := space.NewBlock(n, c)
	for i := range n {
		for to, from := range list {
			z.Data[i*c+to] = -s.r.Data[i*s.r.Stride+from]
		}
	}
	s.removeMeans(s.quotient, z)
	g := &gradients{t: space.NewBlock(n, c), z: z, d: space.NewBlock(n, c), squares: s.dots(z, z, s.mass)}
	space.CopyBlock(g.d, z)
	goal := make([]float64, c)
	for j, v := range g.squares {
		goal[j] = corrected * corrected * v
	}
	for step := 0; step < correctionSteps && g.exceeds(goal); step++ {
		s.descend(g)
	}
	return g.t
}

// gradients is the state of conjugate gradients in several columns.
type gradients struct {
	t, z, d blas64.General // solutions, residuals under M^-1, directions
	squares []float64      // squared M-norms of z
}

func (g *gradients) exceeds(goal []float64) bool {
	for j, v := range g.squares {
		if v > goal[j] {
			return true
		}
	}
	return false
}

// descend takes one step.
func (s *refinement) descend(g *gradients) {
	c := g.d.Cols
	l := s.differences(g.d)
	along := s.dots(g.d, l, nil)
	for j, v := range along {
		if along[j] = 0; v > 0 {
			along[j] = g.squares[j] / v
		}
	}
	s.eachRow(func(i int) {
		inv := s.invSqrt[i] * s.invSqrt[i]
		for j, a := range along {
			g.t.Data[i*c+j] += a * g.d.Data[i*c+j]
			g.z.Data[i*c+j] -= a * inv * l.Data[i*c+j]
		}
	})
	s.removeMeans(s.quotient, g.z)
	next := s.dots(g.z, g.z, s.mass)
	s.eachRow(func(i int) {
		for j, v := range next {
			if g.squares[j] > 0 {
				g.d.Data[i*c+j] = g.z.Data[i*c+j] + v/g.squares[j]*g.d.Data[i*c+j]
			}
		}
	})
	g.squares = next
}

// widen adds columns to e.
func (s *refinement) widen(t blas64.General) {
	wide := space.NewBlock(t.Rows, s.e.Cols+t.Cols)
	space.CopyBlock(space.Columns(wide, 0, s.e.Cols), s.e)
	space.CopyBlock(space.Columns(wide, s.e.Cols, wide.Cols), t)
	s.e = wide
}

// within reports whether ‖L·y − λ·M·y‖/‖y‖ is at most tol for every pair, or the solver's.
func (s *refinement) within(tol float64, y blas64.General, values []float64) bool {
	now := s.lengths(s.y, s.r)
	if slices.Max(now) <= tol {
		return true
	}
	before := s.lengths(y, s.residual(y, values))
	for j, v := range now {
		if v > max(tol, before[j]) {
			return false
		}
	}
	return true
}

// lengths returns ‖M·r‖/‖y‖ for each column.
func (p *Pencil) lengths(y, r blas64.General) []float64 {
	weighted := space.NewBlock(r.Rows, r.Cols)
	p.eachRow(func(i int) {
		for j, v := range r.Data[i*r.Stride:][:r.Cols] {
			weighted.Data[i*r.Cols+j] = p.mass[i] * v
		}
	})
	lengths := p.space.Norms(blas64.General{}, weighted)
	for j, v := range p.space.Norms(blas64.General{}, y) {
		lengths[j] /= v
	}
	return lengths
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

// quotient solves the pencil whose points are the parts; nil if these are the components, because
// the graph has no weak spots. If the parts are not known, they are the components too, and there
// are no values above zero.
func (p *Pencil) quotient() *quotient {
	g := p.parts()
	switch {
	case g == nil:
		return &quotient{part: p.label, volume: p.volumes(), heights: space.NewBlock(p.count, 0)}
	case len(g.mass) == p.count:
		return nil
	}
	q := &quotient{part: g.points(), volume: g.mass}
	mass := make([]float64, len(g.divided))
	for at, a := range g.divided {
		mass[at] = g.mass[a]
	}
	values, vectors := spectrumOf(g.between(p), mass)
	q.values, q.heights = values, space.NewBlock(len(g.mass), len(values))
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
	for pass := 0; pass < 2 && e.Cols > 0; pass++ {
		p.removeMeans(q, e)
		s := p.independent(p.inner(e, e), least)
		e = p.combine(e, s)
		least = 0
	}
	return e
}

// independent returns s for which the columns of e·s are orthonormal up to rounding if gram is
// eᵀMe; they span e but for columns shorter than least and dependent ones.
func (p *Pencil) independent(gram blas64.General, least float64) blas64.General {
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
	values, vectors, err := space.OneThread(func() ([]float64, blas64.General, error) {
		return native.Default().SymEig(blas64.Symmetric{N: n, Stride: gram.Stride, Uplo: blas.Upper, Data: gram.Data}, native.EigRange{}, true)
	})
	if err != nil {
		return space.NewBlock(n, 0)
	}
	p.space.Alike(values, vectors.Data)
	first := 0
	for first < n && !(values[first] > dependent) {
		first++
	}
	s := space.NewBlock(n, n-first)
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
	values, vectors, ok := gradedSpectrum(p.projected(q, e))
	if !ok {
		return found, false
	}
	found = ritzPairs{values[:count], space.NewBlock(d, count), space.NewBlock(c, count)}
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

// projected returns the matrix of ritzOverEdges.
func (p *Pencil) projected(q *quotient, e blas64.General) blas64.General {
	d, c := len(q.values), e.Cols
	a := space.NewBlock(d+c, d+c)
	for j, v := range q.values {
		a.Data[j*a.Stride+j] = v
	}
	l := p.differences(e)
	inside := p.product(e, l, nil)
	for i := range c {
		for j := range c {
			a.Data[(d+i)*a.Stride+d+j] = 0.5 * (inside.Data[i*c+j] + inside.Data[j*c+i])
		}
	}
	if d == 0 || c == 0 {
		return a
	}
	across := space.NewBlock(d, c)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, q.heights, p.sumsOf(q.part, len(q.volume), l, nil), 0, across)
	for i := range d {
		for j, v := range across.Data[i*c:][:c] {
			a.Data[i*a.Stride+d+j], a.Data[(d+j)*a.Stride+i] = v, v
		}
	}
	return a
}

// expand sets y to the vectors of the pairs.
func (p *Pencil) expand(y blas64.General, q *quotient, e blas64.General, found ritzPairs) {
	heights := space.NewBlock(q.heights.Rows, y.Cols)
	engine := native.Default()
	if q.heights.Cols > 0 {
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, q.heights, found.coarse, 0, heights)
	}
	inPanels(y.Rows, func(_, lo, hi int) {
		out := space.NewBlock(hi-lo, y.Cols)
		for i := lo; i < hi; i++ {
			copy(out.Data[(i-lo)*out.Stride:][:y.Cols], heights.Data[int(q.part[i])*heights.Stride:])
		}
		if e.Cols > 0 {
			engine.Gemm(blas.NoTrans, blas.NoTrans, 1, space.Rows(e, lo, hi), found.fine, 1, out)
		}
		space.CopyBlock(space.Rows(y, lo, hi), out)
	})
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

// parts divides the points into parts that are joined weakly to one another, by merging each part
// with the one that it is joined to most firmly (Borůvka). A part lies within one component. It
// returns nil if the graph has too many of them, or if its edges are not at hand.
// O(nnz·log n) at the most; most graphs shrink fast.
func (p *Pencil) parts() *grouping {
	g := p.grouping()
	if g == nil {
		return nil
	}
	for limit, most := firm, mostParts; limit > loosest; limit /= 10 {
		for g.merge(limit) {
		}
		if limit < 2*feeble {
			most = mostWeak
		}
		if g.number(p.count); len(g.divided) <= most {
			return g
		}
	}
	return nil
}
