package nativetest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// lowRank is a random m×n matrix of the given rank.
func lowRank(m, n, rank int) blas64.General {
	return product(blas.NoTrans, blas.NoTrans, Random(40, m, rank), Random(41, rank, n))
}

func testSVD(t *testing.T, e native.Engine) {
	for _, s := range [][2]int{{1, 1}, {1, 6}, {6, 1}, {5, 5}, {40, 12}, {12, 40}, {150, 30}, {64, 63}} {
		m, n := s[0], s[1]
		for _, rank := range []int{0, 1, min(m, n)/2 + 1, min(m, n)} {
			label := fmt.Sprintf("%d×%d rank %d", m, n, rank)
			a := lowRank(m, n, rank)
			work := clone(a)
			u, sigma, vt, err := e.SVD(work)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			checkPadding(t, work)
			if p := min(m, n); u.Rows != m || u.Cols != p || len(sigma) != p || vt.Rows != p || vt.Cols != n {
				t.Fatalf("%s: shapes %d×%d, %d, %d×%d", label, u.Rows, u.Cols, len(sigma), vt.Rows, vt.Cols)
			}
			orthonormal(t, label+" u", u)
			orthonormal(t, label+" v", transpose(blas.Trans, vt))
			size := 1e-13 * (1 + norm(a)*math.Sqrt(float64(m*n)))
			near(t, label+": u*s*vt", distance(t, product(blas.NoTrans, blas.NoTrans, product(blas.NoTrans, blas.NoTrans, u, diagonal(sigma, 0)), vt), a), size)
			for i, x := range sigma {
				if x < 0 || (i > 0 && x > sigma[i-1]) {
					t.Errorf("%s: singular values do not descend to zero: %v", label, sigma)
				}
				if i >= rank {
					near(t, label+": singular value beyond the rank", x, size)
				}
			}
		}
	}
}

// testScaledSVD decomposes matrices whose squares overflow or underflow, and mixtures of both.
func testScaledSVD(t *testing.T, e native.Engine) {
	for _, f := range []float64{1e-300, 1e-170, 1e170, 1e300} {
		for _, s := range [][2]int{{30, 8}, {9, 9}} {
			a := lowRank(s[0], s[1], s[1])
			_, want, _, err := e.SVD(clone(a))
			if err != nil {
				t.Fatal(err)
			}
			for i := range a.Data {
				a.Data[i] *= f
			}
			u, sigma, vt, err := e.SVD(clone(a))
			if err != nil {
				t.Fatalf("scaled by %g: %v", f, err)
			}
			orthonormal(t, "u", u)
			orthonormal(t, "v", transpose(blas.Trans, vt))
			for i, x := range sigma {
				near(t, fmt.Sprintf("singular value scaled by %g", f), math.Abs(x/f-want[i]), 1e-12*want[0])
			}
			r, err := e.QR(clone(a))
			if err != nil {
				t.Fatalf("scaled by %g: %v", f, err)
			}
			gram := square(r)
			for i := range gram.Data {
				gram.Data[i] /= f
			}
			var trace, sum float64
			for i := range r.N {
				for j := range r.N {
					trace += at(gram, i, j) * at(gram, i, j)
				}
				sum += want[i] * want[i]
			}
			near(t, fmt.Sprintf("norm of R scaled by %g", f), math.Abs(trace-sum), 1e-12*sum)
		}
	}
	graded := newMatrix(12, 6)
	for i := range 12 {
		for j := range 6 {
			set(graded, i, j, math.Pow(10, float64(-60*j))*float64(1+(i*j+i)%5))
		}
	}
	u, _, vt, err := e.SVD(graded)
	if err != nil {
		t.Fatal(err)
	}
	orthonormal(t, "graded u", u)
	orthonormal(t, "graded v", transpose(blas.Trans, vt))
}

func testQR(t *testing.T, e native.Engine) {
	for _, s := range [][2]int{{1, 1}, {6, 1}, {5, 5}, {40, 12}, {200, 70}} {
		m, n := s[0], s[1]
		for _, rank := range []int{0, 1, n/2 + 1, n} {
			label := fmt.Sprintf("%d×%d rank %d", m, n, rank)
			a := lowRank(m, n, rank)
			q := clone(a)
			r, err := e.QR(q)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			checkPadding(t, q)
			if r.N != n || r.Uplo != blas.Upper || r.Diag != blas.NonUnit {
				t.Fatalf("%s: R is %d %c %c", label, r.N, r.Uplo, r.Diag)
			}
			full := blas64.General{Rows: n, Cols: n, Stride: r.Stride, Data: r.Data}
			for i := range n {
				if !(at(full, i, i) >= 0) {
					t.Errorf("%s: R[%d,%d] = %g is negative", label, i, i, at(full, i, i))
				}
				for j := range i {
					if at(full, i, j) != 0 {
						t.Fatalf("%s: R[%d,%d] is not zero", label, i, j)
					}
				}
			}
			orthonormal(t, label, q)
			near(t, label+": q*r", distance(t, product(blas.NoTrans, blas.NoTrans, q, full), a), 1e-13*(1+norm(a))*float64(n))
		}
	}
}

