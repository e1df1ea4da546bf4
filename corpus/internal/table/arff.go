package table

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// OpenARFF reads a table of Weka's (.arff), dense or sparse, in UTF-8: its attributes are the
// columns. Values of an attribute of more than two declared values, and of the last one if its
// values are declared, are words, also if they are written as numbers. The last one is the class,
// as Weka takes it, if no other has a usual name of one.
func OpenARFF(in *input.File, opt Options) (*Table, error) {
	a := &arff{in: in, lines: input.NewLines(in)}
	if err := a.head(); err != nil {
		return nil, err
	}
	words := make(map[int]bool)
	opt.Header, opt.Decimal, opt.Words = HeaderYes, DecimalPoint, words
	for j, c := range a.attrs {
		if n := len(c.values); n > 2 || n > 0 && j == len(a.attrs)-1 {
			words[j] = true
		}
	}
	t := &Table{in: in, from: &sheetRows{next: a.next, at: func() int { return a.line }}, unit: "line"}
	if err := t.look(0, opt); err != nil {
		return nil, err
	}
	usual := func(c attribute) bool {
		return slices.Contains(lexical.LabelNames, strings.ToLower(strings.TrimSpace(c.name)))
	}
	if last := a.attrs[len(a.attrs)-1]; last.values != nil && len(a.attrs) > 1 && !slices.ContainsFunc(a.attrs, usual) {
		t.Class = last.name
	}
	return t, nil
}

// IsARFF reports whether a text begins as a table of Weka's, behind comments.
func IsARFF(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			word, _, _ := bytes.Cut(bytes.ReplaceAll(line, []byte("\t"), []byte(" ")), []byte(" "))
			return strings.EqualFold(string(word), "@relation")
		}
		head = rest
	}
	return false
}

// arff is a file of Weka's that is being read.
type arff struct {
	in    *input.File
	lines *input.Lines
	line  int // of the last row
	attrs []attribute
	begun bool
	row   []string
}

// attribute is a column.
type attribute struct {
	name   string
	values []string // that are declared; nil: numbers, texts or dates
	zero   string   // the value that sparse rows leave out
}

// head reads the attributes, up to the line @data.
func (a *arff) head() error {
	for {
		raw, err := a.lines.Next()
		if err == io.EOF {
			return a.in.Fail("", "has no line @data; it was cut off, or is no file of Weka (ARFF)")
		}
		if err != nil {
			return err
		}
		line := strings.TrimSpace(strings.TrimPrefix(string(raw), input.ByteOrderMark))
		if line == "" || line[0] == '%' {
			continue
		}
		word, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		switch strings.ToLower(word) {
		case "@relation":
		case "@attribute":
			if err := a.attribute(strings.TrimSpace(rest)); err != nil {
				return err
			}
		case "@data":
			if len(a.attrs) == 0 {
				return a.in.Fail(a.lines.Place(), "no line @attribute stands before the data; write one for each column")
			}
			return nil
		default:
			return a.in.Fail(a.lines.Place(), "is %q, where @relation, @attribute or @data is needed", message.Clip(line, 40))
		}
	}
}

// attribute reads the name and the type of a column.
func (a *arff) attribute(rest string) error {
	name, rest, err := a.value(rest, " {")
	if err != nil {
		return err
	}
	if err := a.in.Mem.Take(int64(len(name)+len(rest))+64, 1); err != nil {
		return a.in.Wrap(a.lines.Place(), err)
	}
	name = lexical.Tidy(name)
	c := attribute{name: name, zero: "0"}
	rest = strings.TrimSpace(rest)
	kind, _, _ := strings.Cut(strings.ToLower(rest), " ")
	switch {
	case strings.HasPrefix(rest, "{"):
		end := strings.LastIndexByte(rest, '}')
		if end < 0 {
			return a.in.Fail(a.lines.Place(), "the values of the attribute %s do not end with }; write them in one line", message.Clip(name, 40))
		}
		for rest = strings.TrimSpace(rest[1:end]); rest != ""; {
			var value string
			if value, rest, err = a.value(rest, ","); err != nil {
				return err
			}
			rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ","))
			c.values = append(c.values, value)
		}
		if len(c.values) > 0 {
			c.zero = c.values[0]
		}
	case slices.Contains([]string{"numeric", "real", "integer"}, kind):
	case kind == "string", kind == "date":
		c.zero = ""
	case kind == "relational":
		return a.in.Fail(a.lines.Place(), "the attribute %s is a table of its own (relational), which is not read; write its rows as a file of their own", message.Clip(name, 40))
	default:
		return a.in.Fail(a.lines.Place(), "the attribute %s has the type %q, which is none of Weka's", message.Clip(name, 40), message.Clip(rest, 40))
	}
	a.attrs = append(a.attrs, c)
	return nil
}

