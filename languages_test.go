package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A model of texts in several languages places a document alone where it places it in company, and
// the training documents where they were.
func TestModelOfLanguages(t *testing.T) {
	texts := []string{
		"The information about the houses in this city is on the server, and it was not easy to find them.",
		"Die Information über die Häuser in der Stadt liegt auf dem Server und war nicht leicht zu finden.",
		"L'information sur les maisons de la ville est sur le serveur, et elle n'est pas facile à trouver.",
		"A garden with many flowers is what the families of this town want to have.",
		"Ein Garten mit vielen Blumen ist das, was die Familien in der Stadt sich wünschen.",
		"Un jardin avec des fleurs, c'est ce que les familles de la ville veulent.",
	}
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf(`{"text": "%s %s"}`, texts[i%6], strings.Repeat("Information ", i%4)))
	}
	dir := t.TempDir()
	write := func(name string, lines ...string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
		return path
	}
	file := write("a.jsonl", lines...)
	run := cluster(t, file, options(t, "lsi", "clusters", "3"))
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), " "); !strings.Contains(notes, "german of 10") {
		t.Errorf("notes %s", notes)
	}
	saved := saveModel(t, run)
	p := must.Get(eigenmap.Predict(context.Background(), saved, file))(t)
	if fmt.Sprint(p.Labels) != fmt.Sprint(run.Labels) {
		t.Errorf("the training documents are in %v, and were in %v", p.Labels, run.Labels)
	}
	for i := range 6 {
		alone := must.Get(eigenmap.Predict(context.Background(), saved, write("one.jsonl", lines[i])))(t)
		for j, x := range alone.Embedding.RawRowView(0) {
			if math.Abs(x-p.Embedding.At(i, j)) > 1e-12 {
				t.Errorf("document %d alone is at %v, in company at %v", i, alone.Embedding.RawRowView(0), p.Embedding.RawRowView(i))
				break
			}
		}
	}
	if p, err := eigenmap.Predict(context.Background(), saved, write("none.jsonl", `{"text": "und nicht der die das"}`)); err != nil || len(p.Isolated) != 1 {
		t.Errorf("a text of stop words: %v", err)
	}
}
