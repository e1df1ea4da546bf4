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

var (
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans}
	uplos      = []blas.Uplo{blas.Upper, blas.Lower}
)

func testProducts(t *testing.T, e native.Engine) {
	// The last three use the tiles of large products and the chunks of a long inner dimension.
	shapes := [][3]int{{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {64, 64, 64}, {65, 193, 66}, {300, 270, 140}, {20, 300, 240}, {64, 100, 2100}}
	for _, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		for _, tA := range transposes {
			for _, tB := range transposes {
				a, b := transpose(tA, Random(1, m, k)), transpose(tB, Random(2, k, n))
				ab := product(tA, tB, a, b)
				for _, f := range [][2]float64{{1, 0}, {-0.5, 2}, {2, 1}, {0, 3}} {
					c := Random(3, m, n)
					want := newMatrix(m, n)
					for i := range m {
						for j := range n {
							set(want, i, j, f[0]*at(ab, i, j)+f[1]*at(c, i, j))
						}
					}
					if f[1] == 0 {
						set(c, 0, 0, math.NaN()) // beta = 0 overwrites NaN
					}
					e.Gemm(tA, tB, f[0], a, b, f[1], c)
					near(t, fmt.Sprintf("gemm %v %c%c %v", s, tA, tB, f), distance(t, c, want), 1e-12*float64(k+1))
					checkPadding(t, c)
				}
			}
			testSyrk(t, e, tA, n, k)
			testGemv(t, e, tA, m, k)
		}
	}
	for _, tr := range transposes {
		testGemv(t, e, tr, 700, 900)
	}
}

func testSyrk(t *testing.T, e native.Engine, tr blas.Transpose, n, k int) {
	t.Helper()
	a := transpose(tr, Random(4, n, k))
	other := blas.Trans
	if tr == blas.Trans {
		other = blas.NoTrans
	}
	square := product(tr, other, a, a)
	for _, uplo := range uplos {
		for _, f := range [][2]float64{{1, 0}, {-1, 0.5}} {
			start := Random(5, n, n)
			c := Symmetric(start, uplo)
			e.Syrk(tr, f[0], a, f[1], c)
			var worst float64
			for i := range n {
				for j := range n {
					got := c.Data[i*c.Stride+j]
					if (uplo == blas.Upper && j < i) || (uplo == blas.Lower && j > i) {
						if !math.IsNaN(got) {
							t.Fatalf("syrk wrote (%d, %d), outside its triangle", i, j)
						}
						continue
					}
					worst = larger(worst, math.Abs(got-f[0]*at(square, i, j)-f[1]*at(start, i, j)))
				}
			}
			near(t, fmt.Sprintf("syrk %d %d %c%c %v", n, k, tr, uplo, f), worst, 1e-12*float64(k+1))
		}
	}
}

func testGemv(t *testing.T, e native.Engine, tr blas.Transpose, m, n int) {
	t.Helper()
	a := transpose(tr, Random(6, m, n))
	x, y := Random(7, n, 1), Random(8, m, 1)
	want := product(tr, blas.NoTrans, a, x)
	for i := range m {
		set(want, i, 0, 2*at(want, i, 0)-3*at(y, i, 0))
	}
	// A column of a padded matrix is a vector with an increment.
	e.Gemv(tr, 2, a, blas64.Vector{N: n, Inc: x.Stride, Data: x.Data}, -3, blas64.Vector{N: m, Inc: y.Stride, Data: y.Data})
	near(t, fmt.Sprintf("gemv %d %d %c", m, n, tr), distance(t, y, want), 1e-12*float64(n+1))
	checkPadding(t, y)
}

