package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// valueBytes is more than a value of a dictionary takes beside its bytes.
const valueBytes = 32

var (
	errDictionary = errors.New("the dictionary has fewer values than it says")
	errDelta      = errors.New("lengths in delta encoding are damaged")
	errLevels     = errors.New("the levels of a page are damaged")
	errFewer      = errors.New("a page has fewer values than rows")
)

// Values reads the values of a column in a group of rows, one after the other. Memory is a
// page, its dictionary, and what [Pages] takes.
type Values struct {
	Pages  *Pages
	Leaf   *Leaf
	Budget *input.Budget

	dictionary [][]byte
	left       int       // values of the page, nulls among them, whose levels are not read
	repeats    bitReader // levels of the page
	present    bitReader
	known      bool // repeat and level are those of the next value
	Repeat     int  // the level from which it repeats; 0: it begins a row
	level      int  // the level to which it is there
	// value is the next value that is there: its bytes, or its number in little-endian order,
	// until the next call.
	value func() ([]byte, error)
	last  []byte // the last value in the encoding deltaBytes
}

// Next reads the levels of the next value; false at the end of the column.
func (r *Values) Next() (bool, error) {
	if r.known {
		return true, nil
	}
	for r.left == 0 {
		h, content, err := r.Pages.next()
		if err != nil {
			if err == io.EOF {
				return false, nil
			}
			return false, err
		}
		if h.kind == dictionaryPage {
			err = r.readDictionary(content, int64(h.values))
		} else if err = r.readLevels(&h, &content); err == nil {
			r.left = int(h.values)
			err = r.readValues(encoding(h.encoding), content)
		}
		if err != nil {
			return false, err
		}
	}
	r.left--
	var err error
	if r.Repeat, err = r.repeats.level(r.Leaf.Most); err == nil {
		r.level, err = r.present.level(r.Leaf.full)
	}
	r.known = err == nil
	return r.known, err
}

// Read is the value whose levels [Values.Next] read, if it is there.
func (r *Values) Read() (value []byte, present bool, err error) {
	r.known = false
	if r.level < int(r.Leaf.full) {
		return nil, false, nil
	}
	value, err = r.value()
	return value, true, err
}

// readDictionary reads a page of a dictionary of n values.
func (r *Values) readDictionary(content []byte, n int64) error {
	least := r.Leaf.width
	if least == 0 {
		least = 4
	}
	if n > int64(len(content)/least) {
		return errDictionary
	}
	// The memory is given back at once: the values may lie in the page.
	if err := r.Budget.Take(n, valueBytes); err != nil {
		return err
	}
	r.Budget.Give(n, valueBytes)
	value := plainValues(r.Leaf, content)
	r.dictionary = make([][]byte, n)
	for k := range r.dictionary {
		var err error
		if r.dictionary[k], err = value(); err != nil {
			return errDictionary
		}
	}
	return nil
}

// readLevels takes the levels of a page of data from the head of its content.
func (r *Values) readLevels(h *pageHeader, content *[]byte) error {
	for k, l := range []struct {
		into *bitReader
		most int16
	}{{&r.repeats, r.Leaf.Most}, {&r.present, r.Leaf.full}} {
		length, width := uint32(0), levelWidth(l.most)
		switch {
		case h.kind == dataPage2: // the length of the levels of repetition is the second one
			length = uint32(h.levels[1-k])
		case l.most == 0:
			continue
		case encoding(h.levels[1-k]) == bitPacked:
			length = uint32((int64(h.values)*int64(width) + 7) / 8)
		case len(*content) < 4:
			return errLevels
		default:
			length = binary.LittleEndian.Uint32(*content)
			*content = (*content)[4:]
		}
		if uint64(length) > uint64(len(*content)) {
			return errLevels
		}
		*l.into = bitReader{data: (*content)[:length], width: width}
		if h.kind == dataPage && encoding(h.levels[1-k]) == bitPacked {
			l.into.packed, l.into.run = (*content)[:length], int(h.values)
			l.into.backwards = true
		}
		*content = (*content)[length:]
	}
	return nil
}

// encoding is how the values of a page are written, by its number in Parquet's definition.
type encoding int32

const (
	plainEncoding     encoding = 0
	plainDictionary   encoding = 2
	runLength         encoding = 3
	bitPacked         encoding = 4
	deltaNumbers      encoding = 5
	deltaLengths      encoding = 6
	deltaBytes        encoding = 7
	dictionaryIndices encoding = 8
	byteStreams       encoding = 9
)

// UnreadEncoding is the error of an encoding that is not read for a type.
type UnreadEncoding string

// Error says what it is.
func (e UnreadEncoding) Error() string { return string(e) }

// readValues makes r.value read the values of a page of data from its content behind the levels.
func (r *Values) readValues(e encoding, content []byte) (err error) {
	number := r.Leaf.Kind == Int32 || r.Leaf.Kind == Int64
	switch {
	case e == plainEncoding:
		r.value = plainValues(r.Leaf, content)
	case e == plainDictionary || e == dictionaryIndices:
		r.value, err = r.indexed(content)
	case e == runLength && r.Leaf.Kind == Bool:
		if len(content) < 4 || uint64(binary.LittleEndian.Uint32(content)) > uint64(len(content)-4) {
			return errFewer
		}
		b := &bitReader{data: content[4:][:binary.LittleEndian.Uint32(content)], width: 1}
		r.value = func() ([]byte, error) {
			v, err := b.read()
			return []byte{byte(v)}, err
		}
	case e == deltaNumbers && number:
		r.value, err = r.differences(content)
	case e == deltaLengths && r.Leaf.Kind == Bytes:
		r.value, err = r.lengths(content)
	case e == deltaBytes && (r.Leaf.Kind == Bytes || r.Leaf.Kind == Fixed):
		r.value, err = r.joined(content)
	case e == byteStreams && r.Leaf.width > 0:
		r.value = streamedBytes(content, r.Leaf.width)
	default:
		return UnreadEncoding(fmt.Sprintf("its values of type %s are written in the encoding of number %d, which is not read here; write the file without a choice of encodings", r.Leaf.Kind, e))
	}
	return err
}

