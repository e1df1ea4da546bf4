// Package parquet reads the values of the columns of a file of Parquet: its footer, its pages and
// their encodings, each within the budget of memory and whatever the bytes say.
package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Pages reads the pages of a column in a group of rows, and unpacks them within the lengths
// that their headers say. The format of the headers is Thrift's compact protocol.
type Pages struct {
	r          *bufio.Reader
	left       int64 // bytes of the column that are not read yet
	kind       codec
	rows, seen int64
	// The packed page, the data page and the dictionary.
	packed, data, dictionary pageBuffer
}

// File is an opened file of Parquet.
type File struct {
	In     *input.File
	At     io.ReaderAt // its bytes
	Size   int64
	Footer *Footer
}

// Encrypted is the error of a file that is encrypted.
func (p *File) Encrypted() error {
	return p.In.Fail("", "is encrypted, which is not read here; write it without encryption")
}

// mostHeader is the most bytes of the header of a page, which holds its least and largest value.
const mostHeader = 1 << 20

// oldPadding is what old writers left out of the length of a column, see PARQUET-816.
const oldPadding = 100

// Open opens column leaf of the group of rows g, both from 0.
func (p *File) Open(g, leaf int) (*Pages, error) {
	column := p.Footer.Groups[g].Chunk(leaf)
	if column == nil {
		return nil, errFooter
	}
	if column.encrypted {
		return nil, p.Encrypted()
	}
	start, length := column.Start, column.Size
	if start < 0 || length < 0 || start > p.Size || length > p.Size-start {
		return nil, errors.New("a column lies outside the file")
	}
	if p.Footer.padded {
		length += min(oldPadding, p.Size-start-length)
	}
	buffer := pageBuffer{budget: p.In.Mem}
	return &Pages{r: bufio.NewReaderSize(io.NewSectionReader(p.At, start, length), 64<<10), left: length, kind: column.Codec, rows: column.Values,
		packed: buffer, data: buffer, dictionary: buffer}, nil
}

// Close gives the memory of the pages back.
func (p *Pages) Close() {
	p.packed.release()
	p.data.release()
	p.dictionary.release()
}

// next reads the header and the content of the next page of data or of a dictionary; io.EOF at the
// end. Pages of other types are passed over. The content of a page of data is there until the next
// one is read.
func (p *Pages) next() (h pageHeader, content []byte, err error) {
	for p.seen < p.rows && p.left > 0 {
		if h, err = p.header(); err == nil {
			content, err = p.read(h)
		}
		if err != nil || content != nil {
			return h, content, input.Early(err)
		}
	}
	return h, nil, io.EOF
}

// read reads the content of the page of a header; nil if the page is passed over.
func (p *Pages) read(h pageHeader) ([]byte, error) {
	if int64(h.packed) > p.left {
		return nil, io.ErrUnexpectedEOF
	}
	p.left -= int64(h.packed)
	switch h.kind {
	case dictionaryPage:
		return p.unpack(&p.dictionary, h, 0, true)
	case dataPage:
		p.seen += int64(h.values)
		return p.unpack(&p.data, h, 0, true)
	case dataPage2:
		levels := int64(h.levels[0]) + int64(h.levels[1])
		if levels > int64(h.size) || levels > int64(h.packed) {
			return nil, errors.New("a page is shorter than its levels")
		}
		p.seen += int64(h.rows)
		return p.unpack(&p.data, h, int(levels), !h.plain)
	}
	_, err := p.r.Discard(int(h.packed))
	return nil, err
}

// unpack reads the content of a page into a buffer of its length. The first bytes, levels of them,
// are never packed.
func (p *Pages) unpack(into *pageBuffer, h pageHeader, levels int, packed bool) ([]byte, error) {
	if packed = packed && p.kind != uncompressed; !packed && h.packed != h.size {
		return nil, errPage
	}
	content, err := into.resize(int(h.size))
	if err != nil {
		return nil, err
	}
	if !packed {
		_, err := io.ReadFull(p.r, content)
		return content, err
	}
	from, err := p.packed.resize(int(h.packed))
	if err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(p.r, from); err != nil {
		return nil, err
	}
	copy(content, from[:levels])
	return content, unpackPage(p.kind, content[levels:], from[levels:])
}

// The types of pages, as in Parquet's definition.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3
)

