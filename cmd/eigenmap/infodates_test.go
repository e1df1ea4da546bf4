package main

import (
	"fmt"
	"strings"
	"testing"
)

// Info names a column of dates beside texts, and a next command that counts the clusters over time;
// it names none where a column may hold other things.
func TestInfoOfDates(t *testing.T) {
	dir := t.TempDir()
	table := func(head, row string) string {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i := range 40 {
			text := []string{"red apples and pears from the garden", "loud engines of old cars on the road"}[i%2]
			fmt.Fprintf(&b, row+"\n", 2000+i%20, 1+i%12, text)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ content, note, next string }{
		"one.csv": {table("day,text", "%d-%02d-05,%s of the town"), "Column day holds dates; --time-column day counts", "--time-column day"},
		"one.jsonl": {table(``, `{"opened at":"%d-%02d-05T10:00:00Z","text":"%s of the town"}`),
			"Column opened at holds dates; --time-column 'opened at' counts", "--time-column 'opened at'"},
		"two.csv":   {table("opened,closed,text", "%d-%02d-05,2026-01-%02[2]d,%[3]s of the town"), "Columns opened, closed hold dates; --time-column with one", ""},
		"year.csv":  {table("mass,text", "%d,%[3]s of the town %[2]d"), "", ""},
		"same.csv":  {table("day,text", "2026-01-05,%[3]s of the town %[1]d %[2]d"), "", ""},
		"ways.csv":  {table("day,text", "%[2]d/5/2026,%[3]s of the town %[1]d"), "", ""},
		"words.csv": {table("day,text", "May %d or %d,%s of the town"), "", ""},
	} {
		said := mustCall(t, "info", write(t, dir, name, strings.TrimLeft(c.content, "\n"))).stdout
		_, next, _ := strings.Cut(said, "\nnext  ")
		if !strings.Contains(said, c.note) || c.note == "" && strings.Contains(said, "--time-column") ||
			!strings.Contains(next, c.next) || c.next == "" && strings.Contains(next, "--time-column") {
			t.Errorf("info of %s says\n%s", name, said)
		}
		if c.next != "" {
			column := strings.Trim(strings.TrimPrefix(c.next, "--time-column "), "'")
			mustCall(t, "cluster", dir+"/"+name, "-k", "2", "--method", "kmeans", "--time-column", column)
		}
	}
}
