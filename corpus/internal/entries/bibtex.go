package entries

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"golang.org/x/text/unicode/norm"
)

// bibStart matches the first line of BibTeX that is no comment.
var bibStart = pattern.Lazy(`(?i)^@[a-z]+\s*[{(]`)

// beginsBibTeX recognises BibTeX by its first line that is neither empty nor a comment.
func beginsBibTeX(head []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(head), input.ByteOrderMark)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '%' {
			return bibStart().MatchString(line)
		}
	}
	return false
}

// bibFields are the fields of each column, with blanks between: the first that an entry has counts.
var bibFields = map[string]string{"title": "title", "abstract": "abstract", "keywords": "keywords keyword author_keywords", "authors": "author editor", "year": "year date", "journal": "journal journaltitle booktitle publisher"}

// bibTeX reads entries such as @article{key, title = {Words}, year = 2020}. What stands between
// entries is a comment.
type bibTeX struct {
	in    *input.File
	limit int // most bytes of an entry
	size  int // bytes of this one
	line  int
	first int               // line of this entry
	names map[string]string // of @string
}

// read returns the next byte; 0 at the end.
func (b *bibTeX) read() (byte, error) {
	c, err := b.in.Stream.ReadByte()
	if c == '\n' {
		b.line++
	}
	if b.size++; b.size > b.limit && err == nil {
		return 0, input.ErrTooLong
	}
	return c, err
}

// next returns the next entry as a row of [referenceColumns].
func (b *bibTeX) next() ([]string, error) {
	for {
		b.size = 0
		if err := b.skipTo('@'); err != nil {
			return nil, err
		}
		b.size, b.first = 0, b.line
		kind, end, err := b.word("{(@")
		for err == nil && end == '@' {
			kind, end, err = b.word("{(@")
		}
		if err != nil {
			return nil, err
		}
		kind = strings.ToLower(strings.TrimSpace(kind))
		switch {
		case kind == "" || strings.ContainsFunc(kind, func(r rune) bool { return !unicode.IsLetter(r) }), kind == "comment":
			continue // an @ in what stands between entries
		case kind == "preamble":
			_, err = b.group(closing(end))
		case kind == "string":
			err = b.define(closing(end))
		default:
			row, err := b.entry(kind, closing(end))
			if err == io.EOF || err == input.ErrTooLong {
				return nil, b.in.Fail(fmt.Sprintf("line %d", b.first), "the entry of BibTeX that begins here does not end, or is longer than %s; check its braces", message.Bytes(int64(b.limit)))
			}
			return row, err
		}
		if err != nil {
			return nil, err
		}
	}
}

// closing is the bracket that closes another one.
func closing(open byte) byte {
	if open == '(' {
		return ')'
	}
	return '}'
}

// skipTo reads up to a byte.
func (b *bibTeX) skipTo(until byte) error {
	for {
		b.size = 0
		if c, err := b.read(); err != nil || c == until {
			return err
		}
	}
}

// word reads up to one of some bytes, which it returns.
func (b *bibTeX) word(until string) (word string, end byte, err error) {
	var out strings.Builder
	for {
		c, err := b.read()
		if err != nil {
			return "", 0, err
		}
		if strings.IndexByte(until, c) >= 0 {
			return out.String(), c, nil
		}
		out.WriteByte(c)
	}
}

