package panel

import (
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// powerSteps is the number of products with a matrix and its transpose in [Directions].
const powerSteps = 3

// Directions returns orthonormal columns that nearly span the directions of the largest sums of
// squares of the rows of a, which are values, descending: subspace iteration from random columns,
// ended before it converges. 4·rows·columns·count flops for each of three steps.
func Directions(a blas64.General, count int, rng *rand.Rand) (values []float64, v blas64.General, err error) {
	engine := native.Default()
	v = blas64.General{Rows: a.Cols, Cols: count, Stride: count, Data: make([]float64, a.Cols*count)}
	for at := range v.Data {
		v.Data[at] = rng.NormFloat64()
	}
	image := blas64.General{Rows: a.Rows, Cols: count, Stride: count, Data: make([]float64, a.Rows*count)}
	for range powerSteps {
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, a, v, 0, image)
		engine.Gemm(blas.Trans, blas.NoTrans, 1, a, image, 0, v)
		if _, err = engine.QR(v); err != nil {
			return nil, v, err
		}
	}
	engine.Gemm(blas.NoTrans, blas.NoTrans, 1, a, v, 0, image)
	small := blas64.Symmetric{N: count, Stride: count, Uplo: blas.Upper, Data: make([]float64, count*count)}
	engine.Syrk(blas.Trans, 1, image, 0, small)
	ascending, turn, err := engine.SymEig(small, native.EigRange{}, true)
	if err != nil {
		return nil, v, err
	}
	for i := range count { // descending
		values = append(values, ascending[count-1-i])
		row := turn.Data[i*turn.Stride:][:count]
		for l, r := 0, count-1; l < r; l, r = l+1, r-1 {
			row[l], row[r] = row[r], row[l]
		}
	}
	out := blas64.General{Rows: v.Rows, Cols: count, Stride: count, Data: make([]float64, len(v.Data))}
	engine.Gemm(blas.NoTrans, blas.NoTrans, 1, v, turn, 0, out)
	return values, out, nil
}
