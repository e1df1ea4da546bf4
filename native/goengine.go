package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
)

// goEngine is pure Go. It calls gonum's kernels directly, so blas64.Use elsewhere in the process
// does not change its BLAS. (gonum's LAPACK itself uses blas64.) It cuts the products into tiles
// itself, to respect Threads and to give the same bits at any number of threads.
type goEngine struct{}

func (goEngine) Name() string { return "go" }

func (goEngine) Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, n, k := gemmShape(tA, tB, alpha, &a, &b, beta, &c)
	if m == 0 {
		return
	}
	rows, cols := ceil(m, tileRows), ceil(n, tileCols)
	spread(rows*cols, func(t int) {
		i, j := t/cols*tileRows, t%cols*tileCols
		gemmTile(tA, tB, i, j, min(tileRows, m-i), min(tileCols, n-j), k, alpha, a, b, beta, c)
	})
}

func (goEngine) GemmFloat32(a, b, c blas32.General) {
	m, n, k := float32Shape(&a, &b, &c)
	for i := 0; i < m; i += tileRows {
		for j := 0; j < n; j += tileCols {
			beta := float32(0)
			for l := 0; l < k; l += tileDepth {
				goBLAS.Sgemm(blas.NoTrans, blas.Trans, min(tileRows, m-i), min(tileCols, n-j), min(tileDepth, k-l), 1,
					a.Data[i*a.Stride+l:], a.Stride, b.Data[j*b.Stride+l:], b.Stride, beta, c.Data[i*c.Stride+j:], c.Stride)
				beta = 1
			}
		}
	}
}

// Size of a tile of the result, and depth of one pass over it. gonum multiplies up to three blocks
// of 64×64 on the caller's goroutine; a tile must not exceed that.
const (
	tileRows  = 64
	tileCols  = 192
	tileDepth = 64
)

func ceil(n, block int) int { return (n + block - 1) / block }

// gemmTile computes rows [i, i+m), columns [j, j+n) of c = alpha*op(a)*op(b) + beta*c with inner
// dimension k, in passes of tileDepth: the panels of a and b that a pass reads stay in cache.
func gemmTile(tA, tB blas.Transpose, i, j, m, n, k int, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	out := c.Data[i*c.Stride+j:]
	for l := 0; l < k; l += tileDepth {
		left, right := a.Data[i*strideOf(tA == blas.NoTrans, a)+l*strideOf(tA != blas.NoTrans, a):],
			b.Data[l*strideOf(tB == blas.NoTrans, b)+j*strideOf(tB != blas.NoTrans, b):]
		goBLAS.Dgemm(tA, tB, m, n, min(tileDepth, k-l), alpha, left, a.Stride, right, b.Stride, beta, out, c.Stride)
		beta = 1
	}
}

// strideOf returns the distance in storage between neighbours along a dimension: the stride down a
// column, 1 along a row.
func strideOf(down bool, a blas64.General) int {
	if down {
		return a.Stride
	}
	return 1
}

func (goEngine) Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	n, k := syrkShape(t, alpha, &a, beta, &c)
	if n == 0 {
		return
	}
	type tile struct{ i, j int }
	var tiles []tile
	for i := 0; i < n; i += tileRows {
		for j := 0; j <= i; j += tileRows {
			tiles = append(tiles, tile{i, j})
		}
	}
	other := blas.Trans
	if t != blas.NoTrans {
		other = blas.NoTrans
	}
	full := blas64.General{Rows: n, Cols: n, Stride: c.Stride, Data: c.Data}
	spread(len(tiles), func(x int) {
		i, j := tiles[x].i, tiles[x].j
		if c.Uplo == blas.Upper {
			i, j = j, i
		}
		m := min(tileRows, n-i)
		if i != j {
			gemmTile(t, other, i, j, m, min(tileRows, n-j), k, alpha, a, a, beta, full)
			return
		}
		beta := beta
		for l := 0; l < k; l += tileDepth {
			panel := a.Data[i*strideOf(t == blas.NoTrans, a)+l*strideOf(t != blas.NoTrans, a):]
			goBLAS.Dsyrk(c.Uplo, t, m, min(tileDepth, k-l), alpha, panel, a.Stride, beta, c.Data[i*c.Stride+i:], c.Stride)
			beta = 1
		}
	})
}

func (goEngine) Gemv(t blas.Transpose, alpha float64, a blas64.General, x blas64.Vector, beta float64, y blas64.Vector) {
	if gemvShape(t, alpha, &a, x, beta, y) {
		goBLAS.Dgemv(t, a.Rows, a.Cols, alpha, a.Data, a.Stride, x.Data, x.Inc, beta, y.Data, y.Inc)
	}
}

