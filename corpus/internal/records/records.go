package records

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// markup are the elements, in lower case, that divide or mark a text: what is inside belongs to the
// text around it. inline are those of them that stand inside words and sentences.
var markup, inline = func() (m, i map[string]bool) {
	m, i = make(map[string]bool), make(map[string]bool)
	for name := range strings.FieldsSeq("a abbr b big bold c code cite del em emph font hi i ins italic kbd mark monospace ref s sc small span strike strong styled-content sub sup term tt u underline var w xref") {
		m[name], i[name] = true, true
	}
	for name := range strings.FieldsSeq("blockquote br dd div div1 div2 div3 dl dt h1 h2 h3 h4 h5 h6 head hr l lb lg li ol p para pb pre sec section seg sp table tbody td th thead tr ul") {
		m[name] = true
	}
	return m, i
}()

// ownText is the name of the field of the text that is in a record itself.
const ownText = "text"

// frame is an element that is open.
type frame struct {
	name  string
	line  int
	path  *path // nil outside of a record, and where it is too deep for a field of its own
	start int   // of its text
	mark  int   // number of values before those inside it
	text  bool  // it has text of its own
	child bool  // it has elements
	data  bool  // of these, some that are no markup
}

// value is one value of a field.
type value struct {
	path *path
	text string
}

// Reader reads the records of a file.
type Reader struct {
	in     *input.File
	lex    lexer
	choice *Choice
	most   int64 // bytes of a record

	open   []frame
	around int // elements that are open and on the path to the records
	inside int // the frame of the record that is being read, from 1; 0: none
	buf    []byte
	own    []byte // of buf, the text that is in the record itself
	values []value
	size   int64 // of what is kept of the record

	top    *path
	paths  int
	lists  map[string]bool
	texts  map[string]bool
	joined []string
	stamp  int

	others map[string]int // elements beside the records, of each name
	beside int            // pieces of text beside the records
}

// Looks reports whether a text begins as XML that may hold records: with its prolog, or with a tag
// whose element is closed, or has elements, further on.
func Looks(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	for bytes.HasPrefix(head, []byte("<!--")) {
		_, rest, ok := bytes.Cut(head, []byte("-->"))
		if !ok {
			return false
		}
		head = bytes.TrimLeft(rest, " \t\r\n")
	}
	if bytes.HasPrefix(head, []byte("<?xml")) {
		return true
	}
	if bytes.HasPrefix(head, []byte("<!DOCTYPE")) {
		_, rest, ok := bytes.Cut(head, []byte(">"))
		return ok && bytes.Contains(rest, []byte("</"))
	}
	m := firstTag().FindSubmatch(head)
	if m != nil && markup[strings.ToLower(string(m[1]))] {
		return false // a text with tags in it
	}
	return m != nil && (bytes.Contains(head, []byte("</"+string(m[1])+">")) || bytes.Contains(head[len(m[0]):], []byte("</")) && nextTag().Match(head[len(m[0]):]) || bytes.Contains(head[len(m[0]):], []byte("/>")) && nextTag().Match(head[len(m[0]):]))
}

// Named reports whether a file is XML by its name.
func Named(name string) bool {
	name = input.UnpackedName(strings.ToLower(name))
	return strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rss") || strings.HasSuffix(name, ".atom")
}

// firstTag is a tag at the beginning of a file, nextTag one that follows blanks.
var (
	firstTag = pattern.Lazy(`^<([\pL_][^\s<>/="']*)(?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*>`)
	nextTag  = pattern.Lazy(`^\s*<[\pL_!]`)
	declares = pattern.Lazy(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)
)

// decode makes the content UTF-8: encoding is the one that the user names, else that of the prolog,
// else found out.
func decode(in *input.File, encoding string) error {
	head, err := in.Peek(1024)
	if err != nil {
		return err
	}
	if encoding == "" && !charset.IsWide(head) {
		if m := declares().FindSubmatch(bytes.TrimPrefix(head, []byte(input.ByteOrderMark))); m != nil && !strings.HasPrefix(strings.ToLower(string(m[1])), "utf") {
			if encoding = string(m[1]); strings.EqualFold(encoding, "ucs-2") {
				encoding = ""
			}
			if _, err := charset.New(encoding); encoding != "" && err != nil {
				return in.Fail("line 1", "declares the encoding %s, which is unknown; name one with ‹encoding›", clip(encoding))
			}
		} else if m != nil {
			return nil // bytes that are not UTF-8 are counted as damaged
		}
	}
	return charset.Stream(in, encoding)
}

