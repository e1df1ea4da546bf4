package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Fields in single quotes are read, whether all fields of a column have them or those alone that
// need them, as Python's csv writes them with quotechar="'".
func TestSingleQuotes(t *testing.T) {
	texts := []string{
		`the union says "all-in" is bad; and so do others`, `he said "no" and left the room`, "two lines\nof one text", "it''s late; we go home", "plain words of a text", "other words of it",
	}
	for _, sep := range []string{";", ",", "\t", "|"} {
		for _, all := range []bool{false, true} {
			var table strings.Builder
			for i, text := range texts {
				text = strings.ReplaceAll(text, ";", sep)
				if all || i == 0 || i == 2 || i == 3 {
					text = "'" + text + "'"
				}
				fmt.Fprintf(&table, "%s%s%s\r\n", []string{"economy", "sport"}[i%2], sep, text)
			}
			c, err := readBytes([]byte(table.String()), "table", ReadOptions{Text: TextOptions{MinDF: 1, Language: "none", StopWords: "none"}})
			if err != nil {
				t.Errorf("%q, all %t: %v\n%s", sep, all, err, table.String())
				continue
			}
			if n, _ := c.X.Dims(); n != len(texts) || !slices.Equal(c.ClassNames, []string{"economy", "sport"}) {
				t.Errorf("%q, all %t: %d documents, classes %q", sep, all, n, c.ClassNames)
			}
			wantNote(t, c, "single quotes")
			for _, term := range []string{"union", "no", "left", "lines", "late", "home"} {
				if !slices.Contains(c.Terms, term) {
					t.Errorf("%q, all %t: no term %s of %q", sep, all, term, c.Terms)
				}
			}
		}
	}
	c, err := readBytes([]byte("'x','y','kind'\n'1.5','2','p'\n'3','4','q'\n'5','6.5','p'\n'7','8','q'\n"), "csv", ReadOptions{})
	if err != nil || !slices.Equal(c.Terms, []string{"x", "y"}) || !slices.Equal(c.ClassNames, []string{"p", "q"}) {
		t.Errorf("numbers in quotes: %v, %+v", err, c)
	}
	if c, err := readBytes([]byte("economy;'the union says \"all-in\" is bad; so do others'\n"), "csv", ReadOptions{Header: "no", TextColumn: []string{"2"}, Text: TextOptions{MinDF: 1}}); err != nil || c.Len() != 1 {
		t.Errorf("a single row: %v", err)
	}
	// Apostrophes are none, nor lists of Python between double quotes.
	for _, table := range []string{
		"id,text\na,'tis the season of good words\nb,rock 'n' roll and other words\nc,the boys' school has words\n",
		"id,text\na,\"['one', 'word']\"\nb,\"['two', 'words', 'here']\"\n",
		"id,text\na,'tis the season of good words\nb,rock and other words\nc,the boys have words\n",
		"id,text\na,'tis the season of good words\nb,rock and other words\nc,words of the boys'\n",
		"id\ttext\na\t'tis the season of good words\nb\trock and other words\nc\twords of the boys'\n",
	} {
		c := must.Get(readBytes([]byte(table), "table", ReadOptions{}))(t)
		for _, note := range c.Notes {
			if strings.Contains(note, "single quotes") {
				t.Errorf("%q: %s", table, note)
			}
		}
		if lines := strings.Count(table, "\n"); c.Len() != lines-1 {
			t.Errorf("%q: %d documents of %d lines", table, c.Len(), lines)
		}
	}
}

// A first row names the columns also if one of them is called like one of its classes.
func TestHeaderLikeAClass(t *testing.T) {
	var table strings.Builder
	table.WriteString("remarks\tbiased\tbias\thate\n")
	for i := range 40 {
		fmt.Fprintf(&table, "word%d said words again\t%s\t%s\t%s\n", i, []string{"False", "True"}[i%2], []string{"gender", "others", "none"}[i%3], []string{"hate", "offensive", "none"}[i%3])
	}
	c := must.Get(readBytes([]byte(table.String()), "tsv", ReadOptions{TextColumn: []string{"1"}, Text: TextOptions{MinDF: 1}}))(t)
	if n, _ := c.X.Dims(); n != 40 {
		t.Errorf("%d documents: the header is one of them", n)
	}
}

// A field in quotes at the end of a record, or one that holds tabs, goes on over line ends, between
// tabs as between commas; one that only begins with a quote does not.
func TestLastFieldOverLines(t *testing.T) {
	for _, c := range []struct {
		table string
		texts int
	}{
		{"id\ttext\na\t\"one line\n\nand another\"\nb\tshort words\nc\t\"\"\"said\"\" one\nin two\"\nd\tlast words\n", 4},
		{"id\ttext\na\t\"one line\nb\tshort words\nc\tother words\n\nd\t\"last words\n", 4},
		{"id\ttext\na\tsome words\nb\tshort words\nc\t\"other words\nare here\"", 3},
		{"id\ttext\na\tsome words\nb\t\"here\ta tab\n\nand a line\"\nc\tother words\n", 3},
		{"id\ttext\tlabel\na\tsome words\tx\nb\t\"here\ta tab\nand a line\"\ty\nc\tother words\tx\n", 3},
		{"id\ttext\tlabel\na\tsome words\tx\nb\t\"begins so\ty\nc\tother words\tx\nd\tends so\"\ty\n", 4},
	} {
		got, err := readBytes([]byte(c.table), "tsv", ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none", Language: "none"}})
		if err != nil {
			t.Errorf("%q: %v", c.table, err)
			continue
		}
		if n, _ := got.X.Dims(); n != c.texts {
			t.Errorf("%q: %d documents, want %d", c.table, n, c.texts)
		}
	}
}
