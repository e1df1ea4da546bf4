package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The documents of a file that is one object are its only list of objects, however the object is
// written, what stands beside the list, and how long it is; lines have their numbers.
func TestListInObject(t *testing.T) {
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf(`{"text": "some words of %s, \"in] {quotes\" \\", "label": "%c", "marks": [{"at": %d}]}`, []string{"cars", "cakes"}[i%2], "pq"[i%2], i))
	}
	all := strings.Join(list, ",\n  ")
	long := strings.Repeat(all+",\n", 60) + all
	flat := func(s string) string { return strings.ReplaceAll(s, "\n", "") }
	checkKinds(t, []kind{
		{name: "a.json", content: "{\"name\": \"a corpus of many words\", \"of\": {\"year\": [2020, 2021]},\n \"list\": [\n" + all + "]}", rows: 40, classes: 2, note: "the list in the field list"},
		{name: "a.json", content: "\ufeff  {\"list\": [" + flat(all) + "], \"n\": 40, \"of\": {\"tags\": [\"p\", \"q\"]}}\n\n", rows: 40, classes: 2},
		{name: "a.json", content: "{\"list\": [" + flat(long) + "], \"n\": 40}\n", rows: 2440, classes: 2},
		{name: "a", content: "{\n\"list\": [" + long + "], \"n\": NaN}\n", rows: 2440, classes: 2},
		{name: "a.json.gz", content: gzipped("{\"schema\": {\"fields\": [{\"name\": \"text\"}]}, \"data\": [" + all + "]}"), rows: 40, classes: 2, note: "the list in the field data"},
		{name: "a.json", content: "{\"x\": {\"y\": {\"z\": [" + long + "]}}}", rows: 2440, classes: 2, note: "the list in the field x.y.z"},
		{name: "a.json", content: "{\"p\": [" + all + "], \"q\": [" + all + "]}", refused: "several lists of objects, such as those in its fields p and q"},
		{name: "a.json", content: "{\"p\": [" + long + "], \"r\": {\"q\": [ {}]}}", rows: 2440, classes: 2, note: "in the field p; lists of objects with fewer words are left out: r.q"},
		{name: "a.json", content: "{\"p\": [" + long + "]}\n{\"p\": [" + all + "]}\n", refused: "goes on after the object"},
		{name: "a.json", content: "{\"p\": [" + long + "], \"q\": ", refused: "cut off"},
		{name: "a.json", content: "{\"p\": [" + long, refused: "cut off"},
		{name: "a.json", content: "{\"p\": [" + all + "], \"q\": " + strings.Repeat("[", 20000), refused: "deeper than 10000"},
		{name: "a.json", content: "{\"p\": [" + all + "], \"q\": \"" + strings.Repeat("x", 9<<20) + "\"}", opt: ReadOptions{MaxBytes: 64 << 20}, refused: "longer than"},
		{name: "a.json", content: "{\"p\": [" + all + "], \"q\": [" + strings.Repeat("7, ", 4<<20) + "7]}", opt: ReadOptions{MaxBytes: 64 << 20}, rows: 40, classes: 2},
		{name: "a.json", content: "{\n\n\"p\": [\n" + list[0] + ",\n{\"text\": 7 7}]}", refused: "line 5"},
		// Lines of objects, and one document, are what they were.
		{name: "a.jsonl", content: strings.Repeat("{\"marks\": [{\"p\": 1}], \"text\": \"some words\"}\n", 30), rows: 30},
		{name: "a.jsonl", content: strings.Repeat("{\"marks\": [{\"p\": \""+strings.Repeat("x", 80<<10)+"\"}], \"text\": \"some words\"}\n", 3), rows: 3},
		{name: "a.json", content: "{\"marks\": [{\"p\": 1}], \"text\": \"some words\"}\n", rows: 1},
	})
}

