package spca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
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

// reducible says whether the Gram mode is for n rows of p columns.
func reducible(n, p int) bool { return p <= gramColumns && n >= gramShare*p }

// reducedBytes is the memory of the Gram mode.
func reducedBytes(n, p, k int) int64 {
	return memory.Sum(memory.Bytes(32, p, p), memory.Bytes(8, n, k))
}

// reduce replaces the rows by the d rows of svd.Root, on which every round is the same problem, if
// that pays and fits in memory. It returns the first principal components, p×k, or false if the
// rows stay.
func (f *fit) reduce(ctx context.Context) (start blas64.General, reduced bool, err error) {
	k := f.opt.Dims
	if !reducible(f.b.Rows, f.b.Cols) || f.b.Total == 0 {
		return start, false, nil
	}
	if reducedBytes(f.b.Rows, f.b.Cols, k) > memory.Left(ctx) {
		return start, false, nil // the principal components say what is missing
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
	start = panel.New(f.b.Cols, k)
	for j := range k {
		for i, v := range root.RawRowView(j) {
			start.Data[i*k+j] = v / lengths[j]
		}
	}
	f.x, f.b, f.reduced = root, b, true
	return start, true, nil
}
