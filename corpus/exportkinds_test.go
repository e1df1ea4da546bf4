package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What programs export as JSON is read by its texts: not by a code called text, also from an index
// of words; one field that all documents share is no name.
func TestKindExportedJSON(t *testing.T) {
	lines := func(n int, line string) string {
		out := ""
		for i := range n {
			out += strings.NewReplacer("#", fmt.Sprint(i), "TEXT", []string{"the engine of a car and its four wheels on a road", "a cake in the oven with sugar and a lot of butter"}[i%2], "CLASS", []string{"p", "q"}[i%2]).Replace(line) + "\n"
		}
		return out
	}
	index := func(text string) string {
		places := map[string][]int{}
		for i, word := range strings.Fields(text) {
			places[word] = append(places[word], i)
		}
		raw, _ := json.Marshal(places)
		return string(raw)
	}
	work := fmt.Sprintf(`{"id": "W1", "title": "One", "abstract_inverted_index": %s}`+"\n"+`{"id": "W2", "title": "Two", "abstract_inverted_index": %s}`+"\n"+`{"id": "W3", "title": "Three", "abstract_inverted_index": null}`+"\n",
		index("the engine of the car and the wheel of the car"), index("a cake with sugar in the oven"))
	checkKinds(t, []kind{
		{name: "a.ndjson", content: lines(12, `{"id": "r#", "code": {"text": "Report"}, "conclusion": "TEXT"}`), rows: 12, ids: true, note: "The texts are field conclusion"},
		{name: "a.json", content: lines(12, `{"id": "r#", "code": {"text": "Case #"}, "note": [{"text": "TEXT"}]}`), rows: 12, ids: true, note: "The texts are field note"},
		{name: "a.json", content: lines(12, `{"id": "r#", "kind": {"name": "x"}, "record": {"text": "TEXT"}}`), rows: 12, ids: true, note: "The texts are field record.text"},
		{name: "a.json", content: lines(12, `{"id": "r#", "post": {"text": "the engine of car # stops"}, "user": {"description": "TEXT TEXT and TEXT"}}`), rows: 12, ids: true, note: "The texts are field post.text"},
		{name: "a.json", content: lines(12, `{"id": "r#", "reviewText": "TEXT", "summary": "good"}`), rows: 12, ids: true, note: "The texts are field reviewText"},
		{name: "a.jsonl", content: lines(12, `{"uri": "r#", "text": "TEXT", "labels": []}`), rows: 12, note: "No field of classes"},
		{name: "a.jsonl", content: lines(12, `{"id": "patent", "text": "TEXT", "label": "CLASS"}`), rows: 12, classes: 2, note: "Field id is the same in all rows looked at"},
		{name: "a.csv", content: "id,text\n" + lines(12, `patent,TEXT`), rows: 12, note: "(id) is the same in all rows"},
		{name: "a.jsonl", content: lines(2, `{"id": "same", "text": "TEXT"}`), refused: "belongs to"},
		{name: "a.jsonl", content: work, rows: 3, ids: true, note: "The texts are field abstract_inverted_index"},
		{name: "a.jsonl", content: strings.Repeat(`{"title": "One", "abstract_inverted_index": {"engine": [1, 140], "car": [3], "a": [2]}}`+"\n", 3), rows: 3, terms: "car engin", note: "The texts are field abstract_inverted_index"},
		{name: "a.json", content: `{"meta": {"count": 3}, "results": [` + strings.ReplaceAll(strings.TrimSpace(work), "\n", ",") + `]}`, rows: 3, ids: true, terms: "cake car"},
		{name: "a.json", content: lines(6, `{"index": {"_id": "#"}}`+"\n"+`{"text": "TEXT", "category": ["CLASS"]}`), refused: "awk 'NR % 2 == 0' FILE"},
		{name: "a.json", content: lines(6, `{"index": {"name": "#"}, "text": "TEXT"}`), rows: 6},
	})
}