// group reads up to the byte that closes it, over braces within.
func (b *bibTeX) group(until byte) (string, error) {
	var out strings.Builder
	for depth := 0; ; {
		c, err := b.read()
		switch {
		case err != nil:
			return "", err
		case c == '\\':
			out.WriteByte(c)
			if c, err = b.read(); err != nil {
				return "", err
			}
		case c == until && depth == 0:
			return out.String(), nil
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		out.WriteByte(c)
	}
}

// define reads a name of @string.
func (b *bibTeX) define(last byte) error {
	name, _, err := b.word("=")
	if err != nil {
		return err
	}
	value, _, err := b.value(last)
	if b.names == nil {
		b.names = make(map[string]string)
	}
	b.names[strings.ToLower(strings.TrimSpace(name))] = value
	return err
}

// entry reads the key and the fields of an entry.
func (b *bibTeX) entry(kind string, last byte) ([]string, error) {
	key, end, err := b.word(string([]byte{',', last}))
	if err != nil {
		return nil, err
	}
	fields := make(map[string]string)
	for end != last {
		var name string
		if name, end, err = b.word(string([]byte{'=', last})); err != nil {
			return nil, err
		}
		if end == last {
			break
		}
		var value string
		if value, end, err = b.value(last); err != nil {
			return nil, err
		}
		if name = strings.ToLower(strings.Trim(name, ", \t\r\n")); fields[name] == "" {
			fields[name] = plainTeX(value)
		}
	}
	return referenceRow(func(column string) string {
		switch column {
		case "document":
			return strings.TrimSpace(key)
		case "type":
			return kind
		}
		for name := range strings.FieldsSeq(bibFields[column]) {
			if fields[name] != "" {
				return fields[name]
			}
		}
		return ""
	}), nil
}

// value reads the value of a field, up to the comma or the bracket that ends it: groups in braces
// or quotes, numbers and names of @string, with # between.
func (b *bibTeX) value(last byte) (value string, end byte, err error) {
	var out, name strings.Builder
	named := func() {
		word := strings.TrimSpace(name.String())
		if meant, ok := b.names[strings.ToLower(word)]; ok {
			word = meant
		}
		out.WriteString(word)
		name.Reset()
	}
	for {
		c, err := b.read()
		if err != nil {
			return "", 0, err
		}
		switch c {
		case '{', '"':
			until := byte('"')
			if c == '{' {
				until = '}'
			}
			part, err := b.group(until)
			if err != nil {
				return "", 0, err
			}
			out.WriteString(part)
		case ',', last:
			named()
			return out.String(), c, nil
		case '#':
			named()
		default:
			name.WriteByte(c)
		}
	}
}

// accents are the combining characters of the commands of TeX for accents.
var accents = map[byte]rune{'`': '\u0300', '\'': '\u0301', '^': '\u0302', '~': '\u0303', '=': '\u0304', 'u': '\u0306', '.': '\u0307', '"': '\u0308', 'r': '\u030a', 'H': '\u030b', 'v': '\u030c', 'c': '\u0327', 'k': '\u0328'}

// letters are commands of TeX for letters and signs.
var letters = map[string]string{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "i", "j": "j", "textendash": "–", "textemdash": "—"}

// accent matches an accent of TeX and its letter, command the name of a command.
var (
	accent  = pattern.Lazy("\\\\([`'^~=.\"])\\s*\\{?\\\\?(\\pL)\\}?|\\\\([uvHrck])(?:\\s+|\\s*\\{)\\\\?(\\pL)\\}?")
	command = pattern.Lazy(`\\([A-Za-z]+)\s*|\\(.)`)
	blanks  = pattern.Lazy(`\s+`)
)

// plainTeX is a value without braces and commands of TeX.
func plainTeX(s string) string {
	if strings.ContainsRune(s, '\\') {
		s = accent().ReplaceAllStringFunc(s, func(found string) string {
			p := accent().FindStringSubmatch(found)
			return norm.NFC.String(p[2] + p[4] + string(accents[(p[1] + p[3])[0]]))
		})
		s = command().ReplaceAllStringFunc(s, func(found string) string {
			p := command().FindStringSubmatch(found)
			if p[1] == "" {
				return p[2]
			}
			if letter, ok := letters[p[1]]; ok {
				return letter
			}
			return " "
		})
	}
	s = strings.NewReplacer("{", "", "}", "", "~", " ", "``", `"`, "''", `"`, "$", "").Replace(s)
	return strings.TrimSpace(blanks().ReplaceAllString(s, " "))
}
