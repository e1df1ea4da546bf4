package spca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// gramColumns is the largest number of columns for which Fit takes the Gram matrix: all eigenpairs
// of one of that order take LAPACK about half a second and pure Go several seconds.
const gramColumns = 1024

// gramShare is how many times more rows than columns the Gram mode needs: with fewer, rounds on the
// rows cost about as much.
const gramShare = 2

// gramSpread is the least share of the largest squared singular value that the last component must
// have in the Gram mode, because centring and squaring leave fewer digits of smaller ones.
const gramSpread = 1e-6

// reduce replaces the rows by the d rows of svd.Root, on which every round is the same problem, if
// that pays. It returns the first principal components, p×k, or false if the rows stay.
func (f *fit) reduce(ctx context.Context) (start blas64.General, reduced bool, err error) {
	k := f.opt.Dims
	if f.b.Cols > gramColumns || f.b.Rows < gramShare*f.b.Cols || f.b.Total == 0 {
		return start, false, nil
	}
	root, err := svd.Root(ctx, f.b)
	if err != nil {
		return start, false, err
	}
	lengths := make([]float64, root.RawMatrix().Rows)
	for i := range lengths {
		lengths[i] = mat.Norm(root.RowView(i), 2)
	}
	if len(lengths) < k || !(lengths[k-1] > math.Sqrt(gramSpread)*lengths[0]) {
		return start, false, nil
	}
	b, err := svd.New(ctx, root, false)
	if err != nil {
		return start, false, err
	}
	start = newBlock(f.b.Cols, k)
	for j := range k {
		for i, v := range root.RawRowView(j) {
			start.Data[i*k+j] = v / lengths[j]
		}
	}
	f.x, f.b, f.reduced = root, b, true
	return start, true, nil
}
