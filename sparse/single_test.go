package sparse

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// drawn is a random matrix with empty rows, stored zeros and values of many sizes.
func drawn(t *testing.T, rows, cols int, seed uint64) *CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	ptr, col, val := []int{0}, []int32{}, []float64{}
	for i := range rows {
		for j := range cols {
			if i%7 != 3 && rng.IntN(4) == 0 {
				v := rng.NormFloat64() * math.Ldexp(1, rng.IntN(40)-20)
				if rng.IntN(9) == 0 {
					v = 0
				}
				col, val = append(col, int32(j)), append(val, v)
			}
		}
		ptr = append(ptr, len(col))
	}
	a := must.Get(NewCSR(rows, cols, ptr, col, val))(t)
	return a
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// literal are the values of a as float32, weighted one by one.
func literal(a *CSR, take Take, terms, lengths []float64) *CSR {
	want := a.Clone()
	for i := range a.NumRows {
		for k := a.RowPtr[i]; k < a.RowPtr[i+1]; k++ {
			v := float64(float32(a.Val[k]))
			switch {
			case take == TakeOne && v != 0:
				v = 1
			case take == TakeRoot:
				v = math.Sqrt(v)
			}
			if terms != nil {
				v *= terms[a.Col[k]]
			}
			if lengths != nil {
				v /= lengths[i]
			}
			want.Val[k] = v
		}
	}
	return want
}

// The literal definition: the value as float32, by the weight of its column, over the length of its
// row, in double precision.
func TestSingleIsItsDefinition(t *testing.T) {
	a := drawn(t, 50, 30, 1)
	plain, err := NewSingle(a)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	terms, lengths := make([]float64, 30), make([]float64, 50)
	for j := range terms {
		terms[j] = rng.Float64() * float64(j%5)
	}
	for i := range lengths {
		lengths[i] = 0.1 + rng.Float64()
	}
	for _, c := range []struct {
		take           Take
		terms, lengths []float64
	}{
		{}, {TakeOne, nil, nil}, {TakeValue, terms, nil}, {TakeValue, nil, lengths}, {TakeOne, terms, lengths}, {TakeValue, terms, lengths},
		{TakeRoot, nil, nil}, {TakeRoot, terms, nil}, {TakeRoot, nil, lengths}, {TakeRoot, terms, lengths},
	} {
		a, plain := a, plain
		if c.take == TakeRoot {
			a = a.Clone()
			for k, v := range a.Val {
				a.Val[k] = math.Abs(v)
			}
			if plain, err = NewSingle(a); err != nil {
				t.Fatal(err)
			}
		}

		s := plain.Weighted(c.take, c.terms, c.lengths)
		want := literal(a, c.take, c.terms, c.lengths)
		if got := s.Double(); !sameBits(got.Val, want.Val) || !slices.Equal(got.Col, want.Col) || !slices.Equal(got.RowPtr, want.RowPtr) {
			t.Fatalf("%+v: Double differs", c)
		}
		dense := make([]float64, a.NumCols)
		for j := range dense {
			dense[j] = rng.NormFloat64()
		}
		some := []int{7, 3, 7, 49}
		if got, want := s.Select(some), want.SelectRows(some); !sameBits(got.Val, want.Val) || !slices.Equal(got.Col, want.Col) {
			t.Errorf("%+v: Select differs", c)
		}
		if got, want := s.SelectRows(some).Double(), want.SelectRows(some); !sameBits(got.Val, want.Val) || !slices.Equal(got.RowPtr, want.RowPtr) {
			t.Errorf("%+v: SelectRows differs", c)
		}
		if !slices.Equal(s.ColCounts(), want.ColCounts()) || !slices.Equal(s.EmptyRows(), want.EmptyRows()) {
			t.Errorf("%+v: counts or empty rows differ", c)
		}
		if got, want := s.WithoutZeros().Double(), want.Filter(func(_, _ int, v float64) bool { return v != 0 }); !sameBits(got.Val, want.Val) || !slices.Equal(got.RowPtr, want.RowPtr) {
			t.Errorf("%+v: WithoutZeros differs", c)
		}
		sameRows(t, s, want, dense)
		if got, err := FromMatrix(s); err != nil || !mat.Equal(got, want) {
			t.Errorf("%+v: FromMatrix: %v", c, err)
		}
	}
}

