package matrix

import (
	"bytes"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// linesLooked is how many lines of a file of text are looked at to recognise its format.
const linesLooked = 50

// FormatOfText recognises, by the first lines that are whole, formats of text whose lines can be
// read in other ways too: a bag of words of UCI and LDA-C; empty for none.
func FormatOfText(head []byte) string {
	lines := filledLines(head)
	switch {
	case looksLikeUCI(lines):
		return "uci"
	case looksLikeLDAC(lines):
		return "ldac"
	}
	return ""
}

// LooksLikeCLUTO reports whether a file called .mat is one of CLUTO: its first line holds two or
// three whole numbers, and the second one numbers.
func LooksLikeCLUTO(head []byte) bool {
	lines := filledLines(head)
	if len(lines) < 2 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	fields := bytes.Fields(lines[0])
	if len(fields) < 2 || len(fields) > 3 {
		return false
	}
	for _, f := range fields {
		if n, ok := lexical.Index(f); !ok || n < 0 {
			return false
		}
	}
	return lexical.AllNumbers(bytes.Fields(lines[1]), true)
}

// filledLines are the first lines that are not blank; the last one is left out if it may be cut
// off.
func filledLines(head []byte) (lines [][]byte) {
	const cutOff = 4096
	may := len(head) >= cutOff
	for len(head) > 0 && len(lines) < linesLooked {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if head = rest; !whole && may {
			break
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// looksLikeUCI recognises three lines of a number, then lines of three that the sizes allow.
func looksLikeUCI(lines [][]byte) bool {
	if len(lines) < 4 {
		return false
	}
	var sizes [3]int64
	for k, line := range lines[:3] {
		var ok bool
		if sizes[k], ok = lexical.Index(line); !ok {
			return false
		}
	}
	for _, line := range lines[3:] {
		fields := bytes.Fields(line)
		if len(fields) != 3 {
			return false
		}
		for k, f := range fields {
			if n, ok := lexical.Index(f); !ok || n < 1 || k < 2 && n > sizes[k] {
				return false
			}
		}
	}
	return true
}

// looksLikeLDAC recognises lines whose first number counts their pairs term:count. A single line is
// one only if it has term 0, which svmlight rarely has.
func looksLikeLDAC(lines [][]byte) bool {
	zero := false
	for _, line := range lines {
		fields := bytes.Fields(line)
		n, ok := lexical.Index(fields[0])
		if !ok || n != int64(len(fields)-1) {
			return false
		}
		for _, f := range fields[1:] {
			index, value, pair, err := parsePair(f)
			if !pair || err != nil || value < 1 || value != float64(int64(value)) {
				return false
			}
			zero = zero || index == 0
		}
	}
	return len(lines) > 1 || len(lines) == 1 && zero
}