// A list of strings is a text if there is no other, such as the lines of poems, and what is asked
// for. What differs in nearly all documents is no class and no text: titles called category, ids
// that are long, addresses; nor are remarks on a few documents texts.
func TestColumnsThatAreTexts(t *testing.T) {
	var poems, dishes strings.Builder
	for i := range 12 {
		fmt.Fprintf(&poems, `{"title": "t%d", "lines": ["words of a line", "%s in another one"], "tags": ["p"]}`+"\n", i, []string{"mountains", "rivers"}[i%2])
		fmt.Fprintf(&dishes, `{"id": %d, "cuisine": "%s", "ingredients": ["black %s", "salt"]}`+"\n", 100+i, []string{"greek", "thai"}[i%2], []string{"olives", "rice"}[i%2])
	}
	var games, addresses, remarks strings.Builder
	addresses.WriteString("where [IRI],called\n")
	remarks.WriteString("name,kind,size,remark\n")
	for i := range 60 {
		fmt.Fprintf(&games, `{"question": "some words of %s", "category": "Round %d", "id": "08e41396-2809-423d-9bbc-%012d"}`+"\n", []string{"cars", "cakes"}[i%2], i, i)
		fmt.Fprintf(&addresses, "http://example.org/a/long/path/of/it/%d,%s words %d\n", i, []string{"red", "blue"}[i%2], i)
		remark := ""
		if i%12 == 0 {
			remark = "seen twice on the same day by two people"
		}
		fmt.Fprintf(&remarks, "n%d,%s,%s,%s\n", i, []string{"p", "q"}[i%2], []string{"large", "small", "none at all"}[i%3], remark)
	}
	checkKinds(t, []kind{
		{name: "a.jsonl", content: poems.String(), rows: 12, note: "The texts are field lines"},
		{name: "a.jsonl", content: poems.String(), opt: ReadOptions{TextColumn: []string{"lines"}}, rows: 12},
		{name: "a.jsonl", content: dishes.String(), rows: 12, classes: 2, ids: true, note: "The texts are field ingredients"},
		{name: "a.jsonl", content: strings.ReplaceAll(dishes.String(), "ingredients", "text"), rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: poems.String(), opt: ReadOptions{TextColumn: []string{"title", "lines"}}, rows: 12},
		{name: "a.jsonl", content: "{\"text\": \"some words\"}\n{\"text\": [\"some\", \"words\"]}\n", refused: "text is a JSON array, where a string is needed; make it one, or name another field"},
		{name: "a.jsonl", content: games.String(), rows: 60, ids: true, note: "category holds words that hardly recur"},
		{name: "a.jsonl", content: strings.ReplaceAll(games.String(), "category", "label"), rows: 60, ids: true, note: "label holds words that hardly recur"},
		{name: "a.csv", content: addresses.String(), opt: ReadOptions{Header: "yes"}, rows: 60, note: "The texts are column 2 (called)"},
		{name: "a.tsv", content: strings.ReplaceAll(addresses.String(), ",", "\t"), opt: ReadOptions{Header: "yes"}, rows: 60, note: "The texts are column 2 (called)"},
		{name: "a.csv", content: remarks.String(), refused: "where numbers are needed"},
		{name: "a.csv", content: remarks.String(), opt: ReadOptions{TextColumn: []string{"remark"}}, rows: 60},
	})
	c, err := readJSONL(t.Context(), strings.NewReader(strings.ReplaceAll(games.String(), "category", "label")), "a.jsonl", ReadOptions{})
	if err != nil || c.Labels != nil {
		t.Errorf("%v: the labels are %v", err, c.Labels)
	}
	if slices.Contains(c.Terms, "08e41396") {
		t.Error("ids are texts")
	}
}

// Lists of objects that each have a text are one where there is no other, whatever lists of strings
// and titles are beside them, and so is the text inside an object where several fields could be.
func TestInnerTexts(t *testing.T) {
	objects := func(form string) (out string) {
		for i, text := range said(20, "cars") {
			out += fmt.Sprintf(form, i, text) + "\n"
		}
		return out
	}
	for name, c := range map[string]struct {
		content, term, missing, note, refused string
	}{
		"opinions":       {content: objects(`{"name": "Case %d", "attorneys": ["Ann Lee, for us"], "data": {"opinions": [{"type": "majority", "author": "Lee", "text": %q}, {"text": "dissenting words"}]}}`), term: "dissent", missing: "ann", note: "field data.opinions;"},
		"values":         {content: objects(`{"id": "CVE-%d", "descriptions": [{"lang": "en", "value": %q}], "weaknesses": [{"code": "x"}]}`), term: "cars", note: "field descriptions;"},
		"titles":         {content: objects(`{"title": "A title of some words %d", "answers": [{"body": %q}, {"body": "one more answer of many words, many more words than the title has, and many more, and some more yet"}]}`), term: "answer", note: "field answers;"},
		"no texts":       {content: objects(`{"heading": "Some title of words %d", "text": %q, "marks": [{"text": "left out"}]}`), missing: "left", term: "cars"},
		"some without":   {content: objects(`{"code": "a%d", "tags": [{"text": %q}, {"colour": "red"}]}`), refused: "has no text of its own"},
		"in an envelope": {content: objects(`{"ticket": {"number": "n%d", "description": %[2]q, "html": %[2]q, "state": "open"}}`), term: "cars", note: "field ticket.description;"},
		"of an account":  {content: objects(`{"id": "n%d", "user": {"description": %[2]q}, "msg": %[2]q}`), refused: "name the one to cluster"},
		"of a kind":      {content: strings.Repeat(objects(`{"n": %d, "meta": {"description": "one sensor in the hall of our house and the words of it"}, "one": %[2]q, "other": %[2]q}`), 3), refused: "name the one to cluster"},
		"twice":          {content: objects(`{"id": "https://example.org/%d", "object": {"content": %[2]q, "other": {"en": %[2]q}}}`), term: "cars", note: "field object.content;"},
	} {
		got, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.jsonl", []byte(c.content)), ReadOptions{Text: TextOptions{MinDF: 1}})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v lacks %q", name, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkInvariants(t, got)
		if has := func(term string) bool {
			return slices.ContainsFunc(got.Terms, func(t string) bool { return strings.HasPrefix(t, term) })
		}; got.Len() != 20 || !has(c.term) || c.missing != "" && has(c.missing) {
			t.Errorf("%s: %d documents, terms %q, notes %q", name, got.Len(), got.Terms, got.Notes)
		}
		wantNote(t, got, c.note)
	}
}
