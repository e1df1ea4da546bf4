package krylov

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
)

// Lanczos steps that outline the spectrum: at least ScoutSteps, which bound it (its ends converge
// first; the residual covers the error), and at most mostScoutSteps until scoutValues Ritz values
// stand for the eigenvalues that are to be counted. The larger the matrix, the more it takes.
const (
	ScoutSteps     = 12
	mostScoutSteps = 60
	scoutValues    = 6
)

// outline is an estimate of a spectrum from a few Lanczos steps.
type outline struct {
	low, top float64   // its bounds
	values   []float64 // Ritz values, descending
	weights  []float64 // estimated number of eigenvalues near each Ritz value
}

// scout estimates the spectrum in the complement of the known vectors, so finely that the value
// with count eigenvalues above it can be estimated. It uses the free columns of the basis. A step
// costs one product and some passes over four vectors, and some steps two passes over the vectors
// of all steps before.
func (k *krylov) scout(ctx context.Context, count float64) (outline, error) {
	steps := ScoutSteps
	if count > 0 {
		steps = mostScoutSteps
	}
	basis := k.Task.NewBasis(0, k.Task.Seed+2)
	c := newChain(basis, k.lent(min(steps, basis.Room())+1))
	// It solves the projected problem of the chain, a basis of single vectors.
	s := &krylov{Task: k.Task, basis: basis, t: space.NewBlock(steps, steps)}
	room := float64(basis.Room())
	var o outline
	for c.steps+1 < len(c.v) && !c.ended {
		began := time.Now()
		k.Op.MulBlock(c.block(c.steps+1), c.block(c.steps))
		k.stats.Products++
		multiplied := time.Now()
		k.stats.ProductTime += multiplied.Sub(began)
		c.step()
		k.stats.BasisTime += time.Since(multiplied)
		if c.broken {
			return o, problem.NotFinite(c.block(c.steps + 1))
		}
		last := c.steps - 1
		if size := math.Hypot(c.alpha[last], c.beta[last]); math.IsNaN(size) || math.IsInf(size, 0) {
			return o, problem.NotFinite(c.block(c.steps))
		}
		if err := k.Task.Stopped(ctx); err != nil {
			return o, err
		}
		if whole := c.ended || c.steps+1 == len(c.v); !whole && (c.steps < ScoutSteps || c.steps%4 != 0) {
			continue
		}
		c.project(s)
		r, err := s.ritz()
		if err != nil {
			return o, err
		}
		if o = r.outline(room); o.resolves(count) {
			break
		}
	}
	k.stats.BasisTime += s.stats.BasisTime
	k.scale = max(k.scale, c.scale)
	return o, nil
}

// Lowest returns an estimate of the lower end of the spectrum of a task's operator, and the
// products that it took.
func Lowest(ctx context.Context, t problem.Task) (low float64, products int, err error) {
	k := &krylov{Task: t}
	seen, err := k.scout(ctx, 0)
	return seen.low, k.stats.Products, err
}

// lent returns memory for so many vectors: the free columns of the basis first, and new memory for
// the others.
func (k *krylov) lent(count int) [][]float64 {
	var list [][]float64
	if k.basis != nil {
		for _, part := range k.basis.Parts(k.basis.Size, k.basis.Capacity()) {
			for j := 0; j < part.Cols && part.Stride == part.Cols; j++ {
				list = append(list, part.Data[j*k.N:][:k.N])
			}
		}
	}
	for len(list) < count {
		list = append(list, make([]float64, k.N))
	}
	return list[:count]
}

// chain is Lanczos' recurrence with one vector and partial reorthogonalisation (Simon 1984). The
// recurrence keeps a vector orthogonal to the two before it. How far rounding has led it from the
// others follows from a recurrence of numbers; where that is more than half of the digits, this
// vector and the next one are orthogonalised against all. T then equals the T of full
// orthogonalisation up to rounding.
type chain struct {
	basis       *space.Basis // panels, sums, known vectors and random numbers
	v           [][]float64
	steps       int       // vectors of the Krylov space; v[steps] is the one after them
	alpha, beta []float64 // T: its diagonal, and the entries below
	scale       float64   // estimate of the norm of the operator
	ended       bool      // the space is invariant
	broken      bool      // the product is not finite
	// now and before bound the products of the last two vectors with those before them.
	now, before []float64
	again       bool // the last vector was orthogonalised against all, the next one must be too
	full        int  // vectors that were orthogonalised against all
}

// lost is the product of unit vectors at which half of the digits of orthogonality are lost.
const lost = 0x1p-26

// newChain begins with a random vector; v is memory for the vectors.
func newChain(b *space.Basis, v [][]float64) *chain {
	c := &chain{basis: b, v: v, now: make([]float64, len(v)+1), before: make([]float64, len(v)+1)}
	first := c.block(0)
	for i := range first.Data {
		first.Data[i] = b.Rng.NormFloat64()
	}
	b.Known.Project(first)
	b.Known.Project(first)
	c.divide(0, b.Space.Norm(first))
	c.now[0] = 1
	return c
}

func (c *chain) block(at int) blas64.General { return space.AsBlock(c.v[at], len(c.v[at]), 1) }

// divide scales a vector by 1/length.
func (c *chain) divide(at int, length float64) {
	c.basis.Panels(func(_, lo, hi int) {
		for i, x := range c.v[at][lo:hi] {
			c.v[at][lo+i] = x / length
		}
	})
}

