package hdf

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Class is the class of a type of data.
type Class uint8

// The classes of types; the numbers of the file are in its specification.
const (
	Integer Class = iota
	Float
	Time
	Text // of a fixed number of bytes
	Bits
	Opaque
	Compound
	Reference
	Enum
	VarText // texts or lists of any length
	Array
	Complex
)

// Type is the type of the entries of a set of data.
type Type struct {
	Class  Class
	Size   int // bytes
	Order  binary.ByteOrder
	Signed bool
	// Exponent is the number of bits of a float's exponent.
	Exponent int
	Fields   []Field  // of Compound
	Base     *Type    // of Enum, Array and VarText
	Dims     []int64  // of Array
	Names    []string // of Enum, with their Values
	Values   []int64
	List     bool // of VarText: lists of Base, and no texts

	odd string // why numbers of the type are not read
	pad byte   // what fills a text: 0 nothing after a zero byte, 1 zeros, 2 blanks
}

// Field is a field of a record.
type Field struct {
	Name string
	At   int // byte in the record
	Type *Type
}

// readType reads a description of a type.
func (f *File) readType(c *cursor, depth int) *Type {
	start := c.addr + uint64(c.pos)
	class := c.uint(1)
	flags := c.uint(3)
	t := &Type{Class: Class(class & 15), Size: int(c.uint(4)), Order: binary.LittleEndian}
	version := class >> 4
	if depth > 16 || c.err == nil && (version < 1 || version > 5 || t.Size < 1 || t.Size > 1<<30) {
		c.err = f.damaged(start, "a type of version %d and %d bytes", version, t.Size)
	}
	if c.err != nil {
		return t
	}
	if t.Class <= Float && flags&1 != 0 || t.Class == Bits && flags&1 != 0 {
		t.Order = binary.BigEndian
	}
	f.readClass(c, t, flags, version, depth)
	return t
}

// readClass reads what a description has of its class.
func (f *File) readClass(c *cursor, t *Type, flags, version uint64, depth int) {
	switch t.Class {
	case Integer, Bits:
		t.Signed = t.Class == Integer && flags&8 != 0
		at, precision := c.uint(2), c.uint(2)
		if at != 0 || precision != uint64(8*t.Size) {
			t.odd = fmt.Sprintf("integers of %d bits in %d bytes", precision, t.Size)
		}
	case Float:
		f.readFloat(c, t, flags)
	case Time:
		c.skip(2)
	case Text:
		t.pad = byte(flags & 15)
	case Opaque:
		c.skip(int(flags & 0xff))
	case Compound:
		f.readFields(c, t, int(flags&0xffff), version, depth)
	case Reference:
	case Enum:
		f.readEnum(c, t, int(flags&0xffff), version, depth)
	case VarText:
		t.List = flags&15 != 1
		t.Base = f.readType(c, depth+1)
		if t.Size != 4+f.offset+4 && c.err == nil {
			c.err = f.damaged(c.addr, "a text of any length in %d bytes", t.Size)
		}
	case Array:
		f.readArray(c, t, version, depth)
	default:
		t.odd = fmt.Sprintf("of the class %d of types", t.Class)
	}
}

// readFloat reads where the parts of a float are.
func (f *File) readFloat(c *cursor, t *Type, flags uint64) {
	at, precision := c.uint(2), c.uint(2)
	exponentAt, exponent, mantissaAt, mantissa := c.uint(1), c.uint(1), c.uint(1), c.uint(1)
	bias := c.uint(4)
	t.Exponent = int(exponent)
	usual := false
	for _, k := range [][3]uint64{{2, 5, 10}, {2, 8, 7}, {4, 8, 23}, {8, 11, 52}} {
		usual = usual || k == [3]uint64{uint64(t.Size), exponent, mantissa}
	}
	usual = usual && at == 0 && precision == uint64(8*t.Size) && mantissaAt == 0 && exponentAt == mantissa && bias == 1<<(exponent-1)-1
	if !usual || flags&0x40 != 0 {
		t.odd = fmt.Sprintf("floats of %d bytes that are not of IEEE 754", t.Size)
	}
}

