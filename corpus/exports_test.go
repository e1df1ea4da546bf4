package corpus_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Telegram writes a message with links and marks as a list of its parts: these are one text, not
// the lists of other fields.
func TestTelegramParts(t *testing.T) {
	var messages []map[string]any
	add := func(text any, entities ...any) {
		messages = append(messages, map[string]any{"id": len(messages) + 1, "type": "message", "date": "2024-01-01T10:00:00", "from": "Ann", "text": text, "text_entities": entities})
	}
	messages = append(messages, map[string]any{"id": 0, "type": "service", "actor": "Ann", "members": []string{"Ann Smith", "Bob Jones"}, "text": "", "text_entities": []any{}})
	for range 5 {
		add("some plain rivers", map[string]string{"type": "plain", "text": "some plain rivers"})
		add([]any{"moun", map[string]string{"type": "bold", "text": "tains"}, " and seas"}, map[string]string{"type": "plain", "text": "other words"})
		add([]any{map[string]string{"type": "italic", "text": "islands alone"}})
	}
	export := must.Get(json.MarshalIndent(map[string]any{"name": "Group", "type": "private_group", "id": 1, "messages": messages}, "", " "))(t)
	want := "alone,island,mountain,plain,river,sea"
	for name, text := range map[string]string{"result.json": string(export), "lines.jsonl": lines(t, messages), "late.jsonl": lines(t, late(messages, 250))} {
		c, err := readTable(t, name, text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		stems, err := corpus.TextOptions{}.Stems(c.Terms)
		if err != nil || !strings.HasPrefix(strings.Join(stems, ","), "alon,island,mountain,plain,river,sea") || docs(c) < len(messages) {
			t.Errorf("%s: %d documents of %q, want %s\n%s", name, docs(c), c.Terms, want, c.Notes)
		}
	}
}

// lines are objects as JSON lines.
func lines(t *testing.T, list []map[string]any) string {
	t.Helper()
	var out strings.Builder
	for _, m := range list {
		data := must.Get(json.Marshal(m))(t)
		out.Write(data)
		out.WriteByte('\n')
	}
	return out.String()
}

// late puts n messages of text alone before the others.
func late(list []map[string]any, n int) (out []map[string]any) {
	for i := range n {
		out = append(out, map[string]any{"id": 1000 + i, "text": "some plain rivers"})
	}
	return append(out, list...)
}

// One JSON object with a list of ten strings or more is these texts; with fewer, or beside a long
// text, they are what is said of a document.
func TestListOfStrings(t *testing.T) {
	object := func(n int, about string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("river %d and mountain", i))
		}
		data := must.Get(json.MarshalIndent(map[string]any{"about": about, "quotes": list}, "", "  "))(t)
		return string(data)
	}
	c, err := readTable(t, "quotes.json", object(12, "words of rivers that were collected by somebody"))
	if err != nil || docs(c) != 12 {
		t.Fatalf("%v", err)
	}
	for _, text := range []string{object(9, "words"), object(12, strings.Repeat("a long text of some words ", 20))} {
		if c, err := readTable(t, "quotes.json", text); err == nil && docs(c) == 12 {
			t.Errorf("%s is read as a list", text[:60])
		}
	}
}

// A column beside texts whose name says so is the classes wherever it stands; of several none is.
func TestTopicColumns(t *testing.T) {
	table := func(header string, row func(i int) string) string {
		var out strings.Builder
		out.WriteString(header + "\n")
		for i := range 40 {
			out.WriteString(row(i) + "\n")
		}
		return out.String()
	}
	text := func(i int) string { return fmt.Sprintf("the river and the mountain number%d", i%7) }
	kind := func(i int) string { return []string{"sea", "land", "air"}[i%3] }
	for header, want := range map[string]int{
		"when,genre,text,stars": 3, "when,airline_sentiment,text,stars": 3, "when,Рубрика,text,stars": 3, "when,类别,text,stars": 3,
		"when,label_final,text,stars": 3, "when,type,text,stars": 0, "when,author,text,stars": 0, "when,room,text,stars": 0,
	} {
		c, err := readTable(t, "a.csv", table(header, func(i int) string { return fmt.Sprintf("2024-01-%02d,%s,%s,%d.5", 1+i%28, kind(i), text(i), i%5) }))
		if err != nil || len(c.ClassNames) != want {
			t.Errorf("%s: classes %q, %v", header, c.ClassNames, err)
		}
	}
	c, err := readTable(t, "a.csv", table("topic,when,text,sentiment", func(i int) string { return fmt.Sprintf("%s,2024-01-%02d,%s,%d", kind(i), 1+i%28, text(i), i%2) }))
	if notes := fmt.Sprint(c.Notes); err != nil || len(c.ClassNames) != 0 || !strings.Contains(notes, "may hold the classes") {
		t.Errorf("%q, %v\n%s", c.ClassNames, err, notes)
	}
}

// Chats of WhatsApp in the locales of phones.
func TestChatLocales(t *testing.T) {
	for _, form := range []string{
		"%02d.01.24, 16:19 - ", "1/%d/24, 4:19\u202fPM - ", "[%02d.01.24, 16:19:07] ", "%d/1/24, 4:19 p. m. - ", "%02d/01/2024 16:19 - ", "[%02d/01/2024 16:19:07] ",
		"%02d/01/2024 à 16:19 - ", "%d.1.2024 klo 16.19 - ", "%02d.01.2024 kl. 16.19 - ", "%02d/01/2024، 16:19 - ", "2024. 01. %02d. 16:19 - ", "2024/1/%d 下午4:19 - ", "2024-01-%02d, 4:19 p.m. - ",
	} {
		var chat strings.Builder
		for i := range 30 {
			fmt.Fprintf(&chat, form+"%s: the river and the mountain %s\n", 1+i%28, []string{"Ann", "Bob"}[i%2], []string{"sea", "island", "wind"}[i%3])
		}
		path := filepath.Join(t.TempDir(), "chat.txt")
		must.Do(t, os.WriteFile(path, []byte(chat.String()), 0o600))
		c, err := corpus.Read(t.Context(), path, corpus.ReadOptions{})
		if err != nil || docs(c) != 30 || strings.Contains(strings.Join(c.Terms, " "), "ann") {
			t.Errorf("%q: %v", form, err)
		}
	}
}
