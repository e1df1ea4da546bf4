package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Footer is what the end of a file of Parquet says of its content.
type Footer struct {
	Fields    []Field // the fields of a row
	Leaves    []Leaf
	Groups    []Group
	Rows      int64
	Encrypted bool
	About     map[string]string // the metadata of its writer, the first of each name
	padded    bool              // the lengths of columns may leave something out, see [oldPadding]
}

// Field is a field of a row. Leaf is its number among the leaves; negative: it has fields
// inside.
type Field struct {
	Name     string
	Leaf     int
	Repeated bool
}

// Leaf is a field that holds values.
type Leaf struct {
	Path       []string
	Kind       Physical
	width      int // bytes of a value; 0: each value has its own length
	Logical    Logical
	full, Most int16 // the level of definition of a value that is there, and the most that lists repeat
}

// Physical is how the values of a column are stored, by its number in Parquet's definition.
type Physical int32

// The physical types.
const (
	Bool Physical = iota
	Int32
	Int64
	Int96
	Float
	Double
	Bytes
	Fixed
)

// String is the name in Parquet's definition, in small letters.
func (k Physical) String() string {
	return [...]string{"boolean", "int32", "int64", "int96", "float", "double", "byte_array", "fixed_len_byte_array"}[k]
}

// Logical is the meaning of the values of a column, such as a date. Name is the one in Parquet's
// definition, in small letters; "" if the file gives no meaning.
type Logical struct {
	Name     string
	Unsigned bool  // of integers
	Second   int64 // how many of the units of a timestamp are a second
}

// Group is a group of rows, with a chunk of each leaf.
type Group struct {
	Rows   int64
	chunks []Chunk
}

// Chunk is a column of a group of rows. Start and Size are its bytes in the file.
type Chunk struct {
	described, encrypted bool // described: the footer says where it is
	Codec                codec
	Values, Start, Size  int64
}

// Chunk is the chunk of a leaf; nil if the footer does not say where it is.
func (g *Group) Chunk(leaf int) *Chunk {
	if leaf >= len(g.chunks) || !g.chunks[leaf].described {
		return nil
	}
	return &g.chunks[leaf]
}

var errFooter = errors.New("the footer is damaged")

// schemaElement is a node of the schema, whose nodes come before the nodes inside them.
type schemaElement struct {
	kind, width, repetition, children, converted int32
	name                                         string
	logical                                      Logical
}

// The repetitions of a field.
const (
	requiredField = 0
	repeatedField = 2
)

// ReadFooter reads a footer that [Sound] holds for sound.
func ReadFooter(data []byte) (*Footer, error) {
	r := &headerReader{r: bufio.NewReader(bytes.NewReader(data)), left: int64(len(data))}
	f := &Footer{About: map[string]string{}}
	var elements []schemaElement
	err := r.fields(func(id int, kind byte) (err error) {
		switch {
		case id == 2 && kind == thriftList:
			return r.list(func(byte) error {
				e, err := r.element()
				elements = append(elements, e)
				return err
			})
		case id == 3 && kind == thriftInt64:
			return r.int64(&f.Rows)
		case id == 4 && kind == thriftList:
			return r.list(func(byte) error {
				g, err := r.group()
				f.Groups = append(f.Groups, g)
				return err
			})
		case id == 5 && kind == thriftList:
			return r.list(func(byte) error { return r.pair(f.About) })
		case id == 6 && kind == thriftBytes:
			var writer string
			err = r.string(&writer)
			f.padded = padsColumns(writer)
			return err
		case id == 8:
			f.Encrypted = true
		}
		return r.skip(kind, 0)
	})
	if err != nil {
		return nil, err
	}
	return f, f.arrange(elements)
}

// padsColumns says whether a writer leaves bytes out of the lengths of columns: parquet-mr before
// 1.2.9.
func padsColumns(writer string) bool {
	var v [3]int
	if n, _ := fmt.Sscanf(strings.ToLower(writer), "parquet-mr version %d.%d.%d", &v[0], &v[1], &v[2]); n < 2 {
		return false
	}
	return slices.Compare(v[:], []int{1, 2, 9}) < 0
}