// step makes the next vector, which holds the product with the last one.
func (c *chain) step() {
	b, j := c.basis, c.steps
	w, v := c.v[j+1], c.v[j]
	var before []float64
	below := 0.0
	if j > 0 {
		before, below = c.v[j-1], c.beta[j-1]
	}
	partial := make([]float64, parallel.Chunks(len(w), b.Grain))
	b.Panels(func(chunk, lo, hi int) {
		if before != nil {
			space.AddTo(w[lo:hi], -below, before[lo:hi])
		}
		partial[chunk] = blas64.Dot(space.VectorOf(v[lo:hi]), space.VectorOf(w[lo:hi]))
	})
	alpha := b.Space.Summed(space.SumParts(partial, 1))[0]
	if c.broken = math.IsNaN(alpha) || math.IsInf(alpha, 0); c.broken {
		return
	}
	b.Panels(func(_, lo, hi int) { space.AddTo(w[lo:hi], -alpha, v[lo:hi]) })
	next := c.block(j + 1)
	b.Known.Project(next)
	length := b.Space.Norm(next)
	c.alpha = append(c.alpha, alpha)
	c.scale = max(c.scale, math.Hypot(alpha, math.Hypot(below, length)))

	must := c.drift(length)
	if must || c.again {
		c.full++
		for range 2 {
			c.orthogonalise()
			b.Known.Project(next)
			left := b.Space.Norm(next)
			kept := left > space.Mostly*length
			if length = left; kept {
				break
			}
		}
		for i := range j + 1 {
			c.before[i] = c.rounding() * c.scale / length
		}
	}
	c.again = must && !c.again
	c.now, c.before = c.before, c.now
	c.now[j+1] = 1
	c.steps++
	if c.ended = !(length > space.Tiny*c.scale); c.ended {
		length = 0
	} else {
		c.divide(j+1, length)
	}
	c.beta = append(c.beta, length)
}

// rounding is the product of two vectors that have just been made orthogonal.
func (c *chain) rounding() float64 {
	return 0x1p-52 * math.Sqrt(float64(c.basis.Space.Among(len(c.v[0]))))
}

// drift advances the bounds of the products with the vector that is next, of the given length,
// which take the place of the older ones, and reports whether one is too large.
func (c *chain) drift(length float64) bool {
	j, worst := c.steps, 0.0
	for i := range j {
		x := c.beta[i]*c.now[i+1] + (c.alpha[i]-c.alpha[j])*c.now[i] - c.beta[j-1]*c.before[i]
		if i > 0 {
			x += c.beta[i-1] * c.now[i-1]
		}
		x = (x + math.Copysign(c.rounding()*c.scale, x)) / length
		c.before[i] = x
		worst = max(worst, math.Abs(x))
	}
	c.before[j] = c.rounding() * c.scale / length
	return !(worst < lost)
}

// orthogonalise subtracts from the next vector its components in all before it.
func (c *chain) orthogonalise() {
	b, w, count := c.basis, c.v[c.steps+1], c.steps+1
	partial := make([]float64, parallel.Chunks(len(w), b.Grain)*count)
	b.Panels(func(chunk, lo, hi int) {
		for i, v := range c.v[:count] {
			partial[chunk*count+i] = blas64.Dot(space.VectorOf(v[lo:hi]), space.VectorOf(w[lo:hi]))
		}
	})
	h := b.Space.Summed(space.SumParts(partial, count))
	b.Panels(func(_, lo, hi int) {
		for i, v := range c.v[:count] {
			space.AddTo(w[lo:hi], -h[i], v[lo:hi])
		}
	})
}

// project copies the chain's T and B to s.
func (c *chain) project(s *krylov) {
	s.active, s.next = c.steps, 1
	if c.ended {
		s.next = 0
	}
	s.b = space.NewBlock(s.next, s.active)
	for i := range c.steps {
		s.t.Data[i*s.t.Stride+i] = c.alpha[i]
		if i > 0 {
			s.t.Data[i*s.t.Stride+i-1], s.t.Data[(i-1)*s.t.Stride+i] = c.beta[i-1], c.beta[i-1]
		}
	}
	if s.next > 0 {
		s.b.Data[c.steps-1] = c.beta[c.steps-1]
	}
}

// outline is the estimate from the Ritz pairs of a space that began with a random vector, in room
// dimensions.
func (r *ritz) outline(room float64) outline {
	last := len(r.values) - 1
	o := outline{low: r.values[last] - r.residuals[last], top: r.values[0] + r.residuals[0], values: r.values}
	for _, first := range r.vectors.Data[:last+1] {
		o.weights = append(o.weights, room*first*first)
	}
	return o
}

// resolves reports whether scoutValues or more Ritz values stand for the count largest eigenvalues.
func (o outline) resolves(count float64) bool {
	for _, weight := range o.weights[:min(scoutValues, len(o.weights))] {
		count -= weight
	}
	return count >= 0
}

// above estimates how many eigenvalues lie above x (stochastic Lanczos quadrature). The squared
// component of a Ritz vector in the random start vector is the estimated number of eigenvalues near
// its value. They are spread evenly on both sides of the value, up to half the distance to the
// nearer neighbour, so a gap of the spectrum appears as a gap between Ritz values. An estimate of k
// from one vector has an error of about √(2k).
func (o outline) above(x float64) float64 {
	count := 0.0
	for j, v := range o.values {
		reach := max(o.top-v, v-o.low)
		if j > 0 {
			reach = (o.values[j-1] - v) / 2
		}
		if j+1 < len(o.values) {
			reach = min(reach, (v-o.values[j+1])/2)
		}
		switch {
		case x <= v-reach:
			count += o.weights[j]
		case x < v+reach:
			count += o.weights[j] * (v + reach - x) / (2 * reach)
		}
	}
	return count
}

// where estimates the value with count eigenvalues above it.
func (o outline) where(count float64) float64 {
	low, high := o.low, o.top
	for range 50 {
		if x := (low + high) / 2; o.above(x) < count {
			high = x
		} else {
			low = x
		}
	}
	return low
}
