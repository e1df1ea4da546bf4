package corpus

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// classColumn is the name of the column of classes, or of the field, that a gathered corpus has by
// the names of its files.
const classColumn = "label"

// openMember opens a table among others. The caller closes it by the function returned.
func openMember(m member, opt ReadOptions) (*table.Table, func(), error) {
	in, done, err := m.open()
	if err != nil {
		return nil, nil, err
	}
	format := "csv"
	if strings.HasSuffix(input.UnpackedName(strings.ToLower(m.path)), ".tsv") {
		format = "tsv"
	}
	t, err := openTable(in, format, opt)
	if err != nil {
		done()
		return nil, nil, in.Blame(err)
	}
	return t, done, nil
}

// readTables reads tables that have the same columns as one; nil if they have not.
func readTables(in *input.File, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	kept, classes := classesOf(list, true)
	if len(kept) < len(list) {
		return nil, nil
	}
	var header []string
	for i, m := range kept {
		t, done, err := openMember(m, opt)
		if err != nil {
			return nil, err
		}
		done()
		names := t.Header
		if names == nil {
			names = make([]string, len(t.Columns)) // of no name
		}
		if i == 0 {
			header = slices.Clone(names)
		} else if !slices.Equal(header, names) {
			return nil, nil
		}
	}
	if opt.LabelColumn != "" || given != nil || slices.ContainsFunc(header, lexical.NamesTopics) {
		classes = nil
	}
	for j, name := range header {
		switch {
		case name != "":
		case len(header) == 1:
			header[j] = "text"
		default:
			header[j] = "column " + lexical.Print(float64(j+1))
		}
	}
	noteMembers(in, kept, "tables with the same columns", len(list), classes)
	rows := &memberRows{list: kept, classes: classes, header: header, opt: opt}
	defer rows.close()
	return readGathered(in, rows.next, classes != nil, opt, given)
}

// readGathered makes the corpus of rows below a header; labelled says that the last column has the
// classes.
func readGathered(in *input.File, next func() ([]string, error), labelled bool, opt ReadOptions, given *Labeling) (*Corpus, error) {
	t, err := table.FromRows(in, next, table.Options{Header: table.HeaderYes, Decimal: opt.Decimal})
	if err != nil {
		return nil, err
	}
	if labelled {
		opt.LabelColumn = classColumn
	}
	return readRows(in, t, "table", opt, given)
}

// memberRows are the rows of tables one after the other, below a header.
type memberRows struct {
	list    []member
	classes []string // nil: none are added
	header  []string // nil once it was given
	opt     ReadOptions
	at      int
	table   *table.Table
	done    func()
	rec     []string
}

// next returns the next row; io.EOF at the end.
func (r *memberRows) next() ([]string, error) {
	if h := r.header; h != nil {
		r.header = nil
		if r.classes != nil {
			h = append(slices.Clone(h), classColumn)
		}
		return h, nil
	}
	for r.at < len(r.list) {
		if r.table == nil {
			var err error
			if r.table, r.done, err = openMember(r.list[r.at], r.opt); err != nil {
				return nil, err
			}
		}
		rec, err := r.table.Next()
		if err == io.EOF {
			r.close()
			r.at++
			continue
		}
		if err != nil || r.classes == nil {
			return rec, err
		}
		r.rec = append(append(r.rec[:0], rec...), r.classes[r.at])
		return r.rec, nil
	}
	return nil, io.EOF
}

// close closes the table that is read.
func (r *memberRows) close() {
	if r.table != nil {
		r.done()
		r.table = nil
	}
}

// readLineFiles reads few texts with a document on each line, each a class by its name; nil if they
// may be texts themselves: with blank lines or few lines, or wrapped.
func readLineFiles(in *input.File, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	kept, classes := classesOf(list, true)
	if len(kept) < len(list) || classes == nil {
		return nil, nil
	}
	for _, m := range kept {
		if lines, err := holdsLines(m); err != nil || !lines {
			return nil, err
		}
	}
	if opt.LabelColumn != "" || given != nil {
		classes = nil
	}
	noteMembers(in, kept, "files with a document on each line", len(list), classes)
	rows := &lineRows{list: kept, classes: classes, encoding: opt.Encoding}
	defer rows.close()
	opt.TextColumn = []string{"text"}
	return readGathered(in, rows.next, classes != nil, opt, given)
}

// holdsLines reports whether the lines of a file look like documents.
func holdsLines(m member) (bool, error) {
	in, done, err := m.open()
	if err != nil {
		return false, err
	}
	defer done()
	head, err := in.Peek(table.LookedAt)
	if err != nil {
		return false, err
	}
	whole := len(head) < table.LookedAt
	lines := bytes.Split(bytes.TrimSpace(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))), []byte("\n"))
	if !whole {
		lines = lines[:len(lines)-1] // cut off
	}
	if len(lines) < leastLines || bytes.IndexByte(head, 0) >= 0 || formatByLook(head) != "" {
		return false, nil
	}
	longest, words := 0, 0
	for _, l := range lines {
		if len(bytes.TrimSpace(l)) == 0 {
			return false, nil
		}
		longest, words = max(longest, len(l)), words+len(bytes.Fields(l))
	}
	near := 0 // lines that are about as long as the longest one
	for _, l := range lines {
		if 4*len(l) >= 3*longest {
			near++
		}
	}
	const wrapped = 100
	return words >= 2*len(lines) && (longest > wrapped || 2*near <= len(lines)), nil
}

// lineRows are the lines of files one after the other, below a header.
type lineRows struct {
	list     []member
	classes  []string
	encoding string
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