// arrange makes fields and leaves of the nodes of a schema, the first of which is the row.
func (f *Footer) arrange(nodes []schemaElement) error {
	if len(nodes) == 0 {
		return errFooter
	}
	next := 1
	var place func(path []string, full, most int16) error
	place = func(path []string, full, most int16) error {
		if next == len(nodes) || len(path) > 64 {
			return errFooter
		}
		e := &nodes[next]
		next++
		if e.repetition < requiredField || e.repetition > repeatedField || e.children < 0 {
			return errFooter
		}
		if e.repetition != requiredField {
			full++
		}
		if e.repetition == repeatedField {
			most++
		}
		path = append(slices.Clip(path), e.name)
		if len(path) == 1 {
			f.Fields = append(f.Fields, Field{Name: e.name, Leaf: len(f.Leaves), Repeated: most > 0})
		}
		if e.children > 0 {
			f.Fields[len(f.Fields)-1].Leaf = -1
			for range e.children {
				if err := place(path, full, most); err != nil {
					return err
				}
			}
			return nil
		}
		leaf, err := e.leaf()
		leaf.Path, leaf.full, leaf.Most = path, full, most
		f.Leaves = append(f.Leaves, leaf)
		return err
	}
	for range nodes[0].children {
		if err := place(nil, 0, 0); err != nil {
			return err
		}
	}
	if next < len(nodes) {
		return errFooter
	}
	return nil
}

// leaf is the type of a node that holds values.
func (e *schemaElement) leaf() (Leaf, error) {
	l := Leaf{Kind: Physical(e.kind), Logical: e.logical}
	if l.Logical.Name == "" {
		l.Logical = convertedType(e.converted)
	}
	switch l.Kind {
	case Bool, Bytes:
	case Int32, Float:
		l.width = 4
	case Int64, Double:
		l.width = 8
	case Int96:
		l.width = 12
	case Fixed:
		l.width = int(e.width)
		if l.width <= 0 || l.Logical.Name == HalfFloat && l.width != 2 {
			return l, errFooter
		}
	default:
		return l, errFooter
	}
	return l, nil
}

// Names of logical types.
const (
	HalfFloat = "float16"
	Null      = "null"
	unknown   = "unknown" // newer than this reader
)

// convertedType is a logical type in the older form, by its number; negative: none.
func convertedType(n int32) Logical {
	names := [...]string{"string", "map", "map", "list", "enum", "decimal", "date", "time", "time", "timestamp", "timestamp",
		"int", "int", "int", "int", "int", "int", "int", "int", "json", "bson", "interval"}
	if n < 0 || int(n) >= len(names) {
		return Logical{}
	}
	t := Logical{Name: names[n], Unsigned: n >= 11 && n <= 14}
	if t.Name == "timestamp" {
		t.Second = [...]int64{1e3, 1e6}[n-9]
	}
	return t
}

// element reads a node of the schema.
func (r *headerReader) element() (schemaElement, error) {
	e := schemaElement{kind: -1, converted: -1}
	err := r.fields(func(id int, kind byte) error {
		switch {
		case kind == thriftInt32 && (id == 1 || id == 2 || id == 3):
			return r.int32s(id, &e.kind, &e.width, &e.repetition)
		case kind == thriftBytes && id == 4:
			return r.string(&e.name)
		case kind == thriftInt32 && (id == 5 || id == 6):
			return r.int32s(id-4, &e.children, &e.converted)
		case kind == thriftStruct && id == 10:
			e.logical.Name = unknown
			return r.fields(func(id int, kind byte) (err error) {
				if kind != thriftStruct {
					return errFooter
				}
				e.logical, err = r.logical(id)
				return err
			})
		}
		return r.skip(kind, 0)
	})
	return e, err
}

