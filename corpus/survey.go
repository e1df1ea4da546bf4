package corpus

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/rdata"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// Document is a text as its file has it.
type Document = text.Document

// Value is what a document has in a column beside its text, its name and its class.
type Value = counting.Value

// StreamBytes is about how many bytes of texts [Survey] holds while it reads.
const StreamBytes = counting.StreamBytes

// mostClasses is the largest number of classes of documents that are not held in memory.
const mostClasses = 1 << 16

// Contents is what a pass over the texts of a corpus found of all documents together, so that a few
// of them can be made rows as [Read] makes them.
type Contents struct {
	Name       string
	Format     string   // one of [Formats]
	Documents  int      // their number
	ClassNames []string // as of a [Corpus]; nil if no document has a label
	Notes      []string // what the reader found out or decided, one sentence each

	class map[string]int // of each word for a class, -1 for one that means none

	like *Corpus // what was read of the file before; nil: nothing
}

// Survey reads the texts of a corpus in one pass and hands them to each as they come, some at a
// time and in their order: a document without an id has its number, from 1, as ID. Formats: JSON
// lines, JSON arrays, tables of texts (CSV, TSV), Parquet, one text a line, fastText, and folders
// and lists of JSON lines and Parquet; compressed as for [Read]. Of the options the ones of the
// format and its columns count.
//
// Memory: [StreamBytes] of texts, and the names of the classes. Errors: as of [Read] about a
// file, an error of each, and a file of another format.
func Survey(ctx context.Context, path string, opt ReadOptions, each func([]Document) error) (*Contents, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	c := &Contents{Name: path}
	words := make(map[string]int)
	odd := 0
	err := c.pass(ctx, path, opt, func(docs []Document) error {
		for i := range docs {
			d := &docs[i]
			if d.Odd {
				odd++
			}
			if d.Label != "" {
				if words[d.Label]++; len(words) > mostClasses {
					return input.Failf(path, "", "it has more than %d different labels, so they are no classes; ‹label-column› none leaves them out", mostClasses)
				}
			}
		}
		return each(docs)
	})
	if err != nil {
		return nil, err
	}
	if c.Documents == 0 {
		return nil, input.NoDocuments(input.Failf(path, "", "it holds no documents; give at least one text"))
	}
	if 10*odd > c.Documents {
		clear(words)
	}
	c.settle(words)
	return c, nil
}

// GuessedColumns returns the columns of texts and of names of documents of a table, JSON or Parquet
// that nobody asked for in opt, by their names, as [Read] takes them. It reads the beginning of the
// file, is empty for other files and for tables of numbers, and leaves errors to Read.
func GuessedColumns(ctx context.Context, path string, opt ReadOptions) UsualColumns {
	var u UsualColumns
	if opt.Validate() != nil || path == StandardInput {
		return u
	}
	opt.settled, opt.beside, opt.Observer = &u, true, nil
	c := &Contents{Name: path}
	_ = c.pass(ctx, path, opt, func([]Document) error { return errEnough })
	return u
}

// settle numbers the classes of the words for them.
func (c *Contents) settle(words map[string]int) {
	list := slices.Sorted(maps.Keys(words))
	counts, unlabelled := make([]int, len(list)), c.Documents
	for i, w := range list {
		counts[i] = words[w]
		unlabelled -= counts[i]
	}
	if unlabelled > 0 && words[""] == 0 {
		list, counts = append(list, ""), append(counts, unlabelled)
	}
	labels, names, note := classes.OfCounted(list, counts)
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	if len(names) == 0 {
		return
	}
	if note := classes.CaseNote(names); note != "" {
		c.Notes = append(c.Notes, note)
	}
	c.ClassNames, c.class = names, make(map[string]int, len(list))
	for i, w := range list {
		c.class[w] = labels[i]
	}
}

// Again is a second pass over the texts that [Survey] read. It is an error if their number is
// another one; each never gets more than there were.
func (c *Contents) Again(ctx context.Context, opt ReadOptions, each func([]Document) error) error {
	now := &Contents{Name: c.Name}
	err := now.pass(ctx, c.Name, opt, func(docs []Document) error {
		if now.Documents > c.Documents { // those who write what they get have room for so many
			return input.Failf(c.Name, "", "it had %d documents when it was read first and has more now; do not write to it during a run", c.Documents)
		}
		return each(docs)
	})
	if err != nil {
		return err
	}
	if now.Documents != c.Documents {
		return input.Failf(c.Name, "", "it had %d documents when it was read first and has %d now; do not write to it during a run", c.Documents, now.Documents)
	}
	return nil
}

// Corpus makes rows of counts of some of the documents, by the options of texts. Notes are those on
// these documents alone. Errors: as of [Read], such as [ErrNoTerms].
func (c *Contents) Corpus(ctx context.Context, docs []Document, opt ReadOptions) (*Corpus, error) {
	opt.each = nil
	out, err := readTexts(input.NewFolder(ctx, c.Name, opt.limits()), opt, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
		return text.CountDocuments(in, docs, o)
	})
	if err != nil {
		return nil, err
	}
	out.Format = c.Format
	if c.ClassNames == nil {
		return out, nil
	}
	out.ClassNames, out.Labels = c.ClassNames, make([]int, len(docs))
	for i := range docs {
		k, known := c.class[docs[i].Label]
		if !known {
			k = -1
		}
		out.Labels[i] = k
	}
	return out, nil
}

