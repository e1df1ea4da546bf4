package plsa

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Memory estimates the bytes that [Fit] takes besides x: 12 an entry for the transposed counts (16 more for [Aspect]; 12 for
// a copy where x is no CSR, whose entries are taken to be all positive then), and (documents + terms)·K·8 for each state: one, another where there are several
// restarts, and one of working memory (terms alone for [Clustering]); K is rounded up to a multiple of 4.
func Memory(x mat.Matrix, opt Options) int64 {
	n, p := x.Dims()
	opt = opt.withDefaults()
	nnz := int64(n) * int64(p)
	bytes := int64(0)
	if a, ok := x.(*sparse.CSR); ok {
		nnz = int64(a.NNZ())
	} else {
		bytes += 12 * nnz
	}
	k := int64(padded(max(1, opt.K)))
	docs, terms := 8*k*int64(n), 8*k*int64(p)
	bytes += 12*nnz + docs + 2*terms // the last for Model.Terms
	if opt.Restarts > 1 {
		bytes += docs + terms
	}
	if opt.Kind == Aspect {
		return bytes + 16*nnz + docs + terms
	}
	return bytes + terms
}
