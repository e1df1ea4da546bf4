package kmeans

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The kernels have the bits of their twins in Go, for any number of centres and rows of any length.
func TestProductsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	const d = 90
	for _, width := range []int{4, 8, 12, 16, 20, 28, 32, 36, 60, 64, 100} {
		stride := width + 4*r.IntN(2)
		c := make([]float64, d*stride)
		for i := range c {
			c[i] = r.NormFloat64()
		}
		for n := range 30 {
			cols, vals := make([]int32, n), make([]float64, n)
			for p := range cols {
				cols[p], vals[p] = int32(3*p+r.IntN(3)), r.NormFloat64()
			}
			got, want := make([]float64, width), make([]float64, width)
			products(got, cols, vals, c, stride)
			for p, col := range cols {
				for j := range want {
					want[j] += float64(vals[p] * c[int(col)*stride+j])
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d centres, %d entries: %v, the literal sums are %v", width, n, got, want)
			}
		}
	}
}

// BenchmarkProducts prints how many times as fast the kernels are as their twins in Go, and ns for
// an entry and a centre.
func BenchmarkProducts(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 3))
	const d, stride, n, rows = 36771, 32, 130, 2000
	c, dst := make([]float64, d*stride), make([]float64, stride)
	for i := range c {
		c[i] = r.NormFloat64()
	}
	cols, vals := make([]int32, rows*n), make([]float64, rows*n)
	for p := range cols {
		u := r.Float64()
		cols[p], vals[p] = int32(u*u*u*d), r.NormFloat64() // some terms are in many rows
	}
	pass := func(f func(dst []float64, cols []int32, vals, c []float64, stride int)) time.Duration {
		began := time.Now()
		for i := range rows {
			f(dst, cols[i*n:(i+1)*n], vals[i*n:(i+1)*n], c, stride)
		}
		return time.Since(began)
	}
	var ratios, each []float64
	for b.Loop() {
		kernel := pass(products)
		ratios = append(ratios, float64(pass(dotsGo))/float64(kernel))
		each = append(each, float64(kernel)/(rows*n*stride))
	}
	slices.Sort(ratios)
	slices.Sort(each)
	b.ReportMetric(ratios[len(ratios)/2], "times-as-fast")
	b.ReportMetric(each[len(each)/2], "ns/product")
}
