package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/ulikunitz/xz"
)

// maxDictionary is the largest dictionary of an .xz file that is read, in bytes. A reader takes
// that much memory; xz -9 writes 64 MiB.
const maxDictionary = 256 << 20

// Unpack returns the content of b and whether it is compressed. It unpacks gzip and xz and passes
// everything else on unchanged.
func Unpack(b *bufio.Reader) (r io.Reader, packed bool, err error) {
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(b)
		return z, true, err
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		if err := checkDictionary(b); err != nil {
			return nil, true, err
		}
		z, err := xz.NewReader(b)
		return &xzReader{z}, true, xzError(err)
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
	if at+2 >= len(block) || block[at] != 0x21 {
		return nil // the reader refuses other filters itself
	}
	bits := block[at+2]
	if size := uint64(2|bits&1) << (bits/2 + 11); bits > 40 || size > maxDictionary {
		return fmt.Errorf("%w: a dictionary of %s is asked for", errDamaged, message.Bytes(int64(min(size, 1<<32))))
	}
	return nil
}

// xzReader marks damaged data, as against errors of the disk or the context.
type xzReader struct{ r io.Reader }

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	return n, xzError(err)
}

func xzError(err error) error {
	var path *os.PathError
	if err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%w: %w", errDamaged, err)
}
