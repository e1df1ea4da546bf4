package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/internal/must"
)

// wideText is a text in UTF-16 without a byte-order mark.
func wideText(s string, big bool) string {
	var out []byte
	for _, c := range utf16.Encode([]rune(s)) {
		if big {
			out = append(out, byte(c>>8), byte(c))
		} else {
			out = append(out, byte(c), byte(c>>8))
		}
	}
	return string(out)
}

// JSON in UTF-16 is read with a byte-order mark and without one, in each order of bytes.
func TestKindWideJSON(t *testing.T) {
	var lines, list, foreign strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, "{\"text\": \"words of %s\", \"label\": %d}\n", []string{"cars", "cakes"}[i%2], i%2)
		fmt.Fprintf(&foreign, "{\"text\": \"%s\"}\n", []string{"汽车引擎轮胎速度道路司机", "蛋糕面包甜味烤箱面粉奶油"}[i%2])
	}
	list.WriteString("[" + strings.TrimSuffix(strings.ReplaceAll(lines.String(), "\n", ",\n"), ",\n") + "]")
	checkKinds(t, []kind{
		{name: "a.jsonl", content: wideText(lines.String(), false), rows: 12, classes: 2, note: "UTF-16"},
		{name: "a.jsonl", content: wideText(lines.String(), true), rows: 12, classes: 2, note: "UTF-16"},
		{name: "a.jsonl", content: wideText("\ufeff"+lines.String(), true), rows: 12, classes: 2},
		{name: "a.json", content: wideText(list.String(), false), rows: 12, classes: 2},
		{name: "a.json", content: wideText("\ufeff"+list.String(), false), rows: 12, classes: 2},
		{name: "a.json", content: wideText(list.String(), true), opt: ReadOptions{Format: "json"}, rows: 12, classes: 2},
		{name: "a.txt", content: wideText(lines.String(), false), rows: 12, classes: 2},
		{name: "a.jsonl", content: wideText("\n  "+lines.String(), false), rows: 12, classes: 2},
		{name: "a.jsonl.gz", content: gzipped(wideText(crlf(lines.String()), true)), rows: 12, classes: 2},
		{name: "a.jsonl", content: wideText(foreign.String(), false), rows: 12},
		{name: "a.jsonl", content: wideText(foreign.String(), true), rows: 12},
		{name: "a.jsonl", content: strings.Join(strings.Split(lines.String(), ""), "\x00\x00\x00") + "\x00\x00\x00", refused: "UTF-32"},
	})
	for _, name := range []string{"a.jsonl", "b.jsonl"} { // of several files none is UTF-16
		_, err := Read(t.Context(), makeFolder(t, map[string]string{"a.jsonl": lines.String(), name: wideText(lines.String(), false)}), ReadOptions{})
		wantFault(t, err, name, "UTF-16")
	}
}

// texted are n texts by name.
func texted(n int) map[string]string {
	texts := make(map[string]string)
	for i := range n {
		texts[fmt.Sprint("d", i)] = "some words"
	}
	return texts
}