func testEmpty(t *testing.T, e native.Engine) {
	none := blas64.General{}
	wide := blas64.General{Rows: 0, Cols: 3, Stride: 3}
	tall := blas64.General{Rows: 3, Cols: 0}
	e.Gemm(blas.NoTrans, blas.NoTrans, 1, none, none, 0, none)
	c := Random(50, 3, 3)
	e.Gemm(blas.NoTrans, blas.NoTrans, 1, tall, wide, 0, c) // an empty sum
	near(t, "gemm without inner dimension", norm(c), 0)
	s := Symmetric(Random(51, 3, 3), blas.Upper)
	e.Syrk(blas.NoTrans, 1, tall, 0, s)
	near(t, "syrk without inner dimension", norm(triangle(s)), 0)
	e.Syrk(blas.NoTrans, 1, wide, 0, blas64.Symmetric{Uplo: blas.Lower})
	y := blas64.Vector{N: 3, Inc: 1, Data: []float64{1, 2, math.NaN()}}
	e.Gemv(blas.NoTrans, 1, tall, blas64.Vector{Inc: 1}, 0, y)
	if y.Data[0] != 0 || y.Data[2] != 0 {
		t.Errorf("gemv without columns: %v", y.Data)
	}
	e.Trsm(blas.Left, blas.NoTrans, 1, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit}, wide)
	empty := blas64.Symmetric{Uplo: blas.Upper}
	if err := e.Cholesky(empty); err != nil {
		t.Error(err)
	}
	if w, v, err := e.SymEig(empty, native.EigRange{}, true); err != nil || len(w) != 0 || v.Rows != 0 || v.Cols != 0 {
		t.Errorf("symeig: %v %v %v", w, v, err)
	}
	if w, v, err := e.SymDefEig(empty, empty, native.EigRange{}, true); err != nil || len(w) != 0 || v.Rows != 0 {
		t.Errorf("symdefeig: %v %v %v", w, v, err)
	}
	for _, a := range []blas64.General{none, wide, tall} {
		if u, s, vt, err := e.SVD(a); err != nil || u.Rows != a.Rows || u.Cols != 0 || len(s) != 0 || vt.Rows != 0 || vt.Cols != a.Cols {
			t.Errorf("svd of %d×%d: %v %v %v %v", a.Rows, a.Cols, u, s, vt, err)
		}
	}
	for _, a := range []blas64.General{none, tall} {
		if r, err := e.QR(a); err != nil || r.N != 0 {
			t.Errorf("qr of %d×%d: %v %v", a.Rows, a.Cols, r, err)
		}
	}
}

func testNotFinite(t *testing.T, e native.Engine) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		spoiled := definite(60, 12)
		set(spoiled, 3, 7, bad)
		set(spoiled, 7, 3, bad)
		check := func(what string, err error, row, col int) {
			t.Helper()
			var nf *native.NotFiniteError
			if !errors.As(err, &nf) || nf.Row != row || nf.Col != col {
				t.Errorf("%s with %v at (%d, %d): got %v", what, bad, row, col, err)
			}
		}
		for _, uplo := range uplos {
			row, col := 3, 7
			if uplo == blas.Lower {
				row, col = 7, 3
			}
			check("cholesky", e.Cholesky(Symmetric(spoiled, uplo)), row, col)
			for _, r := range []native.EigRange{{}, {First: 1, Count: 2}} {
				_, _, err := e.SymEig(Symmetric(spoiled, uplo), r, true)
				check("symeig", err, row, col)
				_, _, err = e.SymDefEig(Symmetric(spoiled, uplo), Symmetric(definite(61, 12), uplo), r, true)
				check("symdefeig a", err, row, col)
				_, _, err = e.SymDefEig(Symmetric(definite(61, 12), uplo), Symmetric(spoiled, uplo), r, true)
				check("symdefeig b", err, row, col)
			}
		}
		_, _, _, err := e.SVD(clone(spoiled))
		check("svd", err, 3, 7)
		_, err = e.QR(clone(spoiled))
		check("qr", err, 3, 7)
	}
}

func testShapes(t *testing.T, e native.Engine) {
	panics := func(what string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", what)
			}
		}()
		f()
	}
	a, b := Random(70, 3, 4), Random(71, 3, 4)
	panics("gemm", func() { e.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, newMatrix(3, 4)) })
	panics("gemm result", func() { e.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, newMatrix(4, 3)) })
	panics("syrk", func() { e.Syrk(blas.Trans, 1, a, 0, Symmetric(newMatrix(3, 3), blas.Upper)) })
	panics("gemv", func() {
		e.Gemv(blas.NoTrans, 1, a, blas64.Vector{N: 3, Inc: 1, Data: make([]float64, 3)}, 0, blas64.Vector{N: 3, Inc: 1, Data: make([]float64, 3)})
	})
	panics("short", func() { _ = e.Cholesky(blas64.Symmetric{Uplo: blas.Upper, N: 3, Stride: 3, Data: make([]float64, 8)}) })
	panics("uplo", func() { _ = e.Cholesky(blas64.Symmetric{N: 1, Stride: 1, Data: []float64{1}}) })
	panics("range", func() {
		_, _, _ = e.SymEig(Symmetric(identity(3), blas.Upper), native.EigRange{First: 1, Count: 3}, true)
	})
	panics("qr", func() { _, _ = e.QR(a) })
}
