package sparse

import (
	"context"
	"sort"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// serialWork is the number of multiply-adds, about 20 µs, below which a product runs on the
	// caller's goroutine. Above it a second goroutine begins to pay.
	serialWork = 1 << 14
	// chunkWork is the number of multiply-adds in a chunk of a parallel product: much longer than
	// handing out a chunk (0.1 µs), short enough that the last chunk does not delay the end.
	chunkWork = 1 << 15
)

// MulVec sets dst = a·x: len(x) = columns, len(dst) = rows, not overlapping. See [CSR.MulBlock].
func (a *CSR) MulVec(dst, x []float64) {
	_ = a.MulVecCtx(context.Background(), dst, x) // the background context never ends
}

// MulVecCtx is MulVec with a context, which it checks every few thousand rows. If it returns an
// error, dst is undefined.
func (a *CSR) MulVecCtx(ctx context.Context, dst, x []float64) error {
	return a.mulBlock(ctx,
		blas64.General{Rows: len(dst), Cols: 1, Stride: 1, Data: dst},
		blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x})
}

// MulBlock sets dst = a·x for row-major blocks of b columns (x: columns×b, dst: rows×b) with any
// strides. The blocks must not overlap. With it *CSR is an eigen.Operator.
//
// Cost: 2·nnz·b flops. MulBlock reads a row of a once and multiplies its entries with b columns of
// x in tiles of 8 in registers (with AVX on amd64, in tiles of 32, 16, 8 and 4). It reads 12·nnz
// bytes of a and 8·b·nnz bytes of x, scattered in pieces of 8·b bytes (from cache if 8·b·columns
// bytes fit), and writes 8·b·rows bytes of dst. An entry costs about as much for 8 columns as for
// one, so a block is many times cheaper than its columns one by one.
//
// Rows run in parallel in chunks of equal work. Every entry of dst is the sum over its row in
// ascending order of columns, starting from 0. It therefore has the same bits at any width, stride
// and number of threads, with and without AVX.
func (a *CSR) MulBlock(dst, x blas64.General) {
	_ = a.mulBlock(context.Background(), dst, x)
}

func (a *CSR) mulBlock(ctx context.Context, dst, x blas64.General) error {
	if x.Rows != a.NumCols || dst.Rows != a.NumRows || x.Cols != dst.Cols || !fits(dst) || !fits(x) {
		panic(mat.ErrShape)
	}
	if a.NumRows == 0 || x.Cols == 0 {
		return ctx.Err()
	}
	if a.NumCols == 0 {
		x.Data = make([]float64, x.Cols) // no entry reads it; the kernels slice it
	}
	work := (len(a.Val) + a.NumRows) * x.Cols
	if work <= serialWork {
		mulRows(a, 0, a.NumRows, dst, x)
		return ctx.Err()
	}
	return a.mulParallel(ctx, dst, x)
}

// mulParallel is a separate function so that its closure does not cost small products an
// allocation.
func (a *CSR) mulParallel(ctx context.Context, dst, x blas64.General) error {
	size := max(chunkWork/x.Cols, 1)
	chunks := parallel.Chunks(len(a.Val)+a.NumRows, size)
	return parallel.For(ctx, chunks, 1, func(_, c, _ int) error {
		mulRows(a, a.splitRow(c*size), a.splitRow((c+1)*size), dst, x)
		return nil
	})
}

// splitRow returns the first row with at least work entries and rows before it. Chunks between
// multiples of one size then have equal work, even if a few rows are full or most are empty.
func (a *CSR) splitRow(work int) int {
	return sort.Search(a.NumRows, func(i int) bool { return a.RowPtr[i]+i >= work })
}

// fits reports whether the data of m is long enough for its shape and stride.
func fits(m blas64.General) bool {
	return m.Rows >= 0 && m.Cols >= 0 && m.Stride >= m.Cols &&
		(m.Rows == 0 || m.Cols == 0 || len(m.Data) >= (m.Rows-1)*m.Stride+m.Cols)
}

// MulRow sets dst to the product of one sparse row, with the values vals in the columns cols, and
// the leading len(dst) columns of x: dst[j] = Σ_p vals[p]·x[cols[p], j], in the order of the
// entries, as [CSR.MulBlock] does. 2 flops for an entry and a column of x, which is read for 8
// bytes each. A column outside of x panics.
func MulRow(dst []float64, cols []int32, vals []float64, x blas64.General) {
	ptr := [2]int{0, len(cols)}
	a := CSR{NumRows: 1, NumCols: x.Rows, RowPtr: ptr[:], Col: cols, Val: vals}
	x.Cols = len(dst)
	mulRows(&a, 0, 1, blas64.General{Rows: 1, Cols: len(dst), Stride: max(1, len(dst)), Data: dst}, x)
}

// mulRows sets rows lo..hi of dst, one tile of columns after the other.
func mulRows(a *CSR, lo, hi int, dst, x blas64.General) {
	if x.Cols == 1 {
		mul1(a, lo, hi, dst.Data, dst.Stride, x.Data, x.Stride)
		return
	}
	// A few rows at a time pass through all tiles, so that their entries come from cache after the
	// first tile.
	const band = 64
	for ; lo < hi; lo += band {
		top := min(lo+band, hi)
		for c := mulTiles(a, lo, top, dst, x); c < x.Cols; {
			d, s := dst.Data[c:], x.Data[c:]
			switch left := x.Cols - c; {
			case left >= 8:
				mul8(a, lo, top, d, dst.Stride, s, x.Stride)
				c += 8
			case left >= 4:
				mul4(a, lo, top, d, dst.Stride, s, x.Stride)
				c += 4
			case left >= 2:
				mul2(a, lo, top, d, dst.Stride, s, x.Stride)
				c += 2
			default:
				mul1(a, lo, top, d, dst.Stride, s, x.Stride)
				c++
			}
		}
	}
}
