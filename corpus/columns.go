package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Column is what the documents of a file have in one column, or one field of JSON, beside their
// texts, names and classes. It has words, or of a table of numbers its values.
type Column struct {
	Name string
	// Values are the numbers of each document in a column of a table of numbers; else nil.
	Values []float64
	// Words are its different values, in the order in which the documents have them first.
	Words []string
	// Of is the number of each document's value among Words; -1 for a document without one.
	Of []int32
}

const (
	// fewNumbers is the largest number of columns of a table of numbers that are columns without
	// being named.
	fewNumbers = 20
	// mostColumns is the largest number of columns that are read.
	mostColumns = 256
	// shortValue is the mean number of characters of a value above which a column is one of texts.
	shortValue = 60
	// wordBytes and documentBytes are about what a different value of a column takes beside its
	// characters, and a document.
	wordBytes, documentBytes = 80, 5
)

// ReadColumns reads the columns that lie beside the texts of c: those with short values that are no
// text, name or class. names chooses among them; nil takes all. A field inside another one is
// written a.b. Of mail they are the headers From, To, Newsgroups, List-Id, Organization and Date.
// Of a table of numbers they are its columns of words and, unless there are more than 20 and none
// is named, of numbers.
//
// path and opt are those that c was read with. The file is read again, and c may have some of its
// documents, in its order; the times in opt.TimeColumn are such a column.
//
// notes says which columns are left out: chosen ones that no document has or that hold texts, and
// the largest ones if all together take more than limit bytes. The formats with columns are JSON
// lines, arrays of JSON, tables, spreadsheets and Parquet, also in folders, lists and zip, and
// mailboxes; other corpora, and documents that are divided among ranks, have no columns.
//
// Errors: as of [Read]; the file no longer has the documents of c.
func (c *Corpus) ReadColumns(ctx context.Context, path string, opt ReadOptions, names []string, limit int64) (list []Column, notes []string, err error) {
	if c.division != nil || c.Total > 0 || !slices.Contains(append([]string{"jsonl", "json", "xml", "list", "parquet", ParquetNumbers, XMLNumbers, "mbox"}, tableFormats...), c.Format) {
		return nil, nil, nil
	}
	numbers, taken, large := c.numberColumns(names, limit)
	opt.IDsFrom, opt.Snippets, opt.Single, opt.Divide, opt.beside, opt.dates = "", 0, false, false, true, true
	all := &columnsRead{names: names, at: make(map[string]*columnRead), documents: c.Len(), large: large}
	if limit > 0 {
		all.limit = max(1, limit-taken)
	}
	lent, err := c.lentNames(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	pass, naming := &Contents{Name: path, like: c}, newNaming(c)
	row := 0
	err = pass.pass(ctx, path, opt, func(docs []Document) error {
		for i := range docs {
			if row++; row <= len(lent) {
				docs[i].ID = lent[row-1]
			}
			if name := naming.of(docs[i].ID); all.seen < c.Len() && name == c.ID(all.seen) {
				all.add(docs[i].Beside)
			}
		}
		return ctx.Err()
	})
	switch {
	case err != nil:
		return nil, nil, err
	case pass.Documents > 0 && all.seen < c.Len():
		return nil, nil, invalid.Errorf("%s: document %s was not there when its columns were read: run again when nothing writes to it", path, message.Clip(c.ID(all.seen), 60))
	}
	all.found = large
	for _, c := range numbers {
		all.found = append(all.found, c.Name)
	}
	list, notes = all.finish()
	return append(numbers, list...), notes, nil
}

// numberColumns are the columns of a table of numbers: those that are named, or all if they are
// few. They take so many bytes; large are the names of those that would take more than limit, if
// that is above 0.
func (c *Corpus) numberColumns(names []string, limit int64) (list []Column, taken int64, large []string) {
	rows, cols := c.X.Dims()
	switch c.X.(type) {
	case *mat.Dense, *sparse.SingleDense:
	default:
		return nil, 0, nil // counts of terms
	}
	if len(c.Terms) != cols || names == nil && cols > fewNumbers {
		return nil, 0, nil
	}
	each := memory.Bytes(8, rows)
	for j, name := range c.Terms {
		if names != nil && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			continue
		}
		if limit > 0 && taken+each > limit {
			large = append(large, name)
			continue
		}
		taken += each
		values := make([]float64, rows)
		for i := range values {
			values[i] = c.X.At(i, j)
		}
		list = append(list, Column{Name: name, Values: values})
	}
	return list, taken, large
}

