// Package statfile reads the tables of programs of statistics: SPSS (.sav, .zsav), Stata (.dta of
// the releases 8 to 19) and SAS (.sas7bdat, and transport files, .xpt, of versions 5 and 8).
//
// Sources: the PSPP developers' guide, "System File Format"; the help of Stata, "dta"; "The Record
// Layout of a Data Set in SAS Transport Format", versions 5 and 8; and "SAS7BDAT Database Binary
// Format" by M. Shotwell. SAS has not described .sas7bdat: that deleted rows have bits behind the
// others, and how rows are compressed, is known from the readers of others (parso, ReadStat).
//
// A column whose values have labels holds the labels. What a file says is missing is an empty
// field, and a number that is shown as a day or a time is one.
package statfile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// The formats.
const (
	SPSS  = "sav"
	Stata = "dta"
	SAS   = "xpt"
	// SASTable is a table as SAS keeps it, which is no transport file.
	SASTable = "sas7bdat"
)

// Formats returns the formats.
func Formats() []string { return []string{SPSS, Stata, SAS, SASTable} }

// sasMagic begins a transport file of SAS, of version 5 or 8.
const sasMagic = "HEADER RECORD*******LIB"

// Look returns the format of a file by its first bytes; "" of another file.
func Look(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("$FL2")), bytes.HasPrefix(head, []byte("$FL3")):
		return SPSS
	case bytes.HasPrefix(head, []byte(dtaMagic)), isOldStata(head):
		return Stata
	case bytes.HasPrefix(head, []byte(sasMagic)):
		return SAS
	case bytes.HasPrefix(head, []byte(sasTableMagic)):
		return SASTable
	}
	return ""
}

// errDamaged is the error of a file that contradicts itself.
var errDamaged = errors.New("the file is not as its program writes it")

// moment says what the numbers of a variable are.
type moment int

const (
	plainNumber moment = iota
	aDay               // since the epoch of the file
	aTime              // in seconds since that epoch
)

// variable is a column of a file.
type variable struct {
	name, about []byte
	words       bool // it holds texts
	single      bool // its numbers are of single precision
	shows       moment
	moment      func(float64) (float64, bool) // days or seconds since 1970; false: none
	labels      map[float64][]byte
	wordLabels  map[string][]byte
	lacks       func(float64) bool // the file says that the number means a missing one; nil: of none
	lacksWords  map[string]bool

	category   bool // the labels stand for the values
	asNumbers  bool // they would, but numbers are asked for
	seen, bare map[float64]bool
	missing    int // values that are missing by lacks
}

// cell is a value of a row. word is valid until the next row.
type cell struct {
	number float64
	word   []byte
	none   bool
}

// format reads the files of a program.
type format interface {
	// begin reads up to the first row.
	begin(in *input.File) ([]*variable, error)
	// rewind goes to the first row.
	rewind() error
	// next reads a row; io.EOF at the end.
	next(row []cell) error
	// encoding is the encoding of the texts as charset names it; "" if the file does not say it.
	encoding() string
	// weight is the column of the weights of the rows, from 0; -1: there is none.
	weight() int
}

// Rows are the rows of a file, of which the first one has the names of the columns.
type Rows struct {
	// Words are the columns that hold words, also where they are written as numbers.
	Words map[int]bool
	// Weights are the columns, from 0, that weigh the rows and are no terms.
	Weights []int

	in     *input.File
	from   format
	list   []*variable
	decode func([]byte) string
	row    []cell
	rec    []string
	at     int // of the row, from 1; 0: the names
	ended  bool
}

// Options choose how a file is read.
type Options struct {
	Encoding string // of the texts; "" or "auto": as the file says, or found out
	Member   string // the data set of a transport file of SAS; "": the only one
	// Numbers are the columns, from 0, that hold numbers though their values have labels, and Named
	// the names of further ones, in any case of their letters.
	Numbers []int
	Named   []string
}

