package sparse

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	jb "github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawDense draws a small matrix of integers, so that sums are exact in any order.
func drawDense(t *rapid.T, maxRows, maxCols int) *mat.Dense {
	rows := rapid.IntRange(1, maxRows).Draw(t, "rows")
	cols := rapid.IntRange(1, maxCols).Draw(t, "cols")
	d := mat.NewDense(rows, cols, nil)
	for range rapid.IntRange(0, rows*cols).Draw(t, "entries") {
		d.Set(rapid.IntRange(0, rows-1).Draw(t, "i"), rapid.IntRange(0, cols-1).Draw(t, "j"), float64(rapid.IntRange(-3, 3).Draw(t, "v")))
	}
	return d
}

// fromDense makes the expected CSR: row by row through NewCSR.
func fromDense(t interface{ Fatal(...any) }, d *mat.Dense) *CSR {
	r, c := d.Dims()
	ptr, col, val := []int{0}, []int32{}, []float64{}
	for i := range r {
		for j := range c {
			if v := d.At(i, j); v != 0 {
				col, val = append(col, int32(j)), append(val, v)
			}
		}
		ptr = append(ptr, len(col))
	}
	a := must.Get(NewCSR(r, c, ptr, col, val))(t)
	return a
}

func same(a, b *CSR) bool {
	return a.NumRows == b.NumRows && a.NumCols == b.NumCols && slices.Equal(a.RowPtr, b.RowPtr) &&
		slices.Equal(a.Col, b.Col) && slices.Equal(a.Val, b.Val)
}

func TestNewCSRRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var shape *ShapeError
	var index *IndexError
	var order *OrderError
	var notFinite *NotFiniteError
	for name, c := range map[string]struct {
		rows, cols int
		ptr        []int
		col        []int32
		val        []float64
		want       any
	}{
		"negative rows":       {-1, 2, []int{}, nil, nil, &shape},
		"negative columns":    {1, -2, []int{0, 0}, nil, nil, &shape},
		"rows over int32":     {math.MaxInt64, 2, []int{0}, nil, nil, &shape},
		"columns over int32":  {0, MaxDim + 1, []int{0}, nil, nil, &shape},
		"no pointers":         {0, 0, nil, nil, nil, &shape},
		"pointers too short":  {2, 2, []int{0, 0}, nil, nil, &shape},
		"first pointer not 0": {1, 2, []int{1, 1}, []int32{0}, []float64{1}, &shape},
		"last pointer beyond": {1, 2, []int{0, 2}, []int32{0}, []float64{1}, &shape},
		"last pointer before": {1, 2, []int{0, 0}, []int32{0}, []float64{1}, &shape},
		"pointers fall":       {3, 2, []int{0, 2, 1, 2}, []int32{0, 1}, []float64{1, 1}, &shape},
		"pointer overshoots":  {2, 2, []int{0, math.MaxInt64, 1}, []int32{0}, []float64{1}, &shape},
		"pointer negative":    {2, 2, []int{0, math.MinInt64, 1}, []int32{0}, []float64{1}, &shape},
		"lengths differ":      {1, 2, []int{0, 1}, []int32{0}, nil, &shape},
		"column negative":     {1, 2, []int{0, 1}, []int32{-1}, []float64{1}, &index},
		"column too large":    {1, 2, []int{0, 1}, []int32{2}, []float64{1}, &index},
		"duplicate":           {1, 2, []int{0, 2}, []int32{1, 1}, []float64{1, 1}, &order},
		"unsorted":            {1, 2, []int{0, 2}, []int32{1, 0}, []float64{1, 1}, &order},
		"NaN":                 {1, 2, []int{0, 1}, []int32{1}, []float64{nan}, &notFinite},
		"Inf":                 {2, 2, []int{0, 0, 1}, []int32{1}, []float64{-inf}, &notFinite},
	} {
		_, err := NewCSR(c.rows, c.cols, c.ptr, c.col, c.val)
		if err == nil || !errors.As(err, c.want) || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: got %v, want a %T", name, err, c.want)
		}
	}
	if notFinite.Row > 1 || notFinite.Col != 1 {
		t.Errorf("place of the entry: %+v", notFinite)
	}
	if _, err := NewCSR(0, 0, []int{0}, nil, nil); err != nil {
		t.Errorf("0 × 0: %v", err)
	}
}