// plainValues are values one after the other.
func plainValues(leaf *Leaf, data []byte) func() ([]byte, error) {
	if leaf.Kind == Bool {
		bits := &bitReader{width: 1, packed: data, run: 8 * len(data)}
		return func() ([]byte, error) {
			v, err := bits.read()
			return []byte{byte(v)}, err
		}
	}
	return func() ([]byte, error) {
		width := uint64(leaf.width)
		if width == 0 {
			if len(data) < 4 {
				return nil, errFewer
			}
			width = uint64(binary.LittleEndian.Uint32(data))
			data = data[4:]
		}
		if width > uint64(len(data)) {
			return nil, errFewer
		}
		v := data[:width:width]
		data = data[width:]
		return v, nil
	}
}

// indexed are values of the dictionary by their numbers.
func (r *Values) indexed(data []byte) (func() ([]byte, error), error) {
	if len(data) == 0 {
		return func() ([]byte, error) { return nil, errFewer }, nil
	}
	if data[0] > 32 {
		return nil, errDictionary
	}
	indices := &bitReader{data: data[1:], width: int(data[0])}
	return func() ([]byte, error) {
		k, err := indices.read()
		if err != nil {
			return nil, err
		}
		if k >= uint64(len(r.dictionary)) {
			return nil, errDictionary
		}
		return r.dictionary[k], nil
	}, nil
}

// streamedBytes are values whose first bytes come first, then their second ones, and so on.
func streamedBytes(data []byte, width int) func() ([]byte, error) {
	n, k := len(data)/width, -1
	value := make([]byte, width)
	return func() ([]byte, error) {
		if k++; k >= n {
			return nil, errFewer
		}
		for j := range value {
			value[j] = data[j*n+k]
		}
		return value, nil
	}
}

// differences are integers in delta encoding.
func (r *Values) differences(data []byte) (func() ([]byte, error), error) {
	numbers, _, err := newDeltaReader(data)
	value := make([]byte, 8)
	return func() ([]byte, error) {
		v, err := numbers.next()
		binary.LittleEndian.PutUint64(value, uint64(v))
		return value[:r.Leaf.width], err
	}, err
}

// lengths are bytes one after the other, behind their lengths in delta encoding.
func (r *Values) lengths(data []byte) (func() ([]byte, error), error) {
	lengths, data, err := newDeltaReader(data)
	return func() ([]byte, error) {
		n, err := lengths.next()
		if err != nil || n < 0 || n > int64(len(data)) {
			return nil, errDelta
		}
		v := data[:n:n]
		data = data[n:]
		return v, nil
	}, err
}

// joined are bytes of which each value has the beginning of the one before, in memory of the
// reader. Some writers begin a page with the beginning of the last value of the page before
// (PARQUET-246).
func (r *Values) joined(data []byte) (func() ([]byte, error), error) {
	// Each value adds bytes of the page to the one before.
	size := int64(len(data) + len(r.last))
	if err := r.Budget.Take(size, 1); err != nil {
		return nil, err
	}
	r.Budget.Give(size, 1)
	prefixes, data, err := newDeltaReader(data)
	if err != nil {
		return nil, err
	}
	rest, err := r.lengths(data)
	return func() ([]byte, error) {
		n, err := prefixes.next()
		if err != nil || n < 0 || n > int64(len(r.last)) {
			return nil, errDelta
		}
		more, err := rest()
		if err != nil {
			return nil, err
		}
		r.last = append(r.last[:n], more...)
		if width := r.Leaf.width; width > 0 && len(r.last) != width {
			return nil, errDelta
		}
		return r.last, nil
	}, err
}

// deltaEnd finds the number of values of a list in the encoding DELTA_BINARY_PACKED, and its end.
func deltaEnd(data []byte) (count int64, end int, ok bool) {
	t := thriftWalk{data}
	size, ok1 := t.varint()
	minis, ok2 := t.varint()
	total, ok3 := t.varint()
	_, ok4 := t.varint() // the first value
	if !ok1 || !ok2 || !ok3 || !ok4 || size == 0 || size > 1<<20 || minis == 0 || minis > size || total > 1<<31 || size/minis%8 != 0 {
		return 0, 0, false
	}
	each := int64(size / minis)
	for left := int64(total) - 1; left > 0; {
		_, fine := t.varint() // the least difference
		if !fine || uint64(len(t.data)) < minis {
			return 0, 0, false
		}
		widths := t.data[:minis]
		t.skip(minis)
		for _, width := range widths {
			if left <= 0 {
				break
			}
			if width > 64 || !t.skip(uint64(each)*uint64(width)/8) {
				return 0, 0, false
			}
			left -= each
		}
	}
	return int64(total), len(data) - len(t.data), true
}
