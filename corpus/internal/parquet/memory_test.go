package parquet

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/eigenmap/eigenmap/internal/must"
)

// TestPageLength: a page is unpacked into the length that its header says, or refused, also where
// that length is zero.
func TestPageLength(t *testing.T) {
	const size = 64 << 20
	content := make([]byte, size)
	for _, kind := range []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Zstd, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Lz4Raw, compress.Codecs.Uncompressed} {
		packer := must.Get(compress.GetCodec(kind))(t)
		pack := func(b []byte) []byte {
			return packer.Encode(make([]byte, packer.CompressBound(int64(len(b)))), b)
		}
		whole, exact := pack(content), pack([]byte("some words"))
		got := make([]byte, 10)
		if err := unpackPage(codec(kind), got, exact); err != nil || string(got) != "some words" {
			t.Errorf("%v: %q, %v", kind, got, err)
		}
		for _, length := range []int{0, 1, 9, 11} {
			for _, packed := range [][]byte{whole, exact, whole[:len(whole)/2], exact[:len(exact)-1]} {
				if kind == compress.Codecs.Uncompressed && len(packed) == length {
					continue
				}
				dst := make([]byte, length)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := unpackPage(codec(kind), dst, packed)
				runtime.ReadMemStats(&after)
				if err == nil {
					t.Errorf("%v: a page of other length than %d is unpacked", kind, length)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > size/2 {
					t.Errorf("%v: %d bytes of memory for %d", kind, used, length)
				}
			}
		}
		if got := make([]byte, size); unpackPage(codec(kind), got, whole) != nil || !bytes.Equal(got, content) {
			t.Errorf("%v: other bytes", kind)
		}
	}
}
