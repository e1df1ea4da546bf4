package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// What keeps the library of Parquet within the memory of the reader: sizes in a damaged or hostile
// file are claims, and the library allocates what they claim.

// pageMemory takes the pages of a file from the budget of its reader. It panics with
// input.ErrMemory, since the library's interface has no error here.
type pageMemory struct {
	memory.GoAllocator
	budget *input.Budget
}

// Allocate takes memory from the budget.
func (m *pageMemory) Allocate(size int) []byte {
	if m.budget.Take(int64(size), 1) != nil {
		panic(input.ErrMemory)
	}
	return m.GoAllocator.Allocate(size)
}

// Reallocate takes the new memory before it gives back the old.
func (m *pageMemory) Reallocate(size int, b []byte) []byte {
	if m.budget.Take(int64(size), 1) != nil {
		panic(input.ErrMemory)
	}
	grown := m.GoAllocator.Reallocate(size, b)
	m.budget.Give(int64(len(b)), 1)
	return grown
}

// Free gives memory back.
func (m *pageMemory) Free(b []byte) {
	m.budget.Give(int64(len(b)), 1)
	m.GoAllocator.Free(b)
}

var errPage = errors.New("the compressed data of a page have another length than its header says")

// unpacker is the decoder of zstd that stays within the length of its destination.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
})

// streamed is the decoder of a codec that unpacks a stream: it fills the destination, and there
// must be no byte more. Its own memory is a window of the codec, at most 16 MiB.
func streamed(open func(r io.Reader) (io.Reader, error)) func(dst, src []byte) ([]byte, error) {
	return func(dst, src []byte) ([]byte, error) {
		r, err := open(bytes.NewReader(src))
		if err != nil {
			return nil, err
		}
		n, err := io.ReadFull(r, dst)
		if err == nil {
			_, err = io.ReadFull(r, make([]byte, 1))
		}
		switch err {
		case io.EOF:
			return dst[:n], nil // of another length if it ends before dst
		case nil, io.ErrUnexpectedEOF:
			return nil, errPage
		}
		return nil, err
	}
}

// unpackers unpack the content of a page by its codec into a destination of the length that the
// header of the page says, and no more. The codecs of the library take lengths from the packed
// data.
var unpackers = map[compress.Compression]func(dst, src []byte) ([]byte, error){
	compress.Codecs.Uncompressed: func(dst, src []byte) ([]byte, error) { return dst[:copy(dst, src)], lengthOf(dst, len(src)) },
	compress.Codecs.Snappy: func(dst, src []byte) ([]byte, error) {
		if n, err := snappy.DecodedLen(src); err != nil || n != len(dst) {
			return nil, errPage
		}
		return snappy.Decode(dst, src)
	},
	compress.Codecs.Zstd: func(dst, src []byte) ([]byte, error) {
		z, err := unpacker()
		if err != nil {
			return nil, err
		}
		return z.DecodeAll(src, dst[:0:len(dst)])
	},
	compress.Codecs.Gzip:   streamed(func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }),
	compress.Codecs.Brotli: streamed(func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }),
	compress.Codecs.Lz4Raw: func(dst, src []byte) ([]byte, error) {
		n, err := lz4.UncompressBlock(src, dst)
		if err != nil {
			return nil, err
		}
		return dst[:n], nil
	},
}

func lengthOf(dst []byte, n int) error {
	if n != len(dst) {
		return errPage
	}
	return nil
}

// unreadCompression is the error of a compression that is not read, by its name.
type unreadCompression string

// Error says what it is.
func (e unreadCompression) Error() string { return "its pages are compressed with " + string(e) }

// unpackPage unpacks src into dst, which it fills. The error is errPage if the data have another
// length.
func unpackPage(kind compress.Compression, dst, src []byte) error {
	if len(dst) == 0 && len(src) == 0 {
		return nil
	}
	unpack := unpackers[kind]
	if unpack == nil {
		return unreadCompression(strings.ToLower(kind.String()))
	}
	out, err := unpack(dst, src)
	if err != nil {
		return err
	}
	return lengthOf(dst, len(out))
}

// mostElements is the largest list in the footer that is read: groups of rows, columns of one, or
// elements of the schema.
const mostElements = 1 << 20

// soundThrift checks the structure of a struct in Thrift's compact protocol: every length is backed
// by as many bytes, and nothing is nested deeply. The library allocates lists by their lengths
// before it reads them.
func soundThrift(data []byte) bool {
	t := thriftWalk{data}
	return t.value(thriftStruct, 0)
}

// The types of Thrift's compact protocol whose values have a structure.
const (
	thriftBytes  = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// thriftWalk is the bytes that are not walked over yet.
type thriftWalk struct{ data []byte }

func (t *thriftWalk) byte() (byte, bool) {
	if len(t.data) == 0 {
		return 0, false
	}
	b := t.data[0]
	t.data = t.data[1:]
	return b, true
}

func (t *thriftWalk) varint() (uint64, bool) {
	v, n := binary.Uvarint(t.data)
	if n <= 0 {
		return 0, false
	}
	t.data = t.data[n:]
	return v, true
}

func (t *thriftWalk) skip(n uint64) bool {
	if n > uint64(len(t.data)) {
		return false
	}
	t.data = t.data[n:]
	return true
}

// value walks over a value outside a list; the value of a boolean is in its type.
func (t *thriftWalk) value(kind byte, depth int) bool {
	if depth > 64 {
		return false
	}
	switch kind {
	case 1, 2:
		return true
	case 3:
		return t.skip(1)
	case 4, 5, 6:
		_, ok := t.varint()
		return ok
	case 7:
		return t.skip(8)
	case thriftBytes:
		n, ok := t.varint()
		return ok && t.skip(n)
	case thriftList, thriftSet:
		return t.list(depth)
	case thriftMap:
		n, ok := t.varint()
		return ok && n == 0 // Parquet has no maps
	case thriftStruct:
		for {
			field, ok := t.byte()
			if !ok {
				return false
			}
			if field == 0 {
				return true
			}
			if field>>4 == 0 {
				if _, ok := t.varint(); !ok {
					return false
				}
			}
			if !t.value(field&15, depth+1) {
				return false
			}
		}
	}
	return false
}

func (t *thriftWalk) list(depth int) bool {
	head, ok := t.byte()
	if !ok {
		return false
	}
	n, kind := uint64(head>>4), head&15
	if n == 15 {
		if n, ok = t.varint(); !ok {
			return false
		}
	}
	if n > uint64(len(t.data)) || n > mostElements {
		return false
	}
	if kind == 1 || kind == 2 {
		return t.skip(n)
	}
	for range n {
		if !t.value(kind, depth+1) {
			return false
		}
	}
	return true
}
