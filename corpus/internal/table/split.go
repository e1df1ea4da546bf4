package table

import (
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// splitter cuts lines at tabs, or at runs of blanks. Quotes around a whole field are taken off.
// Anywhere else they are characters as others, because most programs write such files without
// quotes; a field that begins with a quote goes on over line ends only if its line alone has too
// few fields, or if the next lines have too few: where it is the last one, or holds tabs.
type splitter struct {
	in       *input.File
	lines    *input.Lines
	comma    rune
	comments bool       // lines that begin with # are left out
	line     int        // where the last record begins, from 1
	held     []heldLine // lines that were read and are in no record yet
	width    int        // fields of the first record
	rec      []string
}

// heldLine is a line without its end, and its number.
type heldLine struct {
	text   string
	number int
}

// mostJoined is the most lines of one record.
const mostJoined = 1000

// next returns the next record; io.EOF at the end. Empty lines are none.
func (s *splitter) next() ([]string, error) {
	for {
		line, err := s.read()
		if err != nil {
			return nil, err
		}
		if line == "" || s.comma == Blank && strings.Trim(line, " \t") == "" || s.comments && line[0] == '#' {
			continue
		}
		open := s.fields(line)
		if open && s.comma == '\t' && s.width > 0 {
			short := len(s.rec) < s.width
			if !short && len(s.rec) == s.width && isOpen(s.rec[s.width-1]) {
				if short, err = s.nextIsShort(); err != nil {
					return nil, err
				}
				s.fields(line)
			}
			add := s.joinShort
			if short {
				add = s.join
			}
			if err := add(line); err != nil {
				return nil, err
			}
		}
		if s.width == 0 {
			s.width = len(s.rec)
		}
		return s.rec, nil
	}
}

// read returns the next line without its end.
func (s *splitter) read() (string, error) {
	if len(s.held) > 0 {
		next := s.held[0]
		s.held, s.line = s.held[1:], next.number
		return next.text, nil
	}
	raw, err := s.lines.Next()
	if err != nil {
		return "", err
	}
	s.line = int(s.lines.Number)
	return strings.TrimRight(string(raw), "\r\n"), nil
}

// isOpen reports whether a field begins with a quote that is not closed.
func isOpen(field string) bool { return strings.HasPrefix(field, `"`) && quoted(field, '\t') == 0 }

// nextIsShort reports whether the next line that is not blank has fewer fields than a record: it
// then belongs to the last field of the line before it.
func (s *splitter) nextIsShort() (bool, error) {
	line := s.line
	defer func() { s.line = line }()
	held := s.held
	for _, l := range held {
		if strings.TrimSpace(l.text) != "" {
			s.fields(l.text)
			return len(s.rec) < s.width, nil
		}
	}
	s.held = nil // of which read would give the first
	defer func() { s.held = held }()
	for range mostJoined {
		text, err := s.read()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		held = append(held, heldLine{text, s.line})
		if strings.TrimSpace(text) != "" {
			s.fields(text)
			return len(s.rec) < s.width, nil
		}
	}
	return false, nil
}

// join adds the lines that follow to a field that begins with a quote and does not end on its line.
func (s *splitter) join(line string) error {
	began, text := s.line, line
	for range mostJoined {
		more, err := s.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		text += "\n" + more
		if !s.fields(text) {
			s.line = began
			return nil
		}
		if int64(len(text)) > s.in.Mem.Limit/64 {
			break
		}
	}
	return s.in.Fail(s.place(began), "a field begins with a quote that is not closed; close it, or take it off")
}

// joinShort adds the lines that follow to a record with a field that begins with a quote and does
// not end on its line, if each of them has too few fields and the field then ends in a record as
// wide as the first. The field holds tabs, so that its line alone has enough.
func (s *splitter) joinShort(line string) error {
	began, text := s.line, line
	var taken []heldLine
	for range mostJoined {
		more, err := s.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		taken = append(taken, heldLine{more, s.line})
		if s.fields(more); len(s.rec) >= s.width || int64(len(text)+len(more)) > s.in.Mem.Limit/64 {
			break
		}
		text += "\n" + more
		if !s.fields(text) && len(s.rec) == s.width {
			s.line = began
			return nil
		}
	}
	s.held, s.line = append(taken, s.held...), began
	s.fields(line)
	return nil
}

func (s *splitter) place(line int) string { return (&Records{Line: line}).Place() }

// fields cuts a line into rec. open reports whether a field begins with a quote that is not closed.
func (s *splitter) fields(line string) (open bool) {
	s.rec = s.rec[:0]
	if s.comma == Blank {
		s.blanks(line)
		return false
	}
	for {
		if strings.HasPrefix(line, `"`) {
			if end := quoted(line, '\t'); end > 0 {
				s.rec = append(s.rec, strings.ReplaceAll(line[1:end], `""`, `"`))
				if line = line[end+1:]; line == "" {
					return open
				}
				line = line[1:]
				continue
			}
			open = true
		}
		field, rest, more := strings.Cut(line, "\t")
		s.rec = append(s.rec, field)
		if !more {
			return open
		}
		line = rest
	}
}

// quoted returns where the quote is that closes the field at the start of a line; 0 if there is
// none before a separator or the end.
func quoted(line string, comma byte) int {
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		switch {
		case i+1 == len(line) || line[i+1] == comma:
			return i
		case line[i+1] == '"':
			i++
		default:
			return 0
		}
	}
	return 0
}

// blanks cuts a line at runs of blanks and tabs.
func (s *splitter) blanks(line string) {
	const cut = " \t"
	for {
		if line = strings.TrimLeft(line, cut); line == "" {
			return
		}
		if line[0] == '"' || line[0] == '\'' {
			if end := strings.IndexByte(line[1:], line[0]); end >= 0 && (end+2 == len(line) || strings.IndexByte(cut, line[end+2]) >= 0) {
				s.rec = append(s.rec, line[1:end+1])
				line = line[end+2:]
				continue
			}
		}
		end := strings.IndexAny(line, cut)
		if end < 0 {
			end = len(line)
		}
		s.rec = append(s.rec, line[:end])
		line = line[end:]
	}
}
