package corpus

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// openBook opens a file that is a spreadsheet by what it holds; nil of another. Of an archive of
// zip that is none it returns the archive.
func openBook(in *input.File) (*table.Book, *zip.Reader, error) {
	z, err := openZip(in)
	switch {
	case err != nil:
		return nil, nil, err
	case z == nil:
		book, err := table.OpenFlat(in)
		return book, nil, err
	}
	if kind := zipKind(z); kind != "xlsx" && kind != "ods" {
		return nil, z, nil
	}
	book, err := table.OpenBook(in, z)
	return book, z, err
}

// readBook makes the corpus of the sheets of a spreadsheet, or of the tables of a page.
func readBook(in *input.File, book *table.Book, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if opt.Format != "" && opt.Format != book.Kind && opt.Format != "table" {
		return nil, in.Fail("", "is a spreadsheet (.%s), not a file of format %s; leave out ‹input-format›", book.Kind, opt.Format)
	}
	g, err := openSheets(in, book, opt, given != nil)
	if err != nil {
		return nil, err
	}
	defer g.close()
	c, err := readRows(in, g.table, book.Kind, g.opt, given)
	if fault := (*FormatError)(nil); g.table.Sheets > 1 && errors.As(err, &fault) {
		fault.Why += fmt.Sprintf("; this is one of %d %s: ‹var› names another", g.table.Sheets, book.Unit()+"s")
	}
	return c, err
}

// mostSheets is the most sheets that are looked at.
const mostSheets = 100

// sheetLook is what the first rows of a sheet say.
type sheetLook struct {
	header []string
	bytes  int  // of the first rows; 0 of a sheet that is no table
	texts  bool // it has a column of texts
}

// openSheets opens the sheets that hold the documents: the one that is asked for, else those with
// the columns of the sheet that has texts or the most words and numbers. labelled says that the
// labels are given.
func openSheets(in *input.File, book *table.Book, opt ReadOptions, labelled bool) (*gathered, error) {
	list := []int{0}
	var err error
	if opt.Var != "" {
		if list[0], err = sheetNamed(in, book, opt.Var); err != nil {
			return nil, err
		}
	} else if len(book.Names) > 1 || book.Page != nil {
		var looks []sheetLook
		if book.Page != nil {
			list, looks, err = choosePageTables(in, book, opt)
		} else {
			looks = lookAtSheets(in, book, opt)
			list, err = chooseSheets(looks), in.Ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		var copies []string
		if list, copies, err = withoutCopies(in, book, looks, list, opt); err != nil {
			return nil, err
		}
		noteSheets(in, book, list, copies)
	}
	if len(list) > 1 {
		return gatherSheets(in, book, list, opt, labelled)
	}
	t, done, err := book.Open(list[0], opt.table())
	if err != nil {
		return nil, err
	}
	return &gathered{table: t, opt: opt, close: done}, nil
}

// sheetNamed finds a sheet by its name, or by its number from 1.
func sheetNamed(in *input.File, book *table.Book, asked string) (int, error) {
	names := book.Names
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		if i := slices.IndexFunc(names, func(name string) bool { return same(name, asked) }); i >= 0 {
			return i, nil
		}
	}
	if k, err := strconv.Atoi(asked); err == nil && k > 0 && k <= len(names) {
		return k - 1, nil
	}
	return 0, in.Fail("", "there is no %s %s; ‹var› takes one of %s", book.Unit(), message.Clip(asked, 60), message.List(names, 20))
}

// lookAtSheets looks at the first rows of each sheet; of the first one alone, if it cannot be read:
// what is wrong with it is told where it is read.
func lookAtSheets(in *input.File, book *table.Book, opt ReadOptions) []sheetLook {
	notes := in.Notes
	defer func() { in.Notes = notes }()
	looks := make([]sheetLook, min(len(book.Names), mostSheets))
	for i := range looks {
		if err := looks[i].look(book, i, opt); err != nil && i == 0 && !errors.Is(err, ErrNoDocuments) {
			return looks[:1]
		}
	}
	return looks
}

// look looks at the first rows of a sheet.
func (l *sheetLook) look(book *table.Book, i int, opt ReadOptions) error {
	t, done, err := book.Open(i, opt.table())
	if err != nil {
		return err
	}
	defer done()
	l.header = slices.Clone(t.Header)
	l.bytes, l.texts = t.Filled()
	return nil
}

// chooseSheets returns the sheets with the documents: the first one, unless another has texts and
// it has none, or is much larger; and those with the same header.
func chooseSheets(looks []sheetLook) (list []int) {
	const larger = 4
	best := 0
	for i, l := range looks {
		b := looks[best]
		if l.texts == b.texts && l.bytes > larger*b.bytes || l.texts && !b.texts && l.bytes > b.bytes || b.bytes == 0 {
			best = i
		}
	}
	for i, l := range looks {
		if i == best || l.bytes > 0 && l.header != nil && slices.Equal(l.header, looks[best].header) {
			list = append(list, i)
		}
	}
	return list
}