// pass hands all documents to each, and counts them.
func (c *Contents) pass(ctx context.Context, path string, opt ReadOptions, each func([]Document) error) error {
	opt.MaxBytes = input.NewBudget(input.Within(ctx, opt.MaxBytes)).Limit
	opt.each = func(docs []Document) error {
		for i := range docs {
			if c.Documents++; docs[i].ID == "" {
				docs[i].ID = strconv.Itoa(c.Documents)
			}
		}
		return each(docs)
	}
	info, err := shards.Stat(path)
	if err != nil {
		if path == StandardInput && opt.beside {
			return c.passStandardInput(ctx, opt)
		}
		if path == StandardInput {
			return input.Failf("standard input", "", "it is read twice, which a stream does not allow; write it to a file")
		}
		return input.OpenError(path, err)
	}
	if info.IsDir() {
		return c.passFolder(ctx, path, opt)
	}
	return c.passNamed(ctx, path, opt)
}

// passNamed is pass of one file.
func (c *Contents) passNamed(ctx context.Context, path string, opt ReadOptions) error {
	in, done, err := input.Open(ctx, path, opt.limits())
	if err != nil {
		return err
	}
	defer done()
	in.Path = path
	if err := c.passFile(in, opt); err != nil {
		return in.Blame(err)
	}
	in.Finished()
	c.Notes = append(c.Notes, in.Notes...)
	return nil
}

// passFolder is pass of a folder of files that are one corpus.
func (c *Contents) passFolder(ctx context.Context, path string, opt ReadOptions) error {
	parts, err := folderParts(ctx, path, opt)
	if err != nil {
		return err
	}
	in := input.NewFolder(ctx, path, opt.limits())
	if parts == nil {
		list, err := folderMembers(in, path)
		if err != nil {
			return in.Wrap("", err)
		}
		if done, err := c.passMembers(in, list, opt); done || err != nil {
			return err
		}
		if m := soleFile(list, opt, false); m != nil {
			c.Notes = append(c.Notes, m.note())
			return c.passNamed(ctx, filepath.Join(path, filepath.FromSlash(m.path)), opt)
		}
		return notStreamed(path, "folder")
	}
	t, err := text.ReadParts(in, parts, opt.texts())
	if err != nil {
		return err
	}
	c.Format = t.Format
	c.Notes = append(c.Notes, t.Notes...)
	return nil
}

// passFile is pass of an opened file.
func (c *Contents) passFile(in *input.File, opt ReadOptions) error {
	if archive, err := isTar(in, opt.Format); err != nil {
		return err
	} else if archive {
		return c.passTar(in, opt)
	}
	if kind, err := packedKind(in); err != nil || kind != "" && kind != "zip" && !opt.beside {
		return cmp.Or(err, notStreamed(in.Name, kind))
	}
	if done, err := c.passZip(in, opt); done || err != nil {
		return err
	}
	if wide, err := wideJSON(in, opt.Format); err != nil {
		return err
	} else if wide != "" {
		if err := charset.Stream(in, wide); err != nil {
			return err
		}
	}
	format, err := opt.detect(in)
	if err != nil {
		return err
	}
	if slices.Contains(streamedTables, format) {
		t, err := openTable(in, format, opt)
		if err != nil {
			return err
		}
		return c.passTable(in, t, opt.ofEntries(format).ofClass(in, t))
	}
	if slices.Contains(tableFormats, format) || format == "mbox" {
		if !opt.beside {
			return notStreamed(in.Name, format)
		}
		return c.passHeld(in, format, opt)
	}
	switch format {
	case "xml":
		return c.passXML(in, opt)
	case "jsonl", "json", "lines", "fasttext", "list", "parquet":
		read, err := text.Read(in, format, opt.texts())
		if errors.Is(err, text.ErrNumbers) && opt.beside {
			return c.passParquetNumbers(in, opt)
		}
		if errors.Is(err, text.ErrNumbers) {
			return notStreamed(in.Name, "Parquet of numbers")
		}
		if err != nil {
			return err
		}
		c.Format = read.Format
		return nil
	}
	return notStreamed(in.Name, format)
}

// passHeld is pass of a file whose format is read whole.
func (c *Contents) passHeld(in *input.File, format string, opt ReadOptions) error {
	switch format {
	case "html":
		book, err := openPage(in, opt)
		if err != nil {
			return err
		}
		return c.passBook(in, book, opt)
	case "rds":
		data, err := rdata.Read(in, opt.Var, "‹var›")
		if err != nil || data.Matrix != nil {
			return err
		}
		t, err := savedTable(in, data)
		if err != nil {
			return err
		}
		return c.passTable(in, t, opt)
	case "mbox":
		_, err := text.Read(in, format, opt.texts())
		return err
	}
	return notStreamed(in.Name, format)
}

