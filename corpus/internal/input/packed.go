package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// packedExtensions are the extensions of the compressions that are unpacked here.
var packedExtensions = []string{".gz", ".xz", ".bz2", ".zst"}

// IsHidden reports whether a name in a folder is passed over: it begins with a dot, or it is one
// that Windows, macOS or Microsoft Office adds, this beside a document that is open.
func IsHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || slices.Contains([]string{"thumbs.db", "ehthumbs.db", "desktop.ini", "__macosx"}, strings.ToLower(name))
}

// UnpackedName cuts the extension of a compression (.gz, .xz, .bz2, .zst) off a file's name.
func UnpackedName(path string) string {
	if slices.Contains(packedExtensions, strings.ToLower(filepath.Ext(path))) {
		return path[:len(path)-len(filepath.Ext(path))]
	}
	return path
}

// The first bytes of files that bzip2 and zstd pack. bzip2 has a digit, and then the first bytes of
// a block or of the end.
const (
	bzip2Magic = "BZh"
	zstdMagic  = "\x28\xb5\x2f\xfd"
)

// isBzip2 recognises a file of bzip2 by its first ten bytes.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && bytes.HasPrefix(head, []byte(bzip2Magic)) && head[3] >= '1' && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// unpackOther is Unpack of bzip2 and zstd; nil for another content.
func unpackOther(b *bufio.Reader) (io.Reader, error) {
	head, err := b.Peek(10)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case isBzip2(head):
		return &bzip2Reader{bzip2.NewReader(b)}, nil
	case bytes.HasPrefix(head, []byte(zstdMagic)):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxDictionary))
		if err != nil {
			return nil, zstdError(err)
		}
		return &zstdReader{z}, nil
	}
	return nil, nil
}

// bzip2Reader marks damaged data, as against errors of the disk or the context.
type bzip2Reader struct{ r io.Reader }

// Read unpacks. Streams may follow one another.
func (b *bzip2Reader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	var damage bzip2.StructuralError
	if errors.As(err, &damage) {
		err = errDamaged
	}
	return n, err
}

// zstdReader marks damaged data.
type zstdReader struct{ z *zstd.Decoder }

// Read unpacks. Frames may follow one another.
func (r *zstdReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	return n, zstdError(err)
}

// Close frees what the library holds.
func (r *zstdReader) Close() error {
	r.z.Close()
	return nil
}

// zstdError returns the kind of a decoder's error: damage, a window that is too large, an early
// end, or an error of the file below.
func zstdError(err error) error {
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return errWindow
	case errors.Is(err, zstd.ErrMagicMismatch):
		return errAfter
	}
	for _, damage := range []error{zstd.ErrReservedBlockType, zstd.ErrCompressedSizeTooBig, zstd.ErrBlockTooSmall, zstd.ErrUnexpectedBlockSize, zstd.ErrWindowSizeTooSmall,
		zstd.ErrFrameSizeExceeded, zstd.ErrFrameSizeMismatch, zstd.ErrCRCMismatch, zstd.ErrUnknownDictionary} {
		if errors.Is(err, damage) {
			return errDamaged
		}
	}
	return err
}
