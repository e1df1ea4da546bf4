package nativetest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// Agree checks that two engines give the same numbers to 1e-10; it compares vectors as subspaces.
func Agree(t *testing.T, a, b native.Engine) {
	const limit = 1e-10
	m, n, k := 90, 71, 130
	x, y := Random(80, m, k), Random(81, k, n)
	ca, cb := newMatrix(m, n), newMatrix(m, n)
	a.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, ca)
	b.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, cb)
	near(t, "gemm", distance(t, ca, cb), limit)

	fa, fb := newFloat32(m, n), newFloat32(m, n)
	a.GemmFloat32(float32Of(x), float32Of(Random(81, n, k)), fa)
	b.GemmFloat32(float32Of(x), float32Of(Random(81, n, k)), fb)
	for i, v := range fa.Data {
		// Twice the bound of a sum of k products of numbers up to 1 in any order.
		near(t, "gemm in float32", math.Abs(float64(v-fb.Data[i])), 2*float64(k*k)*0x1p-24)
	}

	sa, sb := Symmetric(newMatrix(m, m), blas.Upper), Symmetric(newMatrix(m, m), blas.Upper)
	a.Syrk(blas.NoTrans, 1, x, 0, sa)
	b.Syrk(blas.NoTrans, 1, x, 0, sb)
	near(t, "syrk", distance(t, triangle(sa), triangle(sb)), limit)
	if err := a.Cholesky(sa); err != nil {
		t.Fatal(err)
	}
	if err := b.Cholesky(sb); err != nil {
		t.Fatal(err)
	}
	near(t, "cholesky", distance(t, triangle(sa), triangle(sb)), limit)

	// Leading eigenvectors of a spectrum with a gap: the projections onto their spans agree.
	values := make([]float64, 80)
	for i := range values {
		values[i] = float64(i % 7)
		if i >= 70 {
			values[i] = 20 + float64(i%3)
		}
	}
	full := conjugated(82, values)
	r := native.EigRange{First: 70, Count: 10}
	wa, va, err := a.SymEig(Symmetric(full, blas.Lower), r, true)
	if err != nil {
		t.Fatal(err)
	}
	wb, vb, err := b.SymEig(Symmetric(full, blas.Lower), r, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range wa {
		near(t, "eigenvalue", math.Abs(wa[i]-wb[i]), limit)
	}
	near(t, "eigenspace", distance(t, projection(va), projection(vb)), limit)

	qa, qb := Random(83, 100, 30), Random(83, 100, 30)
	ra, err := a.QR(qa)
	if err != nil {
		t.Fatal(err)
	}
	rb, err := b.QR(qb)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "q", distance(t, qa, qb), limit) // unique, with full rank and a positive diagonal
	near(t, "r", distance(t, square(ra), square(rb)), limit)

	_, da, _, err := a.SVD(Random(84, 60, 40))
	if err != nil {
		t.Fatal(err)
	}
	_, db, _, err := b.SVD(Random(84, 60, 40))
	if err != nil {
		t.Fatal(err)
	}
	for i := range da {
		near(t, "singular value", math.Abs(da[i]-db[i]), limit)
	}
}

// projection is V*Vᵀ, which does not depend on signs and bases.
func projection(v blas64.General) blas64.General { return product(blas.NoTrans, blas.Trans, v, v) }

func square(r blas64.Triangular) blas64.General {
	return blas64.General{Rows: r.N, Cols: r.N, Stride: r.Stride, Data: r.Data}
}

func newFloat32(m, n int) blas32.General {
	return blas32.General{Rows: m, Cols: n, Stride: max(1, n), Data: make([]float32, m*n)}
}

func float32Of(a blas64.General) blas32.General {
	out := newFloat32(a.Rows, a.Cols)
	for i := range a.Rows {
		for j := range a.Cols {
			out.Data[i*out.Stride+j] = float32(a.Data[i*a.Stride+j])
		}
	}
	return out
}