// Open finds the records of a file at the place where it stands. fields are those that a record
// must have, nil for any, and encoding names the encoding of the file, "" for its own. choice is
// that of an earlier file of the corpus, nil for none. A record takes most bytes.
func Open(in *input.File, choice *Choice, fields []string, encoding string, most int64) (*Reader, error) {
	if err := decode(in, encoding); err != nil {
		return nil, err
	}
	head := make([]byte, min(looked, max(1<<16, in.Mem.Limit/32)))
	n, err := io.ReadFull(in.Stream, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, in.Wrap("", err)
	}
	failed := err
	head = bytes.TrimPrefix(head[:n], []byte(input.ByteOrderMark))
	if choice == nil {
		if choice, err = choose(in, head, failed != nil, fields); err != nil {
			return nil, err
		}
	}
	rest := io.Reader(bytes.NewReader(head))
	if failed == nil {
		rest = io.MultiReader(rest, in.Stream)
	}
	r := &Reader{in: in, choice: choice, most: most, joined: fields, lists: make(map[string]bool), texts: make(map[string]bool), others: make(map[string]int)}
	r.lex = lexer{r: bufio.NewReaderSize(rest, 64<<10), line: 1, most: most}
	r.forget()
	return r, nil
}

// Choice says which elements are read.
func (r *Reader) Choice() *Choice { return r.choice }

// mostOthers is how many names of elements beside the records are told apart.
const mostOthers = 100

// mostPaths is how many fields are told apart.
const mostPaths = 20000

// forget begins a new list of paths.
func (r *Reader) forget() { r.top, r.paths, r.stamp = &path{}, 0, 0 }

// below is the path of an element or attribute inside another one.
func (r *Reader) below(p *path, name string) (*path, error) {
	if c := p.children[name]; c != nil {
		return c, nil
	}
	if r.paths++; r.paths > mostPaths {
		return nil, r.lex.fail(r.lex.line, "the record has more than %d fields; name elements inside it as documents, or write it as JSON lines", mostPaths)
	}
	c := &path{name: name, depth: p.depth + 1}
	if p.name != "" {
		c.name = p.name + "." + name
	}
	c.list, c.text = r.lists[c.name], r.texts[c.name]
	if p.children == nil {
		p.children = make(map[string]*path)
	}
	p.children[name] = c
	return c, nil
}

// Read returns the next record; io.EOF at the end of the file.
func (r *Reader) Read() (*Record, error) {
	for {
		t, err := r.lex.next()
		if err == io.EOF && len(r.open) == 0 {
			r.end()
			return nil, io.EOF
		}
		if err != nil {
			return nil, r.wrap(err)
		}
		var done *Record
		switch t.kind {
		case chars:
			err = r.text(t.text)
		case opens:
			done, err = r.opening(t)
		case closes:
			done, err = r.closing(t.name)
		}
		if err != nil {
			return nil, r.wrap(err)
		}
		if done != nil {
			return done, nil
		}
	}
}

// wrap makes an error one about the file.
func (r *Reader) wrap(err error) error {
	var f *fault
	switch {
	case errors.As(err, &f):
		return r.in.Fail(fmt.Sprintf("line %d", f.line), "%s", f.why)
	case err == errLong:
		line := r.lex.line
		if r.inside > 0 {
			line = r.open[r.inside-1].line
		}
		return input.Failf(r.in.Name, fmt.Sprintf("line %d", line), "a record or a piece of it is longer than %s, an eighth of the memory that may be taken here; divide it, or allow more memory", message.Bytes(r.most))
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		if n := len(r.open); n > 0 {
			f := r.open[n-1]
			return r.in.Fail(fmt.Sprintf("line %d", r.lex.line), "the file ends inside of the element <%s>, which begins in line %d: it was cut off; copy or download it again", clip(f.name), f.line)
		}
		return r.in.Fail(fmt.Sprintf("line %d", r.lex.line), "the file ends inside of a tag: it was cut off; copy or download it again")
	}
	return err
}

// grow counts bytes that are kept of the record.
func (r *Reader) grow(n int) error {
	if r.size += int64(n); r.size > r.most {
		return errLong
	}
	return nil
}

// text takes characters.
func (r *Reader) text(raw []byte) error {
	if r.inside == 0 {
		if bytes.ContainsFunc(raw, unicode.IsLetter) && r.around == len(r.open) && r.around == len(r.choice.Parents) {
			r.beside++
		}
		return nil
	}
	f := &r.open[len(r.open)-1]
	if len(bytes.TrimSpace(raw)) > 0 {
		f.text = true
	}
	r.buf = append(r.buf, raw...)
	n := len(raw)
	if len(r.open) == r.inside {
		r.own, n = append(r.own, raw...), 2*n
	}
	return r.grow(n)
}

// divide ends a line of the text where an element begins or ends that does not stand inside words.
func (r *Reader) divide(name string) {
	if n := len(r.buf); n > 0 && !isBlank(r.buf[n-1]) && !inline[strings.ToLower(name)] {
		r.buf = append(r.buf, '\n')
	}
}

