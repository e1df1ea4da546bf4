package parquet

import "encoding/binary"

// bitReader reads numbers of a few bits: runs of one value, and numbers packed from the lowest bit
// on, in turn.
type bitReader struct {
	data      []byte
	width     int    // bits of a number, at most 32
	run       int    // numbers that are left of the run
	value     uint64 // of a run of one value
	packed    []byte // of a run of packed numbers; nil for one value
	at        int    // the bit of packed that is read next
	backwards bool   // from the highest bit of each byte on, as levels of old files are
}

// level reads a level of at most most.
func (b *bitReader) level(most int16) (int, error) {
	if most == 0 {
		return 0, nil
	}
	v, err := b.read()
	if err == nil && v > uint64(most) {
		err = errLevels
	}
	return int(v), err
}

// read reads a number.
func (b *bitReader) read() (uint64, error) {
	if b.width == 0 {
		return 0, nil
	}
	for b.run == 0 {
		if !b.begin() {
			return 0, errFewer
		}
	}
	b.run--
	if b.packed == nil {
		return b.value, nil
	}
	if b.at+b.width > 8*len(b.packed) {
		return 0, errFewer
	}
	at := b.at
	b.at += b.width
	if b.backwards {
		v := uint64(0)
		for ; at < b.at; at++ {
			v = v<<1 | uint64(b.packed[at/8]>>(7-at%8)&1)
		}
		return v, nil
	}
	return bitsAt(b.packed, at, b.width), nil
}

// begin reads the head of a run.
func (b *bitReader) begin() bool {
	head, n := binary.Uvarint(b.data)
	if n <= 0 {
		return false
	}
	b.data = b.data[n:]
	if head>>1 > 1<<31 {
		return false
	}
	b.run = int(head >> 1)
	if head&1 == 1 { // eights of packed numbers, of which the last may be cut off
		size := min(b.run*b.width, len(b.data))
		b.run, b.packed, b.at = 8*b.run, b.data[:size:size], 0
		b.data = b.data[size:]
		return true
	}
	size := (b.width + 7) / 8
	if size > len(b.data) {
		return false
	}
	b.packed, b.value = nil, bitsAt(b.data[:size], 0, 8*size)
	b.data = b.data[size:]
	return true
}

// bitsAt are width bits of data, at most 64, from the bit at on. They lie within data.
func bitsAt(data []byte, at, width int) uint64 {
	data, at = data[at/8:], at%8
	var v uint64
	if len(data) >= 8 {
		v = binary.LittleEndian.Uint64(data) >> at
	} else {
		for k, b := range data {
			v |= uint64(b) << (8 * k)
		}
		v >>= at
	}
	if at+width > 64 {
		v |= uint64(data[8]) << (64 - at)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v
}

// deltaReader reads integers in the encoding DELTA_BINARY_PACKED: differences in blocks, each with
// the least of them and what is above it in a few bits.
type deltaReader struct {
	t           thriftWalk
	each, minis int // numbers of a part of a block, and parts of a block
	left        int64
	begun       bool
	value       int64
	least       int64
	widths      []byte // of the parts of the block that are left
	part        []byte
	width, k    int // bits of a number of the part, and which comes next
}

// newDeltaReader reads the head of a list and returns what follows the list, whose structure is
// checked.
func newDeltaReader(data []byte) (d *deltaReader, rest []byte, err error) {
	_, end, ok := deltaEnd(data)
	if !ok {
		return &deltaReader{}, nil, errDelta
	}
	d = &deltaReader{t: thriftWalk{data[:end]}}
	size, _ := d.t.varint()
	minis, _ := d.t.varint()
	total, _ := d.t.varint()
	first, _ := d.t.varint()
	d.each, d.minis, d.left, d.value = int(size/minis), int(minis), int64(total), unzigzag(first)
	d.k = d.each
	return d, data[end:], nil
}

// next reads an integer. A sum may overflow, as it did in the program that wrote the file.
func (d *deltaReader) next() (int64, error) {
	if d.left == 0 {
		return 0, errFewer
	}
	d.left--
	if !d.begun {
		d.begun = true
		return d.value, nil
	}
	if d.k == d.each {
		if len(d.widths) == 0 {
			least, _ := d.t.varint()
			d.least, d.widths = unzigzag(least), d.t.data[:d.minis]
			d.t.skip(uint64(d.minis))
		}
		d.width, d.k = int(d.widths[0]), 0
		d.widths = d.widths[1:]
		size := d.each * d.width / 8
		d.part = d.t.data[:size]
		d.t.skip(uint64(size))
	}
	d.value += d.least + int64(bitsAt(d.part, d.k*d.width, d.width))
	d.k++
	return d.value, nil
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
