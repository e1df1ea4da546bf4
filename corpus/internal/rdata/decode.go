package rdata

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// kind is the type of an object, by its number in R's format.
type kind int32

const (
	kindNull    kind = 0
	kindSymbol  kind = 1
	kindPairs   kind = 2
	kindClosure kind = 3
	kindEnv     kind = 4
	kindPromise kind = 5
	kindCall    kind = 6
	kindSpecial kind = 7
	kindBuiltin kind = 8
	kindChars   kind = 9
	kindLogical kind = 10
	kindInteger kind = 13
	kindReal    kind = 14
	kindComplex kind = 15
	kindStrings kind = 16
	kindDots    kind = 17
	kindList    kind = 19
	kindExpr    kind = 20
	kindPointer kind = 22
	kindWeak    kind = 23
	kindRaw     kind = 24
	kindS4      kind = 25

	kindAltRep     kind  = 238
	kindAttrPairs  kind  = 239
	kindAttrCall   kind  = 240
	kindBaseEnv    kind  = 241
	kindEmptyEnv   kind  = 242
	kindPersist    kind  = 247
	kindPackage    kind  = 248
	kindNamespace  kind  = 249
	kindBaseSpace  kind  = 250
	kindMissing    kind  = 251
	kindUnbound    kind  = 252
	kindGlobalEnv  kind  = 253
	kindNilValue   kind  = 254
	kindReference  kind  = 255
	flagAttributes       = 0x200
	flagTag              = 0x400
	missingInt     int32 = math.MinInt32
)

// object is an object of R. What is no data, such as a function, has its kind alone.
type object struct {
	kind  kind
	ints  []int32 // of integers and logicals
	reals []float64
	texts []string // of strings; that of a symbol or of one string alone
	none  []bool   // of texts: missing; nil if none is
	list  []*object
	names []string // of the list: its tags
	rest  *object  // behind the last of a list of pairs, where that is no end
	attr  *object  // a list of pairs; nil: none
}

// Bounds of damaged files: how deep objects are inside one another, and the longest text, in bytes.
const (
	deepest = 2000
	longest = 1 << 30
)

// errDamaged is the error of a file that R would not write.
var errDamaged = errors.New("the object is not as R writes it")

// decoder reads objects.
type decoder struct {
	in     *input.File
	r      *bufio.Reader
	ascii  bool
	native encoding.Encoding // of texts that do not say theirs
	refs   []*object
	depth  int
}

// start reads what stands before the first object.
func (d *decoder) start() error {
	mark := make([]byte, 2)
	if err := input.ReadFull(d.r, mark); err != nil {
		return err
	}
	switch string(mark) {
	case "X\n":
	case "A\n":
		d.ascii = true
	default:
		return d.in.Fail("", "is written by R in a form that is not read; write it with saveRDS(x, 'x.rds'), which writes xdr")
	}
	version, err := d.int()
	if err != nil {
		return err
	}
	if version != 2 && version != 3 {
		return d.in.Fail("", "is of version %d of R's format, where 2 and 3 are read; write it with saveRDS(x, 'x.rds', version = 3)", version)
	}
	for range 2 { // the version of R that wrote the file, and the least that reads it
		if _, err := d.int(); err != nil {
			return err
		}
	}
	if d.native = charmap.Windows1252; version == 3 {
		name, err := d.text()
		if err != nil {
			return err
		}
		if e, err := htmlindex.Get(name); err == nil && !strings.EqualFold(name, "utf-8") {
			d.native = e
		}
	}
	return nil
}

// word is the next word of a file in ASCII.
func (d *decoder) word() (string, error) {
	line, err := d.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		return "", errDamaged
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return "", input.Early(err)
	}
	return strings.TrimSpace(string(line)), nil
}

