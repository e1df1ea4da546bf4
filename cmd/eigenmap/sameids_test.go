package main

import (
	"fmt"
	"strings"
	"testing"
)

// Every reader that refuses documents of one id says how many there are, if there are several.
func TestRefusalCountsSameIDs(t *testing.T) {
	dir := t.TempDir()
	var table, matrix, beside, list strings.Builder
	table.WriteString("id,text\n")
	beside.WriteString("id,label\n")
	for i := range 12 {
		id := fmt.Sprint("d", max(3, i)) // d3 four times
		fmt.Fprintf(&table, "%s,boats and ships on river %d\n", id, i)
		fmt.Fprintf(&matrix, "1 1:%d 2:%d\n", i+1, i%3+1)
		fmt.Fprintf(&beside, "%s,x\n", id)
		fmt.Fprintf(&list, "%s,%d\n", id, i%2)
	}
	file, lists := write(t, dir, "a.csv", table.String()), write(t, dir, "list.csv", list.String())
	write(t, dir, "b.labels.csv", beside.String())
	for _, c := range []struct {
		part string
		args []string
	}{
		{"(3 documents have the id of an earlier one)", []string{"cluster", file, "--method", "kmeans", "-k", "2"}},
		{"(3 documents have the id of an earlier one)", []string{"cluster", file, "--method", "diffusion", "-k", "2", "--fit-on", "6", "--out", dir + "/out"}},
		{"(3 lines have the name of an earlier one)", []string{"cluster", write(t, dir, "b.svm", matrix.String()), "--method", "kmeans", "-k", "2"}},
		{"(3 lines name a document again)", []string{"eval", lists, lists}},
		{"(3 lines name a document again)", []string{"eval", write(t, dir, "few.csv", "d3,0\nd4,1\n"), lists}},
	} {
		if r := call(c.args...); r.status != exitRequest || !strings.Contains(r.stderr, c.part) {
			t.Errorf("%q: status %d: %s", c.args, r.status, r.stderr)
		}
	}
}
