package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/ulikunitz/xz"
)

// bomb packs the same bytes many times, n in all: .gz, or .xz of many streams.
func bomb(t testing.TB, kind string, piece []byte, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	times := n / len(piece)
	if kind == "gz" {
		z := gzip.NewWriter(&out)
		for range times {
			z.Write(piece)
		}
		must.Do(t, z.Close())
		return out.Bytes()
	}
	z := must.Get(xz.NewWriter(&out))(t)
	z.Write(piece)
	must.Do(t, z.Close())
	return bytes.Repeat(out.Bytes(), times)
}

func opened(t testing.TB, packed []byte, memory int64) *File {
	t.Helper()
	in := must.Get(New(t.Context(), "bomb", bytes.NewReader(packed), int64(len(packed)), Limits{MaxBytes: memory}))(t)
	return in
}

// TestEndlessContentIsRefusedEarly: whatever a file of zeros, of blank lines or of one line that
// never ends is read as, it is refused after a small part of its content, also behind honest lines.
func TestEndlessContentIsRefusedEarly(t *testing.T) {
	const size = 512 << 20
	honest := []byte(strings.Repeat("a line of words\n", 1000))
	for name, piece := range map[string][]byte{
		"zeros":       make([]byte, 4<<20),
		"blank lines": bytes.Repeat([]byte("\n"), 4<<20),
		"one line":    bytes.Repeat([]byte("word "), 1<<20),
	} {
		for _, kind := range []string{"gz", "xz"} {
			packed := bomb(t, kind, piece, size)
			for _, before := range [][]byte{nil, bomb(t, kind, honest, len(honest))} {
				in := opened(t, append(bytes.Clone(before), packed...), 64<<30)
				_, err := io.Copy(io.Discard, in.Stream)
				var format *FormatError
				if !errors.As(err, &format) || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "without end") {
					t.Errorf("%s of %s: %v", kind, name, err)
				}
				if n := in.unpacked.Load(); n > 2*endlessBytes {
					t.Errorf("%s of %s: refused after %d bytes", kind, name, n)
				}
				if again := in.Blame(err); again != err { // which would unpack more of it
					t.Errorf("%s of %s: %v", kind, name, again)
				}
			}
		}
	}
}

// TestHonestContentIsRead: content that is compressed as much is read to its end if it has lines,
// or is a binary format, or if the reader has taken memory for it, or if it takes more of the file.
func TestHonestContentIsRead(t *testing.T) {
	const size = 128 << 20
	random := make([]byte, 300<<10) // 1:109 if it is zeros for the most part
	for i := range random {
		random[i] = byte(i * i >> 7)
	}
	for name, c := range map[string]struct {
		head, piece []byte
		take        int64
	}{
		"lines":         {nil, []byte(strings.Repeat(`{"text":"the same words again"}`+"\n", 1<<15)), 0},
		"long lines":    {nil, append(bytes.Repeat([]byte("0,"), 8<<20), '\n'), 0},
		"sparse matrix": {[]byte("\x93NUMPY" + strings.Repeat(" ", 122)), make([]byte, 4<<20), 0},
		"images":        {[]byte("\x00\x00\x08\x03" + strings.Repeat(" ", 124)), make([]byte, 4<<20), 0},
		"counted":       {nil, make([]byte, 4<<20), size},
	} {
		for _, kind := range []string{"gz", "xz"} {
			packed := bomb(t, kind, c.piece, size)
			if c.head != nil {
				packed = append(bomb(t, kind, c.head, len(c.head)), packed...)
			}
			if len(packed) > size/endlessRatio {
				t.Fatalf("%s of %s: %d bytes of %d are no test", kind, name, len(packed), size)
			}
			in := opened(t, packed, 64<<30)
			must.Do(t, in.Mem.Take(c.take, 1))
			n, err := io.Copy(io.Discard, in.Stream)
			if want := int64(len(c.head) + size/len(c.piece)*len(c.piece)); err != nil || n != want {
				t.Errorf("%s of %s: %d of %d bytes, %v", kind, name, n, want, err)
			}
		}
	}
	in := opened(t, append(bomb(t, "gz", make([]byte, 1<<20), 30<<20), bomb(t, "gz", random, len(random))...), 64<<30)
	if _, err := io.Copy(io.Discard, in.Stream); err != nil {
		t.Errorf("content that is not compressed so much: %v", err)
	}
}