// The builder compared with a map of sums: any order, duplicates, sums of zero.
func TestBuilderSums(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 30).Draw(t, "cols")
		b := NewBuilder(rows, cols)
		want := mat.NewDense(rows, cols, nil)
		for range rapid.IntRange(0, 120).Draw(t, "n") {
			i, j := rapid.IntRange(0, rows-1).Draw(t, "i"), rapid.IntRange(0, cols-1).Draw(t, "j")
			// Sums in another order would differ in bits: 1e17 absorbs what is added after it.
			v := rapid.SampledFrom([]float64{-2, -1, 0, 0.1, 1, 1e17, -1e17}).Draw(t, "v")
			b.Add(i, j, v)
			want.Set(i, j, want.At(i, j)+v)
		}
		got := must.Get(b.Build())(t)
		if !same(got, fromDense(t, want)) {
			t.Fatalf("got %+v\nwant %v", got, mat.Formatted(want))
		}
		if empty, err := b.Build(); err != nil || empty.NNZ() != 0 {
			t.Fatalf("a builder after Build is not empty: %v %v", empty, err)
		}
	})
}

func TestBuilderRefuses(t *testing.T) {
	var index *IndexError
	var notFinite *NotFiniteError
	var shape *ShapeError
	b := NewBuilder(2, 3)
	b.Add(1, 3, 1)
	b.Add(7, 0, 1)
	if _, err := b.Build(); !errors.As(err, &index) || *index != (IndexError{1, 3, 2, 3}) || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("out of range: %v", err)
	}
	b.Add(0, 1, math.NaN())
	if _, err := b.Build(); !errors.As(err, &notFinite) || notFinite.Col != 1 {
		t.Errorf("NaN: %v", err)
	}
	b.Add(1, 2, math.MaxFloat64)
	b.Add(1, 2, math.MaxFloat64)
	if _, err := b.Build(); !errors.As(err, &notFinite) || notFinite.Row != 1 || notFinite.Col != 2 {
		t.Errorf("overflowing sum: %v", err)
	}
	for _, b := range []*Builder{NewBuilder(-1, 3), NewBuilder(1, MaxDim+1)} {
		b.Grow(5)
		b.Add(0, 0, 1)
		if _, err := b.Build(); !errors.As(err, &shape) {
			t.Errorf("bad shape: %v", err)
		}
	}
}

