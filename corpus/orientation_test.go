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

// leadingFields are the first fields of the lines behind the first.
func leadingFields(text string) (list []string) {
	for line := range strings.Lines(text) {
		first, _, _ := strings.Cut(line, ",")
		list = append(list, first)
	}
	return list[1:]
}

// A table of cells or samples whose rows are genes is named so, of counts and of measurements.
func TestKindGeneRows(t *testing.T) {
	const note = "The rows look like genes"
	var list []kind
	for _, text := range []string{
		"gene,cell0,cell1\nTP53,1.5,0\nMYC,0,3.25\nCD3E,2,2\n",
		"Gene_Symbol,s1,s2\nTP53,-1.5,0\nMYC,0,3\nCD3E,2,2\n",
		",c0,c1\nENSG00000141510.17,1,0\nENSMUSG00000059552,0,3\nENST00000269305,2,2\n",
		"\"\",AAACCTGAGAAGGCCT-1,p2_AAACCTGAGACAGACC\nTP53,1,0\nMYC,0,3\nCD3E,2,2\n",
	} {
		list = append(list, kind{name: "a.csv", content: text, rows: 3, cols: 2, ids: true, note: note},
			kind{name: "a.tsv", content: strings.ReplaceAll(text, ",", "\t"), rows: 3, cols: 2, ids: true, note: note},
			kind{name: "a.csv", content: text, opt: ReadOptions{Transpose: true}, rows: 2, cols: 3, ids: true, terms: strings.Join(leadingFields(text), " "), note: "the terms once transposed"})
	}
	checkKinds(t, list)
	for _, other := range []string{"cell,TP53,MYC\nc1,1.5,0\nc2,0,3\nc3,2,2\n", ",ENSG00000141510,ENSG00000136997\nAAACCTGAGAAGGCCT,1,0\nAAACCTGAGACAGACC,0,3\nAAACCTGAGACAGACG,2,2\n"} {
		got := readNamed(t, "a.csv", other, ReadOptions{})
		if slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, note) }) {
			t.Errorf("%q: %q", other, got.Notes)
		}
	}
}
