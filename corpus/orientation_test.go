package corpus

import (
	"slices"
	"strings"
	"testing"
)

// A table of counts whose rows are plainly terms is named so, is never transposed without being
// asked, and gives terms and names of documents with the option.
func TestKindTermRows(t *testing.T) {
	const note = "The rows look like terms"
	body := "apple,1,0,2\nbanana,0,3,1\ncake,2,2,0\ndon't,0,1,1\n"
	terms := "apple banana cake don't"
	heads := []string{",d1,d2,d3\n", "x,d1,d2,d3\n", "term,d1,d2,d3\n", "word,emma,ulysses,walden\n", "\"\",1,2,3\n", "term,1,2,3\n", ",a.txt,b.txt,c.txt\n", "unnamed: 0,2019-1,2019-2,2019-3\n"}
	var list []kind
	for _, h := range heads {
		list = append(list, kind{name: "a.csv", content: h + body, rows: 4, cols: 3, ids: true, note: note},
			kind{name: "a.tsv", content: strings.ReplaceAll(h+body, ",", "\t"), opt: ReadOptions{Transpose: true}, rows: 3, cols: 4, ids: true, terms: terms, note: "the terms once transposed"})
	}
	checkKinds(t, list)
	for _, other := range []string{
		",apple,banana,cake\nanna,1,0,2\nbert,0,3,1\ncarl,2,2,0\n", // persons
		",d1,d2,d3\np1,1,0,2\np2,0,3,1\np3,2,2,0\n",
		",d1,d2,d3\nanna,1.5,0,2\nbert,0,3,1\ncarl,2,2,0\n", // measurements
		",x1,x2,x3\nanna,-1,0,2\nbert,0,3,1\ncarl,2,2,0\n",
		"id,x1,x2,label\nanna,1,0,a\nbert,0,3,b\ncarl,2,2,a\n",
		"id,x1,x2,x3\nanna,1,0,2\nbert,0,3,1\ncarl,2,2,0\n",
		"x1,x2,x3\n1,0,2\n0,3,1\n2,2,0\n",
	} {
		got := readNamed(t, "a.csv", other, ReadOptions{})
		if slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("%q: %q", other, got.Notes)
		}
	}
	got := readNamed(t, "a.csv", heads[0]+body, ReadOptions{Transpose: true})
	if !slices.Equal(got.IDs, []string{"d1", "d2", "d3"}) || got.X.At(1, 1) != 3 || got.X.At(2, 0) != 2 {
		t.Errorf("ids %q, %v", got.IDs, got.X)
	}
}
