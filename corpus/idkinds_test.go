package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// A name of documents inside an object is taken where none is outside, if no two are equal.
func TestKindNestedID(t *testing.T) {
	lines := func(format string) string {
		var out strings.Builder
		for i := range 12 {
			fmt.Fprintln(&out, strings.NewReplacer("#", fmt.Sprint(i), "%", fmt.Sprint(i%3), "TEXT", []string{"the engine of a car", "a cake in the oven", "a ball in the goal"}[i%3]+fmt.Sprint(" x", i)).Replace(format))
		}
		return out.String()
	}
	const noted = "‹id-column› names another, or none."
	checkKinds(t, []kind{
		{name: "a.jsonl", content: lines(`{"text": "TEXT", "meta": {"id": "m#"}}`), rows: 12, ids: true, note: "The names of the documents are field meta.id; " + noted},
		{name: "a.jsonl", content: lines(`{"text": "TEXT", "meta": {"id": "m#", "set": "s%"}}`), rows: 12, ids: true, classes: 3, note: "The classes are field meta.set"},
		{name: "a.json", content: "[" + strings.TrimSuffix(strings.ReplaceAll(lines(`{"tweet": {"id": "#", "full_text": "TEXT"}}`), "}}\n", "}},\n"), ",\n") + "]", rows: 12, ids: true, note: "field tweet.id; " + noted},
		{name: "a.jsonl", content: lines(`{"_id": {"$oid": "f#"}, "text": "TEXT"}`), rows: 12, ids: true, note: "field _id.$oid; " + noted},
		{name: "a.jsonl", content: lines(`{"_id": "e#", "_source": {"text": "TEXT", "id": "s#"}}`), rows: 12, ids: true, note: "field _id; " + noted},
		// The object of the text counts before others; of several others none does.
		{name: "a.jsonl", content: lines(`{"user": {"id": "u#"}, "post": {"id": "p#", "body": "TEXT"}}`), rows: 12, ids: true, note: "field post.id; " + noted},
		{name: "a.jsonl", content: lines(`{"user": {"id": "u#"}, "place": {"id": "p#"}, "text": "TEXT"}`), rows: 12},
		// One outside counts before it; names that occur again are of something else.
		{name: "a.jsonl", content: lines(`{"id": "d#", "text": "TEXT", "meta": {"id": "m#"}}`), rows: 12, ids: true, note: "No field of classes was recognised among meta.id"},
		{name: "a.jsonl", content: lines(`{"text": "TEXT", "user": {"id": "u%"}}`), rows: 12, classes: 0},
		{name: "a.jsonl", content: lines(`{"text": "TEXT", "meta": {"id": "m#"}}`), opt: ReadOptions{IDColumn: "none"}, rows: 12},
		{name: "a.csv", content: "meta.id,text\n" + lines("m#,TEXT"), rows: 12, ids: true, note: "column 1 (meta.id); " + noted},
	})
	c := readNamed(t, "a.jsonl", lines(`{"text": "TEXT", "meta": {"id": "m#"}}`), ReadOptions{})
	if c.ID(7) != "m7" {
		t.Errorf("document 7 is called %q", c.ID(7))
	}
}
