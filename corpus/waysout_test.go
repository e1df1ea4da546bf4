package corpus

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// Messages name what to run, and what the fault is, where a file holds no matrix or other quotes.
func TestKindWaysOut(t *testing.T) {
	images := string(corpustest.NPZ(t, "x_train", corpustest.NPY("'<f8'", "False", "(2, 2, 2)", make([]byte, 64)), "y_train", corpustest.NPY("'|u1'", "False", "(2,)", []byte{0, 1})))
	escaped := "id,text\n1,\"he said \\\"yes\\\", twice\"\n2,\"more words\"\n"
	checkKinds(t, []kind{
		{name: "a.npz", content: images, refused: "x_train is an array of 3 dimensions: save a matrix with a row for each document, of an array of NumPy with x.reshape(len(x), -1)"},
		{name: "a.csv", content: escaped, refused: `sed 's/\\"/""/g' FILE`},
		{name: "a.csv", content: strings.ReplaceAll(escaped, `\"`, `""`), rows: 2, ids: true},
		{name: "a.csv", content: "x,z\n1,2\n3,\n", refused: "the first, line 3, column 2 (z), is empty; give ‹missing› median or mean, which fills it by that of its column, or ‹missing› drop-rows or drop-columns, which leaves rows or columns out"},
		{name: "a.csv", content: "x,z\n1,2\n3,?\n", refused: "1 cell is missing in 1 of 2 rows and 1 of 2 columns (z: 1); the first, line 3, column 2 (z), is ?; give ‹missing› median or mean"},
		{name: "a.csv", content: "x,z\n1,2\n3,NA\n", refused: "line 3, column 2 (z), is NA; give ‹missing› median"},
		{name: "a.csv", content: "x,z\n1,2\n3,0\n", rows: 2, cols: 2},
		{name: "a.json", content: "{\n \"val\": [\n  [\n   \"some \\\"words\\\"\",\n   \"a\"\n  ],\n  [\"more words\", \"b\"]\n ]\n}\n", refused: `jq -c '.["val"][] | {text: .[0], label: .[1]}'`},
		{name: "a.json", content: `{"response": {"docs": [{"title": "one title"}, {"title": "one title"}]}}`, rows: 2},
		{name: "a.json", content: `{"text": "a long text of one document", "meta": {"authors": [{"name": "p"}]}}`, rows: 1},
		{name: "a.json", content: `{"abstract": "a long text of one document", "meta": {"authors": [{"name": "p"}]}}`, rows: 1},
		{name: "a.md", content: "---\ntitle: A page\ntags: [p, q]\n---\n\n# Head\n\nSome words of it.\n", refused: "is one text; put it into a folder with the others"},
		{name: "a.tex", content: "% a paper\n%\n%\n\\documentclass{article}\n%\n%\n%\n%\n\\begin{document}\nwords\n\\end{document}\n", refused: "is one text; put it into a folder with the others"},
		{name: "a.txt", content: "- milk: two\n- bread\n- eggs\n", refused: "if each line is a document"},
		{name: "a.yml", content: "- name: milk\n  much: two\n", refused: "is YAML"},
	})
}
