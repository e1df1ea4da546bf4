package corpus

import (
	"strings"
	"testing"
)

// A single text is read in the format of earlier ones, unless it is plainly another kind of file.
func TestUsualFormat(t *testing.T) {
	const records = "<r>\n<d>some words here</d>\n<d>other words there</d>\n<d>words again here</d>\n</r>\n"
	for name, c := range map[string]struct{ file, content, format, refused string }{
		"a line with commas":   {"a.txt", "some words, other words\n", "lines", ""},
		"a line with tags":     {"a.txt", "<quote>some words</quote> other words\n", "lines", ""},
		"lines of marked text": {"a.txt", "<user> some words\n<user> other words\n<user> words again\n", "lines", ""},
		"XML by its name":      {"a.xml", records, "xml", ""},
		"XML by its prolog":    {"a", "<?xml version='1.0'?>\n" + records, "xml", ""},
		"a table of Weka":      {"a", "@relation x\n@attribute a string\n@attribute c {u,v}\n@data\n'some words here of a text',u\n'other words there of it',v\n", "table", ""},
		"a page of HTML":       {"a", "<!DOCTYPE html>\n<html>\n<body>\nsome words\n</body>\n</html>\n", "", "one page of HTML"},
	} {
		got, err := Read(t.Context(), writeFile(t, t.TempDir(), c.file, []byte(c.content)), ReadOptions{UsualFormat: "lines", Text: TextOptions{MinDF: 1}})
		switch {
		case c.refused != "":
			wantFault(t, err, c.refused)
		case err != nil || got.Format != c.format:
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Lines that look like documents are a text each where the earlier documents were rows of a table
// of texts; wrapped prose is no list of them.
func TestLinesLikeRows(t *testing.T) {
	for content, want := range map[string]int{
		strings.Join(said(30, "cars"), "\n"):                              30,
		strings.Repeat("a line of about the same length as others\n", 40): 0,
	} {
		path := writeFile(t, t.TempDir(), "new.txt", []byte(content))
		c, err := Read(t.Context(), path, ReadOptions{UsualFormat: "table", Text: TextOptions{MinDF: 1}})
		if want == 0 && err == nil || want > 0 && (err != nil || c.Len() != want) {
			t.Errorf("%.30q: %v, %v, want %d documents", content, c, err, want)
		} else if want > 0 {
			wantNote(t, c, "as each row was of the table of the earlier documents")
		}
	}
}
