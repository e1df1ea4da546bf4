package missing

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// randomTable has zeros, equal values, missing cells, and perhaps a column without a value.
func randomTable(rnd *rand.Rand) *mat.Dense {
	n, d := 1+rnd.IntN(12), 1+rnd.IntN(6)
	x := mat.NewDense(n, d, nil)
	empty := rnd.IntN(3 * d)
	for i := range n {
		for j := range d {
			switch f := rnd.IntN(5); {
			case f == 0 || j == empty:
				x.Set(i, j, math.NaN())
			case f < 3:
				x.Set(i, j, float64(rnd.IntN(5)-2))
			}
		}
	}
	return x
}

// stored are the three ways in which a matrix is stored.
func stored(x *mat.Dense) []mat.Matrix {
	n, d := x.Dims()
	csr := &sparse.CSR{NumRows: n, NumCols: d, RowPtr: []int{0}}
	single := &sparse.SingleDense{NumRows: n, NumCols: d}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				csr.Col, csr.Val = append(csr.Col, int32(j)), append(csr.Val, v)
			}
			single.Val = append(single.Val, float32(v))
		}
		csr.RowPtr = append(csr.RowPtr, len(csr.Val))
	}
	return []mat.Matrix{x, csr, single}
}

// literal is the median or the mean of the numbers of a list that are not NaN, as NumPy defines it.
func literal(list []float64, by string) float64 {
	list = slices.DeleteFunc(slices.Clone(list), math.IsNaN)
	slices.Sort(list)
	if by == Median {
		return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
	}
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// TestLiteral: cells that are there stay, missing ones become the median or mean of their column,
// whatever way the matrix is stored; columns without a value go.
func TestLiteral(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		x := randomTable(rnd)
		before := mat.DenseCopyOf(x)
		n, d := x.Dims()
		for _, by := range []string{Median, Mean} {
			for _, m := range stored(x) {
				var terms []string
				if rnd.IntN(2) == 0 {
					terms = []string{"a", "b", "c", "d", "e", "f"}[:d]
				}
				got, err := Settle(m, Request{By: by, Terms: terms})
				if err != nil {
					if strings.Contains(err.Error(), "all cells are missing") {
						continue
					}
					t.Fatal(err)
				}
				at := 0
				for j := range d {
					column := mat.Col(nil, j, before)
					if !slices.ContainsFunc(column, func(v float64) bool { return v == v }) {
						continue
					}
					want := literal(column, by)
					if math.Abs(got.Filling.Values[at]-want) > 1e-14 {
						t.Fatalf("%s of %v is %v, want %v", by, column, got.Filling.Values[at], want)
					}
					for i, v := range column {
						if v != v {
							v = got.Filling.Values[at]
						}
						if got.X.At(i, at) != v {
							t.Fatalf("%T: cell %d of %v became %v, want %v", m, i, column, got.X.At(i, at), v)
						}
					}
					at++
				}
				if r, c := got.X.Dims(); r != n || c != at || got.Filling.Columns != at {
					t.Fatalf("%d×%d of %d columns with values, the filling of %d", r, c, at, got.Filling.Columns)
				}
				if s, ok := got.X.(*sparse.CSR); ok {
					if _, err := sparse.NewCSR(s.NumRows, s.NumCols, s.RowPtr, s.Col, s.Val); err != nil || slices.Contains(s.Val, 0) {
						t.Fatalf("not a matrix: %v, %v", err, s.Val)
					}
				}
				for i := range n {
					for j, v := range x.RawRowView(i) {
						if w := before.At(i, j); v != w && (v == v || w == w) {
							t.Fatal("the matrix was changed")
						}
					}
				}
			}
		}
	}
}

// TestDrop: what is left has no missing cell, and every row or column without one is left.
func TestDrop(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		x := randomTable(rnd)
		n, d := x.Dims()
		for _, by := range []string{DropRows, DropColumns} {
			for _, m := range stored(x) {
				got, err := Settle(m, Request{By: by})
				var refused *Error
				if errors.As(err, &refused) {
					continue // nothing would be left
				} else if err != nil {
					t.Fatal(err)
				}
				rows, columns := got.Rows, got.Columns
				for k := range n {
					if got.Rows == nil {
						rows = append(rows, k)
					}
				}
				for k := range d {
					if got.Columns == nil {
						columns = append(columns, k)
					}
				}
				for _, i := range rows {
					for at, j := range columns {
						if v := got.X.At(i, at); v != x.At(i, j) {
							t.Fatalf("%s: cell %d, %d is %v, want %v", by, i, j, v, x.At(i, j))
						}
					}
				}
				for i := range n {
					whole := !slices.ContainsFunc(columns, func(j int) bool { return math.IsNaN(x.At(i, j)) })
					if whole != slices.Contains(rows, i) {
						t.Fatalf("%s: row %d", by, i)
					}
				}
			}
		}
	}
}

