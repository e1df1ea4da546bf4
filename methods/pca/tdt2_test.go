package pca

import (
	"math"
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// tdt2 reads the corpus, rows of unit length; it skips the test if the file is missing.
func tdt2(t testing.TB) *sparse.CSR {
	t.Helper()
	const file = "../../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; principal components are tested on made-up data only")
	}
	c := must.Get(corpus.Read(ctx, file, corpus.ReadOptions{}))(t)
	x := must.Get(c.Weighted(corpus.WeightTF, corpus.NormL2))(t)
	return x.(*sparse.CSR)
}

// A sample of the documents, with the terms that they have, against LAPACK's SVD of the centred
// dense matrix: values to 1e-8, and the subspace to 1e-8 if a gap separates it.
func TestSampleOfTDT2AgainstLAPACK(t *testing.T) {
	x := tdt2(t)
	const n, k = 400, 100
	var documents, terms []int
	for i := range n {
		documents = append(documents, i*x.NumRows/n)
	}
	x = x.SelectRows(documents)
	for j, count := range x.ColCounts() {
		if count > 1 {
			terms = append(terms, j)
		}
		if len(terms) == 2000 {
			break
		}
	}
	x = x.SelectCols(terms)
	dense := x.ToDense()
	for j := range len(terms) {
		column := mat.Col(nil, j, dense)
		mean := mat.Sum(mat.NewVecDense(n, column)) / n
		for i := range column {
			column[i] -= mean
		}
		dense.SetCol(j, column)
	}
	want, right := lapack(t, dense)
	for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
		m := fit(t, x, Options{Dims: k, Solver: solver})
		for j, s := range m.Singular {
			if math.Abs(s-want[j]) > 1e-8*want[0] {
				t.Errorf("%s: σ_%d = %v, LAPACK %v", solver, j, s, want[j])
			}
			if r := max(m.LeftResiduals[j], m.RightResiduals[j]); r > 1e-8*want[0] {
				t.Errorf("%s: residual %d is %g", solver, j, r)
			}
		}
		first := 1
		for j := 2; j < k; j++ { // the widest gap but the first
			if want[j-1]-want[j] > want[first-1]-want[first] || first == 1 {
				first = j
			}
		}
		var c, outside mat.Dense
		v := m.Components.Slice(0, first, 0, len(terms))
		r := right.Slice(0, first, 0, len(terms))
		c.Mul(v, r.T())
		outside.Mul(&c, r)
		outside.Sub(v, &outside)
		if gap := mat.Norm(&outside, 2); gap > 1e-8 {
			t.Errorf("%s: the first %d components lie %g outside LAPACK's", solver, first, gap)
		}
	}
}

// lapack returns the singular values of a wide matrix and its right singular vectors as rows.
func lapack(t *testing.T, x *mat.Dense) ([]float64, *mat.Dense) {
	t.Helper()
	n, d := x.Dims()
	engine := native.Default()
	if engine.Name() != "go" {
		_, s, vt, err := engine.SVD(mat.DenseCopyOf(x).RawMatrix())
		if err != nil {
			t.Fatal(err)
		}
		return s, mat.NewDense(vt.Rows, vt.Cols, vt.Data)
	}
	// gonum's own routines are not trusted with so many columns: the eigenvectors of X·Xᵀ, good to
	// the root of rounding.
	g := blas64.Symmetric{N: n, Stride: n, Uplo: 'U', Data: make([]float64, n*n)}
	engine.Syrk('N', 1, x.RawMatrix(), 0, g)
	values, u, err := engine.SymEig(g, native.EigRange{}, true)
	if err != nil {
		t.Fatal(err)
	}
	var v mat.Dense
	v.Mul(mat.NewDense(n, n, u.Data).T(), x)
	s, out := make([]float64, n), mat.NewDense(n, d, nil)
	for j := range n {
		s[j] = math.Sqrt(max(0, values[n-1-j]))
		for i, w := range v.RawRowView(n - 1 - j) {
			out.Set(j, i, w/max(s[j], 1e-300))
		}
	}
	return s, out
}
