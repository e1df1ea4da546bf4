package corpus

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// propertyLine is a line of a file of properties of Java: a key, and = or : before its text.
var propertyLine = pattern.Lazy(`^\s*((?:[^\s\\=:]|\\.)+)\s*[=:]\s*(.*)$`)

// properties reports whether lines are those of a file of properties, most of which are texts.
func properties(lines []string) bool {
	found, wide, goesOn := 0, 0, false
	for _, l := range lines {
		m := propertyLine().FindStringSubmatch(l)
		switch {
		case goesOn || isComment(l):
		case m == nil:
			return false
		default:
			found++
			if strings.Contains(strings.TrimSpace(m[2]), " ") {
				wide++
			}
		}
		goesOn = !isComment(l) && continues(l)
	}
	return found > 1 && 2*wide > found
}

// isComment reports whether a line of properties holds nothing.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line[0] == '!'
}

// continues reports whether the next line goes on with the text: an odd number of \ ends the line.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// propertyRows is what was read of a property that goes on over several lines.
type propertyRows struct {
	in    *input.File
	begun string
}

// row returns the key and the text of a line; nil if it has none, or if the next line goes on.
func (p *propertyRows) row(line, place string) ([]string, error) {
	if p.begun == "" && isComment(line) {
		return nil, nil
	}
	if p.begun != "" {
		line = p.begun + strings.TrimLeft(line, " \t")
	}
	if p.begun = ""; continues(line) {
		p.begun = line[:len(line)-1]
		return nil, nil
	}
	m := propertyLine().FindStringSubmatch(line)
	if m == nil {
		return nil, p.in.Fail(place, "has no = or : after its key; write it as KEY=TEXT, or remove the line")
	}
	return []string{unescaped(m[1]), unescaped(m[2])}, nil
}

// escape is a sign of a property after a \, or UTF-16 in hexadecimal figures.
var escape = pattern.Lazy(`(\\u[0-9a-fA-F]{4})+|\\.`)

// unescaped is a key or a text of a property as it is meant; breaks of lines are blanks.
func unescaped(text string) string {
	return escape().ReplaceAllStringFunc(text, func(s string) string {
		if s[1] != 'u' || len(s) < 6 {
			if strings.ContainsAny(s[1:], "ntrf") {
				return " "
			}
			return s[1:]
		}
		var units []uint16
		for _, hex := range strings.Split(s, `\u`)[1:] {
			n, _ := strconv.ParseUint(hex, 16, 16)
			units = append(units, uint16(n))
		}
		return string(utf16.Decode(units))
	})
}
