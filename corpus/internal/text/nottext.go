package text

import (
	"bytes"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// notText says of a file in a folder of texts that is often met there and holds no plain text
// what it is, and what makes a text of it; "" for another.
func notText(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("%!PS")):
		return "is PostScript, which is not read; make a PDF of it with ps2pdf, or a text with ps2ascii"
	case bytes.HasPrefix(data, []byte(compoundMagic)):
		return compound(data)
	case input.IsTar(data):
		return "is an archive inside of the folder; unpack it, or move it out of the folder"
	}
	return ""
}

// compoundMagic begins a compound file, in which old programs of Microsoft keep their documents.
const compoundMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// compoundKinds are the documents in compound files by the name of a part, and what reads them. A
// message may hold the others.
var compoundKinds = []struct{ part, say string }{
	{"EncryptedPackage", "is a document with a password; save it without one"},
	{"__substg1.0_", "is a message of Outlook (.msg); save it as .eml, for instance with msgconvert FILE (Debian: libemail-outlook-message-perl)"},
	{"WordDocument", "is an old document of Word (.doc); make a new one beside it, for instance with libreoffice --headless --convert-to docx FILE"},
	{"PowerPoint Document", "is an old file of PowerPoint (.ppt); make a new one beside it, for instance with libreoffice --headless --convert-to pptx FILE"},
	{"Workbook", oldSheet}, {"Book", oldSheet},
}

const oldSheet = "is an old spreadsheet of Excel (.xls), not text; read it by itself, or move it out of the folder"

// compound says what a compound file holds, by the names of its parts, which are in UTF-16.
func compound(data []byte) string {
	for _, k := range compoundKinds {
		name := []byte(strings.Join(strings.Split(k.part, ""), "\x00"))
		if bytes.Contains(data, append(name, 0)) {
			return k.say
		}
	}
	return "is an old file of Microsoft Office (.doc, .ppt, .xls) or another program of Windows, not text; make a new one of it, for instance with libreoffice --headless --convert-to docx FILE, or move it out of the folder"
}
