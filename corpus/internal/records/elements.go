package records

import (
	"bufio"
	"bytes"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Elements reads the tags and the text of a file of XML one after the other, for formats that are
// no lists of records. It has the rules of [Reader] for encodings, entities and faults.
type Elements struct {
	r    *Reader
	elem Element
	end  bool // the element that was returned last is closed by its own tag
}

// Element is the beginning or the end of an element, or a piece of text.
type Element struct {
	Name   string // without its namespace
	Line   int64  // from 1
	Closes bool   // it is the end of the element
	Text   []byte // of a piece of text, valid until the next one; nil of a tag
	attrs  []attr
}

// Attribute is the value of an attribute; "" if the element has none of this name.
func (e *Element) Attribute(name string) string {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// OpenElements begins at the place where the file stands. A piece takes most bytes.
func OpenElements(in *input.File, encoding string, most int64) (*Elements, error) {
	if err := decode(in, encoding); err != nil {
		return nil, err
	}
	r := &Reader{in: in, most: most, choice: new(Choice)}
	r.lex = lexer{r: bufio.NewReaderSize(in.Stream, 64<<10), line: 1, most: most}
	if head, _ := r.lex.r.Peek(len(input.ByteOrderMark)); bytes.Equal(head, []byte(input.ByteOrderMark)) { // an error comes again
		_, _ = r.lex.r.Discard(len(head))
	}
	return &Elements{r: r}, nil
}

// Next returns the next piece, which is valid until the following call; io.EOF at the end of the
// file.
func (e *Elements) Next() (*Element, error) {
	r := e.r
	if e.end {
		e.end = false
		e.elem = Element{Name: e.elem.Name, Line: e.elem.Line, Closes: true}
		_, err := r.closing(e.elem.Name)
		return &e.elem, r.wrap(err)
	}
	t, err := r.lex.next()
	if err == io.EOF && len(r.open) == 0 {
		r.end()
		return nil, io.EOF
	}
	if err != nil {
		return nil, r.wrap(err)
	}
	e.elem = Element{Name: t.name, Line: int64(r.lex.line), Closes: t.kind == closes, attrs: t.attrs}
	switch t.kind {
	case chars:
		if e.elem.Text = t.text; t.text == nil {
			e.elem.Text = []byte{}
		}
	case closes:
		_, err = r.closing(t.name)
	case opens:
		if len(r.open) >= deepestElement {
			err = r.lex.fail(r.lex.line, "more than %d elements are inside one another; correct it", deepestElement)
		}
		r.open = append(r.open, frame{name: t.name, line: r.lex.line})
		e.end = t.empty
	}
	if err != nil {
		return nil, r.wrap(err)
	}
	return &e.elem, nil
}
