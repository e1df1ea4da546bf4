package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// units is a text in UTF-16.
func units(s string) (data []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		data = little.AppendUint16(data, u)
	}
	return data
}

// oldPart is a piece of a document: its text, how it is stored, and its property.
type oldPart struct {
	text string
	wide bool
	prm  uint16
}

// oldDocument is a document of Word 97: pieces, the characters of its parts, runs of characters
// with a list of properties by the numbers of their bytes in the text, and lists of properties of
// pieces.
type oldDocument struct {
	parts []oldPart
	chars [7]uint32
	runs  map[string][]byte // of the first piece with this text
	lists [][]byte
	flags uint16
	mark  uint16
	title string
}

// bytes writes the document.
func (d oldDocument) bytes() []byte {
	const textAt = 1024
	doc := make([]byte, textAt)
	var plc, pcds []byte
	cp, total := uint32(0), uint32(0)
	var runs []span
	var looks [][]byte
	plc = little.AppendUint32(plc, 0)
	for _, p := range d.parts {
		at := uint32(len(doc))
		raw, n, fc := units(p.text), len(utf16.Encode([]rune(p.text))), at
		if !p.wide {
			raw, n, fc = []byte(p.text), len(p.text), 2*at|1<<30
		}
		doc = append(doc, raw...)
		runs = append(runs, span{int64(at), int64(len(doc))})
		looks = append(looks, d.runs[p.text])
		cp += uint32(n)
		total += uint32(n)
		plc = little.AppendUint32(plc, cp)
		pcds = little.AppendUint16(pcds, 0)
		pcds = little.AppendUint32(pcds, fc)
		pcds = little.AppendUint16(pcds, p.prm)
	}
	doc = append(doc, make([]byte, (512-len(doc)%512)%512)...)
	page := make([]byte, 512) // the looks of the pieces
	end := 510
	for i, s := range runs {
		little.PutUint32(page[4*i:], uint32(s.from))
		little.PutUint32(page[4*i+4:], uint32(s.to))
		if look := looks[i]; look != nil {
			end = (end - len(look) - 1) &^ 1
			page[end] = byte(len(look))
			copy(page[end+1:], look)
			page[4*(len(runs)+1)+i] = byte(end / 2)
		}
	}
	page[511] = byte(len(runs))
	pages := uint32(len(doc) / 512)
	doc = append(doc, page...)

	var table []byte
	bins := little.AppendUint32(little.AppendUint32(nil, textAt), uint32(len(doc)))
	bins = little.AppendUint32(bins, pages)
	table = append(table, bins...)
	clxAt := len(table)
	for _, list := range d.lists {
		table = append(little.AppendUint16(append(table, 1), uint16(len(list))), list...)
	}
	table = append(table, 2)
	table = little.AppendUint32(table, uint32(len(plc)+len(pcds)))
	table = append(append(table, plc...), pcds...)

	mark := d.mark
	if mark == 0 {
		mark = fibMark
	}
	chars := d.chars
	if chars == [7]uint32{} {
		chars[0] = total
	}
	fib := little.AppendUint16(nil, mark)
	fib = append(fib, make([]byte, 8)...)
	fib = little.AppendUint16(fib, d.flags|fibTable1)
	fib = append(fib, make([]byte, 20)...)
	fib = little.AppendUint16(fib, 14)
	fib = append(fib, make([]byte, 28)...)
	fib = little.AppendUint16(fib, 22)
	fib = append(fib, make([]byte, 12)...)
	for _, n := range chars {
		fib = little.AppendUint32(fib, n)
	}
	fib = append(fib, make([]byte, 88-40)...)
	fib = little.AppendUint16(fib, 93)
	places := make([]byte, 93*8)
	for i, p := range map[int][2]int{fibRuns: {0, len(bins)}, fibPieces: {clxAt, len(table) - clxAt}} {
		little.PutUint32(places[8*i:], uint32(p[0]))
		little.PutUint32(places[8*i+4:], uint32(p[1]))
	}
	copy(doc, append(fib, places...))
	streams := []string{"WordDocument", string(doc), "1Table", string(table)}
	if d.title != "" {
		streams = append(streams, "\x05SummaryInformation", summary(d.title))
	}
	return corpustest.Compound(streams...)
}

