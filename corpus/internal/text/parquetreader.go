package text

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// pageReader reads the pages of a column in a group of rows, as the library's own reader does, and
// unpacks them within the lengths that their headers say. The format of the headers is Thrift's
// compact protocol.
type pageReader struct {
	r          *bufio.Reader
	left       int64 // bytes of the column that are not read yet
	kind       compress.Compression
	rows, seen int64
	page       file.Page
	err        error
	// The buffers of the packed page, the data page and the dictionary.
	packed, data, dictionary *memory.Buffer
}

// oldPadding is what old writers left out of the length of a column, see PARQUET-816.
const oldPadding = 100

// openPages opens a column of a group of rows.
func (p *parquetFile) openPages(g, leaf int) (*pageReader, error) {
	column, err := p.file.MetaData().RowGroup(g).ColumnChunk(leaf)
	if err != nil {
		return nil, err
	}
	if column.CryptoMetadata() != nil {
		return nil, p.encrypted()
	}
	start, length := column.DataPageOffset(), column.TotalCompressedSize()
	if column.HasDictionaryPage() && column.DictionaryPageOffset() > 0 {
		start = min(start, column.DictionaryPageOffset())
	}
	if start < 0 || length < 0 || start > p.size || length > p.size-start {
		return nil, errors.New("a column lies outside the file")
	}
	if p.file.MetaData().WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		length += min(oldPadding, p.size-start-length)
	}
	return &pageReader{r: bufio.NewReaderSize(io.NewSectionReader(p.at, start, length), 64<<10), left: length, kind: column.Compression(), rows: column.NumValues(),
		packed: memory.NewResizableBuffer(p.pages), data: memory.NewResizableBuffer(p.pages), dictionary: memory.NewResizableBuffer(p.pages)}, nil
}

// Page is the page that Next found.
func (p *pageReader) Page() file.Page { return p.page }

// Err is the error that ended the pages, nil at the end of the column.
func (p *pageReader) Err() error { return p.err }

// GetDictionaryPage is nil: the dictionary of a column is the first of its pages.
func (p *pageReader) GetDictionaryPage() (*file.DictionaryPage, error) { return nil, nil }

// SetMaxPageHeaderSize has no effect: the limit is mostHeader.
func (p *pageReader) SetMaxPageHeaderSize(int) {}

// Reset is not used: each column gets a reader of its own.
func (p *pageReader) Reset(parquet.BufferedReader, int64, compress.Compression, *file.CryptoContext) {
	p.err = errors.New("pages are read once")
}

// SeekToPageWithRow is not used: pages are read in order.
func (p *pageReader) SeekToPageWithRow(int64) error { return errors.New("pages are read in order") }

// Close gives the memory of the pages back.
func (p *pageReader) Close() error {
	for _, b := range []**memory.Buffer{&p.packed, &p.data, &p.dictionary} {
		if *b != nil {
			(*b).Release()
			*b = nil
		}
	}
	return nil
}

// Next reads the next page of data or of a dictionary; false at the end or for an error.
func (p *pageReader) Next() bool {
	if p.page != nil {
		p.page.Release()
	}
	p.page, p.err = nil, nil
	for p.seen < p.rows && p.left > 0 {
		h, err := p.header()
		if err == nil {
			err = p.read(h)
		}
		if err != nil {
			if p.err = err; err == io.EOF {
				p.err = io.ErrUnexpectedEOF
			}
			return false
		}
		if p.page != nil {
			return true
		}
	}
	return false
}

// read reads the page of a header; pages of other types are passed over.
func (p *pageReader) read(h pageHeader) error {
	if int64(h.packed) > p.left {
		return io.ErrUnexpectedEOF
	}
	p.left -= int64(h.packed)
	encoding := parquet.Encoding(h.encoding)
	switch h.kind {
	case dictionaryPage:
		if err := p.unpack(p.dictionary, h, 0, true); err != nil {
			return err
		}
		p.page = file.NewDictionaryPage(memory.NewBufferBytes(p.dictionary.Bytes()), h.values, encoding)
	case dataPage:
		if err := p.unpack(p.data, h, 0, true); err != nil {
			return err
		}
		p.seen += int64(h.values)
		p.page = file.NewDataPageV1(memory.NewBufferBytes(p.data.Bytes()), h.values, encoding, parquet.Encoding(h.levels[0]), parquet.Encoding(h.levels[1]), h.size)
	case dataPage2:
		levels := int64(h.levels[0]) + int64(h.levels[1])
		if levels > int64(h.size) || levels > int64(h.packed) {
			return errors.New("a page is shorter than its levels")
		}
		if err := p.unpack(p.data, h, int(levels), !h.plain); err != nil {
			return err
		}
		p.seen += int64(h.rows)
		p.page = file.NewDataPageV2(memory.NewBufferBytes(p.data.Bytes()), h.values, h.nulls, h.rows, encoding, h.levels[0], h.levels[1], h.size, !h.plain)
	default:
		_, err := p.r.Discard(int(h.packed))
		return err
	}
	return nil
}

// unpack reads the content of a page into a buffer of its length. The first bytes, levels of them,
// are never packed.
func (p *pageReader) unpack(into *memory.Buffer, h pageHeader, levels int, packed bool) error {
	if !packed || p.kind == compress.Codecs.Uncompressed {
		if h.packed != h.size {
			return errPage
		}
		into.ResizeNoShrink(int(h.size))
		_, err := io.ReadFull(p.r, into.Bytes())
		return err
	}
	p.packed.ResizeNoShrink(int(h.packed))
	if _, err := io.ReadFull(p.r, p.packed.Bytes()); err != nil {
		return err
	}
	into.ResizeNoShrink(int(h.size))
	copy(into.Bytes(), p.packed.Bytes()[:levels])
	return unpackPage(p.kind, into.Bytes()[levels:], p.packed.Bytes()[levels:])
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
func (p *pageReader) header() (h pageHeader, err error) {
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
	case 4, thriftInt32, 6:
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
			if kind := head & 15; kind <= thriftFalse {
				err = r.discard(1)
			} else {
				err = r.skip(kind, depth+1)
			}
		}
		return err
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
