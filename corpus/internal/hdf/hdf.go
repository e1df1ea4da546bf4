// Package hdf reads files of HDF5: superblocks 0 to 3, groups of both kinds, attributes, and sets
// of data of numbers, texts, references and records, contiguous or in chunks that deflate, lzf or
// zstd packed. It follows the HDF5 File Format Specification, version 3.0.
//
// Nothing is taken from the file without a check, no number in it makes the program take more
// memory than the budget, and errors are input.FormatError with the byte or the path in the file.
package hdf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

const signature = "\x89HDF\r\n\x1a\n"

// undefined is the address of what is not there.
const undefined = math.MaxUint64

// File is an opened file of HDF5.
type File struct {
	Root *Object

	in     *input.File
	at     io.ReaderAt
	size   int64
	base   int64 // byte of the address 0
	offset int   // bytes of an address
	length int   // bytes of a length

	collections map[uint64]collection // of the global heap, the last ones that were read
	held        int                   // their bytes
}

// Is recognises HDF5, which begins at byte 0, 512, 1024, 2048 and so on.
func Is(head []byte) bool {
	for off := 0; off+len(signature) <= len(head); off = max(512, 2*off) {
		if bytes.HasPrefix(head[off:], []byte(signature)) {
			return true
		}
	}
	return false
}

// Open reads the superblock of a file and finds its root. A file that is compressed as a whole is
// unpacked into memory first.
func Open(in *input.File) (*File, error) {
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	f := &File{in: in, at: at, size: size, collections: map[uint64]collection{}}
	var mark [len(signature)]byte
	for {
		if n, err := at.ReadAt(mark[:], f.base); err != nil && err != io.EOF {
			return nil, in.Wrap("", err)
		} else if n < len(mark) {
			return nil, in.Fail("", "has no superblock of HDF5, it is another file or was cut off; copy or download it again")
		}
		if string(mark[:]) == signature {
			break
		}
		f.base = max(512, 2*f.base)
	}
	root, err := f.superblock()
	if err != nil {
		return nil, err
	}
	f.Root, err = f.object(root, "")
	return f, err
}

// superblock reads the superblock and returns the address of the root's header.
func (f *File) superblock() (root uint64, err error) {
	start := f.base
	c, err := f.most(0, 256)
	if err != nil {
		return 0, err
	}
	c.skip(len(signature))
	version := c.uint(1)
	switch {
	case version <= 1:
		c.skip(4)
		f.offset, f.length = int(c.uint(1)), int(c.uint(1))
		c.skip(1 + 4 + 4)
		if version == 1 {
			c.skip(4)
		}
	case version <= 3:
		f.offset, f.length = int(c.uint(1)), int(c.uint(1))
		c.skip(1)
	default:
		return 0, f.in.Fail(f.place(0), "has a superblock of version %d, where 0 to 3 are read; %s", version, f.Rewrite())
	}
	cut := func() error { // the superblock has at most 256 bytes
		if f.size < f.base+256 {
			return f.in.Wrap("", io.ErrUnexpectedEOF)
		}
		return c.err
	}
	if c.err != nil {
		return 0, cut()
	}
	if !isWidth(f.offset) || !isWidth(f.length) {
		return 0, f.damaged(0, "addresses of %d bytes and lengths of %d", f.offset, f.length)
	}
	c.skip(2 * f.offset) // base and free space, or extension
	end := c.address()
	if version <= 1 {
		c.skip(2 * f.offset) // driver, and the name of the root
	}
	root = c.address()
	if version >= 2 {
		c.sum()
	}
	if c.err != nil {
		return 0, cut()
	}
	if end != undefined && end > uint64(f.size) {
		return 0, f.in.Fail("byte "+words.Thousands(int(f.size)), "the file ends here, where its superblock at byte %d names %s bytes, it was cut off or its writer did not close it; copy or download it again", start+1, words.Thousands(int(min(end, math.MaxInt64))))
	}
	return root, nil
}

func isWidth(n int) bool { return n == 2 || n == 4 || n == 8 }

// Rewrite says how a file is written in the forms that are read here.
func (f *File) Rewrite() string {
	name := filepath.Base(f.in.Name)
	return "write it again with h5repack -f GZIP=1 " + message.Clip(name, 60) + " new.h5"
}

// place names the byte of an address.
func (f *File) place(addr uint64) string {
	return fmt.Sprintf("byte %d", f.base+int64(addr&math.MaxInt64)+1)
}

// damaged is the error of a file that contradicts itself at an address.
func (f *File) damaged(addr uint64, format string, args ...any) error {
	return f.in.Fail(f.place(addr), "the file is damaged here (%s); copy or download it again", fmt.Sprintf(format, args...))
}

// cursor reads numbers from a piece of the file. After an error all of them are 0.
type cursor struct {
	f    *File
	b    []byte
	addr uint64 // of b
	pos  int
	err  error
}