// summary is a set of properties with a title in Windows-1251.
func summary(title string) string {
	set := binary.LittleEndian.AppendUint32(nil, 0)
	for _, n := range []uint32{2, codePageID, 24, titleID, 32, shortType, 1251, bytesType, uint32(len(title) + 1)} {
		set = little.AppendUint32(set, n)
	}
	set = append(set, title+"\x00"...)
	head := make([]byte, 48)
	little.PutUint32(head[44:], 48)
	return string(append(head, set...))
}

// The text of a document of Word 97: pieces in both forms, notes and boxes behind the body, without
// codes of fields, hidden and deleted text, headers and comments.
func TestOldWord(t *testing.T) {
	hide := []byte{0x3c, 0x08, 1}
	del := []byte{0x03, 0x4a, 1, 2, 0x00, 0x08, 1} // behind a property of two bytes
	document := oldDocument{
		parts: []oldPart{
			{text: "caf\xe9 \x93quoted\x94 5 \x80\r"}, {text: "больница\v𝛼\r", wide: true}, {text: "hidden"}, {text: "deleted"}, {text: "shown"},
			{text: "short", prm: shortHidden<<1 | 1<<8}, {text: "listed", prm: 1<<1 | 1}, {text: "also", prm: 0<<1 | 1},
			{text: " \x13 HYPERLINK \"x\" \x13 DATE \x15\x14the \x13 PAGE \x147\x15 link\x15 end\x02\x1e\x1f.\aa\tb\a\a\r"},
			{text: "\x02 a note\r"}, {text: "a header\r"}, {text: "a comment\r"}, {text: "an endnote\r", wide: true}, {text: "a box\r"},
		},
		runs:  map[string][]byte{"hidden": hide, "deleted": del, "shown": {0x3c, 0x08, 0}},
		lists: [][]byte{{0x3c, 0x08, 0}, del},
		title: "\xd2\xe8\xf2\xf3\xeb",
	}
	body := 0
	for _, p := range document.parts[:9] {
		if body += len(p.text); p.wide {
			body += len(utf16.Encode([]rune(p.text))) - len(p.text)
		}
	}
	document.chars = [7]uint32{uint32(body), 9, 9, 0, 10, 11, 6}
	want(t, document.bytes(), "Титул\ncafé “quoted” 5 €\nбольница\n𝛼\nshownalso the 7 link end-.\na\tb\n\n\na box\n a note\nan endnote\n")
}

// record is a record of PowerPoint, of records if kind is negative.
func pptRecord(kind, instance int, parts ...[]byte) []byte {
	data := bytes.Join(parts, nil)
	first := instance << 4
	if kind < 0 {
		kind, first = -kind, first|15
	}
	out := little.AppendUint16(little.AppendUint16(nil, uint16(first)), uint16(kind))
	return append(little.AppendUint32(out, uint32(len(data))), data...)
}

func pptNumbers(list ...uint32) (data []byte) {
	for _, n := range list {
		data = little.AppendUint32(data, n)
	}
	return data
}

// shape is a shape with a text.
func shape(parts ...[]byte) []byte {
	return pptRecord(-0xf004, 0, pptRecord(-0xf00d, 0, parts...))
}

