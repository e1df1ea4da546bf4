package corpus

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
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
// commas, tabs or semicolons. The file may be compressed with gzip or xz. In the lines whose column
// "escaped" is yes, texts that a spreadsheet would run have an apostrophe before them, which is
// taken off.
//
// JSON lines and arrays of objects with id and label, lists of numbers or texts that NumPy saved
// (.npy) and IDX files of labels, and corpora that have labels, are lists of labels too.
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
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	if trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n"); text.IsJSONArray(head) || bytes.HasPrefix(trimmed, []byte("{\"")) {
		l, err := text.ReadLabels(in, column)
		if err != nil {
			return nil, in.Blame(err)
		}
		return &Labeling{File: in.Name, IDs: l.IDs, Labels: l.Labels, Lines: l.Lines, Column: l.Column}, nil
	}
	if format := matrix.FormatByMagic(head); format == "npy" || format == "idx" {
		labels, list, err := matrix.LabelList(in, format)
		if err == nil && list && column != "" {
			err = in.Fail("", "is a list without columns: leave the column %q out", column)
		}
		if err != nil {
			return nil, in.Blame(err)
		}
		if list {
			return labelingOfList(in.Name, labels), nil
		}
		return labelingOf(ctx, path, maxBytes)
	}
	if format := formatByExtension(path); format != "" && format != "csv" && format != "tsv" {
		return labelingOf(ctx, path, maxBytes)
	}
	l, err := parseLabeling(in, column)
	return l, in.Blame(err)
}

// labelingOf is the labels of a corpus of any format.
func labelingOf(ctx context.Context, path string, maxBytes int64) (*Labeling, error) {
	c, err := Read(ctx, path, ReadOptions{MaxBytes: maxBytes, Text: TextOptions{Language: "none", StopWords: "none", MinDF: 1}})
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

// labelingOfList is a list of labels in the order of the documents.
func labelingOfList(file string, labels []string) *Labeling {
	l := &Labeling{File: file, Labels: labels, Lines: make([]int, len(labels))}
	lexical.TidyAll(labels)
	for i := range labels {
		l.Lines[i] = i + 1
	}
	return l
}

// parseLabeling reads the opened file of labels.
func parseLabeling(in *input.File, column string) (*Labeling, error) {
	table, err := table.OpenList(in)
	if err != nil {
		return nil, err
	}
	l := &Labeling{File: in.Name, isTable: true}
	id, label, width, mark := -1, 0, 0, -1
	for n := 0; ; n++ {
		rec, err := table.Next()
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
			return nil, in.Fail(table.Place(), "has %d fields where the lines before have %d; write every line as id,label or as one label", len(rec), width)
		}
		if err := in.Mem.Take(int64(len(rec[label])+24), 1); err != nil {
			return nil, in.Wrap("", err)
		}
		l.Lines = append(l.Lines, table.Line)
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
	if len(l.Labels) == 0 {
		return nil, in.Fail("", "holds no labels; write lines id,label or one label per line")
	}
	return l, nil
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
	word := func(label string) bool {
		_, number := lexical.Number(label)
		return !number && label != "" && !classes.MeansNone(label)
	}
	if !word(l.Labels[0]) && !slices.ContainsFunc(l.Labels[1:], word) {
		return l, ""
	}
	own := *l
	own.Labels = l.Labels[1:]
	if l.Lines != nil {
		own.Lines = l.Lines[1:]
	}
	return &own, fmt.Sprintf("The first line of %s, %s, is taken for a header: it has one line more than there are documents, and no other is like it.", filepath.Base(l.File), message.Clip(l.Labels[0], 40))
}

// apply gives the corpus these labels in place of its own. Documents that the list does not name
// are unlabelled. It is an error if the list has a name that the corpus does not have or has twice,
// or has a name twice; names in parts that were left out are ignored. The error names every such
// line, up to a limit. A corpus without names takes the names of a list that has one for each
// document.
func (l *Labeling) apply(c *Corpus) error {
	l, note := l.WithoutHeader(c.Documents())
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
	case l.namesAll(c):
		c.IDs = own(c, l.IDs)
		c.Notes = append(c.Notes, fmt.Sprintf("The documents have no names of their own and take the names in %s, in the order of that file.", filepath.Base(l.File)))
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
