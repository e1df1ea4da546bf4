package text

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// Old files of Microsoft's programs say what they hold and what makes a text of them.
func TestCompoundFiles(t *testing.T) {
	wide := func(name string) string { return strings.Join(strings.Split(name, ""), "\x00") + "\x00" }
	for parts, way := range map[string]string{
		wide("WordDocument"): "--convert-to docx", wide("PowerPoint Document"): "--convert-to pptx", wide("Workbook"): "--convert-to xlsx", wide("Book"): ".xls",
		wide("__substg1.0_0037001F") + wide("WordDocument"): "msgconvert", wide("EncryptedPackage"): "with a password", "": "libreoffice", "WordDocument": "another program",
	} {
		if why := notText([]byte(compoundMagic + strings.Repeat("\x00", 504) + parts)); !strings.HasPrefix(why, "is a") || !strings.Contains(why, way) {
			t.Errorf("%q: %q does not say %q", parts, why, way)
		}
	}
}

// The text of a notebook is what is written and the code, in the order of the cells.
func TestNotebook(t *testing.T) {
	for book, want := range map[string]string{
		`{"cells": [{"cell_type": "markdown", "source": ["# Head\n", "*some* words"]}, {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["printed"], "data": {"image/png": "iVBO"}}]}, {"cell_type": "raw", "source": []}], "metadata": {"name": "no"}, "nbformat": 4}`: "Head some words x = 1",
		`{"worksheets": [{"cells": [{"cell_type": "heading", "source": ["Head"]}, {"cell_type": "code", "input": ["a\n", "b"], "outputs": []}]}]}`:                                                                                                                                   "Head a b",
		`{"cells": []}`: "",
	} {
		if got, ok := plain.Notebook([]byte(book)); !ok || strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%s: %q %v", book, got, ok)
		}
	}
	for _, other := range []string{"{", `{"a": 1}`, `{"cells": 1}`, `{"cells": [{"source": {"a": 1}}]}`} {
		if got, ok := plain.Notebook([]byte(other)); ok {
			t.Errorf("%s is the notebook %q", other, got)
		}
	}
}

// Reasons that differ in what a program says of each file are one.
func TestReasonsOfOneKind(t *testing.T) {
	l := newLeftFiles("root")
	l.add("root/b.pdf", "is odd (no trailer); mend it", false)
	l.add("root/a.pdf", "is odd (bad table); mend it", false)
	l.add("root/c.pdf", "is even (bad table); mend it", false)
	if got := strings.Join(l.notes(), "|"); got != "2 files of one kind are left out: the first, a.pdf, is odd (bad table); mend it.|1 file is left out: c.pdf is even (bad table); mend it." {
		t.Error(got)
	}
}