// pptFile writes the objects of slides by their numbers. before are objects of an earlier edit; the
// document is object 1.
func pptFile(token uint32, before map[uint32][]byte, objects map[uint32][]byte) []byte {
	var data []byte
	last := uint32(0)
	for _, edit := range []map[uint32][]byte{before, objects} {
		if edit == nil {
			continue
		}
		var list []byte
		for n := range uint32(20) {
			if o, has := edit[n]; has {
				list = append(list, pptNumbers(n|1<<20, uint32(len(data)))...)
				data = append(data, o...)
			}
		}
		directory := uint32(len(data))
		data = append(data, pptRecord(recDirectory, 0, list)...)
		at := uint32(len(data))
		data = append(data, pptRecord(recUserEdit, 0, pptNumbers(0, 0, last, directory, 1, 20, 0))...)
		last = at
	}
	user := append(make([]byte, 8), pptNumbers(20, token, last)...)
	return corpustest.Compound("Current User", string(user), "PowerPoint Document", string(data))
}

// pptObjects are three slides. The list has them in another order than their numbers. The first one
// there has notes, another has its texts in the list, and the last one is hidden.
func pptObjects() map[uint32][]byte {
	slide := func(notes uint32, hidden bool, shapes ...[]byte) []byte {
		show := make([]byte, 16)
		if hidden {
			show[10] = 4
		}
		return pptRecord(-recSlide, 0, pptRecord(recSlideAtom, 2, pptNumbers(0, 0, 0, 0, notes, 0)), pptRecord(recShowInfo, 0, show), pptRecord(-0x040c, 0, bytes.Join(shapes, nil)))
	}
	header := pptRecord(recTextHeader, 0, pptNumbers(0))
	text := func(s string) []byte { return append(bytes.Clone(header), pptRecord(recBytes, 0, []byte(s))...) }
	at := func(object, id uint32) []byte { return pptRecord(recPersistAtom, 0, pptNumbers(object, 0, 0, id, 0)) }
	return map[uint32][]byte{
		1: pptRecord(-recDocument, 0,
			pptRecord(-recSlideList, 1, at(9, 1), text("master")),
			pptRecord(-recSlideList, listSlides, at(4, 256), at(3, 257), text("listed\rsecond"), text("unseen in the slide"), at(2, 258)),
			pptRecord(-recSlideList, listNotes, at(5, 300))),
		2: slide(0, true, shape(text("hidden slide"))),
		3: slide(0, false, shape(pptRecord(recOutlineRef, 0, pptNumbers(0))), shape(header, pptRecord(recChars, 0, units("больница\v2")))),
		4: slide(300, false, shape(text("first * slide \xe9"), pptRecord(recNumberMark, 0, pptNumbers(6))), pptRecord(-0xf003, 0, shape(text("in a group")))),
		5: pptRecord(-recNotes, 0, pptRecord(-0x040c, 0, shape(text("the notes")))),
	}
}

// The text of slides of PowerPoint 97, in the order of the list, each with its notes, of the last
// edit of each.
func TestOldSlides(t *testing.T) {
	slides := "first  slide é\nin a group\nthe notes\nunseen in the slide\nlisted\nsecond\nбольница\n2\n"
	objects := pptObjects()
	want(t, pptFile(0xe391c05f, nil, objects), slides)
	old := pptObjects()
	old[4] = pptRecord(-recSlide, 0, shape(pptRecord(recBytes, 0, []byte("an earlier edit"))))
	want(t, pptFile(0xe391c05f, old, map[uint32][]byte{4: objects[4]}), slides)
}

// Marks of slides count units of UTF-16, of which a character beyond the first plane takes two, and
// belong to the text before them.
func TestOldSlideMarks(t *testing.T) {
	objects := pptObjects()
	header, mark := pptRecord(recTextHeader, 0, pptNumbers(0)), pptRecord(recNumberMark, 0, pptNumbers(5))
	objects[4] = pptRecord(-recSlide, 0, shape(header, pptRecord(recChars, 0, units("😀😀 * words")), mark), shape(pptRecord(recOutlineRef, 0, pptNumbers(7)), mark), shape(pptRecord(recChars, 0, units("other text"))))
	want(t, pptFile(1, nil, objects), "😀😀  words\nother text\nunseen in the slide\nlisted\nsecond\nбольница\n2\n")
}

