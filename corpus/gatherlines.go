package corpus

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// gatherLines makes one table of few texts with a document on each line, each a class by its name
// or a part of the corpus, and of tables with tabs that are called texts; nil if they may be texts
// themselves: with blank lines or few lines, wrapped, or verses.
func gatherLines(in *input.File, list []member, opt ReadOptions, labelled bool) (*gathered, error) {
	n := classesOf(list)
	classes := len(differing(n.classes))
	if n.beside > 0 || n.classes == nil && !n.parts || classes > mostLineFiles || len(list) > mostLineFiles && !n.parts {
		return nil, nil
	}
	kinds := make([]string, len(n.list))
	for i, m := range n.list {
		var err error
		if kinds[i], err = lineKind(m); err != nil {
			return nil, err
		}
	}
	switch kinds = differing(kinds); {
	case len(kinds) == 1 && kinds[0] == "tsv":
		for i := range list {
			list[i].format = "tsv"
		}
		out, err := gatherTables(in, list, opt, labelled)
		if fault := (*FormatError)(nil); errors.As(err, &fault) {
			return nil, nil // texts with tabs
		}
		return out, err
	case slices.Contains(kinds, texts) || !slices.Contains(kinds, "lines") && !slices.Contains(kinds, lineText):
		return nil, nil
	case len(kinds) > 1 || kinds[0] != "lines":
		in.Notef("Each file is one text: its lines look like wrapped prose, verses or a list of words. If each line is a text, join the files, as by cat, and give ‹input-format› lines.")
		return nil, nil
	}
	if opt.LabelColumn != "" || labelled {
		n = n.without()
	}
	noteMembers(in, n, "files with a document on each line")
	expect(in, n.list)
	rows := &lineRows{list: n.list, classes: n.classes, encoding: opt.Encoding, parts: &table.Parts{Unit: "line"}}
	opt.TextColumn = []string{"text"}
	class := ""
	if opt.Header = table.HeaderYes; n.classes != nil {
		class = classColumn
	}
	return gatherRows(in, rows.next, rows.close, rows.parts, class, opt)
}

// Kinds of files of lines that are no tables.
const (
	texts    = "texts"     // the file is a text itself
	lineText = "line text" // and has no blank lines, so that its lines may be documents
)

// lineKind is "lines" of a file whose lines look like documents, "tsv" of a table, else one of the
// kinds above.
func lineKind(m member) (string, error) {
	in, done, err := m.look()
	if err != nil {
		return "", err
	}
	defer done()
	head, err := in.Peek(table.LookedAt)
	if err != nil {
		return "", err
	}
	if kind := kindOfLines(head, len(head) == table.LookedAt); kind == "tsv" || bytes.Count(bytes.TrimSpace(head), []byte("\n"))+1 >= leastLines {
		return kind, nil
	}
	return texts, nil
}

// kindOfLines is lineKind of the beginning of a file; cut says that the last line is cut off.
func kindOfLines(head []byte, cut bool) string {
	lines := bytes.Split(bytes.TrimSpace(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))), []byte("\n"))
	if cut {
		lines = lines[:len(lines)-1]
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return texts
	}
	prose := 4*bytes.Count(head, []byte(", ")) >= 3*bytes.Count(head, []byte(",")) // and no fields
	switch f := formatByLook(head); {
	case f == "tsv":
		return f
	case len(lines) < 2 || f != "" && !(f == "csv" && prose):
		return texts
	}
	for i, l := range lines {
		if lines[i] = bytes.TrimSpace(l); len(lines[i]) == 0 {
			return texts
		}
	}
	if areDocuments(lines) {
		return "lines"
	}
	return lineText
}

// areDocuments reports whether lines, of which none is blank, look like documents: they have two
// words or more, end sentences and are not wrapped.
func areDocuments(lines [][]byte) bool {
	longest, words := 0, 0
	for _, l := range lines {
		longest, words = max(longest, utf8.RuneCount(l)), words+len(bytes.Fields(l))
	}
	full, goOn := 0, 0 // lines that the first word of the next one does not fit into, and that do not end a sentence
	for i, l := range lines {
		if bytes.ContainsAny(l[len(l)-1:], ",;-") {
			goOn++
		}
		if i+1 == len(lines) || utf8.RuneCount(l)+1+utf8.RuneCount(bytes.Fields(lines[i+1])[0]) > longest {
			full++
		}
	}
	const wrapped, verses = 100, 10 // one line in so many goes on in the next
	return words >= 2*len(lines) && goOn*verses <= len(lines) && (longest > wrapped || 3*full <= 2*len(lines))
}

// lineRows are the lines of files one after the other, below a header.
type lineRows struct {
	list     []member
	classes  []string
	encoding string
	parts    *table.Parts
	begun    bool
	at       int
	lines    *input.Lines
	done     func()
	rec      []string
}

// next returns the next line that is not blank; io.EOF at the end.
func (r *lineRows) next() ([]string, error) {
	if !r.begun {
		r.begun = true
		if r.classes == nil {
			return []string{"text"}, nil
		}
		return []string{"text", classColumn}, nil
	}
	for r.at < len(r.list) {
		if r.lines == nil {
			in, done, err := r.list[r.at].open()
			if err != nil {
				return nil, err
			}
			r.done = done
			if err := charset.Stream(in, r.encoding); err != nil {
				done()
				return nil, err
			}
			r.lines = input.NewLines(in)
			r.parts.Begin(r.list[r.at].path)
		}
		line, err := r.lines.Next()
		if err == io.EOF {
			r.close()
			r.at++
			continue
		}
		if err != nil {
			return nil, err
		}
		r.parts.Row(int(r.lines.Number))
		text := strings.TrimSpace(strings.TrimPrefix(string(line), input.ByteOrderMark))
		if text == "" {
			continue
		}
		if r.rec = append(r.rec[:0], text); r.classes != nil {
			r.rec = append(r.rec, r.classes[r.at])
		}
		return r.rec, nil
	}
	return nil, io.EOF
}

// close closes the file that is read.
func (r *lineRows) close() {
	if r.lines != nil {
		r.done()
		r.lines = nil
	}
}
