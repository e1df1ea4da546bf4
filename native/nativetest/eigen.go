package nativetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// ranges returns index ranges to test on a matrix of order n.
func ranges(n int) []native.EigRange {
	all := []native.EigRange{{}, {First: 0, Count: n}, {First: 0, Count: 1}, {First: n - 1, Count: 1}}
	if n > 4 {
		all = append(all, native.EigRange{First: n / 4, Count: n / 2}, native.EigRange{First: n - n/3, Count: n / 3},
			native.EigRange{First: 0, Count: n - 1})
	}
	return all
}

// checkEig solves for every range and triangle. It checks residuals, orthonormality and order, and
// that the eigenvalues are the same with and without vectors. known may be nil.
func checkEig(t *testing.T, e native.Engine, what string, full blas64.General, known []float64) {
	t.Helper()
	n := full.Rows
	size := norm(full) * math.Sqrt(float64(n))
	limit := 1e-13*size + 1e-300
	if known == nil {
		var err error
		if known, _, err = e.SymEig(Symmetric(full, blas.Upper), native.EigRange{}, false); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var trace, sum float64
		for i := range n {
			trace += at(full, i, i)
			sum += known[i]
		}
		near(t, what+": trace", math.Abs(trace-sum), limit*float64(n))
	}
	if !slices.IsSorted(known) {
		t.Errorf("%s: eigenvalues do not ascend", what)
	}
	for _, r := range ranges(n) {
		count := r.Count
		if count == 0 {
			count = n
		}
		for _, uplo := range uplos {
			label := fmt.Sprintf("%s n = %d %v %c", what, n, r, uplo)
			values, none, err := e.SymEig(Symmetric(full, uplo), r, false)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			if none.Rows != 0 || len(values) != count {
				t.Fatalf("%s: %d values, %d rows of vectors that nobody wanted", label, len(values), none.Rows)
			}
			withVectors, v, err := e.SymEig(Symmetric(full, uplo), r, true)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			if v.Rows != n || v.Cols != count || len(withVectors) != count {
				t.Fatalf("%s: vectors %d×%d for %d values", label, v.Rows, v.Cols, len(withVectors))
			}
			for j := range count {
				near(t, label+": eigenvalue", math.Abs(values[j]-known[r.First+j]), limit)
				near(t, label+": eigenvalue with vectors", math.Abs(withVectors[j]-known[r.First+j]), limit)
			}
			near(t, label+": residual", Residual(full, withVectors, v), limit)
			orthonormal(t, label, v)
			if t.Failed() {
				return
			}
		}
	}
}

// Residual is the largest entry of A*V - V*diag(values), by naive sums.
func Residual(a blas64.General, values []float64, v blas64.General) float64 {
	av := product(blas.NoTrans, blas.NoTrans, a, v)
	var worst float64
	for i := range v.Rows {
		for j := range v.Cols {
			worst = larger(worst, math.Abs(at(av, i, j)-values[j]*at(v, i, j)))
		}
	}
	return worst
}

func symmetrised(seed uint64, n int) blas64.General {
	a := Random(seed, n, n)
	for i := range n {
		for j := range i {
			set(a, i, j, at(a, j, i))
		}
	}
	return a
}

func testSymEig(t *testing.T, e native.Engine) {
	for _, n := range []int{1, 2, 3, 10, 40, 81} {
		checkEig(t, e, "random", symmetrised(12, n), nil)
	}
	// Numbers whose squares overflow or vanish.
	for _, f := range []float64{1e-300, 1e-170, 1e170, 1e300} {
		a := symmetrised(13, 12)
		for i := range a.Data {
			a.Data[i] *= f
		}
		checkEig(t, e, fmt.Sprintf("scaled by %g", f), a, nil)
	}
	checkEig(t, e, "graded", graded(20), nil)
}

// graded is diag(10^-30i) with off-diagonal entries of similar size, so the parts have different
// scales.
func graded(n int) blas64.General {
	a := newMatrix(n, n)
	for i := range n {
		set(a, i, i, math.Pow(10, float64(-30*(i/2))))
		if i%2 == 1 {
			set(a, i, i-1, at(a, i, i)/3)
			set(a, i-1, i, at(a, i, i)/3)
		}
	}
	return a
}

// conjugated is Q*diag(values)*Qᵀ with a random orthogonal Q, a product of reflectors.
func conjugated(seed uint64, values []float64) blas64.General {
	n := len(values)
	a := diagonal(values, 0)
	for s := range uint64(3) {
		h := Random(seed+s, n, 1)
		var square float64
		for i := range n {
			square += at(h, i, 0) * at(h, i, 0)
		}
		q := identity(n)
		for i := range n {
			for j := range n {
				set(q, i, j, at(q, i, j)-2*at(h, i, 0)*at(h, j, 0)/square)
			}
		}
		a = product(blas.NoTrans, blas.NoTrans, product(blas.NoTrans, blas.NoTrans, q, a), q)
	}
	for i := range n {
		for j := range i {
			set(a, i, j, at(a, j, i))
		}
	}
	return a
}

