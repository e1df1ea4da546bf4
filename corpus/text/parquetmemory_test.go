package text

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// TestPageLength: a page of the reader is unpacked into the length that its header says, or
// refused, also where that length is zero, for which the library has no bound.
func TestPageLength(t *testing.T) {
	const size = 64 << 20
	content := make([]byte, size)
	for _, kind := range []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Zstd, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Lz4Raw} {
		codec, err := compress.GetCodec(kind)
		if err != nil {
			t.Fatal(err)
		}
		m := &pageMemory{budget: input.NewBudget(1 << 30)}
		defer m.close()
		pack := func(b []byte) []byte {
			packed := codec.Encode(make([]byte, codec.CompressBound(int64(len(b)))), b)
			return append(m.Allocate(len(packed))[:0], packed...)
		}
		whole, nothing := pack(content), []byte(nil)
		if kind != compress.Codecs.Brotli && kind != compress.Codecs.Lz4Raw { // the library does not pack nothing with these
			nothing = pack(nil)
		}
		exact := pack([]byte("some words"))
		if got := codec.Decode(make([]byte, 10), exact); string(got) != "some words" {
			t.Errorf("%v: %q", kind, got)
		}
		if nothing != nil && len(codec.Decode(nil, nothing)) != 0 {
			t.Errorf("%v: no bytes are not unpacked into none", kind)
		}
		for _, length := range []int{-1, 0, 1, 9} { // -1: nil
			for _, packed := range [][]byte{whole, exact, whole[:len(whole)/2], exact[:len(exact)-1]} {
				dst := []byte(nil)
				if length >= 0 {
					dst = make([]byte, length)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := failure(func() { codec.Decode(dst, packed) })
				runtime.ReadMemStats(&after)
				if err == nil {
					t.Errorf("%v: a page of other length than %d is unpacked", kind, length)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > size/2 {
					t.Errorf("%v: %d bytes of memory for %d", kind, used, length)
				}
			}
		}
		if err := failure(func() { codec.Decode(make([]byte, 11), exact) }); !errors.Is(err, errPage) {
			t.Errorf("%v: a page that is too short: %v", kind, err)
		}
		if got := make([]byte, size); !bytes.Equal(codec.Decode(got, whole), content) {
			t.Errorf("%v: other bytes", kind)
		}
	}
}

// failure is what a call panics with.
func failure(call func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
			if of, ok := cause.(error); ok {
				err = of
			}
		}
	}()
	call()
	return nil
}
