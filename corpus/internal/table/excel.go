package table

import (
	"bufio"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/biff"
	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// excelXML is the beginning of a spreadsheet that Excel 2002, 2003 and programs after them write as
// XML, often named .xls.
var excelXML = pattern.Lazy(`^(\x{feff})?\s*<\?xml[^>]*>\s*(<\?mso-application\s+progid="Excel\.Sheet"\?>|(<!--[^>]*-->\s*)?<(ss:)?Workbook\s[^>]*"urn:schemas-microsoft-com:office:spreadsheet")`)

// FlatKind returns the kind of a spreadsheet that is no archive of zip: "ods" of OpenDocument in
// one file of XML, "xls" of Excel before 2007, in a compound file or in XML; "" of another file.
func FlatKind(in *input.File) (string, error) {
	if flat, err := isFlatODS(in); err != nil || flat {
		return "ods", err
	}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return "", err
	}
	if excelXML().Match(head) {
		return "xls", nil
	}
	if !compound.Is(head) {
		return "", nil
	}
	book, err := biff.Open(in)
	if book == nil {
		return "", err
	}
	return "xls", err
}

// openBIFF finds the sheets of a spreadsheet of Excel in a compound file; nil of another file.
func openBIFF(in *input.File) (*Book, error) {
	from, err := biff.Open(in)
	if from == nil || err != nil {
		return nil, err
	}
	b := &Book{Kind: "xls", old: from, all: sheet{in: in, from1904: from.From1904}}
	for _, f := range from.Formats {
		date := isDateFormat(f.Code)
		if f.Code == "" {
			date = slices.Contains(dateFormats, f.ID)
		}
		b.all.dates = append(b.all.dates, date)
	}
	var names []string
	var hidden []bool
	for _, s := range from.Sheets {
		names, hidden = append(names, s.Name), append(hidden, s.Hidden)
	}
	b.show(names, hidden)
	return b, nil
}

// show takes the names of all sheets; hidden ones are left out if others are not.
func (b *Book) show(names []string, hidden []bool) {
	for i, name := range names {
		if !hidden[i] || !slices.Contains(hidden, false) {
			b.Names, b.at = append(b.Names, name), append(b.at, i)
		}
	}
}

// nextOld returns a function that gives the rows of a sheet of Excel in a compound file.
func (s *sheet) nextOld(rows *biff.Rows) func() ([]string, error) {
	return func() ([]string, error) {
		for {
			cells, err := rows.Next()
			if err != nil {
				return nil, err
			}
			s.rec = s.rec[:0]
			filled := false
			for _, c := range cells {
				value := c.Text
				if c.Style >= 0 {
					value = s.date(lexical.Print(c.Number), strconv.Itoa(c.Style))
				}
				for len(s.rec) <= c.Column {
					s.rec = append(s.rec, "")
				}
				s.rec[c.Column] = value
				filled = filled || value != ""
			}
			if filled {
				return s.rec, nil
			}
		}
	}
}

// excelBook is what a spreadsheet of Excel 2003 in XML says of its sheets.
type excelBook struct {
	encoding string
	begin    []int64 // the byte where each sheet begins
}

// openExcelXML finds the sheets of a spreadsheet of Excel 2003 in XML.
func openExcelXML(in *input.File) (*Book, error) {
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(string(head), "'", `"`), "?>")
	x := &excelBook{encoding: strings.ToLower(tagAttribute(first, "encoding"))}
	if x.encoding == "" {
		x.encoding = "utf-8"
	}
	decode, err := charset.New(x.encoding)
	if err != nil {
		return nil, in.Wrap("", err)
	}
	b := &Book{Kind: "xls", excel: x, all: sheet{in: in, flat: io.NewSectionReader(at, 0, size)}}
	var names []string
	var hidden []bool
	last := ""
	for text, read := bufio.NewReaderSize(io.NewSectionReader(at, 0, size), 64<<10), int64(0); ; {
		part, err := text.ReadSlice('>')
		tag := string(part)
		from := max(0, strings.LastIndexByte(tag, '<'))
		content := tag[:from]
		tag = strings.Replace(tag[from:], "<ss:", "<", 1)
		switch {
		case strings.HasPrefix(tag, "<Worksheet") && !strings.HasPrefix(tag, "<WorksheetOptions"):
			text, _, _ := decode.Decode([]byte(tag))
			element, _ := xml.NewDecoder(strings.NewReader(text)).RawToken()
			e, _ := element.(xml.StartElement)
			names, hidden, x.begin = append(names, lexical.Attribute(e, "Name")), append(hidden, false), append(x.begin, read+int64(from))
		case names != nil && strings.HasSuffix(last, "Visible>") && (content == "SheetHidden" || content == "SheetVeryHidden"):
			hidden[len(hidden)-1] = true
		}
		read, last = read+int64(len(part)), tag
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, b.all.damage(err)
		}
	}
	if names == nil {
		return nil, input.NoDocuments(in.Fail("", "the spreadsheet has no sheet"))
	}
	b.show(names, hidden)
	return b, nil
}

