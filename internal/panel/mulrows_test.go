package panel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// random is a panel of normal numbers.
func random(rng *rand.Rand, r, c int) blas64.General {
	p := New(r, c)
	for i := range p.Data {
		p.Data[i] = rng.NormFloat64()
	}
	return p
}

// A row of a product has the bits that it has alone, in any place and in any company, and the
// product equals the product of the sums.
func TestMulRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, shape := range [][3]int{{1, 1, 1}, {47, 3, 69}, {48, 10, 7}, {49, 1, 300}, {130, 17, 129}, {97, 200, 515}, {200, 33, 1}, {60, 5, 4100}} {
		n, m, d := shape[0], shape[1], shape[2]
		a, b := random(rng, n, d), random(rng, m, d)
		start := random(rng, n, m)
		all := Clone(start)
		MulRows(blas.Trans, -1, a, b, 1, all)
		for i := range n {
			alone := Clone(Rows(start, i, i+1))
			MulRows(blas.Trans, -1, Rows(a, i, i+1), b, 1, alone)
			if !slices.Equal(alone.Data[:m], all.Data[i*m:(i+1)*m]) {
				t.Errorf("%v: row %d alone is %v, and %v among others", shape, i, alone.Data[:min(m, 4)], all.Data[i*m:][:min(m, 4)])
				break
			}
			sum, size := start.Data[i*m], math.Abs(start.Data[i*m])
			for k := range d {
				sum -= a.Data[i*d+k] * b.Data[k]
				size += math.Abs(a.Data[i*d+k] * b.Data[k])
			}
			if math.Abs(sum-alone.Data[0]) > 1e-14*size*math.Sqrt(float64(d)) {
				t.Errorf("%v: row %d is %v, and the sum %v", shape, i, alone.Data[0], sum)
			}
		}
	}
}
