package statfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// sav is a file of SPSS.
type sav struct {
	in     *input.File
	at     io.ReaderAt
	size   int64
	order  binary.ByteOrder
	list   []*variable
	fields []savField

	packed  int32 // 0: no compression; 1: by byte codes; 2: those by zlib
	bias    float64
	sysmis  float64
	data    int64 // where the rows begin
	rows    int   // -1: up to the end
	read    int
	weights int32 // the element of the weights, from 1; 0: none
	code    int32 // the number of the encoding
	charset string

	elements []int // the field of each element of eight bytes of a row; -1: more of a text
	pending  []savLabels
	longs    map[string]int    // widths of the texts of more than 255 bytes, by short names
	names    map[string]string // long names, by short ones

	r      *bufio.Reader
	codes  [8]byte
	left   int // codes that are not used yet
	record []byte
}

// savField is a variable in the rows.
type savField struct {
	*variable
	short    string
	first    int // its first element
	width    int // of a text, in bytes; 0 of a number
	segments int // of a text; each but the last has 255 bytes
	out      bool
}

// savLabels are labels, each with a value of eight bytes, of the variables that begin at some
// elements.
type savLabels struct {
	values [][]byte
	labels [][]byte
	of     []int32
}

// Limits of what a file says of itself.
const (
	mostElements = 1 << 22 // elements of a row
	mostLabels   = 1 << 22
	longestText  = 1 << 26 // bytes
)

// begin reads the dictionary.
func (s *sav) begin(in *input.File) ([]*variable, error) {
	s.in, s.sysmis = in, -math.MaxFloat64
	var err error
	if s.at, s.size, err = in.Random(); err != nil {
		return nil, err
	}
	d := &bits{r: section(s.at, 0, s.size), order: binary.LittleEndian, mem: in.Mem}
	head := d.bytes(176)
	if d.err != nil {
		return nil, d.err
	}
	if layout := binary.LittleEndian.Uint32(head[64:]); layout > 0xffff {
		d.order = binary.BigEndian
	}
	s.order = d.order
	s.packed, s.weights, s.rows = int32(d.order.Uint32(head[72:])), int32(d.order.Uint32(head[76:])), int(int32(d.order.Uint32(head[80:])))
	s.bias = math.Float64frombits(d.order.Uint64(head[84:]))
	if s.packed < 0 || s.packed > 2 {
		return nil, errDamaged
	}
	for {
		kind := d.int()
		switch kind {
		case 2:
			s.variable(d)
		case 3:
			s.labels(d)
		case 6:
			d.skip(80 * int64(d.count(mostLabels)))
		case 7:
			s.extension(d)
		case 999:
			d.int()
			s.data = d.at
			s.settle()
			return s.list, d.err
		default:
			if d.err == nil {
				d.err = errDamaged
			}
		}
		if d.err != nil {
			return nil, d.err
		}
	}
}

// variable reads an element of a row: a number, or up to eight bytes of a text.
func (s *sav) variable(d *bits) {
	width, labelled, missing, format := d.int(), d.int(), d.int(), d.int()
	d.int()
	short := string(trimmed(d.bytes(8)))
	var about []byte
	if labelled == 1 {
		n := d.count(longestText)
		about = d.bytes((n + 3) / 4 * 4)
		about = about[:min(n, len(about))]
	}
	if missing < -3 || missing > 3 || missing == -1 || width < -1 || width > 255 || len(s.elements) > mostElements {
		d.err = errDamaged
		return
	}
	var values [][]byte
	for range max(missing, -missing) {
		values = append(values, d.bytes(8))
	}
	if d.err != nil {
		return
	}
	if width == -1 {
		s.elements = append(s.elements, -1)
		return
	}
	f := savField{variable: &variable{name: []byte(short), about: about, words: width > 0}, short: short, first: len(s.elements), width: int(width), segments: 1}
	if width > 0 {
		for _, v := range values {
			f.lack(string(trimmed(v)))
		}
	} else {
		f.lacks = s.lacks(missing, values)
		f.shows, f.moment = savMoment(format >> 16 & 0xff)
	}
	s.elements = append(s.elements, len(s.fields))
	s.fields = append(s.fields, f)
}