// readFields reads the fields of records.
func (f *File) readFields(c *cursor, t *Type, n int, version uint64, depth int) {
	for range n {
		pad, width := 8, 4
		if version >= 3 {
			pad, width = 1, limitBytes(uint64(t.Size))
		}
		field := Field{Name: c.name(pad), At: int(c.uint(width))}
		var dims []int64
		if version == 1 {
			rank := c.small(1, 4)
			c.skip(3 + 4 + 4)
			for k := range 4 {
				if n := int64(c.uint(4)); k < rank {
					dims = append(dims, n)
				}
			}
		}
		field.Type = f.readType(c, depth+1)
		if dims != nil {
			field.Type = f.arrayOf(c, field.Type, dims)
		}
		if c.err != nil {
			return
		}
		if field.At < 0 || field.At > t.Size-field.Type.Size {
			c.err = f.damaged(c.addr, "the field %s is outside of its record", message.Clip(field.Name, 40))
			return
		}
		t.Fields = append(t.Fields, field)
	}
}

// readEnum reads the names and values of an enumeration.
func (f *File) readEnum(c *cursor, t *Type, n int, version uint64, depth int) {
	t.Base = f.readType(c, depth+1)
	if c.err == nil && (t.Base.Class != Integer || t.Base.Size != t.Size || t.Base.odd != "" || t.Size > 8) {
		t.odd = "an enumeration of no integers"
	}
	pad := 8
	if version >= 3 {
		pad = 1
	}
	for range n {
		t.Names = append(t.Names, c.name(pad))
		if c.err != nil {
			return
		}
	}
	for range n {
		b := c.bytes(t.Size)
		if c.err != nil {
			return
		}
		if t.odd == "" {
			t.Values = append(t.Values, t.Base.Int(b))
		}
	}
}

// readArray reads the sizes of arrays.
func (f *File) readArray(c *cursor, t *Type, version uint64, depth int) {
	rank := c.small(1, 32)
	if version < 3 {
		c.skip(3)
	}
	var dims []int64
	for range rank {
		dims = append(dims, int64(c.uint(4)))
	}
	if version < 3 {
		c.skip(4 * rank)
	}
	base := f.readType(c, depth+1)
	if size := t.Size; c.err == nil {
		if *t = *f.arrayOf(c, base, dims); t.Size != size && c.err == nil {
			c.err = f.damaged(c.addr, "arrays of %d bytes in %d", t.Size, size)
		}
	}
}

// arrayOf is the type of arrays of a type.
func (f *File) arrayOf(c *cursor, base *Type, dims []int64) *Type {
	t := &Type{Class: Array, Base: base, Dims: dims, Size: base.Size, Order: base.Order}
	for _, d := range dims {
		if d < 1 || d > 1<<30/int64(t.Size) {
			if c.err == nil {
				c.err = f.damaged(c.addr, "arrays of the size %v", dims)
			}
			return t
		}
		t.Size *= int(d)
	}
	return t
}

// Int is the integer at the start of b.
func (t *Type) Int(b []byte) (v int64) {
	for k := range t.Size {
		at := t.Size - 1 - k
		if t.Order == binary.BigEndian {
			at = k
		}
		v = v<<8 | int64(b[at])
	}
	if shift := 64 - 8*t.Size; t.Signed && shift > 0 {
		v = v << shift >> shift
	}
	return v
}

// Number returns the type of the numbers of integers, floats, bits and enumerations; why says of
// another type what it is, to follow "is" in a message.
func (t *Type) Number() (number *Type, why string) {
	switch {
	case t.odd != "":
		return nil, t.odd
	case t.Class == Enum:
		return t.Base, ""
	case t.Class == Integer || t.Class == Float || t.Class == Bits:
		if t.Size != 1 && t.Size != 2 && t.Size != 4 && t.Size != 8 {
			return nil, fmt.Sprintf("of numbers of %d bytes", t.Size)
		}
		return t, ""
	case t.IsText():
		return nil, "text"
	case t.Class == VarText:
		return nil, "a set of lists of any length"
	case t.Class == Compound && len(t.Fields) == 2 && strings.HasPrefix(strings.ToLower(t.Fields[0].Name), "r") && strings.HasPrefix(strings.ToLower(t.Fields[1].Name), "i"):
		return nil, "complex"
	case t.Class == Compound:
		return nil, "a table of records"
	case t.Class == Reference:
		return nil, "a list of references"
	case t.Class == Array:
		return nil, "a set of arrays"
	}
	return nil, "opaque"
}

// IsText reports whether the entries are texts.
func (t *Type) IsText() bool { return t.Class == Text || t.Class == VarText && !t.List }

// text is a text of a fixed number of bytes without its padding.
func (t *Type) text(b []byte) string {
	s := string(b)
	if k := strings.IndexByte(s, 0); t.pad == 0 && k >= 0 {
		s = s[:k]
	}
	if s = strings.TrimRight(s, "\x00"); t.pad == 2 {
		s = strings.TrimRight(s, " ")
	}
	return s
}
