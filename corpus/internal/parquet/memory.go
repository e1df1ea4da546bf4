package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// What keeps the reading of Parquet within the memory of the reader: sizes in a damaged or hostile
// file are claims.

// pageBuffer is memory for pages, one after the other, that is taken from a budget.
type pageBuffer struct {
	bytes  []byte
	budget *input.Budget
}

// resize returns n bytes whose content is not defined. It is never nil.
func (b *pageBuffer) resize(n int) ([]byte, error) {
	if b.bytes == nil || n > cap(b.bytes) {
		if err := b.budget.Take(int64(n), 1); err != nil {
			return nil, err
		}
		b.release()
		b.bytes = make([]byte, n)
	}
	return b.bytes[:n], nil
}

// release gives the memory back.
func (b *pageBuffer) release() {
	b.budget.Give(int64(cap(b.bytes)), 1)
	b.bytes = nil
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

// codec is what pages are packed with, by its number in Parquet's definition.
type codec int32

// The codecs of Parquet.
const (
	uncompressed codec = iota
	snappyCodec
	gzipCodec
	lzoCodec
	brotliCodec
	lz4Codec
	zstdCodec
	lz4RawCodec
)

// String is the name in Parquet's definition, in small letters.
func (c codec) String() string {
	names := [...]string{"nothing", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("the codec of number %d", int32(c))
	}
	return names[c]
}

// unpackers unpack the content of a page by its codec into a destination of the length that the
// header of the page says, and no more. Lengths in the packed data are claims as well.
var unpackers = [...]func(dst, src []byte) ([]byte, error){
	uncompressed: func(dst, src []byte) ([]byte, error) { return dst[:copy(dst, src)], lengthOf(dst, len(src)) },
	snappyCodec: func(dst, src []byte) ([]byte, error) {
		if n, err := snappy.DecodedLen(src); err != nil || n != len(dst) {
			return nil, errPage
		}
		return snappy.Decode(dst, src)
	},
	zstdCodec: func(dst, src []byte) ([]byte, error) {
		z, err := unpacker()
		if err != nil {
			return nil, err
		}
		return z.DecodeAll(src, dst[:0:len(dst)])
	},
	gzipCodec:   streamed(func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }),
	brotliCodec: streamed(func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }),
	lz4RawCodec: func(dst, src []byte) ([]byte, error) {
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

// UnreadCompression is the error of a compression that is not read, by its name.
type UnreadCompression string

// Error says what it is.
func (e UnreadCompression) Error() string { return "its pages are compressed with " + string(e) }

// unpackPage unpacks src into dst, which it fills. The error is errPage if the data have another
// length.
func unpackPage(kind codec, dst, src []byte) error {
	if len(dst) == 0 && len(src) == 0 {
		return nil
	}
	if kind < 0 || int(kind) >= len(unpackers) || unpackers[kind] == nil {
		return UnreadCompression(kind.String())
	}
	out, err := unpackers[kind](dst, src)
	if err != nil {
		return err
	}
	return lengthOf(dst, len(out))
}

// mostElements is the largest list in the footer that is read: groups of rows, columns of one, or
// elements of the schema.
const mostElements = 1 << 20

// Sound checks the structure of a struct in Thrift's compact protocol: every length is backed
// by as many bytes, and nothing is nested deeply.
func Sound(data []byte) bool {
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