func testSpectra(t *testing.T, e native.Engine) {
	path := func(n int) (blas64.General, []float64) { // Laplacian of a path: 2 - 2cos(πj/n)
		a, w := newMatrix(n, n), make([]float64, n)
		for i := range n {
			w[i] = 2 - 2*math.Cos(math.Pi*float64(i)/float64(n))
			if i+1 < n {
				set(a, i, i+1, -1)
				set(a, i+1, i, -1)
				set(a, i, i, at(a, i, i)+1)
				set(a, i+1, i+1, at(a, i+1, i+1)+1)
			}
		}
		return a, w
	}
	a, w := path(50)
	checkEig(t, e, "path", a, w)

	// Several copies of one graph: every eigenvalue is multiple, and the matrix is reducible.
	const copies, n = 4, 15
	p, pw := path(n)
	union := newMatrix(copies*n, copies*n)
	var all []float64
	for c := range copies {
		all = append(all, pw...)
		for i := range n {
			for j := range n {
				set(union, i*copies+c, j*copies+c, at(p, i, j)) // interleaved: not block diagonal
			}
		}
	}
	slices.Sort(all)
	checkEig(t, e, "union of paths", union, all)

	ring := newMatrix(40, 40) // 2 - 2cos(2πj/n), each twice
	w = make([]float64, 40)
	for i := range w {
		set(ring, i, i, 2)
		set(ring, i, (i+1)%40, -1)
		set(ring, (i+1)%40, i, -1)
		w[i] = 2 - 2*math.Cos(2*math.Pi*float64(i)/40)
	}
	slices.Sort(w)
	checkEig(t, e, "ring", ring, w)

	complete := diagonal(make([]float64, 30), 30) // 0 once, n for the rest
	for i := range 30 {
		for j := range 30 {
			set(complete, i, j, at(complete, i, j)-1)
		}
	}
	w = make([]float64, 30)
	for i := 1; i < 30; i++ {
		w[i] = 30
	}
	checkEig(t, e, "complete graph", complete, w)

	checkEig(t, e, "zero", newMatrix(9, 9), make([]float64, 9))
	checkEig(t, e, "identity", identity(20), slices.Repeat([]float64{1}, 20))
	checkEig(t, e, "clusters", conjugated(20, clusters(60)), clusters(60))

	// Wilkinson's W21+: pairs of eigenvalues that agree to many digits in an unreduced matrix.
	wilkinson := newMatrix(21, 21)
	for i := range 21 {
		set(wilkinson, i, i, math.Abs(float64(i-10)))
		if i > 0 {
			set(wilkinson, i, i-1, 1)
			set(wilkinson, i-1, i, 1)
		}
	}
	checkEig(t, e, "Wilkinson", wilkinson, nil)

	// Glued Wilkinson matrices: the classical hard case of inverse iteration.
	glued := newMatrix(210, 210)
	for i := range 210 {
		set(glued, i, i, math.Abs(float64(i%21-10)))
		if i > 0 {
			off := 1.0
			if i%21 == 0 {
				off = 1e-8
			}
			set(glued, i, i-1, off)
			set(glued, i-1, i, off)
		}
	}
	checkEig(t, e, "glued Wilkinson", glued, nil)
}

// clusters is an ascending spectrum of tight clusters, negative ones among them.
func clusters(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(i*4/n) - 1 + 1e-13*float64(i)
	}
	return w
}

func testSymDefEig(t *testing.T, e native.Engine) {
	for _, n := range []int{1, 2, 25, 70} {
		fa, fb := symmetrised(30, n), definite(31, n)
		var known []float64
		for _, r := range ranges(n) {
			for _, ua := range uplos {
				for _, ub := range uplos {
					label := fmt.Sprintf("n = %d %v %c%c", n, r, ua, ub)
					values, v, err := e.SymDefEig(Symmetric(fa, ua), Symmetric(fb, ub), r, true)
					if err != nil {
						t.Fatalf("%s: %v", label, err)
					}
					if known == nil {
						known = values
					}
					bv := product(blas.NoTrans, blas.NoTrans, fb, v)
					near(t, label+": b-orthonormality", distance(t, product(blas.Trans, blas.NoTrans, v, bv), identity(v.Cols)), 1e-11)
					av := product(blas.NoTrans, blas.NoTrans, fa, v)
					var worst float64
					for i := range n {
						for j := range v.Cols {
							worst = larger(worst, math.Abs(at(av, i, j)-values[j]*at(bv, i, j)))
						}
					}
					near(t, label+": residual", worst, 1e-11)
					alone, _, err := e.SymDefEig(Symmetric(fa, ua), Symmetric(fb, ub), r, false)
					if err != nil {
						t.Fatalf("%s: %v", label, err)
					}
					for j := range values {
						near(t, label+": value", math.Abs(values[j]-known[r.First+j]), 1e-12)
						near(t, label+": value without vectors", math.Abs(alone[j]-values[j]), 1e-12)
					}
				}
			}
		}
	}
	indefinite := diagonal([]float64{1, 1, -1, 1}, 0)
	_, _, err := e.SymDefEig(Symmetric(identity(4), blas.Upper), Symmetric(indefinite, blas.Upper), native.EigRange{}, true)
	var npd *native.NotPositiveDefiniteError
	if !errors.As(err, &npd) || npd.Minor != 3 {
		t.Errorf("indefinite b: got %v", err)
	}
}
