package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// What is wrong in one of several files or sheets is placed in it, and what is left out of one is
// said.
func TestGatheredPlaces(t *testing.T) {
	numbers := func(at int, field string) (out string) {
		for i := 1; i < 9; i++ {
			if out += fmt.Sprintf("r%d,%d,", i+at, i); i == 5 {
				out += field + "\n"
			} else {
				out += fmt.Sprintf("%d\n", i)
			}
		}
		return out
	}
	const head = "name,a,b\n"
	bars := func(s string) string { return strings.ReplaceAll(s, ",", "|") }
	jsonLines := func(name string) string {
		return strings.Repeat(fmt.Sprintf("{%q: \"a text of some words\"}\n", name), 9)
	}
	for name, c := range map[string]struct{ path, fault, note string }{
		"tables": {path: makeFolder(t, map[string]string{"x.csv": head + numbers(0, "5"), "y.csv": head + numbers(20, "oo")}), fault: "line 6 of y.csv, column 3 (b)"},
		"sheets": {path: writeFile(t, t.TempDir(), "a.xlsx", []byte(bookOf("x", bars(head+numbers(0, "5")), "y", bars(head+numbers(20, "oo"))))), fault: "row 6 of y, column 3 (b)"},
		"JSON":   {path: makeFolder(t, map[string]string{"spam.jsonl": jsonLines("text"), "ham.jsonl": jsonLines("text") + "{broken\n"}), fault: "ham.jsonl: object 10"},
		"totals": {path: makeFolder(t, map[string]string{"x.csv": head + numbers(0, "5"), "y.csv": head + numbers(20, "5") + "Total,36,36\n"}), note: "1 line left out in the tables (first: in y.csv)"},
		"others": {path: makeFolder(t, map[string]string{"posts.jsonl": jsonLines("text"), "users.jsonl": jsonLines("name")}), note: "line 1 of"},
	} {
		got, err := Read(t.Context(), c.path, ReadOptions{})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v lacks %q", name, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wantNote(t, got, c.note)
	}
}

// Sheets that number their rows alike are one corpus without names.
func TestSheetsOfSameNumbers(t *testing.T) {
	rows := func(what string) string {
		return "id|text\n" + strings.ReplaceAll(numberedLines(said(9, what)), "\t", "|")
	}
	got := must.Get(Read(t.Context(), writeFile(t, t.TempDir(), "a.xlsx", []byte(bookOf("spam", rows("cars"), "ham", rows("cakes")))), ReadOptions{}))(t)
	wantNote(t, got, "Several sheets have the same ids")
	if got.IDs != nil || got.Len() != 18 || len(got.ClassNames) != 2 {
		t.Error(got.IDs, got.Len(), got.ClassNames)
	}
}