// pageHeader is the header of a page.
type pageHeader struct {
	kind, size, packed, values, encoding int32
	// levels are the encodings of the levels of a page of version 1, of definition and repetition, and
	// their lengths in version 2.
	levels      [2]int32
	nulls, rows int32
	plain       bool // the values of a page of version 2 are not packed
}

var errHeader = errors.New("the header of a page is damaged")

// header reads the header of a page.
func (p *Pages) header() (h pageHeader, err error) {
	r := &headerReader{r: p.r, left: min(p.left, mostHeader)}
	before := r.left
	err = r.fields(func(id int, kind byte) error {
		switch {
		case kind == thriftInt32 && id >= 1 && id <= 3:
			return r.int32s(id, &h.kind, &h.size, &h.packed)
		case kind == thriftStruct && id == 5:
			return r.ints(&h.values, &h.encoding, &h.levels[0], &h.levels[1])
		case kind == thriftStruct && id == 7:
			return r.ints(&h.values, &h.encoding)
		case kind == thriftStruct && id == 8:
			return r.fields(func(id int, kind byte) error {
				if id == 7 && kind == thriftFalse {
					h.plain = true
				}
				if kind == thriftInt32 && id <= 6 {
					return r.int32s(id, &h.values, &h.nulls, &h.rows, &h.encoding, &h.levels[0], &h.levels[1])
				}
				return r.skip(kind, 0)
			})
		}
		return r.skip(kind, 0)
	})
	p.left -= before - r.left
	if err == nil {
		for _, n := range []int32{h.size, h.packed, h.values, h.levels[0], h.levels[1], h.rows} {
			if n < 0 {
				return h, errHeader
			}
		}
	}
	return h, err
}

// headerReader reads values of Thrift's compact protocol from a stream, at most left bytes.
type headerReader struct {
	r    *bufio.Reader
	left int64
}

// More types of Thrift's compact protocol.
const (
	thriftTrue  = 1
	thriftFalse = 2
	thriftInt32 = 5
	thriftInt64 = 6
)

// ReadByte reads a byte.
func (r *headerReader) ReadByte() (byte, error) {
	if r.left <= 0 {
		return 0, errHeader
	}
	r.left--
	return r.r.ReadByte()
}

// fields calls each for the fields of a struct, which it must read or skip.
func (r *headerReader) fields(each func(id int, kind byte) error) error {
	id := 0
	for {
		head, err := r.ReadByte()
		if err != nil || head == 0 {
			return err
		}
		if delta := int(head >> 4); delta > 0 {
			id += delta
		} else {
			v, err := binary.ReadVarint(r)
			if err != nil {
				return err
			}
			id = int(int16(v))
		}
		if err := each(id, head&15); err != nil {
			return err
		}
	}
}

// int32s reads an integer into the place of its number, from 1.
func (r *headerReader) int32s(id int, at ...*int32) error {
	v, err := binary.ReadVarint(r)
	if err != nil {
		return err
	}
	if v != int64(int32(v)) {
		return errHeader
	}
	*at[id-1] = int32(v)
	return nil
}

// ints reads a struct whose first fields are integers.
func (r *headerReader) ints(at ...*int32) error {
	return r.fields(func(id int, kind byte) error {
		if kind == thriftInt32 && id >= 1 && id <= len(at) {
			return r.int32s(id, at...)
		}
		return r.skip(kind, 0)
	})
}

// skip passes over a value.
func (r *headerReader) skip(kind byte, depth int) error {
	if depth > 16 {
		return errHeader
	}
	switch kind {
	case thriftTrue, thriftFalse:
		return nil
	case 3:
		return r.discard(1)
	case 4, thriftInt32, thriftInt64:
		_, err := binary.ReadVarint(r)
		return err
	case 7:
		return r.discard(8)
	case thriftBytes:
		n, err := binary.ReadUvarint(r)
		if err != nil || n > uint64(r.left) {
			return errHeader
		}
		return r.discard(int64(n))
	case thriftStruct:
		return r.fields(func(_ int, kind byte) error { return r.skip(kind, depth+1) })
	case thriftList, thriftSet:
		return r.list(func(kind byte) error {
			if kind <= thriftFalse {
				return r.discard(1)
			}
			return r.skip(kind, depth+1)
		})
	}
	return errHeader
}

func (r *headerReader) discard(n int64) error {
	if n > r.left {
		return errHeader
	}
	r.left -= n
	_, err := r.r.Discard(int(n))
	return err
}
