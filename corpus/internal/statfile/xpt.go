package statfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// xpt is a transport file of SAS, of one data set.
type xpt struct {
	asked  string
	in     *input.File
	at     io.ReaderAt
	from   int64 // where the rows begin
	to     int64 // where they end, with the blanks that fill the last record
	rows   int64 // -1: up to the end
	read   int64
	fields []xptField
	r      *bufio.Reader
	record []byte
}

// xptField is a variable in the rows.
type xptField struct {
	*variable
	at, width int
}

// xptMember is a data set in a file.
type xptMember struct {
	name                  string
	head, variables, rows int64 // where its records, those of its variables, and its rows begin
	end                   int64
	size                  int    // bytes that say what a variable is
	counts                string // the numbers in the head of the variables and in that of the rows
	long                  bool   // of version 8
	known                 int64  // rows; -1: not said
}

// xptRecord is the bytes of a record, which the parts of a file fill.
const xptRecord = 80

// begin finds the data sets, and reads what one says of its variables.
func (s *xpt) begin(in *input.File) ([]*variable, error) {
	s.in = in
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	s.at = at
	members, err := s.members(size)
	if err != nil {
		return nil, err
	}
	m, err := s.choose(members)
	if err != nil {
		return nil, err
	}
	if m.rows == 0 || m.variables == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return s.variables(m)
}

// members finds the data sets of a file by the records that begin their parts.
func (s *xpt) members(size int64) (list []*xptMember, err error) {
	const mark, after = "HEADER RECORD*******", "HEADER RECORD!!!!!!!"
	r := section(s.at, 0, size)
	record := make([]byte, xptRecord)
	var m *xptMember
	for at := int64(0); at+xptRecord <= size; at += xptRecord {
		if err := input.ReadFull(r, record); err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(record, []byte(mark)) || string(record[28:48]) != after {
			continue
		}
		counts := string(record[48:78])
		switch kind := strings.TrimSpace(string(record[20:28])); kind {
		case "MEMBER", "MEMBV8":
			if m != nil {
				m.end = at
			}
			m = &xptMember{head: at, end: size, long: kind == "MEMBV8", known: -1, size: 140}
			if n, err := strconv.Atoi(strings.TrimSpace(string(record[74:78]))); err == nil && n >= 136 && n <= 4096 {
				m.size = n
			}
			list = append(list, m)
		case "DSCRPTR", "DSCPTV8":
			if m != nil && m.name == "" {
				name := make([]byte, xptRecord)
				if _, err := s.at.ReadAt(name, at+xptRecord); err != nil {
					return nil, input.Early(err)
				}
				width := 8
				if m.long {
					width = 32
				}
				m.name = string(trimmed(name[8 : 8+width]))
			}
		case "NAMESTR", "NAMSTV8":
			if m != nil {
				m.variables, m.counts = at+xptRecord, counts
			}
		case "OBS", "OBSV8":
			if m != nil && m.rows == 0 {
				m.rows = at + xptRecord
				if n, err := strconv.ParseInt(strings.TrimSpace(counts[:15]), 10, 64); err == nil && kind == "OBSV8" && n > 0 {
					m.known = n
				}
			}
		}
	}
	if list == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return list, nil
}

// choose is the data set that the user names, by its name or its number from 1, or the only one.
func (s *xpt) choose(list []*xptMember) (*xptMember, error) {
	var names []string
	for k, m := range list {
		if s.asked != "" && (strings.EqualFold(m.name, s.asked) || strconv.Itoa(k+1) == s.asked) {
			return m, nil
		}
		names = append(names, m.name)
	}
	switch {
	case s.asked != "":
		return nil, s.in.Fail("", "there is no data set %s; ‹var› takes one of %s", message.Clip(s.asked, 60), message.List(names, 20))
	case len(list) > 1:
		return nil, s.in.Fail("", "holds several data sets; ‹var› names one: %s", message.List(names, 20))
	}
	return list[0], nil
}

// variables reads what a data set says of its variables.
func (s *xpt) variables(m *xptMember) ([]*variable, error) {
	n := m.number()
	if n < 0 {
		return nil, errDamaged
	}
	d := &bits{r: section(s.at, m.variables, m.rows), order: binary.BigEndian, mem: s.in.Mem}
	var list []*variable
	width := 0
	for range n {
		b := d.bytes(m.size)
		if d.err != nil {
			return nil, d.err
		}
		kind, size, at := int(int16(d.order.Uint16(b))), int(int16(d.order.Uint16(b[4:]))), int(int32(d.order.Uint32(b[84:])))
		v := &variable{name: trimmed(b[8:16]), about: trimmed(b[16:56]), words: kind == 2}
		if long := trimmed(b[88:120]); m.long && len(long) > 0 {
			v.name = long
		}
		if size < 1 || at < 0 || at > 1<<28 || kind != 1 && kind != 2 || kind == 1 && size > 8 {
			return nil, errDamaged
		}
		v.shows, v.moment = sasMoment(string(trimmed(b[56:64])))
		list, s.fields = append(list, v), append(s.fields, xptField{v, at, size})
		width = max(width, at+size)
	}
	s.from, s.to, s.rows = m.rows, m.end, m.known
	if err := s.in.Mem.Take(int64(width), 1); err != nil {
		return nil, err
	}
	s.record = make([]byte, width)
	if s.rows < 0 && width > 0 {
		if err := s.count(width); err != nil {
			return nil, err
		}
	}
	if s.rows*int64(width) > s.to-s.from {
		return nil, io.ErrUnexpectedEOF
	}
	return list, nil
}