func (d *decoder) int() (int32, error) {
	if d.ascii {
		w, err := d.word()
		if err != nil || w == "NA" {
			return missingInt, err
		}
		v, err := strconv.ParseInt(w, 10, 32)
		if err != nil {
			return 0, errDamaged
		}
		return int32(v), nil
	}
	var b [4]byte
	err := input.ReadFull(d.r, b[:])
	return int32(binary.BigEndian.Uint32(b[:])), err
}

func (d *decoder) real() (float64, error) {
	if d.ascii {
		w, err := d.word()
		if err != nil || w == "NA" {
			return math.NaN(), err
		}
		v, err := strconv.ParseFloat(w, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, errDamaged
		}
		return v, nil
	}
	var b [8]byte
	err := input.ReadFull(d.r, b[:])
	return math.Float64frombits(binary.BigEndian.Uint64(b[:])), err
}

// length reads the length of a vector, which two numbers say from 2³¹ on.
func (d *decoder) length() (int, error) {
	n, err := d.int()
	if err != nil || n >= 0 {
		return int(n), err
	}
	if n != -1 {
		return 0, errDamaged
	}
	high, err := d.int()
	if err != nil {
		return 0, err
	}
	low, err := d.int()
	if high < 0 || high > 1<<16 {
		return 0, errDamaged
	}
	return int(high)<<32 | int(uint32(low)), err
}

// text reads a length and so many bytes.
func (d *decoder) text() (string, error) {
	n, err := d.int()
	if err != nil {
		return "", err
	}
	return d.bytes(int(n))
}

// bytes reads so many bytes, in ASCII with the escapes of C.
func (d *decoder) bytes(n int) (string, error) {
	if n < 0 || n > longest {
		return "", errDamaged
	}
	if err := d.in.Mem.Take(int64(n), 1); err != nil {
		return "", err
	}
	if !d.ascii {
		var out strings.Builder // grows as the bytes come
		_, err := io.CopyN(&out, d.r, int64(n))
		return out.String(), input.Early(err)
	}
	var out []byte
	for len(out) < n {
		c, err := d.r.ReadByte()
		if err == nil && c == '\\' {
			c, err = d.escaped()
		}
		if err != nil {
			return "", input.Early(err)
		}
		out = append(out, c)
	}
	_, err := d.word() // the end of the line
	return string(out), err
}

// escaped is the byte that an escape means.
func (d *decoder) escaped() (byte, error) {
	c, err := d.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if at := strings.IndexByte("ntvbrfa", c); at >= 0 {
		return "\n\t\v\b\r\f\a"[at], nil
	}
	if c < '0' || c > '7' {
		return c, nil
	}
	v := c - '0'
	for range 2 {
		next, err := d.r.ReadByte()
		if err != nil {
			return 0, err
		}
		if next < '0' || next > '7' {
			return v, d.r.UnreadByte()
		}
		v = v<<3 | (next - '0')
	}
	return v, nil
}

// object reads an object.
func (d *decoder) object() (*object, error) {
	if d.depth++; d.depth > deepest {
		return nil, errDamaged
	}
	defer func() { d.depth-- }()
	flags, err := d.int()
	if err != nil {
		return nil, err
	}
	if err := d.in.Mem.Take(1, 200); err != nil {
		return nil, err
	}
	o := &object{kind: kind(flags & 0xff)}
	attributes := flags&flagAttributes != 0
	switch o.kind {
	case kindNilValue, kindBaseEnv, kindEmptyEnv, kindBaseSpace, kindMissing, kindUnbound, kindGlobalEnv:
		o.kind = kindNull
		return o, nil
	case kindNull:
		return o, nil
	case kindReference:
		n := flags >> 8
		if n == 0 {
			n, err = d.int()
		}
		if err == nil && (n < 1 || int(n) > len(d.refs)) {
			err = errDamaged
		}
		if err != nil {
			return nil, err
		}
		return d.refs[n-1], nil
	case kindPairs, kindAttrPairs, kindCall, kindAttrCall, kindClosure, kindPromise, kindDots:
		return o, d.pairs(o, flags)
	case kindSymbol, kindEnv, kindPointer, kindWeak, kindPersist, kindPackage, kindNamespace:
		return o, d.shared(o, attributes)
	case kindAltRep:
		return d.altRep()
	case kindChars:
		n, err := d.int()
		if err != nil {
			return nil, err
		}
		o.texts = []string{""}
		if n == -1 {
			o.none = []bool{true}
			return o, nil
		}
		o.texts[0], err = d.bytes(int(n))
		o.texts[0] = d.decoded(o.texts[0], flags>>12)
		return o, err
	}
	if err := d.vector(o); err != nil {
		return nil, err
	}
	if attributes {
		o.attr, err = d.object()
	}
	return o, err
}

