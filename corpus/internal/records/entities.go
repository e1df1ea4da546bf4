package records

import (
	"bytes"
	"html"
	"strings"
)

// longestEntity is the most bytes of what an entity of the document type stands for, so that
// entities of entities do not grow without bounds.
const longestEntity = 4 << 10

// mostEntities is how many entities a document type may declare.
const mostEntities = 10000

// decoded replaces the entities of a text. Those that the file declares come first, then those of
// HTML, which has those of XML; others stay as they are written.
func (l *lexer) decoded(raw []byte) ([]byte, error) {
	at := bytes.IndexByte(raw, '&')
	if at < 0 {
		return raw, nil
	}
	out := make([]byte, 0, len(raw))
	for at >= 0 {
		out = append(out, raw[:at]...)
		raw = raw[at:]
		end := entityEnd(raw)
		if end == 0 {
			out, raw = append(out, '&'), raw[1:]
		} else {
			out, raw = append(out, l.entity(string(raw[:end]))...), raw[end:]
		}
		if int64(len(out)) > l.most {
			return nil, errLong
		}
		at = bytes.IndexByte(raw, '&')
	}
	return append(out, raw...), nil
}

// entityEnd is the length of the reference that a text begins with; 0 for none.
func entityEnd(raw []byte) int {
	const longest = 64
	for i := 1; i < min(len(raw), longest); i++ {
		switch c := raw[i]; {
		case c == ';' && i > 1:
			return i + 1
		case isNameStart(c), c >= '0' && c <= '9', c == '#' && i == 1, i > 1 && (c == '.' || c == '-'):
		default:
			return 0
		}
	}
	return 0
}

// entity is what a reference such as &amp; stands for.
func (l *lexer) entity(reference string) string {
	if value, ok := l.entities[reference[1:len(reference)-1]]; ok {
		return value
	}
	value := html.UnescapeString(reference)
	if strings.HasPrefix(value, "&") && strings.HasSuffix(value, ";") && len(value) > 1 {
		if l.unknown++; l.unknown == 1 {
			l.firstUnknown = reference
		}
		return reference
	}
	return value
}

// docType reads a document type and the entities that it declares inside the file. Nothing outside
// of the file is read.
func (l *lexer) docType() error {
	depth := 0 // brackets
	for {
		c, err := l.byte()
		switch {
		case err != nil:
			return err
		case c == '"' || c == '\'':
			if err := l.skip(string(c)); err != nil {
				return err
			}
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '>' && depth <= 0:
			return nil
		case c == '<' && depth > 0:
			if err := l.declared(); err != nil {
				return err
			}
		}
	}
}

// declared reads one declaration of a document type, behind its <.
func (l *lexer) declared() error {
	head, _ := l.r.Peek(8) // an error comes again
	switch {
	case bytes.HasPrefix(head, []byte("!--")):
		_, _ = l.r.Discard(3)
		return l.skip("-->")
	case bytes.HasPrefix(head, []byte("?")):
		return l.skip("?>")
	}
	line := l.line
	l.buf = l.buf[:0]
	var quote byte
	for {
		c, err := l.byte()
		switch {
		case err != nil:
			return err
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '>':
			return l.declare(line, string(l.buf))
		}
		if l.buf = append(l.buf, c); len(l.buf) > 1<<20 {
			return l.fail(line, "a declaration of the document type is longer than a megabyte; take it out")
		}
	}
}

// declare keeps an entity that a declaration !ENTITY name "value" gives. An external one, and one
// of parameters, is passed over.
func (l *lexer) declare(line int, text string) error {
	rest, ok := strings.CutPrefix(text, "!ENTITY")
	if !ok {
		return nil
	}
	name, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	rest = strings.TrimSpace(rest)
	if name == "%" || len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' || rest[len(rest)-1] != rest[0] {
		return nil
	}
	value, err := l.decoded([]byte(rest[1 : len(rest)-1]))
	if err != nil {
		return err
	}
	if len(value) > longestEntity {
		return l.fail(line, "the entity %s stands for more than %d bytes; take it out of the document type", clip(name), longestEntity)
	}
	if l.entities == nil {
		l.entities = make(map[string]string)
	}
	if _, known := l.entities[name]; known {
		return nil // the first one counts
	}
	if len(l.entities) >= mostEntities {
		return l.fail(line, "the document type declares more than %d entities; take them out", mostEntities)
	}
	l.entities[strings.Clone(name)] = string(value)
	return nil
}
