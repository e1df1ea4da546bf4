package input

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/eigenmap/eigenmap/native/lzma"
	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// maxDictionary is the largest dictionary of an .xz file that is read, in bytes. A reader takes
// that much memory; xz -9 writes 64 MiB.
const maxDictionary = 256 << 20

// besideDictionary is more than what liblzma takes beside its dictionary.
const besideDictionary = 4 << 20

// IsPacked recognises a compressed file that is unpacked here by its first bytes.
func IsPacked(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x1f\x8b")) || bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")) || isBzip2(head) || bytes.HasPrefix(head, []byte(zstdMagic))
}

// IsTar recognises an archive of tar by its first bytes.
func IsTar(head []byte) bool {
	const at, magic = 257, "ustar"
	return len(head) >= at+len(magic) && string(head[at:at+len(magic)]) == magic
}

// Unpack returns the content of b and whether it is compressed. It unpacks gzip, xz, bzip2 and
// zstd, and passes everything else on unchanged. Content that is an io.Closer holds memory until it
// is closed, read to its end or collected; b stays open.
func Unpack(b *bufio.Reader) (r io.Reader, packed bool, err error) {
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, true, err
		}
		z.Multistream(false)
		return &gzipReader{z: z, b: b}, true, nil
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		if err := checkDictionary(b); err != nil {
			return nil, true, err
		}
		if z := lzma.NewReader(b, maxDictionary+besideDictionary); z != nil {
			return &xzReader{r: z}, true, nil
		}
		end := &xzEnd{r: b}
		z, err := xz.NewReader(end)
		return &xzReader{r: z, end: end}, true, xzError(err)
	}
	if other, err := unpackOther(b); other != nil || err != nil {
		return other, true, err
	}
	return b, false, nil
}

// checkDictionary checks the size of the dictionary that the first block names, before memory of
// that size is taken. A block's header follows the stream's 12 bytes: its length, flags, up to two
// sizes of at most 9 bytes, then the filters. LZMA2 is 0x21, one byte of properties, its size.
func checkDictionary(b *bufio.Reader) error {
	head, _ := b.Peek(12 + 1024)
	if len(head) < 32 { // a stream without content
		return io.ErrUnexpectedEOF
	}
	block := head[12:]
	length := 4 * (int(block[0]) + 1)
	if block[0] == 0 || length > len(block) { // no block, or cut off: the reader says so
		return nil
	}
	if crc32.ChecksumIEEE(block[:length-4]) != binary.LittleEndian.Uint32(block[length-4:]) {
		return errDamaged
	}
	at, flags := 2, block[1]
	for _, present := range []byte{0x40, 0x80} {
		if flags&present == 0 {
			continue
		}
		for at < len(block) && block[at] >= 0x80 {
			at++
		}
		at++
	}
	if at+2 >= len(block) {
		return nil
	}
	if flags&3 != 0 || block[at] != 0x21 {
		return errFilter
	}
	bits := block[at+2]
	switch size := uint64(2|bits&1) << (bits/2 + 11); {
	case bits > 40:
		return errDamaged
	case size > maxDictionary:
		return errDictionary
	}
	return nil
}

// gzipReader reads the members of a gzip file one after another. Zeros after the last member are
// padding (of tapes and disks); other bytes there are errAfter.
type gzipReader struct {
	z *gzip.Reader
	b *bufio.Reader // that z reads; z takes no byte beyond a member
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if n > 0 || err != io.EOF {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		head, err := g.b.Peek(2)
		switch {
		case len(head) == 0:
			return 0, err // io.EOF after a whole member
		case string(head) == "\x1f\x8b":
			if err := g.z.Reset(g.b); err != nil {
				return 0, Early(err)
			}
			g.z.Multistream(false)
		default:
			return 0, zerosToEnd(g.b)
		}
	}
}

// zerosToEnd reads to the end; io.EOF if there are only zeros, else errAfter.
func zerosToEnd(r io.ByteReader) error {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			return errAfter
		}
	}
}

// xzReader marks damaged data, as against errors of the disk or the context.
type xzReader struct {
	r   io.Reader
	end *xzEnd // nil: the library itself knows a whole file
}

// Close frees what the library holds.
func (x *xzReader) Close() error { return closed(x.r) }

// closed closes a reader that wants it.
func closed(r io.Reader) error {
	if c, ok := r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	if err == io.EOF && x.end != nil && !x.end.whole() {
		err = io.ErrUnexpectedEOF
	}
	return n, xzError(err)
}

// xzEnd passes a file on and keeps its last bytes. The library takes a file that ends inside the
// index, after the blocks, for a whole one.
type xzEnd struct {
	r    io.Reader
	last []byte // at most the footer's 12 bytes, without the zeros that may follow it
	zero int    // zeros that followed last
}

func (e *xzEnd) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	const footer = 12
	content := bytes.TrimRight(p[:n], "\x00")
	if len(content) > 0 {
		e.last = append(e.last, make([]byte, min(e.zero, footer))...)
		e.last = append(e.last, content[max(0, len(content)-footer):]...)
		e.last = e.last[max(0, len(e.last)-footer):]
		e.zero = 0
	}
	e.zero += n - len(content)
	return n, err
}

// whole reports whether the last bytes are a footer: the checksum of six bytes, these, "YZ".
func (e *xzEnd) whole() bool {
	f := e.last
	return len(f) == 12 && string(f[10:]) == "YZ" && crc32.ChecksumIEEE(f[4:10]) == binary.LittleEndian.Uint32(f)
}

func xzError(err error) error {
	var path *os.PathError
	if err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &path) {
		return err
	}
	switch {
	case errors.Is(err, lzma.ErrFilter):
		return errFilter
	case errors.Is(err, lzma.ErrDictionary):
		return errDictionary
	case errors.Is(err, lzma.ErrMemory):
		return ErrMemory
	}
	return fmt.Errorf("%w: %w", errDamaged, err)
}