// read returns the n bytes at an address.
func (f *File) read(addr uint64, n int64) (*cursor, error) {
	if n < 0 || addr > uint64(f.size) || n > f.size-f.base-int64(addr) {
		return nil, f.damaged(addr, "%d bytes are meant to be here, of %d in the file", n, f.size)
	}
	if err := f.in.Mem.Take(n, 1); err != nil {
		return nil, f.in.Wrap(f.place(addr), err)
	}
	defer f.in.Mem.Give(n, 1)
	b := make([]byte, n)
	if got, err := f.at.ReadAt(b, f.base+int64(addr)); int64(got) < n {
		return nil, f.in.Wrap(f.place(addr), input.Early(err))
	}
	return &cursor{f: f, b: b, addr: addr}, nil
}

// most is read of n bytes, or of those up to the end of the file.
func (f *File) most(addr uint64, n int64) (*cursor, error) {
	if left := f.size - f.base - int64(min(addr, uint64(f.size))); addr < uint64(f.size) && left > 0 {
		n = min(n, left)
	}
	return f.read(addr, n)
}

// has reports whether n bytes more are there.
func (c *cursor) has(n int) bool {
	if c.err != nil {
		return false
	}
	if n < 0 || n > len(c.b)-c.pos {
		c.err = c.f.damaged(c.addr+uint64(c.pos), "%d bytes end after %d", len(c.b), c.pos)
		return false
	}
	return true
}

func (c *cursor) left() int { return len(c.b) - c.pos }

func (c *cursor) skip(n int) {
	if c.has(n) {
		c.pos += n
	}
}

// bytes returns the next n bytes of the file, not a copy; nil after an error.
func (c *cursor) bytes(n int) []byte {
	if !c.has(n) {
		return nil
	}
	c.pos += n
	return c.b[c.pos-n : c.pos]
}

// uint reads an integer of n bytes, at most 8.
func (c *cursor) uint(n int) (v uint64) {
	for k, b := range c.bytes(n) {
		v |= uint64(b) << (8 * k)
	}
	return v
}

// address reads an address, which may be undefined.
func (c *cursor) address() uint64 {
	v := c.uint(c.f.offset)
	if n := c.f.offset; n < 8 && v == 1<<(8*n)-1 {
		return undefined
	}
	return v
}

// count reads a length.
func (c *cursor) count() uint64 { return c.uint(c.f.length) }

// small reads an integer of n bytes that must be at most a bound.
func (c *cursor) small(n int, most uint64) int {
	v := c.uint(n)
	if v > most && c.err == nil {
		c.err = c.f.damaged(c.addr+uint64(c.pos-n), "%d where at most %d is possible", v, most)
	}
	if c.err != nil {
		return 0
	}
	return int(v)
}

// mark checks the four letters that a piece begins with.
func (c *cursor) mark(want string) {
	if got := c.bytes(len(want)); got != nil && string(got) != want {
		c.err = c.f.damaged(c.addr+uint64(c.pos-len(want)), "%q where %s begins", got, want)
	}
}

// name reads bytes up to a zero, and the zeros after it up to a multiple of pad bytes.
func (c *cursor) name(pad int) string {
	end := bytes.IndexByte(c.b[min(c.pos, len(c.b)):], 0)
	if end < 0 {
		c.has(len(c.b) + 1)
		return ""
	}
	name := string(c.bytes(end))
	c.skip((end/pad+1)*pad - end)
	return name
}

// sum checks the checksum of all bytes before it.
func (c *cursor) sum() {
	at := c.pos
	if want := uint32(c.uint(4)); c.err == nil && lookup3(c.b[:at]) != want {
		c.err = c.f.damaged(c.addr, "the checksum of %d bytes is another", at)
	}
}

// lookup3 is the hash of Bob Jenkins of that name, of the public domain, with a start of 0.
func lookup3(b []byte) uint32 {
	rot := func(x uint32, k int) uint32 { return x<<k | x>>(32-k) }
	x := 0xdeadbeef + uint32(len(b))
	y, z := x, x
	if len(b) == 0 {
		return z
	}
	for ; len(b) > 12; b = b[12:] {
		x += binary.LittleEndian.Uint32(b)
		y += binary.LittleEndian.Uint32(b[4:])
		z += binary.LittleEndian.Uint32(b[8:])
		x = (x - z) ^ rot(z, 4)
		z += y
		y = (y - x) ^ rot(x, 6)
		x += z
		z = (z - y) ^ rot(y, 8)
		y += x
		x = (x - z) ^ rot(z, 16)
		z += y
		y = (y - x) ^ rot(x, 19)
		x += z
		z = (z - y) ^ rot(y, 4)
		y += x
	}
	var last [12]byte
	copy(last[:], b)
	x += binary.LittleEndian.Uint32(last[:])
	y += binary.LittleEndian.Uint32(last[4:])
	z += binary.LittleEndian.Uint32(last[8:])
	z = (z ^ y) - rot(y, 14)
	x = (x ^ z) - rot(z, 11)
	y = (y ^ x) - rot(x, 25)
	z = (z ^ y) - rot(y, 16)
	x = (x ^ z) - rot(z, 4)
	y = (y ^ x) - rot(x, 14)
	return (z ^ y) - rot(y, 24)
}
