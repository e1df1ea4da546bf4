package main

import (
	"fmt"
	"strings"
	"testing"
)

// Eval leaves out the header of a list of labels as --truth does, beside a list and beside the
// clusters.csv of a run.
func TestEvalSkipsHeader(t *testing.T) {
	dir := t.TempDir()
	plain := strings.Repeat("a\n", 5) + strings.Repeat("b\n", 5)
	list := write(t, dir, "list.csv", plain)
	headed := write(t, dir, "headed.csv", "Kategorie\n"+plain)
	clusters := "id,cluster\n1,0\n2,0\n3,0\n4,0\n5,0\n6,1\n7,1\n8,1\n9,1\n10,1\n"
	numbered := write(t, dir, "numbered.csv", clusters)
	for _, c := range [][2]string{{headed, list}, {list, headed}, {headed, numbered}} {
		v := mustCall(t, "eval", c[0], c[1], "--json").object(t)
		notes := v["notes"].([]any)
		if v["documents"] != 10.0 || v["metrics"].(map[string]any)["accuracy"] != 1.0 || len(notes) == 0 || !strings.Contains(notes[0].(string), "headed.csv, Kategorie, is taken for a header") {
			t.Errorf("%q: %v", c, v)
		}
	}
	signs := strings.Repeat("-1\n", 5) + strings.Repeat("1\n", 5) // of which -1 is a class, without a header
	v := mustCall(t, "eval", write(t, dir, "signs.csv", "Kategorie\n"+signs), list, "--json").object(t)
	if notes := fmt.Sprint(v["notes"]); strings.Contains(notes, "no label") || v["metrics"].(map[string]any)["accuracy"] != 1.0 {
		t.Errorf("%v", v)
	}
	if r := call("eval", write(t, dir, "twice.csv", "a\n"+plain), list); r.status != exitRequest {
		t.Errorf("a label that others have is taken for a header: %s", r.stdout)
	}
}
