package main

import (
	"fmt"
	"strings"
	"testing"
)

// Info reads a file with ids that several documents have, counts them and names the first and the
// way out, which works; a run refuses the file with the same words.
func TestInfoOfRepeatedIDs(t *testing.T) {
	dir := t.TempDir()
	lines, table, numbers := "", "id,text\n", "id,x,y\n"
	for i := range 20 {
		text := fmt.Sprintf("boats and rivers with %s", []string{"water", "sails"}[i%2])
		lines += fmt.Sprintf("{\"id\":\"user%d\",\"text\":%q}\n", i%8, text)
		table += fmt.Sprintf("user%d,%s\n", i%8, text)
		numbers += fmt.Sprintf("user%d,%d,%d\n", i%8, i%2, i)
	}
	kinds := map[string]string{"a.jsonl": lines, "b.csv": table, "c.csv": numbers, "d.csv": strings.ReplaceAll(numbers, "user", "7")}
	for name, content := range kinds {
		file := write(t, dir, name, content)
		said := mustCall(t, "info", file).stdout
		first, count := "the id \"user0\" already belongs to line ", "(12 documents have the id of an earlier one)"
		if name == "c.csv" || name == "d.csv" { // of numbers, where the ids must not become a term
			first, count = "0\", which line 2 already has", "(12 documents have the name of an earlier one)"
		}
		_, next, _ := strings.Cut(said, "next  ")
		if !strings.Contains(said, first) || !strings.Contains(said, count) || !strings.Contains(next, "--id-column none") || strings.Contains(said, "vocabulary  id") {
			t.Errorf("info of %s says\n%s", name, said)
		}
		r := call("cluster", file, "-k", "2", "--method", "kmeans")
		checkSentence(t, r, first)
		checkSentence(t, r, count)
		checkSentence(t, r, "--id-column none")
		mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--id-column", "none")
	}
}
