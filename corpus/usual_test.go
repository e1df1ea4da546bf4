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
