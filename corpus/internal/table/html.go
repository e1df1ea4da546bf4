package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"golang.org/x/net/html"
)

// beginsPage is what a page of HTML begins with, after a prolog of XML and comments; beginsPart is
// what programs write that leave that out.
var (
	beginsPage = pattern.Lazy(`(?is)^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype html|html)[\s>]`)
	beginsPart = pattern.Lazy(`(?is)^\s*(<!--.*?-->\s*)*<(table|head|body|meta|style|div|center|font)[\s>]`)
	rowOfTable = pattern.Lazy(`(?is)<table[\s>].*<tr[\s>].*<t[dh][\s>]`)
)

// forExcel is what programs write into a page that Excel is to open as a sheet.
var forExcel = pattern.Lazy(`(?i)urn:schemas-microsoft-com:office:excel|progid.*excel|application/vnd\.ms-excel`)

// IsPage reports whether a file is HTML by its beginning.
func IsPage(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	return beginsPage().Match(head) || beginsPart().Match(head) && rowOfTable().Match(head)
}

// ForExcel reports whether the beginning of a page says that it is a sheet: programs write it for
// Excel, or it begins with a table.
func ForExcel(head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)))
	return forExcel().Match(head) || len(head) > 6 && strings.EqualFold(string(head[:6]), "<table")
}

// Bounds of what HTML says of a cell, as browsers have them, and how many values cells that reach
// over several rows may repeat: so many for each cell of the page, and some.
const (
	mostAcross    = 1000
	mostDown      = 65534
	repeatedCells = 16
	freeRepeated  = 1 << 20
)

// Page is what a page of HTML holds: its tables of two rows or more in which something stands.
type Page struct {
	// Outside is how many bytes of text stand outside of tables.
	Outside int

	in     *input.File
	tables []*pageTable
}

// pageTable is a table of a page.
type pageTable struct {
	caption strings.Builder
	grid    [][]pageCell
	filled  int // cells in which something stands
	bytes   int // of what stands in them

	part string          // what is read of it: "td", "caption" or "" between them
	text strings.Builder // of the cell at hand
	cell pageCell
}

// pageCell is a cell and over how many columns and rows it reaches.
type pageCell struct {
	text         string
	across, down int32
}

// OpenPage finds the tables of a page of HTML, whose content is UTF-8. Their cells are in memory,
// within the budget.
func OpenPage(in *input.File) (*Book, error) {
	p := &pageReader{in: in, page: &Page{in: in}}
	if err := p.read(); err != nil {
		return nil, in.Wrap("", err)
	}
	b := &Book{Kind: "html", Page: p.page, all: sheet{in: in}}
	p.page.tables = slices.DeleteFunc(p.page.tables, func(t *pageTable) bool { return len(t.grid) < 2 || t.filled < 2 })
	for i, t := range p.page.tables {
		name := strings.Join(strings.Fields(t.caption.String()), " ")
		if name == "" || slices.Contains(b.Names, name) {
			name = strconv.Itoa(i + 1)
		}
		b.Names, b.at = append(b.Names, name), append(b.at, i)
	}
	return b, nil
}

// Unit is what a sheet is called.
func (b *Book) Unit() string {
	if b.Page != nil {
		return "table"
	}
	return "sheet"
}

// Size returns the rows of a table of the page, its header among them, and its columns.
func (p *Page) Size(i int) (rows, columns int) {
	t := p.tables[i]
	for _, row := range t.grid {
		width := 0
		for _, c := range row {
			width += int(c.across)
		}
		columns = max(columns, width)
	}
	return len(t.grid), columns
}

// Filled returns the cells of a table of the page in which something stands, and the bytes of it.
func (p *Page) Filled(i int) (cells, bytes int) { return p.tables[i].filled, p.tables[i].bytes }

// SameFirst reports whether the first rows of two tables of the page hold the same.
func (p *Page) SameFirst(i, k int) bool {
	return slices.Equal(p.tables[i].grid[0], p.tables[k].grid[0])
}

// pageReader reads a page.
type pageReader struct {
	in   *input.File
	page *Page
	open []*pageTable // that are read, the outermost first
	skip string       // the element whose content is no text
	deep int          // elements of its name inside of it
	done bool         // the end of the page was read
}

// lineTags are the elements that begin a new line inside a cell.
var lineTags = strings.Fields("br p div li tr h1 h2 h3 h4 h5 h6 hr ul ol dt dd blockquote pre")