// openExcel reads a sheet of a number from 0.
func (s *sheet) openExcel(x *excelBook, i int) (next func() ([]string, error), err error) {
	from := x.begin[i]
	r, err := charset.Reader(x.encoding, io.NewSectionReader(s.flat, from, s.flat.Size()-from))
	s.rows = xml.NewDecoder(r)
	return (&excel{sheet: s}).next, err
}

// excel is a sheet of Excel 2003 in XML that is being read.
type excel struct {
	*sheet
	ended bool
}

// next returns the next row that has a value; io.EOF at the end of the sheet.
func (x *excel) next() ([]string, error) {
	for !x.ended {
		t, err := innerToken(x.rows)
		if err != nil {
			return nil, x.damage(err)
		}
		switch e := t.(type) {
		case xml.EndElement:
			x.ended = e.Name.Local == "Worksheet"
		case xml.StartElement:
			if e.Name.Local != "Row" {
				continue
			}
			filled, err := x.cells()
			if err != nil {
				return nil, x.damage(err)
			}
			if filled {
				return x.rec, nil
			}
		}
	}
	return nil, io.EOF
}

// cells reads the cells of a row into rec and reports whether one has a value. A cell stands at its
// index, from 1, or behind the last one.
func (x *excel) cells() (filled bool, err error) {
	x.rec = x.rec[:0]
	column := 0
	for {
		t, err := innerToken(x.rows)
		if err != nil {
			return false, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			if e.Name.Local == "Row" {
				return filled, nil
			}
		case xml.StartElement:
			if e.Name.Local != "Cell" {
				continue
			}
			if at, err := strconv.Atoi(lexical.Attribute(e, "Index")); err == nil && at > 0 {
				column = at - 1
			}
			if column >= mostColumns {
				return false, x.in.Fail("", "the spreadsheet has a cell beyond column %d; save it again", mostColumns)
			}
			value, err := x.value2003()
			if err != nil {
				return false, err
			}
			for value != "" && len(x.rec) <= column {
				x.rec = append(x.rec, "")
			}
			if value != "" {
				x.rec[column], filled = value, true
			}
			if across, err := strconv.Atoi(lexical.Attribute(e, "MergeAcross")); err == nil && across > 0 {
				column += min(across, mostColumns)
			}
			column++
		}
	}
}

// value2003 reads the value of a cell, to its end; a comment on it is left out.
func (x *excel) value2003() (value string, err error) {
	for {
		t, err := innerToken(x.rows)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.EndElement:
			if e.Name.Local == "Cell" {
				return value, nil
			}
		case xml.StartElement:
			if e.Name.Local != "Data" {
				if err := x.rows.Skip(); err != nil {
					return "", input.Early(err)
				}
				continue
			}
			text, err := s2003(x.rows)
			if err != nil {
				return "", err
			}
			if int64(len(text)) > x.in.Mem.Limit/8 {
				return "", input.ErrMemory
			}
			value = typed2003(lexical.Attribute(e, "Type"), text)
		}
	}
}

// typed2003 is a value of a type as a table has it; an error of a formula is none.
func typed2003(kind, text string) string {
	switch kind {
	case "Error":
		return ""
	case "Boolean":
		return map[string]string{"1": "true", "0": "false"}[strings.TrimSpace(text)]
	case "Number":
		return strings.TrimSpace(text)
	case "DateTime":
		text, _, _ = strings.Cut(strings.TrimSpace(text), ".")
		return strings.TrimSuffix(strings.Replace(text, "T", " ", 1), " 00:00:00")
	}
	return text
}

// s2003 is the text of an element, with that of those inside it, to its end.
func s2003(d *xml.Decoder) (string, error) {
	var out strings.Builder
	for depth := 1; ; {
		t, err := innerToken(d)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			if depth--; depth == 0 {
				return out.String(), nil
			}
		case xml.CharData:
			out.Write(e)
		}
	}
}
