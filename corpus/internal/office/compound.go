package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// What compound files are that cannot be read.
const (
	oldSheet input.Unread = "is an old spreadsheet of Excel (.xls), not text; read it by itself, or move it out of the folder"
	oldOther input.Unread = "is a damaged file of an old program of Microsoft Office (.doc, .ppt, .xls, .msg), or one of another program of Windows; copy it again, make a new one of it, for instance with libreoffice --headless --convert-to docx FILE, or move it out of the folder"
)

var little = binary.LittleEndian

// oldText returns the text of a document of Office 97 to 2003, with its title.
func oldText(data []byte, limit int64) (string, error) {
	root, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", oldOther
	}
	read := oldWord
	switch {
	case root.Has("EncryptedPackage"), root.Has("EncryptedSummary"):
		return "", encrypted
	case root.Has("WordDocument"):
	case root.Has("PowerPoint Document"):
		read = oldSlides
	case root.Has("Workbook"), root.Has("Book"):
		return "", oldSheet
	default:
		return "", oldOther
	}
	text, err := read(root, limit)
	switch {
	case err == nil:
		return titled(oldTitle(root), text), nil
	case errors.Is(err, input.ErrTooLong), errors.As(err, new(input.Unread)):
		return "", err
	}
	return "", damaged
}

// Numbers in a set of properties: of the encoding and of the title, and the types of texts.
const (
	codePageID = 1
	titleID    = 2
	shortType  = 2
	bytesType  = 30
	wideType   = 31
)

// oldTitle is the title in the summary of a document; "" for none, or if the summary is damaged.
//
// Source: Microsoft, [MS-OLEPS] "Object Linking and Embedding (OLE) Property Set Data Structures".
func oldTitle(root *compound.Folder) string {
	data, err := root.Read("\x05SummaryInformation")
	if err != nil || len(data) < 48 {
		return ""
	}
	start := int64(little.Uint32(data[44:]))
	if start+8 > int64(len(data)) {
		return ""
	}
	set := data[start:]
	page, title := 1252, ""
	for i := range min(int(little.Uint32(set[4:])), (len(set)-8)/8) {
		id, at := little.Uint32(set[8+8*i:]), int64(little.Uint32(set[12+8*i:]))
		if at+8 > int64(len(set)) {
			continue
		}
		value := set[at:]
		switch kind := little.Uint32(value); {
		case id == codePageID && kind == shortType:
			page = int(little.Uint16(value[4:]))
		case id == titleID && kind == wideType:
			title = wideText(value[8:], 2*int64(little.Uint32(value[4:])))
		case id == titleID && kind == bytesType:
			title = string(value[8:][:min(int64(little.Uint32(value[4:])), int64(len(value)-8))])
			if d, err := charset.New(charset.CodePage(page)); err == nil {
				title, _, _ = d.Decode([]byte(title))
			}
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(title, "\x00", ""))
}

// wideText decodes up to n bytes of UTF-16.
func wideText(data []byte, n int64) string {
	return string(utf16.Decode(compound.Units(data[:min(n, int64(len(data)))])))
}