// Open reads what a file says of its columns, and looks at all of its rows.
func Open(in *input.File, kind string, opt Options) (*Rows, error) {
	r := &Rows{in: in, Words: make(map[int]bool)}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	if Look(head) != kind {
		return nil, in.Fail("", "is not a file of %s (.%s); give its format with ‹input-format›", map[string]string{SPSS: "SPSS", Stata: "Stata", SAS: "SAS", SASTable: "SAS"}[kind], kind)
	}
	switch kind {
	case SPSS:
		r.from = new(sav)
	case Stata:
		r.from = new(dta)
	case SASTable:
		r.from = new(sasTable)
	default:
		r.from = &xpt{asked: opt.Member}
	}
	if r.list, err = r.from.begin(in); err != nil {
		return nil, r.fault(err)
	}
	if err := in.Mem.Take(int64(len(r.list)), 200); err != nil {
		return nil, in.Wrap("", err)
	}
	r.row, r.rec = make([]cell, len(r.list)), make([]string, len(r.list))
	if err := r.from.rewind(); err != nil {
		return nil, r.fault(err)
	}
	rows, sample, err := r.look()
	if err != nil {
		return nil, r.fault(err)
	}
	if len(r.list) == 0 || rows == 0 {
		return nil, input.NoDocuments(in.Fail("", "has %s and %s; a corpus needs at least one document and one term", message.Plural(rows, "row", "rows"), message.Plural(len(r.list), "column", "columns")))
	}
	if err := r.settleEncoding(opt.Encoding, sample); err != nil {
		return nil, err
	}
	r.settleLabels(opt)
	r.tell()
	if k := r.from.weight(); k >= 0 && k < len(r.list) {
		r.Weights = []int{k}
		in.Notef("The file weights its rows by %s, which is no term; documents have no weights here.", message.Clip(r.decode(r.list[k].name), 40))
	}
	return r, r.fault(r.from.rewind())
}

// fault is the error of a place in the file.
func (r *Rows) fault(err error) error {
	place := ""
	if r.at > 0 {
		place = "row " + strconv.Itoa(r.at)
	}
	switch {
	case errors.Is(err, errDamaged):
		return r.in.Fail(place, "the file is damaged; copy or download it again, or write it anew")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.in.Fail(place, "the file ends early, it was cut off; copy or download it again")
	}
	return r.in.Wrap(place, err)
}

// sampled is the most bytes of texts by which an encoding is found out.
const sampled = 64 << 10

// look reads all rows: it finds out which values have labels, and keeps texts whose encoding the
// file may not say.
func (r *Rows) look() (rows int, sample []byte, err error) {
	keep := func(text []byte) {
		if len(sample)+len(text) < sampled && beyondASCII(text) {
			sample = append(append(sample, text...), '\n')
		}
	}
	for _, v := range r.list {
		keep(v.name)
		keep(v.about)
		for _, label := range v.labels {
			keep(label)
		}
		if v.labels != nil {
			v.seen, v.bare = make(map[float64]bool), make(map[float64]bool)
		}
	}
	for r.at = 1; ; r.at++ {
		if r.at%1024 == 0 {
			if err := r.in.Ctx.Err(); err != nil {
				return 0, nil, err
			}
		}
		err := r.from.next(r.row)
		if err == io.EOF {
			rows, r.at = r.at-1, 0
			return rows, sample, nil
		}
		if err != nil {
			return 0, nil, err
		}
		for j, v := range r.list {
			switch c := r.row[j]; {
			case v.lost(c):
				v.missing++
			case v.words:
				keep(c.word)
			case v.labels != nil && !c.none:
				v.note(c.number)
			}
		}
	}
}

// lost reports whether the file says that a value means a missing one.
func (v *variable) lost(c cell) bool {
	switch {
	case c.none:
		return false
	case v.words:
		return v.lacksWords[string(c.word)]
	}
	return v.lacks != nil && v.lacks(c.number)
}

// mostBare is the most values without a label that are told apart.
const mostBare = 1000

// note notes a value of a variable that has labels.
func (v *variable) note(x float64) {
	if v.labels[x] != nil {
		v.seen[x] = true
	} else if len(v.bare) < mostBare {
		v.bare[x] = true
	}
}

