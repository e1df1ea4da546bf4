package statfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// dtaMagic begins a file of Stata from release 13 on.
const dtaMagic = "<stata_dta>"

// isOldStata recognises a file of Stata before release 13 by its version, order of bytes and kind.
func isOldStata(head []byte) bool {
	return len(head) > 4 && 105 <= head[0] && head[0] <= 115 && (head[1] == 1 || head[1] == 2) && head[2] == 1 && head[3] == 0
}

// dta is a file of Stata.
type dta struct {
	in      *input.File
	at      io.ReaderAt
	size    int64
	order   binary.ByteOrder
	release int
	rows    int64
	read    int64
	list    []*variable
	kinds   []int    // of the variables, as release 117 counts them
	sets    []string // the names of their labels
	data    int64    // where the rows begin
	r       *bufio.Reader
	record  []byte
	long    map[[8]byte]span // texts that lie behind the rows, by their numbers in the rows
	longest int64
}

// span is where a text lies.
type span struct{ at, size int64 }

// Kinds of variables; lower ones are texts of so many bytes.
const (
	dtaLong   = 32768
	dtaDouble = 65526
	dtaFloat  = 65527
	dtaInt32  = 65528
	dtaInt16  = 65529
	dtaInt8   = 65530
	mostText  = 2045
)

// dtaSizes are the bytes of the numbers.
var dtaSizes = map[int]int{dtaLong: 8, dtaDouble: 8, dtaFloat: 4, dtaInt32: 4, dtaInt16: 2, dtaInt8: 1}

// begin reads what a file says of its variables.
func (s *dta) begin(in *input.File) ([]*variable, error) {
	s.in = in
	var err error
	if s.at, s.size, err = in.Random(); err != nil {
		return nil, err
	}
	d := &bits{r: section(s.at, 0, s.size), order: binary.LittleEndian, mem: in.Mem}
	if head, _ := d.r.Peek(len(dtaMagic)); string(head) == dtaMagic {
		s.beginTagged(d)
	} else {
		err = s.beginOld(d)
	}
	if err == nil {
		err = d.err
	}
	if err != nil {
		return nil, err
	}
	width := int64(0)
	for k, kind := range s.kinds {
		v := s.list[k]
		v.words, v.single = kind <= mostText || kind == dtaLong, kind == dtaFloat
		if n := int64(dtaSizes[kind]); n > 0 {
			width += n
		} else {
			width += int64(kind)
		}
	}
	if s.rows < 0 || width > 0 && s.rows > (s.size-s.data)/width {
		return nil, io.ErrUnexpectedEOF
	}
	if err := in.Mem.Take(width, 1); err != nil {
		return nil, err
	}
	s.record = make([]byte, width)
	return s.list, nil
}

// beginOld reads the head of a file before release 13.
func (s *dta) beginOld(d *bits) error {
	s.release = int(d.byte())
	if d.byte() == 1 {
		d.order = binary.BigEndian
	}
	s.order = d.order
	if s.release < 113 {
		return s.in.Fail("", "is a file of Stata of a release before 8 (format %d), which is not read; write it as a table, for instance with python -c \"import pandas; pandas.read_stata('FILE').to_csv('FILE.csv', index=False)\"", s.release)
	}
	d.skip(2)
	n := int(d.number(2))
	s.rows = int64(d.int())
	d.skip(81 + 18)
	for range n {
		kind := int(d.byte())
		switch {
		case kind >= 251:
			kind = dtaInt8 - (kind - 251)
		case kind > 244:
			d.err = errDamaged
		}
		s.kinds = append(s.kinds, kind)
	}
	formats := 49
	if s.release == 113 {
		formats = 12
	}
	s.variables(d, n, []int{33, formats, 33, 81}, 2)
	for d.err == nil {
		kind, size := d.byte(), d.count(longestText)
		if kind == 0 && size == 0 {
			break
		}
		d.skip(int64(size))
	}
	s.data = d.at
	if d.err != nil {
		return d.err
	}
	width := int64(0)
	for _, kind := range s.kinds {
		if n := dtaSizes[kind]; n > 0 {
			width += int64(n)
		} else {
			width += int64(kind)
		}
	}
	if s.rows < 0 || s.data+width*s.rows > s.size {
		return io.ErrUnexpectedEOF
	}
	d.skip(width * s.rows)
	for d.err == nil {
		if _, err := d.r.Peek(1); err == io.EOF {
			break
		}
		s.labels(d, 33)
	}
	return d.err
}

