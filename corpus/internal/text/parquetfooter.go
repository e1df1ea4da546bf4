package text

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

// footer is what the end of a file of Parquet says of its content.
type footer struct {
	fields    []parquetField // the fields of a row
	leaves    []parquetLeaf
	groups    []parquetGroup
	rows      int64
	encrypted bool
	about     map[string]string // the metadata of its writer, the first of each name
	padded    bool              // the lengths of columns may leave something out, see [oldPadding]
}

// parquetField is a field of a row. leaf is its number among the leaves; negative: it has fields
// inside.
type parquetField struct {
	name     string
	leaf     int
	repeated bool
}

// parquetLeaf is a field that holds values.
type parquetLeaf struct {
	path       []string
	kind       physical
	width      int // bytes of a value; 0: each value has its own length
	logical    logicalType
	full, most int16 // the level of definition of a value that is there, and the most that lists repeat
}

// physical is how the values of a column are stored, by its number in Parquet's definition.
type physical int32

const (
	boolType physical = iota
	int32Type
	int64Type
	int96Type
	floatType
	doubleType
	bytesType
	fixedType
)

// String is the name in Parquet's definition, in small letters.
func (k physical) String() string {
	return [...]string{"boolean", "int32", "int64", "int96", "float", "double", "byte_array", "fixed_len_byte_array"}[k]
}

// logicalType is what the values of a column stand for. Its name is that of Parquet's definition in
// small letters, "" for none.
type logicalType struct {
	name     string
	unsigned bool  // of integers
	second   int64 // how many of the units of a timestamp are a second
}

// parquetGroup is a group of rows, with a chunk of each leaf.
type parquetGroup struct {
	rows   int64
	chunks []parquetChunk
}

// parquetChunk is a column of a group of rows. start and size are its bytes in the file.
type parquetChunk struct {
	described, encrypted bool // described: the footer says where it is
	codec                codec
	values, start, size  int64
}

// chunk is the chunk of a leaf; nil if the footer does not say where it is.
func (g *parquetGroup) chunk(leaf int) *parquetChunk {
	if leaf >= len(g.chunks) || !g.chunks[leaf].described {
		return nil
	}
	return &g.chunks[leaf]
}

var errFooter = errors.New("the footer is damaged")

// errLogical is the error of a type that is newer than this reader.
var errLogical = errors.New("a logical type is not known")

// schemaElement is a node of the schema, whose nodes come before the nodes inside them.
type schemaElement struct {
	kind, width, repetition, children, converted int32
	name                                         string
	logical                                      logicalType
	known                                        error // why logical is not known
}

// The repetitions of a field.
const (
	requiredField = 0
	repeatedField = 2
)