// withoutCopies are the sheets of a list without those that have all rows of an earlier one, and
// the names of these. Sheets whose first rows differ in length are not read for it.
func withoutCopies(in *input.File, book *table.Book, looks []sheetLook, list []int, opt ReadOptions) (kept []int, copies []string, err error) {
	notes := in.Notes // the sheets are opened again where their rows are read
	defer func() { in.Notes = notes }()
	seen := make(map[[sha256.Size]byte]bool)
	for _, i := range list {
		if !slices.ContainsFunc(list, func(k int) bool { return k != i && looks[k].bytes == looks[i].bytes }) {
			kept = append(kept, i)
			continue
		}
		sum, err := sumOfSheet(book, i, opt)
		if err != nil {
			return nil, nil, err
		}
		if seen[sum] {
			copies = append(copies, book.Names[i])
			continue
		}
		seen[sum], kept = true, append(kept, i)
	}
	return kept, copies, nil
}

// sumOfSheet is a sum of the rows of a sheet, of one with a fault its own: it is said where the
// sheet is read.
func sumOfSheet(book *table.Book, i int, opt ReadOptions) (sum [sha256.Size]byte, err error) {
	hash := sha256.New()
	t, done, err := book.Open(i, opt.table())
	if err != nil {
		return sum, err
	}
	defer done()
	for {
		rec, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintf(hash, "sheet %d", i)
			break
		}
		for _, f := range rec {
			fmt.Fprintf(hash, "%d:%s", len(f), f)
		}
		hash.Write([]byte("\n"))
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}

// noteSheets says which sheets are read, and which are not, the copies of others among them.
func noteSheets(in *input.File, book *table.Book, list []int, copies []string) {
	var read, left []string
	for i, name := range book.Names {
		switch {
		case slices.Contains(list, i):
			read = append(read, name)
		case !slices.Contains(copies, name):
			left = append(left, name)
		}
	}
	say := "The " + book.Unit() + " " + message.Clip(read[0], 60) + " is read"
	if book.Page != nil {
		rows, columns := book.Page.Size(list[0])
		say += fmt.Sprintf(", of %s and %s", message.Plural(rows, "row", "rows"), message.Plural(columns, "column", "columns"))
	}
	if len(read) > 1 {
		say = fmt.Sprintf("%d %s with the same columns are read, %s", len(read), book.Unit()+"s", message.List(read, 5))
	}
	if left != nil {
		say += ", and not " + message.List(left, 5)
	}
	if copies != nil {
		say += "; " + message.List(copies, 5) + " has the same rows as another " + book.Unit() + ", which count once"
		if len(copies) > 1 {
			say = strings.Replace(say, " has the same rows", " have the same rows", 1)
		}
	}
	if len(book.Names) > 1 {
		say += "; ‹var› names one to read alone"
	}
	in.Notef("%s.", say)
}

// gatherSheets makes one table of sheets with the same columns. Their names are the classes, if
// they are words and the documents have no other.
func gatherSheets(in *input.File, book *table.Book, list []int, opt ReadOptions, labelled bool) (*gathered, error) {
	names := make([]string, len(list))
	for k, i := range list {
		names[k] = book.Names[i]
	}
	given := opt.table()
	open := func(i int) (*table.Table, func(), error) { return book.Open(list[i], given) }
	rows := &joinedRows{names: names, open: open, parts: &table.Parts{Unit: "row"}}
	notes := in.Notes // the sheets are opened again where their rows are read
	ids := idNames{}
	for i := range list {
		t, done, err := open(i)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			rows.header = slices.Clone(t.Header)
		}
		err = ids.look(t)
		if done(); err != nil {
			return nil, err
		}
	}
	if in.Notes = notes; ids.again && opt.IDColumn == "" && opt.Usual.ID == "" {
		in.Notef("Several %ss have the same ids, and the documents are numbered; ‹id-column› names a column of others.", book.Unit())
		opt.IDColumn = columns.None
	}
	class := ""
	if opt.LabelColumn == "" && !labelled && !slices.ContainsFunc(rows.header, hasClasses) {
		if rows.classes = classNames(names, mostFileNames, false); rows.classes != nil {
			class = classColumn
			in.LabelNotef("The classes are the names of the %ss; ‹label-column› none leaves them out.", book.Unit())
		}
	}
	opt.Header = table.HeaderYes
	g, err := gatherRows(in, rows.next, rows.close, rows.parts, class, opt)
	if err == nil {
		g.table.Sheets = len(book.Names)
	}
	return g, err
}
