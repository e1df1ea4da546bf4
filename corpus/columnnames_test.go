package corpus

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// TestColumnNumbers: a column without a name has its number in the file, in which columns of names,
// of classes and without a value count, in a selection of the documents and once rows in memory are
// filled too.
func TestColumnNumbers(t *testing.T) {
	table := "p1,,4,,7.5,a\np2,,6,2,8.5,b\np3,,1,3,9.5,b\np4,,2,5,1.5,a\n"
	for _, c := range []struct {
		missing string
		want    []string
	}{
		{MissingMedian, []string{"column 3", "column 4", "column 5"}},
		{MissingDropColumns, []string{"column 3", "column 5"}},
	} {
		c0 := readNamed(t, "a.csv", table, ReadOptions{Missing: c.missing})
		for _, of := range []*Corpus{c0, c0.SelectRows([]int{2, 0})} {
			if _, cols := of.X.Dims(); cols != len(c.want) {
				t.Fatalf("%d columns, want %d", cols, len(c.want))
			}
			for j, want := range c.want {
				if got := of.ColumnName(j); got != want {
					t.Errorf("‹missing› %s: %q, want %q", c.missing, got, want)
				}
			}
		}
	}
	nan := math.NaN()
	x := mat.NewDense(2, 3, []float64{1, nan, 2, 3, nan, 5})
	filled, err := (&Corpus{X: x}).Fill(MissingDropColumns, nil)
	if err != nil || filled.ColumnName(1) != "column 3" || !slices.Equal(filled.ColumnNumbers(), []int{1, 3}) {
		t.Errorf("column %q of %v (%v)", filled.ColumnName(1), filled.ColumnNumbers(), err)
	}
	if c := readNamed(t, "a.csv", "1,2\n3,4\n", ReadOptions{}); c.ColumnNumbers() != nil || c.ColumnName(1) != "column 2" {
		t.Errorf("numbers %v, name %q", c.ColumnNumbers(), c.ColumnName(1))
	}
}

// TestTermsBesideMissing: a file beside a matrix names all of its columns, also where some are left
// out, and missing numbers of later documents are filled by these names.
func TestTermsBesideMissing(t *testing.T) {
	dir, nan := t.TempDir(), math.NaN()
	write := func(name string, x *mat.Dense, terms string) string {
		var b bytes.Buffer
		must.Do(t, WriteMatrix(&b, "npy", x))
		path := writeFile(t, dir, name+".npy", b.Bytes())
		writeFile(t, dir, name+".terms.txt", []byte(terms))
		return path
	}
	path := write("x", mat.NewDense(3, 3, []float64{1, nan, 9, 2, nan, 8, nan, nan, 7}), "a\nb\nc\n")
	c, err := Read(t.Context(), path, ReadOptions{Missing: MissingMedian})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Terms, []string{"a", "c"}) || c.X.At(2, 0) != 1.5 {
		t.Fatalf("terms %q, filled by %v", c.Terms, c.X.At(2, 0))
	}
	known := *c.Filling
	known.Terms = c.Terms
	path = write("y", mat.NewDense(1, 2, []float64{nan, nan}), "c\na\n")
	if c, err = Read(t.Context(), path, ReadOptions{Filling: &known}); err != nil {
		t.Fatal(err)
	}
	if c.X.At(0, 0) != 8 || c.X.At(0, 1) != 1.5 {
		t.Errorf("c and a are filled by %v, want 8 and 1.5", c.X)
	}
}

// TestCategoriesNamed: columns of words that share a name are refused as categories.
func TestCategoriesNamed(t *testing.T) {
	for table, want := range map[string]string{
		"n,colour,colour\n1,red,m\n2,blue,f\n3,red,f\n": "column 2 (colour): column 3 has the same name",
	} {
		path := writeFile(t, t.TempDir(), "a.csv", []byte(table))
		if _, err := Read(t.Context(), path, ReadOptions{Categories: true, LabelColumn: "none", IDColumn: "none"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", table, err, want)
		}
	}
	table := "1,red,m,4\n2,blue,f,4\n3,red,f,5\n9,blue,m,5\n"
	c := readNamed(t, "a.csv", table, ReadOptions{TextColumn: []string{"none"}})
	if notes := strings.Join(c.Notes, " "); !strings.Contains(notes, "‹views› columns compares by them too") {
		t.Errorf("a table without a header is read so, and the notes do not say it: %s", notes)
	}
	if c = readNamed(t, "a.csv", table, ReadOptions{Categories: true, LabelColumn: "none", IDColumn: "none"}); len(c.Categories) != 2 {
		t.Errorf("categories %v", c.Categories)
	}
}