func (goEngine) Trsm(side blas.Side, t blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General) {
	if !trsmShape(side, &a, &b) {
		return
	}
	// Columns of b (Left) or rows of b (Right) are independent of each other.
	free := b.Cols
	if side == blas.Right {
		free = b.Rows
	}
	spread(ceil(free, tileRows), func(x int) {
		lo := x * tileRows
		size := min(tileRows, free-lo)
		if side == blas.Left {
			goBLAS.Dtrsm(side, a.Uplo, t, a.Diag, b.Rows, size, alpha, a.Data, a.Stride, b.Data[lo:], b.Stride)
		} else {
			goBLAS.Dtrsm(side, a.Uplo, t, a.Diag, size, b.Cols, alpha, a.Data, a.Stride, b.Data[lo*b.Stride:], b.Stride)
		}
	})
}

func (goEngine) Cholesky(a blas64.Symmetric) error {
	a = symmetric(a)
	if err := checkSymmetric(a); err != nil {
		return err
	}
	if goLAPACK.Dpotrf(a.Uplo, a.N, a.Data, a.Stride) {
		return nil
	}
	// gonum does not return the index at which it stopped, but leaves the rejected pivot on the
	// diagonal, after positive ones.
	minor := 1
	for minor < a.N && a.Data[(minor-1)*(a.Stride+1)] > 0 {
		minor++
	}
	return &NotPositiveDefiniteError{Minor: minor}
}

func (e goEngine) SymEig(a blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	a = symmetric(a)
	n := a.N
	r.check(n)
	if err := checkSymmetric(a); err != nil {
		return nil, blas64.General{}, err
	}
	if r.Count == 0 {
		r.Count = n
	}
	if n == 0 {
		return []float64{}, newGeneral(0, 0), nil
	}
	return goSymEig(a, r, vectors)
}

// workspace queries a gonum routine for its optimal workspace and allocates it.
func workspace(query func(work []float64)) []float64 {
	size := make([]float64, 1)
	query(size)
	return make([]float64, max(1, int(size[0])))
}

func (e goEngine) SymDefEig(a, b blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	return symDefEig(e, a, b, r, vectors, func(a, b blas64.Symmetric) {
		// gonum has no dsygst: two triangular solves on the whole matrix, 2n³ flops.
		mirror(a.Uplo, a.N, a.Data, a.Stride)
		full := blas64.General{Rows: a.N, Cols: a.N, Stride: a.Stride, Data: a.Data}
		left, right := blas.Trans, blas.NoTrans
		if b.Uplo == blas.Lower {
			left, right = right, left
		}
		e.Trsm(blas.Left, left, 1, factor(b), full)
		e.Trsm(blas.Right, right, 1, factor(b), full)
	})
}

func (goEngine) SVD(a blas64.General) (u blas64.General, s []float64, vt blas64.General, err error) {
	a = general(a)
	m, n := a.Rows, a.Cols
	p := min(m, n)
	u, s, vt = newGeneral(m, p), make([]float64, p), newGeneral(p, n)
	if p == 0 {
		return u, s, vt, nil
	}
	if err := checkGeneral(a); err != nil {
		return blas64.General{}, nil, blas64.General{}, err
	}
	run := func(work []float64, lwork int) bool {
		return goLAPACK.Dgesvd(lapack.SVDStore, lapack.SVDStore, m, n, a.Data, a.Stride, s, u.Data, u.Stride, vt.Data, vt.Stride, work, lwork)
	}
	work := workspace(func(work []float64) { run(work, -1) })
	if !run(work, len(work)) {
		return blas64.General{}, nil, blas64.General{}, &ConvergenceError{Routine: "dgesvd"}
	}
	return u, s, vt, nil
}

func (goEngine) QR(a blas64.General) (blas64.Triangular, error) {
	a = general(a)
	m, n := a.Rows, a.Cols
	r, err := qrResult(a)
	if err != nil || n == 0 {
		return r, err
	}
	tau := make([]float64, n)
	// Not the blocked Dgeqrf and Dorgqr: see wholeReflectors. Duplicate columns are enough to make
	// their results wrong.
	work := make([]float64, n)
	goLAPACK.Dgeqr2(m, n, a.Data, a.Stride, tau, work)
	copyUpper(r, a)
	goLAPACK.Dorg2r(m, n, n, a.Data, a.Stride, tau, work)
	positiveDiagonal(a, r)
	return r, nil
}
