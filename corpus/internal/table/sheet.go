package table

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/biff"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Book is a spreadsheet of OpenDocument (.ods, and .fods in one file of XML), of Office Open XML
// (.xlsx), by ECMA-376, or of Excel before 2007 (.xls, and XML), or a page of HTML, whose sheets
// are its tables.
type Book struct {
	Kind  string   // "xlsx", "ods", "xls" or "html"
	Names []string // of the sheets, in their order; hidden ones are left out if others are not
	Page  *Page    // nil of a spreadsheet
	at    []int    // the number of each among all
	parts []string // that hold all the sheets; nil of other kinds than xlsx
	old   *biff.Book
	excel *excelBook
	all   sheet
}

// OpenBook finds the sheets of a spreadsheet. Texts that cells share are in memory, within the
// budget.
func OpenBook(in *input.File, z *zip.Reader) (*Book, error) {
	b := &Book{Kind: "xlsx", all: sheet{in: in, files: make(map[string]*zip.File, len(z.File))}}
	for _, f := range z.File {
		b.all.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	if b.all.files["xl/workbook.xml"] == nil && IsODS(z) {
		b.Kind = "ods"
		return b, b.findODS()
	}
	if err := b.findSheets(); err != nil {
		return nil, err
	}
	if err := b.all.readShared(); err != nil {
		return nil, err
	}
	b.all.readStyles()
	return b, nil
}

// Open reads a sheet, of a number from 0. Formulas count by the values that were stored with them,
// and numbers that are shown as dates are dates, such as 2024-01-31. The caller closes it by the
// function returned.
func (b *Book) Open(i int, opt Options) (*Table, func(), error) {
	if b.Page != nil {
		t, err := FromRows(b.all.in, b.Page.rows(b.at[i]), opt)
		if err != nil {
			return nil, nil, err
		}
		t.Sheets = len(b.Names)
		return t, func() {}, nil
	}
	s := b.all
	if b.old != nil {
		rows, err := b.old.Rows(b.at[i])
		if err != nil {
			return nil, nil, err
		}
		t, err := FromRows(s.in, s.nextOld(rows), opt)
		if err != nil {
			return nil, nil, err
		}
		t.Sheets = len(b.Names)
		return t, func() {}, nil
	}
	next, name := s.next, odsContent
	if b.parts != nil {
		name = b.parts[b.at[i]]
	}
	r, err := s.open(name)
	if err != nil {
		return nil, nil, err
	}
	s.rows = xml.NewDecoder(r)
	switch {
	case b.excel != nil:
		next, err = s.openExcel(b.excel, b.at[i])
	case b.parts == nil:
		o := &ods{sheet: &s}
		next, err = o.next, o.find(b.at[i])
	}
	var t *Table
	if err == nil {
		t, err = FromRows(s.in, next, opt)
	}
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	t.Sheets = len(b.Names)
	return t, func() { r.Close() }, nil
}

// OpenFirst reads the first sheet of a spreadsheet, or the first table of a page.
func (b *Book) OpenFirst(opt Options) (*Table, func(), error) {
	if len(b.Names) > 1 {
		b.all.in.Notef("Of %d %ss the first is read, %s; save another one as .csv to read it.", len(b.Names), b.Unit(), message.Clip(b.Names[0], 60))
	}
	return b.Open(0, opt)
}

// sheet is a sheet that is being read.
type sheet struct {
	in     *input.File
	files  map[string]*zip.File
	flat   *io.SectionReader // the one file of XML that is the spreadsheet; nil of an archive
	shared []string
	rows   *xml.Decoder
	rec    []string

	dates    []bool // of each style of cells: it shows a date
	from1904 bool   // days count from 1904
}

// mostColumns is the most columns of a sheet, as in Excel.
const mostColumns = 16384

// mostXML bounds the bytes of a file of XML, as a multiple of the memory allowed: what a damaged
// archive unpacks into is not kept, and takes time.
const mostXML = 64

func (s *sheet) open(name string) (io.ReadCloser, error) {
	if s.flat != nil {
		return io.NopCloser(io.NewSectionReader(s.flat, 0, s.flat.Size())), nil
	}
	f := s.files[name]
	if f == nil {
		return nil, s.in.Fail("", "the spreadsheet lacks its part %s; save it again", message.Clip(name, 80))
	}
	r, err := f.Open()
	if err != nil {
		return nil, s.damage(err)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(r, mostXML*s.in.Mem.Limit), r}, nil
}

func (s *sheet) damage(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, zip.ErrAlgorithm), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.As(err, &syntax):
		return s.in.Fail("", "the spreadsheet is damaged; save it again")
	}
	return s.in.Wrap("", err)
}

// findSheets finds the parts that hold the sheets.
func (b *Book) findSheets() error {
	s := &b.all
	var book struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"`
			ID    string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	var links struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := s.parse("xl/workbook.xml", &book); err != nil {
		return err
	}
	s.from1904 = book.Properties.From1904 == "1" || book.Properties.From1904 == "true"
	if len(book.Sheets) == 0 {
		return input.NoDocuments(s.in.Fail("", "the spreadsheet has no sheet"))
	}
	if s.files["xl/_rels/workbook.xml.rels"] != nil {
		if err := s.parse("xl/_rels/workbook.xml.rels", &links); err != nil {
			return err
		}
	}
	var hidden []string
	for i, sheet := range book.Sheets {
		name := fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)
		for _, l := range links.List {
			if l.ID == sheet.ID {
				if name = path.Join("xl", l.Target); strings.HasPrefix(l.Target, "/") {
					name = strings.TrimPrefix(path.Clean(l.Target), "/")
				}
			}
		}
		b.parts = append(b.parts, name)
		if sheet.State == "" || sheet.State == "visible" {
			b.Names, b.at = append(b.Names, sheet.Name), append(b.at, i)
		}
		hidden = append(hidden, sheet.Name)
	}
	if b.Names == nil {
		for i, name := range hidden {
			b.Names, b.at = append(b.Names, name), append(b.at, i)
		}
	}
	return nil
}

