package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// Texts that Reddit removed count as none, in every format and beside titles, which are joined to
// posts; so are titles to abstracts as Zotero writes them.
func TestKindRemovedTexts(t *testing.T) {
	var comments, posts, zotero strings.Builder
	table := "id,body\n"
	zotero.WriteString("Key,Title,Abstract Note\n")
	for i := range 12 {
		body := fmt.Sprintf("words of cars%d here", i%3)
		if i%4 == 3 {
			body = []string{"[deleted]", "[removed]\\n", "[deleted by user]"}[i/4]
		}
		fmt.Fprintf(&comments, `{"id": "c%d", "body": "%s"}`+"\n", i, body)
		fmt.Fprintf(&posts, `{"id": "c%d", "title": "some title of engines%d", "selftext": "%s"}`+"\n", i, i, body)
		fmt.Fprintf(&zotero, "K%d,Some title of engines%d,The words of cars%d are here and a long road to the north\n", i, i, i)
		table += fmt.Sprintf("d%d,%s\n", i, strings.TrimSuffix(body, "\\n"))
	}
	note := "3 documents have [deleted] or [removed] in place of a text"
	joined := "fields title and selftext, joined; ‹text-column› selftext takes the texts alone."
	checkKinds(t, []kind{
		{name: "a.jsonl", content: comments.String(), rows: 12, ids: true, terms: "cars0 cars1 cars2 words", note: note},
		{name: "a.csv", content: table, rows: 12, ids: true, terms: "cars0 cars1 cars2 words", note: note},
		{name: "a.jsonl", content: comments.String(), opt: ReadOptions{Strip: []string{"none"}}, rows: 12, ids: true, cols: 7, terms: "cars0 cars1 cars2 deleted removed user words"},
		{name: "a.jsonl", content: posts.String(), rows: 12, ids: true, cols: 17, note: note},
		{name: "a.jsonl", content: posts.String(), rows: 12, ids: true, cols: 17, note: joined},
		{name: "a.jsonl", content: posts.String(), opt: ReadOptions{TextColumn: []string{"selftext"}}, rows: 12, ids: true, terms: "cars0 cars1 cars2 words", note: note},
		{name: "a.jsonl", content: strings.ReplaceAll(posts.String(), "selftext", "abstract_note"), rows: 12, ids: true},
		{name: "a.jsonl", content: strings.Repeat(`{"title": "red cars", "selftext": "blue boats"}`+"\n"+`{"title": "[deleted by user]", "selftext": "[removed]"}`+"\n", 3), rows: 6, terms: "blue boats cars red", note: note},
		{name: "a.txt", content: strings.ReplaceAll(strings.Repeat("red cars\n[removed]\n", 3), "\n", "\r\n"), opt: ReadOptions{Format: "lines"}, rows: 6, terms: "cars red", note: note},
		{name: "a.txt", content: strings.Repeat("red cars\nthe word [removed]\n", 3), opt: ReadOptions{Format: "lines"}, rows: 6, terms: "cars red removed word"},
		{name: "a.csv", content: zotero.String(), rows: 12, cols: 29, note: "columns 2 (Title) and 3 (Abstract Note), joined; ‹text-column› 'Abstract Note' takes the abstracts alone."},
	})
}
