package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// shortTable has 60 rows of an id, a text of several words and a class; change changes row i.
func shortTable(change func(i int, row string) string) string {
	var out strings.Builder
	out.WriteString("id,text,label\n")
	for i := range 60 {
		out.WriteString(change(i, fmt.Sprintf("d%d,the river and the mountain number%d,%c", i, i%7, 'a'+i%3)) + "\n")
	}
	return out.String()
}

func readTable(t *testing.T, name, text string) (*corpus.Corpus, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return corpus.Read(t.Context(), path, corpus.ReadOptions{})
}

// Few rows with fewer fields are filled and named; many are an error, and so is a longer one.
func TestShortRows(t *testing.T) {
	c := must.Get(readTable(t, "a.csv", shortTable(func(i int, row string) string {
		if i == 20 {
			return row[:len(row)-2]
		}
		return row
	})))(t)
	if notes := strings.Join(c.Notes, "\n"); docs(c) != 60 || c.Labels[20] != -1 || c.Labels[21] < 0 || !strings.Contains(notes, "1 line has fewer fields than the others (first: line 22)") {
		t.Errorf("%d documents, %v\n%s", docs(c), c.Labels[18:23], notes)
	}
	for name, change := range map[string]func(i int, row string) string{
		"many": func(i int, row string) string { return row[:len(row)-2*((i+1)%2)] },
		"long": func(i int, row string) string { return row + strings.Repeat(",more", i/59) },
	} {
		if _, err := readTable(t, "a.csv", shortTable(change)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	numbers := "x,y,z\n" + strings.Repeat("1,2,3\n", 50) + "1,2\n" + strings.Repeat("1,2,3\n", 50)
	if _, err := readTable(t, "n.csv", numbers); err == nil || !strings.Contains(err.Error(), "line 52: has 2 fields") {
		t.Errorf("numbers: %v", err)
	}
}

// Rows below the table whose first field alone is filled are remarks, in the first rows and behind.
func TestRemarksBelow(t *testing.T) {
	for _, rows := range []int{1, 40} {
		for _, remark := range []string{"Source: the ministry of rivers\n", "\"Source: rivers, of the ministry\"\nAll rights reserved\n", "Remark,,\n"} {
			table := shortTable(func(_ int, row string) string { return row })
			body := strings.SplitAfterN(table, "\n", 2)[1]
			c := must.Get(readTable(t, "a.csv", strings.SplitAfterN(table, "\n", 2)[0]+numbered(body, rows)+remark))(t)
			if notes := strings.Join(c.Notes, "\n"); docs(c) != 60*rows || !strings.Contains(notes, "below the table") {
				t.Errorf("%d rows, %q: %d documents\n%s", rows, remark, docs(c), notes)
			}
		}
	}
	// Between rows such a row stays, and the last texts of a table without other columns do.
	c, err := readTable(t, "a.csv", "text,label,from\n"+strings.Repeat("the river and the mountain,a,b\nthe sea and the island,c,b\n", 20)+"a text without a class,,\n")
	if err != nil || docs(c) != 41 {
		t.Fatal(err, docs(c))
	}
}

// numbered repeats rows with ids of their own.
func numbered(body string, times int) string {
	var out strings.Builder
	for k := range times {
		for line := range strings.Lines(body) {
			fmt.Fprintf(&out, "r%d%s", k, line)
		}
	}
	return out.String()
}

func docs(c *corpus.Corpus) int {
	n, _ := c.X.Dims()
	return n
}

// Two rows of header, of groups as merged cells are written and of names, are one.
func TestTwoHeaders(t *testing.T) {
	var numbers, texts strings.Builder
	numbers.WriteString("Plant,Leaf,,Flower,\n,length,width,length,width\n")
	texts.WriteString("Ticket,,Answer,\nid,category,text,date\n")
	for i := range 30 {
		fmt.Fprintf(&numbers, "p%d,%d.5,%d,%d,%d\n", i, i, i%7, i%5, 7*i%11)
		fmt.Fprintf(&texts, "t%d,%s,the river and the mountain number%d,2024-01-%02d\n", i, []string{"sea", "land"}[i%2], i%5, 1+i%28)
	}
	c, err := readTable(t, "n.csv", numbers.String())
	if err != nil {
		t.Fatal(err)
	}
	if want := "Leaf length,Leaf width,Flower length,Flower width"; strings.Join(c.Terms, ",") != want || docs(c) != 30 {
		t.Errorf("%d documents of %q, want 30 of %s\n%s", docs(c), c.Terms, want, c.Notes)
	}
	if c, err = readTable(t, "t.csv", texts.String()); err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(c.Notes, "\n"); docs(c) != 30 || len(c.ClassNames) != 2 || c.IDs[3] != "t3" || !strings.Contains(notes, "one header") {
		t.Errorf("%d documents, classes %q, ids %q\n%s", docs(c), c.ClassNames, c.IDs, notes)
	}
	// A corner, and a column without a name, are one header.
	for _, text := range []string{",a,b\nx,1,2\ny,3,4\nz,5,6\n", "a,,c\n1,2,3\n4,5,6\n7,8,9\n"} {
		if c, err = readTable(t, "c.csv", text); err != nil || docs(c) != 3 || strings.Contains(strings.Join(c.Notes, "\n"), "one header,") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A row that a line break inside a text divides in two is refused, in the first rows and behind.
func TestDividedRows(t *testing.T) {
	for name, c := range map[string]struct{ header, row, divided string }{
		"text in the middle":      {"id,text,label", "the river and the mountain,%c", "a text broken\nover two lines of it,a"},
		"short second part":       {"id,text,label", "the river and the mountain,%c", "a text broken\nthanks,a"},
		"text at the end":         {"id,label,text", "%c,the river and the mountain", "a,a text broken\nover two lines of it"},
		"short part at the end":   {"id,label,text", "%c,the river and the mountain", "a,a text broken\n\nthanks"},
		"beside a separator":      {"id,text,label", "the river and the mountain,%c", "a text, broken\nthanks,a"},
		"a text without its name": {"id,text,label", "the river and the mountain,%c", "the river and the mountain,a\nthe sea and the island,b"},
	} {
		for _, at := range []int{100, 1200} {
			var table strings.Builder
			table.WriteString(c.header + "\n")
			for i := range at + 300 {
				text := fmt.Sprintf(c.row, 'a'+i%3)
				if i == at {
					text = c.divided
				}
				fmt.Fprintf(&table, "d%d,%s\n", i, text)
			}
			if _, err := readTable(t, "a.csv", table.String()); err == nil || !strings.Contains(err.Error(), "into quotes") || !strings.Contains(err.Error(), fmt.Sprintf("line %d: ", at+3+strings.Count(c.divided, "\n\n"))) {
				t.Errorf("%s, row %d: %v", name, at, err)
			}
		}
	}
}

// The last documents stay that have a name like the others and nothing else, and remarks below them
// are no rows with fewer fields.
func TestEmptyLastRows(t *testing.T) {
	for _, rows := range []int{1, 40} {
		table := shortTable(func(_ int, row string) string { return row })
		header, body, _ := strings.Cut(table, "\n")
		c, err := readTable(t, "a.csv", header+"\n"+numbered(body, rows)+"x1,,\nx2,,\n")
		if err != nil || docs(c) != 60*rows+2 {
			t.Fatal(err, docs(c))
		}
		if c, err = readTable(t, "a.csv", header+"\n"+numbered(body, rows)+"Source: the ministry of rivers\n"); err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(c.Notes, "\n"); strings.Contains(notes, "fewer fields") {
			t.Error(notes)
		}
		// More than are looked for as remarks are rows, and these have too few fields.
		if _, err = readTable(t, "a.csv", header+"\n"+numbered(body, rows)+strings.Repeat("a remark of rivers\n", 30)); err == nil || !strings.Contains(err.Error(), "has 1 field where") {
			t.Error(err)
		}
	}
}