func TestTransposeSelectScale(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d := drawDense(t, 9, 9)
		a := fromDense(t, d)
		r, c := d.Dims()
		check := func(what string, got *CSR, want mat.Matrix) {
			if _, err := NewCSR(got.NumRows, got.NumCols, got.RowPtr, got.Col, got.Val); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if gr, gc := got.Dims(); gr == 0 || gc == 0 {
				if wr, wc := want.Dims(); gr != wr || gc != wc {
					t.Fatalf("%s: %d × %d", what, gr, gc)
				}
				return
			}
			if !mat.Equal(got, want) {
				t.Fatalf("%s: got\n%v\nwant\n%v", what, mat.Formatted(got), mat.Formatted(want))
			}
		}
		check("transpose", a.Transpose(), d.T())
		if !same(a.Transpose().Transpose(), a) {
			t.Fatal("transposing twice changes the matrix")
		}
		pick := func(n int, label string) []int {
			return rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 12).Draw(t, label)
		}
		ri, ci := pick(r, "pick rows"), pick(c, "pick cols")
		if rapid.Bool().Draw(t, "ascending") {
			slices.Sort(ci)
			ci = slices.Compact(ci)
		}
		wantR, wantC := mat.NewDense(len(ri), c, nil), mat.NewDense(r, len(ci), nil)
		for k, i := range ri {
			wantR.SetRow(k, mat.Row(nil, i, d))
		}
		for k, j := range ci {
			wantC.SetCol(k, mat.Col(nil, j, d))
		}
		check("select rows", a.SelectRows(ri), wantR)
		check("select cols", a.SelectCols(ci), wantC)
		check("no rows", a.SelectRows(nil), a.SelectRows([]int{}))

		s := make([]float64, r)
		for i := range s {
			s[i] = float64(i + 1)
		}
		var want mat.Dense
		want.Mul(mat.NewDiagDense(r, s), d)
		check("scale rows", a.ScaleRows(s), &want)
		s = make([]float64, c)
		for i := range s {
			s[i] = float64(i + 2)
		}
		var wantCols mat.Dense
		wantCols.Mul(d, mat.NewDiagDense(c, s))
		check("scale cols", a.ScaleCols(s), &wantCols)

		sums, norms, unit := a.RowSums(), a.RowNorms(), a.NormalizeRows()
		counts, empty := a.ColCounts(), a.EmptyRows()
		for i := range r {
			row := mat.NewVecDense(c, mat.Row(nil, i, d))
			if sums[i] != mat.Sum(row) || math.Abs(norms[i]-mat.Norm(row, 2)) > 1e-14*norms[i] {
				t.Fatalf("row %d: sum %v, norm %v", i, sums[i], norms[i])
			}
			n := unit.RowNorms()[i]
			if slices.Contains(empty, i) != (n == 0) || n != 0 && math.Abs(n-1) > 1e-15*4 {
				t.Fatalf("row %d of norm %v, empty rows %v", i, n, empty)
			}
		}
		for j := range c {
			n := 0
			for _, v := range mat.Col(nil, j, d) {
				if v != 0 {
					n++
				}
			}
			if counts[j] != n {
				t.Fatalf("column %d: %d entries, counted %d", j, n, counts[j])
			}
		}
		clone := a.Clone()
		if !same(clone, a) {
			t.Fatal("clone differs")
		}
	})
}

func TestConversions(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d := drawDense(t, 7, 7)
		a := fromDense(t, d)
		for _, m := range []mat.Matrix{d, a, a.T(), a.ToBowman(), a.ToBowman().ToCSC(), a.ToBowman().ToCOO(), mat.Transpose{Matrix: d}, opaque{d}} {
			got, err := FromMatrix(m)
			if err != nil {
				t.Fatalf("%T: %v", m, err)
			}
			want := a
			if _, ok := m.(mat.Transpose); ok {
				want = a.Transpose()
			}
			if !same(got, want) {
				t.Fatalf("%T: got %+v, want %+v", m, got, want)
			}
		}
		if !mat.Equal(a.ToDense(), d) {
			t.Fatal("ToDense")
		}
		for i := range a.NumRows {
			for j := range a.NumCols {
				if a.At(i, j) != d.At(i, j) {
					t.Fatalf("At(%d, %d)", i, j)
				}
			}
		}
	})
}

// opaque hides everything but At.
type opaque struct{ mat.Matrix }

