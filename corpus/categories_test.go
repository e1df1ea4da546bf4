package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// mixed is a table of two numbers, two columns of words and one of codes, and what they are.
func mixed(rnd *rand.Rand, n int) (table string, rows [][]string) {
	var b strings.Builder
	b.WriteString("height,sex,weight,colour,code,when\n")
	for i := range n {
		row := []string{fmt.Sprint(math.Round(1000*rnd.NormFloat64()) / 1000), []string{"m", "f", "", "?"}[rnd.IntN(4)], fmt.Sprint(rnd.IntN(50)),
			[]string{"red", "blue", "green"}[rnd.IntN(3)], fmt.Sprint(1 + rnd.IntN(3)), fmt.Sprintf("w%d", i/2*2+rnd.IntN(1+i%2))}
		rows = append(rows, row)
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String(), rows
}

// TestCategories: a column of words is a 1 in the column of each row's value, numbers stay as they
// are, and a category has the variance of one number once columns are divided by deviations.
func TestCategories(t *testing.T) {
	table, rows := mixed(rand.New(rand.NewPCG(1, 9)), 90)
	c := readNamed(t, "a.csv", table, ReadOptions{Categories: true, AsCategories: []string{"code"}, ViewColumns: []string{"height", "sex", "colour", "code"}})
	want := []string{"height", "sex=f", "sex=m", "colour=blue", "colour=green", "colour=red", "code=1", "code=2", "code=3"}
	if !slices.Equal(c.Terms, want) {
		t.Fatalf("terms %q, want %q", c.Terms, want)
	}
	if !slices.Equal(c.Categories, []Category{{Name: "sex", Values: 2}, {Name: "colour", Values: 3}, {Name: "code", Values: 3}}) {
		t.Errorf("categories %v", c.Categories)
	}
	at := map[string]int{"height": 0, "sex": 1, "colour": 3, "code": 4}
	for i, row := range rows {
		for j, term := range c.Terms {
			name, value, is := strings.Cut(term, "=")
			v := 0.0
			if !is {
				fmt.Sscan(row[at[name]], &v)
			} else if row[at[name]] == value {
				v = 1
			}
			if c.X.At(i, j) != v {
				t.Fatalf("row %d, %s: %v, want %v", i, term, c.X.At(i, j), v)
			}
		}
	}
	x := must.Get(c.Weighted(WeightStandard, NormNone))(t)
	first := 0
	for _, width := range []int{1, 2, 3, 3} {
		sum := 0.0
		for j := first; j < first+width; j++ {
			sum += stat.PopVariance(mat.Col(nil, j, x), nil)
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("columns %d to %d have the variance %v, want 1", first, first+width, sum)
		}
		first += width
	}
}

// TestCategoriesNoted: without names all columns of words are categories but for the names of the
// documents; one of nearly as many words as rows is left out, with a note.
func TestCategoriesNoted(t *testing.T) {
	table, _ := mixed(rand.New(rand.NewPCG(2, 9)), 400)
	c := readNamed(t, "a.csv", table, ReadOptions{Categories: true, TextColumn: []string{"none"}})
	if want := []string{"height", "weight", "sex=f", "sex=m", "colour=blue", "colour=green", "colour=red"}; !slices.Equal(c.Terms, want) {
		t.Errorf("terms %q, want %q", c.Terms, want)
	}
	wantNote(t, c, "sex (2 values), colour (3 values)")
	wantNote(t, c, "left out: when (")
	for _, opt := range []ReadOptions{{}, {LabelColumn: "none"}, {ViewColumns: []string{"a", "b"}}} {
		opt.Categories, opt.TextColumn, opt.Header = true, []string{"none"}, "yes"
		words := readNamed(t, "a.csv", "a,b\nx,p\ny,q\n"+strings.Repeat("x,q\ny,p\n", 20), opt)
		if r, d := words.X.Dims(); r != 42 || d != 4 {
			t.Errorf("a table of words alone is %d×%d", r, d)
		}
	}
	flag := readNamed(t, "a.csv", "a,b,flag\n"+strings.Repeat("1,2.5,yes\n3,4.5,no\n", 20), ReadOptions{Categories: true, LabelColumn: "none"})
	if !slices.Equal(flag.Terms, []string{"a", "b", "flag=no", "flag=yes"}) || flag.Labels != nil {
		t.Errorf("terms %q", flag.Terms)
	}
}

// TestNumbersAsked: a column that is said to hold numbers is none of words, and a labelled one of a
// program of statistics has its numbers.
func TestNumbersAsked(t *testing.T) {
	table := "size,weight\n" + numbered(30, func(i int) string { return fmt.Sprintf("%d,%d kg", i*i, 60+i%5) })
	opt := ReadOptions{Categories: true, LabelColumn: "none", ViewColumns: []string{"size", "weight"}, AsNumbers: []string{"weight"}}
	if _, err := readBytes([]byte(table), "csv", opt); err == nil || !strings.Contains(err.Error(), `weight=number: column 2 (weight) holds words such as "6`) {
		t.Errorf("words for numbers: %v", err)
	}
	opt.AsNumbers = []string{"size"}
	readNamed(t, "a.csv", table, opt)
	sav := statFile(t, "codes.sav")
	opt = ReadOptions{TextColumn: []string{"none"}, IDColumn: "none", Missing: MissingMedian, Categories: true, ViewColumns: []string{"region", "sex"}}
	if c := readNamed(t, "a.sav", sav, opt); len(c.Categories) != 2 {
		t.Errorf("terms %q", c.Terms)
	}
	for _, numbers := range [][2][]string{{{"region"}, nil}, {{"REGION"}, nil}, {nil, {"region"}}} { // asked for, or of a model
		opt.AsNumbers, opt.Usual.Numbers = numbers[0], numbers[1]
		c := readNamed(t, "a.sav", sav, opt)
		if said := strings.Join(c.Notes, "\n"); len(c.Categories) != 1 || c.Terms[0] != "region" || !strings.Contains(said, "the numbers are taken: region.") {
			t.Errorf("%q: terms %q: %s", numbers, c.Terms, said)
		}
	}
	opt.AsNumbers = []string{"sex"} // words with labels
	if _, err := readBytes([]byte(sav), "sav", opt); err == nil || !strings.Contains(err.Error(), "sex=number") {
		t.Errorf("labelled words for numbers: %v", err)
	}
}

// TestCategoriesLater: rows of a later table get the terms of the first one, whatever values they
// have.
func TestCategoriesLater(t *testing.T) {
	opt := ReadOptions{Categories: true, AsCategories: []string{"sex", "colour"}, ViewColumns: []string{"sex", "colour"}, Filling: &Filling{Columns: 4, Terms: []string{"height", "sex=f", "sex=m", "colour=red"}}}
	c := readNamed(t, "a.csv", "sex,height,colour\nm,1.5,mauve\n,2.5,red\n", opt)
	if want := []string{"height", "sex=f", "sex=m", "colour=red"}; !slices.Equal(c.Terms, want) {
		t.Fatalf("terms %q, want %q", c.Terms, want)
	}
	if !mat.Equal(c.X, mat.NewDense(2, 4, []float64{1.5, 0, 1, 0, 2.5, 0, 0, 1})) {
		t.Errorf("rows %v", mat.Formatted(c.X))
	}
}

// TestCategoriesOfCodes: a code that is written as another number of the same value is that value,
// and rows with values that the model does not compare are counted.
func TestCategoriesOfCodes(t *testing.T) {
	opt := ReadOptions{Categories: true, AsCategories: []string{"code"}, ViewColumns: []string{"code"}, Filling: &Filling{Columns: 4, Terms: []string{"height", "code=1", "code=2", "code=x"}}}
	c := readNamed(t, "a.csv", "height,code\n1.5,2.0\n2.5,1\n3.5,3.0\n4.5,x\n5.5,\n", opt)
	if !mat.Equal(c.X, mat.NewDense(5, 4, []float64{1.5, 0, 1, 0, 2.5, 1, 0, 0, 3.5, 0, 0, 0, 4.5, 0, 0, 1, 5.5, 0, 0, 0})) {
		t.Errorf("rows %v", mat.Formatted(c.X))
	}
	if want := `In 1 of 5 rows column code has a value that the model does not compare, such as "3.0": it counts as none.`; !slices.Contains(c.Notes, want) {
		t.Errorf("notes %q lack %q", c.Notes, want)
	}
	opt.Filling.Terms = []string{"height", "code=0", "code=false", "code=true"}
	if c = readNamed(t, "a.csv", "height,code\n1.5,True\n2.5,False\n", opt); c.X.At(0, 3) != 1 || c.X.At(1, 2) != 1 {
		t.Errorf("rows %v", mat.Formatted(c.X))
	}
	opt.Filling.Terms = []string{"height", "code=1", "code=1.0", "code=2"} // either may be meant
	if c = readNamed(t, "a.csv", "height,code\n1.5,1.00\n2.5,2\n", opt); c.X.At(0, 1) != 0 || c.X.At(0, 2) != 0 {
		t.Errorf("rows %v", mat.Formatted(c.X))
	}
}

// TestCategoriesOfClusters: a cluster that differs in a number is described by it, however many
// values of categories stand beside that; such columns are no terms that documents hold.
func TestCategoriesOfClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 11))
	var b strings.Builder
	b.WriteString("age,ward,town\n")
	labels := make([]int, 90)
	for i := range labels {
		labels[i] = i % 3
		fmt.Fprintf(&b, "%d,%c,%c\n", 20+25*labels[i]+rng.IntN(5), 'a'+rng.IntN(5), 'p'+rng.IntN(5))
	}
	c := readNamed(t, "a.csv", b.String(), ReadOptions{Categories: true})
	top := c.TopTerms(labels, 3, 3)
	if got := top[0][0].String(); got != "age low" {
		t.Errorf("cluster 0 is %q, want age low", got)
	}
	if got := top[2][0].String(); got != "age high" {
		t.Errorf("cluster 2 is %q, want age high", got)
	}
	if got := c.Together([][]int{{0, 1}}); got != nil {
		t.Errorf("documents hold columns of a table: %v", got)
	}
}

