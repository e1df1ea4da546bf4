package papers

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// manyRows is how many sparse rows have their components by coordinates: for nearly all of a text's variance package pca would make and refine thousands of vectors of terms.
const manyRows = 1500

// coordinates returns the rows of x in the principal components that explain the share of their variance, and not the components: eigenvectors of the centred X·Xᵀ, n×n,
// times the roots of their values. Σ_t df_t² + 4·n³ flops or so, 24·n² bytes. Signs are LAPACK's, which distances do not see.
func coordinates(ctx context.Context, x *sparse.CSR, share float64) (*mat.Dense, error) {
	n := x.NumRows
	products := make([]float64, n*n)
	t := x.Transpose()
	err := parallel.For(ctx, n, 16, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := products[i*n : (i+1)*n]
			terms, weights := x.Row(i)
			for k, term := range terms {
				others, theirs := t.Row(int(term))
				for q, j := range others {
					row[j] += weights[k] * theirs[q]
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	means, all := make([]float64, n), 0.0
	for i := range means {
		for _, v := range products[i*n : (i+1)*n] {
			means[i] += v / float64(n)
		}
		all += means[i] / float64(n)
	}
	total := 0.0
	for i := range means {
		row := products[i*n : (i+1)*n]
		for j := range row {
			row[j] -= means[i] + means[j] - all
		}
		total += row[i]
	}
	type pairs struct {
		values  []float64
		vectors blas64.General
		err     error
	}
	solved := make(chan pairs, 1)
	go func() { // LAPACK does not look at the context: what comes too late is forgotten
		defer native.Parallel()()
		var p pairs
		p.values, p.vectors, p.err = native.Default().SymEig(blas64.Symmetric{N: n, Stride: n, Data: products, Uplo: blas.Upper}, native.EigRange{}, true)
		solved <- p
	}()
	var p pairs
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case p = <-solved:
	}
	if p.err != nil {
		return nil, p.err
	}
	k, held := 0, 0.0
	for k < n && held < share*total*(1-1e-12) {
		k++
		held += max(0, p.values[n-k])
	}
	y := mat.NewDense(n, max(1, k), nil)
	for i := range n {
		row := y.RawRowView(i)
		for j := range row {
			row[j] = math.Sqrt(max(0, p.values[n-1-j])) * p.vectors.Data[i*p.vectors.Stride+n-1-j]
		}
	}
	return y, nil
}
