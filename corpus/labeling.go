package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/rdata"
	"github.com/eigenmap/eigenmap/corpus/internal/statfile"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
)

// Labeling is a list of labels from a file of its own.
type Labeling struct {
	File   string   // path of the file
	IDs    []string // the document each label belongs to; nil: document 1, 2, 3, ...
	Labels []string // empty means unlabelled
	Lines  []int    // the line of each label, from 1
	Header []string // names of the file's columns; nil if it has no header
	Column string   // name of the column that the labels are from; "" without a header

	isTable bool // it is from lines of fields, of which the first may be a header
}

// ReadLabeling reads a file of labels: lines id,label, or one label per line. The file may have a
// header line that names the columns, and with it more columns (id,cluster,label as `eigenmap
// cluster` writes it). column is then the name of the column of labels; empty takes the first of
// label, class, category, target, y, gnd and cluster that the header has. Fields are separated by
// commas, tabs or semicolons. The file may be compressed, or a spreadsheet (.xlsx, .ods, .xls) or a
// table of R, SPSS, Stata or SAS. In the lines whose column "escaped" is yes, texts that a
// spreadsheet would run have an apostrophe before them, which is taken off. The encoding is found
// out: UTF-8, UTF-16, or as for tables.
//
// JSON lines and arrays of objects with id and label, lists of numbers or texts in .npy, and in
// .npz, .mat and HDF5, of whose lists column names one, IDX files of labels, and corpora that have
// labels, are lists of labels too.
func ReadLabeling(ctx context.Context, path, column string) (*Labeling, error) {
	return readLabelingLimited(ctx, path, column, 0)
}

// readLabelingLimited is [ReadLabeling] with at most maxBytes of memory; 0: the default.
func readLabelingLimited(ctx context.Context, path, column string, maxBytes int64) (*Labeling, error) {
	in, done, err := input.Open(ctx, path, input.Limits{MaxBytes: maxBytes})
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := labelingIn(in, path, column)
	if errors.Is(err, errCorpus) {
		return labelingOf(ctx, path, maxBytes)
	}
	return l, in.Blame(err)
}

// errCorpus says that a file is no list of labels but may be a corpus that has labels.
var errCorpus = errors.New("a corpus")

// labelingIn reads the opened file of labels; the error is errCorpus if it may be a corpus.
func labelingIn(in *input.File, path, column string) (*Labeling, error) {
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	if trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n"); text.IsJSONArray(head) || bytes.HasPrefix(trimmed, []byte("{\"")) {
		l, err := text.ReadLabels(in, column)
		if err != nil {
			return nil, err
		}
		return &Labeling{File: in.Name, IDs: l.IDs, Labels: l.Labels, Lines: l.Lines, Column: l.Column}, nil
	}
	switch format := matrix.FormatByMagic(head); format {
	case "npz":
		return labelingInZip(in, column)
	case "npy", "idx", "hdf5", "mat":
		return labelingInArray(in, format, column)
	}
	switch {
	case rdata.Is(head):
		return labelingSaved(in, column)
	case statfile.Look(head) != "":
		rows, err := statfile.Open(in, statfile.Look(head), statfile.Options{})
		if err != nil {
			return nil, err
		}
		return labelingInRows(in, column, rows.Next)
	case isPage(in, head):
		book, err := openPage(in, ReadOptions{Format: "html"})
		if err != nil {
			return nil, err
		}
		return labelingInBook(in, book, column)
	}
	if book, err := table.OpenFlat(in); book != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return labelingInBook(in, book, column)
	}
	if format := formatByExtension(path); format != "" && !slices.Contains(tableFormats, format) {
		return nil, errCorpus
	}
	return labelingInLines(in, column)
}

// labelingInLines reads lines of labels.
func labelingInLines(in *input.File, column string) (*Labeling, error) {
	if err := charset.Stream(in, charset.Auto); err != nil {
		if fault := (*input.FormatError)(nil); errors.As(err, &fault) {
			return nil, in.Fail("", "is in no encoding that is recognised; save it as UTF-8")
		}
		return nil, err
	}
	records, err := table.OpenList(in)
	if err != nil {
		return nil, err
	}
	return parseLabeling(in, column, "line", func() ([]string, int, error) {
		rec, err := records.Next()
		return rec, records.Line, err
	})
}

