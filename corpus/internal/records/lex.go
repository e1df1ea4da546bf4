// Package records reads the records of a file of XML, one at a time and never the file as a tree:
// the repeated elements that hold its documents become JSON objects, whose fields are the
// attributes and elements inside them.
package records

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// deepestElement is the most elements that are open at a time.
const deepestElement = 1000

// errLong says that a piece of the file is longer than it may be.
var errLong = errors.New("is longer than may be read")

// kind is what a token is.
type kind int

const (
	opens kind = iota
	closes
	chars
)

// token is a tag or a piece of text. Its bytes are valid until the next one.
type token struct {
	kind  kind
	name  string // of a tag, without its namespace
	attrs []attr
	empty bool // the tag closes its element too
	text  []byte
}

// attr is an attribute, its name without its namespace.
type attr struct{ name, value string }

// lexer cuts XML into tokens. It takes what is no XML for what was meant, as HTML does: a < before
// a blank and an & without a name are characters.
type lexer struct {
	r     *bufio.Reader
	line  int   // of the next byte, from 1
	most  int64 // bytes of a token
	names map[string]string
	// entities are those that the file declares; unknown counts others, which stay as written, and
	// firstUnknown is the line of the first.
	entities     map[string]string
	unknown      int
	firstUnknown string

	tok token
	buf []byte
}

// fault is an error of the file at a line.
type fault struct {
	line int
	why  string
}

func (f *fault) Error() string { return fmt.Sprintf("line %d: %s", f.line, f.why) }

func (l *lexer) fail(line int, format string, args ...any) error {
	return &fault{line, fmt.Sprintf(format, args...)}
}

// byte reads a byte and counts lines.
func (l *lexer) byte() (byte, error) {
	c, err := l.r.ReadByte()
	if c == '\n' && err == nil {
		l.line++
	}
	return c, err
}

// peek is the next byte; 0 at the end.
func (l *lexer) peek() byte {
	p, _ := l.r.Peek(1) // an error comes again
	if len(p) == 0 {
		return 0
	}
	return p[0]
}

// next returns the next token; io.EOF at the end, io.ErrUnexpectedEOF inside a tag.
func (l *lexer) next() (*token, error) {
	for {
		if l.peek() != '<' {
			return l.text()
		}
		line := l.line
		head, _ := l.r.Peek(2) // an error comes again
		if len(head) < 2 {
			return l.text()
		}
		var err error
		switch c := head[1]; {
		case c == '?':
			err = l.skip("?>")
		case c == '!':
			var data bool
			if data, err = l.declaration(); data && err == nil {
				return &l.tok, nil
			}
		case c == '/':
			_, _ = l.r.Discard(2)
			return l.closing(line)
		case isNameStart(c):
			_, _ = l.r.Discard(1)
			return l.opening(line)
		default:
			return l.text()
		}
		if err != nil {
			return nil, inside(err)
		}
	}
}

// inside makes an end of the file one that comes too early.
func inside(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// text reads characters up to the next tag.
func (l *lexer) text() (*token, error) {
	l.tok = token{kind: chars}
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('<')
		if n := len(part); n > 0 && part[n-1] == '<' {
			if n > 1 || len(l.buf) > 0 {
				part = part[:n-1]
				_ = l.r.UnreadByte()
			}
			l.line += bytes.Count(part, []byte("\n"))
			l.buf = append(l.buf, part...)
			break
		}
		l.line += bytes.Count(part, []byte("\n"))
		l.buf = append(l.buf, part...)
		if int64(len(l.buf)) > l.most {
			return nil, errLong
		}
		if err == io.EOF && len(l.buf) > 0 {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err
		}
	}
	var err error
	l.tok.text, err = l.decoded(l.buf)
	return &l.tok, err
}

// skip reads on behind the next place where the file has some bytes.
func (l *lexer) skip(until string) error {
	matched := 0
	for matched < len(until) {
		c, err := l.byte()
		switch {
		case err != nil:
			return err
		case c == until[matched]:
			matched++
		case c == until[0]:
			matched = max(1, repeats(until[:matched], c))
		default:
			matched = 0
		}
	}
	return nil
}

// repeats is how much of the end of begun and c begins begun again, of the ends --> and ]]>: as in
// --->.
func repeats(begun string, c byte) int {
	if strings.Trim(begun, string(c)) == "" {
		return len(begun)
	}
	return 1
}

