package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A text that is null, missing or NaN is an empty document in every format, and a null label or id
// is none: such a row never ends the reading of a file.
func TestKindNullTexts(t *testing.T) {
	object := func(i int, text string) string {
		return fmt.Sprintf(`{"id": "d%d", %s"label": "c%d"}`, i, text, i%2)
	}
	of := func(field, other string) (lines []string) {
		for i := range 12 {
			text := fmt.Sprintf(`"%s": "words of cars%d here", `, field, i%3)
			if i == 3 || i == 7 {
				text = other
			}
			lines = append(lines, object(i, text))
		}
		return lines
	}
	array := func(lines []string) string { return "[" + strings.Join(lines, ",\n") + "]" }
	joined := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	column := func(name string, lacking ...int) pqColumn {
		c := pqStrings(name)
		for i := range 12 {
			c.values = append(c.values, any(fmt.Sprintf("words of cars%d here", i%3)))
			if slices.Contains(lacking, i) {
				c.values[i] = nil
			}
		}
		return c
	}
	ids := column("id", 2)
	labels := column("label", 1, 2)
	for i := range 12 {
		if i != 2 {
			ids.values[i] = fmt.Sprint("d", i)
		}
		if i != 1 && i != 2 {
			labels.values[i] = []string{"x", "y"}[i%2]
		}
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	note := "2 documents have no text, which is null or missing (first: line 4, id d3); they count as empty."
	first := of("text", "")
	slices.Reverse(first) // the first object has a text; then look at one without
	first[0], first[4] = first[4], first[0]
	checkKinds(t, []kind{
		{name: "a.jsonl", content: joined(of("text", `"text": null, `)), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.jsonl", content: joined(of("text", `"text": NaN, `)), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.jsonl", content: joined(of("text", "")), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.jsonl", content: joined(first), rows: 12, classes: 2, ids: true, note: "2 documents have no text, which is null or missing (first: line 1, id d7)"},
		{name: "a.jsonl", content: joined(of("body", `"body": null, `)), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.jsonl", content: joined(of("body", "")), opt: ReadOptions{TextColumn: []string{"body"}}, rows: 12, classes: 2, ids: true, note: note},
		{name: "a.json", content: array(of("text", `"text": null, `)), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.json", content: array(of("body", `"body": NaN, `)), rows: 12, classes: 2, ids: true, note: note},
		{name: "a.jsonl", content: strings.Repeat(`{"text": null}`+"\n", 300) + `{"text": "some words"}`, rows: 301, note: "300 documents have no text"},
		{name: "a.jsonl", content: strings.Repeat(`{"text": null, "id": null, "label": null}`+"\n", 5), refused: "the texts of all 5 documents are null or missing; ‹text-column›"},
		{name: "a.json", content: array([]string{`{"text": null}`, `{"text": null}`}), refused: "the texts of all 2 documents"},
		{name: "a.jsonl", content: `{"id": null, "text": "some words", "label": "x"}` + "\n" + `{"id": "b", "text": "more words", "label": null}`, rows: 2, classes: 1, ids: true},
		{name: "a.jsonl", content: `{"text": "some words"}` + "\nnull\n", refused: "no string text"},
		{name: "a.parquet", content: string(pqFile(t, 5, []pqColumn{column("text", 3, 7), ids, labels})), rows: 12, classes: 2, ids: true, note: "2 documents have no text, which is null or missing (first: row 4, id d3)"},
		{name: "a.parquet", content: string(pqFile(t, 0, []pqColumn{column("body", 11), labels})), rows: 12, classes: 2, note: "1 document has no text, which is null or missing (row 12); it counts as empty."},
		{name: "a.parquet", content: string(pqFile(t, 0, []pqColumn{column("text", all...)})), refused: "the texts of all 12 documents"},
		{name: "a.parquet", content: string(pqFile(t, 0, []pqColumn{column("text"), {"id", parquet.Types.Int64, nil, []any{int64(20), nil, int64(30), nil, nil, nil, nil, nil, nil, nil, nil, nil}}})), rows: 12, ids: true},
		{name: "a.csv", content: "id,text,label\n1,some words here,x\n2,,y\n3,more words here,x\n4,\"\",\n", rows: 4, classes: 2, ids: true, note: "2 documents have no terms (first: row 2); they are kept."},
	})
}

// All ranks count and name the same documents without a text.
func TestDividedNullTexts(t *testing.T) {
	columns, _ := manyRows(100)
	columns[2].values[93], columns[2].values[17] = nil, nil
	path := writeFile(t, t.TempDir(), "a.parquet", pqFile(t, 10, columns))
	want := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	wantNote(t, want, "2 documents have no text")
	for _, size := range []int{2, 3} {
		parts, errs := togetherRead(t.Context(), size, path, ReadOptions{}, nil)
		for r, err := range errs {
			if err != nil || !slices.Equal(parts[r].Notes, want.Notes) {
				t.Errorf("rank %d of %d: %v, notes %q, not %q", r, size, err, parts[r].Notes, want.Notes)
			}
		}
	}
}