// labelingInArray reads a list of labels that NumPy saved, or one in IDX.
func labelingInArray(in *input.File, format, column string) (*Labeling, error) {
	labels, ids, list, err := matrix.LabelList(in, format, column)
	switch {
	case err != nil:
		return nil, err
	case !list:
		return nil, errCorpus
	case column != "" && format != "npz" && format != "hdf5" && format != "mat":
		return nil, in.Fail("", "is a list without columns: leave the column %q out", column)
	}
	return labelingOfList(in.Name, labels, ids), nil
}

// labelingInZip reads the labels in an archive of zip: arrays, a spreadsheet or one file.
func labelingInZip(in *input.File, column string) (*Labeling, error) {
	z, err := openZip(in)
	if err != nil {
		return nil, err
	}
	if z == nil {
		return labelingInArray(in, "npz", column) // which says what is wrong with it
	}
	switch zipKind(z) {
	case "npz":
		return labelingInArray(in, "npz", column)
	case "xlsx", "ods":
		book, err := table.OpenBook(in, z)
		if err != nil {
			return nil, err
		}
		return labelingInBook(in, book, column)
	}
	if len(zipFiles(z)) != 1 {
		return nil, errCorpus
	}
	inside, err := unzipped(in, z, ReadOptions{})
	if err != nil {
		return nil, err
	}
	return labelingIn(inside, inside.Name, column)
}

// labelingSaved reads the labels in a table or a list of words that R saved.
func labelingSaved(in *input.File, column string) (*Labeling, error) {
	data, err := rdata.Read(in, "", "saveRDS(x, 'x.rds')")
	if err != nil {
		return nil, err
	}
	if data.Matrix != nil {
		return nil, in.Fail("", "holds a matrix, where labels are needed; write them with saveRDS(data.frame(id, label), 'labels.rds')")
	}
	next := data.Rows()
	if data.List {
		next() // it has no header of its own
	}
	return labelingInRows(in, column, next)
}

// labelingInRows reads the labels in the rows of a table.
func labelingInRows(in *input.File, column string, next func() ([]string, error)) (*Labeling, error) {
	n := 0
	return parseLabeling(in, column, "row", func() ([]string, int, error) {
		rec, err := next()
		n++
		return rec, n, err
	})
}

// labelingInBook reads the labels in the first sheet of a spreadsheet or table of a page.
func labelingInBook(in *input.File, book *table.Book, column string) (*Labeling, error) {
	t, done, err := book.OpenFirst(table.Options{Header: table.HeaderNo, Decimal: table.DecimalPoint})
	if err != nil {
		return nil, err
	}
	defer done()
	return parseLabeling(in, column, t.Unit(), func() ([]string, int, error) {
		rec, err := t.Next()
		return rec, t.Line, err
	})
}

// labelingOf is the labels of a corpus of any format.
func labelingOf(ctx context.Context, path string, maxBytes int64) (*Labeling, error) {
	c, err := Read(ctx, path, ReadOptions{MaxBytes: maxBytes, Text: TextOptions{Language: "none", StopWords: "none", MinDF: 1}})
	if formatByExtension(path) == "parquet" && errors.Is(err, ErrNoDocuments) {
		return nil, input.Failf(path, "", "holds no corpus, and a list of labels is not read from Parquet; write lines id,label, of pandas with to_csv(\"labels.csv\", index=False)")
	}
	if err != nil {
		return nil, err
	}
	if c.Labels == nil {
		return nil, input.Failf(path, "", "has no labels; give lines id,label, or a corpus with labels")
	}
	l := &Labeling{File: path, IDs: c.IDs}
	for i := range c.Len() {
		l.Labels, l.Lines = append(l.Labels, c.className(i)), append(l.Lines, i+1)
	}
	return l, nil
}

// labelingOfList is a list of labels of documents with the names ids, nil for the order of the
// documents.
func labelingOfList(file string, labels, ids []string) *Labeling {
	l := &Labeling{File: file, IDs: ids, Labels: labels, Lines: make([]int, len(labels))}
	lexical.TidyAll(labels)
	lexical.TidyAll(ids)
	for i := range labels {
		l.Lines[i] = i + 1
	}
	return l
}