// parse reads a small part.
func (s *sheet) parse(name string, into any) error {
	r, err := s.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	const most = 1 << 20
	if err := xml.NewDecoder(io.LimitReader(r, most)).Decode(into); err != nil {
		return s.in.Fail("", "the part %s of the spreadsheet is damaged; save it again", message.Clip(name, 80))
	}
	return nil
}

// readShared reads the texts that cells share.
func (s *sheet) readShared() error {
	const name = "xl/sharedStrings.xml"
	if s.files[name] == nil {
		return nil
	}
	r, err := s.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.damage(err)
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "si" {
			text, err := s.text(d, "si")
			if err == nil {
				err = s.in.Mem.Take(int64(len(text))+16, 1)
			}
			if err != nil {
				return s.damage(err)
			}
			s.shared = append(s.shared, text)
		}
	}
}

// text is the text in the elements t up to the end of an element; what says how a text is spoken is
// left out.
func (s *sheet) text(d *xml.Decoder, until string) (string, error) {
	var out strings.Builder
	in, spoken := false, 0
	for {
		t, err := innerToken(d)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			in = e.Name.Local == "t" && spoken == 0
			if e.Name.Local == "rPh" {
				spoken++
			}
		case xml.EndElement:
			in = false
			if e.Name.Local == "rPh" {
				spoken--
			}
			if e.Name.Local == until {
				return out.String(), nil
			}
		case xml.CharData:
			if in {
				if int64(out.Len()+len(e)) > s.in.Mem.Limit/8 {
					return "", input.ErrMemory
				}
				out.Write(e)
			}
		}
	}
}

// next returns the next row that has a value; io.EOF at the end.
func (s *sheet) next() ([]string, error) {
	for {
		t, err := s.rows.Token()
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, s.damage(err)
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		filled, err := s.row()
		if err != nil {
			return nil, s.damage(err)
		}
		if filled {
			return s.rec, nil
		}
	}
}

// innerToken is the next token inside of an element; io.ErrUnexpectedEOF if the file ends there.
func innerToken(d *xml.Decoder) (xml.Token, error) {
	t, err := d.Token()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return t, err
}

// row reads the cells of a row into rec and reports whether one has a value.
func (s *sheet) row() (filled bool, err error) {
	s.rec = s.rec[:0]
	for {
		t, err := innerToken(s.rows)
		if err != nil {
			return false, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			if e.Name.Local == "row" {
				return filled, nil
			}
		case xml.StartElement:
			if e.Name.Local != "c" {
				continue
			}
			j, kind, style := len(s.rec), "", ""
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "r":
					if at := columnOf(a.Value); at >= 0 {
						j = at
					}
				case "t":
					kind = a.Value
				case "s":
					style = a.Value
				}
			}
			if j >= mostColumns {
				return false, s.in.Fail("", "the spreadsheet has a cell beyond column %d; save it again", mostColumns)
			}
			value, err := s.cell(kind)
			if err != nil {
				return false, err
			}
			if kind == "" || kind == "n" {
				value = s.date(value, style)
			}
			for len(s.rec) <= j {
				s.rec = append(s.rec, "")
			}
			s.rec[j] = value
			filled = filled || value != ""
		}
	}
}

// cell reads the value of a cell of a kind.
func (s *sheet) cell(kind string) (string, error) {
	value := ""
	for {
		t, err := innerToken(s.rows)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "is":
				if value, err = s.text(s.rows, "is"); err != nil {
					return "", err
				}
			case "v":
				if value, err = s.value(); err != nil {
					return "", err
				}
			}
		case xml.EndElement:
			if e.Name.Local != "c" {
				continue
			}
			switch kind {
			case "s":
				k, err := strconv.Atoi(strings.TrimSpace(value))
				if err != nil || k < 0 || k >= len(s.shared) {
					return "", s.in.Fail("", "a cell of the spreadsheet names a text that is not there; save it again")
				}
				return s.shared[k], nil
			case "b":
				return map[string]string{"1": "true", "0": "false"}[strings.TrimSpace(value)], nil
			case "e":
				return "", nil // an error of a formula, such as #N/A
			}
			return value, nil
		}
	}
}

// value reads the characters up to the end of an element v.
func (s *sheet) value() (string, error) {
	var out strings.Builder
	for {
		t, err := innerToken(s.rows)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.CharData:
			if int64(out.Len()+len(e)) > s.in.Mem.Limit/8 {
				return "", input.ErrMemory
			}
			out.Write(e)
		case xml.EndElement:
			return out.String(), nil
		}
	}
}

// columnOf is the column of a cell's name such as AB12, from 0; -1 if it is none.
func columnOf(name string) int {
	j := 0
	for i := range len(name) {
		c := name[i] | 0x20
		if c < 'a' || c > 'z' {
			if i == 0 {
				return -1
			}
			break
		}
		if j = 26*j + int(c-'a') + 1; j > 1<<20 {
			return -1
		}
	}
	return j - 1
}
