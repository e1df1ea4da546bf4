package corpus

import (
	"context"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Column is what the documents of a file have in one column, or one field of JSON, beside their
// texts, names and classes.
type Column struct {
	Name string
	// Words are its different values, in the order in which the documents have them first.
	Words []string
	// Of is the number of each document's value among Words; -1 for a document without one.
	Of []int32
}

const (
	// mostColumns is the largest number of columns that are read.
	mostColumns = 256
	// shortValue is the mean number of characters of a value above which a column is one of texts.
	shortValue = 60
	// wordBytes and documentBytes are about what a different value of a column takes beside its
	// characters, and a document.
	wordBytes, documentBytes = 80, 5
)

// ReadColumns reads the columns of the texts that c was read from which hold short values and are
// no text, name or class: all of them, or those of names. A field inside another is written a.b.
// path and opt are those that c was read with, by which it has all documents of the file, which is
// read again; the times in opt.TimeColumn are such a column.
//
// notes says which columns are left out: those of names that hold no short values, and those of
// most different values if all take more than limit bytes. Formats: JSON lines, JSON arrays, tables
// of texts, spreadsheets, Parquet, and folders, lists and archives of zip of these; other corpora
// have no columns.
//
// Errors: as of [Read]; the documents are divided among ranks; a column of names is not there.
func (c *Corpus) ReadColumns(ctx context.Context, path string, opt ReadOptions, names []string, limit int64) (list []Column, notes []string, err error) {
	if c.division != nil {
		return nil, nil, c.errDivided("columns beside the texts are not read")
	}
	if !slices.Contains(TableFormats(), c.Format) {
		return nil, nil, nil
	}
	opt.IDsFrom, opt.Snippets, opt.Single, opt.Divide, opt.beside, opt.dates = "", 0, false, false, true, true
	all := &columnsRead{names: names, at: make(map[string]*columnRead), limit: limit}
	if c.X != nil {
		all.documents = c.Len()
	}
	pass := &Contents{Name: path}
	err = pass.pass(ctx, path, opt, func(docs []Document) error {
		for i := range docs {
			all.add(docs[i].Beside)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	if pass.Documents != c.Len() {
		return nil, nil, invalid.Errorf("%s: it had %d documents, and %d when its columns were read: run again when nothing writes to it", path, c.Len(), pass.Documents)
	}
	return all.finish(path)
}

// columnRead is a column that is being read.
type columnRead struct {
	Column
	number  map[string]int32
	present int
	letters int // of all values
	bytes   int64
	dropped bool
}

// columnsRead are the columns that are being read.
type columnsRead struct {
	names     []string // that are wanted; nil: all
	at        map[string]*columnRead
	list      []*columnRead
	documents int // in the file
	seen      int
	bytes     int64
	limit     int64
	large     []string // columns that were left out for the memory
}

// add takes the values of the next document.
func (r *columnsRead) add(values []text.Value) {
	for _, v := range values {
		c := r.column(v.Column)
		word := lexical.Tidy(v.Text)
		if c == nil || c.dropped || len(c.Of) > r.seen || lexical.IsMissing(word) {
			continue
		}
		for len(c.Of) < r.seen {
			c.Of = append(c.Of, -1)
		}
		k, known := c.number[word]
		if !known {
			k = int32(len(c.Words))
			word = strings.Clone(word)
			c.Words, c.number[word] = append(c.Words, word), k
			c.bytes += int64(len(word)) + wordBytes
			r.bytes += int64(len(word)) + wordBytes
		}
		c.Of = append(c.Of, k)
		c.present++
		if c.letters += len(v.Text); c.present >= 1000 && c.letters > shortValue*c.present {
			r.drop(c)
		}
	}
	for r.seen++; r.limit > 0 && r.bytes > r.limit; {
		r.dropLargest()
	}
}

// column is the column of a name; nil if it is not wanted.
func (r *columnsRead) column(name string) *columnRead {
	if c, ok := r.at[name]; ok {
		return c
	}
	wanted := r.names == nil || slices.ContainsFunc(r.names, func(n string) bool { return strings.EqualFold(n, name) })
	if !wanted || len(r.list) == mostColumns {
		if len(r.at) < 4*mostColumns {
			r.at[name] = nil
		}
		return nil
	}
	c := &columnRead{Column: Column{Name: name}, number: make(map[string]int32), bytes: documentBytes * int64(r.documents)}
	r.bytes += c.bytes
	r.at[name], r.list = c, append(r.list, c)
	return c
}

// drop leaves a column out.
func (r *columnsRead) drop(c *columnRead) {
	r.bytes -= c.bytes
	c.dropped, c.Words, c.Of, c.number = true, nil, nil, nil
}

// dropLargest leaves out the column that takes most memory.
func (r *columnsRead) dropLargest() {
	var largest *columnRead
	for _, c := range r.list {
		if !c.dropped && (largest == nil || c.bytes > largest.bytes) {
			largest = c
		}
	}
	if largest == nil {
		r.bytes = 0
		return
	}
	r.large = append(r.large, largest.Name)
	r.drop(largest)
}

// finish returns the columns that hold short values, in their order.
func (r *columnsRead) finish(path string) (list []Column, notes []string, err error) {
	for _, name := range r.names {
		has := func(c *columnRead) bool { return strings.EqualFold(c.Name, name) }
		if !slices.ContainsFunc(r.list, has) {
			var names []string
			for at := range r.at {
				names = append(names, at)
			}
			slices.Sort(names)
			return nil, nil, invalid.Errorf("%s: no document has a column %s beside its text, name and class; the columns are %s", path, message.Clip(name, 60), message.List(names, 12))
		}
	}
	for _, c := range r.list {
		switch {
		case c.dropped || c.letters > shortValue*c.present:
			if r.names != nil && !slices.Contains(r.large, c.Name) {
				notes = append(notes, "Column "+message.Clip(c.Name, 60)+" holds texts, and is left out of the page.")
			}
		case c.present > 0:
			for len(c.Of) < r.seen {
				c.Of = append(c.Of, -1)
			}
			list = append(list, c.Column)
		}
	}
	if len(r.large) > 0 {
		notes = append(notes, "Columns beside the texts are left out for want of memory: "+message.List(r.large, 6)+".")
	}
	return list, notes, nil
}