// parseLabeling reads the rows of a list of labels, each of which next returns with its number;
// unit is what a row is called.
func parseLabeling(in *input.File, column, unit string, next func() ([]string, int, error)) (*Labeling, error) {
	l := &Labeling{File: in.Name, isTable: true}
	id, label, width, mark := -1, 0, 0, -1
	for n := 0; ; n++ {
		rec, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if n == 0 {
			width = len(rec)
			header := false
			if id, label, header, err = labelColumns(in, rec, column); err != nil {
				return nil, err
			}
			if header {
				for _, name := range rec {
					l.Header = append(l.Header, strings.Clone(lexical.Tidy(name)))
				}
				l.Column = l.Header[label]
				mark = slices.Index(rec, spreadsheet.Mark)
				continue
			}
		}
		if len(rec) != width {
			return nil, in.Fail(fmt.Sprint(unit, " ", line), "has %d fields where the lines before have %d; write every line as id,label or as one label", len(rec), width)
		}
		if err := in.Mem.Take(int64(len(rec[label])+24), 1); err != nil {
			return nil, in.Wrap("", err)
		}
		l.Lines = append(l.Lines, line)
		text := func(cell string) string {
			if cell = lexical.Tidy(cell); mark >= 0 && rec[mark] == spreadsheet.Changed {
				cell = spreadsheet.Unescape(cell)
			}
			return strings.Clone(cell)
		}
		l.Labels = append(l.Labels, text(rec[label]))
		if id >= 0 {
			if err := in.Mem.Take(int64(len(rec[id])+16), 1); err != nil {
				return nil, in.Wrap("", err)
			}
			l.IDs = append(l.IDs, text(rec[id]))
		}
	}
	l.takeBack(column)
	if len(l.Labels) == 0 {
		return nil, in.Fail("", "holds no labels; write lines id,label or one label per line")
	}
	return l, nil
}

// takeBack makes the header of a list without further columns its first label again if another line
// is the same, as in a list of y and n.
func (l *Labeling) takeBack(column string) {
	if column != "" || len(l.Header) != 1 || !slices.Contains(l.Labels, l.Header[0]) {
		return
	}
	l.Labels, l.Lines = slices.Insert(l.Labels, 0, l.Header[0]), slices.Insert(l.Lines, 0, 1)
	l.Header, l.Column = nil, ""
}

// labelColumns finds the id column (-1 for none) and the label column by the first record, and
// reports whether that record is a header.
func labelColumns(in *input.File, first []string, column string) (id, label int, header bool, err error) {
	lower := make([]string, len(first))
	for i, f := range first {
		lower[i] = strings.ToLower(strings.TrimSpace(f))
	}
	find := func(names []string) int {
		for _, n := range names {
			if k := slices.Index(lower, n); k >= 0 {
				return k
			}
		}
		return -1
	}
	names := lexical.LabelNames
	if column != "" {
		names = []string{strings.ToLower(column)}
	}
	id, label = find(lexical.IDNames), find(names)
	if id < 0 && label > 0 && slices.Contains(lexical.IndexNames, lower[0]) {
		id = 0 // as pandas and R write the names of rows
	}
	switch {
	case label >= 0 && (id >= 0 || len(first) != 2):
		return id, label, true, nil
	case column != "":
		return 0, 0, false, in.Fail("line 1", "has no column %q; its columns are %s", message.Clip(column, 60), message.List(first, 12))
	case len(first) == 1:
		return -1, 0, false, nil
	case len(first) == 2:
		return 0, 1, false, nil
	}
	return 0, 0, false, in.Fail("line 1", "has %d fields and no header with a column label; write lines id,label or one label per line", len(first))
}

// Known are the labels with every one that means "no label" made empty, and a sentence that says
// how many were, "" for none. nan, NA, N/A, null, None,
// unlabeled and unlabelled mean no label, and so does -1 unless -1
// and 1 are the only labels, or another label is negative or a fraction.
func (l *Labeling) Known() (labels []string, note string) { return classes.Unlabel(l.Labels) }

// inOrder returns labels that are in the corpus' order. without says how to read the corpus without
// them, for messages.
func (l *Labeling) inOrder(without string) *matrix.Labels {
	return &matrix.Labels{What: "the list of labels", File: l.File, Without: without, Words: l.Labels}
}

