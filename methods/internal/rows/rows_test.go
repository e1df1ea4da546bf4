package rows_test

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var matrix = mat.NewDense(3, 2, []float64{3, 4, 0, 0, -1, 0})

func csr(t *testing.T, x mat.Matrix) *sparse.CSR {
	t.Helper()
	s := must.Get(sparse.FromMatrix(x))(t)
	return s
}

func TestNormalized(t *testing.T) {
	want := mat.NewDense(3, 2, []float64{0.6, 0.8, 0, 0, -1, 0})
	got := rows.Normalized(matrix)
	if !mat.EqualApprox(got, want, 1e-15) || matrix.At(0, 0) != 3 {
		t.Errorf("%v", mat.Formatted(got))
	}
	huge := rows.Normalized(mat.NewDense(1, 2, []float64{3e300, 4e300}))
	if math.Abs(huge.At(0, 1)-0.8) > 1e-15 {
		t.Errorf("a row whose squares overflow becomes %v", huge.RawRowView(0))
	}
	if rows.MaybeNormalized(matrix, false) != matrix || !mat.Equal(rows.MaybeNormalized(matrix, true), got) {
		t.Error("rows are scaled unasked, or not at all")
	}
}

func TestLargest(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{0, 1, 0, 2, 2, 1, -3, -2, -1, 0, 0, 0})
	if got := rows.Largest(x); !slices.Equal(got, []int{1, 0, 2, 0}) {
		t.Errorf("the largest are %v", got)
	}
}

func TestWithoutEntries(t *testing.T) {
	if got := rows.WithoutEntries(matrix); got != nil {
		t.Errorf("dense rows without entries: %v", got)
	}
	x := csr(t, matrix)
	if got := rows.WithoutEntries(x); !slices.Equal(got, []int{1}) {
		t.Errorf("sparse rows without entries: %v", got)
	}
	x.Val[len(x.Val)-1] = 0 // a stored zero is no entry
	if got := rows.WithoutEntries(x); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("sparse rows with stored zeros: %v", got)
	}
	if got := rows.Filled(x); !slices.Equal(got, []int{0}) {
		t.Errorf("rows with entries: %v", got)
	}
}

func TestSelect(t *testing.T) {
	want := mat.NewDense(3, 2, []float64{-1, 0, 3, 4, -1, 0})
	for _, x := range []mat.Matrix{matrix, csr(t, matrix)} {
		got := rows.Select(x, []int{2, 0, 2})
		if _, isSparse := got.(*sparse.CSR); !mat.Equal(got, want) || isSparse != (x != mat.Matrix(matrix)) {
			t.Errorf("%T: %v", got, mat.Formatted(got))
		}
	}
}

// listed lists its entries and is nothing else.
type listed struct{ mat.Matrix }

func (m listed) DoNonZero(f func(i, j int, v float64)) {
	n, d := m.Dims()
	for i := range n {
		for j := range d {
			if v := m.At(i, j); v != 0 {
				f(i, j, v)
			}
		}
	}
}

func TestChecked(t *testing.T) {
	s := csr(t, matrix)
	for what, x := range map[string]mat.Matrix{"dense": matrix, "sparse": s, "listed": listed{matrix}, "transposed": mat.DenseCopyOf(matrix.T()).T()} {
		got, err := rows.Checked(x)
		if err != nil || !mat.Equal(got, matrix) {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if (what == "dense" || what == "sparse") && got != x {
			t.Errorf("%s: the matrix is copied", what)
		}
		if _, isSparse := got.(*sparse.CSR); isSparse != (what == "sparse" || what == "listed") {
			t.Errorf("%s: stored as %T", what, got)
		}
	}
	for what, v := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(-1)} {
		x := mat.DenseCopyOf(matrix)
		x.Set(2, 0, v)
		bad := csr(t, matrix)
		bad.Val[len(bad.Val)-1] = v
		for _, x := range []mat.Matrix{x, bad, listed{x}, mat.DenseCopyOf(x.T()).T()} {
			_, err := rows.Checked(x)
			var at *sparse.NotFiniteError
			if !errors.As(err, &at) || at.Row != 2 || at.Col != 0 {
				t.Errorf("%s in a %T: %v", what, x, err)
			}
		}
	}
	for what, x := range map[string]mat.Matrix{"no matrix": nil, "no rows": new(mat.Dense), "no sparse rows": &sparse.CSR{NumCols: 3, RowPtr: []int{0}},
		"no columns": &sparse.CSR{NumRows: 2, RowPtr: make([]int, 3)}} {
		if _, err := rows.Checked(x); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