// lack notes a text that means a missing one.
func (v *variable) lack(word string) {
	if v.lacksWords == nil {
		v.lacksWords = make(map[string]bool)
	}
	v.lacksWords[word] = true
}

// lacks returns whether a number is one of those that mean a missing one: some numbers, or with a
// negative count a range and at -3 a number beside it. nil: none is.
func (s *sav) lacks(count int32, values [][]byte) func(float64) bool {
	if count == 0 {
		return nil
	}
	var list []float64
	for _, v := range values {
		list = append(list, math.Float64frombits(s.order.Uint64(v)))
	}
	return func(x float64) bool {
		if count < 0 && x >= list[0] && x <= list[1] {
			return true
		}
		rest := list
		if count < 0 {
			rest = list[2:]
		}
		for _, v := range rest {
			if x == v {
				return true
			}
		}
		return false
	}
}

// savMoment says which formats of numbers show days and times: seconds since the beginning of the
// Gregorian calendar, 14 October 1582.
func savMoment(format int32) (moment, func(float64) (float64, bool)) {
	const before = 141428 // days to 1970
	switch format {
	case 20, 23, 24, 28, 29, 30, 38, 39: // DATE, ADATE, JDATE, MOYR, QYR, WKYR, EDATE, SDATE
		return aDay, since(86400, before, 1)
	case 22, 41: // DATETIME, YMDHMS
		return aTime, since(1, before, 86400)
	}
	return plainNumber, nil
}

// labels reads labels of values, and to which variables they belong.
func (s *sav) labels(d *bits) {
	var l savLabels
	for range d.count(mostLabels) {
		value := d.bytes(8)
		n := int(d.byte())
		text := d.bytes((n+1+7)/8*8 - 1)
		if d.err != nil {
			return
		}
		l.values, l.labels = append(l.values, value), append(l.labels, trimmed(text[:n]))
	}
	if d.int() != 4 && d.err == nil {
		d.err = errDamaged
	}
	for range d.count(mostElements) {
		if l.of = append(l.of, d.int()); d.err != nil {
			return
		}
	}
	s.pending = append(s.pending, l)
}

// extension reads a record that is not of the first versions of the format.
func (s *sav) extension(d *bits) {
	kind, size, count := d.int(), int64(d.int()), int64(d.int())
	if d.err == nil && (size < 0 || count < 0 || size*count > longestText) {
		d.err = errDamaged
	}
	data := d.bytes(int(size * count))
	if d.err != nil {
		return
	}
	switch kind {
	case 3:
		if len(data) >= 32 {
			s.code = int32(s.order.Uint32(data[28:]))
		}
	case 4:
		if len(data) >= 8 {
			s.sysmis = math.Float64frombits(s.order.Uint64(data))
		}
	case 13:
		s.names = make(map[string]string)
		pairs(data, "\t", func(short, long string) { s.names[short] = long })
	case 14:
		s.longs = make(map[string]int)
		pairs(data, "\t", func(short, width string) {
			if n, err := strconv.Atoi(strings.Trim(width, " \x00")); err == nil && n > 255 {
				s.longs[strings.Trim(short, "\x00")] = n
			}
		})
	case 20:
		s.charset = string(trimmed(data))
	case 21:
		s.longLabels(data)
	case 22:
		s.longMissing(data)
	}
}

// pairs takes the pairs NAME=VALUE of a text.
func pairs(data []byte, between string, take func(name, value string)) {
	for pair := range strings.SplitSeq(string(data), between) {
		if name, value, ok := strings.Cut(pair, "="); ok {
			take(name, value)
		}
	}
}