// decoded is a text in UTF-8; levels say the encoding.
func (d *decoder) decoded(s string, levels int32) string {
	const latin1 = 4
	e := d.native
	if levels&latin1 != 0 {
		e = charmap.Windows1252
	} else if utf8.ValidString(s) {
		return s
	}
	out, err := e.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return out
}

// pairs reads a list of pairs, each of which may have attributes and a tag. Calls and functions are
// written alike.
func (d *decoder) pairs(o *object, flags int32) error {
	for first := true; ; first = false {
		k := kind(flags & 0xff)
		if flags&flagAttributes != 0 || k == kindAttrPairs || k == kindAttrCall {
			attr, err := d.object()
			if err != nil {
				return err
			}
			if first {
				o.attr = attr
			}
		}
		name := ""
		if flags&flagTag != 0 {
			tag, err := d.object()
			if err != nil {
				return err
			}
			if len(tag.texts) == 1 {
				name = tag.texts[0]
			}
		}
		value, err := d.object()
		if err != nil {
			return err
		}
		o.list, o.names = append(o.list, value), append(o.names, name)
		next, err := d.peekFlags()
		if err != nil {
			return err
		}
		switch kind(next & 0xff) {
		case kindPairs, kindAttrPairs:
			if _, err := d.int(); err != nil {
				return err
			}
			if err := d.in.Mem.Take(1, 48); err != nil {
				return err
			}
			flags = next
		default:
			rest, err := d.object()
			if err == nil && rest.kind != kindNull {
				o.rest = rest
			}
			return err
		}
	}
}

// peekFlags is the next number, which stays to be read.
func (d *decoder) peekFlags() (int32, error) {
	if !d.ascii {
		b, err := d.r.Peek(4)
		if err != nil {
			return 0, input.Early(err)
		}
		return int32(binary.BigEndian.Uint32(b)), nil
	}
	for n := 2; n <= 16; n++ {
		b, err := d.r.Peek(n)
		if err != nil {
			return 0, input.Early(err)
		}
		if b[n-1] == '\n' {
			v, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 32)
			if err != nil {
				return 0, errDamaged
			}
			return int32(v), nil
		}
	}
	return 0, errDamaged
}

// shared reads an object to which later ones may refer.
func (d *decoder) shared(o *object, attributes bool) error {
	parts := 0
	switch o.kind {
	case kindSymbol:
		name, err := d.object()
		if err != nil {
			return err
		}
		o.texts = name.texts
	case kindEnv:
		if _, err := d.int(); err != nil {
			return err
		}
		parts, attributes = 4, false // the environment around it, its frame, its table and attributes
	case kindPointer:
		parts = 2
	case kindPersist, kindPackage, kindNamespace:
		if _, err := d.int(); err != nil {
			return err
		}
		n, err := d.int()
		if err != nil {
			return err
		}
		parts = int(n)
	}
	if parts < 0 {
		return errDamaged
	}
	d.refs = append(d.refs, o)
	for range parts {
		if _, err := d.object(); err != nil {
			return err
		}
	}
	if attributes {
		_, err := d.object()
		return err
	}
	return nil
}