// Files that are not JSON but nearly so, or have their columns between rare signs, are named with a
// command that makes what is read.
func TestKindNearlyRead(t *testing.T) {
	object := `{"id": 1, "text": "some words"}`
	columns := func(sign string) string {
		return strings.Repeat("1"+sign+"some words of it"+sign+"p\n2"+sign+"more words"+sign+"q\n", 4)
	}
	screen := "+----+------+\n| id | x    |\n+----+------+\n|  1 | 2.5  |\n|  2 | 3.25 |\n|  3 | 7.5  |\n+----+------+\n"
	checkKinds(t, []kind{
		{name: "a.jsonl", content: object + ",\n" + object + "\n", refused: "sed 's/},[[:space:]]*$/}/' FILE"},
		{name: "a.json", content: object + object, refused: "jq -c . FILE"},
		{name: "a.json", content: `{"x": [1, 2.5, null], "y": [4, 5, 6]}`, refused: "with a list of numbers for each column; write it as a table"},
		{name: "a.json", content: `{"x": [1, 2.5, 3], "y": [4, 5]}`, refused: "vectors such as x are read beside the texts"},
		{name: "a.json", content: "// exported\n[" + object + "]\n", refused: "is a comment, which JSON does not have"},
		{name: "a.json", content: "/* exported */\n[" + object + "]\n", refused: "is a comment, which JSON does not have"},
		{name: "a.json", content: "\x1e" + object + "\n\x1e" + object + "\n", refused: "tr -d '\\036'"},
		{name: "a.js", content: "var DATA = [" + object + "];\n", refused: "is JSON in a program of JavaScript"},
		{name: "a.js", content: "module.exports = {\"a\": [" + object + "]};\n", refused: "is JSON in a program of JavaScript"},
		{name: "a.jsonl", content: "{'id': 1, 'text': 'some words'}\n", refused: "ast.literal_eval"},
		{name: "a.tsv", content: "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=some words\n1-1\t0-4\tsome\t_\t\n", refused: "sed -n 's/^#Text=//p'"},
		{name: "a.txt", content: "\\_sh v3.0  400  Dictionary\n\n\\lx one\n\\ge some words\n", refused: "is a file of Toolbox"},
		{name: "a.txt", content: "MSH|^~\\&|LAB|X\rNTE|1||words\r", refused: "holds messages of HL7"},
		{name: "a.txt", content: columns("~"), refused: `sed 's/ *~ */\t/g'`},
		{name: "a.txt", content: columns("^"), refused: `sed 's/ *\^ */\t/g'`},
		{name: "a.txt", content: columns("\x01"), refused: `sed 's/ *\x01 */\t/g'`},
		{name: "a.txt", content: columns(" ||| "), refused: `sed 's/ *||| */\t/g'`},
		{name: "a.txt", content: columns(" +++$+++ "), refused: `sed 's/ *+++\$+++ */\t/g'`},
		{name: "a.txt", content: columns("^^") + "3^^^^\n", refused: `sed 's/ *\^\^ */\t/g'`},
		{name: "a.txt", content: strings.Repeat("a job in C++ for some months\n", 8), refused: "if each line is a document"},
		{name: "a.txt", content: strings.Repeat("some words ^^\n", 8), refused: "if each line is a document"},
		{name: "a.txt", content: strings.Repeat("about ~5 of all and ~6 more\n", 8), refused: "if each line is a document"},
		{name: "a.txt", content: strings.Repeat("by $$x$$ it follows\n", 8), refused: "if each line is a document"},
		{name: "a.txt", content: columns(" - "), refused: "if each line is a document"},
		{name: "a.txt", content: wideText("\ufeff"+screen, false), rows: 3, cols: 1, ids: true, note: "as MySQL prints it"},
		{name: "a.md", content: wideText("\ufeff| id | x |\n|---|---:|\n| 1 | 2.5 |\n| 2 | 3.5 |\n| 3 | 9 |\n", true), rows: 3, cols: 1, ids: true, note: "table of Markdown"},
	})
}