// longLabels reads the labels of texts of more than eight bytes.
func (s *sav) longLabels(data []byte) {
	d := &bits{r: bufio.NewReader(bytes.NewReader(data)), order: s.order, mem: s.in.Mem}
	for named := s.byName(); d.err == nil; {
		f := named(string(trimmed(d.text(len(data)))))
		d.int()
		n := d.count(len(data))
		for range n {
			value, label := d.text(len(data)), d.text(len(data))
			if d.err != nil {
				return
			}
			f.label(trimmed(value), trimmed(label))
		}
	}
}

// longMissing reads which texts of more than eight bytes are missing ones.
func (s *sav) longMissing(data []byte) {
	d := &bits{r: bufio.NewReader(bytes.NewReader(data)), order: s.order, mem: s.in.Mem}
	for named := s.byName(); d.err == nil; {
		f := named(string(trimmed(d.text(len(data)))))
		n := int(d.byte())
		width := d.count(len(data))
		for range n {
			value := d.bytes(width)
			if d.err != nil {
				return
			}
			f.lack(string(trimmed(value)))
		}
	}
}

// byName returns a function that finds the variable of a long or short name; one that is not in the
// file if none has it.
func (s *sav) byName() func(name string) *savField {
	of := make(map[string]*savField, len(s.fields))
	for k := len(s.fields) - 1; k >= 0; k-- {
		f := &s.fields[k]
		of[f.short] = f
		if long := s.names[f.short]; long != "" {
			of[long] = f
		}
	}
	return func(name string) *savField {
		return cmp.Or(of[name], &savField{variable: &variable{}})
	}
}

// label gives a value of words its label.
func (v *variable) label(value, label []byte) {
	if v.wordLabels == nil {
		v.wordLabels = make(map[string][]byte)
	}
	v.wordLabels[string(value)] = label
}

// settle joins the parts of long texts, and gives variables their names and labels.
func (s *sav) settle() {
	for _, l := range s.pending {
		for _, element := range l.of {
			if element < 1 || int(element) > len(s.elements) || s.elements[element-1] < 0 {
				continue
			}
			f := s.fields[s.elements[element-1]]
			for k, value := range l.values {
				if f.words {
					f.label(trimmed(value), l.labels[k])
					continue
				}
				if f.labels == nil {
					f.labels = make(map[float64][]byte)
				}
				f.labels[math.Float64frombits(s.order.Uint64(value))] = l.labels[k]
			}
		}
	}
	for k := range s.fields {
		f := &s.fields[k]
		if f.out {
			continue
		}
		if width := s.longs[f.short]; width > 0 && f.words {
			n := min((width+251)/252, len(s.fields)-k)
			f.width, f.segments = width, n
			for i := 1; i < n; i++ {
				s.fields[k+i].out = true
			}
		}
		if long := s.names[f.short]; long != "" {
			f.name = []byte(strings.Trim(long, " \x00"))
		}
		s.list = append(s.list, f.variable)
	}
}

// weight is the column of the weights.
func (s *sav) weight() int {
	if s.weights < 1 || int(s.weights) > len(s.elements) || s.elements[s.weights-1] < 0 {
		return -1
	}
	of := s.fields[s.elements[s.weights-1]].variable
	for j, v := range s.list {
		if v == of {
			return j
		}
	}
	return -1
}

// encoding is the encoding that the file names, or by its number as Windows counts them.
func (s *sav) encoding() string {
	switch {
	case s.charset != "":
		return strings.ToLower(s.charset)
	case s.code == 65001:
		return "utf-8"
	case s.code >= 1250 && s.code <= 1258:
		return fmt.Sprintf("windows-%d", s.code)
	case s.code >= 28591 && s.code <= 28606:
		return fmt.Sprintf("iso-8859-%d", s.code-28590)
	case s.code == 932:
		return "shift_jis"
	case s.code == 936:
		return "gbk"
	case s.code == 949:
		return "euc-kr"
	case s.code == 950:
		return "big5"
	case s.code == 874:
		return "windows-874"
	case s.code == 850 || s.code == 852 || s.code == 866:
		return fmt.Sprintf("cp%d", s.code)
	}
	return ""
}
