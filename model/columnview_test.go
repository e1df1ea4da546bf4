package model

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// columnOf is a column of words, "" for none.
func columnOf(words ...string) *corpus.Column {
	c := &corpus.Column{Name: "c"}
	for _, w := range words {
		k := int32(-1)
		if w != "" {
			if k = int32(slices.Index(c.Words, w)); k < 0 {
				k = int32(len(c.Words))
				c.Words = append(c.Words, w)
			}
		}
		c.Of = append(c.Of, k)
	}
	return c
}

// each is a list of n words.
func each(n int, word func(i int) string) (list []string) {
	for i := range n {
		list = append(list, word(i))
	}
	return list
}

func TestKindsOfColumns(t *testing.T) {
	for name, c := range map[string]struct {
		words []string
		kind  string // given
		want  string // the kind, or a part of the error
		width int
	}{
		"category":      {each(40, func(i int) string { return []string{"a", "b", ""}[i%3] }), "", KindCategory, 2},
		"few wholes":    {each(40, func(i int) string { return fmt.Sprint(i % 5) }), "", KindCategory, 5},
		"as a number":   {each(40, func(i int) string { return fmt.Sprint(i % 5) }), KindNumber, KindNumber, 2},
		"fractions":     {each(40, func(i int) string { return fmt.Sprint(float64(i%5) / 2) }), "", KindNumber, 2},
		"many wholes":   {each(40, func(i int) string { return fmt.Sprint(7 * (i % 20)) }), "", KindNumber, 2},
		"a code":        {each(40, func(i int) string { return fmt.Sprint(7 * (i % 20)) }), KindCategory, KindCategory, 20},
		"dates":         {each(40, func(i int) string { return fmt.Sprintf("2026-11-%02d", 1+i%28) }), "", KindDate, 2},
		"days first":    {each(40, func(i int) string { return fmt.Sprintf("%d/3/2020", 1+i%28) }), "", KindDate, 2},
		"two ways":      {each(40, func(i int) string { return fmt.Sprintf("%d/3/2020", 1+i%9) }), "", "reads two ways", 0},
		"rare values":   {append(each(40, func(i int) string { return "ab"[i%2 : i%2+1] }), "c", "d"), "", KindCategory, 2},
		"many values":   {each(600, func(i int) string { return fmt.Sprint("v", i%200) }), "", KindCategory, 100},
		"names":         {each(40, func(i int) string { return fmt.Sprint("name", i) }), "", "names of documents", 0},
		"numbered":      {each(40, func(i int) string { return fmt.Sprint(100 + i) }), "", "numbers the documents", 0},
		"numbered, yes": {each(40, func(i int) string { return fmt.Sprint(100 + i) }), KindNumber, KindNumber, 2},
		"nothing":       {each(40, func(int) string { return "" }), "", "no document has a value", 0},
		"one value":     {each(40, func(int) string { return "x" }), "", KindCategory, 1},
		"no dates":      {each(40, func(i int) string { return "ab"[i%2 : i%2+1] }), KindDate, "none of its values is a date", 0},
	} {
		v, err := NewColumnView(columnOf(c.words...), c.kind)
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) || !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		case v.Kind != c.want || v.Width() != c.width:
			t.Errorf("%s: %s of %d numbers, want %s of %d", name, v.Kind, v.Width(), c.want, c.width)
		}
	}
}

