package matrix

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Content and errors are the same as compress/zlib's: each byte of a stream is changed once, and
// the stream is cut after each, with unpacking ahead and without.
func TestZlibContent(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 11))
	content := make([]byte, 3000)
	for i := range content {
		content[i] = byte(rng.IntN(7))
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(content)
	w.Close()
	want := func(stream []byte) ([]byte, error) {
		z, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	}
	got := func(stream []byte, ahead bool) ([]byte, error) {
		z, err := newZlib(bufio.NewReader(bytes.NewReader(stream)))
		if err != nil {
			return nil, err
		}
		if ahead {
			defer z.ahead().Close()
		}
		return io.ReadAll(z)
	}
	streams := map[string][]byte{"whole": packed.Bytes(), "with more behind": append(bytes.Clone(packed.Bytes()), "more"...)}
	for i := range packed.Len() {
		streams[fmt.Sprintf("cut at %d", i)] = packed.Bytes()[:i]
		damaged := bytes.Clone(packed.Bytes())
		damaged[i] ^= 1 << rng.IntN(8)
		streams[fmt.Sprintf("damaged at %d", i)] = damaged
	}
	for name, stream := range streams {
		a, failed := want(stream)
		for _, ahead := range []bool{false, true} {
			b, err := got(stream, ahead)
			if (failed == nil) != (err == nil) || failed == nil && !bytes.Equal(a, b) {
				t.Errorf("%s, ahead %v: %d bytes and %v, want %d and %v", name, ahead, len(b), err, len(a), failed)
			}
			if x, y := (&input.File{Ctx: t.Context()}).Wrap("x", err), (&input.File{Ctx: t.Context()}).Wrap("x", failed); fmt.Sprint(x) != fmt.Sprint(y) {
				t.Errorf("%s, ahead %v: %v, want %v", name, ahead, x, y)
			}
		}
	}
}