// readFooter reads a footer that [soundThrift] holds for sound.
func readFooter(data []byte) (*footer, error) {
	r := &headerReader{r: bufio.NewReader(bytes.NewReader(data)), left: int64(len(data))}
	f := &footer{about: map[string]string{}}
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
			return r.int64(&f.rows)
		case id == 4 && kind == thriftList:
			return r.list(func(byte) error {
				g, err := r.group()
				f.groups = append(f.groups, g)
				return err
			})
		case id == 5 && kind == thriftList:
			return r.list(func(byte) error { return r.pair(f.about) })
		case id == 6 && kind == thriftBytes:
			var writer string
			err = r.string(&writer)
			f.padded = padsColumns(writer)
			return err
		case id == 8:
			f.encrypted = true
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
func (f *footer) arrange(nodes []schemaElement) error {
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
			f.fields = append(f.fields, parquetField{name: e.name, leaf: len(f.leaves), repeated: most > 0})
		}
		if e.known != nil {
			return e.known
		}
		if e.children > 0 {
			f.fields[len(f.fields)-1].leaf = -1
			for range e.children {
				if err := place(path, full, most); err != nil {
					return err
				}
			}
			return nil
		}
		leaf, err := e.leaf()
		leaf.path, leaf.full, leaf.most = path, full, most
		f.leaves = append(f.leaves, leaf)
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
func (e *schemaElement) leaf() (parquetLeaf, error) {
	l := parquetLeaf{kind: physical(e.kind), logical: e.logical}
	if l.logical.name == "" {
		l.logical = convertedType(e.converted)
	}
	switch l.kind {
	case boolType, bytesType:
	case int32Type, floatType:
		l.width = 4
	case int64Type, doubleType:
		l.width = 8
	case int96Type:
		l.width = 12
	case fixedType:
		l.width = int(e.width)
		if l.width <= 0 || l.logical.name == halfFloat && l.width != 2 {
			return l, errFooter
		}
	default:
		return l, errFooter
	}
	return l, nil
}

// Names of logical types.
const (
	halfFloat = "float16"
	nullType  = "null"
)

// convertedType is a logical type in the older form, by its number; negative: none.
func convertedType(n int32) logicalType {
	names := [...]string{"string", "map", "map", "list", "enum", "decimal", "date", "time", "time", "timestamp", "timestamp",
		"int", "int", "int", "int", "int", "int", "int", "int", "json", "bson", "interval"}
	if n < 0 || int(n) >= len(names) {
		return logicalType{}
	}
	t := logicalType{name: names[n], unsigned: n >= 11 && n <= 14}
	if t.name == "timestamp" {
		t.second = [...]int64{1e3, 1e6}[n-9]
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
			e.known = errLogical
			return r.fields(func(id int, kind byte) (err error) {
				if kind != thriftStruct {
					return errFooter
				}
				e.logical, e.known, err = r.logical(id)
				return err
			})
		}
		return r.skip(kind, 0)
	})
	return e, err
}

// logical reads a logical type by its number. known is an error if the number is not known.
func (r *headerReader) logical(id int) (t logicalType, known, err error) {
	names := [...]string{1: "string", 2: "map", 3: "list", 4: "enum", 5: "decimal", 6: "date", 7: "time", 8: "timestamp", 10: "int", 11: nullType,
		12: "json", 13: "bson", 14: "uuid", 15: halfFloat, 16: "variant"}
	if id < 1 || id >= len(names) || names[id] == "" {
		known = errLogical
	} else {
		t.name = names[id]
	}
	err = r.fields(func(field int, kind byte) error {
		switch {
		case id == 8 && field == 2 && kind == thriftStruct:
			return r.fields(func(unit int, kind byte) error {
				if unit >= 1 && unit <= 3 {
					t.second = [...]int64{1e3, 1e6, 1e9}[unit-1]
				}
				return r.skip(kind, 0)
			})
		case id == 10 && field == 2:
			t.unsigned = kind == thriftFalse
		}
		return r.skip(kind, 0)
	})
	return t, known, err
}

// group reads a group of rows.
func (r *headerReader) group() (g parquetGroup, err error) {
	err = r.fields(func(id int, kind byte) error {
		switch {
		case id == 1 && kind == thriftList:
			return r.list(func(byte) error {
				c, err := r.chunk()
				g.chunks = append(g.chunks, c)
				return err
			})
		case id == 3 && kind == thriftInt64:
			return r.int64(&g.rows)
		}
		return r.skip(kind, 0)
	})
	return g, err
}

// chunk reads where a column of a group of rows is.
func (r *headerReader) chunk() (c parquetChunk, err error) {
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
					return r.int32s(1, (*int32)(&c.codec))
				case id == 5 && kind == thriftInt64:
					return r.int64(&c.values)
				case id == 7 && kind == thriftInt64:
					return r.int64(&c.size)
				case id == 9 && kind == thriftInt64:
					return r.int64(&c.start)
				case id == 11 && kind == thriftInt64:
					return r.int64(&dictionary)
				}
				return r.skip(kind, 0)
			})
		}
		return r.skip(kind, 0)
	})
	if dictionary > 0 {
		c.start = min(c.start, dictionary)
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
