package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// packed makes an archive of names and contents in turn.
func packed(t testing.TB, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(members); i += 2 {
		f, err := w.Create(members[i])
		if err == nil {
			_, err = f.Write([]byte(members[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

const (
	office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	core   = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
)

// related is the file of what a part refers to: kinds and targets in turn, with the ids r1, r2 and
// so on.
func related(kinds ...string) string {
	var out strings.Builder
	out.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i < len(kinds); i += 2 {
		out.WriteString(`<Relationship Id="r` + string(rune('1'+i/2)) + `" Type="` + kinds[i] + `" Target="` + kinds[i+1] + `"/>`)
	}
	return out.String() + `</Relationships>`
}

// word makes a document of Word with a body and more files.
func word(t testing.TB, body string, more ...string) []byte {
	return packed(t, append([]string{
		"[Content_Types].xml", "<Types/>",
		"_rels/.rels", related(office+"officeDocument", "word/document.xml", core, "docProps/core.xml"),
		"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="m"><w:body>` + body + `</w:body></w:document>`,
	}, more...)...)
}

// want compares the text of a document.
func want(t *testing.T, data []byte, text string) {
	t.Helper()
	got, err := Text(data, 1<<20, func(page string) string { return page })
	if err != nil || got != text {
		t.Errorf("got %q, %v\nwant %q", got, err, text)
	}
}

func TestWord(t *testing.T) {
	want(t, word(t, `
 <w:p><w:pPr><w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>Head</w:t></w:r><w:r><w:t>ing</w:t></w:r></w:p>
 <w:p><w:r><w:t xml:space="preserve">one </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>two</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>three</w:t><w:br/><w:t>four</w:t></w:r></w:p>
 <w:p><w:r><w:fldChar/><w:instrText>HYPERLINK "x"</w:instrText></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>link</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>
 <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
 <w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:p>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:dc="d"><dc:creator>Nobody</dc:creator><dc:title>The title &amp; more</dc:title></cp:coreProperties>`,
		"word/_rels/document.xml.rels", related(office+"footnotes", "footnotes.xml", office+"comments", "comments.xml", office+"header", "header1.xml"),
		"word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote w:type="separator"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>below</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/comments.xml", `<w:comments xmlns:w="w"><w:p><w:r><w:t>remark</w:t></w:r></w:p></w:comments>`,
		"word/header1.xml", `<w:hdr xmlns:w="w"><w:p><w:r><w:t>page</w:t></w:r></w:p></w:hdr>`,
	), "The title & more\nHeading\none two\tthree\nfour\nlink\na\nb\nbox\n\nbelow\n")
}

func TestPowerPoint(t *testing.T) {
	slide := func(attributes, text string) string {
		return `<p:sld xmlns:p="p" xmlns:a="a"` + attributes + `><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:sld>`
	}
	want(t, packed(t,
		"[Content_Types].xml", "<Types/>",
		"_rels/.rels", related(office+"officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r3"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", related(office+"slide", "slides/slide1.xml", office+"slide", "/ppt/slides/slide2.xml", office+"slide", "slides/slide3.xml"),
		"ppt/slides/slide1.xml", slide("", "second"), "ppt/slides/slide2.xml", slide("", "first"), "ppt/slides/slide3.xml", slide(` show="0"`, "hidden"),
		"ppt/slides/_rels/slide2.xml.rels", related(office+"notesSlide", "../notesSlides/notesSlide1.xml"),
		"ppt/notesSlides/notesSlide1.xml", `<p:notes xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>spoken</a:t></a:r></a:p></p:notes>`,
	), "first\n\nspoken\nsecond\n\n")
}

// diagram is the data of a diagram (SmartArt) with a text in two points.
func diagram(a, b string) string {
	point := func(text string) string {
		return `<dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></dgm:t></dgm:pt>`
	}
	return `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst>` + point(a) + point(b) + `<dgm:pt type="sibTrans"><dgm:t><a:p><a:endParaRPr/></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`
}

// The texts of diagrams count, also of a slide that has no others, and not of one that is hidden.
func TestDiagrams(t *testing.T) {
	slide := func(attributes string) string {
		return `<p:sld xmlns:p="p"` + attributes + `><p:graphicFrame/></p:sld>`
	}
	want(t, packed(t,
		"[Content_Types].xml", "<Types/>", "_rels/.rels", related(office+"officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", related(office+"slide", "slides/slide1.xml", office+"slide", "slides/slide2.xml"),
		"ppt/slides/slide1.xml", slide(""), "ppt/slides/slide2.xml", slide(` show="0"`),
		"ppt/slides/_rels/slide1.xml.rels", related(office+"diagramData", "../diagrams/data1.xml"), "ppt/slides/_rels/slide2.xml.rels", related(office+"diagramData", "../diagrams/data2.xml"),
		"ppt/diagrams/data1.xml", diagram("plan", "do"), "ppt/diagrams/data2.xml", diagram("not", "seen"),
	), "plan\ndo\n\n")
	want(t, word(t, `<w:p><w:r><w:t>body</w:t></w:r></w:p>`, "word/_rels/document.xml.rels", related(office+"diagramData", "diagrams/data1.xml"), "word/diagrams/data1.xml", diagram("plan", "do")), "body\nplan\ndo\n\n")
}

// OpenDocument as one file of XML has the text that it has in an archive.
func TestFlatOpenDocument(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n\n" + `<office:document xmlns:office="o" xmlns:dc="d" xmlns:t="t" office:mimetype="x"><office:meta><dc:title>The title</dc:title></office:meta><office:styles><t:p>page</t:p></office:styles><office:body>`
	const end = `</office:body></office:document>`
	flat := func(body string) []byte { return []byte(head + body + end) }
	want(t, flat(`<office:text><t:h>Head</t:h><t:p>one<t:tab/>two<frame><image><office:binary-data>AAAA</office:binary-data></image></frame></t:p></office:text>`), "The title\nHead\none\ttwo\n")
	for data, why := range map[string]error{string(flat(`<office:spreadsheet><t:p>1</t:p></office:spreadsheet>`)): sheet, head + "<t:p>words</t": damaged, string(flat(`<office:text/>`)): nil} {
		if _, err := Text([]byte(data), 1<<20, nil); why != nil && !errors.Is(err, why) {
			t.Errorf("%v, not %v", err, why)
		}
	}
	if other := []byte(`<?xml version="1.0"?><article>office:document is a word</article>`); Is(other) {
		t.Error("other XML is taken for OpenDocument")
	}
}

// open makes a document of LibreOffice.
func open(t testing.TB, body string, more ...string) []byte {
	return packed(t, append([]string{"mimetype", "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml", "<manifest/>",
		"content.xml", `<o:document-content xmlns:o="o" xmlns:t="t" xmlns:svg="urn:x:svg-compatible:1.0"><o:scripts>x</o:scripts><o:body>` + body + `</o:body></o:document-content>`}, more...)...)
}

func TestOpenDocument(t *testing.T) {
	want(t, open(t, `<o:text>
<t:tracked-changes><t:p>gone</t:p></t:tracked-changes>
<t:h>Head</t:h><t:p>one<t:s t:c="2"/>two<t:tab/>three<t:line-break/>four<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>below</t:p></t:note-body></t:note> five<o:annotation><t:p>remark</t:p></o:annotation></t:p>
<t:list><t:list-item><t:p>item</t:p></t:list-item></t:list><o:frame><svg:title>picture</svg:title></o:frame>
<table><t:p>a</t:p><t:p>b <t:span>c</t:span></t:p></table></o:text>`,
		"meta.xml", `<o:meta xmlns:dc="d"><dc:title>The title</dc:title></o:meta>`), "The title\nHead\none  two\tthree\nfour five\nitem\na\nb c\nbelow\n")
	want(t, open(t, `<o:presentation><footer-decl>foot</footer-decl><page><t:p>slide</t:p><notes><t:p>spoken</t:p></notes></page></o:presentation>`), "slide\nspoken\n")
}

// book makes a book of two chapters.
func book(t testing.TB, more ...string) []byte {
	return packed(t, append([]string{"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
		"OPS/book.opf", `<package xmlns:dc="d"><metadata><dc:title>A book</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b%20b.xhtml" media-type="application/xhtml+xml"/><item id="n" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/><item id="p" href="p.png" media-type="image/png"/></manifest><spine><itemref idref="n"/><itemref idref="b"/><itemref idref="p"/><itemref idref="a"/></spine></package>`,
		"OPS/a.xhtml", "<html><head><title>A book</title></head><body>last</body></html>", "OPS/b b.xhtml", "first", "OPS/nav.xhtml", "contents"}, more...)...)
}

func TestBook(t *testing.T) {
	want(t, book(t), "A book\nfirst\n<body>last</body></html>\n")
}

func TestRTF(t *testing.T) {
	want(t, []byte(`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Cyr;}{\f2\fcharset128 Jp;}}{\colortbl;\red0;}{\stylesheet{\s1 heading 1;}}
{\info{\title The t\'e9tle}{\author Nobody}}{\*\generator Some;}{\header page}{\pict 0102}
\pard\f0 caf\'e9 \u8211?\u8364\'80 \{a\}\par
{\v hidden}{\deleted gone}\v0{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\tab two\line
{\f1 \'ec\'e8\'f0} {\f2 \'93\'fa\'96\'7b} \u-10179 ?\u-8704 ?{\uc2\u945 ab}\~x\_y\-z\bin4 {}{}\emdash{\*\unknown secret{\b deep}}\ldblquote end\rdblquote
{\*\footnote\pard below}\cell}trailing`), "The tétle\ncafé –€ {a}\nlink\ttwo\nмир 日本 😀α x-yz—“end”\nbelow\n")
}

// Documents that LibreOffice and pandoc wrote.
func TestWritten(t *testing.T) {
	const head, rest = "The Title Of It\nThe Title Of It\nNobody\nFirst heading\nA paragraph with bold and slanted words and a link.", " Ünïcode — 漢字."
	const list, table = "\nitem one\nitem two\n", "alpha\nbeta\ngamma\ndelta\nLast paragraph.\n"
	for name, text := range map[string]string{
		"libreoffice.docx": head + rest + list + table + "\tThe footnote says something.\n",
		"pandoc.odt":       head + rest + list + table + "The footnote says something.\n",
		"libreoffice.odp":  "The Title Of It\nThe Title Of It\n\n\nNobody\nFirst heading\nA paragraph with bold and slanted words and a link.1" + rest + list + table + "Notes\n1. The footnote says something.\n",
	} {
		data := must.Get(os.ReadFile("testdata/" + name))(t)
		want(t, data, text)
	}
}

// What cannot be read says what it is.
func TestUnread(t *testing.T) {
	doc := word(t, `<w:p><w:r><w:t>words and more words</w:t></w:r></w:p>`)
	secret := bytes.Clone(doc)
	for at := 0; ; { // the flag of encryption in the list of files
		next := bytes.Index(secret[at:], []byte("PK\x01\x02"))
		if next < 0 {
			break
		}
		at += next + 8
		secret[at] |= 1
	}
	for name, tc := range map[string]struct {
		data []byte
		err  error
	}{
		"cut off":       {doc[:len(doc)/2], damaged},
		"no XML":        {word(t, "<w:p><w:r>"), damaged},
		"an entity":     {word(t, "<w:p><w:r><w:t>&bomb;</w:t></w:r></w:p>"), damaged},
		"no main part":  {packed(t, "[Content_Types].xml", "", "_rels/.rels", related(), "word/document.xml", ""), damaged},
		"encrypted":     {secret, encrypted},
		"a password":    {packed(t, "mimetype", "", "META-INF/manifest.xml", `<m:encryption-data/>`, "encrypted-package", "x"), encrypted},
		"DRM":           {book(t, "META-INF/encryption.xml", `<e><CipherReference URI="OPS/a.xhtml"/></e>`), protected},
		"no chapter":    {packed(t, "META-INF/container.xml", "<container/>"), damaged},
		"no text":       {word(t, "<w:p/>"), ErrNoText},
		"archive":       {packed(t, "a.txt", "words", "b.txt", "words"), archive},
		"spreadsheet":   {packed(t, "[Content_Types].xml", "", "_rels/.rels", "", "xl/workbook.xml", ""), sheet},
		"ODS":           {open(t, "<o:spreadsheet><t:p>1</t:p></o:spreadsheet>"), sheet},
		"Pages":         {packed(t, "Index/Document.iwa", "x"), apple},
		"RTF cut off":   {[]byte(`{\rtf1 words`), oddRTF},
		"RTF of braces": {[]byte(`{\rtf1 ` + strings.Repeat("{", mostGroups) + "words" + strings.Repeat("}", mostGroups) + "}"), oddRTF},
		"RTF of no one": {[]byte(`{\rtf1 {\info words}}`), ErrNoText},
	} {
		if _, err := Text(tc.data, 1<<20, func(page string) string { return page }); !errors.Is(err, tc.err) {
			t.Errorf("%s: %v, want %v", name, err, tc.err)
		}
	}
	want(t, book(t, "META-INF/encryption.xml", `<e><CipherReference URI="OPS/font.ttf"/></e>`), "A book\nfirst\n<body>last</body></html>\n")
}

// What unpacks to more than the limit is refused before it is held, also by many small parts.
func TestBomb(t *testing.T) {
	big := word(t, "<w:p><w:r><w:t>"+strings.Repeat("words ", 1<<20)+"</w:t></w:r></w:p>")
	if len(big) > 1<<16 {
		t.Fatalf("%d bytes", len(big))
	}
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := Text(big, 1<<20, nil); err != input.ErrTooLong {
			t.Errorf("got %v", err)
		}
	})
	if allocated > 1e5 {
		t.Errorf("%v allocations", allocated)
	}
	spine := strings.Repeat(`<itemref idref="a"/>`, 1000)
	again := packed(t, "META-INF/container.xml", `<container><rootfile full-path="b.opf"/></container>`,
		"b.opf", `<package><item id="a" href="a" media-type="application/xhtml+xml"/>`+spine+`</package>`, "a", strings.Repeat("words ", 1000))
	if _, err := Text(again, 1<<20, func(page string) string { return page }); err != input.ErrTooLong {
		t.Errorf("one chapter a thousand times: %v", err)
	}
}

func FuzzText(f *testing.F) {
	for _, data := range [][]byte{word(f, `<w:p><w:r><w:t>words</w:t></w:r></w:p>`), open(f, "<t:p>words</t:p>"), book(f), []byte(`{\rtf1\ansi caf\'e9\u8211? {\*\x y}\bin3 abc}`)} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 20
		text, err := Text(data, limit, func(page string) string { return page })
		switch {
		case err != nil && err != input.ErrTooLong && !errors.As(err, new(input.Unread)):
			t.Errorf("%T: %v", err, err)
		case err == nil && len(text) > 4*limit+4*len(data):
			t.Errorf("%d bytes of text from %d", len(text), len(data))
		}
	})
}

// FuzzParts changes what is inside of documents, which the sums of an archive protect.
func FuzzParts(f *testing.F) {
	f.Add(uint8(0), `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>words</w:t></w:r></w:p>`)
	f.Add(uint8(1), `<t:p>words<t:note><t:p>below</t:p></t:note><t:s t:c="3"/></t:p>`)
	f.Add(uint8(2), `<package><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></package>`)
	f.Add(uint8(3), `\ansicpg1251\'ec\u-10179 ?{\fonttbl{\f1\fcharset128 x}}{\info{\title y}}{\*\shpinst{\shptxt z}}\bin2 ab`)
	f.Fuzz(func(t *testing.T, kind uint8, inner string) {
		var data []byte
		switch kind % 4 {
		case 0:
			data = word(t, inner)
		case 1:
			data = open(t, inner)
		case 2:
			data = packed(t, "META-INF/container.xml", `<container><rootfile full-path="b.opf"/></container>`, "b.opf", inner, "a.xhtml", "<body>words</body>")
		default:
			data = []byte(`{\rtf1 ` + inner + `}`)
		}
		const limit = 1 << 20
		text, err := Text(data, limit, func(page string) string { return page })
		switch {
		case err != nil && err != input.ErrTooLong && !errors.As(err, new(input.Unread)):
			t.Errorf("%T: %v", err, err)
		case err == nil && len(text) > 4*(limit+len(inner)):
			t.Errorf("%d bytes of text from %d", len(text), len(data))
		}
	})
}
