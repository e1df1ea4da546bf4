package hdf

import (
	"errors"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
)

// The ways in which a file lists the chunks of a set.
const (
	indexTree1 = iota
	indexSingle
	indexImplicit
	indexFixed
	indexExtensible
	indexTree2
)

// chunk is where a chunk is.
type chunk struct {
	addr uint64
	size uint64 // bytes in the file
	mask uint64 // filters that were left out
}

// chunks are the chunks of a set of data, which it reads by bands: all chunks with the same place
// along the first dimension.
type chunks struct {
	d       *Data
	index   int
	addr    uint64
	dims    []int64 // of a chunk
	grid    []int64 // chunks along each dimension
	bytes   int64   // of an unpacked chunk
	row     int64   // bytes of an entry of the first dimension
	filters []filter
	whole   bool // chunks at the edges are not packed
	list    map[int64]chunk
	fill    []byte

	band  int64 // the next one
	bands int64 // how many are read at once
	buf   []byte
	left  []byte
	raw   []byte    // packed chunks
	work  []scratch // of each goroutine
}

// newChunks opens chunks of layouts 4 and 5.
func (d *Data) newChunks(c *cursor) (io.Reader, int64, error) {
	flags := c.uint(1)
	k := &chunks{d: d, whole: flags&1 != 0}
	rank, width := c.small(1, 33), c.small(1, 8)
	sizes := *c
	c.skip(rank * width)
	k.index = c.small(1, indexTree2)
	var single chunk
	switch k.index {
	case indexSingle:
		if flags&2 != 0 {
			single = chunk{size: c.count(), mask: c.uint(4)}
		}
	case indexFixed:
		c.skip(1)
	case indexExtensible:
		c.skip(5)
	case indexTree2:
		c.skip(6)
	case indexTree1:
		return nil, 0, d.o.f.damaged(c.addr, "an index of chunks of the kind 0")
	}
	if k.addr = c.address(); c.err != nil {
		return nil, 0, c.err
	}
	if k.index == indexSingle && k.addr != undefined {
		single.addr = k.addr
		k.list = map[int64]chunk{0: single}
	}
	return k.open(&sizes, rank, width)
}

// open reads the size of a chunk in each dimension, then the size of an entry, and the list of
// chunks.
func (k *chunks) open(c *cursor, rank, width int) (io.Reader, int64, error) {
	d, f := k.d, k.d.o.f
	total := d.Count * int64(d.Type.Size)
	k.bytes, k.row = int64(d.Type.Size), int64(d.Type.Size)
	if rank != len(d.Dims)+1 || rank < 2 {
		return nil, 0, f.damaged(c.addr, "chunks of %d dimensions of data of %d", rank-1, len(d.Dims))
	}
	for j := range rank - 1 {
		n := int64(min(c.uint(width), math.MaxInt64))
		if c.err == nil && (n < 1 || n > math.MaxUint32/k.bytes) {
			c.err = f.damaged(c.addr, "a chunk of %d entries along dimension %d", n, j+1)
		}
		if c.err != nil {
			return nil, 0, c.err
		}
		k.dims, k.grid = append(k.dims, n), append(k.grid, (d.Dims[j]+n-1)/n)
		if k.bytes *= n; j > 0 {
			k.row *= d.Dims[j]
		}
	}
	var err error
	if k.filters, err = d.filters(); err == nil {
		err = d.checkFilters(k.filters)
	}
	if err == nil {
		k.fill, err = d.fill()
	}
	if err != nil || d.Count == 0 {
		return io.LimitReader(k, total), 0, err
	}
	known := k.list != nil // of a single chunk
	if !known {
		k.list = map[int64]chunk{}
	}
	if k.addr != undefined && !known {
		if err := k.find(); err != nil {
			return nil, 0, err
		}
	}
	stored := int64(0)
	for at, one := range k.list {
		if one.size == 0 || len(k.filters) == 0 {
			one.size = uint64(k.bytes)
			k.list[at] = one
		}
		stored += int64(min(one.size, uint64(f.size)))
	}
	backed := min(total, stored)
	if len(k.filters) > 0 {
		backed = min(total, stored*mostPacked)
	}
	if total-min(total, int64(len(k.list))*k.bytes) > mostFilled+8*f.size {
		return nil, 0, f.in.Fail(d.Place(), "has %d of its %d bytes in the file, and no numbers for the others; write its numbers into it", min(total, int64(len(k.list))*k.bytes), total)
	}
	return io.LimitReader(k, total), backed, k.allocate()
}

// mostPacked is the most bytes that deflate makes of one byte.
const mostPacked = 1032

// groupBytes is about how many bytes are unpacked at once.
const groupBytes = 16 << 20

// allocate takes the memory for the bands that are unpacked at once.
func (k *chunks) allocate() error {
	per, high := int64(1), min(k.dims[0], k.d.Dims[0])
	for _, n := range k.grid[1:] {
		per *= n
	}
	if high > math.MaxInt64/8/max(1, k.row) {
		return input.ErrMemory
	}
	one := high * k.row
	k.bands = max(1, min(k.grid[0], groupBytes/max(1, one), max(1, 4*int64(native.Threads())/per)))
	if err := k.d.o.f.in.Mem.Take(k.bands*one, 1); err != nil {
		return err
	}
	k.buf = make([]byte, k.bands*one)
	return nil
}