// declaration reads a comment, CDATA or a document type; data says that the token is a text.
func (l *lexer) declaration() (data bool, err error) {
	head, _ := l.r.Peek(9) // an error comes again
	switch {
	case bytes.HasPrefix(head, []byte("<!--")):
		_, _ = l.r.Discard(4)
		return false, l.skip("-->")
	case bytes.HasPrefix(head, []byte("<![CDATA[")):
		_, _ = l.r.Discard(9)
		l.tok = token{kind: chars}
		l.buf = l.buf[:0]
		for {
			c, err := l.byte()
			if err != nil {
				return true, err
			}
			if l.buf = append(l.buf, c); int64(len(l.buf)) > l.most {
				return true, errLong
			}
			if c == '>' && bytes.HasSuffix(l.buf, []byte("]]>")) {
				l.tok.text = l.buf[:len(l.buf)-3]
				return true, nil
			}
		}
	case bytes.HasPrefix(head, []byte("<!DOCTYPE")), bytes.HasPrefix(head, []byte("<!doctype")):
		_, _ = l.r.Discard(9)
		return false, l.docType()
	}
	return false, l.skip(">")
}

// isNameStart reports whether a name may begin with a byte.
func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
}

// isBlank reports whether a byte is white space.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// longestName is the most bytes of a name.
const longestName = 1000

// name reads a name up to the byte that ends it, which is returned too, and drops its prefix.
func (l *lexer) name() (name string, end byte, err error) {
	l.buf = l.buf[:0]
	for {
		c, err := l.byte()
		if err != nil {
			return "", 0, inside(err)
		}
		if isBlank(c) || strings.IndexByte(`/>=<"'`, c) >= 0 {
			return l.known(l.buf), c, nil
		}
		if l.buf = append(l.buf, c); len(l.buf) > longestName {
			return "", 0, l.fail(l.line, "a name is longer than %d bytes; check where the tag ends", longestName)
		}
	}
}

// mostNames is how many names are kept to be used again.
const mostNames = 10000

// known is a name without its prefix, one string for all places. Declarations of namespaces keep
// theirs.
func (l *lexer) known(raw []byte) string {
	if name, ok := l.names[string(raw)]; ok {
		return name
	}
	name := strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return utf8.RuneError
		}
		return c
	}, string(raw))
	if at := strings.LastIndexByte(name, ':'); at > 0 && at < len(name)-1 && name[:at] != "xmlns" {
		name = name[at+1:]
	}
	if l.names == nil || len(l.names) > mostNames {
		l.names = make(map[string]string)
	}
	l.names[string(raw)] = name
	return name
}

// closing reads the rest of a tag that closes an element.
func (l *lexer) closing(line int) (*token, error) {
	name, end, err := l.name()
	for err == nil && isBlank(end) {
		end, err = l.byte()
	}
	if err != nil {
		return nil, inside(err)
	}
	if end != '>' {
		return nil, l.fail(line, "the tag </%s has no > at its end; correct it", clip(name))
	}
	l.tok = token{kind: closes, name: name}
	return &l.tok, nil
}

// opening reads the rest of a tag that opens an element.
func (l *lexer) opening(line int) (*token, error) {
	name, c, err := l.name()
	l.tok = token{kind: opens, name: name, attrs: l.tok.attrs[:0]}
	size := int64(0)
	for err == nil {
		for err == nil && isBlank(c) {
			c, err = l.byte()
		}
		switch {
		case err != nil:
		case c == '>':
			return &l.tok, nil
		case c == '/':
			if c, err = l.byte(); err == nil && c == '>' {
				l.tok.empty = true
				return &l.tok, nil
			}
		case c == '<', c == '"', c == '\'', c == '=':
			return nil, l.fail(line, "the tag <%s has %q where an attribute or > is needed; correct it, or write %q as an entity where it is a character", clip(name), c, c)
		default:
			if err = l.r.UnreadByte(); err != nil {
				return nil, err
			}
			var a attr
			if a, c, err = l.attribute(line); err == nil {
				l.tok.attrs = append(l.tok.attrs, a)
				if size += int64(len(a.name)+len(a.value)) + 32; size > l.most {
					return nil, errLong
				}
			}
		}
	}
	return nil, inside(err)
}

// attribute reads an attribute, and the byte behind it.
func (l *lexer) attribute(line int) (a attr, end byte, err error) {
	name, c, err := l.name()
	for err == nil && isBlank(c) {
		c, err = l.byte()
	}
	if err != nil || c != '=' {
		return attr{name: name}, c, err // without a value, as HTML has them
	}
	for c, err = l.byte(); err == nil && isBlank(c); c, err = l.byte() {
	}
	if err != nil {
		return a, 0, err
	}
	if c != '"' && c != '\'' {
		return a, 0, l.fail(line, "the value of the attribute %s is not in quotes; correct it", clip(name))
	}
	quote := c
	l.buf = l.buf[:0]
	for {
		if c, err = l.byte(); err != nil {
			return a, 0, err
		}
		if c == quote {
			break
		}
		if l.buf = append(l.buf, c); int64(len(l.buf)) > l.most {
			return a, 0, errLong
		}
	}
	value, err := l.decoded(l.buf)
	if err != nil {
		return a, 0, err
	}
	a = attr{name, string(value)}
	c, err = l.byte()
	return a, c, err
}