func testTriangular(t *testing.T, e native.Engine) {
	for _, s := range [][2]int{{1, 1}, {4, 3}, {70, 130}, {300, 240}} {
		n, free := s[0], s[1]
		for _, uplo := range uplos {
			for _, diag := range []blas.Diag{blas.NonUnit, blas.Unit} {
				for _, tr := range transposes {
					for _, side := range []blas.Side{blas.Left, blas.Right} {
						a, full := triangular(n, uplo, diag)
						b := Random(10, n, free)
						if side == blas.Right {
							b = Random(10, free, n)
						}
						x := clone(b)
						e.Trsm(side, tr, 0.5, a, x)
						checkPadding(t, x)
						var back blas64.General
						if side == blas.Left {
							back = product(tr, blas.NoTrans, full, x)
						} else {
							back = product(blas.NoTrans, tr, x, full)
						}
						for i := range b.Data {
							b.Data[i] *= 0.5
						}
						near(t, fmt.Sprintf("trsm %v %c %c %c %c", s, uplo, diag, tr, side), distance(t, back, b), 1e-11)
					}
				}
			}
		}
	}
}

// triangular returns a well-conditioned triangular matrix in BLAS form, NaN elsewhere, and in full.
func triangular(n int, uplo blas.Uplo, diag blas.Diag) (blas64.Triangular, blas64.General) {
	full := Random(9, n, n)
	for i := range n {
		for j := range n {
			switch {
			case i == j && diag == blas.Unit:
				set(full, i, i, 1)
			case i == j:
				set(full, i, i, 2+math.Abs(at(full, i, i)))
			case (j > i) != (uplo == blas.Upper):
				set(full, i, j, 0)
			default:
				set(full, i, j, at(full, i, j)/float64(n))
			}
		}
	}
	s := Symmetric(full, uplo)
	if diag == blas.Unit {
		for i := range n {
			s.Data[i*s.Stride+i] = math.NaN() // must not be read
		}
	}
	return blas64.Triangular{Uplo: uplo, Diag: diag, N: n, Stride: s.Stride, Data: s.Data}, full
}

// definite returns a random symmetric positive definite matrix.
func definite(seed uint64, n int) blas64.General {
	a := Random(seed, n, n)
	s := product(blas.NoTrans, blas.Trans, a, a)
	for i := range n {
		set(s, i, i, at(s, i, i)+float64(n))
	}
	return s
}

func testCholesky(t *testing.T, e native.Engine) {
	for _, n := range []int{1, 2, 17, 64, 150} {
		full := definite(11, n)
		for _, uplo := range uplos {
			a := Symmetric(full, uplo)
			if err := e.Cholesky(a); err != nil {
				t.Fatalf("n = %d: %v", n, err)
			}
			f := triangle(a)
			var back blas64.General
			if uplo == blas.Upper {
				back = product(blas.Trans, blas.NoTrans, f, f)
			} else {
				back = product(blas.NoTrans, blas.Trans, f, f)
			}
			near(t, fmt.Sprintf("cholesky %d %c", n, uplo), distance(t, back, full), 1e-13*norm(full))

			// A negative entry on the diagonal makes the minor that ends there negative, and none
			// before it.
			for _, minor := range []int{1, (n + 1) / 2, n} {
				spoiled := clone(full)
				set(spoiled, minor-1, minor-1, -1)
				err := e.Cholesky(Symmetric(spoiled, uplo))
				var npd *native.NotPositiveDefiniteError
				if !errors.As(err, &npd) || npd.Minor != minor {
					t.Errorf("n = %d, minor %d not positive: got %v", n, minor, err)
				}
			}
		}
	}
	var npd *native.NotPositiveDefiniteError
	if err := e.Cholesky(Symmetric(diagonal(make([]float64, 5), 0), blas.Upper)); !errors.As(err, &npd) || npd.Minor != 1 {
		t.Errorf("zero matrix: got %v", err)
	}
}

// triangle returns the stored triangle as a full matrix with zeros elsewhere.
func triangle(a blas64.Symmetric) blas64.General {
	f := newMatrix(a.N, a.N)
	for i := range a.N {
		for j := range a.N {
			if (a.Uplo == blas.Upper && j >= i) || (a.Uplo == blas.Lower && j <= i) {
				set(f, i, j, a.Data[i*a.Stride+j])
			}
		}
	}
	return f
}