// read reads the page to its end.
func (p *pageReader) read() error {
	z := html.NewTokenizer(p.in.Stream)
	z.SetMaxBuf(int(min(p.in.Mem.Limit/8, 1<<30)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			switch err := z.Err(); {
			case errors.Is(err, html.ErrBufferExceeded):
				return input.ErrMemory
			case err != io.EOF:
				return err
			case len(p.open) > 0 && !p.done:
				return p.in.Fail("", "the page ends inside a table, it was cut off; save or download it again, or write </table> at its end if nothing is missing")
			}
			for len(p.open) > 0 {
				if err := p.end("table"); err != nil {
					return err
				}
			}
			return p.in.Ctx.Err()
		case html.TextToken:
			if err := p.text(z.Text()); err != nil {
				return err
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := p.start(z); err != nil {
				return err
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if err := p.end(string(name)); err != nil {
				return err
			}
		}
	}
}

// top is the table that is read; nil outside of tables.
func (p *pageReader) top() *pageTable {
	if len(p.open) == 0 {
		return nil
	}
	return p.open[len(p.open)-1]
}

func (p *pageReader) text(text []byte) error {
	t := p.top()
	switch {
	case p.skip != "":
	case t == nil || t.part == "":
		p.page.Outside += len(bytes.TrimSpace(text))
	case t.part == "caption" && t.caption.Len() < 200:
		t.caption.Write(text[:min(len(text), 200)])
	case t.part == "caption":
	case int64(t.text.Len()+len(text)) > p.in.Mem.Limit/8:
		return input.ErrMemory
	default:
		t.text.Write(bytes.ReplaceAll(text, []byte("\n"), []byte(" "))) // breaks of lines are elements
	}
	return nil
}

// start takes the beginning of an element.
func (p *pageReader) start(z *html.Tokenizer) error {
	raw, attributes := z.TagName()
	name, t := string(raw), p.top()
	switch {
	case name == p.skip:
		p.deep++
	case name == "script" || name == "style" || name == "title", (name == "span" || name == "div") && hides(z, attributes):
		p.skip, p.deep = name, 0
	case name == "table":
		const deepest = 100
		if len(p.open) >= deepest {
			return p.in.Fail("", "the page has %d tables inside one another, it is damaged; save it again", deepest)
		}
		if err := p.in.Mem.Take(1, 256); err != nil {
			return err
		}
		t = new(pageTable)
		p.open, p.page.tables = append(p.open, t), append(p.page.tables, t)
	case t == nil:
	case name == "caption":
		t.part = "caption"
	case name == "tr":
		if err := p.endCell(t); err != nil {
			return err
		}
		t.grid = append(t.grid, nil)
		return p.in.Mem.Take(1, 48)
	case name == "td" || name == "th":
		if err := p.endCell(t); err != nil {
			return err
		}
		if len(t.grid) == 0 {
			t.grid = append(t.grid, nil)
		}
		t.part, t.cell = "td", cellOf(z, attributes)
	case slices.Contains(lineTags, name):
		t.text.WriteByte('\n')
	}
	return nil
}

// end takes the end of an element.
func (p *pageReader) end(name string) error {
	if name == p.skip {
		if p.deep--; p.deep < 0 {
			p.skip = ""
		}
	}
	p.done = p.done || name == "html" || name == "body"
	t := p.top()
	if t == nil {
		return nil
	}
	switch name {
	case "td", "th", "tr":
		return p.endCell(t)
	case "caption":
		t.part = ""
	case "table":
		if err := p.endCell(t); err != nil {
			return err
		}
		t.grid = slices.DeleteFunc(t.grid, func(row []pageCell) bool { return len(row) == 0 })
		p.open = p.open[:len(p.open)-1]
	}
	return nil
}

// hides reports whether an element is not shown, as keys to sort by that pages write before what a
// cell shows.
func hides(z *html.Tokenizer, more bool) bool {
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if string(key) == "style" && displayNone().Match(value) || string(key) == "hidden" {
			return true
		}
	}
	return false
}

var displayNone = pattern.Lazy(`(?i)(^|[;\s])display\s*:\s*none`)

// shownNumber is a number as a cell shows it, whose value programs write beside it, and shownDay a
// day, whose value is a count of days.
var (
	shownNumber = pattern.Lazy(`^[-+]?[\d.,'\x{a0}\x{202f} ]*\d[\d.,'\x{a0}\x{202f} ]*$`)
	shownDay    = pattern.Lazy(`^\d{1,4}\.\d{1,2}\.(\d{2,4})?$`)
)

// cellOf reads the attributes of a cell: how far it reaches, and the number that it shows, as Excel
// (x:num) and LibreOffice (sdval) write it.
func cellOf(z *html.Tokenizer, more bool) pageCell {
	c := pageCell{across: 1, down: 1}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "colspan":
			c.across = span(value, mostAcross)
		case "rowspan":
			if c.down = span(value, mostDown); string(value) == "0" { // to the end
				c.down = mostDown
			}
		case "x:num", "sdval":
			if _, err := strconv.ParseFloat(string(value), 64); err == nil {
				c.text = string(value)
			}
		}
	}
	return c
}

