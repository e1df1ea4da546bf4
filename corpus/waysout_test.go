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
		{name: "a.csv", content: "x,z\n1,2\n3,\n", refused: "or leave its row or its column out"},
		{name: "a.csv", content: "x,z\n1,2\n3,?\n", refused: "line 3, column 2 (z): is ?, which is no number; write one, such as the median of the column, or leave its row or its column out"},
		{name: "a.csv", content: "x,z\n1,2\n3,NA\n", refused: "is NA, which is no number; write one, such as the median of the column"},
		{name: "a.csv", content: "x,z\n1,2\n3,0\n", rows: 2, cols: 2},
		{name: "a.json", content: `{"response": {"docs": [{"title": "p"}, {"title": "q"}]}}`, refused: `jq '.["response"]["docs"]'`},
		{name: "a.json", content: `{"text": "a long text of one document", "meta": {"authors": [{"name": "p"}]}}`, rows: 1},
		{name: "a.json", content: `{"abstract": "a long text of one document", "meta": {"authors": [{"name": "p"}]}}`, rows: 1},
	})
}
