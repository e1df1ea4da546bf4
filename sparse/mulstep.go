package sparse

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// MulStep sets y = α·(a·x) + β·x + γ·y for a square matrix and contiguous blocks of equal shape
// that do not overlap, in one pass: a step of a three-term recurrence. With γ = 0 y is not read.
// Each entry has the bits of the product followed by these sums, in this order.
//
// Cost beside [CSR.MulBlock]: 4 flops per entry of y. The product does not go through memory: a
// step reads y once and x a second time, from cache, where a product and a pass over three blocks
// read 8·3·b·rows bytes more and write 8·b·rows bytes more.
func (a *CSR) MulStep(y, x blas64.General, alpha, beta, gamma float64) {
	n, b := a.NumRows, x.Cols
	if a.NumCols != n || x.Rows != n || y.Rows != n || y.Cols != b || y.Stride != b || x.Stride != b || !fits(x) || !fits(y) {
		panic(mat.ErrShape)
	}
	if n == 0 || b == 0 {
		return
	}
	work := (len(a.Val) + n) * b
	if work <= serialWork {
		a.stepRows(0, n, y, x, alpha, beta, gamma)
		return
	}
	// Finding the rows of a chunk is a search in memory that is not in cache.
	size := max(min(max(chunkWork, work/256), 4*chunkWork)/b, 1)
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), parallel.Chunks(len(a.Val)+n, size), 1, func(_, c, _ int) error {
		a.stepRows(a.splitRow(c*size), a.splitRow((c+1)*size), y, x, alpha, beta, gamma)
		return nil
	})
}

// stepBand is the number of products that are held at a time, of 64 rows at width 8.
const stepBand = 512

func (a *CSR) stepRows(lo, hi int, y, x blas64.General, alpha, beta, gamma float64) {
	if a.stepTiles(lo, hi, y, x, alpha, beta, gamma) {
		return
	}
	b := x.Cols
	var fixed [stepBand]float64
	product := fixed[:]
	if b > stepBand {
		product = make([]float64, b)
	}
	rows := len(product) / b
	band := CSR{NumCols: a.NumCols, Col: a.Col, Val: a.Val}
	for ; lo < hi; lo += rows {
		top := min(lo+rows, hi)
		band.NumRows, band.RowPtr = top-lo, a.RowPtr[lo:top+1]
		mulRows(&band, 0, top-lo, blas64.General{Rows: top - lo, Cols: b, Stride: b, Data: product}, x)
		out, in := y.Data[lo*b:top*b], x.Data[lo*b:top*b]
		if gamma == 0 {
			for i, p := range product[:len(out)] {
				out[i] = alpha*p + beta*in[i]
			}
			continue
		}
		for i, p := range product[:len(out)] {
			out[i] = alpha*p + beta*in[i] + gamma*out[i]
		}
	}
}