// Read implements io.Reader.
func (k *chunks) Read(p []byte) (int, error) {
	if len(k.left) == 0 {
		if k.band >= k.grid[0] {
			return 0, io.EOF
		}
		if err := k.next(); err != nil {
			return 0, err
		}
		if k.band >= k.grid[0] { // the rest of the last bands is all that is left
			defer k.d.o.f.in.Mem.Give(int64(len(k.buf)), 1)
		}
	}
	n := copy(p, k.left)
	k.left = k.left[n:]
	return n, nil
}

// job is a chunk that is to be unpacked.
type job struct {
	chunk
	at   []int64 // along each dimension
	data []byte
}

// next unpacks the next bands.
func (k *chunks) next() error {
	f := k.d.o.f
	last := min(k.grid[0], k.band+k.bands)
	first, end := k.band*k.dims[0], min(last*k.dims[0], k.d.Dims[0])
	k.left = k.buf[:(end-first)*k.row]
	per := int64(1)
	for _, n := range k.grid[1:] {
		per *= n
	}
	var work []job
	k.raw = k.raw[:0]
	taken := int64(0)
	defer func() { f.in.Mem.Give(taken, 1) }()
	for number := k.band * per; number < last*per; number++ {
		at := k.places(number)
		one, ok := k.list[number]
		if !ok || one.addr == undefined {
			k.place(at, first, nil)
			continue
		}
		packed := len(k.filters) > 0 && !(k.whole && k.partial(at))
		if packed && k.bytes > int64(one.size)*mostPacked+1<<16 && k.filters[len(k.filters)-1].kind != filterZstd {
			return f.damaged(one.addr, "%d bytes unpack to no %d", one.size, k.bytes)
		}
		if !packed {
			one.mask, one.size = math.MaxUint32, uint64(k.bytes)
		}
		need := int64(min(one.size, math.MaxInt32)) + 2*k.bytes
		if err := f.in.Mem.Take(need, 1); err != nil {
			return err
		}
		taken += need
		data, err := k.packed(one)
		if err != nil {
			return err
		}
		work = append(work, job{one, at, data})
	}
	k.band = last
	if k.work == nil {
		k.work = make([]scratch, native.Threads())
	}
	return parallel.For(f.in.Ctx, len(work), 1, func(worker, from, to int) error {
		for _, w := range work[from:to] {
			b, err := unfilter(w.data, k.filters, w.mask, int(k.bytes), &k.work[worker])
			if fault := errChunk(""); errors.As(err, &fault) {
				return f.damaged(w.addr, "%s", fault)
			} else if err != nil {
				return f.in.Wrap(f.place(w.addr), err)
			}
			k.place(w.at, first, b)
		}
		return nil
	})
}

// packed reads a chunk as it is in the file, behind those that were read before.
func (k *chunks) packed(one chunk) ([]byte, error) {
	f := k.d.o.f
	left := f.size - f.base - int64(min(one.addr, uint64(f.size)))
	if one.addr > uint64(f.size) || left < 0 || one.size > uint64(left) {
		return nil, f.damaged(one.addr, "a chunk of %d bytes is meant to be here, of %d in the file", one.size, f.size)
	}
	at := len(k.raw)
	k.raw = slices.Grow(k.raw, int(one.size))[:at+int(one.size)]
	data := k.raw[at:]
	if n, err := f.at.ReadAt(data, f.base+int64(one.addr)); n < len(data) {
		return nil, f.in.Wrap(f.place(one.addr), input.Early(err))
	}
	return data, nil
}

// places are the places of a chunk along each dimension.
func (k *chunks) places(number int64) []int64 {
	at := make([]int64, len(k.grid))
	for j := len(k.grid) - 1; j >= 0; j-- {
		at[j] = number % k.grid[j]
		number /= k.grid[j]
	}
	return at
}

// partial reports whether a chunk reaches over the edge of the data.
func (k *chunks) partial(at []int64) bool {
	for j, n := range k.dims {
		if (at[j]+1)*n > k.d.Dims[j] {
			return true
		}
	}
	return false
}

// place copies a chunk to its place in the bands, the first of whose rows has a number; nil: it is
// filled.
func (k *chunks) place(at []int64, first int64, data []byte) {
	size := int64(k.d.Type.Size)
	rank := len(k.dims)
	var walk func(j int, from, to int64)
	walk = func(j int, from, to int64) { // entries of the chunk and of the bands
		start := at[j] * k.dims[j]
		n := min(k.dims[j], k.d.Dims[j]-start)
		if j == 0 {
			start -= first
		}
		to = to*k.d.Dims[j] + start
		from *= k.dims[j]
		if j == rank-1 {
			out := k.left[to*size : (to+n)*size]
			if data != nil {
				copy(out, data[from*size:])
				return
			}
			for i := range out {
				out[i] = k.fill[i%len(k.fill)]
			}
			return
		}
		for i := range n {
			walk(j+1, from+i, to+i)
		}
	}
	walk(0, 0, 0)
}

// number is the number of a chunk by its places; ok is false outside of the data.
func (k *chunks) number(at []uint64) (number int64, ok bool) {
	for j, n := range k.grid {
		if at[j] >= uint64(n) {
			return 0, false
		}
		number = number*n + int64(at[j])
	}
	return number, true
}

// add keeps where a chunk is.
func (k *chunks) add(at []uint64, one chunk) error {
	const entry = 64
	number, ok := k.number(at)
	if !ok || one.addr == undefined {
		return nil
	}
	if _, twice := k.list[number]; twice {
		return k.d.o.f.damaged(one.addr, "two chunks at the same place")
	}
	k.list[number] = one
	return k.d.o.f.in.Mem.Take(entry, 1)
}

// log2 is the number of the highest bit.
func log2(n uint64) int { return bits.Len64(n) - 1 }
