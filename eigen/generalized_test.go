package eigen_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// path is the stiffness matrix of n unknowns between two fixed ends: 2 on the diagonal, −1 beside.
func path(n int) *sparse.CSR {
	d := mat.NewDense(n, n, nil)
	for i := range n {
		d.Set(i, i, 2)
		if i > 0 {
			d.Set(i, i-1, -1)
			d.Set(i-1, i, -1)
		}
	}
	a, err := sparse.FromMatrix(d)
	if err != nil {
		panic(err)
	}
	return a
}

// With A = M^½·T·M^½ for the path T the eigenvalues of A·y = λ·M·y are 2 − 2cos(jπ/(n+1)), whatever
// the mass is; the pairs satisfy the equation, and the vectors are M-orthonormal.
func TestGeneralized(t *testing.T) {
	const n, k = 300, 5
	mass, root := make([]float64, n), make([]float64, n)
	for i := range mass {
		mass[i] = 1 + 3*math.Abs(math.Sin(float64(i)))
		root[i] = math.Sqrt(mass[i])
	}
	a := path(n).Scale(root, root)
	for name, op := range map[string]eigen.Operator{"matrix": a, "function": eigen.OperatorFunc{N: n, Mul: a.MulBlock}} {
		for _, which := range []eigen.Which{eigen.Smallest, eigen.Largest} {
			r, err := eigen.Generalized(t.Context(), op, mass, eigen.Options{K: k, Which: which, Start: mat.NewDense(n, 1, root)})
			if err != nil {
				t.Fatal(name, which, err)
			}
			var ay mat.Dense
			ay.Mul(a, r.Vectors)
			for j, got := range r.Values {
				at := j + 1
				if which == eigen.Largest {
					at = n - k + 1 + j
				}
				if want := 2 - 2*math.Cos(float64(at)*math.Pi/(n+1)); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %s: value %d is %v, not %v", name, which, j, got, want)
				}
				for other := range r.Values {
					dot := 0.0
					for i, m := range mass {
						dot += r.Vectors.At(i, j) * m * r.Vectors.At(i, other)
					}
					if want := map[bool]float64{true: 1}[j == other]; math.Abs(dot-want) > 1e-8 {
						t.Errorf("%s, %s: vectors %d and %d have the product %v", name, which, j, other, dot)
					}
				}
				for i, m := range mass {
					if d := ay.At(i, j) - got*m*r.Vectors.At(i, j); math.Abs(d) > 1e-6 {
						t.Fatalf("%s, %s: pair %d misses the equation by %v in row %d", name, which, j, d, i)
					}
				}
			}
		}
	}
	if r, err := eigen.Generalized(t.Context(), path(9), nil, eigen.Options{K: 1}); err != nil || math.Abs(r.Values[0]-(2-2*math.Cos(math.Pi/10))) > 1e-12 {
		t.Error(r, err)
	}
	for _, wrong := range [][]float64{{1}, {1, 1, 0}, {1, 1, math.Inf(1)}, {1, 1, math.NaN()}} {
		if _, err := eigen.Generalized(t.Context(), path(3), wrong, eigen.Options{K: 1}); !errors.Is(err, fs.ErrInvalid) {
			t.Error(wrong, err)
		}
	}
}
