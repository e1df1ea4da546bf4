package space

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The products of panels agree with BLAS to rounding, for all numbers of rows and columns around
// those that the kernels take at a time, and leave what lies beside them alone.
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
	// groups has the columns of h in groups of width, the last one with zeros.
	groups := func(h blas64.General, width int) []float64 {
		var list []float64
		for from := 0; from < h.Cols; from += width {
			for i := range h.Rows {
				for j := from; j < from+width; j++ {
					if j < h.Cols {
						list = append(list, h.Data[i*h.Stride+j])
					} else {
						list = append(list, 0)
					}
				}
			}
		}
		return list
	}
	for _, n := range []int{1, 3, 7, 8, 9, 16, 100} {
		for _, k := range []int{1, 2, 5, 37} {
			for _, c := range []int{1, 2, 4, 5, 8, 9} {
				for _, pad := range []int{0, 3} {
					v, w, h := random(n, k, k+pad), random(n, c, c+pad), random(k, c, c+pad)
					products.width, _ = groupsOf(c)
					products.load(w)
					gotH, wantH := groups(h, products.width), clone(h)
					products.addDots(gotH, v, 0, k)
					engine.Gemm(blas.Trans, blas.NoTrans, 1, v, w, 1, wantH)
					gotW, wantW := clone(w), clone(w)
					products.load(gotW)
					products.subtract(v, groups(h, products.width), 0, k)
					products.store(gotW)
					engine.Gemm(blas.NoTrans, blas.NoTrans, -1, v, h, 1, wantW)
					for _, pair := range [][2][]float64{{gotH, groups(wantH, products.width)}, {gotW.Data, wantW.Data}} {
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

// BenchmarkTall prints how many times as fast as OpenBLAS the two products with a panel of 512 rows
// and 100 columns are, for blocks of 4 columns, on one thread: a basis of 50,000 rows, more than
// the caches hold.
func BenchmarkTall(b *testing.B) {
	const n, k, c, panel = 50_000, 100, 4, 512
	v, w, h := NewBlock(n, k), NewBlock(n, c), NewBlock(k, c)
	for i := range v.Data {
		v.Data[i] = float64(i%7) - 3
	}
	for i := range w.Data {
		w.Data[i] = float64(i%5) - 2
	}
	products := tall{engine: native.Default(), width: c}
	defer native.Parallel()()
	ways := []func(v, w blas64.General){
		func(v, w blas64.General) { products.engine.Gemm(blas.Trans, blas.NoTrans, 1, v, w, 1, h) },
		func(v, w blas64.General) { products.load(w); products.addDots(h.Data, v, 0, k) },
		func(v, w blas64.General) { products.engine.Gemm(blas.NoTrans, blas.NoTrans, -1, v, h, 1, w) },
		func(v, w blas64.General) { products.load(w); products.subtract(v, h.Data, 0, k) },
	}
	took := make([][]float64, len(ways))
	for b.Loop() {
		for at, way := range ways {
			began := time.Now()
			for lo := 0; lo < n; lo += panel {
				way(Rows(v, lo, min(lo+panel, n)), Rows(w, lo, min(lo+panel, n)))
			}
			took[at] = append(took[at], time.Since(began).Seconds())
			clear(h.Data)
		}
	}
	median := func(at int) float64 {
		slices.Sort(took[at])
		return took[at][len(took[at])/2]
	}
	b.ReportMetric(median(0)/median(1), "times-dots")
	b.ReportMetric(median(2)/median(3), "times-subtract")
}
