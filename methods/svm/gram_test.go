package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TestGramWhole: the matrix of mirrored panels is the kernel of every pair, for numbers of rows
// that are no multiple of a panel, at any number of threads.
func TestGramWhole(t *testing.T) {
	defer native.SetThreads(0)
	rng := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{1, 17, 130, 301} {
		x := mat.NewDense(n, 5, nil)
		for i := range n {
			for j := range 5 {
				if rng.IntN(3) > 0 {
					x.Set(i, j, rng.NormFloat64())
				}
			}
		}
		csr := must.Get(sparse.FromMatrix(x))(t)
		for _, in := range []mat.Matrix{x, csr} {
			rows := must.Get(pairs.New(ctx, in))(t)
			for _, k := range []kernel{{name: Linear}, {name: Gaussian, gamma: 0.3}, {name: Gaussian, gamma: 1e4}, {name: Polynomial, gamma: 1, offset: 1, degree: 3}} {
				var first []float64
				for _, threads := range []int{1, 3} {
					native.SetThreads(threads)
					g := must.Get(newGram(ctx, k, rows, 1<<30, nil))(t)
					if first == nil {
						first = g.whole
					}
					for i := range n {
						for j := range n {
							v := 0.0
							for c := range 5 {
								if d := x.At(i, c) - x.At(j, c); k.name == Gaussian {
									v += d * d
								} else {
									v += x.At(i, c) * x.At(j, c)
								}
							}
							want, got := k.of(v), g.whole[i*n+j]
							if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) || got != first[i*n+j] {
								t.Fatalf("%d rows, %+v, %d threads: entry (%d, %d) is %v, want %v", n, k, threads, i, j, got, want)
							}
						}
					}
				}
			}
		}
	}
}
