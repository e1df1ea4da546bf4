package plsa

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Memory estimates the bytes that [Fit] takes at most besides x: 12 per entry for the transposed
// counts (and for a copy if x is no CSR), 16 more for [Aspect]; (documents + terms)·K·8 for the
// state, and again for the best run's if there are several restarts; (documents + terms)·K·8 of
// working memory for [Aspect], terms·K·8 for [Clustering]; terms·K·8 for Terms. K counts up to a
// multiple of 4. All values of a matrix that does not count its entries are taken as positive.
func Memory(x mat.Matrix, opt Options) int64 {
	opt = opt.withDefaults()
	rows, columns := x.Dims()
	n, p, k := float64(rows), float64(columns), float64(padded(max(1, opt.K)))
	perEntry := 12.0
	if opt.Kind == Aspect {
		perEntry += 16
	}
	if _, ok := x.(*sparse.CSR); !ok {
		perEntry += 12
	}
	if t, ok := x.(mat.Transpose); ok {
		x = t.Matrix
	}
	entries := n * p
	if a, ok := x.(interface{ NNZ() int }); ok {
		entries = float64(a.NNZ())
	}
	if a, ok := x.(*sparse.CSR); ok && len(a.RowPtr) > 0 { // in a plan without the entries themselves
		entries = max(entries, float64(a.RowPtr[len(a.RowPtr)-1]))
	}
	state := 8 * k * (n + p)
	bytes := perEntry*entries + state + 2*8*k*p
	if opt.Restarts > 1 {
		bytes += state
	}
	if opt.Kind == Aspect {
		bytes += 8 * k * n
	}
	return int64(min(bytes, 1<<62)) // in floating point: a product of sizes may overflow
}
