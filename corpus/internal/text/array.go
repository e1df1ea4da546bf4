package text

import (
	"bufio"
	"bytes"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// readJSONArray reads texts from the objects of one JSON array, as [readJSONL] reads them from
// lines, or from its strings, each of which is a text. Errors name the line in which an object
// begins.
func readJSONArray(in *source) (*counting.Collection, error) {
	if wide := input.WideJSON(peeked(in.Stream, 4)); wide != "" {
		return nil, in.Fail("", "%s", input.WideRefusal(wide))
	}
	a := &jsonArray{in: in, r: in.Stream, line: 1, limit: in.Mem.Limit / lineShare}
	if err := a.begin(); err != nil {
		return nil, err
	}
	if err := a.sample(); err != nil {
		return nil, err
	}
	in.divides = true
	_, c, err := in.countTexts(a.batches, nil)
	return c, err
}

// peeked is up to n of the next bytes of a stream.
func peeked(r *bufio.Reader, n int) []byte {
	head, _ := r.Peek(n) // an error comes again where it is read
	return head
}

// jsonArray cuts an array into its elements.
type jsonArray struct {
	in    *source
	r     *bufio.Reader
	limit int64
	line  int // of the next byte, from 1
	first []element
	ended bool
}

// element is an element of an array and the line in which it begins.
type element struct {
	raw  []byte
	line int
}

// begin skips the bracket that opens the array.
func (a *jsonArray) begin() error {
	if string(peeked(a.r, len(input.ByteOrderMark))) == input.ByteOrderMark {
		if _, err := a.r.Discard(3); err != nil {
			return err
		}
	}
	c, err := a.skipBlank()
	if err == io.EOF || err == nil && c != '[' {
		return a.in.Fail(a.place(), "is not the beginning of a JSON array, which is [; give an array of objects, or JSON lines")
	}
	return err
}

func (a *jsonArray) place() string { return (&counting.Origin{Unit: "line"}).At(a.line) }

// skipBlank returns the next byte that is no white space.
func (a *jsonArray) skipBlank() (byte, error) {
	for {
		c, err := a.r.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case '\n':
			a.line++
		case ' ', '\t', '\r':
		default:
			return c, nil
		}
	}
}

// sample keeps the first elements and settles the fields by them.
func (a *jsonArray) sample() error {
	held := 0
	var objects [][]byte
	for len(a.first) < sampledObjects && held < counting.BatchBytes {
		e, err := a.read()
		if err == io.EOF {
			a.ended = true
			break
		}
		if err != nil {
			return err
		}
		a.first = append(a.first, e)
		objects = append(objects, e.raw)
		held += len(e.raw)
	}
	var err error
	a.in.fields, err = a.in.settleFields(objects)
	return err
}

// batches emits all elements.
func (a *jsonArray) batches(emit func(counting.Batch) bool) error {
	from := &counting.Origin{File: a.in.Name, Unit: "line", Start: 1}
	b := &jsonBatch{from: from, fields: a.in.fields}
	for {
		e, err := a.next()
		if err != nil {
			emit(b)
			if err == io.EOF {
				return nil
			}
			return err
		}
		b.data = append(b.data, e.raw...)
		b.ends, b.lines = append(b.ends, len(b.data)), append(b.lines, e.line)
		if len(b.data) >= counting.BatchBytes {
			if !emit(b) {
				return nil
			}
			b = &jsonBatch{from: from, fields: a.in.fields}
		}
	}
}

func (a *jsonArray) next() (element, error) {
	if len(a.first) > 0 {
		e := a.first[0]
		a.first = a.first[1:]
		return e, nil
	}
	if a.ended {
		return element{}, io.EOF
	}
	return a.read()
}

// read cuts the next element off; io.EOF after the bracket that closes the array.
func (a *jsonArray) read() (element, error) {
	c, err := a.skipBlank()
	if err == nil && c == ',' {
		c, err = a.skipBlank()
	}
	switch {
	case err == io.EOF:
		return element{}, io.ErrUnexpectedEOF
	case err != nil:
		return element{}, err
	case c == ']':
		return element{}, a.end()
	case c == '"':
		e := element{raw: []byte(`{"text":"`), line: a.line}
		if err := a.rest(&e, 0, true); err != nil {
			return element{}, err
		}
		e.raw = append(e.raw, '}')
		return e, nil
	case c != '{' && (c != '[' || !a.in.opt.Vectors):
		return element{}, a.in.Fail(a.place(), `the array holds something else than objects {"id": ..., "text": "...", "label": ...} or texts; write it so`)
	}
	e := element{raw: []byte{c}, line: a.line}
	return e, a.rest(&e, 1, false)
}

// rest reads the rest of an element, inside depth brackets and quotes or not.
func (a *jsonArray) rest(e *element, depth int, quoted bool) error {
	escaped := false
	for depth > 0 || quoted {
		c, err := a.r.ReadByte()
		if err != nil {
			return input.Early(err)
		}
		if int64(len(e.raw)) >= a.limit {
			return tooLong(a.in.Name, a.place(), "", a.limit)
		}
		e.raw = append(e.raw, c)
		switch {
		case c == '\n':
			a.line++
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// end refuses what follows the array; io.EOF if nothing does.
func (a *jsonArray) end() error {
	c, err := a.skipBlank()
	if err != nil {
		return err
	}
	if c == '[' {
		return a.in.Fail(a.place(), "the file goes on after its JSON array with another one; if each is a document, make objects of them, for instance with jq -c '{id: .[0], text: .[1]}' FILE > documents.jsonl, where .[0] is the first element; if each holds documents, with jq -c '.[]'")
	}
	return a.in.Fail(a.place(), "the file goes on after its JSON array; give a file that holds the array alone")
}

// IsJSONArray reports whether a text begins as an array of objects, or an empty one.
func IsJSONArray(head []byte) bool {
	c := firstOfArray(head)
	return c == '{' || c == ']'
}

// IsJSONTexts reports whether a text begins as an array of strings.
func IsJSONTexts(head []byte) bool { return firstOfArray(head) == '"' }

// firstOfArray is the first character after the bracket that opens an array; 0 for another text.
func firstOfArray(head []byte) byte {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	if len(head) == 0 || head[0] != '[' {
		return 0
	}
	if head = bytes.TrimLeft(head[1:], " \t\r\n"); len(head) == 0 {
		return 0
	}
	return head[0]
}