// value cuts off a value, which may be in quotes and otherwise ends before one of some characters.
func (a *arff) value(s, ends string) (value, rest string, err error) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '\'' && s[0] != '"' {
		at := strings.IndexAny(s, ends)
		if at < 0 {
			at = len(s)
		}
		return strings.TrimSpace(s[:at]), s[at:], nil
	}
	var out strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == s[0]:
			return out.String(), s[i+1:], nil
		case c == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n', 'r':
				out.WriteByte('\n')
			case 't':
				out.WriteByte('\t')
			case 'u':
				if i+5 <= len(s) {
					if code, err := strconv.ParseUint(s[i+1:i+5], 16, 16); err == nil {
						out.WriteRune(rune(code))
						i += 4
						continue
					}
				}
				out.WriteByte('u')
			default:
				out.WriteByte(s[i])
			}
		default:
			out.WriteByte(c)
		}
	}
	return "", "", a.in.Fail(a.lines.Place(), "a value in quotes does not end: %s; write it in one line", message.Clip(s, 40))
}

// next returns the next row; io.EOF at the end. The first row are the names of the columns.
func (a *arff) next() ([]string, error) {
	if !a.begun {
		a.begun = true
		for _, c := range a.attrs {
			a.row = append(a.row, c.name)
		}
		return a.row, nil
	}
	for {
		raw, err := a.lines.Next()
		if err != nil {
			return nil, err
		}
		line := strings.TrimSpace(string(raw))
		if line == "" || line[0] == '%' {
			continue
		}
		a.line = int(a.lines.Number)
		if line[0] == '{' {
			err = a.sparse(line)
		} else {
			err = a.dense(line)
		}
		return a.row, err
	}
}

// dense reads the values of a row, with commas between or, where there are none, blanks. A weight
// in braces may follow.
func (a *arff) dense(line string) error {
	a.row = a.row[:0]
	ends := ","
	if !strings.Contains(line, ",") {
		ends = " \t"
	}
	for rest := line; ; {
		value, after, err := a.value(rest, ends)
		if err != nil {
			return err
		}
		a.row = append(a.row, value)
		after = strings.TrimSpace(after)
		if after == "" {
			break
		}
		if ends == "," && after[0] != ',' {
			return a.in.Fail(a.place(), "%q stands behind a value in quotes; write a comma between values", message.Clip(after, 40))
		}
		if rest = strings.TrimPrefix(after, ","); len(a.row) > len(a.attrs) {
			break
		}
	}
	if n := len(a.row); n == len(a.attrs)+1 && strings.HasPrefix(a.row[n-1], "{") {
		a.row = a.row[:n-1] // the weight
	}
	if len(a.row) != len(a.attrs) {
		return a.in.Fail(a.place(), "has %s, and there are %d attributes; give each row one value for each", message.Plural(len(a.row), "value", "values"), len(a.attrs))
	}
	return nil
}

func (a *arff) place() string { return fmt.Sprintf("line %d", a.line) }

// sparse reads a row of pairs of a column, from 0, and its value: {1 x, 3 y}. Others are 0, or the
// first value that is declared.
func (a *arff) sparse(line string) error {
	a.row = a.row[:0]
	for _, c := range a.attrs {
		a.row = append(a.row, c.zero)
	}
	rest := strings.TrimSpace(line[1:])
	for last := -1; !strings.HasPrefix(rest, "}"); {
		number, after, _ := strings.Cut(strings.ReplaceAll(rest[:min(len(rest), 24)], "\t", " "), " ")
		j, err := strconv.Atoi(number)
		switch {
		case err != nil || after == "" && len(rest) <= len(number):
			return a.in.Fail(a.place(), "is no list of pairs {column value, ...}: %q; correct it", message.Clip(rest, 40))
		case j < 0 || j >= len(a.attrs):
			return a.in.Fail(a.place(), "names column %d, and there are %d, which count from 0", j, len(a.attrs))
		case j <= last:
			return a.in.Fail(a.place(), "names column %d behind column %d; columns ascend", j, last)
		}
		last = j
		if a.row[j], rest, err = a.value(rest[len(number):], ",}"); err != nil {
			return err
		}
		if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, ",") {
			rest = strings.TrimSpace(rest[1:])
		} else if !strings.HasPrefix(rest, "}") {
			return a.in.Fail(a.place(), "does not end with }; it was cut off, or goes on in another line")
		}
	}
	return nil
}