// logical reads a logical type by its number.
func (r *headerReader) logical(id int) (t Logical, err error) {
	names := [...]string{1: "string", 2: "map", 3: "list", 4: "enum", 5: "decimal", 6: "date", 7: "time", 8: "timestamp", 10: "int", 11: Null,
		12: "json", 13: "bson", 14: "uuid", 15: HalfFloat, 16: "variant", 17: "geometry", 18: "geography"}
	if id < 1 || id >= len(names) || names[id] == "" {
		t.Name = unknown
	} else {
		t.Name = names[id]
	}
	err = r.fields(func(field int, kind byte) error {
		switch {
		case id == 8 && field == 2 && kind == thriftStruct:
			return r.fields(func(unit int, kind byte) error {
				if unit >= 1 && unit <= 3 {
					t.Second = [...]int64{1e3, 1e6, 1e9}[unit-1]
				}
				return r.skip(kind, 0)
			})
		case id == 10 && field == 2:
			t.Unsigned = kind == thriftFalse
		}
		return r.skip(kind, 0)
	})
	return t, err
}

// group reads a group of rows.
func (r *headerReader) group() (g Group, err error) {
	err = r.fields(func(id int, kind byte) error {
		switch {
		case id == 1 && kind == thriftList:
			return r.list(func(byte) error {
				c, err := r.chunk()
				g.chunks = append(g.chunks, c)
				return err
			})
		case id == 3 && kind == thriftInt64:
			return r.int64(&g.Rows)
		}
		return r.skip(kind, 0)
	})
	return g, err
}

// chunk reads where a column of a group of rows is.
func (r *headerReader) chunk() (c Chunk, err error) {
	var dictionary int64
	err = r.fields(func(id int, kind byte) error {
		switch {
		case id == 8:
			c.encrypted = true
		case id == 3 && kind == thriftStruct:
			c.described = true
			return r.fields(func(id int, kind byte) error {
				switch {
				case id == 4 && kind == thriftInt32:
					return r.int32s(1, (*int32)(&c.Codec))
				case id == 5 && kind == thriftInt64:
					return r.int64(&c.Values)
				case id == 7 && kind == thriftInt64:
					return r.int64(&c.Size)
				case id == 9 && kind == thriftInt64:
					return r.int64(&c.Start)
				case id == 11 && kind == thriftInt64:
					return r.int64(&dictionary)
				}
				return r.skip(kind, 0)
			})
		}
		return r.skip(kind, 0)
	})
	if dictionary > 0 {
		c.Start = min(c.Start, dictionary)
	}
	return c, err
}

// pair reads a name and a value of the writer's metadata.
func (r *headerReader) pair(into map[string]string) error {
	var key, value string
	err := r.fields(func(id int, kind byte) error {
		switch {
		case id == 1 && kind == thriftBytes:
			return r.string(&key)
		case id == 2 && kind == thriftBytes:
			return r.string(&value)
		}
		return r.skip(kind, 0)
	})
	if _, twice := into[key]; !twice {
		into[key] = value
	}
	return err
}

// list calls each for the elements of a list, which it must read.
func (r *headerReader) list(each func(kind byte) error) error {
	head, err := r.ReadByte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = binary.ReadUvarint(r); err != nil {
			return err
		}
	}
	for ; n > 0 && err == nil; n-- {
		err = each(head & 15)
	}
	return err
}

// int64 reads an integer.
func (r *headerReader) int64(at *int64) (err error) {
	*at, err = binary.ReadVarint(r)
	return err
}

// string reads bytes.
func (r *headerReader) string(at *string) error {
	n, err := binary.ReadUvarint(r)
	if err != nil || n > uint64(r.left) {
		return errHeader
	}
	b := make([]byte, n)
	for i := range b {
		if b[i], err = r.ReadByte(); err != nil {
			return err
		}
	}
	*at = string(b)
	return nil
}

// levelWidth is how many bits a level of at most this takes.
func levelWidth(most int16) int { return bits.Len16(uint16(most)) }