// TestCategoriesWithoutHeader: in a table without a header every column has a name, beside the
// values of the categories too, and later rows are read by the same names.
func TestCategoriesWithoutHeader(t *testing.T) {
	rows := numbered(30, func(i int) string {
		return fmt.Sprintf("%c,%d,%d,%s", 'a'+i%2, i*i, 7*i%11, []string{"x", "y", "z"}[i%3])
	})
	c := readNamed(t, "a.csv", rows, ReadOptions{Categories: true, LabelColumn: "none", Header: "no"})
	want := []string{"column 2", "column 3", "column 1=a", "column 1=b", "column 4=x", "column 4=y", "column 4=z"}
	if _, cols := c.X.Dims(); !slices.Equal(c.Terms, want) || cols != len(want) {
		t.Fatalf("%d columns, terms %q, want %q", cols, c.Terms, want)
	}
	labels := make([]int, c.Len())
	for i := range labels {
		labels[i] = i % 2
	}
	if top := c.TopTerms(labels, 2, 2); top[0][0].Term != "column 1=a" && top[0][0].Term != "column 1=b" {
		t.Errorf("the first column of cluster 0 is %v", top[0])
	}
	later := readNamed(t, "b.csv", "b,4,5,w\na,9,1,z\n", ReadOptions{Categories: true, LabelColumn: "none", Header: "no",
		AsCategories: []string{"column 1", "column 4"}, ViewColumns: []string{"column 1", "column 4"}, Filling: &Filling{Terms: c.Terms, Columns: len(c.Terms)}})
	if !slices.Equal(later.Terms, want) {
		t.Errorf("later terms %q, want %q", later.Terms, want)
	}
}

