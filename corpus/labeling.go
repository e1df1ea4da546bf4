package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Labeling is a list of labels that stands apart from its corpus.
type Labeling struct {
	File   string   // where it was read
	IDs    []string // the document each label belongs to; nil: document 1, 2, 3, ...
	Labels []string // empty means unlabelled
	Lines  []int    // the line each label stands in, from 1
}

// ReadLabeling reads a file of labels: lines id,label, or one label a line. A header line that names
// the columns is recognised, and with it a file may have more of them (id,cluster,label as
// `eigenmap cluster` writes it); column then says which is meant, where empty takes label, class,
// category, target, y, gnd or cluster, whichever of these comes first. Fields are separated by
// commas, tabs or semicolons; gzip and xz are recognised.
func ReadLabeling(ctx context.Context, path, column string) (*Labeling, error) {
	return readLabelingLimited(ctx, path, column, ReadOptions{})
}

func readLabelingLimited(ctx context.Context, path, column string, opt ReadOptions) (*Labeling, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opt.Observer = nil
	in, err := newInput(ctx, path, f, size, opt)
	if err != nil {
		return nil, err
	}
	return parseLabeling(in, column)
}

// parseLabeling reads the opened file of labels.
func parseLabeling(in *input, column string) (*Labeling, error) {
	table, err := newTable(in, 0)
	if err != nil {
		return nil, err
	}
	l := &Labeling{File: in.name}
	id, label, width := -1, 0, 0
	for n := 0; ; n++ {
		rec, err := table.next()
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
				continue
			}
		}
		if len(rec) != width {
			return nil, in.fail(table.place(), "has %d fields where the lines before have %d; write every line as id,label or as one label", len(rec), width)
		}
		if err := in.mem.take(int64(len(rec[label])+24), 1); err != nil {
			return nil, in.wrap("", err)
		}
		l.Lines = append(l.Lines, table.line)
		l.Labels = append(l.Labels, strings.Clone(tidy(rec[label])))
		if id >= 0 {
			if err := in.mem.take(int64(len(rec[id])+16), 1); err != nil {
				return nil, in.wrap("", err)
			}
			l.IDs = append(l.IDs, strings.Clone(tidy(rec[id])))
		}
	}
	if len(l.Labels) == 0 {
		return nil, in.fail("", "holds no labels; write lines id,label or one label a line")
	}
	return l, nil
}

// labelNames and idNames are the column names recognised in headers, lower case, best first.
var (
	labelNames = []string{"label", "class", "category", "target", "y", "gnd", "labels", "cluster"}
	idNames    = []string{"id", "doc", "docid", "document"}
)

// labelColumns finds the id column (-1 for none) and the label column by the first record, and tells
// whether that record is a header.
func labelColumns(in *input, first []string, column string) (id, label int, header bool, err error) {
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
	names := labelNames
	if column != "" {
		names = []string{strings.ToLower(column)}
	}
	id, label = find(idNames), find(names)
	switch {
	case label >= 0 && (id >= 0 || len(first) != 2):
		return id, label, true, nil
	case column != "":
		return 0, 0, false, in.fail("line 1", "has no column %q; its columns are %s", clip(column, 60), listNames(first, 12))
	case len(first) == 1:
		return -1, 0, false, nil
	case len(first) == 2:
		return 0, 1, false, nil
	}
	return 0, 0, false, in.fail("line 1", "has %d fields and no header with a column label; write lines id,label or one label a line", len(first))
}

// raw returns labels that stand in the corpus' order; without says how to read the corpus without them.
func (l *Labeling) raw(without string) *rawLabels {
	return &rawLabels{what: "the list of labels", file: l.File, without: without, words: l.Labels}
}

// apply gives the corpus these labels in place of its own. Documents that the list does not name are
// unlabelled; names that the corpus does not have or has twice and names given twice are errors, but for names in parts that were left out; the error names every such line, up to a limit. A corpus without
// names takes those of a list that has one for each document.
func (l *Labeling) apply(c *Corpus) error {
	words := l.Labels
	switch {
	case l.IDs == nil:
		if len(words) != c.Len() {
			return failf(l.File, "", "has %d labels, but %s has %d documents; give one label for each, or lines id,label", len(words), c.Name, c.Len())
		}
	case slices.Equal(l.IDs, c.IDs): // in order, so names may occur twice
	case l.namesAll(c):
		c.IDs = l.IDs
		c.Notes = append(c.Notes, fmt.Sprintf("The documents have no names of their own and take those of %s, in the order of that file.", filepath.Base(l.File)))
	default:
		row := c.rowsByID()
		words = make([]string, c.Len())
		first := make([]int, c.Len()) // the line that names a document
		faults, help := faults{file: l.File}, c.names()
		for k, id := range l.IDs {
			_, known := row[id]
			if !known && c.isUnread(id) {
				continue
			}
			i, ok := faults.row(row, id, l.Lines[k])
			switch {
			case known && !ok:
				help = "where documents share a name, give one label a line for all documents"
			case !ok:
			case first[i] > 0:
				faults.add(l.Lines[k], "%s stands in line %d already", clip(id, 40), first[i])
			default:
				first[i], words[i] = l.Lines[k], l.Labels[k]
			}
		}
		if err := faults.err(help); err != nil {
			return err
		}
	}
	c.Labels, c.ClassNames = classesOfWords(words)
	if len(c.ClassNames) == 0 {
		return failf(l.File, "", "all labels are empty; write a class for at least one document")
	}
	_, none := c.ClassSizes()
	c.Notes = append(c.Notes, fmt.Sprintf("%s labels %d of %s.", filepath.Base(l.File), c.Len()-none, plural(c.Len(), "document", "documents")))
	return nil
}

// namesAll reports whether the corpus has no names and the list a new one for each of its documents.
func (l *Labeling) namesAll(c *Corpus) bool {
	if c.IDs != nil || len(l.IDs) != c.Len() {
		return false
	}
	seen := make(map[string]bool, len(l.IDs))
	for _, id := range l.IDs {
		n, err := strconv.Atoi(id)
		numbered := err == nil && n >= 1 && n <= c.Len() && strconv.Itoa(n) == id
		if numbered || id == "" || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// errTooLong marks a record that alone passes the memory allowed.
var errTooLong = errors.New("record too long")