// settleEncoding finds out how the texts are decoded.
func (r *Rows) settleEncoding(asked string, sample []byte) error {
	name := asked
	if name == "" || name == charset.Auto {
		name = r.from.encoding()
	}
	d, err := charset.New(name)
	if name == "" || err != nil && name != asked {
		d, err = charset.Decoder{Auto: true}, nil
		if len(sample) > 0 {
			if _, guess, _ := d.Decode(sample); guess != "" {
				said := "does not say the encoding of its texts"
				if name != "" {
					said = "names the encoding " + message.Clip(name, 40) + ", which is not known here"
				}
				r.in.Notef("The file %s; the texts are read as %s; ‹encoding› names another.", said, guess)
				_, e, _ := charset.Guess(sample)
				r.decode = func(b []byte) string {
					if !beyondASCII(b) {
						return string(b)
					}
					out, _ := e.NewDecoder().Bytes(b)
					return string(out)
				}
				return nil
			}
		}
	}
	if err != nil {
		return r.in.Wrap("", err)
	}
	if _, _, damaged := d.Decode(sample); damaged {
		r.in.Notef("Some bytes of the texts are no characters of the encoding %s; ‹encoding› names another.", cmp.Or(name, "UTF-8"))
	}
	r.decode = func(b []byte) string {
		text, _, _ := d.Decode(b)
		return text
	}
	return nil
}

// settleLabels decides which variables hold the labels of their values: all values have one, or
// there is one value without at most for each four labels of values that are not missing. Others
// are numbers, such as an age with a label for those that did not answer, and so are those that are
// asked for as numbers.
func (r *Rows) settleLabels(opt Options) {
	for j, v := range r.list {
		asked := slices.Contains(opt.Numbers, j) || slices.ContainsFunc(opt.Named, func(name string) bool { return strings.EqualFold(name, r.decode(v.name)) })
		known := 0
		for x := range v.labels {
			if !v.lost(cell{number: x}) {
				known++
			}
		}
		labelled := len(v.seen) > 0 && 4*len(v.bare) <= known
		v.asNumbers = labelled && asked
		v.category = labelled && !asked || v.words && v.wordLabels != nil
		if v.words || v.category {
			r.Words[j] = true
		}
	}
}

// Next returns the next row; io.EOF is the end.
func (r *Rows) Next() ([]string, error) {
	if r.at == 0 {
		r.at++
		for j, v := range r.list {
			r.rec[j] = r.decode(v.name)
		}
		return r.rec, nil
	}
	if r.ended {
		return nil, io.EOF
	}
	if err := r.from.next(r.row); err != nil {
		if err == io.EOF {
			r.ended = true
			return nil, io.EOF
		}
		return nil, r.fault(err)
	}
	r.at++
	for j, v := range r.list {
		r.rec[j] = r.field(v, r.row[j])
	}
	return r.rec, nil
}

// field is a value as a table has it.
func (r *Rows) field(v *variable, c cell) string {
	switch {
	case c.none || v.lost(c):
		return ""
	case v.words:
		if label := v.wordLabels[string(c.word)]; label != nil {
			return r.decode(label)
		}
		return r.decode(c.word)
	case v.category:
		if label := v.labels[c.number]; label != nil {
			return r.decode(label)
		}
	}
	return v.number(c.number)
}

// number writes a number, or the day or time that it means.
func (v *variable) number(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return ""
	case v.shows == aDay:
		if days, ok := v.moment(x); ok {
			return day(days)
		}
	case v.shows == aTime:
		if seconds, ok := v.moment(x); ok {
			return second(seconds)
		}
	}
	if v.single && x != math.Trunc(x) {
		return strconv.FormatFloat(x, 'g', -1, 32)
	}
	return lexical.Print(x)
}

// section is a reader of a part of the content.
func section(at io.ReaderAt, from, to int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(at, from, max(0, to-from)), 64<<10)
}

// trimmed cuts the blanks off the end of a text.
func trimmed(b []byte) []byte { return bytes.TrimRight(b, " \x00") }

// upToNUL is a text up to its first NUL.
func upToNUL(b []byte) []byte {
	if k := bytes.IndexByte(b, 0); k >= 0 {
		return b[:k]
	}
	return b
}

// beyondASCII reports whether a text holds characters that ASCII lacks.
func beyondASCII(b []byte) bool {
	return bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 })
}