// A character of two units may begin in one piece and end in the next.
func TestOldWordPieces(t *testing.T) {
	w := &wordText{doc: units("a𝛼b"), pieces: []wordPiece{{chars: 2, wide: true}, {chars: 2, at: 4, wide: true}}, limit: 100}
	if err := w.write(0, 4); err != nil || w.out.String() != "a𝛼b" {
		t.Errorf("%q, %v", w.out.String(), err)
	}
}

// What old files are that have no text.
func TestOldUnread(t *testing.T) {
	plain := oldDocument{parts: []oldPart{{text: "words\r"}}}
	secret, word95, empty, long, twice := plain, plain, plain, plain, plain
	secret.flags, word95.mark, empty.parts = fibEncrypted, oldFibMark, []oldPart{{text: "\r"}}
	long.chars[0], twice.parts = 1<<31, []oldPart{{text: "words\r", prm: 1}}
	objects, endless := pptObjects(), pptObjects()
	endless[1] = pptRecord(-recDocument, 0, pptRecord(-recSlideList, listSlides, pptRecord(recPersistAtom, 0, pptNumbers(4, 0, 0, 1, 0)), pptRecord(recPersistAtom, 0, pptNumbers(4, 0, 0, 1, 0))))
	for name, tc := range map[string]struct {
		data []byte
		err  error
	}{
		"password": {secret.bytes(), encrypted}, "Word 95": {word95.bytes(), word6}, "no word": {empty.bytes(), ErrNoText}, "counts": {long.bytes(), damaged},
		"a list of properties that is not there": {twice.bytes(), nil}, "slides with a password": {pptFile(encryptedUser, nil, objects), encrypted}, "one slide twice": {pptFile(1, nil, endless), damaged},
		"no table": {corpustest.Compound("WordDocument", "x"), damaged}, "no slides": {corpustest.Compound("PowerPoint Document", "x"), damaged},
		"spreadsheet": {corpustest.Compound("Workbook", "x"), oldSheet}, "a package with a password": {corpustest.Compound("EncryptedPackage", "x"), encrypted},
		"another": {corpustest.Compound("Contents", "x"), oldOther}, "cut off": {plain.bytes()[:2000], oldOther},
	} {
		if _, err := Text(tc.data, 1<<20, nil); !errors.Is(err, tc.err) {
			t.Errorf("%s: %v, want %v", name, err, tc.err)
		}
	}
	if _, err := Text(oldDocument{parts: []oldPart{{text: strings.Repeat("words ", 1000)}}}.bytes(), 1000, nil); err != input.ErrTooLong {
		t.Errorf("a long text: %v", err)
	}
}

// FuzzOld reads arbitrary streams of documents of Word and PowerPoint before 2007.
func FuzzOld(f *testing.F) {
	f.Add(oldDocument{parts: []oldPart{{text: "a \x13 PAGE \x147\x15\r"}, {text: "слово", wide: true}}, runs: map[string][]byte{"слово": {0x3c, 0x08, 0}}, title: "t"}.bytes())
	f.Add(pptFile(0xe391c05f, map[uint32][]byte{4: nil}, pptObjects()))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 20
		before := corpustest.Allocated()
		text, err := Text(data, limit, func(page string) string { return page })
		switch {
		case err != nil && err != input.ErrTooLong && !errors.As(err, new(input.Unread)):
			t.Errorf("%T: %v", err, err)
		case err == nil && len(text) > limit+4*len(data):
			t.Errorf("%d bytes of text from %d", len(text), len(data))
		case corpustest.Allocated()-before > uint64(corpustest.FuzzAllocs+100*len(data)):
			t.Errorf("%d bytes taken for %d", corpustest.Allocated()-before, len(data))
		}
	})
}
