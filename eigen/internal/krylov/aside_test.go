package krylov

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A search that sets inexact vectors aside bounds the component that a missing eigenvector has in
// its random block outside of them, before and after a restart. The perturbation is large, so that
// a bound without the terms for what is set aside would be too small.
func TestCertificateBesideVectorsSetAside(t *testing.T) {
	const n, missing = 400, 2
	d := make([]float64, n)
	for i := range d {
		d[i] = 1 - 0.02*float64(i) - 0.3*math.Min(1, float64(i/6))
	}
	for _, perturbation := range []float64{1e-3, 0.05} {
		task := testTask(diagonalOperator(d), n, 3, 5)
		task.Block, task.Subspace = 4, 60
		k := &krylov{
			Task: task, basis: space.NewBasis(n, 64, nil, 5), t: space.NewBlock(64, 64), scale: 1, growth: 1,
			x: make([]float64, 4*n), w: make([]float64, 4*n),
		}
		unit := space.NewBlock(n, 1)
		for i := range 2 {
			clear(unit.Data)
			unit.Data[i] = 1
			k.basis.Push(unit)
			k.locked = append(k.locked, d[i])
		}
		k.Task.K = 2
		// Approximations of the eigenvectors 3 and 4, with a part of the missing one, as a Rayleigh-
		// Ritz procedure leaves them: R is orthogonal to them.
		guess := space.NewBlock(n, 2)
		for i := 2; i < n; i++ {
			for j := range 2 {
				guess.Data[i*2+j] = perturbation * k.basis.Rng.NormFloat64() / math.Sqrt(n)
			}
		}
		for j := range 2 {
			guess.Data[missing*2+j] += perturbation
			guess.Data[(3+j)*2+j]++
		}
		k.basis.AppendOneByOne(guess, 2, 1e-8)
		a, u := setAside(t, d, space.Columns(k.basis.V, 2, 4), d[missing])
		k.searchComplement(a)

		// w is what U leaves of the missing eigenvector.
		w := make([]float64, n)
		w[missing] = 1
		for j := range 2 {
			for i := range n {
				w[i] -= u.Data[missing*2+j] * u.Data[i*2+j]
			}
		}
		if left := blas64.Nrm2(blas64.Vector{N: n, Inc: 1, Data: w}); left*left < 1-a.inside {
			t.Errorf("perturbation %g: the rest of a missing vector has %g of its square, and at least %g was said", perturbation, left*left, 1-a.inside)
		}
		c := k.proof
		c.grid, c.gamma, c.dropped = []float64{d[missing]}, [][]float64{c.omega.Data}, []float64{0}
		component := k.component(w)
		needed := false
		for step := range 40 { // until the space is nearly invariant, and only what is set aside couples
			must.Do(t, k.extend(context.Background()))
			r := must.Get(k.ritz())(t)
			all := make([]int, len(r.theta))
			for l := range all {
				all[l] = l
			}
			f := c.coefficients(0, r)
			first := blas64.Nrm2(blas64.Vector{N: c.columns * r.coupling.Rows, Inc: 1, Data: c.onNext(0, r, f, all)})
			needed = needed || first < component*(1-1e-3)
			if bound := first + c.dropped[0] + c.weight(0, r, f, all); bound < component*(1-1e-6) {
				t.Errorf("perturbation %g, step %d: bound %g below the component %g", perturbation, step, bound, component)
			}
			if k.active >= 48 {
				r.order, r.lock = all, 0
				k.restart(r, 16)
			}
		}
		t.Logf("perturbation %g: component %g, needed %v", perturbation, component, needed)
		if perturbation > 0.01 && !needed {
			t.Error("the terms for what is set aside were not put to the test")
		}
	}
}

// setAside turns the columns of u, orthonormal, into Ritz vectors of the diagonal operator, in
// place, and returns their bounds for an eigenvalue mu, and a copy.
func setAside(t *testing.T, d []float64, u blas64.General, mu float64) (aside, blas64.General) {
	t.Helper()
	n, c := u.Rows, u.Cols
	au := space.NewBlock(n, c)
	diagonalOperator(d).MulBlock(au, u)
	projected := space.NewBlock(c, c)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, u, au, 0, projected)
	x, y, z := projected.Data[0], projected.Data[1], projected.Data[3]
	angle := 0.5 * math.Atan2(2*y, x-z) // the rotation that makes a symmetric 2×2 matrix diagonal
	s := blas64.General{Rows: 2, Cols: 2, Stride: 2, Data: []float64{math.Cos(angle), -math.Sin(angle), math.Sin(angle), math.Cos(angle)}}
	rotated := space.NewBlock(n, c)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, u, s, 0, rotated)
	space.CopyBlock(u, rotated)
	a := aside{vectors: c}
	for j := range c {
		theta, residual := 0.0, 0.0
		for i, v := range d {
			theta += v * rotated.Data[i*c+j] * rotated.Data[i*c+j]
		}
		for i, v := range d {
			residual = math.Hypot(residual, (v-theta)*rotated.Data[i*c+j])
		}
		a.inside += math.Pow(residual/(mu-theta), 2)
		a.couples += residual * residual / (mu - theta)
	}
	return a, rotated
}

// A start that is orthogonal to a wanted eigenvector leaves it out, and what the solve sets aside
// at its end does not hide it from the search.
func TestSetAsideHidesNothing(t *testing.T) {
	const n, k = 600, 6
	d := make([]float64, n)
	for i := range d {
		d[i] = 1 - 0.01*float64(i) - 0.5*math.Min(1, float64(i/20))
	}
	for _, hidden := range []int{0, k - 1} {
		// The operator keeps the hidden coordinate apart, so only random vectors have a part of it.
		start := space.NewBlock(n, 2)
		for i := range n {
			if i != hidden {
				start.Data[2*i], start.Data[2*i+1] = math.Sin(float64(i+1)), math.Cos(float64(3*i))
			}
		}
		task := testTask(diagonalOperator(d), n, k, 2)
		task.MaxIter = 100
		task.Block = 2
		s := &krylov{
			Task: task, basis: space.NewBasis(n, 70, nil, 5), t: space.NewBlock(70, 70), x: make([]float64, 4*n), w: make([]float64, 4*n),
		}
		s.Task.Subspace = 60
		s.basis.AppendOneByOne(start, 2, 1e-8)
		s.next = s.basis.Size
		p := must.Get(s.run(context.Background(), false))(t)
		for j, v := range p.Values {
			if math.Abs(v-d[j]) > 1e-8 {
				t.Errorf("hidden %d: value %d is %v, not %v", hidden, j, v, d[j])
			}
		}
		// One search beside vectors set aside, one without, which finds the value, and a last one.
		if s.stats.Recovered == 0 || s.stats.Missed < 2.5*MissProbability {
			t.Errorf("hidden %d: %d values recovered, the probability of a miss is %g", hidden, s.stats.Recovered, s.stats.Missed)
		}
	}
}
