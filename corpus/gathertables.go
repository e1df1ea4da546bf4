package corpus

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// classColumn is the name of the column of classes, or of the field, that a gathered corpus has by
// the names of its files.
const classColumn = "label"

// openMember opens a table among others. The caller closes it by the function returned.
func openMember(m member, open func() (*input.File, func(), error), opt ReadOptions) (*table.Table, func(), error) {
	in, done, err := open()
	if err != nil {
		return nil, nil, err
	}
	format := m.format
	if format == "" {
		format = "csv"
	}
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

// gatherTables makes one table of those that have the same columns; nil if they have not.
func gatherTables(in *input.File, list []member, opt ReadOptions, labelled bool) (*gathered, error) {
	n := classesOf(list)
	if n.beside > 0 {
		return nil, nil
	}
	return joinTables(in, n, "tables with the same columns", opt, labelled)
}

// joinTables makes one table of the files of n; nil if their columns differ. The note on them calls
// them what.
func joinTables(in *input.File, n nameSet, what string, opt ReadOptions, labelled bool) (*gathered, error) {
	var header []string
	ids, worded, told := idNames{}, make(map[int]int), 0
	for i, m := range n.list {
		t, done, err := openMember(m, m.look, opt)
		if err != nil {
			return nil, err
		}
		names := t.Header
		if names == nil {
			names = make([]string, len(t.Columns)) // of no name
		}
		if i == 0 {
			header = slices.Clone(names)
		}
		same := slices.Equal(header, names)
		if same {
			err = ids.look(t)
		}
		for j := range t.Words {
			worded[j]++
		}
		if t.Words != nil {
			told++
		}
		done()
		if !same || err != nil {
			return nil, err
		}
	}
	opt.numbers = numbersInSome(in, worded, told, header)
	if opt.LabelColumn != "" || labelled || slices.ContainsFunc(header, hasClasses) {
		n = n.without()
	}
	class, width := classColumn, len(header)
	if header = nameColumns(header, ids.column); header == nil {
		class = strconv.Itoa(width + 1)
	}
	if n.classes == nil {
		class = ""
	}
	noteMembers(in, n, what)
	if ids.again && opt.IDColumn == "" && opt.Usual.ID == "" {
		in.Notef("Several tables have the same ids, and the documents are numbered; ‹id-column› names a column of others.")
		opt.IDColumn = columns.None
	}
	expect(in, n.list)
	rows := &joinedRows{classes: n.classes, header: header, parts: &table.Parts{Unit: "line"}}
	for _, m := range n.list {
		rows.names = append(rows.names, m.path)
	}
	given := opt
	rows.open = func(i int) (*table.Table, func(), error) { return openMember(n.list[i], n.list[i].open, given) }
	rows.sums = func(left int, first string) {
		in.Notef("%s left out in the tables (first: in %s): by names and numbers the sums or means of those above; other names keep them.", message.Plural(left, "line", "lines"), message.Clip(first, 60))
	}
	if opt.Header = table.HeaderYes; header == nil {
		opt.Header = table.HeaderNo
	}
	return gatherRows(in, rows.next, rows.close, rows.parts, class, opt)
}

// numbersInSome returns the columns that hold labels in some of so many tables and numbers in
// others, of which worded counts those with labels: they hold numbers in all, with a note.
func numbersInSome(in *input.File, worded map[int]int, tables int, header []string) (list []int) {
	var names []string
	for _, j := range slices.Sorted(maps.Keys(worded)) {
		if worded[j] < tables {
			list, names = append(list, j), append(names, header[j])
		}
	}
	if list != nil {
		in.Notef("Columns hold numbers in all tables, since in some of them too few values have labels: %s.", message.List(names, 8))
	}
	return list
}

// nameColumns names the columns of a header that have none, but for names of documents in the first
// one; nil if several columns have no name at all, as in tables without a header.
func nameColumns(header []string, ids int) []string {
	if len(header) == 1 && header[0] == "" {
		return []string{"text"}
	}
	if !slices.ContainsFunc(header, func(name string) bool { return name != "" }) {
		return nil
	}
	for j, name := range header {
		if name == "" && (j > 0 || ids != 0) {
			header[j] = "column " + lexical.Print(float64(j+1))
		}
	}
	return header
}

// hasClasses reports whether a column of this name has the classes of rows; one called y may be a
// measurement beside x.
func hasClasses(name string) bool { return lexical.NamesTopics(name) && strings.ToLower(name) != "y" }

// idNames are the first names of documents of tables, in a column that is called as such or counts.
type idNames struct {
	column int // from 0; -1: there is none
	seen   map[string]bool
	again  bool // two tables have the same name of a document
}

// look adds the names of a table.
func (n *idNames) look(t *table.Table) error {
	if n.seen == nil {
		n.seen, n.column = make(map[string]bool), -1
		for j, name := range t.Header {
			name = strings.ToLower(name)
			if slices.Contains(lexical.IDNames, name) || j == 0 && slices.Contains(lexical.IndexNames, name) {
				n.column = j
				break
			}
		}
	}
	if n.column < 0 || n.again {
		return nil
	}
	const looked = 20
	names := make(map[string]bool)
	for range looked {
		rec, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		names[rec[n.column]] = true
	}
	for name := range names {
		n.again = n.again || n.seen[name]
		n.seen[name] = true
	}
	return nil
}

// gatherRows makes a table of rows, with or without a header as opt says; class is the column of
// the classes, by its name or number, if they are from the names of files, and parts are told where
// the rows are from.
func gatherRows(in *input.File, next func() ([]string, error), end func(), parts *table.Parts, class string, opt ReadOptions) (*gathered, error) {
	t, err := table.FromRows(in, next, table.Options{Header: opt.Header, Decimal: opt.Decimal, Parts: parts})
	if err != nil {
		end()
		return nil, err
	}
	opt.LabelColumn = cmp.Or(class, opt.LabelColumn)
	return &gathered{table: t, opt: opt, close: end}, nil
}

// joinedRows are the rows of tables one after the other, below a header.
type joinedRows struct {
	names   []string // of the tables
	open    func(i int) (*table.Table, func(), error)
	classes []string // nil: none are added
	header  []string // nil once it was given
	parts   *table.Parts
	at      int
	table   *table.Table
	done    func()
	rec     []string
	sums    func(rows int, first string) // notes rows that were left out as sums of others; nil: the tables do
	summed  int
	where   string // the first table with such rows
}

// next returns the next row; io.EOF at the end.
func (r *joinedRows) next() ([]string, error) {
	if h := r.header; h != nil {
		r.header = nil
		if r.classes != nil {
			h = append(slices.Clone(h), classColumn)
		}
		return h, nil
	}
	for r.at < len(r.names) {
		if r.table == nil {
			var err error
			if r.table, r.done, err = r.open(r.at); err != nil {
				return nil, err
			}
			r.parts.Begin(r.names[r.at])
			if n := r.table.Summed; n > 0 {
				r.summed, r.where = r.summed+n, cmp.Or(r.where, r.names[r.at])
			}
		}
		rec, err := r.table.Next()
		if err == io.EOF {
			r.close()
			r.at++
			continue
		}
		r.parts.Row(r.table.Line)
		if err != nil || r.classes == nil {
			return rec, err
		}
		r.rec = append(append(r.rec[:0], rec...), r.classes[r.at])
		return r.rec, nil
	}
	if r.summed > 0 && r.sums != nil {
		r.sums(r.summed, r.where)
		r.summed = 0
	}
	return nil, io.EOF
}

// close closes the table that is read.
func (r *joinedRows) close() {
	if r.table != nil {
		r.done()
		r.table = nil
	}
}
