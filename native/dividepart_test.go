//go:build cgo && !purego

package native

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// symmetricPart is a Gram matrix of order n.
func symmetricPart(n int) blas64.Symmetric {
	rng := rand.New(rand.NewPCG(36, 8))
	x := blas64.General{Rows: 2 * n, Cols: n, Stride: n, Data: make([]float64, 2*n*n)}
	for at := range x.Data {
		x.Data[at] = rng.NormFloat64() * 100 / float64(10+at%n)
	}
	gram := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	blas64.Syrk(blas.Trans, 1, x, 0, gram)
	return gram
}

// BenchmarkSymEigPart measures a part of the pairs by both routines of LAPACK, on both sides of the
// order and the share at which SymEig changes from one to the other.
func BenchmarkSymEigPart(b *testing.B) {
	for _, size := range []struct{ n, k int }{{64, 4}, {64, 11}, {64, 30}, {256, 32}, {256, 50}, {400, 70}, {800, 150}} {
		gram := symmetricPart(size.n)
		r := EigRange{First: size.n - size.k, Count: size.k}
		for name, solve := range map[string]func(blas64.Symmetric, EigRange, bool) ([]float64, blas64.General, error){
			"dsyevd": dsyevdRange, "dsyevr": dsyevr,
		} {
			b.Run(fmt.Sprintf("%dof%d/%s", size.k, size.n, name), func(b *testing.B) {
				for range b.N {
					a := gram
					a.Data = slices.Clone(gram.Data)
					if _, _, err := solve(a, r, true); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A part of the pairs is the same as those among all, on both sides of the order and the share from
// which divide and conquer finds it.
func TestPartByEitherRoutine(t *testing.T) {
	for _, size := range []struct{ n, k int }{{40, 5}, {40, 6}, {40, 39}, {divideMost, divideMost / divideShare}, {divideMost + 1, 90}} {
		of := func(r EigRange) []float64 {
			w, v, err := openBLAS{}.SymEig(symmetricPart(size.n), r, true)
			if err != nil {
				t.Fatal(err)
			}
			if !eigenpairsHold(symmetricPart(size.n), w, v) {
				t.Errorf("%v %v: the pairs do not hold", size, r)
			}
			return w
		}
		all := of(EigRange{})
		for _, first := range []int{0, size.n - size.k} {
			part := of(EigRange{First: first, Count: size.k})
			for i, v := range part {
				if want := all[first+i]; len(part) != size.k || v-want > 1e-12*all[size.n-1] || want-v > 1e-12*all[size.n-1] {
					t.Errorf("%v: value %d is %g, and %g among all", size, first+i, v, want)
				}
			}
		}
	}
}
