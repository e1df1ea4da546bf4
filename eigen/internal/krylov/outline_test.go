package krylov

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// After 60 steps with well-separated eigenvalues the recurrence alone has lost orthogonality to all
// digits, and has copies of the values that converged. The chain keeps half of the digits, has each
// value once, and orthogonalises few of its vectors against all.
func TestChainStaysOrthogonal(t *testing.T) {
	const n, steps, apart = 3000, 60, 5
	d := make([]float64, n)
	for i := range d {
		d[i] = 0.5 * math.Cos(float64(i))
		if i < apart {
			d[i] = 2 - 0.2*float64(i)
		}
	}
	k := &krylov{Task: testTask(diagonalOperator(d), n, 3, 4)}
	c := newChain(k.Task.NewBasis(0, 4), k.lent(steps+1))
	for range steps {
		k.Op.MulBlock(c.block(c.steps+1), c.block(c.steps))
		c.step()
	}
	v := space.NewBlock(n, steps)
	for j := range steps {
		space.CopyBlock(space.Columns(v, j, j+1), c.block(j))
	}
	gram := space.NewBlock(steps, steps)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, v, v, 0, gram)
	for i := range steps {
		gram.Data[i*steps+i]--
	}
	worst := 0.0
	for _, x := range gram.Data {
		worst = max(worst, math.Abs(x))
	}
	t.Logf("products of two vectors up to %.1e; %d of %d vectors were orthogonalised against all", worst, c.full, steps)
	if worst > 4*lost {
		t.Errorf("products of two vectors up to %v", worst)
	}
	if c.full == 0 || c.full > steps/2 {
		t.Errorf("%d of %d vectors were orthogonalised against all", c.full, steps)
	}
	s := &krylov{Task: k.Task, basis: c.basis, t: space.NewBlock(steps, steps)}
	c.project(s)
	r := must.Get(s.ritz())(t)
	for i := range apart {
		if math.Abs(r.values[i]-d[i]) > 1e-12 {
			t.Errorf("value %d is %v, not %v", i, r.values[i], d[i])
		}
	}
	if r.values[apart] > 0.6 {
		t.Errorf("a copy of a value: %v", r.values[apart])
	}
}

// An operator with few values ends the space after as many steps, and its outline is exact.
func TestChainEnds(t *testing.T) {
	const n = 1000
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(i % 4)
	}
	k := &krylov{Task: testTask(diagonalOperator(d), n, 3, 2)}
	o := must.Get(k.scout(context.Background(), 100))(t)
	if k.stats.Products != 4 || len(o.values) != 4 {
		t.Errorf("%d products, %d values", k.stats.Products, len(o.values))
	}
	sum := 0.0
	for j, v := range o.values {
		if want := float64(3 - j); math.Abs(v-want) > 1e-10 {
			t.Errorf("value %v, not %v", v, want)
		}
		if math.Abs(o.weights[j]-n/4) > 100 {
			t.Errorf("%v eigenvalues near %v", o.weights[j], v)
		}
		sum += o.weights[j]
	}
	if math.Abs(sum-n) > 1e-6 {
		t.Errorf("%v eigenvalues in all", sum)
	}
}

// A product that is not finite is an error.
func TestScoutOfAnInfiniteOperator(t *testing.T) {
	op := byProducts{n: 500, mul: func(dst, x blas64.General) { dst.Data[7] = math.Inf(1) }}
	k := &krylov{Task: testTask(op, 500, 3, 0)}
	if _, err := k.scout(context.Background(), 10); err == nil || !strings.Contains(err.Error(), "row 8") {
		t.Errorf("%v", err)
	}
}
