package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

var (
	// frameLine is a border of a table as MySQL prints it, ruleLine the line below the names of
	// psql, and markdownRule that of Markdown.
	frameLine    = pattern.Lazy(`^\+(-+\+)+$`)
	ruleLine     = pattern.Lazy(`^-+(\+-+)+$`)
	markdownRule = pattern.Lazy(`^\|( *:?-+:? *\|)+$`)
	// endLine is what a client of a database prints below a table.
	endLine = pattern.Lazy(`^(\(\d+ rows?\)|\d+ rows? in set.*|Time: .*)$`)
)

// relined is a table of lines that is read as CSV: row makes the fields of each line.
type relined struct {
	lines *input.Lines
	row   func(line, place string) ([]string, error) // nil fields: the line holds none
	out   bytes.Buffer
	w     *csv.Writer
	err   error
}

// Read implements [io.Reader].
func (r *relined) Read(p []byte) (int, error) {
	for r.out.Len() == 0 {
		if r.err != nil {
			return 0, r.err
		}
		line, err := r.lines.Next()
		if err == nil || err == io.EOF { // an empty line at the end, which ends a text that goes on
			fields, fault := r.row(strings.TrimRight(string(line), "\r\n"), r.lines.Place())
			if fields != nil {
				r.w.Write(fields)
				r.w.Flush()
			} else if err == nil {
				r.out.WriteByte('\n') // so that messages name the lines of the file
			}
			err = cmp.Or(fault, err)
		}
		r.err = err
	}
	return r.out.Read(p)
}

// reline makes CSV of the content of a file whose lines are a table that other programs print, or
// texts with their keys; false of another file. Messages name the lines of the file.
func reline(in *input.File, head []byte) bool {
	if len(head) == input.HeadSize { // lines of wide tables are long
		if more, err := in.Peek(table.LookedAt); err == nil {
			head = more
		}
	}
	lines := strings.Split(strings.ReplaceAll(string(bytes.TrimPrefix(head, []byte(input.ByteOrderMark))), "\r\n", "\n"), "\n")
	if len(head) == table.LookedAt {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	if len(lines) < 3 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	r := &relined{lines: input.NewLines(&input.File{Ctx: in.Ctx, Name: in.Name, Path: in.Path, Mem: in.Mem, Stream: in.Stream})}
	r.w = csv.NewWriter(&r.out)
	kind := ""
	switch extension := filepath.Ext(input.UnpackedName(strings.ToLower(in.Name))); {
	case frameLine().MatchString(lines[0]) && lines[2] == lines[0] && frames(lines) <= 3:
		kind, r.row = "a table as MySQL prints it", cells(in, strings.Count(lines[0], "+")-1, lines[0])
	case ruleLine().MatchString(lines[1]) && strings.Count(lines[0], " | ") == strings.Count(lines[1], "+"):
		kind, r.row = "a table as psql prints it", cells(in, strings.Count(lines[1], "+")+1, " "+lines[1][1:])
	case markdownRule().MatchString(lines[1]) && !slices.ContainsFunc(lines, func(l string) bool { return l != "" && l[0] != '|' }):
		kind, r.row = "a table of Markdown", cells(in, strings.Count(lines[1], "|")-1, "")
	case extension == ".gmt" && !slices.ContainsFunc(lines, func(l string) bool { return l != "" && strings.Count(l, "\t") < 2 }):
		kind, r.row = "sets of genes (GMT): each is a document, whose words are its genes; ‹language› none and ‹stop-words› none keep all names", geneSets(in)
		r.w.Write(keyedNames)
	case extension == ".properties" && properties(lines):
		kind, r.row = "texts with their keys: each is a document", (&propertyRows{in: in}).row
		r.w.Write(keyedNames)
	default:
		if kind, r.row = printed(in, r.w, lines); kind == "" {
			return false
		}
	}
	in.Notef("The file is read as %s.", kind)
	in.Stream = bufio.NewReaderSize(r, 64<<10)
	return true
}

// keyedNames are the columns of texts with their keys.
var keyedNames = []string{"id", "text"}

// frames is how many lines are borders: tables in plain documents have one below each row.
func frames(lines []string) (n int) {
	for _, l := range lines {
		if frameLine().MatchString(l) {
			n++
		}
	}
	return n
}

// cells returns the function that cuts a line of n cells between vertical bars. Where cells hold
// bars too, those below the signs + of frame part the cells; frame is "" for Markdown, whose cells
// have \| for bars.
func cells(in *input.File, n int, frame string) func(line, place string) ([]string, error) {
	return func(line, place string) ([]string, error) {
		line = strings.TrimPrefix(line, input.ByteOrderMark)
		bare := strings.TrimSpace(line)
		if bare == "" || frameLine().MatchString(bare) || ruleLine().MatchString(bare) || endLine().MatchString(bare) || frame == "" && markdownRule().MatchString(bare) {
			return nil, nil
		}
		if frame == "" {
			bare = strings.ReplaceAll(bare, `\|`, "\x00")
		}
		if frame == "" || frame[0] == '+' {
			bare = strings.TrimSuffix(strings.TrimPrefix(bare, "|"), "|")
		} else {
			bare = line
		}
		list := strings.Split(bare, "|")
		if len(list) != n && frame != "" {
			list = below(line, frame)
		}
		if len(list) != n {
			return nil, in.Fail(place, "has not the %d cells of the lines before; a cell with a line break or a bar is the reason as a rule: write the table as CSV or with tabs, with psql --csv, or with mysql --batch > FILE.tsv", n)
		}
		for i, c := range list {
			list[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
			if frame != "" && frame[0] != '+' && strings.HasSuffix(c, "+") {
				return nil, in.Fail(place, "has a cell that goes on in the next line; write the table as CSV, with psql --csv")
			}
		}
		return list, nil
	}
}

// below cuts a line at the bars that stand below the signs + of a frame; nil if others stand there.
func below(line, frame string) (list []string) {
	runes, from := []rune(line), 0
	if utf8.RuneCountInString(strings.TrimRight(line, " ")) > len(frame) {
		return nil
	}
	for i := range frame {
		if frame[i] != '+' {
			continue
		}
		if i >= len(runes) || runes[i] != '|' {
			return nil
		}
		if i > 0 {
			list = append(list, string(runes[from:i]))
		}
		from = i + 1
	}
	if frame[0] != '+' {
		list = append(list, string(runes[from:]))
	}
	return list
}

// geneSets returns the function that reads a line of GMT: the name of a set, a description, and
// genes, between tabs.
func geneSets(in *input.File) func(line, place string) ([]string, error) {
	return func(line, place string) ([]string, error) {
		fields := strings.Split(line, "\t")
		switch {
		case strings.TrimSpace(line) == "":
			return nil, nil
		case len(fields) < 2:
			return nil, in.Fail(place, "has no tab, where a set of GMT has a name, a description and genes between tabs; mend or remove the line")
		}
		return []string{fields[0], strings.Join(fields[2:], " ")}, nil
	}
}
