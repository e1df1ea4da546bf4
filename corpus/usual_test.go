package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Usual columns are taken where a file has them and nothing else is asked for, in tables as in JSON
// lines; numbers of columns and the columns of a table without a header are not.
func TestUsual(t *testing.T) {
	texts := []string{"the engine of my old car is loud", "a cake of flour and sugar from the oven"}
	csv, jsonl := "Nr,Frage,Antwort,Art\n", ""
	for i := range 12 {
		csv += fmt.Sprintf("T%d,%s,%s,a%d\n", i, texts[i%2], texts[(i+1)%2], i%2)
		jsonl += fmt.Sprintf(`{"Nr":"T%d","Frage":%q,"Antwort":%q,"Art":"a%d"}`+"\n", i, texts[i%2], texts[(i+1)%2], i%2)
	}
	usual := UsualColumns{Text: []string{"gone", "Antwort"}, ID: "Nr", Label: "Art", Time: "day"}
	for name, content := range map[string]string{"a.csv": csv, "a.jsonl": jsonl} {
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, Usual: usual, Snippets: 80}
		c := readNamed(t, name, content, opt)
		wantNote(t, c, "The columns are those of the model: Antwort (texts), Nr (names of the documents), Art (classes);")
		wantNote(t, c, "Columns of the model's texts were not found: gone;")
		if c.ID(3) != "T3" || c.Snippets[0] != texts[1] || !slices.Equal(c.ClassNames, []string{"a0", "a1"}) {
			t.Errorf("%s: %q, %q, %q", name, c.ID(3), c.Snippets[0], c.ClassNames)
		}
		opt.TextColumn, opt.IDColumn, opt.LabelColumn = []string{"Frage"}, "none", "none"
		c = readNamed(t, name, content, opt)
		if s := strings.Join(c.Notes, "\n"); strings.Contains(s, "those of the model") || c.IDs != nil || c.Labels != nil || c.Snippets[0] != texts[0] {
			t.Errorf("%s: what was asked for does not count: %s", name, s)
		}
		opt = ReadOptions{Text: TextOptions{MinDF: 1}, Usual: UsualColumns{ID: "2", Label: "none"}, TextColumn: []string{"Frage"}}
		if c = readNamed(t, name, content, opt); c.ID(0) == texts[0] || c.Labels != nil {
			t.Errorf("%s: the first name is %q, the labels %v", name, c.ID(0), c.Labels)
		}
	}
}

// A table without a header has no column of a name, and a note says so of texts alone: a new file
// may well lack the names or the classes.
func TestUsualWithoutHeader(t *testing.T) {
	const note = "were not found"
	table := strings.Repeat("the engine of my old car is loud,7\na cake of flour from the oven,8\n", 6)
	opt := ReadOptions{Text: TextOptions{MinDF: 1}, Usual: UsualColumns{Text: []string{"title", "body"}, ID: "Nr"}}
	wantNote(t, readNamed(t, "a.csv", table, opt), "Columns of the model's texts were not found: title, body;")
	opt.Usual.Text = nil
	if c := readNamed(t, "a.csv", table, opt); strings.Contains(strings.Join(c.Notes, "\n"), note) {
		t.Errorf("%q", c.Notes)
	}
	opt.Usual.Text = []string{"2"}
	if c := readNamed(t, "a.csv", table, opt); strings.Contains(strings.Join(c.Notes, "\n"), note) {
		t.Errorf("a number of a column is looked for as a name: %q", c.Notes)
	}
}

// A first row that has the name of a column that is asked for, or usual, is a header, though a
// single row of words below it tells nothing; not if the column has the name again.
func TestHeaderByNames(t *testing.T) {
	const one = "Nr,Frage\nT1,engine car road\n"
	for _, c := range []struct {
		content string
		opt     ReadOptions
		header  bool
	}{
		{one, ReadOptions{TextColumn: []string{"Frage"}}, true},
		{one, ReadOptions{Usual: UsualColumns{Text: []string{"frage"}, ID: "Nr"}}, true},
		{one, ReadOptions{Usual: UsualColumns{Text: []string{"2"}, ID: "none"}}, false},
		{one, ReadOptions{}, false},
		{one + "T2,Frage\n", ReadOptions{Usual: UsualColumns{Text: []string{"Frage"}}}, false},
	} {
		c.opt.Text.MinDF = 1
		r := readNamed(t, "a.csv", c.content, c.opt)
		if got, want := r.Len(), strings.Count(c.content, "\n")-map[bool]int{true: 1}[c.header]; got != want {
			t.Errorf("%+v: %d documents, and should be %d: %q", c.opt, got, want, r.Notes)
		}
	}
	// What is asked for has one role, whatever the case of its letters.
	r := readNamed(t, "a.csv", one, ReadOptions{Text: TextOptions{MinDF: 1}, TextColumn: []string{"NR"}, Usual: UsualColumns{ID: "Nr"}})
	if r.IDs != nil {
		t.Errorf("the texts are names too: %q", r.IDs)
	}
}