// variables reads names, the order of sorting, formats, and labels of the variables, whose fields
// have such widths; sorted are the bytes of a number of the order.
func (s *dta) variables(d *bits, n int, widths []int, sorted int) {
	tag := func(name string) {
		if s.release >= 117 {
			d.tag(name)
		}
	}
	part := func(name string, width int, take func(k int, text []byte)) {
		tag("<" + name + ">")
		for k := range n {
			text := upToNUL(d.bytes(width))
			if d.err != nil {
				return
			}
			take(k, text)
		}
		tag("</" + name + ">")
	}
	part("varnames", widths[0], func(_ int, text []byte) { s.list = append(s.list, &variable{name: text}) })
	tag("<sortlist>")
	d.skip(int64(sorted) * int64(n+1))
	tag("</sortlist>")
	part("formats", widths[1], func(k int, text []byte) {
		s.list[k].shows, s.list[k].moment = dtaMoment(string(text))
	})
	part("value_label_names", widths[2], func(_ int, text []byte) { s.sets = append(s.sets, string(text)) })
	part("variable_labels", widths[3], func(k int, text []byte) { s.list[k].about = text })
}

// tag reads a tag.
func (d *bits) tag(name string) {
	if got := d.bytes(len(name)); d.err == nil && string(got) != name {
		d.err = errDamaged
	}
}

// beginTagged reads the head of a file from release 13 on, then its labels and long texts.
func (s *dta) beginTagged(d *bits) {
	d.tag(dtaMagic + "<header><release>")
	release := string(d.bytes(3))
	s.release = map[string]int{"117": 117, "118": 118, "119": 119}[release]
	d.tag("</release><byteorder>")
	if order := string(d.bytes(3)); order == "MSF" {
		d.order = binary.BigEndian
	}
	s.order = d.order
	d.tag("</byteorder><K>")
	if d.err == nil && s.release == 0 {
		d.err = s.in.Fail("", "is a file of Stata in format %.3q, which is not read; save it with saveold FILE, version(13)", release)
	}
	// The bytes of a number of variables, of rows, of the length of the title, and of the order.
	sizes := map[int][4]int{117: {2, 4, 1, 2}, 118: {2, 8, 2, 2}, 119: {4, 8, 2, 4}}[s.release]
	if d.err != nil {
		return
	}
	n := int(d.number(sizes[0]))
	d.tag("</K><N>")
	s.rows = int64(d.number(sizes[1]))
	d.tag("</N><label>")
	d.skip(int64(d.number(sizes[2])))
	d.tag("</label><timestamp>")
	d.skip(int64(d.byte()))
	d.tag("</timestamp></header><map>")
	var parts [14]int64
	for k := range parts {
		parts[k] = int64(d.number(8))
	}
	d.tag("</map><variable_types>")
	for range n {
		kind := int(d.number(2))
		if d.err == nil && (kind > mostText || kind < 1) && dtaSizes[kind] == 0 {
			d.err = errDamaged
		}
		if d.err != nil {
			return
		}
		s.kinds = append(s.kinds, kind)
	}
	d.tag("</variable_types>")
	widths, name := []int{129, 57, 129, 321}, 129
	if s.release == 117 {
		widths, name = []int{33, 49, 33, 81}, 33
	}
	s.variables(d, n, widths, sizes[3])
	if d.err != nil {
		return
	}
	s.data = parts[9] + int64(len("<data>"))
	for _, from := range parts[8:13] {
		if from < d.at || from > s.size {
			d.err = io.ErrUnexpectedEOF
			return
		}
	}
	s.behind(d, parts[9], "<data>")
	s.behind(d, parts[10], "<strls>")
	s.texts(d)
	s.behind(d, parts[11], "<value_labels>")
	for d.err == nil {
		if more, _ := d.r.Peek(5); string(more) != "<lbl>" {
			break
		}
		d.tag("<lbl>")
		s.labels(d, name)
		d.tag("</lbl>")
	}
	d.tag("</value_labels>")
}

// behind goes to a part of the file, which a tag begins.
func (s *dta) behind(d *bits, from int64, tag string) {
	if d.err == nil {
		d.r, d.at = section(s.at, from, s.size), from
		d.tag(tag)
	}
}

// texts notes where the long texts lie.
func (s *dta) texts(d *bits) {
	s.long = make(map[[8]byte]span)
	for d.err == nil {
		if more, _ := d.r.Peek(3); string(more) != "GSO" {
			return
		}
		d.tag("GSO")
		v := d.number(4)
		o := d.number(map[bool]int{true: 4, false: 8}[s.release == 117])
		kind, size := d.byte(), int64(d.number(4))
		if d.err == nil {
			d.err = s.in.Mem.Take(1, 64)
		}
		at := span{d.at, size}
		if kind == 130 && size > 0 {
			at.size-- // its NUL
		}
		s.longest = max(s.longest, at.size)
		s.long[s.key(v, o)] = at
		d.skip(size)
	}
}

// key is how the rows name a long text, by the variable and the row where it stood first.
func (s *dta) key(v, o uint64) (key [8]byte) {
	little := s.order == binary.ByteOrder(binary.LittleEndian)
	bits := map[int]uint{117: 32, 118: 16, 119: 24}[s.release]
	if little {
		s.order.PutUint64(key[:], v|o<<bits)
	} else {
		s.order.PutUint64(key[:], v<<(64-bits)|o)
	}
	return key
}

