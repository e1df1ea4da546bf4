package panel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The directions of rows in three directions and a little noise are orthonormal, ordered by their
// sums of squares, and hold nearly all of the squares.
func TestDirections(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 7))
	a, basis := New(60, 40), New(3, 40)
	for at := range basis.Data {
		basis.Data[at] = rng.NormFloat64()
	}
	total := 0.0
	for i := range a.Rows {
		row := a.Data[i*40 : (i+1)*40]
		for j := range 3 {
			y := rng.NormFloat64() * float64(j+1)
			for t := range row {
				row[t] += y * basis.Data[j*40+t]
			}
		}
		for t := range row {
			row[t] += 1e-3 * rng.NormFloat64()
			total += row[t] * row[t]
		}
	}
	values, v, err := Directions(a, 5, rng)
	if err != nil {
		t.Fatal(err)
	}
	image := New(60, 5)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, v, 0, image)
	for p := range 5 {
		for q := range p + 1 {
			dot, squares := 0.0, 0.0
			for t := range 40 {
				dot += v.Data[t*v.Stride+p] * v.Data[t*v.Stride+q]
			}
			for i := range 60 {
				squares += image.Data[i*5+p] * image.Data[i*5+q]
			}
			want, wanted := 0.0, 0.0
			if p == q {
				want, wanted = 1, values[p]
			}
			if math.Abs(dot-want) > 1e-13 || math.Abs(squares-wanted) > 1e-10*total {
				t.Errorf("directions %d and %d have the product %g, their images %g", p, q, dot, squares)
			}
		}
		if p > 0 && values[p] > values[p-1] {
			t.Errorf("the values %v do not descend", values)
		}
	}
	if kept := values[0] + values[1] + values[2]; kept < (1-1e-5)*total {
		t.Errorf("three directions hold %g of %g", kept, total)
	}
}