// opening takes a tag that opens an element. It returns a record that is empty.
func (r *Reader) opening(t *token) (*Record, error) {
	if len(r.open) >= deepestElement {
		return nil, r.lex.fail(r.lex.line, "more than %d elements are inside one another; give a file of records", deepestElement)
	}
	f := frame{name: t.name, line: r.lex.line}
	var err error
	if r.inside > 0 {
		parent := &r.open[len(r.open)-1]
		parent.child = true
		r.divide(t.name)
		switch {
		case parent.path != nil && parent.path.depth < deepestField:
			name := strings.ToLower(t.name)
			if !markup[name] || len(r.open) == r.inside && strings.Contains("abcisu", name) {
				parent.data = true // in a record itself, letters are names of fields
			}
			if f.path, err = r.below(parent.path, t.name); err != nil {
				return nil, err
			}
		}
		if len(r.open) == r.inside && len(r.own) > 0 {
			r.own = append(r.own, ' ')
		}
	} else if len(r.open) == len(r.choice.Parents) && r.around == len(r.open) {
		if slices.Contains(r.choice.Names, t.name) {
			r.begin()
			f.path = r.top
		} else if t.name != "" && len(r.open) > 0 {
			if _, met := r.others[t.name]; met || len(r.others) < mostOthers {
				r.others[t.name]++
			}
		}
	} else if r.around == len(r.open) && r.around < len(r.choice.Parents) && r.choice.Parents[r.around] == t.name && !t.empty {
		r.around++
	}
	if f.path != nil {
		if err := r.attributes(f.path, t.attrs); err != nil {
			return nil, err
		}
	}
	f.start, f.mark = len(r.buf), len(r.values)
	r.open = append(r.open, f)
	if t.empty {
		return r.closing(t.name)
	}
	return nil, nil
}

// begin begins a record.
func (r *Reader) begin() {
	r.inside = len(r.open) + 1
	r.buf, r.own, r.values, r.size = r.buf[:0], r.own[:0], r.values[:0], 0
	if r.paths > mostPaths/2 {
		r.forget()
	}
}

// attributes takes the attributes of an element as fields.
func (r *Reader) attributes(p *path, list []attr) error {
	for _, a := range list {
		if strings.HasPrefix(a.name, "xmlns") || strings.HasSuffix(a.name, "chemaLocation") || a.name == "space" && a.value == "preserve" {
			continue
		}
		at, err := r.below(p, a.name)
		if err == nil {
			err = r.add(at, a.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a value of a field.
func (r *Reader) add(p *path, text string) error {
	r.values = append(r.values, value{p, text})
	return r.grow(len(text) + 40)
}

// closing takes a tag that closes an element. It returns the record that ends.
func (r *Reader) closing(name string) (*Record, error) {
	n := len(r.open)
	if n == 0 {
		return nil, r.lex.fail(r.lex.line, "</%s> closes an element that is not open; correct it", clip(name))
	}
	f := r.open[n-1]
	if f.name != name {
		return nil, r.lex.fail(r.lex.line, "</%s> stands where <%s>, which begins in line %d, is to be closed; correct it, or write < as &lt; where it is a character", clip(name), clip(f.name), f.line)
	}
	r.open = r.open[:n-1]
	if r.inside == 0 {
		r.around = min(r.around, n-1)
		return nil, nil
	}
	text := func() string { return strings.TrimSpace(string(r.buf[f.start:])) } // costs its length
	collapsed := f.child && (f.text || !f.data)
	switch {
	case r.inside == n:
		return r.record(&f, text(), f.child && !f.data)
	case f.path == nil:
	case collapsed:
		r.values = r.values[:f.mark]
		if err := r.add(f.path, text()); err != nil {
			return nil, err
		}
	case !f.child:
		if err := r.add(f.path, text()); err != nil {
			return nil, err
		}
	}
	r.divide(name)
	return nil, nil
}

// record makes the record that ends. all is the text in it, and text says that there are no fields.
func (r *Reader) record(f *frame, all string, text bool) (*Record, error) {
	switch own := strings.TrimSpace(string(r.own)); {
	case text, !f.child && own != "":
		r.values = r.values[:f.mark]
		own = all
		fallthrough
	case own != "":
		p, err := r.below(r.top, ownText)
		if err != nil {
			return nil, err
		}
		r.values = append(r.values, value{p, own})
	}
	r.inside = 0
	r.stamp++
	rec := &Record{Line: f.line}
	for _, v := range r.values {
		if p := v.path; p.stamp == r.stamp {
			rec.fields[p.at].values = append(rec.fields[p.at].values, v.text)
		} else {
			p.stamp, p.at = r.stamp, len(rec.fields)
			rec.fields = append(rec.fields, field{p, []string{v.text}})
		}
	}
	return rec, nil
}

// end says what was read.
func (r *Reader) end() {
	var list []string
	for name, n := range r.others {
		if n > 1 { // others describe the file
			list = append(list, fmt.Sprintf("<%s> (%d)", clip(name), n))
		}
	}
	if slices.Sort(list); len(list) > 0 {
		r.in.Notef("Elements beside these are left out: %s.", message.List(list, 6))
	}
	if r.beside > 0 {
		r.in.Notef("Text beside these elements is left out (%s); ‹text-column› chooses other ones, and a folder of texts reads a file as one text.", message.Plural(r.beside, "piece", "pieces"))
	}
	if r.lex.unknown > 0 {
		r.in.Notef("%s that the file does not declare, and as written (first: %s).", message.Plural(r.lex.unknown, "entity is one", "entities are ones"), clip(r.lex.firstUnknown))
	}
}
