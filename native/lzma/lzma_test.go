package lzma

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/ulikunitz/xz"
)

func pack(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(xz.NewWriter(&b))(t)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

func words(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString([]string{"ship ", "harbour ", "sail ", "wind ", "rope\n"}[rng.IntN(5)])
	}
	return b.Bytes()
}

func open(t testing.TB, r io.Reader) io.ReadCloser {
	t.Helper()
	x := NewReader(r, 64<<20)
	if x == nil {
		t.Skip("this build has no liblzma, or the machine lacks it")
	}
	return x
}

// What was packed comes out, whatever the sizes of the reads, from one stream or several with zeros
// between and after them.
func TestReader(t *testing.T) {
	text := words(400_000)
	packed := pack(t, text)
	several := bytes.Join([][]byte{packed, pack(t, nil), pack(t, text[:1000])}, make([]byte, 8))
	several = append(several, 0, 0, 0, 0)
	whole := append(bytes.Clone(text), text[:1000]...)
	for name, c := range map[string]struct {
		r    io.Reader
		want []byte
	}{
		"whole":         {bytes.NewReader(packed), text},
		"byte by byte":  {iotest.OneByteReader(bytes.NewReader(packed)), text},
		"error at once": {iotest.DataErrReader(bytes.NewReader(packed)), text},
		"several":       {bytes.NewReader(several), whole},
		"empty":         {bytes.NewReader(pack(t, nil)), nil},
	} {
		got, err := io.ReadAll(open(t, c.r))
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(c.want), err)
		}
	}
	got, err := io.ReadAll(iotest.OneByteReader(open(t, bytes.NewReader(packed))))
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("read byte by byte: %d bytes, %v", len(got), err)
	}
}

// A file that ends anywhere before its end is cut off; a changed byte is damage, and never other
// content with a good end; an error of the file comes through after what was before it.
func TestFaults(t *testing.T) {
	text := words(20_000)
	packed := pack(t, text)
	for cut := 1; cut < len(packed); cut += 1 + len(packed)/200 {
		got, err := io.ReadAll(open(t, bytes.NewReader(packed[:cut])))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(text, got) {
			t.Errorf("cut at %d of %d: %d bytes, %v", cut, len(packed), len(got), err)
		}
	}
	for at := 0; at < len(packed); at += 1 + len(packed)/200 {
		wrong := bytes.Clone(packed)
		wrong[at] ^= 0x41
		if got, err := io.ReadAll(open(t, bytes.NewReader(wrong))); err == nil {
			t.Errorf("byte %d of %d changed: %d bytes and no error", at, len(packed), len(got))
		}
	}
	broken := errors.New("the disk is broken")
	got, err := io.ReadAll(open(t, io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) || len(got) == 0 || !bytes.HasPrefix(text, got) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	// Content that liblzma holds when the error comes is given first, however small the reads.
	again := io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(broken))
	small, err := io.ReadAll(iotest.OneByteReader(open(t, again)))
	if !errors.Is(err, broken) || !bytes.Equal(small, got) {
		t.Errorf("byte by byte: %d bytes, %v; in large reads %d", len(small), err, len(got))
	}
	x := open(t, strings.NewReader("no archive"))
	for range 2 { // the error stays
		if _, err := x.Read(make([]byte, 10)); err == nil || err == io.EOF {
			t.Error(err)
		}
	}
	if _, err := io.ReadAll(NewReader(bytes.NewReader(packed), 1<<10)); !errors.Is(err, ErrDictionary) {
		t.Error(err)
	}
}

// A closed reader has no memory in C and gives an error; closing it again does nothing.
func TestClose(t *testing.T) {
	before := streams.Load()
	x := open(t, bytes.NewReader(pack(t, words(200_000))))
	if _, err := io.ReadFull(x, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := x.Close(); err != nil || streams.Load() != before {
			t.Errorf("%v, %d streams", err, streams.Load()-before)
		}
		if _, err := x.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
			t.Error(err)
		}
	}
}

// Readers that nobody reads to the end do not keep their memory.
func TestAbandoned(t *testing.T) {
	packed := pack(t, words(200_000))
	before := streams.Load()
	for range 200 {
		if _, err := io.ReadFull(open(t, bytes.NewReader(packed)), make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(2 * time.Minute)
	for streams.Load() > before && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := streams.Load() - before; n > 0 {
		t.Errorf("%d of 200 abandoned readers keep their memory", n)
	}
}

// BenchmarkReader: content in bytes a second, liblzma beside the Go library.
func BenchmarkReader(b *testing.B) {
	text := words(8 << 20)
	packed := pack(b, text)
	for _, c := range []struct {
		name string
		open func() (io.Reader, error)
	}{
		{"liblzma", func() (io.Reader, error) { return open(b, bytes.NewReader(packed)), nil }},
		{"go", func() (io.Reader, error) { return xz.NewReader(bytes.NewReader(packed)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				r := must.Get(c.open())(b)
				if n, err := io.Copy(io.Discard, r); err != nil || n != int64(len(text)) {
					b.Fatal(n, err)
				}
			}
		})
	}
}
