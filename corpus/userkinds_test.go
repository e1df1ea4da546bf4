package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Files as people have them are read for what they are, or refused with the way out.
func TestFilesThatPeopleHave(t *testing.T) {
	words := []string{"engine car road wheel", "flour sugar cake oven"}
	rows := func(row func(i int, text string) string) string {
		return numbered(24, func(i int) string { return row(i, words[i%2]) })
	}
	t.Run("semicolons and decimal commas", func(t *testing.T) {
		c := readNamed(t, "a.csv", "Nr;Kunde;Kommentar;Betrag\n"+rows(func(i int, text string) string {
			return fmt.Sprintf("%d;Meyer %d;%s gut;%d,5", i+1, i%7, text, 3*i)
		}), ReadOptions{Text: TextOptions{MinDF: 1}})
		if c.ID(23) != "24" || !slices.Contains(c.Terms, "cake") || slices.Contains(c.Terms, "meyer") {
			t.Errorf("ids to %q, terms %q; %q", c.ID(23), c.Terms, c.Notes)
		}
	})
	t.Run("a table of Markdown", func(t *testing.T) {
		c := readNamed(t, "a.txt", "| id | text |\n|:---|---|\n"+rows(func(i int, text string) string {
			return fmt.Sprintf("| d%d | %s |", i, text)
		}), ReadOptions{Text: TextOptions{MinDF: 1}})
		if c.Len() != 24 || c.ID(0) != "d0" {
			t.Errorf("%d documents from %q; %q", c.Len(), c.ID(0), c.Notes)
		}
	})
	for name, c := range map[string]struct{ file, content, say string }{
		"a comma in a text": {"a.csv", "id,text\n" + rows(func(i int, text string) string { return fmt.Sprintf("%d,%s, and more of it", i, text) }), "line 2: has 3 fields where the first line has 2"},
		"a chat":            {"a.txt", rows(func(i int, text string) string { return fmt.Sprintf("[10:%02d:00] Ann: %s", i, text) }), "if each line is a document, give ‹input-format› lines"},
		"a log":             {"log.txt", rows(func(i int, text string) string { return "[INFO] " + text }), "if each line is a document, give ‹input-format› lines"},
		"a dump":            {"a.sql", "BEGIN TRANSACTION;\nCREATE TABLE t(id,text);\n" + rows(func(i int, text string) string { return fmt.Sprintf("INSERT INTO t VALUES(%d,'%s');", i, text) }), "is a dump of a database in SQL"},
		"HTML without end":  {"a.html", "<table border=\"1\">\n" + rows(func(i int, text string) string { return "<tr><td>" + text + "</td></tr>" }), "ends inside a table, it was cut off"},
		"a broken array":    {"a.txt", "[{\"text\": \"engine\"},\n{\"text\": }]\n", "a.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(t.Context(), writeFile(t, t.TempDir(), c.file, []byte(c.content)), ReadOptions{Text: TextOptions{MinDF: 1}})
			if err == nil || !strings.Contains(err.Error(), c.say) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A header that begins with id and has one field less than the rows goes with names before the
// rows, as R writes them. The ids, which are not the names then, are no term. Where the rows end
// with a separator too many the last column is empty.
func TestRowNamesBeforeIDs(t *testing.T) {
	for name, c := range map[string]struct {
		file, head, row string
		columns         int
	}{
		"tabs":             {"a.tsv", "id\tx\ty\n", "%d\t%d\t%d.5\t%d.25\n", 2},
		"blanks":           {"a.txt", "\"id\" \"x\" \"y\"\n", "\"%d\" %d %d.5 %d.25\n", 2},
		"commas":           {"a.csv", "id,x,y\n", "%d,%d,%d.5,%d.25\n", 2},
		"a comma too many": {"a.csv", "id,x,y\n", "%d,%d,%d.5,\n", 2},
		"a tab too many":   {"a.tsv", "id\tx\ty\n", "%d\t%d\t%d.5\t\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			text := numbered(24, func(i int) string {
				return fmt.Sprintf(c.row, slices.Repeat([]any{i + 100}, strings.Count(c.row, "%"))...)
			})
			read, err := Read(t.Context(), writeFile(t, t.TempDir(), c.file, []byte(c.head+text)), ReadOptions{})
			if err != nil || read.Terms[0] != "x" || len(read.Terms) != c.columns || read.ID(0) != "100" {
				t.Errorf("%v: %+v", err, read)
			}
		})
	}
}

// What looks like a dump, an array or a line of Markdown by its first word alone is none.
func TestFilesByMoreThanOneWord(t *testing.T) {
	rows := numbered(24, func(i int) string {
		return fmt.Sprintf("%s n%d\tc%d\n", []string{"engine car road wheel", "flour sugar cake oven"}[i%2], i, i%2)
	})
	for _, title := range []string{"Insert into select in MySQL", "Create table of contents in Word", "drop table or keep it"} {
		c := readNamed(t, "a.txt", title+"\tdb\n"+rows, ReadOptions{Text: TextOptions{MinDF: 1}})
		if c.Len() != 25 {
			t.Errorf("%s: %d documents; %q", title, c.Len(), c.Notes)
		}
	}
	c := readNamed(t, "a.csv", "id|text\n-|-\n"+numbered(12, func(i int) string { return fmt.Sprintf("%d|engine car road\n", i) }), ReadOptions{Text: TextOptions{MinDF: 1}})
	if c.Len() != 13 {
		t.Errorf("a row of missing values is passed over: %d documents; %q", c.Len(), c.Notes)
	}
	for _, text := range []string{
		"[NaN, 1.5, 2.5, 3.5]", "[1.5, NaN,\n 2.5, 3.5]", "[True, 1, 2]", "['engine car', 'flour cake']",
		"[{'text': 'engine car'}, {'text': 'flour cake'}]", "[\n{'text': 'engine'},\n{'text': 'flour'}\n]",
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.txt", []byte(text)), ReadOptions{Text: TextOptions{MinDF: 1}})
		if err == nil || !strings.Contains(err.Error(), "the array holds something else") && !strings.Contains(err.Error(), "as Python prints") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A header with semicolons that its rows do not all share is cut where all rows are, as R's of one
// column less.
func TestSeparatorOfAllRows(t *testing.T) {
	c := readNamed(t, "a.csv", "x;1,y\n"+numbered(12, func(i int) string { return fmt.Sprintf("r%d,%d;4,%d.5\n", i, i, i*i) }), ReadOptions{})
	if c.ID(3) != "r3" || !slices.Equal(c.Terms, []string{"y"}) {
		t.Errorf("%q of %q; %q", c.Terms, c.ID(3), c.Notes)
	}
}
