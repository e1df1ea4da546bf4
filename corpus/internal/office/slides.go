package office

import (
	"strings"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Records of PowerPoint, by their numbers.
const (
	recDocument    = 0x03e8
	recSlide       = 0x03ee
	recSlideAtom   = 0x03ef
	recNotes       = 0x03f0
	recPersistAtom = 0x03f3
	recShowInfo    = 0x03f9
	recOutlineRef  = 0x0f9e
	recTextHeader  = 0x0f9f
	recChars       = 0x0fa0
	recBytes       = 0x0fa8
	recNumberMark  = 0x0fd8
	recSlideList   = 0x0ff0
	recUserEdit    = 0x0ff5
	recDateMark    = 0x0ff7
	recDateMark2   = 0x0ff8
	recHeaderMark  = 0x0ff9
	recFooterMark  = 0x0ffa
	recDateMark3   = 0x1015
	recDirectory   = 0x1772
)

// The lists of slides in a document, by their numbers.
const listSlides, listNotes = 0, 2

// encryptedUser begins the stream Current User of slides with a password.
const encryptedUser = 0xf3d1c4df

// deepestRecord is how deep records of slides may lie within others, such as groups of shapes.
const deepestRecord = 64

// oldSlides returns the text of the slides of PowerPoint 97 to 2003 in their order, each with its
// notes. Slides that are hidden and numbers and dates of slides are left out.
//
// Source: Microsoft, [MS-PPT] "PowerPoint (.ppt) Binary File Format".
func oldSlides(root *compound.Folder, limit int64) (string, error) {
	user, err := root.Read("Current User")
	if err != nil || len(user) < 20 {
		return "", damaged
	}
	if little.Uint32(user[12:]) == encryptedUser {
		return "", encrypted
	}
	data, err := root.Read("PowerPoint Document")
	if err != nil {
		return "", err
	}
	s := &slideFile{data: data, place: make(map[uint32]int64), limit: limit}
	document, err := s.edits(int64(little.Uint32(user[16:])))
	if err != nil {
		return "", err
	}
	if err := s.lists(document); err != nil {
		return "", err
	}
	for _, slide := range s.slides {
		if err := s.slide(slide); err != nil {
			return "", err
		}
	}
	return s.out.String(), nil
}

// slideFile is a file of slides.
type slideFile struct {
	data   []byte
	place  map[uint32]int64 // of an object, by its number
	slides []oldSlide
	notes  map[uint32]uint32 // the object of notes, by their number
	limit  int64
	read   int // bytes of directories, slides and notes that were read
	out    strings.Builder
}

// oldSlide is a slide, and its texts in the list of slides.
type oldSlide struct {
	object uint32
	texts  []string
}

// record is a record of slides.
type record struct {
	kind, instance int
	holds          bool // it holds records
	data           []byte
}

// recordAt returns the record at a byte of data, and where the next one begins.
func recordAt(data []byte, at int64) (r record, next int64, err error) {
	if at < 0 || at+8 > int64(len(data)) {
		return r, 0, damaged
	}
	first := int(little.Uint16(data[at:]))
	next = at + 8 + int64(little.Uint32(data[at+4:]))
	if next > int64(len(data)) {
		return r, 0, damaged
	}
	return record{kind: int(little.Uint16(data[at+2:])), instance: first >> 4, holds: first&15 == 15, data: data[at+8 : next]}, next, nil
}

// each passes the records in data to see.
func each(data []byte, see func(r record) error) error {
	for at := int64(0); at+8 <= int64(len(data)); {
		r, next, err := recordAt(data, at)
		if err != nil {
			return err
		}
		if err := see(r); err != nil {
			return err
		}
		at = next
	}
	return nil
}

// edits follows the edits of the file from the last one on, whose record is at a byte, and finds
// the places of all objects. It returns the number of the document.
func (s *slideFile) edits(at int64) (document uint32, err error) {
	for first := true; ; first = false {
		r, _, err := recordAt(s.data, at)
		if err != nil || r.kind != recUserEdit || len(r.data) < 20 {
			return 0, damaged
		}
		if len(r.data) >= 32 && little.Uint32(r.data[28:]) != 0 {
			return 0, encrypted
		}
		if first {
			document = little.Uint32(r.data[16:])
		}
		list, _, err := recordAt(s.data, int64(little.Uint32(r.data[12:])))
		if err != nil || list.kind != recDirectory || s.again(list) {
			return 0, damaged
		}
		s.objects(list.data)
		before := int64(little.Uint32(r.data[8:]))
		if before == 0 {
			return document, nil
		}
		if before >= at { // edits are added at the end
			return 0, damaged
		}
		at = before
	}
}

// objects notes the places in a directory of objects: runs of numbers with a place each. Those that
// a later edit has are newer.
func (s *slideFile) objects(list []byte) {
	for r := (&fieldReader{rest: list}); len(r.rest) >= 4; {
		head := r.u32()
		for i := range head >> 20 {
			at := r.u32()
			if r.short {
				return
			}
			if _, newer := s.place[head&(1<<20-1)+i]; !newer {
				s.place[head&(1<<20-1)+i] = int64(at)
			}
		}
	}
}

// again counts the bytes of a record, and reports whether records were read that share bytes, as no
// two of a file do.
func (s *slideFile) again(r record) bool {
	s.read += len(r.data)
	return s.read > len(s.data)
}

// object is the record of an object.
func (s *slideFile) object(number uint32) (record, error) {
	at, known := s.place[number]
	if !known {
		return record{}, damaged
	}
	r, _, err := recordAt(s.data, at)
	return r, err
}

// lists reads the lists of slides and of notes in the document.
func (s *slideFile) lists(document uint32) error {
	doc, err := s.object(document)
	if err != nil || doc.kind != recDocument {
		return damaged
	}
	s.notes = make(map[uint32]uint32)
	seen := make(map[uint32]bool)
	return each(doc.data, func(list record) error {
		if list.kind != recSlideList || list.instance != listSlides && list.instance != listNotes {
			return nil
		}
		var texts outlineTexts
		err := each(list.data, func(r record) error {
			switch {
			case r.kind != recPersistAtom && list.instance == listSlides && len(s.slides) > 0:
				texts.see(r)
			case r.kind != recPersistAtom || len(r.data) < 16:
			case list.instance == listNotes:
				s.notes[little.Uint32(r.data[12:])] = little.Uint32(r.data)
			default:
				s.outline(&texts)
				object := little.Uint32(r.data)
				if seen[object] {
					return damaged
				}
				seen[object] = true
				s.slides = append(s.slides, oldSlide{object: object})
			}
			return nil
		})
		s.outline(&texts)
		return err
	})
}

// outline gives the texts to the slide that they follow in the list.
func (s *slideFile) outline(texts *outlineTexts) {
	if list := texts.done(); len(list) > 0 {
		s.slides[len(s.slides)-1].texts = list
	}
	*texts = outlineTexts{}
}

// outlineTexts collects texts, each with the marks in it for what every slide shows. Marks count
// units of UTF-16.
type outlineTexts struct {
	list  []string
	text  []uint16
	marks []uint32
	open  bool
}

// see takes a record.
func (o *outlineTexts) see(r record) {
	switch r.kind {
	case recTextHeader:
		o.close()
		o.open = true
	case recChars:
		o.another()
		o.text = compound.Units(r.data)
	case recBytes:
		o.another()
		o.text = make([]uint16, len(r.data))
		for i, c := range r.data {
			o.text[i] = uint16(c)
		}
	case recNumberMark, recDateMark, recDateMark2, recDateMark3, recHeaderMark, recFooterMark:
		if o.open && len(r.data) >= 4 {
			o.marks = append(o.marks, little.Uint32(r.data))
		}
	}
}

// another begins a text, also one without a header.
func (o *outlineTexts) another() {
	if o.text != nil {
		o.close()
	}
	o.open = true
}

// close ends a text.
func (o *outlineTexts) close() {
	if !o.open {
		return
	}
	for _, at := range o.marks {
		if int64(at) < int64(len(o.text)) {
			o.text[at] = 0
		}
	}
	text := strings.Map(func(c rune) rune {
		switch {
		case c == '\r', c == '\v':
			return '\n'
		case c < ' ' && c != '\t':
			return -1
		}
		return c
	}, string(utf16.Decode(o.text)))
	o.list = append(o.list, text)
	o.text, o.marks, o.open = nil, nil, false
}

// done returns the texts.
func (o *outlineTexts) done() []string {
	o.close()
	return o.list
}

// slide writes the texts of a slide and of its notes.
func (s *slideFile) slide(slide oldSlide) error {
	r, err := s.object(slide.object)
	if err != nil || r.kind != recSlide || s.again(r) {
		return damaged
	}
	hidden, notes := false, uint32(0)
	err = each(r.data, func(r record) error {
		switch {
		case r.kind == recSlideAtom && len(r.data) >= 20:
			notes = little.Uint32(r.data[16:])
		case r.kind == recShowInfo && len(r.data) >= 12:
			hidden = little.Uint16(r.data[10:])&4 != 0
		}
		return nil
	})
	if err != nil || hidden {
		return err
	}
	d := &drawing{outline: slide.texts, used: make([]bool, len(slide.texts))}
	if err := d.walk(r.data, 0); err != nil {
		return err
	}
	for i, text := range slide.texts {
		if !d.used[i] {
			s.line(text)
		}
	}
	for _, text := range d.texts.done() {
		s.line(text)
	}
	if object, has := s.notes[notes]; has && notes != 0 {
		delete(s.notes, notes) // once
		page, err := s.object(object)
		if err != nil || page.kind != recNotes || s.again(page) {
			return damaged
		}
		d := &drawing{}
		if err := d.walk(page.data, 0); err != nil {
			return err
		}
		for _, text := range d.texts.done() {
			s.line(text)
		}
	}
	if int64(s.out.Len()) > s.limit {
		return input.ErrTooLong
	}
	return nil
}

// line writes a text that is not empty.
func (s *slideFile) line(text string) {
	if strings.TrimSpace(text) != "" {
		s.out.WriteString(text)
		s.out.WriteByte('\n')
	}
}

// drawing collects the texts of the shapes of a slide, some of which stand in the list of slides.
type drawing struct {
	outline []string
	used    []bool
	texts   outlineTexts
}

// walk takes the records in data and in those that hold others.
func (d *drawing) walk(data []byte, depth int) error {
	if depth > deepestRecord {
		return damaged
	}
	return each(data, func(r record) error {
		switch {
		case r.holds:
			return d.walk(r.data, depth+1)
		case r.kind == recOutlineRef && len(r.data) >= 4:
			d.texts.close()
			if k := little.Uint32(r.data); int64(k) < int64(len(d.outline)) && !d.used[k] {
				d.used[k] = true
				d.texts.list = append(d.texts.list, d.outline[k])
			}
		default:
			d.texts.see(r)
		}
		return nil
	})
}
