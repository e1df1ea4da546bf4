package eigen

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// The products of panels agree with those of BLAS to rounding, for all numbers of rows and columns
// around those that the kernels take at a time, and leave what lies beside them alone.
func TestTallIsGemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(r, c, stride int) blas64.General {
		b := blas64.General{Rows: r, Cols: c, Stride: stride, Data: make([]float64, r*stride+1)}
		for i := range b.Data {
			b.Data[i] = rng.NormFloat64()
		}
		return b
	}
	clone := func(a blas64.General) blas64.General {
		a.Data = append([]float64(nil), a.Data...)
		return a
	}
	engine := native.Default()
	products := tall{engine: engine}
	for _, n := range []int{1, 3, 7, 8, 9, 16, 100} {
		for _, k := range []int{1, 2, 5, 37} {
			for _, c := range []int{1, 2, 4, 5, 8, 9} {
				for _, pad := range []int{0, 3} {
					v, w, h := random(n, k, k+pad), random(n, c, c+pad), random(k, c, c+pad)
					gotH, wantH := clone(h), clone(h)
					products.addDots(gotH, v, w)
					engine.Gemm(blas.Trans, blas.NoTrans, 1, v, w, 1, wantH)
					gotW, wantW := clone(w), clone(w)
					products.subtract(gotW, v, h)
					engine.Gemm(blas.NoTrans, blas.NoTrans, -1, v, h, 1, wantW)
					for _, pair := range [][2][]float64{{gotH.Data, wantH.Data}, {gotW.Data, wantW.Data}} {
						for i, x := range pair[0] {
							if d := x - pair[1][i]; !(d < 1e-12 && d > -1e-12) {
								t.Fatalf("%d×%d with %d columns, padding %d: entry %d is %v, not %v", n, k, c, pad, i, x, pair[1][i])
							}
						}
					}
				}
			}
		}
	}
}