// TestKnown: new rows are filled by the values of the first ones, column by column by name or by
// order, and what became of a row depends on no other row.
func TestKnown(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	names := []string{"a", "b", "c", "d", "e", "f"}
	for range 300 {
		x := randomTable(rnd)
		n, d := x.Dims()
		for _, terms := range [][]string{nil, names[:d]} {
			first, err := Settle(x, Request{By: Median, Terms: terms})
			if err != nil {
				continue
			}
			known := *first.Filling
			if terms != nil {
				for _, j := range append([]int{}, keptOf(first, d)...) {
					known.Terms = append(known.Terms, terms[j])
				}
			}
			whole := must.Get(Settle(x, Request{Terms: terms, Known: &known}))(t)
			i := rnd.IntN(n)
			one := must.Get(Settle(mat.DenseCopyOf(x.Slice(i, i+1, 0, d)), Request{Terms: terms, Known: &known}))(t)
			for at, j := range keptOf(first, d) {
				if terms != nil { // columns that the first rows did not keep are there by name
					if v := whole.X.At(i, j); v != first.X.At(i, at) || one.X.At(0, j) != v {
						t.Fatalf("row %d, column %d: %v and %v, want %v", i, j, v, one.X.At(0, j), first.X.At(i, at))
					}
				} else if v := whole.X.At(i, at); v != first.X.At(i, at) || one.X.At(0, at) != v {
					t.Fatalf("row %d, column %d: %v and %v, want %v", i, j, v, one.X.At(0, at), first.X.At(i, at))
				}
			}
		}
	}
}

// keptOf are the columns that are left of d.
func keptOf(s *Settled, d int) []int {
	if s.Columns != nil {
		return s.Columns
	}
	all := make([]int, d)
	for j := range all {
		all[j] = j
	}
	return all
}

// TestRefused: the error counts, and names the columns with the most first.
func TestRefused(t *testing.T) {
	nan := math.NaN()
	x := mat.NewDense(3, 3, []float64{1, nan, nan, 2, 3, nan, 4, 5, 6})
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Terms: []string{"p", "q", "r"}}, "3 cells are missing in 2 of 3 rows and 2 of 3 columns (r: 2, q: 1); the first, row 1, column q, is NaN; give ‹missing› median or mean"},
		{Request{Known: &Filling{Columns: 3}}, "the model was made without ‹missing› median or mean"},
		{Request{By: Mean, Known: &Filling{By: Median, Columns: 3, Values: []float64{1, 2, 3}}}, "the model fills missing cells by the median"},
	} {
		if _, err := Settle(x, c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v lacks %q", err, c.want)
		}
	}
}

// TestRefusedCounts: an error counts the cells that it is about, those of columns that would all be
// left out among them, and names the first one only where it is surely of these.
func TestRefusedCounts(t *testing.T) {
	nan := math.NaN()
	x := mat.NewDense(2, 2, []float64{1, nan, nan, 2})
	_, err := Settle(x, Request{By: DropColumns, Terms: []string{"p", "q"}})
	if err == nil || !strings.Contains(err.Error(), "2 cells are missing in 2 of 2 rows and 2 of 2 columns (p: 1, q: 1); the first, row 1, column q, is NaN; no column") {
		t.Errorf("%v", err)
	}
	known := &Filling{Columns: 1, Terms: []string{"p"}}
	_, err = Settle(x, Request{Known: known, Terms: []string{"q", "p"}, First: "line 2, column 2, is empty", Table: true})
	if err == nil || !strings.Contains(err.Error(), "1 cell is missing in 1 of 2 rows and 1 of 2 columns (p: 1); the model") {
		t.Errorf("%v", err)
	}
}

// TestSameNames: columns of one name are each filled by their own values where the columns of new
// rows are those of the first ones.
func TestSameNames(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 7, math.NaN(), math.NaN()})
	terms := []string{"p", "p"}
	first := must.Get(Settle(x, Request{By: Median, Terms: terms}))(t)
	known := *first.Filling
	known.Terms = terms
	later, err := Settle(x, Request{Known: &known, Terms: terms})
	if err != nil || later.X.At(1, 0) != 1 || later.X.At(1, 1) != 7 {
		t.Errorf("%v, %v", later, err)
	}
}