func TestFromBowmanRepairsAndChecks(t *testing.T) {
	// Unsorted, with a duplicate and an entry that cancels.
	a := must.Get(FromBowman(jb.NewCSR(2, 3, []int{0, 4, 6}, []int{2, 0, 2, 0, 1, 1}, []float64{5, 1, -1, 1, 7, -7})))(t)
	want := &CSR{NumRows: 2, NumCols: 3, RowPtr: []int{0, 2, 2}, Col: []int32{0, 2}, Val: []float64{2, 4}}
	if !same(a, want) {
		t.Errorf("got %+v, want %+v", a, want)
	}
	for name, m := range map[string]*jb.CSR{
		"falling pointers":  jb.NewCSR(2, 3, []int{0, 5, 2}, []int{0, 1}, []float64{1, 1}),
		"short pointers":    jb.NewCSR(2, 3, []int{0, 2}, []int{0, 1}, []float64{1, 1}),
		"lengths":           jb.NewCSR(1, 3, []int{0, 2}, []int{0}, []float64{1, 1}),
		"column":            jb.NewCSR(1, 3, []int{0, 1}, []int{3}, []float64{1}),
		"column over int32": jb.NewCSR(1, 3, []int{0, 1}, []int{1 << 33}, []float64{1}),
		"negative":          jb.NewCSR(-1, 3, []int{}, nil, nil),
		"value":             jb.NewCSR(1, 3, []int{0, 1}, []int{1}, []float64{math.Inf(1)}),
	} {
		if _, err := FromBowman(m); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNotFinite(t *testing.T) {
	d := mat.NewDense(2, 2, []float64{1, 0, 0, math.NaN()})
	for _, m := range []mat.Matrix{d, opaque{d}, &CSR{2, 2, []int{0, 0, 1}, []int32{1}, []float64{math.NaN()}}} {
		var nf *NotFiniteError
		if _, err := FromMatrix(m); !errors.As(err, &nf) || nf.Row != 1 || nf.Col != 1 {
			t.Errorf("%T: %v", m, err)
		}
	}
}

func TestExtremeNorms(t *testing.T) {
	a := &CSR{3, 2, []int{0, 2, 4, 6}, []int32{0, 1, 0, 1, 0, 1}, []float64{3e200, 4e200, 3e-200, 4e-200, 3e-310, 4e-310}}
	for i, want := range []float64{5e200, 5e-200, 5e-310} {
		if got := a.RowNorms()[i]; math.Abs(got-want) > 1e-12*want {
			t.Errorf("norm %v, want %v", got, want)
		}
		if got := a.NormalizeRows().RowNorms()[i]; math.Abs(got-1) > 1e-12 {
			t.Errorf("row %d has norm %v after normalizing", i, got)
		}
	}
}

func TestSymmetry(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d := drawDense(t, 6, 6)
		r, c := d.Dims()
		want := r == c && mat.Equal(d, d.T())
		if got := fromDense(t, d).IsSymmetric(0); got != want {
			t.Fatalf("IsSymmetric = %v for\n%v", got, mat.Formatted(d))
		}
	})
	a := &CSR{2, 2, []int{0, 1, 2}, []int32{1, 0}, []float64{4, 4 + 1e-9}}
	if a.IsSymmetric(1e-10) || !a.IsSymmetric(1e-9) {
		t.Error("the tolerance is not relative to the largest entry")
	}
	if i, j, ok := a.Asymmetry(0); ok || i != 0 || j != 1 {
		t.Errorf("place (%d, %d)", i, j)
	}
}

// Components compared with a flood fill over the dense pattern.
func TestComponents(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		b, adj := NewBuilder(n, n), make([][]bool, n)
		for i := range adj {
			adj[i] = make([]bool, n)
		}
		for range rapid.IntRange(0, n).Draw(t, "edges") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			b.Add(i, j, 1) // one direction only: the pattern counts as undirected
			adj[i][j], adj[j][i] = true, true
		}
		a, _ := b.Build()
		label, count := a.Components()
		want, next := make([]int32, n), int32(0)
		for i := range want {
			want[i] = -1
		}
		for i := range n {
			if want[i] >= 0 {
				continue
			}
			for stack := []int{i}; len(stack) > 0; {
				u := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				want[u] = next
				for v := range n {
					if adj[u][v] && want[v] < 0 {
						stack = append(stack, v)
					}
				}
			}
			next++
		}
		if count != int(next) || !slices.Equal(label, want) {
			t.Fatalf("got %v (%d), want %v (%d)", label, count, want, next)
		}
	})
	zero := &CSR{2, 2, []int{0, 1, 2}, []int32{1, 0}, []float64{0, 0}}
	if _, n := zero.Components(); n != 2 {
		t.Error("a stored zero connects")
	}
}