// labels reads a set of labels, whose name has a width.
func (s *dta) labels(d *bits, width int) {
	d.int()
	name := string(upToNUL(d.bytes(width)))
	d.skip(3)
	n, size := d.count(mostLabels), d.count(longestText)
	offsets, values := d.bytes(4*n), d.bytes(4*n)
	text := d.bytes(size)
	if d.err != nil {
		return
	}
	set := make(map[float64][]byte)
	for k := range n {
		value, at := int32(s.order.Uint32(values[4*k:])), int(s.order.Uint32(offsets[4*k:]))
		if at > len(text) {
			d.err = errDamaged
			return
		}
		if value <= 2147483620 { // others label kinds of missing values
			set[float64(value)] = trimmed(upToNUL(text[at:]))
		}
	}
	for k, of := range s.sets {
		if of == name && of != "" {
			s.list[k].labels = set
		}
	}
}

// dtaMoment says which formats of numbers show days and times: units since 1960.
func dtaMoment(format string) (moment, func(float64) (float64, bool)) {
	const before = 3653 // days to 1970
	format = strings.TrimPrefix(strings.TrimPrefix(format, "%"), "-")
	months := func(each float64) func(float64) (float64, bool) {
		return func(x float64) (float64, bool) { return firstDay(1960, x*each) }
	}
	switch {
	case strings.HasPrefix(format, "tc"), strings.HasPrefix(format, "tC"):
		return aTime, since(1000, before, 86400)
	case strings.HasPrefix(format, "td"), strings.HasPrefix(format, "d"):
		return aDay, since(1, before, 1)
	case strings.HasPrefix(format, "tw"): // 52 weeks a year, which begin on 1 January
		return aDay, func(x float64) (float64, bool) {
			year := math.Floor(x / 52)
			day, ok := firstDay(1960, 12*year)
			return day + 7*(x-52*year), ok
		}
	case strings.HasPrefix(format, "tm"):
		return aDay, months(1)
	case strings.HasPrefix(format, "tq"):
		return aDay, months(3)
	case strings.HasPrefix(format, "th"):
		return aDay, months(6)
	}
	return plainNumber, nil
}

// firstDay is the first day of a month, counted from a year's first, as days from 1970.
func firstDay(year int, months float64) (float64, bool) {
	if math.IsNaN(months) || math.Abs(months) > 12*8000 {
		return 0, false
	}
	at := time.Date(year, time.Month(1+int(math.Floor(months))), 1, 0, 0, 0, 0, time.UTC)
	return float64(at.Unix() / 86400), at.Year() >= 1 && at.Year() <= 9999
}

// encoding is UTF-8 from release 14 on.
func (s *dta) encoding() string {
	if s.release >= 118 {
		return "utf-8"
	}
	return ""
}

func (s *dta) weight() int { return -1 }

// rewind goes to the first row.
func (s *dta) rewind() error {
	s.read, s.r = 0, section(s.at, s.data, s.size)
	return nil
}

// next reads a row.
func (s *dta) next(row []cell) error {
	if s.read == s.rows || len(s.record) == 0 {
		return io.EOF
	}
	if err := input.ReadFull(s.r, s.record); err != nil {
		return err
	}
	s.read++
	at := s.record
	for k, kind := range s.kinds {
		n := dtaSizes[kind]
		if n == 0 {
			n = kind
		}
		c, err := s.cell(kind, at[:n])
		if err != nil {
			return err
		}
		row[k], at = c, at[n:]
	}
	return nil
}

// cell is a value of a kind.
func (s *dta) cell(kind int, b []byte) (cell, error) {
	number := func(x float64, none bool) (cell, error) { return cell{number: x, none: none || math.IsNaN(x)}, nil }
	switch kind {
	case dtaLong:
		return s.longText([8]byte(b))
	case dtaDouble:
		x := math.Float64frombits(s.order.Uint64(b))
		return number(x, x >= 0x1p1023)
	case dtaFloat:
		x := math.Float32frombits(s.order.Uint32(b))
		return number(float64(x), x >= 0x1p127)
	case dtaInt32:
		x := int32(s.order.Uint32(b))
		return number(float64(x), x > 2147483620)
	case dtaInt16:
		x := int16(s.order.Uint16(b))
		return number(float64(x), x > 32740)
	case dtaInt8:
		return number(float64(int8(b[0])), int8(b[0]) > 100)
	}
	return cell{word: bytes.TrimRight(upToNUL(b), " ")}, nil
}

// longText reads a text that lies behind the rows; variable and row 0 are an empty one.
func (s *dta) longText(key [8]byte) (cell, error) {
	where, is := s.long[key]
	if !is {
		if key != [8]byte{} {
			return cell{}, fmt.Errorf("%w: a text is not there", errDamaged)
		}
		return cell{}, nil
	}
	if where.size > s.in.Mem.Limit/8 || where.at+where.size > s.size {
		return cell{}, input.ErrTooLong
	}
	word := make([]byte, where.size)
	if _, err := s.at.ReadAt(word, where.at); err != nil {
		return cell{}, input.Early(err)
	}
	return cell{word: word}, nil
}