// WithoutHeader returns a list of lines of labels without names that has one more than there are
// documents, the first of which occurs once, without this one, and a note that it is a header; any
// other list as it is, with "". An array has no header, and no number is one above numbers.
func (l *Labeling) WithoutHeader(documents int) (*Labeling, string) {
	if !l.isTable || l.IDs != nil || l.Header != nil || len(l.Labels) != documents+1 || len(l.Labels) < 3 || slices.Contains(l.Labels[1:], l.Labels[0]) {
		return l, ""
	}
	if !isWord(l.Labels[0]) && !slices.ContainsFunc(l.Labels[1:], isWord) {
		return l, ""
	}
	return l.withoutFirst(), l.headerNote("it has one line more than there are documents, and no other is like it")
}

// WithoutHeaders returns two lists of labels of the same documents without first lines that are
// headers of names that nobody knows, and a note on each. A line may be one if its name of a
// document or its label is a word above numbers alone, or if its label is the only one that occurs
// once. Of lists without names both have one or neither; of a list with names it is one that the
// other list lacks, or that stands in both without a digit where all other names have one.
func WithoutHeaders(a, b *Labeling) (restA, restB *Labeling, noteA, noteB string) {
	headA, headB := a.mayHaveHeader(), b.mayHaveHeader()
	switch {
	case a.IDs == nil && b.IDs == nil:
		headA = headA && headB && len(a.Labels) == len(b.Labels)
		headB = headA
	case !headA || !headB || !a.idIsWord() || !b.idIsWord():
		// Without one on both sides the line must be of no document of the other list.
		headA, headB = headA && a.namesMore(b), headB && b.namesMore(a)
	}
	const why = "no other is like it"
	if headA {
		noteA = a.headerNote(why)
		a = a.withoutFirst()
	}
	if headB {
		noteB = b.headerNote(why)
		b = b.withoutFirst()
	}
	return a, b, noteA, noteB
}

// namesMore reports whether the first document of a list with names, whose name has no digit, is
// none of the other list.
func (l *Labeling) namesMore(other *Labeling) bool {
	if l.IDs == nil || strings.ContainsAny(l.IDs[0], "0123456789") {
		return false
	}
	if other.IDs == nil {
		return len(l.Labels) == len(other.Labels)+1
	}
	return !slices.Contains(other.IDs, l.IDs[0])
}

// idIsWord reports whether the first name, if there are names, has no digit, as all others have.
func (l *Labeling) idIsWord() bool {
	digit := func(id string) bool { return strings.ContainsAny(id, "0123456789") }
	return l.IDs == nil || !digit(l.IDs[0]) && !slices.ContainsFunc(l.IDs[1:], func(id string) bool { return !digit(id) })
}

// mayHaveHeader reports whether the first of the lines, none of which is a header of known names,
// is like no other: its name or its label is a word above numbers, or its label is the only one
// that occurs once.
func (l *Labeling) mayHaveHeader() bool {
	if !l.isTable || l.Header != nil || len(l.Labels) < 3 || slices.Contains(l.Labels[1:], l.Labels[0]) {
		return false
	}
	if isWord(l.Labels[0]) && !slices.ContainsFunc(l.Labels[1:], isWord) {
		return true
	}
	if l.IDs != nil && isWord(l.IDs[0]) && !slices.ContainsFunc(l.IDs[1:], isWord) {
		return true
	}
	count := make(map[string]int)
	for _, label := range l.Labels {
		count[label]++
	}
	once := 0
	for _, n := range count {
		if n == 1 {
			once++
		}
	}
	return once == 1 && isWord(l.Labels[0])
}

// isWord reports whether a label is neither a number nor one that means none.
func isWord(label string) bool {
	_, number := lexical.Number(label)
	return !number && label != "" && !classes.MeansNone(label)
}

// withoutFirst is the list without its first line.
func (l *Labeling) withoutFirst() *Labeling {
	own := *l
	own.Labels = l.Labels[1:]
	if l.IDs != nil {
		own.IDs = l.IDs[1:]
	}
	if l.Lines != nil {
		own.Lines = l.Lines[1:]
	}
	return &own
}

// headerNote says that the first line is a header, and why.
func (l *Labeling) headerNote(why string) string {
	line := l.Labels[0]
	if l.IDs != nil {
		line = l.IDs[0] + "," + line
	}
	return fmt.Sprintf("The first line of %s, %s, is taken for a header: %s.", filepath.Base(l.File), message.Clip(line, 40), why)
}

