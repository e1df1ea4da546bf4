package corpus

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// onePage says what to do with a page of HTML that is no table.
const onePage = "is one page of HTML; put it into a folder of texts, one text per file, and name the folder"

// isPage reports whether a file is a page of HTML, by its beginning.
func isPage(in *input.File, look []byte) bool {
	name := strings.ToLower(filepath.Ext(input.UnpackedName(in.Name)))
	return table.IsPage(look) && !text.IsMarkup(in.Name) && (name != ".xml" || table.ForExcel(look))
}

// openPage opens a page of HTML for its tables, and refuses one that holds more text than tables,
// if nobody asked for these.
func openPage(in *input.File, opt ReadOptions) (*table.Book, error) {
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	encoding := opt.Encoding
	if encoding == "" || encoding == charset.Auto {
		encoding = plain.DeclaredCharset(head)
	}
	if charset.IsWide(head) {
		encoding = charset.Auto // what it declares can only be read in an encoding that keeps ASCII
	}
	if err := charset.Stream(in, encoding); err != nil {
		return nil, err
	}
	asSheet := table.ForExcel(head) || strings.HasPrefix(strings.ToLower(filepath.Ext(input.UnpackedName(in.Name))), ".xls")
	book, err := table.OpenPage(in)
	switch {
	case err != nil:
		return nil, err
	case len(book.Names) == 0 && (asSheet || opt.Format == "html"):
		return nil, input.NoDocuments(in.Fail("", "is a page of HTML without a table of two rows or more; as a text, "+withOthers))
	case len(book.Names) == 0:
		return nil, in.Fail("", "%s", onePage)
	case asSheet || opt.Format != "" || opt.Var != "" || opt.UsualFormat == "html":
		return book, nil
	}
	all, best := book.Page.Outside, 0
	for i := range book.Names {
		_, bytes := book.Page.Filled(i)
		all += bytes
		if most, _ := book.Page.Filled(best); most < filledCells(book, i) {
			best = i
		}
	}
	inside := 0
	for i := range book.Names {
		if _, bytes := book.Page.Filled(i); i == best || book.Page.SameFirst(i, best) {
			inside += bytes
		}
	}
	if 2*inside < all {
		rows, columns := book.Page.Size(best)
		of := "its table"
		if n := len(book.Names); n > 1 {
			of = fmt.Sprintf("the largest of its %d tables", n)
		}
		return nil, in.Fail("", "%s; %s, of %s and %s, holds less than half of its text: ‹input-format› html reads it", onePage,
			of, message.Plural(rows, "row", "rows"), message.Plural(columns, "column", "columns"))
	}
	return book, nil
}

// filledCells is how many cells of a table of a page hold something.
func filledCells(book *table.Book, i int) int {
	cells, _ := book.Page.Filled(i)
	return cells
}

// choosePageTables returns the table of a page with the most cells, and those with the same header.
// It refuses a page with another one that has a quarter of its cells or more.
func choosePageTables(in *input.File, book *table.Book, opt ReadOptions) (list []int, looks []sheetLook, err error) {
	const larger = 4
	best := 0
	for i := range book.Names {
		if filledCells(book, i) > filledCells(book, best) {
			best = i
		}
	}
	notes := in.Notes // the tables are opened again where their rows are read
	defer func() { in.Notes = notes }()
	looks = make([]sheetLook, len(book.Names))
	if err := looks[best].look(book, best, opt); err != nil {
		return []int{best}, looks, in.Ctx.Err() // what is wrong with it is told where it is read
	}
	var rivals []string
	for i, name := range book.Names {
		same := i != best && looks[best].header != nil && book.Page.SameFirst(i, best)
		switch {
		case i == best, same && looks[i].look(book, i, opt) == nil && looks[i].bytes > 0:
			list = append(list, i)
		case larger*filledCells(book, i) > filledCells(book, best):
			rows, columns := book.Page.Size(i)
			rivals = append(rivals, fmt.Sprintf("%s (%d×%d)", message.Clip(name, 30), rows, columns))
		}
	}
	if rivals != nil {
		rows, columns := book.Page.Size(best)
		return nil, nil, in.Fail("", "holds several tables of like sizes, %s (%d×%d) and %s; ‹var› names the one to read", message.Clip(book.Names[best], 30), rows, columns, message.List(rivals, 6))
	}
	return list, looks, in.Ctx.Err()
}
