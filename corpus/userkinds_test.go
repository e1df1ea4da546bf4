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
		"a chat":            {"a.txt", rows(func(i int, text string) string { return fmt.Sprintf("[01.02.24 10:%02d:00] Ann: %s", i, text) }), "if each line is a document, give ‹input-format› lines"},
		"a log":             {"a.log", rows(func(i int, text string) string { return "[INFO] " + text }), "if each line is a document, give ‹input-format› lines"},
		"a dump":            {"a.sql", "BEGIN TRANSACTION;\nCREATE TABLE t(id,text);\n" + rows(func(i int, text string) string { return fmt.Sprintf("INSERT INTO t VALUES(%d,'%s');", i, text) }), "is a dump of a database in SQL"},
		"a table of HTML":   {"a.html", "<table border=\"1\">\n" + rows(func(i int, text string) string { return "<tr><td>" + text + "</td></tr>" }), "pandas.read_html"},
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
