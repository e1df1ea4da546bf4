package corpus

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// mostHeadings is the most lines above the first row of a list that a program prints.
const mostHeadings = 30

var (
	// dashes is a line above, below or between the rows of a list of SAP.
	dashes = pattern.Lazy(`^[-|]{10,}$`)
	// fieldsLine names the columns of a log in the extended format of the W3C, as IIS writes it, or
	// of Zeek. Where commas or semicolons part the names, the file is a table as others are.
	fieldsLine = pattern.Lazy(`(?i)^#fields(:\s*|\t)([^\s,;][^,;]*)$`)
	// quotedField is a field of a log between quotes, in which a quote stands twice.
	quotedField = pattern.Lazy(`^"(?:[^"]|"")*"(?:[ \t]|$)`)
	// lineMessage is a message in a chat of LINE, and lineDay the day of those below it.
	lineMessage = pattern.Lazy(`^(?:[AaPp上下][Mm午] ?)?\d{1,2}:\d{2}(?: ?[AaPp][Mm])?\t`)
	lineDay     = pattern.Lazy(`^\d{4}[./]\d{1,2}[./]\d{1,2}|^\w{3}, \d{1,2}/\d{1,2}/\d{4}$`)
)

// printed returns what a file is whose lines are a list that a program prints or a log that names
// its columns, and how a line is read; "" of another file. What it writes first goes to w.
func printed(in *input.File, w *csv.Writer, lines []string) (kind string, row func(line, place string) ([]string, error)) {
	if n := slices.IndexFunc(lines[:min(len(lines), mostHeadings)], fieldsLine().MatchString); n >= 0 && !slices.ContainsFunc(lines[:n], func(l string) bool { return l != "" && l[0] != '#' }) {
		l := &loggedRows{in: in}
		return "a log whose line #Fields names the columns", l.row
	}
	if strings.HasPrefix(lines[0], "[LINE]") && slices.ContainsFunc(lines, lineMessage().MatchString) {
		w.Write([]string{"date", "sender", "text"})
		return "a chat of LINE: each message is a document", (&lineChat{}).row
	}
	if lines[0] != "" && lines[0][0] == '\\' || lines[0][0] == '|' {
		if at := ipacHeader(lines); at != nil {
			return "a table of IPAC, whose columns stand below the bars of its header", (&ipacRows{in: in, bars: at}).row
		}
	}
	if n := framedRow(lines); n >= 0 {
		return "a list between bars, as SAP prints it; its rows of sums, those of stars, are left out", (&framedRows{names: lines[n]}).row
	}
	return "", nil
}

// loggedRows reads the lines of a log that names its columns.
type loggedRows struct {
	in    *input.File
	tabs  bool
	names []string
}

func (l *loggedRows) row(line, place string) ([]string, error) {
	line = strings.TrimPrefix(line, input.ByteOrderMark)
	if m := fieldsLine().FindStringSubmatch(line); m != nil {
		l.tabs = m[1] == "\t"
		names := l.cut(m[2])
		if l.names != nil && !slices.Equal(names, l.names) {
			return nil, l.in.Fail(place, "names other columns than the lines before; cut the log there, and name both parts as a list of files")
		}
		if l.names != nil {
			return nil, nil
		}
		l.names = names
		return names, nil
	}
	if strings.TrimSpace(line) == "" || line[0] == '#' {
		return nil, nil
	}
	fields := l.cut(line)
	if len(fields) != len(l.names) {
		return nil, l.in.Fail(place, "has %d fields, where #Fields names %d columns; correct or remove the line, or give ‹input-format› lines, which takes each line for a text", len(fields), len(l.names))
	}
	return fields, nil
}

// cut cuts a line at tabs if the names stand between tabs, or if tabs make as many fields as there
// are names, as in the logs of CloudFront; else at blanks outside of quotes.
func (l *loggedRows) cut(line string) (fields []string) {
	if l.tabs || l.names != nil && strings.Count(line, "\t") == len(l.names)-1 {
		return strings.Split(line, "\t")
	}
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		if m := quotedField().FindString(line); m != "" {
			bare := strings.TrimRight(m, " \t")
			fields, line = append(fields, strings.ReplaceAll(bare[1:len(bare)-1], `""`, `"`)), line[len(m):]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		fields, line = append(fields, line[:end]), line[end:]
	}
	return fields
}

// lineChat reads the messages of a chat of LINE, which may go on in further lines.
type lineChat struct {
	day     string
	message []string
	quoted  bool // the message began with a quote, up to which it goes on
}

