package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// numberRows are n lines of a name, if names, and numbers between separators.
func numberRows(n, columns int, sep string, names bool) string {
	var b strings.Builder
	for i := range n {
		if names {
			fmt.Fprintf(&b, "row%d%s", i, sep)
		}
		for j := range columns {
			if j > 0 {
				b.WriteString(sep)
			}
			fmt.Fprintf(&b, "%.2f", float64((i*7+j*3)%11)+0.25)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Tables whose name says nothing are recognised by lines that are cut alike; prose is not.
func TestKindTableByLook(t *testing.T) {
	prose := "The engine of the car, which was new, is loud.\nA cake needs flour; an oven, too.\nThe end.\n"
	checkKinds(t, []kind{
		{name: "a.txt", content: "x y z\n" + numberRows(30, 3, " ", false), rows: 30, cols: 3, note: "csv was recognised"},
		{name: "a.dat", content: " x   y   z\n" + numberRows(30, 3, "   ", false), rows: 30, cols: 3},
		{name: "a.txt", content: "\"x\" \"y\" \"z\"\n" + numberRows(30, 3, " ", true), rows: 30, cols: 3, ids: true},
		{name: "a.out", content: "# made by us\n# x y\n" + numberRows(30, 2, " ", false), rows: 30, cols: 2},
		{name: "glove.txt", content: numberRows(300, 20, " ", true), rows: 300, cols: 20, ids: true},
		{name: "a.vec", content: "30 5\n" + numberRows(30, 5, " ", true), rows: 30, cols: 5, ids: true, note: "word2vec"},
		{name: "a.csv", content: "30 5\n" + numberRows(30, 5, " ", true), rows: 30, cols: 5, ids: true, note: "word2vec"},
		{name: "a.txt", content: strings.Repeat("w", 20000) + " b\n" + numberRows(3, 2, " ", false), rows: 3, cols: 2},
		{name: "a.txt", content: numberRows(3, 3000, ",", false), rows: 3, cols: 3000},
		{name: "a.txt", content: "1,2,3\n", rows: 1, cols: 3},
		{name: "a.dat", content: "id|x|z\n" + numberRows(30, 2, "|", true), opt: ReadOptions{Format: "csv"}, rows: 30, cols: 2, ids: true},
		{name: "a.txt", content: "id;text\n1;some words, here\n2;other words\n", rows: 2, ids: true},
		{name: "a.txt", content: prose, refused: "if each line is a document, give ‹input-format› lines"},
		{name: "a.txt", content: prose, opt: ReadOptions{Format: "lines"}, rows: 3},
		{name: "a.txt", content: "one line, of a text; alone\n", refused: "put it into a folder"},
		{name: "a.sql", content: "INSERT INTO x VALUES (1,2);\n", refused: "is a dump of a database in SQL"},
		{name: "a.sql", content: "/*****\n   Words - Version 1\n*****/\n\n-- words\nDROP DATABASE IF EXISTS `x`;\n", refused: "is a dump of a database in SQL"},
		{name: "a.conllu", content: "# sent_id = 1\n# text = Words stand.\n1\tWords\tword\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tstand\tstand\tVERB\tVBP\t_\t0\troot\t_\t_\n\n", refused: "is a treebank"},
		{name: "a.obo", content: "format-version: 1.2\n\n[Term]\nid: A:1\ndef: \"Some words.\" [x]\n", refused: "is an ontology in OBO"},
		{name: "a.po", content: "# Words\nmsgid \"\"\nmsgstr \"\"\n\nmsgid \"word\"\nmsgstr \"Wort\"\n", refused: "is a catalogue of translated messages"},
		{name: "a.ics", content: "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Some words\r\n", refused: "is a calendar"},
		{name: "a.yaml", content: "- id: 1\n  text: some words\n- id: 2\n  text: more words\n", refused: "is YAML"},
		{name: "a.yml", content: "---\ntexts:\n  - some words\n", refused: "is YAML"},
		{name: "quotes", content: "some words\nof a text\n%\nmore words\n%\nothers\n", refused: "between lines of %"},
		{name: "Packages", content: "Package: apt\nSection: admin\nDescription: some words\n\n", refused: "is an index of Debian's packages"},
		{name: "a.dta", content: "r\x02\x01\x00\x04\x00\x06\x00\x00\x00", refused: "cut off"},
		{name: "a.por", content: strings.Repeat(" ", 40) + strings.Repeat("0", 416) + "SPSSPORTA8/", refused: "is a file of SPSS"},
		{name: "a.bib", content: "@article{a, title={Words}}\n", rows: 1, ids: true, note: "BibTeX"},
		{name: "a.txt", content: "12 apples\n3 green pears\n7 plums\n", refused: "cannot be recognised"},
	})
}

// Lists of edges are named for what they are, whatever separates them.
func TestKindEdges(t *testing.T) {
	edges := func(sep, value string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "%d%s%d%s\n", i/4, sep, 20+(i*7)%13, strings.ReplaceAll(value, ",", sep))
		}
		return b.String()
	}
	counts := ""
	for i := range 40 {
		counts += fmt.Sprintf("%d,%d\n", i%3, i%4)
	}
	checkKinds(t, []kind{
		{name: "a.csv", content: "source,target,weight\n" + edges(",", ",0.5"), refused: "‹edge-list›"},
		{name: "a.tsv", content: "Source\tTarget\tWeight\n" + edges("\t", ",0.5"), refused: "‹edge-list›"},
		{name: "a.csv", content: "from;to\n" + edges(";", ""), refused: "‹edge-list›"},
		{name: "a.tsv", content: "Source\tTarget\tWeight\n" + edges("\t", ",0.5"), opt: ReadOptions{Format: "tsv"}, rows: 40, cols: 3},
		{name: "a.txt", content: edges(" ", ",0.5"), rows: 40, cols: 3, note: "‹edge-list›"},
		{name: "a.csv", content: edges(",", ",1"), rows: 40, cols: 3, note: "‹input-format› triplets"},
		{name: "a.csv", content: edges(",", ",0.5") + "0,9,0.25\n", rows: 41, cols: 3, note: "‹edge-list›"},
		{name: "a.txt", content: edges(" ", ""), rows: 40, cols: 2, note: "edges of a graph"},
		{name: "a.tsv", content: edges("\t", ""), rows: 40, cols: 2, note: "edges of a graph"},
		{name: "a.csv", content: edges(",", ""), rows: 40, cols: 2, note: "edges of a graph"},
		{name: "a.csv", content: counts, rows: 40, cols: 2, note: "There is no header"},
	})
}

// Rows of other lengths than the header are named for what they are.
func TestKindRaggedTables(t *testing.T) {
	checkKinds(t, []kind{
		{name: "a.csv", content: "id,text\n1,hello, world and more\n2,another one\n", refused: "put texts that hold the separator into quotes"},
		{name: "a.csv", content: "id,text\n1,\"hello, world and more\"\n2,another one\n", rows: 2, ids: true},
		{name: "a.csv", content: "x,y,z\n1,5,2,5,3,5\n1,2,3,4,5,6\n", refused: "decimal commas"},
		{name: "a.csv", content: "x,y\n1,5,2,5\n", refused: "decimal commas"},
		{name: "a.csv", content: "x,y,z\n1,5,2,3\n1,2,3\n", refused: "decimal commas"},
		{name: "a.csv", content: "x,y\n1.5,2.5\n1,2,z\n", refused: "correct the line"},
		{name: "a.csv", content: "x,z\nr1,1.5,2.5\nr2,2,3.5\n", rows: 2, cols: 2, ids: true},
		{name: "a.csv", content: "x,z\nr1,1.5,2.5\nr2,2\n", refused: "line 2"},
		{name: "a.tsv", content: "x\ty\n1\t2\t3\n4\t5\n", refused: "line 2"},
		{name: "a.csv", content: "a,b\n1,2\n3,4\n5\n", refused: "line 4"},
	})
}