func span(value []byte, most int32) int32 {
	n, err := strconv.Atoi(strings.TrimSpace(string(value)))
	if err != nil || n < 1 {
		return 1
	}
	return int32(min(int64(n), int64(most)))
}

// endCell ends the cell that is read, if there is one, and what is not shown in it.
func (p *pageReader) endCell(t *pageTable) error {
	p.skip = ""
	if t.part != "td" {
		t.part = ""
		t.text.Reset()
		return nil
	}
	text := tidyCell(t.text.String())
	if t.cell.text == "" || !shownNumber().MatchString(text) || shownDay().MatchString(text) {
		t.cell.text = text
	}
	t.part = ""
	t.text.Reset()
	if text != "" {
		t.filled++
		t.bytes += len(text)
	}
	row := &t.grid[len(t.grid)-1]
	if len(*row) >= mostColumns {
		return p.in.Fail("row "+strconv.Itoa(len(t.grid)), "has more than %d cells; save the page as .csv or .xlsx", mostColumns)
	}
	*row = append(*row, t.cell)
	return p.in.Mem.Take(int64(len(text))+48, 1) // a row may have room for twice its cells
}

// tidyCell is the text of a cell as it is shown: one blank in place of several, and its lines.
func tidyCell(s string) string {
	if !strings.Contains(s, "\n") {
		return strings.Join(strings.Fields(s), " ")
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// rows returns the rows of a table of the page one by one: a cell stands in each of the rows over
// which it reaches, and in the first of its columns.
func (p *Page) rows(i int) func() ([]string, error) {
	t := p.tables[i]
	cells := 0
	for _, row := range t.grid {
		cells += len(row)
	}
	r := &pageRows{in: p.in, grid: t.grid, left: freeRepeated + repeatedCells*cells}
	return r.next
}

// pageRows are the rows of a table that are not given yet.
type pageRows struct {
	in    *input.File
	grid  [][]pageCell
	at    int
	above []reaching // of each column
	left  int        // values that cells may still repeat
	rec   []string
}

// reaching is a cell that reaches into the rows below.
type reaching struct {
	text string
	rows int32
}

func (r *pageRows) next() ([]string, error) {
	for r.at < len(r.grid) {
		row := r.grid[r.at]
		r.at++
		r.rec = r.rec[:0]
		filled := false
		for _, c := range row {
			r.takeAbove(false)
			filled = filled || c.text != ""
			for k := range c.across {
				value := ""
				if k == 0 {
					value = c.text
				}
				if c.down > 1 {
					for len(r.above) <= len(r.rec) {
						r.above = append(r.above, reaching{})
					}
					r.above[len(r.rec)] = reaching{value, c.down - 1}
				}
				r.rec = append(r.rec, value)
			}
			if len(r.rec) > mostColumns {
				return nil, r.in.Fail("row "+strconv.Itoa(r.at), "the table has a cell beyond column %d; save it as .csv or .xlsx", mostColumns)
			}
		}
		r.takeAbove(true)
		if r.left < 0 {
			return nil, r.in.Fail("row "+strconv.Itoa(r.at), "cells that reach over several rows repeat many more values than the page has; save the table as .csv or .xlsx")
		}
		if filled {
			return r.rec, nil
		}
	}
	return nil, io.EOF
}

// takeAbove adds the values of cells above that reach into the columns at hand; with rest, into all
// columns that follow.
func (r *pageRows) takeAbove(rest bool) {
	for j := len(r.rec); j < len(r.above); j++ {
		a, value := &r.above[j], ""
		if a.rows == 0 && !rest {
			return
		}
		if a.rows > 0 {
			value = a.text
			a.rows--
			r.left--
		}
		r.rec = append(r.rec, value)
	}
}
