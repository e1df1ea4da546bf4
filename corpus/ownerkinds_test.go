package corpus

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// times are n lines, each made of its number.
func times(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// Tables of numbers without a header have their classes in the first or the last column, and
// numbers of documents before it. A column with one value is no class.
func TestKindUnnamedColumns(t *testing.T) {
	measured := func(i int) string {
		return fmt.Sprintf("%d.%02d,%d.5,%d.25,%d", i*7%13, i%89, i*5%17, i*3%11, 100+i*37%83)
	}
	answers := func(i int) string { return fmt.Sprintf("%d,%d,%d,%d,%d", 1+i%3, 1+i*i%5, 1+i/2%4, 1+i/3%5, 1+i%2) }
	checkKinds(t, []kind{
		{name: "wine.data", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", 1+i%3, measured(i)) }), rows: 60, cols: 4, classes: 3, note: "The classes are column 1"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%s,%d", measured(i), i%2) }), rows: 60, cols: 4, classes: 2, note: "The classes are column 5"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", i%2*2-1, measured(i)) }), rows: 60, cols: 4, classes: 2},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), rows: 60, cols: 4, classes: 2, note: "Column 1 holds numbers that look like ids"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), opt: ReadOptions{IDColumn: "none", LabelColumn: "none"}, rows: 60, cols: 6},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", i%2, measured(i), i%3) }), rows: 60, cols: 6, note: "No column of classes"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d.0625,%s", i%3, measured(i)) }), rows: 60, cols: 5},
		{name: "a.csv", content: times(60, answers), rows: 60, cols: 5, note: "No column of classes"},
		{name: "a.csv", content: "x,y,kind\n" + times(60, func(i int) string { return fmt.Sprintf("%d,%d.5,transfer", i*7%13, i*5%17) }), rows: 60, cols: 2, note: "Column 3 (kind)"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), rows: 60, note: "Column 2 (category) has the same value in all rows, which is no class"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), opt: ReadOptions{LabelColumn: "category"}, rows: 60, classes: 1},
	})
}

// Messages in a Maildir are decoded, whatever their names, the folders are no classes and what the
// server writes is no text. A saved page in MIME is one too.
func TestMaildir(t *testing.T) {
	message := func(text, encoding string) string {
		return "Date: Wed, 03 Jan 2024 09:00:00 +0000\nFrom: Ann <a@example.org>\nSubject: a car\nMessage-ID: <1@x>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: " + encoding + "\n\n" + text
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("the engine is loud"))
	root := makeFolder(t, map[string]string{
		"cur/1.M1.host:2,S": message(encoded, "base64"), "cur/2.M1.host:2,S": message("the en=\ngine is loud", "quoted-printable"), "new/3.M1.host": message("the engine is loud", "7bit"),
		"dovecot-uidlist": "3 V1 words of the server\n", "subscriptions": "Sent\n",
	})
	c := must.Get(Read(t.Context(), root, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if want := []string{"car", "engine", "loud"}; c.Len() != 3 || !slices.Equal(c.Terms, want) && !slices.Equal(c.Terms, []string{"car", "engin", "loud"}) {
		t.Errorf("documents %q, terms %q, want %q", c.IDs, c.Terms, want)
	}
	if c.Labels != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "(Maildir)") {
		t.Errorf("classes %q, notes %q", c.ClassNames, c.Notes)
	}
	if c := must.Get(Read(t.Context(), root, ReadOptions{ClassFolder: "first", Text: TextOptions{MinDF: 1}}))(t); len(c.ClassNames) != 2 {
		t.Errorf("classes %q", c.ClassNames)
	}
	page := "From: <Saved by Blink>\nSubject: A road\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"x\"\n\n--x\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p class=3D\"a\">hou=\nses</p>\n--x\nContent-Type: text/css\n\n.a {color: red}\n--x--\n"
	if c := must.Get(Read(t.Context(), makeFolder(t, map[string]string{"a/1.mhtml": page, "a/2.mhtml": page}), ReadOptions{Text: TextOptions{MinDF: 1}}))(t); len(c.Terms) != 2 {
		t.Errorf("terms %q", c.Terms)
	}
}

// The name of one folder that holds some of the texts is no class, and a note says so.
func TestOneFolderNote(t *testing.T) {
	c := must.Get(Read(t.Context(), makeFolder(t, map[string]string{"a/1.txt": "some words", "a/2.txt": "more words", "3.txt": "other words"}), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if c.Labels != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "The one folder, a, holds 2 of the 3 texts") {
		t.Errorf("notes %q", c.Notes)
	}
}
