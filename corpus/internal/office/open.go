package office

import (
	"bytes"
	"encoding/xml"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// openDocument reads a text or slides in the format of OpenDocument, which LibreOffice writes: the
// body with what notes of slides say, then footnotes and endnotes.
func (b *bundle) openDocument(func(string) string) (string, error) {
	manifest, err := b.read("META-INF/manifest.xml")
	if err != nil {
		return "", err
	}
	if bytes.Contains(manifest, []byte("encryption-data")) {
		return "", encrypted
	}
	title, err := b.title("meta.xml")
	if err != nil {
		return "", err
	}
	o := openText{}
	if err := b.walk("content.xml", o.see); err != nil {
		return "", err
	}
	if o.sheet {
		return "", sheet
	}
	return titled(title, o.body.String()+o.notes.String()), nil
}

// isFlat reports whether a file is OpenDocument as one file of XML, by its first element.
func isFlat(data []byte) bool {
	const looked, root = 1024, "<office:document "
	head := bytes.TrimLeft(data[:min(len(data), looked)], " \t\r\n")
	return bytes.HasPrefix(head, []byte("<?xml")) && bytes.Contains(head, []byte(root)) || bytes.HasPrefix(head, []byte(root))
}

// flatText returns the text of OpenDocument as one file of XML.
func flatText(data []byte) (string, error) {
	var o openText
	var t titleText
	err := walkXML(data, func(token xml.Token) bool {
		if !o.body0 {
			t.see(token)
		}
		return o.see(token)
	})
	switch {
	case err != nil:
		return "", damaged
	case o.sheet:
		return "", sheet
	}
	return titled(t.title(), o.body.String()+o.notes.String()), nil
}

// openText collects the text of OpenDocument.
type openText struct {
	body, notes strings.Builder
	body0       bool // within the body
	sheet       bool
	note        int   // how deep within a note; 0: in none
	depth       []int // how deep the paragraphs begin that are open
	level       int
}

// unseenOpen are elements of OpenDocument whose content no reader sees: what was deleted, comments,
// the number of a note, forms, and hidden text. Elements of SVG describe pictures.
var unseenOpen = map[string]bool{"tracked-changes": true, "annotation": true, "note-citation": true, "forms": true, "binary-data": true,
	"hidden-text": true, "hidden-paragraph": true, "page-number": true, "script": true, "event-listeners": true}

// see takes a token.
func (o *openText) see(t xml.Token) bool {
	out := &o.body
	if o.note > 0 {
		out = &o.notes
	}
	switch t := t.(type) {
	case xml.StartElement:
		if unseenOpen[t.Name.Local] || strings.Contains(t.Name.Space, ":svg") {
			return true
		}
		o.level++
		switch t.Name.Local {
		case "body":
			o.body0 = true
		case "spreadsheet":
			o.sheet = true
		case "note":
			if o.note == 0 {
				o.note = o.level
			}
		case "p", "h":
			o.depth = append(o.depth, o.level)
		case "s":
			spaces, err := strconv.Atoi(lexical.Attribute(t, "c"))
			if err != nil || spaces < 1 {
				spaces = 1
			}
			out.WriteString(strings.Repeat(" ", min(spaces, 80)))
		case "tab":
			out.WriteByte('\t')
		case "line-break":
			out.WriteByte('\n')
		}
	case xml.EndElement:
		if n := len(o.depth); n > 0 && o.depth[n-1] == o.level {
			o.depth = o.depth[:n-1]
			if o.body0 {
				out.WriteByte('\n')
			}
		}
		if o.note == o.level {
			o.note = 0
		}
		o.level--
	case xml.CharData:
		if o.body0 && len(o.depth) > 0 {
			out.Write(t)
		}
	}
	return false
}

// book reads the chapters of a book in the order of its spine. html makes texts of them.
func (b *bundle) book(html func(string) string) (string, error) {
	root := ""
	err := b.walk("META-INF/container.xml", func(t xml.Token) bool {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "rootfile" && root == "" {
			root = strings.TrimPrefix(path.Clean("/"+lexical.Attribute(e, "full-path")), "/")
		}
		return false
	})
	if err != nil {
		return "", err
	}
	file := make(map[string]string) // of an item, by its id
	var spine []string
	err = b.walk(root, func(t xml.Token) bool {
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "item" && strings.Contains(lexical.Attribute(e, "media-type"), "html") && !slices.Contains(strings.Fields(lexical.Attribute(e, "properties")), "nav"):
			if href, err := url.PathUnescape(lexical.Attribute(e, "href")); err == nil {
				file[lexical.Attribute(e, "id")] = strings.TrimPrefix(path.Clean("/"+path.Join(path.Dir(root), href)), "/")
			}
		case e.Name.Local == "itemref":
			spine = append(spine, lexical.Attribute(e, "idref"))
		}
		return false
	})
	if err != nil {
		return "", err
	}
	locked, err := b.locked()
	if err != nil {
		return "", err
	}
	title, err := b.title(root)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, id := range spine {
		name := file[id]
		if name == "" {
			continue // pictures, and the table of contents
		}
		if locked[name] {
			return "", protected
		}
		page, err := b.read(name)
		if err != nil {
			return "", err
		}
		if at := bytes.Index(page, []byte("<body")); at >= 0 {
			page = page[at:] // the head repeats the title in each chapter
		}
		out.WriteString(html(string(page)))
		out.WriteByte('\n')
	}
	return titled(title, out.String()), nil
}

// locked are the files of a book that are encrypted.
func (b *bundle) locked() (map[string]bool, error) {
	const list = "META-INF/encryption.xml"
	names := make(map[string]bool)
	if b.files[list] == nil {
		return names, nil
	}
	return names, b.walk(list, func(t xml.Token) bool {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "CipherReference" {
			if name, err := url.PathUnescape(lexical.Attribute(e, "URI")); err == nil {
				names[strings.TrimPrefix(path.Clean("/"+name), "/")] = true
			}
		}
		return false
	})
}
