package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/native/canary"
	"github.com/eigenmap/eigenmap/native/nativetest"
)

// wideOrder is an order from which dsyevr may use several threads of the library.
const wideOrder = 640

// crowded is matrix number i of a series whose eigenvalues have very many copies: unions of cliques
// and of stars, complete multipartite graphs and blocks of ones, all in random order, and up to six
// values turned by a random reflection. Both triangles are stored. Six of ten are cliques whose
// largest eigenvalue is moved below the others, as eigen moves known eigenvectors, because dsyevr
// misses values of the top in 3% of them, and in none of the others that were tried.
func crowded(i, n int) blas64.Symmetric {
	rng := rand.New(rand.NewPCG(uint64(i), 0xc0b1e5))
	a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	place, size, scale := rng.Perm(n), 2+rng.IntN(max(1, min(n-1, 6))), 10*rng.Float64()
	moved := 3 / float64(size)
	entry := func(p, q int) float64 { return 0 }
	switch []int{0, 1, 0, 2, 0, 3, 0, 4, 0, 0}[i%10] {
	case 0: // cliques
		entry = func(p, q int) float64 {
			switch {
			case p == q:
				return -moved
			case p/size == q/size:
				return 1/float64(size-1) - moved
			}
			return 0
		}
	case 1: // stars
		entry = func(p, q int) float64 {
			if p/size == q/size && p != q && min(p, q)%size == 0 {
				return 1 / math.Sqrt(float64(size-1))
			}
			return 0
		}
	case 2: // a complete multipartite graph
		entry = func(p, q int) float64 {
			if p/size != q/size {
				return 1
			}
			return 0
		}
	case 3: // few values, turned
		h, values, square := make([]float64, n), make([]float64, n), 0.0
		for j := range h {
			h[j], values[j] = rng.NormFloat64(), float64(j*size/n)-1
			square += h[j] * h[j]
		}
		var inner float64
		for j := range h {
			inner += h[j] * h[j] * values[j]
		}
		entry = func(p, q int) float64 {
			x := h[p] * h[q] * (4*inner/(square*square) - 2*(values[p]+values[q])/square)
			if p == q {
				x += values[p]
			}
			return x
		}
	case 4: // blocks of ones
		entry = func(p, q int) float64 {
			if p/size == q/size {
				return 1
			}
			return 0
		}
	}
	for p := range n {
		for q := range n {
			a.Data[p*n+q] = scale * entry(place[p], place[q])
		}
	}
	return a
}

// A range of a spectrum with very many copies is a part of the whole spectrum by dsyevd (in the Go
// engine by implicit QR), with and without vectors, from either triangle, at any number of threads:
// dsyevr finds fewer values than asked or wrong ones and reports success. All ranges of small
// matrices, and ranges of larger ones that end at or beside a jump of the spectrum. Matrices that
// are large enough for wide calls run at each number of threads, the others at one in turn.
func TestRangesOfCopies(t *testing.T) {
	defer native.SetThreads(0)
	matrices, large, ranges := 200, 4, 0
	switch {
	case testing.Short() && canary.On:
		matrices, large = 20, 0
	case testing.Short():
		matrices, large = 60, 1
	}
	for _, e := range guarded() {
		for i := range matrices {
			n := []int{2, 3, 5, 8, 11, 14, 37, 59, 83}[i%9]
			if i >= matrices-large && e.Name() == "openblas" {
				n = wideOrder
			}
			a := crowded(i, n)
			native.SetThreads(1)
			whole, _, err := e.SymEig(cloneOf(a), native.EigRange{}, true)
			if err != nil {
				t.Fatal(err)
			}
			for at, r := range rangesOf(whole) {
				for turn, threads := range threadCounts {
					if n != wideOrder && turn != (i+at)%len(threadCounts) {
						continue
					}
					native.SetThreads(threads)
					for k, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
						if testing.Short() && n == wideOrder && k != at%2 {
							continue
						}
						a.Uplo = uplo
						checkRange(t, fmt.Sprintf("%s, matrix %d, n = %d, %+v, %c, %d threads", e.Name(), i, n, r, uplo, threads), e, a, r, whole)
						ranges++
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d ranges", ranges)
}

func cloneOf(a blas64.Symmetric) blas64.Symmetric {
	a.Data = slices.Clone(a.Data)
	return a
}

// rangesOf returns all ranges of a small spectrum. Of a larger one: up to six values at either
// end, and from either end and the middle to each jump and one more or less.
func rangesOf(values []float64) (all []native.EigRange) {
	n := len(values)
	if n <= 14 {
		for first := range n {
			for count := 1; count <= n-first; count++ {
				all = append(all, native.EigRange{First: first, Count: count})
			}
		}
		return all
	}
	ends := []int{1, 2, 3, 4, 5, 6}
	for j := 1; j < n && len(ends) < 15; j++ {
		if values[j]-values[j-1] > 1e-8 {
			ends = append(ends, j-1, j, j+1)
		}
	}
	for _, k := range ends {
		for _, r := range []native.EigRange{{First: 0, Count: k}, {First: n - k, Count: k}, {First: k, Count: (n - k + 1) / 2}} {
			if r.Count > 0 && r.First+r.Count <= n && (n < wideOrder || r.Count <= 6 && k != 2 && k != 4) {
				all = append(all, r)
			}
		}
	}
	return all
}

// checkRange compares a range with the same part of the whole spectrum, and checks its vectors.
func checkRange(t *testing.T, what string, e native.Engine, a blas64.Symmetric, r native.EigRange, whole []float64) {
	t.Helper()
	limit := 1e-13 * math.Sqrt(float64(a.N)) * max(1, math.Abs(whole[0]), math.Abs(whole[a.N-1]))
	alone, _, err := e.SymEig(cloneOf(a), r, false)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	values, v, err := e.SymEig(cloneOf(a), r, true)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if len(alone) != r.Count || len(values) != r.Count || v.Rows != a.N || v.Cols != r.Count {
		t.Fatalf("%s: %d values, %d with vectors %d×%d", what, len(alone), len(values), v.Rows, v.Cols)
	}
	for j, want := range whole[r.First:][:r.Count] {
		if !(math.Abs(values[j]-want) <= limit && math.Abs(alone[j]-want) <= limit) {
			t.Errorf("%s: value %d is %v, alone %v, of the whole spectrum %v", what, j, values[j], alone[j], want)
		}
	}
	full := blas64.General{Rows: a.N, Cols: a.N, Stride: a.Stride, Data: a.Data}
	if off := nativetest.Residual(full, values, v); !(off <= limit) {
		t.Errorf("%s: residual %g", what, off)
	}
	if off := nativetest.Skewness(v); !(off <= 1e-12) {
		t.Errorf("%s: the vectors are not orthonormal by %g", what, off)
	}
}