// TestRarerValue: a value that is rarer in a cluster reads as no other value, whatever words are.
func TestRarerValue(t *testing.T) {
	rows := "size,item\n" + numbered(60, func(i int) string {
		return fmt.Sprintf("%d,%s", 100*(i%2)+i, []string{[]string{"partly", "rather", "rarely"}[i/2%3], []string{"very", "very", "partly"}[i/2%3]}[i%2])
	})
	c := readNamed(t, "a.csv", rows, ReadOptions{Categories: true, LabelColumn: "none", IDColumn: "none"})
	low := TermWeight{"item=very", 2, -1, &ColumnMeans{Category: true}}
	if got := low.String(); got != "fewer item=very" {
		t.Errorf("a rarer value reads %q", got)
	}
	labels := make([]int, c.Len())
	for i := range labels {
		labels[i] = i % 2
	}
	for k, want := range []string{"[size low item=rarely item=rather]", "[size high item=very]"} {
		if got := fmt.Sprint(c.TopTerms(labels, 2, 9)[k]); got != want {
			t.Errorf("cluster %d: %s, want %s", k, got, want)
		}
	}
}

// TestOneSideOfCategories: of a category with a value that is more frequent in a cluster the values
// that are rarer there are not listed; numbers are, high and low.
func TestOneSideOfCategories(t *testing.T) {
	rows := "size,hand,sex\n" + numbered(40, func(i int) string {
		return fmt.Sprintf("%d,%s,%s", 100*(i%2)+i, []string{"left", "right"}[min(1, i%3)], []string{"f", "m"}[i%2])
	})
	c := readNamed(t, "a.csv", rows, ReadOptions{Categories: true, LabelColumn: "none", IDColumn: "none"})
	labels := make([]int, c.Len())
	for i := range labels {
		labels[i] = i % 2
	}
	for k, want := range []string{"[sex=f size low]", "[sex=m size high]"} {
		if got := fmt.Sprint(c.TopTerms(labels, 2, 9)[k]); got != want {
			t.Errorf("cluster %d: %s, want %s", k, got, want)
		}
	}
}
