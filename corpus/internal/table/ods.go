package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// odsContent is the part of a spreadsheet of OpenDocument that holds its sheets.
const odsContent = "content.xml"

// mostRows is the most rows of a sheet, as in LibreOffice, and mostCopied the most cells of rows
// that a file holds once and says to repeat.
const mostRows, mostCopied = 1 << 20, 1 << 26

// IsODS recognises a spreadsheet of OpenDocument (.ods).
func IsODS(z *zip.Reader) bool {
	for _, f := range z.File {
		if f.Name != "mimetype" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return false
		}
		defer r.Close()
		kind, _ := io.ReadAll(io.LimitReader(r, 256))
		return strings.HasPrefix(string(kind), "application/vnd.oasis.opendocument.spreadsheet")
	}
	return false
}

// flatODS is what the first element of a spreadsheet of OpenDocument in one file (.fods) says.
var flatODS = pattern.Lazy(`^\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)?<office:document\s[^>]*office:mimetype="application/vnd\.oasis\.opendocument\.spreadsheet`)

// isFlatODS recognises a spreadsheet of OpenDocument that is one file of XML (.fods).
func isFlatODS(in *input.File) (bool, error) {
	head, err := in.Peek(LookedAt)
	return err == nil && flatODS().Match(bytes.TrimPrefix(head, []byte(input.ByteOrderMark))), err
}

// OpenFlat finds the sheets of a spreadsheet that is no archive of zip, as [FlatKind] says; nil of
// another file.
func OpenFlat(in *input.File) (*Book, error) {
	if flat, err := isFlatODS(in); err != nil || !flat {
		head, failed := in.Peek(input.HeadSize)
		switch {
		case err != nil || failed != nil:
			return nil, cmp.Or(err, failed)
		case excelXML().Match(head):
			return openExcelXML(in)
		}
		return openBIFF(in)
	}
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	b := &Book{Kind: "ods", all: sheet{in: in, flat: io.NewSectionReader(at, 0, size)}}
	return b, b.findODS()
}

// ods is a sheet of OpenDocument that is being read.
type ods struct {
	*sheet
	again  int // how often the last row is to be given again
	copied int // cells that were given again
	read   int // rows
	done   bool
}

// findODS finds the sheets of a spreadsheet of OpenDocument (.ods). Its formulas count by the
// values that were stored with them, percentages as fractions, and times of the day as fractions of
// a day, as Excel has them.
func (b *Book) findODS() error {
	r, err := b.all.open(odsContent)
	if err != nil {
		return err
	}
	defer r.Close()
	var names, shown []string // of all sheets, and of those that are shown
	var at []int
	style, hidden := "", make(map[string]bool) // the style at hand, and those of sheets that are not shown
	for text := bufio.NewReaderSize(r, 64<<10); ; {
		read, err := text.ReadSlice('>')
		tag := string(read)
		if from := strings.LastIndexByte(tag, '<'); from >= 0 {
			tag = tag[from:]
		}
		switch {
		case strings.HasPrefix(tag, "<style:style "):
			style = tagAttribute(tag, "style:name")
		case strings.HasPrefix(tag, "<style:table-properties ") && tagAttribute(tag, "table:display") == "false":
			hidden[style] = true
		case strings.HasPrefix(tag, "<table:table "):
			name := tagAttribute(tag, "table:name")
			if !hidden[tagAttribute(tag, "table:style-name")] {
				shown, at = append(shown, name), append(at, len(names))
			}
			names = append(names, name)
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return b.all.damage(err)
		}
	}
	if names == nil {
		return input.NoDocuments(b.all.in.Fail("", "the spreadsheet has no sheet"))
	}
	if b.Names, b.at = shown, at; shown == nil {
		b.Names = names
		for i := range names {
			b.at = append(b.at, i)
		}
	}
	return nil
}

// tagAttribute is an attribute in the text of a tag; "" of none.
func tagAttribute(tag, name string) string {
	_, value, _ := strings.Cut(tag, " "+name+`="`)
	value, _, _ = strings.Cut(value, `"`)
	return html.UnescapeString(value)
}

