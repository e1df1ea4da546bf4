package eigen

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// A search beside vectors set aside certifies at any scale of the operator.
func TestSetAsideAtAnyScale(t *testing.T) {
	const n, k = 500, 40
	for _, scale := range []float64{1, 1e-200, 1e200} {
		d := make([]float64, n)
		for i := range d {
			d[i] = scale * math.Cos(math.Pi*float64(i)/(2*n))
		}
		op := OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
			for i, v := range d {
				for j := range x.Cols {
					dst.Data[i*dst.Stride+j] = v * x.Data[i*x.Stride+j]
				}
			}
		}}
		r, err := Symmetric(context.Background(), op, Options{K: k, Which: Largest, Solver: Lanczos, MaxIter: 60})
		if err != nil {
			t.Errorf("scale %g: %v", scale, err)
			continue
		}
		for j, v := range r.Values {
			if want := d[k-1-j]; math.Abs(v-want) > 1e-7*scale { // ascending
				t.Errorf("scale %g: value %d is %g, not %g", scale, j, v, want)
			}
		}
	}
}

// A filter that is very large at values locked long ago, but hardly above its band at copies of the
// last one, does not keep the search from its end.
func TestFilteredSearchBesideCopies(t *testing.T) {
	const n, k = 3000, 12
	b := sparse.NewBuilder(n, n)
	for i := range n {
		v := -0.3 + 0.6*math.Pow(1-float64(i)/n, 1.5)
		if i < 4 {
			v = 1 - 0.01*float64(i)
		}
		if i >= 8 && i < 16 {
			v = -0.3 + 0.6*math.Pow(1-8.0/n, 1.5)
		}
		b.Add(i, i, v)
	}
	a := built(t, b)
	for _, tol := range []float64{1e-8, 1e-9, 1e-10} {
		if _, err := Symmetric(context.Background(), a, Options{K: k, Which: Largest, Solver: Lanczos, Seed: 3, Tol: tol, MaxIter: 60}); err != nil {
			t.Errorf("tolerance %g: %v", tol, err)
		}
	}
}
