package krylov

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas/blas64"
)

// The radius holds the stated probability, seen with large probabilities and many draws.
func TestGaussianRadius(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, columns := range []int{1, 2, 4, 8, 64} {
		for _, probability := range []float64{0.1, 0.01} {
			radius := gaussianRadius(columns, probability)
			const draws = 100000
			inside := 0
			for range draws {
				square := 0.0
				for range columns {
					g := rng.NormFloat64()
					square += g * g
				}
				if square <= radius*radius {
					inside++
				}
			}
			if share := float64(inside) / draws; share > probability*1.05+3*math.Sqrt(probability/draws) {
				t.Errorf("%d columns: %g of the draws within the radius for %g", columns, share, probability)
			}
		}
	}
	if r := gaussianRadius(4, 1e-8); math.Abs(r-0.0168) > 1e-4 {
		t.Errorf("radius %v for four columns", r)
	}
}

// The values at which a missing pair is looked for ascend from the smallest that counts to the
// largest that a pair with a component of the least size can have.
func TestGridOfTheCertificate(t *testing.T) {
	r := space.NewBlock(3, 4)
	for i := range r.Data {
		r.Data[i] = float64(i%5) - 1.5
	}
	c := newCertificate(r, aside{})
	const floor, growth = 0.3, 1.0
	c.settle(floor, 0.1, growth)
	if len(c.grid) != gridPoints || math.Abs(c.grid[0]-floor) > 1e-15 || !slices.IsSorted(c.grid) {
		t.Fatalf("%d values from %v: %v", len(c.grid), floor, c.grid)
	}
	if last := c.grid[gridPoints-1]; last < growth*c.size/c.radius {
		t.Errorf("the last value is %v, and an eigenvalue with the least component can be %v", last, growth*c.size/c.radius)
	}
}

// On a diagonal operator the component of a missing eigenvector in the random block is known: the
// bound at its eigenvalue is never below, before and after restarts, with a filter and without.
func TestCertificateBoundsTheComponent(t *testing.T) {
	const n, missing = 600, 2
	d := make([]float64, n)
	for i := range d {
		d[i] = 1 - 0.01*float64(i) - 0.3*math.Min(1, float64(i/5))
	}
	op := diagonalOperator(d)
	for _, f := range []*filter{nil, {low: d[n-1], high: -2, degree: 5}} {
		task := testTask(op, n, 4, 3)
		task.Block, task.Subspace = 4, 40
		k := &krylov{
			Task: task, basis: space.NewBasis(n, 44, nil, 3), t: space.NewBlock(44, 44), scale: 5, growth: 5, filter: f,
			x: make([]float64, 4*n), w: make([]float64, 4*n), y: make([]float64, 4*n), z: make([]float64, 4*n),
		}
		for i := range 5 {
			if i == missing {
				continue
			}
			unit := space.NewBlock(n, 1)
			unit.Data[i] = 1
			k.basis.Push(unit)
			k.locked = append(k.locked, d[i])
		}
		k.searchComplement(aside{})
		mu := d[missing]
		if f != nil {
			mu = f.at(mu)
		}
		c := k.proof
		c.grid, c.gamma = []float64{mu}, [][]float64{c.omega.Data}
		v := make([]float64, n)
		v[missing] = 1
		component := k.component(v)
		last := math.Inf(1)
		for step := range 14 {
			must.Do(t, k.extend(context.Background()))
			r := must.Get(k.ritz())(t)
			all := make([]int, len(r.theta))
			for l := range all {
				all[l] = l
			}
			if mu-r.theta[0] < 1e-6*mu {
				break // the missing value has appeared
			}
			bound := blas64.Nrm2(blas64.Vector{N: c.columns * r.coupling.Rows, Inc: 1, Data: c.onNext(0, r, c.coefficients(0, r), all)})
			if bound < component*(1-1e-6) {
				t.Errorf("filter %v, step %d: bound %g below the component %g", f != nil, step, bound, component)
			}
			last = min(last, bound)
			if step == 3 || step == 6 {
				r.order, r.lock = all, 0
				k.restart(r, 6)
			}
		}
		t.Logf("filter %v: component %g, last bound %g", f != nil, component, last)
	}
}

// component is the length of Ωᵀw = omega·Qᵀw at the begin of a search.
func (k *krylov) component(w []float64) float64 {
	length := 0.0
	for j := range k.proof.columns {
		g := 0.0
		for q := range k.proof.width {
			for i, x := range w {
				g += k.proof.omega.Data[j*k.proof.width+q] * k.basis.V.Data[i*k.basis.V.Stride+k.fixed()+q] * x
			}
		}
		length = math.Hypot(length, g)
	}
	return length
}