func (l *lineChat) row(line, _ string) ([]string, error) {
	line = strings.TrimPrefix(line, input.ByteOrderMark)
	out := l.message
	switch {
	case lineMessage().MatchString(line):
		fields := strings.SplitN(line, "\t", 3)
		if l.message, l.quoted = nil, false; len(fields) == 3 { // else what the program says
			text, quoted := strings.CutPrefix(fields[2], `"`)
			if l.quoted = quoted && !strings.Contains(text, `"`); !l.quoted {
				text = fields[2]
			}
			l.message = []string{strings.TrimSpace(l.day + " " + fields[0]), fields[1], text}
		}
		return out, nil
	case lineDay().MatchString(line):
		l.day, l.message = lineDay().FindString(line), nil
		return out, nil
	case l.quoted && l.message != nil:
		text, last := strings.CutSuffix(line, `"`)
		l.message[2], l.quoted = l.message[2]+" "+text, !last
		return nil, nil
	case line == "": // may be the end
		l.message = nil
		return out, nil
	case l.message != nil:
		l.message[2] += " " + line
	}
	return nil, nil
}

// ipacHeader returns the places of the bars of the line that names the columns of a table of IPAC,
// which stands behind lines that begin with a backslash; nil of another file.
func ipacHeader(lines []string) (bars []int) {
	n := slices.IndexFunc(lines, func(l string) bool { return l == "" || l[0] != '\\' })
	if n < 0 || n+3 > len(lines) || len(lines[n]) < 3 || lines[n][0] != '|' {
		return nil
	}
	for i := range lines[n] {
		if lines[n][i] == '|' {
			bars = append(bars, i)
		}
	}
	types := func(t string) bool {
		return slices.Contains([]string{"char", "c", "int", "i", "long", "l", "float", "f", "double", "d", "real", "r", "date"}, strings.Trim(t, " -"))
	}
	if cells := strings.Split(strings.Trim(strings.TrimSpace(lines[n+1]), "|"), "|"); len(bars) < 3 || len(cells) != len(bars)-1 || slices.ContainsFunc(cells, func(c string) bool { return !types(c) }) {
		return nil
	}
	return bars
}

// ipacRows reads the lines of a table of IPAC.
type ipacRows struct {
	in    *input.File
	bars  []int
	named bool
}

func (r *ipacRows) row(line, _ string) ([]string, error) {
	line = strings.TrimPrefix(line, input.ByteOrderMark)
	if line == "" || line[0] == '\\' || line[0] == '|' && r.named {
		return nil, nil
	}
	fields := make([]string, len(r.bars)-1)
	for j := range fields {
		from, to := min(r.bars[j], len(line)), min(r.bars[j+1], len(line))
		if j == len(fields)-1 {
			to = len(line)
		}
		fields[j] = strings.Trim(line[from:to], "| ")
	}
	r.named = true
	return fields, nil
}

// framedRow returns the number of the line that names the columns of a list of SAP: between bars
// and lines of dashes, above two rows or more and below what says what the list is; -1 of another
// file.
func framedRow(lines []string) int {
	framed := func(l string) bool {
		return len(l) > 4 && l[0] == '|' && strings.HasSuffix(l, "|") && !dashes().MatchString(l)
	}
	names := -1
	for n := 1; n+1 < min(len(lines), mostHeadings); n++ {
		if framed(lines[n]) && strings.Count(lines[n], "|") > 2 && dashes().MatchString(lines[n-1]) && dashes().MatchString(lines[n+1]) {
			names = n
			break
		}
	}
	if names < 0 {
		return -1
	}
	rows := 0
	for _, l := range lines[names+2:] {
		switch l = strings.TrimRight(l, " "); {
		case framed(l) && strings.Count(l, "|") == strings.Count(lines[names], "|"):
			rows++
		case l != "" && !dashes().MatchString(l):
			return -1
		}
	}
	if rows < 2 {
		return -1
	}
	return names
}

// sumRow is a row of sums, whose first cell holds stars alone.
var sumRow = pattern.Lazy(`^\| *\*+ *\|`)

// framedRows reads the rows of a list of SAP and leaves out its sums. The header comes again on
// each page.
type framedRows struct {
	names string
	named bool
}

// afterMinus is a number whose minus stands behind it.
var afterMinus = pattern.Lazy(`^[\d.,]+-$`)

func (r *framedRows) row(line, _ string) ([]string, error) {
	line = strings.TrimRight(line, " ")
	again := line == r.names
	if !again && !r.named || again && r.named || len(line) < 2 || line[0] != '|' || dashes().MatchString(line) || sumRow().MatchString(line) {
		return nil, nil
	}
	r.named = true
	list := strings.Split(strings.TrimSuffix(line[1:], "|"), "|")
	for i, c := range list {
		if list[i] = strings.TrimSpace(c); afterMinus().MatchString(list[i]) {
			list[i] = "-" + strings.TrimSuffix(list[i], "-")
		}
	}
	return list, nil
}
