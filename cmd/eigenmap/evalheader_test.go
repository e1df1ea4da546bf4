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

// Where both lists begin with a header of names that nobody knows, both are left out; a document
// whose label is the only one of its kind is none where the other list has it with another.
func TestEvalSkipsBothHeaders(t *testing.T) {
	labels := strings.Split(strings.Repeat("a ", 5)+strings.Repeat("b ", 5), " ")[:10]
	list := func(header, id string) string {
		text := header
		for i, label := range labels {
			if id != "" {
				text += fmt.Sprintf("%s%d,", id, i+1)
			}
			text += label + "\n"
		}
		return text
	}
	number := strings.NewReplacer("a\n", "7\n", "b\n", "8\n")
	for _, c := range []struct {
		truth, found string
		documents    float64
		notes        int
	}{
		{list("Kategorie\n", ""), list("Gruppe\n", ""), 10, 2},
		{list("Kategorie\n", ""), number.Replace(list("Gruppe\n", "")), 10, 2},
		{list("Titel,Kategorie\n", "d"), list("Titel,Gruppe\n", "d"), 10, 2},
		{list("Titel,Kategorie\n", "d"), list("Name,Gruppe\n", "d"), 10, 2},
		{list("Titel,Kategorie\n", " "), number.Replace(list("Name,Gruppe\n", " ")), 10, 2},
		{list("id,label\n", "d"), list("Name,Gruppe\n", "d"), 10, 1},
		{list("", "d"), list("Name,Gruppe\n", "d"), 10, 1},
		{list("Titel,Kategorie\n", "d"), list("", ""), 10, 1},
		{list("d0,lone\n", "d"), list("d0,single\n", "d"), 11, 0},
		{list("d0,lone\n", "d"), list("d0,a\n", "d"), 11, 0},
		{list("d0,lone\n", "d"), list("lone\n", ""), 11, 0},
		{list("lone\n", ""), list("a\n", ""), 11, 0},
	} {
		dir := t.TempDir()
		v := mustCall(t, "eval", write(t, dir, "a.csv", c.truth), write(t, dir, "b.csv", c.found), "--json").object(t)
		notes := 0
		for _, n := range v["notes"].([]any) {
			if strings.Contains(n.(string), "is taken for a header") {
				notes++
			}
		}
		if v["documents"] != c.documents || notes != c.notes {
			t.Errorf("%q, %q: %v documents, notes %q", c.truth, c.found, v["documents"], v["notes"])
		}
	}
}

// A list of one column whose first label is also a usual name of a column of labels begins with a
// label if that occurs again.
func TestEvalOfLabelsLikeNames(t *testing.T) {
	dir := t.TempDir()
	answers := write(t, dir, "a.csv", strings.Repeat("y\nn\n", 5))
	if v := mustCall(t, "eval", answers, answers, "--json").object(t); v["documents"] != 10.0 {
		t.Errorf("%v documents", v["documents"])
	}
}

// A document of one side alone is no header for the sake of a label that no other has.
func TestEvalKeepsDocumentsOfOneSide(t *testing.T) {
	dir := t.TempDir()
	truth, found := "d0,rare\n", ""
	for i := range 12 {
		truth += fmt.Sprintf("d%d,%s\n", i+1, []string{"a", "b"}[i%2])
		found += fmt.Sprintf("d%d,%d\n", i+1, i%2)
	}
	v := mustCall(t, "eval", write(t, dir, "truth.csv", truth), write(t, dir, "found.csv", found), "--json").object(t)
	if notes := fmt.Sprint(v["notes"]); strings.Contains(notes, "header") || v["documents"] != 12.0 {
		t.Errorf("%v", v)
	}
}
