package table

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// How many bytes and lines of a table decide on its separator.
const (
	LookedAt   = 32 << 10
	linesTried = 50
)

// separators are the separators other than blanks, the usual one first.
var separators = []rune{',', '\t', ';', '|'}

// Separator finds the separator from the first lines: it cuts all of them into equally many
// fields, most of which are numbers; the first line may have one field less, and a separator that
// it lacks goes after the others. If none does, it is whichever of tab, semicolon and comma occurs
// most often outside quotes in the first line, unless the second line lacks it. Blanks separate
// lines of numbers, with or without a header and names.
func Separator(head []byte) rune {
	lines := wholeLines(head)
	best, most := rune(0), -1.0
	for _, c := range separators {
		records := cut(lines, c)
		share, ok := fit(records, c)
		if ok && len(records[0]) > 1 {
			share++ // of shares up to 1: such a line goes before any share
		}
		if ok && share > most {
			best, most = c, share
		}
	}
	switch {
	case best == '\t' && rows(cut(lines, best)) && blanks(lines):
		return Blank
	case best != 0:
		return best
	case blanks(lines):
		return Blank
	}
	if c := belowTitle(lines); c != 0 {
		return c
	}
	return commonest(head)
}

// belowTitle is the semicolon or tab that two thirds of the lines or more have equally often, twice
// at least, if a first line without one is a title above them; 0 for none, and where half of the
// lines have as many commas as the first, which then names columns.
func belowTitle(lines [][]byte) rune {
	const fewest = 5
	if len(lines) < fewest || bytes.ContainsAny(lines[0], ";\t") {
		return 0
	}
	commas, alike := countOutsideQuotes(lines[0])[','], 0
	for _, line := range lines[1:] {
		if countOutsideQuotes(line)[','] == commas {
			alike++
		}
	}
	if commas > 0 && 2*alike >= len(lines)-1 {
		return 0
	}
	for _, c := range []rune{';', '\t'} {
		times := make(map[int]int)
		for _, line := range lines {
			if n := countOutsideQuotes(line)[c]; n > 1 {
				times[n]++
			}
		}
		for _, n := range times {
			if 3*n >= 2*len(lines) {
				return c
			}
		}
	}
	return 0
}

// Looks reports whether the beginning of a file looks like a table: a separator, or blanks beside
// numbers, cut all of its lines into equally many fields. A single line is one of numbers.
func Looks(head []byte) bool {
	head = head[sizesLine(head):]
	for len(head) > 0 && head[0] == '#' {
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	lines := wholeLines(head)
	for _, c := range separators {
		records := cut(lines, c)
		if share, ok := fit(records, c); ok && (len(records) > 1 || share == 1) {
			return true
		}
	}
	return blanks(lines)
}

// sizesLine is the length of a first line that counts the rows and columns of a table of names and
// numbers between blanks, as word2vec writes it; 0 for another.
func sizesLine(head []byte) int {
	first, rest, whole := bytes.Cut(head, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	sizes, fields := bytes.Fields(first), bytes.Fields(second)
	if !whole || len(sizes) != 2 || len(fields) < 2 {
		return 0
	}
	_, rows := lexical.Index(sizes[0])
	columns, ok := lexical.Index(sizes[1])
	if !rows || !ok || columns != int64(len(fields)-1) || !IsWord(string(fields[0])) || IsWord(string(fields[1])) {
		return 0
	}
	return len(first) + 1
}

// wholeLines returns the first lines that are not blank; the last one is left out if it may be cut
// off.
func wholeLines(head []byte) [][]byte {
	cutOff := len(head) >= LookedAt
	var lines [][]byte
	for len(head) > 0 && len(lines) < linesTried {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		if !whole && cutOff && len(lines) > 0 {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, bytes.TrimRight(line, "\r"))
		}
	}
	return lines
}

// cut cuts lines into records by a separator; nil if the quotes do not allow it.
func cut(lines [][]byte, comma rune) (records [][]string) {
	if comma == '\t' || comma == Blank {
		s := splitter{comma: comma}
		for _, line := range lines {
			s.fields(string(line))
			records = append(records, slices.Clone(s.rec))
		}
		return records
	}
	r := csv.NewReader(bytes.NewReader(bytes.Join(lines, []byte("\n"))))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = comma, -1, true
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return records
		}
		if err != nil {
			// A quoted field may go on beyond the lines that were looked at.
			return records[:max(0, len(records)-1)]
		}
		records = append(records, rec)
	}
}