// An array may hold texts alone, and JSON that holds all documents in one object, or vectors, is
// refused for what it is.
func TestKindJSONOfOtherShapes(t *testing.T) {
	texts, labels, objects, vectors := make([]string, 12), make([]int, 12), make([]map[string]any, 12), make([][]float64, 12)
	byID := make(map[string]any)
	for i := range 12 {
		texts[i], labels[i], vectors[i] = []string{"the engine \"of\" a car", "a cake [is] {in} the oven"}[i%2], i%2, []float64{1, float64(i)}
		objects[i] = map[string]any{"text": texts[i], "label": i % 2}
		byID[fmt.Sprint("d", i)] = objects[i]
	}
	written := func(v any) string {
		raw := must.Get(json.Marshal(v))(t)
		return string(raw)
	}
	indented, _ := json.MarshalIndent(map[string]any{"data": objects}, "", "  ")
	long := strings.Repeat(" more words", 10000)
	checkKinds(t, []kind{
		{name: "a.json", content: written(texts), rows: 12, cols: 4},
		{name: "a.json", content: "\ufeff" + strings.ReplaceAll(written(texts), ",", ",\r\n"), rows: 12, cols: 4},
		{name: "a.jsonl", content: written(texts), rows: 12, cols: 4},
		{name: "a.json", content: `["one \u0022word\"", "two words"]`, rows: 2},
		{name: "a.json", content: `["one word", "two`, refused: "cut off"},
		{name: "a.json", content: `["one word", 2]`, refused: "something else than objects"},
		{name: "a.json", content: written(map[string]any{"data": objects, "version": "1.0"}), rows: 12, classes: 2, note: "the list in the field data"},
		{name: "a.json", content: written(map[string]any{"data": append([]map[string]any{{"text": long}}, objects...)}), rows: 13, classes: 2},
		{name: "a.json", content: string(indented), rows: 12, classes: 2, note: "the list in the field data"},
		{name: "a.json", content: "{\n \"guild\": {\"id\": \"1\", \"roles\": [\"p\"]},\n \"messages\": [\n  {\"id\": 1, \"content\": \"some words\"}\n ]\n}\n", rows: 1, ids: true, note: "the list in the field messages"},
		{name: "a.json", content: "{\n \"about\": \"p q r s\",\n \"chats\": {\"list\": [{\"name\": \"x\",", refused: "cut off"},
		{name: "a.jsonl", content: strings.Repeat("{\"type\": \"message\", \"from\": \"Bob\", \"date\": \"2026-01-01\", \"text\": \"some words\"}\n{\"type\": \"message\", \"from\": \"Bob\", \"date\": \"2026-01-02\", \"text\": [\"see \", {\"type\": \"link\", \"text\": \"there\"}]}\n", 5), rows: 10},
		{name: "a.json", content: "{\n \"text\": \"some words\",\n \"tags\": [\"p\"]\n}\n", refused: "jq -c '.FIELD[]'"},
		{name: "a.json", content: written(byID), refused: "{id: .key} + .value"},
		{name: "a.json", content: written(map[string]any{"text": texts, "label": labels}), refused: "map_values(.[$i])"},
		{name: "a.json", content: written(map[string]any{"columns": []string{"text"}, "data": [][]string{texts}}), refused: "transpose"},
		{name: "a.json", content: written(map[string]any{"text": map[string]string{"0": "a b", "1": "c d"}, "label": map[string]int{"0": 1, "1": 0}}), refused: "map_values(.[$i])"},
		{name: "a.json", content: written(vectors), refused: "@csv"},
		{name: "a.json", content: written(labels), refused: "@csv"},
		{name: "a.jsonl", content: "{\"id\": 1, \"embedding\": [0.5, 1, 2]}\n", refused: "@csv"},
		{name: "a.json", content: written(map[string]any{"took": 1, "hits": map[string]any{"total": 2, "hits": objects}}), rows: 12, classes: 2, note: "the list in the field hits.hits"},
		{name: "a.json", content: written(texted(30)), rows: 30, ids: true},
		{name: "a.json", content: `[["p", "some words"], ["q", "more words"]]`, refused: "{id: .[0], text: .[1]}"},
		{name: "a.jsonl", content: "[\"p\", \"some words\"]\n[\"q\", \"more words\"]\n", refused: "{id: .[0], text: .[1]}"},
		{name: "a.json", content: `{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}`, rows: 2, cols: 2, ids: true, note: "in JSON"},
		{name: "a.jsonl", content: "{\"name\": \"p\", \"x\": 1.5, \"y\": 2}\n{\"name\": \"q\", \"x\": 2.5, \"y\": 3}\n", refused: "to_csv"},
		// One document in one object.
		{name: "a.json", content: `{"text": "one word", "tags": [{"a": 1}]}`, rows: 1},
		{name: "a.json", content: `{"meta": {"year": 3, "month": 4}, "body": {"text": "some more words that stand here"}}`, rows: 1},
	})
}