// errEnough ends a pass over the first documents of a file.
var errEnough = errors.New("enough documents were read")

// ColumnsSize is about how many columns [Corpus.ReadColumns] will find in a file of n documents,
// and how many bytes they take while they are read. It is an estimate from the first documents of
// the file, as if the others had as many different words each. Columns of numbers do not count. A
// file whose beginning cannot be read alone has none. path, opt and names are those of ReadColumns.
func ColumnsSize(ctx context.Context, path string, opt ReadOptions, names []string, n int) (columns int, bytes int64) {
	all := firstColumns(ctx, path, opt, names, n)
	for _, c := range all.list {
		if c.dropped || c.present == 0 || c.letters > shortValue*c.present {
			continue
		}
		columns++
		bytes += memory.Whole(float64(c.bytes-documentBytes*int64(n))*float64(n)/float64(all.seen)) + documentBytes*int64(n)
	}
	return columns, bytes
}

// FirstColumns is [Corpus.ReadColumns] of the documents that stand first in a file, of which no
// corpus was read, and their number. A file whose beginning cannot be read alone gives none.
func FirstColumns(ctx context.Context, path string, opt ReadOptions, names []string) (list []Column, documents int) {
	all := firstColumns(ctx, path, opt, names, 0)
	list, _ = all.finish()
	return list, all.seen
}

// firstColumns are the columns of the documents that stand first in a file of n.
func firstColumns(ctx context.Context, path string, opt ReadOptions, names []string, n int) *columnsRead {
	opt.IDsFrom, opt.Snippets, opt.Single, opt.Divide, opt.beside, opt.dates = "", 0, false, false, true, true
	all := &columnsRead{names: names, at: make(map[string]*columnRead), documents: n}
	pass := &Contents{Name: path}
	err := pass.pass(ctx, path, opt, func(docs []Document) error {
		for i := range docs {
			all.add(docs[i].Beside)
		}
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return &columnsRead{}
	}
	return all
}

// naming gives the documents of a file their names, as the reader does: an id that an earlier
// document has gets a number after it.
type naming struct{ used, again map[string]int }

// newNaming is nil if no document of c has such a number after its id.
func newNaming(c *Corpus) *naming {
	for _, name := range c.IDs {
		if at := strings.LastIndexByte(name, '#'); at >= 0 && at+1 < len(name) && strings.Trim(name[at+1:], "0123456789") == "" {
			return &naming{make(map[string]int), make(map[string]int)}
		}
	}
	return nil
}

// of is the name of the next document of the file.
func (n *naming) of(id string) string {
	if n == nil {
		return id
	}
	if _, taken := n.used[id]; taken {
		id = counting.UnusedName(n.used, n.again, id)
	}
	n.used[strings.Clone(id)] = 1
	return id
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
	found     []string // names of columns of numbers, which are not read again
	large     []string // columns that were left out for the memory
	many      bool     // there are more than mostColumns
}

// add takes the values of the next document.
func (r *columnsRead) add(values []Value) {
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
		r.many = r.many || wanted
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
func (r *columnsRead) finish() (list []Column, notes []string) {
	for _, c := range r.list {
		switch {
		case c.dropped || c.letters > shortValue*c.present:
			if r.names != nil && !slices.Contains(r.large, c.Name) {
				notes = append(notes, "The column "+message.Clip(c.Name, 60)+" holds texts, and is left out.")
			}
		case c.present > 0:
			for len(c.Of) < r.seen {
				c.Of = append(c.Of, -1)
			}
			list = append(list, c.Column)
		}
	}
	if len(r.large) > 0 {
		notes = append(notes, "Memory is too short for the columns "+message.List(r.large, 6)+", which are left out.")
	}
	if r.many {
		notes = append(notes, fmt.Sprintf("The file has more than %d columns beside its texts, of which only the first are taken: name the others that count.", mostColumns))
	}
	var missing []string
	for _, name := range r.names {
		is := func(other string) bool { return strings.EqualFold(other, name) }
		if !slices.ContainsFunc(r.list, func(c *columnRead) bool { return is(c.Name) }) && !slices.ContainsFunc(r.found, is) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		notes = append(notes, "No document has a column "+message.List(missing, 6)+" beside its text, name and class.")
	}
	return list, notes
}
