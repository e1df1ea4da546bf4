package biff

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

// mostColumns is the most columns of a sheet.
const mostColumns = 256

// Rows are the rows of a sheet that have a value.
type Rows struct {
	b     *Book
	at    int // of the next record
	row   int // of the last cell; -1 before the first
	cells []Cell
	ahead []Cell // cells of the next row
	depth int    // charts inside of the sheet
	ended bool
}

// Rows returns the rows of a sheet of a number from 0.
func (b *Book) Rows(i int) (*Rows, error) {
	r := &Rows{b: b, row: -1}
	kind, _, next, err := b.record(b.Sheets[i].at)
	if err == nil && kind != recBOF {
		err = errDamaged
	}
	r.at = next
	return r, b.fault("", err)
}

// Next returns the cells of the next row; io.EOF at the end.
func (r *Rows) Next() ([]Cell, error) {
	r.cells, r.ahead = append(r.cells[:0], r.ahead...), r.ahead[:0]
	for !r.ended && len(r.ahead) == 0 {
		if err := r.step(); err != nil {
			return nil, r.b.fault(fmt.Sprintf("row %d", r.row+1), err)
		}
	}
	if len(r.cells) == 0 && len(r.ahead) > 0 { // the first row
		return r.Next()
	}
	if len(r.cells) == 0 {
		return nil, io.EOF
	}
	return r.cells, nil
}

// step reads a record.
func (r *Rows) step() error {
	kind, data, next, err := r.b.record(r.at)
	if err != nil {
		return err
	}
	r.at = next
	switch kind {
	case recBOF:
		r.depth++
		return nil
	case recEOF:
		r.depth--
		r.ended = r.depth < 0
		return nil
	}
	if r.depth > 0 {
		return nil
	}
	in := &reader{rest: data}
	switch kind {
	case recNumber, recRK, recMulRK, recLabelSST, recLabel, recRString, recBoolErr, recFormula:
		row := int(in.u16())
		column, style := int(in.u16()), -1
		if kind != recMulRK {
			style = int(in.u16())
		}
		last := column
		if kind == recMulRK {
			last += len(data)/6 - 2 // a row, cells of six bytes, and two columns
		}
		if last >= mostColumns {
			return r.b.in.Fail(fmt.Sprintf("row %d", row+1), "has a cell in column %d, where Excel before 2007 has %d; the file is damaged, copy or save it again", last+1, mostColumns)
		}
		if row < r.row {
			return r.b.in.Fail(fmt.Sprintf("row %d", row+1), "stands behind row %d in the file, which no program of Excel writes; make a new file, for instance with libreoffice --headless --convert-to xlsx FILE", r.row+1)
		}
		if err := r.cell(kind, in, row, column, style); err != nil {
			return err
		}
	}
	if in.short {
		return errDamaged
	}
	return nil
}

// put adds a cell of a row.
func (r *Rows) put(row int, c Cell) {
	if row == r.row && len(r.ahead) == 0 {
		r.cells = append(r.cells, c)
		return
	}
	r.row = row
	r.ahead = append(r.ahead, c)
}

// cell reads the values of a record of a kind.
func (r *Rows) cell(kind int, in *reader, row, column, style int) error {
	float := func() float64 { return math.Float64frombits(little.Uint64(in.bytes(8))) }
	switch kind {
	case recNumber:
		r.put(row, Cell{Column: column, Number: float(), Style: style})
	case recRK:
		r.put(row, Cell{Column: column, Number: number(in.u32()), Style: style})
	case recMulRK:
		for ; len(in.rest) >= 8; column++ {
			style := int(in.u16())
			r.put(row, Cell{Column: column, Number: number(in.u32()), Style: style})
		}
	case recLabelSST:
		k := int(in.u32())
		if k >= len(r.b.shared) {
			return errDamaged
		}
		r.put(row, Cell{Column: column, Text: r.b.shared[k], Style: -1})
	case recLabel, recRString:
		in.more = r.more
		r.put(row, Cell{Column: column, Text: r.b.text(in, false), Style: -1})
	case recBoolErr:
		if value := in.u8(); in.u8() == 0 {
			r.put(row, Cell{Column: column, Text: strconv.FormatBool(value != 0), Style: -1})
		}
	case recFormula:
		value := in.bytes(8)
		switch {
		case value[6] != 0xff || value[7] != 0xff:
			r.put(row, Cell{Column: column, Number: math.Float64frombits(little.Uint64(value)), Style: style})
		case value[0] == 1:
			r.put(row, Cell{Column: column, Text: strconv.FormatBool(value[2] != 0), Style: -1})
		case value[0] == 0:
			text, err := r.result()
			if err != nil {
				return err
			}
			r.put(row, Cell{Column: column, Text: text, Style: -1})
		}
	}
	return nil
}

// more is the record that continues the last one.
func (r *Rows) more() []byte {
	kind, data, next, err := r.b.record(r.at)
	if err != nil || kind != recContinue {
		return nil
	}
	r.at = next
	return data
}

// result is the text that a formula gave. It stands in a later record: between may be some of a
// formula that cells share.
func (r *Rows) result() (string, error) {
	const between = 3
	at := r.at
	for range between {
		kind, data, next, err := r.b.record(at)
		if err != nil {
			return "", err
		}
		if at = next; kind == recString {
			r.at = next
			in := &reader{rest: data, more: r.more}
			text := r.b.text(in, false)
			if in.short {
				return "", errDamaged
			}
			return text, nil
		}
		if kind != 0x04bc && kind != 0x0221 && kind != 0x0236 { // SHRFMLA, ARRAY, TABLE
			break
		}
	}
	return "", nil
}
