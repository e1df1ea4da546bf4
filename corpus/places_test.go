package corpus_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/ulikunitz/xz"
)

// TestPlaceOfDamage: the refusal of a file that is cut off or damaged names the byte where it ends,
// and how much of its content came out whole.
func TestPlaceOfDamage(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "{\"id\":\"d%d\",\"text\":\"ship %d sails to harbour %d\"}\n", i, i*i, i*7919)
	}
	var gz, lz bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(text.String()))
	z.Close()
	x := must.Get(xz.NewWriter(&lz))(t)
	x.Write([]byte(text.String()))
	x.Close()
	array := []byte("\x93NUMPY\x01\x00\x76\x00" + fmt.Sprintf("%-117s\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (100, 10), }"))
	header := len(array)
	for i := range 500 {
		array = binary.LittleEndian.AppendUint64(array, uint64(i)<<40)
	}
	flip := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 0xff
		return data
	}
	end := func(data []byte) string { return "byte " + words.Thousands(len(data)) }
	half := func(data []byte) []byte { return data[:len(data)/2] }
	for name, tc := range map[string]struct {
		data []byte
		want []string
	}{
		"cut.jsonl.gz":     {half(gz.Bytes()), []string{end(half(gz.Bytes())), "after ", " bytes of content: the file ends too early"}},
		"cut.jsonl.xz":     {half(lz.Bytes()), []string{end(half(lz.Bytes())), "after ", " bytes of content: the file ends too early"}},
		"damaged.jsonl.gz": {flip(gz.Bytes(), gz.Len()-6), []string{": after ", " bytes of content: the compressed data are damaged"}},
		"middle.jsonl.gz":  {flip(gz.Bytes(), gz.Len()/2), []string{": after ", " bytes of content: the compressed data are damaged"}},
		"damaged.jsonl.xz": {flip(lz.Bytes(), lz.Len()/2), []string{": after ", " bytes of content: the compressed data are damaged"}},
		"cut.npy":          {array, []string{end(array), "the file ends after 500 of the 1,000 numbers"}},
		"header.npy":       {array[:header/2], []string{end(array[:header/2]), "ends too early"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			must.Do(t, os.WriteFile(file, tc.data, 0o644))
			_, err := corpus.Read(context.Background(), file, corpus.ReadOptions{})
			corpustest.WantFault(t, err, append(tc.want, name)...)
			t.Log(err)
		})
	}
}