// randomGraph is a symmetric matrix with about degree entries per row.
func randomGraph(n, degree int, seed uint64) *CSR {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := NewBuilder(n, n)
	for i := range n {
		for range degree / 2 {
			j, v := rng.IntN(n), rng.Float64()
			b.Add(i, j, v)
			b.Add(j, i, v)
		}
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return a
}

// The tolerance is a share of the largest absolute entry, and a difference counts with either sign.
func TestAsymmetryOfNegativeEntries(t *testing.T) {
	pair := func(a, b float64) *CSR { return fromDense(t, mat.NewDense(2, 2, []float64{0, a, b, 0})) }
	for _, c := range []struct {
		m   *CSR
		tol float64
		ok  bool
	}{
		{pair(-2, -2.001), 1e-2, true},
		{pair(-2, -2.1), 1e-2, false},
		{pair(1, 2), 1e-2, false},
		{pair(2, 1), 1e-2, false},
		{pair(1, 2), 0, false},
		{pair(-1, 0), 0, false},
		{pair(0, -1), 0, false},
		{pair(-3, -3), 0, true},
	} {
		i, j, ok := c.m.Asymmetry(c.tol)
		if ok != c.ok || !ok && (i != 0 || j != 1) {
			t.Errorf("%v with tolerance %v: (%d, %d), %v", c.m.Val, c.tol, i, j, ok)
		}
	}
}

// Stored zeros are no entries.
func TestStoredZerosAreNotCounted(t *testing.T) {
	a := must.Get(NewCSR(3, 3, []int{0, 2, 3, 5}, []int32{0, 1, 2, 0, 1}, []float64{1, 0, 0, 0, -2}))(t)
	if got := a.ColCounts(); !slices.Equal(got, []int{1, 1, 0}) {
		t.Errorf("non-zero entries of the columns: %v", got)
	}
	if got := a.EmptyRows(); !slices.Equal(got, []int{1}) {
		t.Errorf("empty rows: %v", got)
	}
	if got := a.RowNorms(); !slices.Equal(got, []float64{1, 0, 2}) {
		t.Errorf("norms %v", got)
	}
}

// Matrices of many entries are transposed and selected in parts, with the same result at any number
// of threads.
func TestPartsOfLargeMatrices(t *testing.T) {
	defer native.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 1))
	const rows, cols = 6000, 700
	b := NewBuilder(rows, cols)
	for i := range rows {
		for range i % 100 { // rows of different lengths, some empty
			b.Add(i, rng.IntN(cols), rng.NormFloat64())
		}
	}
	a := must.Get(b.Build())(t)
	native.SetThreads(1)
	picked, some := rng.Perm(rows)[:4000], []int{}
	for j := 0; j < cols; j += 3 {
		some = append(some, j)
	}
	turned, chosen, narrow, counts := a.Transpose(), a.SelectRows(picked), a.SelectCols(some), a.ColCounts()
	for j, n := range counts {
		if n != turned.RowPtr[j+1]-turned.RowPtr[j] {
			t.Fatalf("column %d has %d entries, not %d", j, turned.RowPtr[j+1]-turned.RowPtr[j], n)
		}
	}
	if !same(turned.Transpose(), a) || !same(narrow, turned.SelectRows(some).Transpose()) {
		t.Fatal("transposing twice, or selecting columns, changes the matrix")
	}
	for _, threads := range []int{2, 3, 8} {
		native.SetThreads(threads)
		if !same(a.Transpose(), turned) || !same(a.SelectRows(picked), chosen) || !same(a.SelectCols(some), narrow) {
			t.Errorf("%d threads: another result than one thread", threads)
		}
		if !slices.Equal(a.ColCounts(), counts) {
			t.Errorf("%d threads: other counts than one thread", threads)
		}
	}
}