// packedKind is what an archive of zip or a spreadsheet is; "" of another file.
func packedKind(in *input.File) (string, error) {
	z, err := openZip(in)
	if err != nil {
		return "", err
	}
	if z != nil {
		return zipKind(z), nil
	}
	return table.FlatKind(in)
}

// passXML is pass of a file of XML.
func (c *Contents) passXML(in *input.File, opt ReadOptions) error {
	records, err := text.OpenRecords(in, opt.texts())
	if err != nil {
		return err
	}
	if records.Numbers() {
		t, err := table.FromRows(in, records.Next, table.Options{Header: table.HeaderYes, Decimal: opt.Decimal})
		if err != nil {
			return err
		}
		return c.passTable(in, t, opt)
	}
	c.Format = "xml"
	_, err = records.Read()
	return err
}

// passTable is pass of a table that was opened.
func (c *Contents) passTable(in *input.File, t *table.Table, opt ReadOptions) error {
	roles, err := matrix.SettleTable(in, t, opt.columns())
	if err != nil {
		return err
	}
	switch {
	case roles.Text == nil && opt.beside:
		return c.passNumbers(in, t, roles, opt)
	case roles.Text == nil:
		return notStreamed(in.Name, "a table of numbers")
	}
	c.Format = "table"
	_, err = text.ReadTable(in, t, roles, opt.texts())
	return err
}

// passParquetNumbers is passNumbers of a file of Parquet whose columns of numbers are the terms.
func (c *Contents) passParquetNumbers(in *input.File, opt ReadOptions) error {
	rows, err := text.OpenNumbers(in, opt.texts())
	if err != nil {
		return err
	}
	defer rows.Close()
	t, err := table.FromRows(in, rows.Next, table.Options{Header: table.HeaderYes, Decimal: table.DecimalPoint})
	if err != nil {
		return err
	}
	opt.TextColumn, opt.aside, opt.index = []string{columns.None}, rows.Aside(), rows.Index()
	roles, err := matrix.SettleTable(in, t, opt.columns())
	if err != nil || roles.Text != nil {
		return err
	}
	rows.SkipLists()
	return c.passNumbers(in, t, roles, opt)
}

// passNumbers is pass of a table of numbers for its columns that are no terms, if its rows are the
// documents. The documents have no texts.
func (c *Contents) passNumbers(in *input.File, t *table.Table, roles *columns.Roles, opt ReadOptions) error {
	if opt.Transpose {
		return nil
	}
	read := opt.texts()
	for _, j := range roles.Out {
		if name := t.Columns[j].Name; name != "" && (t.Columns[j].Words > 0 || slices.Contains(opt.aside, j)) {
			read.BesideColumns = append(read.BesideColumns, name)
		}
	}
	if len(read.BesideColumns) == 0 {
		return nil
	}
	if like := c.like; like != nil {
		names := make(map[string]bool, len(t.Columns))
		for j := range t.Columns {
			names[t.Columns[j].Name] = true
		}
		if slices.ContainsFunc(like.Terms, func(term string) bool { return !names[term] }) {
			return nil // columns are the documents
		}
		if like.IDs == nil {
			roles.ID = -1
		} else if roles.ID < 0 {
			roles.ID = roles.Either
		}
	}
	_, err := text.ReadTable(in, t, roles, read)
	return err
}

// passZip is pass of a spreadsheet, and of what is in an archive of zip; done is false of another
// file.
func (c *Contents) passZip(in *input.File, opt ReadOptions) (done bool, err error) {
	book, z, err := openBook(in)
	switch {
	case err != nil:
		return false, err
	case book != nil:
		return true, c.passBook(in, book, opt)
	case z == nil:
		return false, nil
	}
	list := zipMembers(in, z)
	if done, err := c.passMembers(in, list, opt); done || err != nil {
		return true, err
	}
	if done, err := c.passSole(list, opt); done || err != nil {
		return true, err
	}
	inside, err := unzipped(in, z, opt)
	if err != nil {
		return true, err
	}
	return true, c.passFile(inside, opt)
}

// passBook is pass of a spreadsheet, or of the tables of a page.
func (c *Contents) passBook(in *input.File, book *table.Book, opt ReadOptions) error {
	g, err := openSheets(in, book, opt, false)
	if err != nil {
		return err
	}
	defer g.close()
	return c.passTable(in, g.table, g.opt)
}

// passStandardInput is pass of the standard input, which was kept when it was read first.
func (c *Contents) passStandardInput(ctx context.Context, opt ReadOptions) error {
	in, err := openStandardInput(ctx, opt)
	if err != nil {
		return err
	}
	return in.Blame(c.passFile(in, opt))
}

// notStreamed refuses a format that is read whole.
func notStreamed(name, format string) error {
	return input.Failf(name, "", "its format (%s) is not read in blocks; write its texts as JSON lines, CSV, Parquet or one text a line, or read all of it into memory", message.Clip(format, 40))
}