// sameRows compares two matrices row by row and entry by entry, and their products with a vector.
func sameRows(t *testing.T, s *Single, want *CSR, dense []float64) {
	t.Helper()
	for i := range want.NumRows {
		if !sameBits(s.Values(i, nil), want.Values(i, nil)) || math.Float64bits(s.Dot(i, dense)) != math.Float64bits(want.Dot(i, dense)) {
			t.Errorf("row %d differs", i)
		}
		for j := range want.NumCols {
			if s.At(i, j) != want.At(i, j) {
				t.Errorf("entry (%d, %d) differs", i, j)
			}
		}
	}
}

// A wide matrix loses its empty columns, and its weights follow.
func TestSingleNarrow(t *testing.T) {
	cols := 1 << 25
	a := must.Get(NewCSR(2, cols, []int{0, 2, 3}, []int32{5, 1 << 24, 9}, []float64{1, 2, 3}))(t)
	s := must.Get(NewSingle(a))(t)
	terms := make([]float64, cols)
	terms[5], terms[9], terms[1<<24] = 2, 3, 5
	got, want := s.Weighted(TakeValue, terms, nil).Narrow(), s.Weighted(TakeValue, terms, nil).Double().Compact()
	if !mat.Equal(got, want) {
		t.Errorf("%v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}

func TestSingleDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	x := mat.NewDense(9, 4, nil)
	want := mat.NewDense(9, 4, nil)
	for i := range 9 {
		for j := range 4 {
			x.Set(i, j, rng.NormFloat64())
			want.Set(i, j, float64(float32(x.At(i, j))))
		}
	}
	s, err := NewSingleDense(x.Slice(0, 9, 0, 4).(*mat.Dense))
	if err != nil || !mat.Equal(s, want) || !mat.Equal(s.Double(), want) {
		t.Fatalf("%v", err)
	}
	picked := mat.NewDense(2, 4, slices.Concat(want.RawRowView(8), want.RawRowView(2)))
	if !mat.Equal(s.Select([]int{8, 2}), picked) || !mat.Equal(s.SelectRows([]int{8, 2}), picked) {
		t.Error("selected rows differ")
	}
	if d, err := Stored(s); err != nil || !mat.Equal(d, want) || IsSingle(d) {
		t.Errorf("Stored: %v", err)
	}
	if k, err := Kept(s); err != nil || k != mat.Matrix(s) {
		t.Errorf("Kept: %v", err)
	}
}

// What single precision cannot hold is refused with its place, and what it holds is within 2⁻²⁴.
func TestPrecisionRefused(t *testing.T) {
	for _, v := range []float64{1e39, -1e39, math.MaxFloat64, 1e-39, -1.5 * 0x1p-149, 5e-324} {
		x := mat.NewDense(2, 3, []float64{1, 2, 3, 4, v, 6})
		for _, m := range []mat.Matrix{x, csrOf(t, x)} {
			_, err := ToSingle(m)
			var at *PrecisionError
			if !errors.As(err, &at) || !errors.Is(err, fs.ErrInvalid) || at.Row != 1 || at.Col != 1 || at.Value != v {
				t.Errorf("%T with %v: %v", m, v, err)
			}
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		_, err := ToSingle(mat.NewDense(1, 1, []float64{v}))
		var at *NotFiniteError
		if !errors.As(err, &at) {
			t.Errorf("%v: %v", v, err)
		}
	}
	rng := rand.New(rand.NewPCG(6, 7))
	for range 10000 {
		v := (1 + rng.Float64()) * math.Ldexp(1, rng.IntN(252)-126)
		w, err := Narrowed(v, 0, 0)
		if err != nil || math.Abs(float64(w)-v) > 0x1p-24*v {
			t.Fatalf("%v is stored as %v: %v", v, w, err)
		}
	}
	for _, v := range []float64{0, 1, 1<<24 - 1, 1 << 24, 0.5, -3, math.MaxFloat32, 0x1p-127, -0x1p-149, 0x1.8p-148} {
		if w, err := Narrowed(v, 0, 0); err != nil || float64(w) != v {
			t.Errorf("%v is stored as %v: %v", v, w, err)
		}
	}
}

func csrOf(t *testing.T, x mat.Matrix) *CSR {
	t.Helper()
	a := must.Get(FromMatrix(x))(t)
	return a
}

// SingleOf takes the arrays where they are, with the values of NewSingle, and checks them as
// NewCSR.
func TestSingleOf(t *testing.T) {
	rowPtr, col, val := []int{0, 2, 3}, []int32{0, 2, 1}, []float32{1, 0.1, 3}
	s := must.Get(SingleOf(2, 3, rowPtr, col, val))(t)
	for i := range 2 {
		for j := range 3 {
			want := [2][3]float64{{1, 0, float64(float32(0.1))}, {0, 3, 0}}[i][j]
			if got := s.At(i, j); got != want {
				t.Errorf("(%d, %d) is %v, not %v", i, j, got, want)
			}
		}
	}
	for name, wrong := range map[string]func() (*Single, error){
		"order":  func() (*Single, error) { return SingleOf(2, 3, rowPtr, []int32{2, 0, 1}, val) },
		"column": func() (*Single, error) { return SingleOf(2, 2, rowPtr, col, val) },
		"finite": func() (*Single, error) { return SingleOf(2, 3, rowPtr, col, []float32{1, float32(math.NaN()), 3}) },
		"rows":   func() (*Single, error) { return SingleOf(3, 3, rowPtr, col, val) },
	} {
		if _, err := wrong(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whole numbers up to 2²⁴ are stored as they are, and other values leave the matrix alone.
func TestSingleCounts(t *testing.T) {
	a := drawn(t, 40, 30, 5)
	for k := range a.Val {
		a.Val[k] = float64(k % 7)
	}
	a.Val[0] = 1 << 24
	s := SingleCounts(a)
	if s == nil || !sameBits(s.Double().Val, a.Val) || &s.Pattern().Col[0] != &a.Col[0] {
		t.Fatal("counts are others, or have columns of their own")
	}
	for _, most := range []float64{1 << 24, 6} { // in 4 bytes, and in one
		a.Val[0] = most
		for _, v := range []float64{-1, 0.5, 1<<24 + 1, math.NaN(), math.Inf(1), math.Copysign(0, -1)} {
			b := a.Clone()
			b.Val[len(b.Val)-1] = v
			if SingleCounts(b) != nil {
				t.Errorf("up to %v: %v is taken for a count", most, v)
			}
		}
	}
}

// Counts up to 255 take a byte each, and everything that is read of them has the bits of the same
// counts in float32.
func TestSmallCounts(t *testing.T) {
	a := drawn(t, 40, 30, 7)
	for k := range a.Val {
		a.Val[k] = float64(k % 5)
	}
	a.Val[3] = 256
	if s := SingleCounts(a); s.EntryBytes() != 8 || !sameBits(s.Double().Val, a.Val) {
		t.Errorf("counts up to 256 take %d bytes each, want 8", s.EntryBytes())
	}
	a.Val[3] = 255
	small := SingleCounts(a)
	wide := must.Get(NewSingle(a))(t)
	if small.EntryBytes() != 5 || wide.EntryBytes() != 8 {
		t.Fatalf("entries of %d and %d bytes, want 5 and 8", small.EntryBytes(), wide.EntryBytes())
	}
	terms, lengths, dense := make([]float64, 30), make([]float64, 40), make([]float64, 30)
	for j := range terms {
		terms[j], dense[j] = float64(j%4)/3, 1/float64(j+2)
	}
	for i := range lengths {
		lengths[i] = math.Sqrt(float64(i + 2))
	}
	rows := []int{7, 3, 3, 39}
	for _, take := range []Take{TakeValue, TakeOne, TakeRoot} {
		for _, with := range [][2][]float64{{nil, nil}, {terms, nil}, {nil, lengths}, {terms, lengths}} {
			x, y := small.Weighted(take, with[0], with[1]), wide.Weighted(take, with[0], with[1])
			for name, pair := range map[string][2]*Single{"all": {x, y}, "chosen rows": {x.SelectRows(rows), y.SelectRows(rows)}, "without zeros": {x.WithoutZeros(), y.WithoutZeros()}, "narrow": {x.Narrow().(*Single), y.Narrow().(*Single)}} {
				got, want := pair[0], pair[1]
				if !sameBits(got.Double().Val, want.Double().Val) || !slices.Equal(got.Pattern().Col, want.Pattern().Col) || !slices.Equal(got.ColCounts(), want.ColCounts()) || !slices.Equal(got.EmptyRows(), want.EmptyRows()) {
					t.Errorf("take %d, %s: the entries are others", take, name)
				}
				for i := range got.Pattern().NumRows {
					if got.Dot(i, dense) != want.Dot(i, dense) {
						t.Errorf("take %d, %s: the product with row %d is another", take, name, i)
					}
				}
			}
		}
	}
}

// Rows that are chosen of counts take the weights that the rows have among all.
func TestWeightedAs(t *testing.T) {
	a := drawn(t, 40, 30, 6)
	for k := range a.Val {
		a.Val[k] = float64(1 + k%5)
	}
	terms, lengths := make([]float64, 30), make([]float64, 40)
	for j := range terms {
		terms[j] = 1 / float64(j+3)
	}
	for i := range lengths {
		lengths[i] = math.Sqrt(float64(i + 2))
	}
	rows := []int{7, 3, 3, 39}
	counts := SingleCounts(a)
	for _, l := range [][]float64{lengths, nil} {
		all := counts.Weighted(TakeRoot, terms, l)
		few := counts.SelectRows(rows)
		got := few.WeightedAs(all, func(i int) int { return rows[i] })
		if !sameBits(got.Double().Val, all.Double().SelectRows(rows).Val) {
			t.Error("weights of chosen rows are others")
		}
		if !got.SharesEntries(few) || !all.SharesEntries(counts) || got.SharesEntries(all) || few.SharesEntries(counts) {
			t.Error("rows that share entries are taken for others, or others for them")
		}
	}
}

// Counts in single precision are the same at any number of threads, with a value that does not fit
// in any of the parts that threads look at; so are the entries of each column.
func TestSingleCountsOfManyParts(t *testing.T) {
	defer native.SetThreads(0)
	const rows, each = 1000, 200
	a := &CSR{NumRows: rows, NumCols: 5000, RowPtr: []int{0}}
	want := make([]int, a.NumCols)
	for i := range rows {
		for j := range each {
			c := int32(i%7 + 20*j)
			a.Col, a.Val = append(a.Col, c), append(a.Val, float64((i+j)%256))
			if (i+j)%256 != 0 {
				want[c]++
			}
		}
		a.RowPtr = append(a.RowPtr, len(a.Col))
	}
	if len(a.Val) < 3*valueGrain {
		t.Fatal("too few parts")
	}
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		for _, at := range []int{-1, 5, valueGrain, len(a.Val) - 1} {
			for value, kept := range map[float64]int{256: 4, 1 << 24: 4, 1<<24 + 2: 0, 1.5: 0, -1: 0, math.Copysign(0, -1): 0, math.Inf(1): 0, math.NaN(): 0} {
				b := *a
				if b.Val = slices.Clone(a.Val); at >= 0 {
					b.Val[at] = value
				} else {
					kept = 1
				}
				s := SingleCounts(&b)
				if (s == nil) != (kept == 0) || s != nil && (s.small != nil) != (kept == 1) {
					t.Fatalf("%v at %d, %d threads: %v", value, at, threads, s != nil)
				}
				if s == nil {
					continue
				}
				for i := range rows {
					if !slices.Equal(s.Values(i, nil), b.Val[b.RowPtr[i]:b.RowPtr[i+1]]) {
						t.Fatalf("%v at %d, %d threads: row %d", value, at, threads, i)
					}
				}
				if at < 0 && !slices.Equal(s.ColCounts(), want) {
					t.Fatalf("%d threads: other counts of columns", threads)
				}
			}
		}
	}
}
