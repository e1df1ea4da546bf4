//go:build cgo && !purego

package native

import (
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// openBLAS calls OpenBLAS through netlib, and LAPACK through LAPACKE's own interface
// (lapacke.go). Large products are cut into tiles that depend on the shape only. Each tile
// is one call on one thread, and several goroutines share the tiles. OpenBLAS's own threads would
// cut by their number, which changes the bits; tiles do not, and are as fast.
type openBLAS struct{}

const (
	largeProduct = 2e7 // flops from which a product is cut into tiles: some 400 µs of work
	largeVector  = 1e6 // the same for gemv
	// Rows and columns of a tile; a longer tile has equal area. A small tile packs its operands for
	// less work (18 % slower at 256 than uncut, 10 % at 512), a large one gives few tasks.
	smallTile, largeTile = 256, 512
	// If there are fewer tiles than wantedTasks, the inner dimension is also cut, into chunks of at
	// least leastDepth.
	wantedTasks, leastDepth = 16, 1024
)

// tileSide returns the side of the tiles of an m×n product with inner dimension k.
func tileSide(m, n, k int) int {
	if max(m, n) > 2*largeTile || k >= 4*leastDepth {
		return largeTile
	}
	return smallTile
}

func (openBLAS) Name() string { return "openblas" }

// part returns the length of equal parts of n, each at most limit, rounded up to whole registers.
func part(n, limit int) int {
	const register = 8
	size := ceil(n, ceil(n, max(1, limit)))
	return ceil(size, register) * register
}

// chunksFor returns the number of chunks of an inner dimension k for that many tiles: a power of
// two, which most numbers of threads divide evenly.
func chunksFor(tiles, k int) int {
	return 1 << (bits.Len(uint(max(1, min(ceil(wantedTasks, tiles), k/leastDepth)))) - 1)
}

func (openBLAS) Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, n, k := gemmShape(tA, tB, alpha, &a, &b, beta, &c)
	if m == 0 {
		return
	}
	gate.RLock()
	defer gate.RUnlock()
	if 2*float64(m)*float64(n)*float64(k) < largeProduct {
		cblas.Dgemm(tA, tB, m, n, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
		return
	}
	host.check()
	side := tileSide(m, n, k)
	rows, cols := part(m, max(side, side*side/n)), part(n, max(side, side*side/m))
	down, across := ceil(m, rows), ceil(n, cols)
	multiply := func(tile, l, depth int, beta float64, c []float64, stride int) {
		i, j := tile/across*rows, tile%across*cols
		cblas.Dgemm(tA, tB, min(rows, m-i), min(cols, n-j), depth, alpha,
			panelOf(a, tA == blas.NoTrans, i, l), a.Stride, panelOf(b, tB == blas.NoTrans, l, j), b.Stride, beta, c[i*stride+j:], stride)
	}
	summed(down*across, m, n, k, beta, c, func(int) (lo, hi int) { return 0, n }, multiply)
}

func (openBLAS) GemmFloat32(a, b, c blas32.General) {
	m, n, k := float32Shape(&a, &b, &c)
	if m == 0 {
		return
	}
	gate.RLock()
	defer gate.RUnlock()
	cblas.Sgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a.Data, a.Stride, b.Data, b.Stride, 0, c.Data, c.Stride)
}

// panelOf returns the storage of op(a) that starts at row i and column j of op(a).
func panelOf(a blas64.General, plain bool, i, j int) []float64 {
	if !plain {
		i, j = j, i
	}
	return a.Data[i*a.Stride+j:]
}

// spareSums keeps the storage of partial sums for reuse. Next to a large model the garbage
// collector would free the sums of single products only after the heap had doubled.
var spareSums sync.Pool

// summed runs the tiles of c = beta*c + a sum over [0, k), m×n: multiply adds the terms [l,
// l+depth) of a tile to beta times the content of c. If there are few tiles, chunks of the sum
// after the first are written to separate matrices, which are then added in order. columns returns
// the part of a row of c that belongs to the result.
func summed(tiles, m, n, k int, beta float64, c blas64.General, columns func(row int) (lo, hi int),
	multiply func(tile, l, depth int, beta float64, c []float64, stride int)) {
	chunks := chunksFor(tiles, k)
	if chunks == 1 {
		spread(tiles, func(t int) { multiply(t, 0, k, beta, c.Data, c.Stride) })
		return
	}
	depth := ceil(k, chunks)
	room, _ := spareSums.Get().(*[]float64)
	if size := (chunks - 1) * m * n; room == nil || cap(*room) < size {
		room = new([]float64)
		*room = make([]float64, size)
	}
	defer spareSums.Put(room)
	sums := (*room)[:(chunks-1)*m*n]
	spread(tiles*chunks, func(t int) {
		chunk := t / tiles
		if chunk == 0 {
			multiply(t, 0, depth, beta, c.Data, c.Stride)
		} else if l := chunk * depth; l < k {
			multiply(t%tiles, l, min(depth, k-l), 0, sums[(chunk-1)*m*n:][:m*n], n)
		} else if t%tiles == 0 {
			clear(sums[(chunk-1)*m*n:][:m*n])
		}
	})
	const band = 64
	spread(ceil(m, band), func(t int) {
		for i := t * band; i < min(m, (t+1)*band); i++ {
			lo, hi := columns(i)
			row := c.Data[i*c.Stride+lo : i*c.Stride+hi]
			for at := i * n; at < len(sums); at += m * n {
				for j, x := range sums[at+lo : at+hi] {
					row[j] += x
				}
			}
		}
	})
}

