package matrix

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/klauspost/compress/flate"
)

// zlibContent is the content of a stream of zlib (RFC 1950) with the errors of compress/zlib. In
// place of that package's reader it can unpack on one goroutine and sum the content up on another:
// the checksum is a tenth of the time that unpacking takes, which nothing else can divide.
type zlibContent struct {
	packed  *bufio.Reader
	content io.Reader // unpacked; ends with io.EOF before the checksum
	sum     hash.Hash32
	err     error
}

// newZlib reads the header of a stream. A dictionary is refused.
func newZlib(packed *bufio.Reader) (*zlibContent, error) {
	var head [2]byte
	if err := input.ReadFull(packed, head[:]); err != nil {
		return nil, err
	}
	const deflate, mostWindow, dictionary = 8, 7, 0x20
	switch {
	case head[0]&0x0f != deflate || head[0]>>4 > mostWindow || binary.BigEndian.Uint16(head[:])%31 != 0:
		return nil, zlib.ErrHeader
	case head[1]&dictionary != 0:
		return nil, zlib.ErrDictionary
	}
	return &zlibContent{packed: packed, content: flate.NewReader(packed), sum: adler32.New()}, nil
}

// ahead unpacks on a goroutine of its own, which the caller ends by Close.
func (z *zlibContent) ahead() *input.Ahead {
	a := input.NewAhead(z.content)
	z.content = a
	return a
}

// Read implements io.Reader. At the end it compares the checksum.
func (z *zlibContent) Read(p []byte) (n int, err error) {
	if z.err != nil {
		return 0, z.err
	}
	n, z.err = z.content.Read(p)
	z.sum.Write(p[:n]) // never fails
	if z.err != io.EOF {
		return n, z.err
	}
	var tail [4]byte
	if err := input.ReadFull(z.packed, tail[:]); err != nil {
		z.err = err
	} else if binary.BigEndian.Uint32(tail[:]) != z.sum.Sum32() {
		z.err = zlib.ErrChecksum
	}
	return n, z.err
}