// Numbers of a row have length 1 or are zeros; the product of categories is that of equal values,
// and of numbers the cosine of the difference of their ranks, whatever their scale.
func TestColumnProducts(t *testing.T) {
	words := each(41, func(i int) string { return []string{"a", "b", "c", ""}[i%4] })
	c := columnOf(words...)
	v := must.Get(NewColumnView(c, ""))(t)
	x := mat.NewDense(41, v.Width(), nil)
	must.Do(t, v.Encode(c, x, 0))
	for i := range 41 {
		for j := range 41 {
			want := 0.0
			if words[i] == words[j] && words[i] != "" {
				want = 1
			}
			if got := floats.Dot(x.RawRowView(i), x.RawRowView(j)); got != want {
				t.Fatalf("%q and %q: %g", words[i], words[j], got)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	plain, scaled := &corpus.Column{Name: "n", Values: make([]float64, 500)}, &corpus.Column{Name: "n", Values: make([]float64, 500)}
	for i := range 500 {
		plain.Values[i] = rng.NormFloat64()
		scaled.Values[i] = math.Exp(5 * plain.Values[i])
	}
	plain.Values[3], scaled.Values[3] = math.NaN(), math.NaN()
	y, z := mat.NewDense(500, 2, nil), mat.NewDense(500, 2, nil)
	for of, x := range map[*corpus.Column]*mat.Dense{plain: y, scaled: z} {
		v := must.Get(NewColumnView(of, ""))(t)
		must.Do(t, v.Encode(of, x, 0))
	}
	sorted := slices.Clone(plain.Values)
	slices.Sort(sorted)
	for i := range 500 {
		rank, _ := slices.BinarySearch(sorted[1:], plain.Values[i]) // without the NaN, which sorts first
		u := math.Pi / 2 * float64(rank) / 498
		if i == 3 {
			if floats.Norm(y.RawRowView(i), 2) != 0 {
				t.Error("a missing number has a length")
			}
			continue
		}
		if d := math.Hypot(y.At(i, 0)-math.Cos(u), y.At(i, 1)-math.Sin(u)); d > .02 {
			t.Fatalf("number %d of rank %d is at %v", i, rank, y.RawRowView(i))
		}
		if d := math.Hypot(y.At(i, 0)-z.At(i, 0), y.At(i, 1)-z.At(i, 1)); d > .02 {
			t.Fatalf("number %d is elsewhere on another scale", i)
		}
	}
}

// Dates of new documents read as those of the first ones.
func TestDatesOfNewDocuments(t *testing.T) {
	old := columnOf(each(60, func(i int) string { return fmt.Sprintf("%d/%d/2020", 1+i%28, 1+i%12) })...)
	v := must.Get(NewColumnView(old, ""))(t)
	got, want := mat.NewDense(1, 2, nil), mat.NewDense(1, 2, nil)
	must.Do(t, v.Encode(columnOf("3/4/2020"), got, 0))
	if err := v.Encode(columnOf("2020-04-03"), want, 0); err != nil || !mat.Equal(got, want) || mat.Norm(got, 2) == 0 {
		t.Errorf("3/4/2020 is at %v, and 3 April at %v: %v", got, want, err)
	}
	if err := v.Encode(columnOf("4/30/2020"), got, 0); err == nil {
		t.Error("a date with the month first is taken")
	}
}

// Dates keep their order however far away they are: years such as 9999 often stand for no end.
func TestDatesFarAway(t *testing.T) {
	words := []string{"0001-01-01", "1600-01-01", "1970-01-01", "2026-11-28", "2300-01-01", "9999-12-31"}
	v := must.Get(NewColumnView(columnOf(words...), KindDate))(t)
	x := mat.NewDense(len(words), 2, nil)
	must.Do(t, v.Encode(columnOf(words...), x, 0))
	for i, w := range words {
		if u := math.Atan2(x.At(i, 1), x.At(i, 0)) / (math.Pi / 2); math.Abs(u-float64(i)/5) > 1e-12 {
			t.Errorf("%s has the rank %g, want %g", w, u, float64(i)/5)
		}
	}
}

// A column of new documents has the model's name in any case of the letters, an equal name first.
func TestNamesOfNewColumns(t *testing.T) {
	old, upper, equal := columnOf("a", "b", "a", "b"), columnOf("b"), columnOf("a")
	v := must.Get(NewColumnView(old, ""))(t)
	upper.Name, equal.Name = "C", "c"
	r := Rows{View: []ColumnView{*v}}
	for want, list := range map[int][]corpus.Column{1: {*upper}, 0: {*upper, *equal}} {
		x, missing, err := r.ColumnRows(list, 1)
		if err != nil || missing != nil || x.At(0, want) != 1 {
			t.Errorf("%d columns: %v, missing %q, %v", len(list), x, missing, err)
		}
	}
	if _, missing, _ := r.ColumnRows([]corpus.Column{{Name: "d"}}, 1); !slices.Equal(missing, []string{"c"}) {
		t.Errorf("missing %q", missing)
	}
}

// Numbers of new documents are the values of a category that they write, the most frequent one if
// several do.
func TestNumbersOfACategory(t *testing.T) {
	v := must.Get(NewColumnView(columnOf("a", "1", "a", "1", "a", "1.0", "1.0", "1", "20", "20"), KindCategory))(t)
	x := mat.NewDense(4, v.Width(), nil)
	must.Do(t, v.Encode(&corpus.Column{Name: "c", Values: []float64{1, 20, 7, math.NaN()}}, x, 0))
	for i, word := range []string{"1", "20", "", ""} {
		for k, value := range v.Values {
			if got := x.At(i, k) == 1; got != (value == word) {
				t.Errorf("document %d has the value %q: %v", i, value, got)
			}
		}
	}
}

// Ranks are the middle of equal values, and outside of the values the nearest end.
func TestRankOfNumbers(t *testing.T) {
	v := ColumnView{Kind: KindNumber, Quantiles: []float64{1, 2, 2, 2, 6}}
	for x, want := range map[float64]float64{0: 0, 1: 0, 1.5: .125, 2: .5, 4: .875, 6: 1, 9: 1} {
		if got := v.rank(x); got != want {
			t.Errorf("%g has the rank %g, want %g", x, got, want)
		}
	}
	if v.Quantiles = []float64{3, 3, 3}; v.rank(3) != .5 {
		t.Errorf("of equal numbers: %g", v.rank(3))
	}
	if v.Quantiles = []float64{-1.5e308, 1.5e308}; !(math.Abs(v.rank(.75e308)-.75) < 1e-15) {
		t.Errorf("between the largest numbers: %g", v.rank(.75e308))
	}
}

// Joined rows have length 1, and their product is the weighted mean of those of the parts.
func TestJoinColumns(t *testing.T) {
	rows := mat.NewDense(3, 2, []float64{1, 0, .6, .8, 0, 0})
	view := []ColumnView{{Kind: KindCategory, Values: []string{"a", "b"}, Weight: .5}, {Kind: KindNumber, Quantiles: []float64{0, 1}, Weight: .25}}
	columns := mat.NewDense(3, 4, []float64{1, 0, 0, 1, 1, 0, 1, 0, 0, 1, .6, .8})
	r := Rows{}
	r.SetView(view, columns)
	x := r.JoinColumns(rows, columns).(*mat.Dense)
	for i := range 3 {
		if l := floats.Norm(x.RawRowView(i), 2); math.Abs(l-1) > 1e-15 {
			t.Errorf("row %d has length %g", i, l)
		}
	}
	if got, want := floats.Dot(x.RawRowView(0), x.RawRowView(1)), (.6+.5)/1.75; math.Abs(got-want) > 1e-15 {
		t.Errorf("product %g, want %g", got, want)
	}
}

// A document without a value is as near to those without one as to those with one, on average, and
// the lengths do not tell it apart.
func TestMissingValuesJoined(t *testing.T) {
	const n = 600
	rng := rand.New(rand.NewPCG(5, 6))
	rows, columns := mat.NewDense(n, 20, nil), mat.NewDense(n, 4, nil)
	for i := range n {
		for c := range 20 {
			rows.Set(i, c, rng.NormFloat64())
		}
		floats.Scale(1/floats.Norm(rows.RawRowView(i), 2), rows.RawRowView(i))
		if i%3 > 0 {
			columns.Set(i, rng.IntN(4), 1)
		}
	}
	r := Rows{}
	r.SetView([]ColumnView{{Kind: KindCategory, Values: []string{"a", "b", "c", "d"}, Weight: .8}}, columns)
	x := r.JoinColumns(rows, columns).(*mat.Dense)
	var sum, count [2]float64
	for i := 0; i < n; i += 3 {
		for j := range n {
			if i == j {
				continue
			}
			d := floats.Dot(x.RawRowView(i), x.RawRowView(j)) - floats.Dot(rows.RawRowView(i), rows.RawRowView(j))/1.8
			sum[min(1, j%3)] += d
			count[min(1, j%3)]++
		}
	}
	without, with := sum[0]/count[0], sum[1]/count[1]
	if math.Abs(without-with) > .005 || math.Abs(with-.8*.25/1.8) > .005 {
		t.Errorf("products with documents without a value are %.4f above those of the rows, and with others %.4f", without, with)
	}
}

// A model keeps its columns; values that no fit makes are refused.
func TestColumnViewChecked(t *testing.T) {
	good := ColumnView{Name: "p", Kind: KindCategory, Values: []string{"a"}, Mean: []float64{1}, Weight: .5}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []func(v *ColumnView){
		func(v *ColumnView) { v.Weight = 0 }, func(v *ColumnView) { v.Weight = 2 }, func(v *ColumnView) { v.Weight = math.NaN() },
		func(v *ColumnView) { v.Mean = nil }, func(v *ColumnView) { v.Values = nil }, func(v *ColumnView) { v.Values = make([]string, 101) }, func(v *ColumnView) { v.Quantiles = []float64{1} },
		func(v *ColumnView) { v.Kind = "other" }, func(v *ColumnView) { v.Kind, v.Values = KindNumber, nil },
		func(v *ColumnView) { v.Kind, v.Values, v.Quantiles = KindDate, nil, []float64{2, 1} },
		func(v *ColumnView) { v.Kind, v.Values, v.Quantiles = KindDate, nil, []float64{2, math.NaN()} },
	} {
		v := good
		if bad(&v); v.check() == nil {
			t.Errorf("%+v is taken", v)
		}
	}
	rows := Rows{View: []ColumnView{good, {Name: "n", Kind: KindNumber, Quantiles: []float64{1}, Weight: .1}}, Vectors: true, Columns: 3}
	for j, want := range map[int]string{2: "", 3: "p: a", 4: "n", 5: "n", 6: ""} {
		if got := rows.ColumnName(j); got != want {
			t.Errorf("number %d is called %q, want %q", j, got, want)
		}
	}
}
