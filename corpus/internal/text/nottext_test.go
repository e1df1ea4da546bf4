package text

import (
	"strings"
	"testing"
)

// Old files of Microsoft's programs say what they hold and what makes a text of them.
func TestCompoundFiles(t *testing.T) {
	wide := func(name string) string { return strings.Join(strings.Split(name, ""), "\x00") + "\x00" }
	for parts, way := range map[string]string{
		wide("WordDocument"): "--convert-to docx", wide("PowerPoint Document"): "--convert-to pptx", wide("Workbook"): "read it by itself", wide("Book"): ".xls",
		wide("__substg1.0_0037001F") + wide("WordDocument"): "msgconvert", wide("EncryptedPackage"): "with a password", "": "libreoffice", "WordDocument": "another program",
	} {
		if why := notText([]byte(compoundMagic + strings.Repeat("\x00", 504) + parts)); !strings.HasPrefix(why, "is a") || !strings.Contains(why, way) {
			t.Errorf("%q: %q does not say %q", parts, why, way)
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