// apply gives the corpus these labels in place of its own. Documents that the list does not name
// are unlabelled. It is an error if the list has a name that the corpus does not have or has twice,
// or has a name twice; names in parts that were left out are ignored. The error names every such
// line, up to a limit. A corpus without names takes the names of a list that has one for each
// document, in its order, unless a column of the corpus looks like names: the list may then be in
// another order.
func (l *Labeling) apply(c *Corpus) error {
	l, note := l.withoutHeaderOver(c)
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	words := l.Labels
	switch {
	case l.IDs == nil:
		if len(words) != c.Documents() {
			return input.Failf(l.File, "", "has %d labels, but %s has %d documents; give one label for each, or lines id,label", len(words), c.Name, c.Documents())
		}
	case c.division == nil && slices.Equal(l.IDs, c.IDs): // in order, so names may occur twice
	case l.namesAll(c) && !c.looksNamed():
		c.IDs = own(c, l.IDs)
		c.Notes = append(c.Notes, fmt.Sprintf("The documents have no names of their own and take the names in %s"+inItsOrder, filepath.Base(l.File)))
	default:
		ids, note, err := c.numbered(l.File, l.IDs)
		if err != nil {
			return err
		}
		if note != "" {
			c.Notes = append(c.Notes, note)
		}
		row := c.found(ids)
		words = make([]string, c.Documents())
		first := make([]int, len(words)) // the line that names a document
		faults, help := faults{file: l.File, header: l.firstLine(), nameless: c.nameless()}, c.names()
		if l.namesAll(c) {
			faults.nameless += "; ‹id-column› none takes the names in this list, in its order"
		}
		for k, id := range ids {
			_, known := row[id]
			if !known && c.isUnread(id) {
				continue
			}
			i, ok := faults.row(row, id, l.Lines[k])
			switch {
			case known && !ok:
				help = "if documents share a name, give one label per line for all documents"
			case !ok:
			case first[i] > 0:
				faults.add(l.Lines[k], "%s is in line %d already", message.Clip(id, 40), first[i])
			default:
				first[i], words[i] = l.Lines[k], l.Labels[k]
			}
		}
		if err := faults.err(help); err != nil {
			return err
		}
	}
	labels, names := classes.OfWords(words)
	c.Labels, c.ClassNames = own(c, labels), names
	if c.division != nil {
		d := *c.division
		d.sizes, d.unlabelled = (&Corpus{Labels: labels, ClassNames: names}).ClassSizes()
		c.division = &d
	}
	if _, note := classes.Unlabel(words); note != "" {
		c.Notes = append(c.Notes, note)
	}
	if len(c.ClassNames) == 0 {
		return input.Failf(l.File, "", "all labels are empty; write a class for at least one document")
	}
	_, none := c.ClassSizes()
	c.Notes = append(c.Notes, fmt.Sprintf("%s labels %d of %s.", filepath.Base(l.File), c.Documents()-none, message.Plural(c.Documents(), "document", "documents")))
	return nil
}

// inItsOrder is the end of the note on documents that have their names from a list of labels.
const inItsOrder = ", in the order of that file."

// lentNames are the names that a list of labels, which opt names, gave to all documents of the file
// of c in their order; nil if the documents have their own names or none.
func (c *Corpus) lentNames(ctx context.Context, opt ReadOptions) ([]string, error) {
	if opt.Labels == "" || !slices.ContainsFunc(c.Notes, func(note string) bool { return strings.HasSuffix(note, inItsOrder) }) {
		return nil, nil
	}
	l, err := readLabelingLimited(ctx, opt.Labels, "", opt.MaxBytes)
	if err != nil {
		return nil, err
	}
	return l.IDs, nil
}

// firstLine is the line of the first label, if the list is a table that names documents and has no
// header that was recognised; else 0.
func (l *Labeling) firstLine() int {
	if !l.isTable || l.IDs == nil || l.Header != nil || len(l.Lines) == 0 {
		return 0
	}
	return l.Lines[0]
}

// namesAll reports whether the corpus has no names and the list has a new name for each of its
// documents.
func (l *Labeling) namesAll(c *Corpus) bool {
	if c.IDs != nil || len(l.IDs) != c.Documents() {
		return false
	}
	seen := make(map[string]bool, len(l.IDs))
	for _, id := range l.IDs {
		n, err := strconv.Atoi(id)
		numbered := err == nil && n >= 1 && n <= c.Documents() && strconv.Itoa(n) == id
		if numbered || id == "" || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}