// fit reports whether a separator cuts all records into equally many fields, at least two; the
// first may have one less. share is the share of numbers among the fields, from 0 to 1.
func fit(records [][]string, comma rune) (share float64, ok bool) {
	if len(records) == 0 {
		return 0, false
	}
	width := len(records[len(records)-1])
	numbers, fields := 0, 0
	for i, rec := range records {
		if len(rec) != width && !(i == 0 && len(records) > 1 && len(rec) == width-1) {
			return 0, false
		}
		for _, f := range rec {
			f = strings.TrimSpace(f)
			fields++
			f, _ = unsigned(f)
			if _, number := lexical.Number(f); number || lexical.IsMissing(f) || shapeOf(f) != notWritten && comma != ',' {
				numbers++
			}
		}
	}
	return float64(numbers) / float64(fields), width > 1
}

// blanks reports whether blanks separate the fields of lines: each has the same number of fields,
// the first at most one less, and some column holds numbers, below a header if there is one. In a
// single line every field is a number.
func blanks(lines [][]byte) bool {
	records := cut(lines, Blank)
	if _, ok := fit(records, Blank); !ok {
		return false
	}
	body := records
	if len(records) > 1 {
		body = records[1:]
	}
	numbers := 0
	for j := range body[0] {
		word := func(rec []string) bool { return IsWord(rec[j]) && shapeOf(rec[j]) == notWritten }
		missing := func(rec []string) bool { return lexical.IsMissing(rec[j]) }
		if !slices.ContainsFunc(body, word) && slices.ContainsFunc(body, func(rec []string) bool { return !missing(rec) }) {
			numbers++
		}
	}
	if len(records) == 1 {
		return numbers == len(body[0])
	}
	return numbers > 0 && 3*numbers >= len(body[0])
}

// rows reports whether every record has two fields, of which the first holds several numbers
// between blanks: the tab stands before the last field alone, as in UCI's auto-mpg.
func rows(records [][]string) bool {
	return len(records) > 1 && !slices.ContainsFunc(records, func(rec []string) bool {
		fields := strings.Fields(rec[0])
		return len(rec) != 2 || len(fields) < 3 || slices.ContainsFunc(fields, IsWord)
	})
}

// commonest is the one of tab, semicolon and comma that occurs most often outside quotes in the
// first line. A tab or semicolon that the second line does not have is part of a name.
func commonest(head []byte) rune {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	second, _, _ := bytes.Cut(bytes.TrimLeft(rest, "\r\n"), []byte("\n"))
	count, again := countOutsideQuotes(first), countOutsideQuotes(second)
	best := ','
	for _, c := range []rune{'\t', ';'} {
		if count[c] > count[best] && (len(second) == 0 || again[c] > 0) {
			best = c
		}
	}
	return best
}

func countOutsideQuotes(line []byte) map[rune]int {
	count := map[rune]int{}
	quoted := false
	for _, c := range string(line) {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			count[c]++
		}
	}
	return count
}

// IsWord reports whether a field is neither a number nor a mark of a missing one.
func IsWord(field string) bool {
	field = strings.TrimSpace(field)
	if lexical.IsMissing(field) || lexical.IsInfinite(field) {
		return false
	}
	v, ok := lexical.Number(field)
	return !ok && v-v == 0 // a number beyond the largest is not a word
}
