package hdf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// The numbers of filters.
const (
	filterDeflate  = 1
	filterShuffle  = 2
	filterFletcher = 3
	filterLZF      = 32000
	filterZstd     = 32015
)

// otherFilters are those that are not read, by their numbers.
var otherFilters = map[uint64]string{4: "szip", 5: "nbit", 6: "scale-offset", 305: "lzo", 307: "bzip2", 32001: "blosc", 32004: "lz4", 32008: "bitshuffle", 32013: "zfp", 32026: "blosc2"}

// filter is a step that packs chunks.
type filter struct {
	kind uint64
	name string
	size int // of an element, of shuffle
}

// filters reads the steps that pack the chunks of a set.
func (d *Data) filters() (list []filter, err error) {
	c, ok, err := d.o.find(msgFilters)
	if err != nil || !ok {
		return nil, err
	}
	version, n := c.uint(1), c.small(1, 32)
	if version == 1 {
		c.skip(6)
	}
	for range n {
		k := filter{kind: c.uint(2), size: 1}
		named := 0
		if version == 1 || k.kind >= 256 {
			named = int(c.uint(2))
		}
		c.skip(2)
		values := int(c.uint(2))
		name := c.bytes(named)
		if version == 1 {
			c.skip(-named & 7)
		}
		k.name = string(bytes.TrimRight(name, "\x00"))
		for v := range values {
			if value := c.uint(4); v == 0 && k.kind == filterShuffle {
				k.size = int(value)
			}
		}
		if version == 1 && values%2 == 1 {
			c.skip(4)
		}
		if c.err != nil {
			return nil, c.err
		}
		list = append(list, k)
	}
	return list, nil
}

// checkFilters refuses steps that are not read.
func (d *Data) checkFilters(list []filter) error {
	for _, k := range list {
		switch k.kind {
		case filterDeflate, filterShuffle, filterFletcher, filterLZF, filterZstd:
			continue
		}
		name, known := otherFilters[k.kind]
		if !known {
			name = fmt.Sprintf("filter %d %s", k.kind, k.name)
		}
		return d.o.f.in.Fail(d.Place(), "is packed by %s, which is not read; write it again with gzip (h5py: compression='gzip', PyTables: complib='zlib'), or unpacked with h5repack -f NONE", name)
	}
	return nil
}

// errChunk is damage inside a chunk; the caller adds the place.
type errChunk string

func (e errChunk) Error() string { return string(e) }

// unfilter unpacks a chunk, which has a number of bytes then. Bits of the mask say which steps were
// left out.
// It returns memory of the scratch, or b.
func unfilter(b []byte, list []filter, mask uint64, size int, s *scratch) (out []byte, err error) {
	for k := len(list) - 1; k >= 0; k-- {
		if k < 32 && mask>>k&1 != 0 {
			continue
		}
		const beside = 64 // bytes of checksums that steps before it have added
		switch list[k].kind {
		case filterDeflate:
			b, err = s.inflate(b, s.next(size+beside))
		case filterZstd:
			b, err = unzstd(b, s.next(size+beside))
		case filterLZF:
			b, err = unlzf(b, s.next(size+beside))
		case filterShuffle:
			b = unshuffle(b, list[k].size, s)
		case filterFletcher:
			b, err = unsum(b)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(b) != size {
		return nil, errChunk(fmt.Sprintf("a chunk of %d bytes where %d are meant", len(b), size))
	}
	return b, nil
}

// scratch is the memory in which one goroutine unpacks chunks, two pieces in turn.
type scratch struct {
	pieces [2][]byte
	turn   int
	zip    io.ReadCloser // of zlib
}

// next returns n bytes, which the call before did not return.
func (s *scratch) next(n int) []byte {
	s.turn = 1 - s.turn
	if cap(s.pieces[s.turn]) < n {
		s.pieces[s.turn] = make([]byte, n)
	}
	return s.pieces[s.turn][:n]
}

// inflate unpacks what deflate packed into out.
func (s *scratch) inflate(b, out []byte) (_ []byte, err error) {
	if s.zip == nil {
		s.zip, err = zlib.NewReader(bytes.NewReader(b))
	} else {
		err = s.zip.(zlib.Resetter).Reset(bytes.NewReader(b), nil)
	}
	if err != nil {
		s.zip = nil
		return nil, err
	}
	return atMost(s.zip, out)
}

// atMost reads all of r into out, and refuses more.
func atMost(r io.Reader, out []byte) ([]byte, error) {
	n, err := io.ReadFull(r, out)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return out[:n], nil
	}
	if err == nil {
		err = errChunk("a chunk unpacks to more than its size")
	}
	return nil, err
}

// unzstd unpacks what zstd packed.
func unzstd(b, out []byte) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(len(out))+1<<20))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return atMost(z, out)
}

// unlzf unpacks what LZF of Marc Lehmann packed: runs of bytes, and copies of earlier ones.
func unlzf(b, into []byte) ([]byte, error) {
	out, most := into[:0], len(into)
	for i := 0; i < len(b); {
		head := int(b[i])
		i++
		if head < 32 {
			n := head + 1
			if n > len(b)-i || n > most-len(out) {
				return nil, errChunk("a chunk of LZF is cut off")
			}
			out = append(out, b[i:i+n]...)
			i += n
			continue
		}
		n := head >> 5
		if n == 7 && i < len(b) {
			n += int(b[i])
			i++
		}
		if i >= len(b) {
			return nil, errChunk("a chunk of LZF is cut off")
		}
		from := len(out) - (head&31)<<8 - int(b[i]) - 1
		i++
		if n += 2; from < 0 || n > most-len(out) {
			return nil, errChunk("a chunk of LZF copies bytes that are not there")
		}
		for k := range n {
			out = append(out, out[from+k])
		}
	}
	return out, nil
}

// unshuffle puts the bytes of elements together; bytes behind the last whole element stay.
func unshuffle(b []byte, size int, s *scratch) []byte {
	if size < 2 || len(b) < 2*size {
		return b
	}
	n := len(b) / size
	out := s.next(len(b))
	copy(out[n*size:], b[n*size:])
	for j := range size {
		column := b[j*n : (j+1)*n]
		for i, v := range column {
			out[i*size+j] = v
		}
	}
	return out
}

// unsum checks the sum of Fletcher behind a chunk, in either order of its bytes, as older writers
// have left it.
func unsum(b []byte) ([]byte, error) {
	if len(b) < 4 {
		return nil, input.Early(io.EOF)
	}
	b, end := b[:len(b)-4], b[len(b)-4:]
	var low, high uint32
	for k := 0; k < len(b); {
		stop := min(len(b), k+2*360)
		for ; k+1 < stop; k += 2 {
			low += uint32(b[k])<<8 | uint32(b[k+1])
			high += low
		}
		if k+1 == stop {
			low += uint32(b[k]) << 8
			high += low
			k++
		}
		low, high = low&0xffff+low>>16, high&0xffff+high>>16
	}
	low, high = low&0xffff+low>>16, high&0xffff+high>>16
	sum, found := high<<16|low, binary.LittleEndian.Uint32(end)
	turned := sum&0x00ff00ff<<8 | sum&0xff00ff00>>8
	if sum != found && turned != found {
		return nil, errChunk("the checksum of a chunk is another")
	}
	return b, nil
}