// number is how many variables a data set has: the number in the head that fits what lies up to the
// next head; -1 for none.
func (m *xptMember) number() int {
	for _, part := range []string{m.counts[5:10], m.counts[6:12], m.counts[:6], m.counts[:5]} {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if bytes := int64(n) * int64(m.size); err == nil && n > 0 && m.variables+bytes <= m.rows {
			return n
		}
	}
	return -1
}

// count finds out how many rows there are: blanks fill the last record, so that a last row of
// blanks alone is none if it is shorter than a record. Other bytes behind the rows are one that was
// cut off.
func (s *xpt) count(width int) error {
	s.rows = (s.to - s.from) / int64(width)
	tail := make([]byte, width)
	rest := tail[:(s.to-s.from)%int64(width)]
	if _, err := s.at.ReadAt(rest, s.to-int64(len(rest))); err != nil && len(rest) > 0 {
		return input.Early(err)
	}
	if len(bytes.Trim(rest, " \x00")) > 0 {
		return io.ErrUnexpectedEOF
	}
	for s.rows > 0 {
		end := s.from + s.rows*int64(width)
		if s.to-end+int64(width) >= xptRecord {
			return nil
		}
		if _, err := s.at.ReadAt(tail, end-int64(width)); err != nil {
			return input.Early(err)
		}
		if len(bytes.Trim(tail, " ")) > 0 {
			return nil
		}
		s.rows--
	}
	return nil
}

// Formats of numbers that show days and times, without their widths.
var (
	sasDays = []string{"DATE", "DDMMYY", "DDMMYYB", "DDMMYYC", "DDMMYYD", "DDMMYYN", "DDMMYYP", "DDMMYYS", "MMDDYY", "MMDDYYB", "MMDDYYC", "MMDDYYD", "MMDDYYN", "MMDDYYP", "MMDDYYS",
		"YYMMDD", "YYMMDDB", "YYMMDDC", "YYMMDDD", "YYMMDDN", "YYMMDDP", "YYMMDDS", "E8601DA", "B8601DA", "IS8601DA", "DAY", "JULIAN", "MONYY", "MMYY", "YYMM", "YYMON", "WEEKDATE", "WEEKDATX", "WORDDATE", "WORDDATX", "YYQ", "NLDATE", "MINGUO"}
	sasTimes = []string{"DATETIME", "DATEAMPM", "E8601DT", "B8601DT", "IS8601DT", "MDYAMPM", "NLDATM"}
)

// sasMoment says which formats show days and times since 1960.
func sasMoment(format string) (moment, func(float64) (float64, bool)) {
	const before = 3653 // days to 1970
	switch format = strings.ToUpper(format); {
	case slices.Contains(sasDays, format):
		return aDay, since(1, before, 1)
	case slices.Contains(sasTimes, format):
		return aTime, since(1, before, 86400)
	}
	return plainNumber, nil
}

func (s *xpt) encoding() string { return "" }
func (s *xpt) weight() int      { return -1 }

// rewind goes to the first row.
func (s *xpt) rewind() error {
	s.read, s.r = 0, section(s.at, s.from, s.to)
	return nil
}

// next reads a row.
func (s *xpt) next(row []cell) error {
	if s.read == s.rows || len(s.record) == 0 {
		return io.EOF
	}
	if err := input.ReadFull(s.r, s.record); err != nil {
		return err
	}
	s.read++
	for k, f := range s.fields {
		b := s.record[f.at : f.at+f.width]
		if f.words {
			row[k] = cell{word: trimmed(b)}
			continue
		}
		x, none := ibmNumber(b)
		row[k] = cell{number: x, none: none}
	}
	return nil
}

// ibmNumber is a number as IBM's mainframes have it, whose last bytes may be cut off: a sign, an
// exponent of 16 and a fraction. A point, an underscore or a letter before zeros is a missing one.
func ibmNumber(b []byte) (x float64, none bool) {
	var full [8]byte
	copy(full[:], b)
	bits := binary.BigEndian.Uint64(full[:])
	fraction := bits & (1<<56 - 1)
	if fraction == 0 {
		c := full[0]
		return 0, c == '.' || c == '_' || c >= 'A' && c <= 'Z'
	}
	x = math.Ldexp(float64(fraction), 4*(int(full[0]&0x7f)-64)-56)
	if full[0]&0x80 != 0 {
		x = -x
	}
	return x, false
}
