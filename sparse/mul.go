package sparse

import (
	"context"
	"sort"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// serialWork is the number of multiply-adds under which a product stays on the caller's goroutine: about
	// 20 µs, where starting another one begins to pay.
	serialWork = 1 << 14
	// chunkWork is the number of multiply-adds in a chunk of a parallel product: long against handing out a
	// chunk (0.1 µs), short enough that the last one does not keep the others waiting.
	chunkWork = 1 << 15
)

// MulVec sets dst = a·x: len(x) = columns, len(dst) = rows, not overlapping. See [CSR.MulBlock].
func (a *CSR) MulVec(dst, x []float64) {
	_ = a.MulVecCtx(context.Background(), dst, x) // the background context never ends
}

// MulVecCtx is MulVec that looks at ctx every few thousand rows; dst is not defined when it returns an error.
func (a *CSR) MulVecCtx(ctx context.Context, dst, x []float64) error {
	return a.mulBlock(ctx,
		blas64.General{Rows: len(dst), Cols: 1, Stride: 1, Data: dst},
		blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x})
}

// MulBlock sets dst = a·x for row-major blocks of b columns (x: columns×b, dst: rows×b), any strides, not
// overlapping. With it *CSR is an eigen.Operator.
//
// 2·nnz·b flops. A row of a is read once and its entries meet b columns of x in tiles of 8, kept in registers (with AVX
// on amd64, of 32, 16, 8 and 4): 12·nnz bytes of a, 8·b·nnz bytes of x, scattered in pieces of 8·b bytes (from cache where
// 8·b·columns bytes fit), 8·b·rows bytes of dst. An entry costs about as much for 8 columns as for one, which is why a
// block is many times cheaper than its columns one by one.
//
// Rows run in parallel in chunks of equal work. Every entry of dst is the sum over its row in ascending
// order of columns, from 0, so it has the same bits at any width, stride and number of threads, with AVX and without.
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

// mulParallel is apart so that the closure costs small products no allocation.
func (a *CSR) mulParallel(ctx context.Context, dst, x blas64.General) error {
	size := max(chunkWork/x.Cols, 1)
	chunks := parallel.Chunks(len(a.Val)+a.NumRows, size)
	return parallel.For(ctx, chunks, 1, func(_, c, _ int) error {
		mulRows(a, a.splitRow(c*size), a.splitRow((c+1)*size), dst, x)
		return nil
	})
}

// splitRow returns the first row before which at least work entries and rows lie: chunks between
// multiples of one size are equally heavy, whether a few rows are full or most are empty.
func (a *CSR) splitRow(work int) int {
	return sort.Search(a.NumRows, func(i int) bool { return a.RowPtr[i]+i >= work })
}

// fits reports whether the data of m reach to its last element.
func fits(m blas64.General) bool {
	return m.Rows >= 0 && m.Cols >= 0 && m.Stride >= m.Cols &&
		(m.Rows == 0 || m.Cols == 0 || len(m.Data) >= (m.Rows-1)*m.Stride+m.Cols)
}

// mulRows sets rows lo..hi of dst, tile by tile of columns.
func mulRows(a *CSR, lo, hi int, dst, x blas64.General) {
	if x.Cols == 1 {
		mul1(a, lo, hi, dst.Data, dst.Stride, x.Data, x.Stride)
		return
	}
	// A few rows at a time go through all tiles, so that their entries come from cache after the first.
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
