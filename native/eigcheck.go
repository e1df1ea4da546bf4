package native

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// eigenpairsHold checks eigenpairs of the symmetric matrix a, whose vectors are the columns of v:
// orthonormality and residuals, both near rounding. It applies the two defects, VᵀV − I and
// AV − VΛ, to three random vectors x. A defect of a norm 1,000 times the limit passes with a
// probability below (.001)³. 6n² + 24nk flops.
func eigenpairsHold(a blas64.Symmetric, values []float64, v blas64.General) bool {
	n, k := v.Rows, v.Cols
	if n == 0 || k == 0 {
		return true
	}
	largest := 0.0 // a bound of the norm of a, without overflow
	for i := range n {
		lo, hi := i, n
		if a.Uplo == blas.Lower {
			lo, hi = 0, i+1
		}
		largest = max(largest, largestOf(a.Data[i*a.Stride+lo:i*a.Stride+hi]))
	}
	_, exp := math.Frexp(largest)
	unit := math.Ldexp(1, -exp) // of the values: squares of large entries overflow
	if math.IsInf(unit, 0) || unit == 0 {
		return true // beyond the range in which products can be checked
	}
	limit := 1e-14 * float64(n+100)
	rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	x, scaled := make([]float64, k), make([]float64, k)
	p, ap, q := make([]float64, n), make([]float64, n), make([]float64, k)
	for range 3 {
		for j := range x {
			x[j] = rng.NormFloat64()
			scaled[j] = -x[j] * (values[j] * unit)
		}
		copy(q, x)
		length := goBLAS.Dnrm2(k, x, 1)
		goBLAS.Dgemv(blas.NoTrans, n, k, 1, v.Data, v.Stride, x, 1, 0, p, 1)
		goBLAS.Dgemv(blas.Trans, n, k, 1, v.Data, v.Stride, p, 1, -1, q, 1)
		if !(goBLAS.Dnrm2(k, q, 1) <= limit*length) {
			return false
		}
		goBLAS.Dsymv(a.Uplo, n, unit, a.Data, a.Stride, p, 1, 0, ap, 1)
		goBLAS.Dgemv(blas.NoTrans, n, k, 1, v.Data, v.Stride, scaled, 1, 1, ap, 1)
		if !(goBLAS.Dnrm2(n, ap, 1) <= limit*length*math.Sqrt(float64(n))) {
			return false
		}
	}
	return true
}