func (openBLAS) Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	n, k := syrkShape(t, alpha, &a, beta, &c)
	if n == 0 {
		return
	}
	gate.RLock()
	defer gate.RUnlock()
	if float64(n)*float64(n)*float64(k) < largeProduct {
		cblas.Dsyrk(c.Uplo, t, n, k, alpha, a.Data, a.Stride, beta, c.Data, c.Stride)
		return
	}
	host.check()
	side := part(n, tileSide(n, n, k))
	type tile struct{ i, j int }
	var tiles []tile
	for i := 0; i < n; i += side {
		for j := 0; j <= i; j += side {
			if c.Uplo == blas.Upper {
				tiles = append(tiles, tile{j, i})
			} else {
				tiles = append(tiles, tile{i, j})
			}
		}
	}
	plain, other := t == blas.NoTrans, blas.Trans
	if !plain {
		other = blas.NoTrans
	}
	triangle := func(row int) (lo, hi int) {
		if c.Uplo == blas.Upper {
			return row, n
		}
		return 0, row + 1
	}
	full := blas64.General{Rows: n, Cols: n, Stride: c.Stride, Data: c.Data}
	summed(len(tiles), n, n, k, beta, full, triangle, func(x, l, depth int, beta float64, out []float64, stride int) {
		i, j := tiles[x].i, tiles[x].j
		rows := min(side, n-i)
		if i == j {
			cblas.Dsyrk(c.Uplo, t, rows, depth, alpha, panelOf(a, plain, i, l), a.Stride, beta, out[i*stride+i:], stride)
			return
		}
		cblas.Dgemm(t, other, rows, min(side, n-j), depth, alpha,
			panelOf(a, plain, i, l), a.Stride, panelOf(a, plain, j, l), a.Stride, beta, out[i*stride+j:], stride)
	})
}

func (openBLAS) Gemv(t blas.Transpose, alpha float64, a blas64.General, x blas64.Vector, beta float64, y blas64.Vector) {
	if !gemvShape(t, alpha, &a, x, beta, y) {
		return
	}
	gate.RLock()
	defer gate.RUnlock()
	// Parts of y, each from a part of the matrix of about 2 MB.
	size := y.N
	if 2*float64(a.Rows)*float64(a.Cols) >= largeVector && y.Inc > 0 {
		size = part(y.N, max(128, 1<<18/x.N))
	}
	spread(ceil(y.N, size), func(p int) {
		lo := p * size
		rows, cols := min(size, y.N-lo), a.Cols
		if t != blas.NoTrans {
			rows, cols = a.Rows, rows
		}
		cblas.Dgemv(t, rows, cols, alpha, panelOf(a, t == blas.NoTrans, lo, 0), a.Stride, x.Data, x.Inc, beta, y.Data[max(0, lo*y.Inc):], y.Inc)
	})
}

func (openBLAS) Trsm(side blas.Side, t blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General) {
	if !trsmShape(side, &a, &b) {
		return
	}
	gate.RLock()
	defer gate.RUnlock()
	// Columns of b (Left) or rows of b (Right) are independent of each other.
	free := b.Cols
	if side == blas.Right {
		free = b.Rows
	}
	size := free
	if float64(a.N)*float64(b.Rows)*float64(b.Cols) >= largeProduct {
		size = part(free, 128)
	}
	spread(ceil(free, size), func(p int) {
		lo := p * size
		width := min(size, free-lo)
		if side == blas.Left {
			cblas.Dtrsm(side, a.Uplo, t, a.Diag, b.Rows, width, alpha, a.Data, a.Stride, b.Data[lo:], b.Stride)
		} else {
			cblas.Dtrsm(side, a.Uplo, t, a.Diag, width, b.Cols, alpha, a.Data, a.Stride, b.Data[lo*b.Stride:], b.Stride)
		}
	})
}