// find reads up to a sheet, of a number from 0.
func (o *ods) find(i int) error {
	for {
		t, err := o.rows.Token()
		if err == io.EOF {
			return input.NoDocuments(o.in.Fail("", "the spreadsheet has no sheet"))
		}
		if err != nil {
			return o.damage(err)
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "table" {
			if i--; i < 0 {
				return nil
			}
		}
	}
}

// repeated is how often an element stands in a row.
func repeated(e xml.StartElement, name string) int {
	if n, err := strconv.Atoi(lexical.Attribute(e, name)); err == nil && n > 1 {
		return n
	}
	return 1
}

// next returns the next row that has a value; io.EOF at the end of the sheet.
func (o *ods) next() ([]string, error) {
	if o.again > 0 {
		o.again--
		if o.copied += len(o.rec); o.copied > mostCopied {
			return nil, o.in.Fail("", "the spreadsheet repeats rows of more than %d cells in all; save it again, or as .csv", mostCopied)
		}
		return o.rec, o.counted()
	}
	for !o.done {
		t, err := o.rows.Token()
		if err != nil {
			return nil, o.damage(input.Early(err))
		}
		switch e := t.(type) {
		case xml.EndElement:
			o.done = e.Name.Local == "table"
		case xml.StartElement:
			if e.Name.Local != "table-row" {
				continue
			}
			filled, err := o.row()
			if err != nil {
				return nil, o.damage(err)
			}
			if filled {
				o.again = repeated(e, "number-rows-repeated") - 1
				return o.rec, o.counted()
			}
		}
	}
	return nil, io.EOF
}

// counted refuses more rows than a sheet can have, which a damaged file repeats.
func (o *ods) counted() error {
	if o.read++; o.read > mostRows {
		return o.in.Fail("", "the spreadsheet has more than %d rows; save it again, or as .csv", mostRows)
	}
	return nil
}

// row reads the cells of a row into rec and reports whether one has a value.
func (o *ods) row() (filled bool, err error) {
	o.rec = o.rec[:0]
	empty := 0 // cells that may be the last ones
	for {
		t, err := innerToken(o.rows)
		if err != nil {
			return false, err
		}
		switch e := t.(type) {
		case xml.EndElement:
			if e.Name.Local == "table-row" {
				return filled, nil
			}
		case xml.StartElement:
			if e.Name.Local != "table-cell" && e.Name.Local != "covered-table-cell" {
				continue
			}
			value, err := o.odsCell(e)
			if err != nil {
				return false, err
			}
			n := repeated(e, "number-columns-repeated")
			if value == "" {
				empty = min(empty+n, mostColumns+1)
				continue
			}
			if len(o.rec)+empty+n > mostColumns || n > mostColumns {
				return false, o.in.Fail("", "the spreadsheet has a cell beyond column %d; save it again", mostColumns)
			}
			for ; empty > 0; empty-- {
				o.rec = append(o.rec, "")
			}
			for ; n > 0; n-- {
				o.rec = append(o.rec, value)
			}
			filled = true
		}
	}
}

// odsCell reads the value of a cell, to its end.
func (o *ods) odsCell(e xml.StartElement) (string, error) {
	text, err := o.odsText()
	if err != nil {
		return "", err
	}
	kind, failed := "", false
	for _, a := range e.Attr {
		switch {
		case a.Name.Local == "value-type" && a.Value == "error":
			failed = true
		case a.Name.Local == "value-type" && (kind == "" || strings.Contains(a.Name.Space, "office")):
			kind = a.Value
		}
	}
	switch value := lexical.Attribute(e, "value"); {
	case failed:
		return "", nil // an error of a formula, such as #N/A
	case kind == "float" || kind == "percentage" || kind == "currency":
		return value, nil
	case kind == "date":
		return strings.TrimSuffix(strings.Replace(lexical.Attribute(e, "date-value"), "T", " ", 1), " 00:00:00"), nil
	case kind == "boolean":
		return lexical.Attribute(e, "boolean-value"), nil
	case kind == "time":
		return dayFraction(lexical.Attribute(e, "time-value")), nil
	}
	return text, nil
}

// duration matches a time as PT10H30M00S.
var duration = pattern.Lazy(`^PT(\d+)H(\d+)M(\d+(?:\.\d+)?)S$`)

// dayFraction is a time of the day as a fraction of a day; another value stays as it is.
func dayFraction(s string) string {
	m := duration().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	var seconds float64
	for i, unit := range []float64{3600, 60, 1} {
		v, err := strconv.ParseFloat(m[i+1], 64)
		if err != nil {
			return s
		}
		seconds += unit * v
	}
	return fmt.Sprint(seconds / 86400)
}

// odsText reads the paragraphs of a cell, to its end; a comment on it is left out.
func (o *ods) odsText() (string, error) {
	var out strings.Builder
	paragraphs, inside, depth, comment := 0, 0, 1, 0
	for depth > 0 {
		t, err := innerToken(o.rows)
		if err != nil {
			return "", err
		}
		switch e := t.(type) {
		case xml.StartElement:
			if depth++; e.Name.Local == "annotation" && comment == 0 {
				comment = depth
			}
			if comment > 0 {
				continue
			}
			switch e.Name.Local {
			case "p", "h":
				if inside++; paragraphs > 0 {
					out.WriteByte('\n')
				}
				paragraphs++
			case "s":
				out.WriteString(strings.Repeat(" ", min(repeated(e, "c"), 1000)))
			case "tab", "line-break":
				out.WriteByte(' ')
			}
		case xml.EndElement:
			if depth == comment {
				comment = 0
			} else if comment == 0 && (e.Name.Local == "p" || e.Name.Local == "h") {
				inside--
			}
			depth--
		case xml.CharData:
			if inside == 0 || comment > 0 {
				continue
			}
			if int64(out.Len()+len(e)) > o.in.Mem.Limit/8 {
				return "", input.ErrMemory
			}
			out.Write(e)
		}
	}
	return out.String(), nil
}
