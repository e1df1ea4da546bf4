package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// A header may number the columns, as pandas writes it for an array, or name them by years.
func TestKindNumberedHeader(t *testing.T) {
	rows := func(first string, last func(i int) string) string { return first + measured(20, ",", none, last) }
	checkKinds(t, []kind{
		{name: "a.csv", content: rows("0,1,2\n", none), rows: 20, cols: 3, terms: "0 1 2", note: "The first line is a header; ‹header› no"},
		{name: "a.csv", content: ",0,1,2\n" + measured(20, ",", fromZero, none), rows: 20, cols: 3, ids: true, terms: "0 1 2"},
		{name: "a.csv", content: "name,2019,2020,2021\n" + measured(20, ",", personName, none), rows: 20, cols: 3, ids: true, terms: "2019 2020 2021"},
		{name: "a.csv", content: "city;2019;2020;2021\n" + measured(20, ";", cellName, none), rows: 20, cols: 3, ids: true, terms: "2019"},
		{name: "a.csv", content: rows("0,1,2,label\n", twoNames), rows: 20, cols: 3, classes: 2, terms: "0 1 2"},
		{name: "a.csv", content: rows("0,1,2,kind\n", twoNames), rows: 20, cols: 3, classes: 2, terms: "0 1 2"},
		{name: "a.tsv", content: "1\t2\t3\n" + measured(20, "\t", none, none), rows: 20, cols: 3, terms: "1 2 3"},
		{name: "a.csv", content: "\ufeff\"0\",\"1\",\"2\"\r\n" + crlf(measured(20, ",", none, none)), rows: 20, cols: 3, terms: "0"},
		// Data that count.
		{name: "a.csv", content: "1,2,3\n4,5,6\n7,8,9\n", rows: 3, cols: 3, note: "There is no header; ‹header› yes"},
		{name: "a.csv", content: "0,1\n" + strings.Repeat("3,4\n2,7\n", 5), rows: 11, cols: 2, note: "There is no header; ‹header› yes"},
		{name: "a.csv", content: "1,2,4\n" + measured(20, ",", none, none), rows: 21, cols: 3, note: "There is no header; ‹header› yes"},
		{name: "a.csv", content: measured(20, ",", none, none), rows: 20, cols: 3, note: "There is no header; ‹header› yes"},
	})
}

// Tables in a folder are no text each, and lists of ratings are entries of a matrix.
func TestTablesAreNoTexts(t *testing.T) {
	ratings := "userId,movieId,rating\n"
	for i := range 20 {
		ratings += fmt.Sprintf("%d,%d,%d\n", i/4+1, i%7+1, i%5+1)
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "ratings.csv", []byte(ratings)), ReadOptions{})
	wantFault(t, err, "triplets")
	for _, name := range []string{"b/labels.csv", "b/x.TSV.gz", "b/y.xlsx"} {
		files := map[string]string{"a/1.txt": "some words", "a/2.txt": "more words", name: "id,text\n1,some words\n"}
		_, err := Read(t.Context(), makeFolder(t, files), ReadOptions{})
		wantFault(t, err, "a table in a folder of texts")
	}
	files := map[string]string{"a/1.txt": "some words", "a/2.csv": "some,words"}
	if c, err := Read(t.Context(), makeFolder(t, files), ReadOptions{Format: "folder"}); err != nil || c.Len() != 2 {
		t.Errorf("asked for: %v", err)
	}
	zip := zipped("train.csv", "id,text\n1,some words\n", "test.csv", "id,text\n2,some words\n")
	c, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.zip", zip), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil || c.Len() != 2 || c.Labels != nil {
		t.Errorf("%v, %v", c, err)
	}
}

// Columns of true and false are numbers, if there are several; a single one holds classes.
func TestKindTrueAndFalse(t *testing.T) {
	flags := func(header, format string, values ...string) string {
		for i := range 20 {
			header += strings.NewReplacer("%t", values[i%2], "%d", fmt.Sprint(i)).Replace(format) + "\n"
		}
		return header
	}
	const note = "read as 1 and 0"
	checkKinds(t, []kind{
		{name: "a.csv", content: flags("a_x,a_y\n", "%t,%t", "True", "False"), rows: 20, cols: 2, note: note},
		{name: "a.csv", content: flags("a_x,a_y\n", "%t,%t", "TRUE", "FALSE"), rows: 20, cols: 2, note: note},
		{name: "a.csv", content: flags("", "%t,%t", "true", "false"), rows: 20, cols: 2, note: note},
		{name: "a.csv", content: flags("x,a,b,label\n", "0.%d,%t,%t,%t", "True", "False"), rows: 20, cols: 3, classes: 2, note: note},
		{name: "a.csv", content: flags("id,a,b\n", "%d,%t,%t", "True", "False"), rows: 20, cols: 2, ids: true, note: note},
		{name: "a.tsv", content: flags("a\tb\tkind\n", "%t\t%t\tk", "True", "False"), rows: 20, cols: 2, classes: 1, note: note},
		{name: "a.csv", content: flags("x,z,good\n", "0.%d,0.%d1,%t", "True", "False"), rows: 20, cols: 2, classes: 2},
		{name: "a.csv", content: flags("id,text,a,b\n", "%d,some words,%t,%t", "True", "False"), rows: 20, cols: 1, ids: true},
		{name: "a.csv", content: flags("id,text,a,b\n", "%d,some words,%t,%t", "True", "False"), opt: ReadOptions{LabelColumn: "a"}, rows: 20, cols: 1, classes: 2, ids: true},
		{name: "a.csv", content: flags("id,text,good\n", "%d,some words,%t", "True", "False"), rows: 20, cols: 1, classes: 2, ids: true},
	})
}
