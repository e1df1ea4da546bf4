// Package office takes the text out of documents of office programs, of books and of RTF: .docx,
// .pptx, .doc, .ppt, .odt, .odp, .fodt, .fodp, .epub and .rtf. It is the text that a reader sees,
// in the order of reading, with the title of the document before it where the file holds one.
//
// Left out are styles, codes of fields, comments, text that tracked changes deleted, hidden text,
// what heads and foots every page, and pictures.
package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/klauspost/compress/flate"
)

// The first bytes of the files that [Text] reads.
const (
	ZipMagic = "PK\x03\x04"
	rtfMagic = "{\\rtf"
)

// What files are that cannot be read.
const (
	damaged   input.Unread = "is a damaged document of an office program or a book; copy or download it again, or save it anew"
	encrypted input.Unread = "is a document with a password; save it without one"
	protected input.Unread = "is a book that is protected against copying (DRM), which cannot be read"
	archive   input.Unread = "is an archive of zip, not text; unpack it, or move it out of the folder"
	apple     input.Unread = "is a document of Apple's iWork (Pages, Keynote, Numbers); export it as .docx or .pptx"
	sheet     input.Unread = "is a spreadsheet, not text; read it by itself as .xlsx or .csv, or move it out of the folder"
	// ErrNoText is the error of a document without a letter or a digit.
	ErrNoText input.Unread = "is a document without text, such as one of pictures alone; recognise its text first, or move it out of the folder"
	oddRTF    input.Unread = "is a damaged document in RTF; copy or download it again, or save it anew"
)

// Is reports whether a file is one for [Text], by its first bytes.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte(ZipMagic)) || bytes.HasPrefix(data, []byte(rtfMagic)) || isFlat(data) || compound.Is(data)
}

// Text returns the text of a document. html makes a text of the body of a page of HTML. The parts
// of the document that are unpacked have limit bytes at most in all, else the error is
// input.ErrTooLong; any other error is an input.Unread. Cost O(bytes of the parts).
func Text(data []byte, limit int64, html func(string) string) (string, error) {
	if bytes.HasPrefix(data, []byte(rtfMagic)) {
		return withText(rtfText(data))
	}
	if isFlat(data) {
		return withText(flatText(data))
	}
	if compound.Is(data) {
		return withText(oldText(data, limit))
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", damaged
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	b := &bundle{files: make(map[string]*zip.File, len(z.File)), left: limit}
	for _, f := range z.File {
		b.files[strings.TrimPrefix(path.Clean("/"+f.Name), "/")] = f
	}
	read := b.kind(z.File)
	if read == nil {
		return "", archive
	}
	text, err := read(b, html)
	switch {
	case err == nil:
		return withText(text, nil)
	case errors.Is(err, input.ErrTooLong), errors.As(err, new(input.Unread)):
		return "", err
	}
	return "", damaged
}

// withText passes a text on that has a letter or a digit.
func withText(text string, err error) (string, error) {
	if err == nil && !lexical.HasWord(text) {
		return "", ErrNoText
	}
	return text, err
}

// bundle is the files of a document.
type bundle struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

// kind returns the reader of a document by the names of its files; nil for another archive.
func (b *bundle) kind(files []*zip.File) func(*bundle, func(string) string) (string, error) {
	refuse := func(why input.Unread) func(*bundle, func(string) string) (string, error) {
		return func(*bundle, func(string) string) (string, error) { return "", why }
	}
	switch {
	case b.files["META-INF/container.xml"] != nil:
		return (*bundle).book
	case b.files["META-INF/manifest.xml"] != nil:
		return (*bundle).openDocument
	case b.files["Index/Document.iwa"] != nil, b.files["Index.zip"] != nil:
		return refuse(apple)
	case b.files["_rels/.rels"] == nil || b.files["[Content_Types].xml"] == nil:
		return nil
	}
	for _, f := range files {
		switch folder, _, _ := strings.Cut(f.Name, "/"); folder {
		case "word", "ppt":
			return (*bundle).office
		case "xl":
			return refuse(sheet)
		}
	}
	return nil
}

// read unpacks a file.
func (b *bundle) read(name string) ([]byte, error) {
	f := b.files[name]
	if f == nil {
		return nil, damaged
	}
	if f.Flags&1 != 0 {
		return nil, encrypted
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, b.left+1))
	if b.left -= int64(len(data)); b.left < 0 {
		return nil, input.ErrTooLong
	}
	if err != nil {
		return nil, err
	}
	if charset.IsWide(data) {
		text, _, _ := charset.Decoder{Auto: true}.Decode(data)
		return []byte(text), nil
	}
	return data, nil
}

// walk reads the XML of a file and hands each start and end of an element and each text to see,
// which says of a start whether the element is passed over. A prefix of a name is that of its
// namespace as the file writes it.
func (b *bundle) walk(name string, see func(t xml.Token) (skip bool)) error {
	data, err := b.read(name)
	if err != nil {
		return err
	}
	return walkXML(data, see)
}

// walkXML is walk of the content of a file.
func walkXML(data []byte, see func(t xml.Token) (skip bool)) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // UTF-16 was decoded
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if see(t) {
			if err := d.Skip(); err != nil {
				return err
			}
		}
	}
}

// title returns the title of a document, which stands in an element title of the file; "" for none.
func (b *bundle) title(name string) (string, error) {
	if b.files[name] == nil {
		return "", nil
	}
	var t titleText
	err := b.walk(name, t.see)
	return t.title(), err
}

// titleText collects the text of the first element title.
type titleText struct {
	out    strings.Builder
	inside bool
}

// see takes a token.
func (o *titleText) see(t xml.Token) bool {
	switch t := t.(type) {
	case xml.StartElement:
		o.inside = t.Name.Local == "title" && o.out.Len() == 0
	case xml.EndElement:
		o.inside = false
	case xml.CharData:
		if o.inside {
			o.out.Write(t)
		}
	}
	return false
}

// title is what was collected.
func (o *titleText) title() string { return strings.TrimSpace(o.out.String()) }

// titled puts a title on a line before a text.
func titled(title, text string) string {
	if title == "" {
		return text
	}
	return title + "\n" + text
}
