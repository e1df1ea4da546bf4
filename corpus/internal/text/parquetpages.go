package text

import (
	"encoding/binary"
	"errors"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// valueBytes is more than the library takes for one value of a dictionary, or of a page in one of
// the delta encodings.
const valueBytes = 32

var (
	errDictionary = errors.New("the dictionary has fewer values than it says")
	errDelta      = errors.New("lengths in delta encoding are damaged")
)

// checkedPages looks at the numbers of values that pages claim, before the library allocates for
// them.
type checkedPages struct {
	file.PageReader
	optional bool  // the column may hold nulls
	least    int64 // bytes of a value in a dictionary, at least
	budget   *input.Budget
	joined   bool // the library makes each value of the page from the one before, in memory of its own
	err      error
}

func (p *checkedPages) Next() bool {
	if !p.PageReader.Next() {
		return false
	}
	p.err = p.check(p.PageReader.Page())
	return p.err == nil
}

func (p *checkedPages) Err() error {
	if p.err != nil {
		return p.err
	}
	return p.PageReader.Err()
}

func (p *checkedPages) GetDictionaryPage() (*file.DictionaryPage, error) {
	page, err := p.PageReader.GetDictionaryPage()
	if err == nil && page != nil {
		err = p.check(page)
	}
	return page, err
}

// room fails if memory for n values cannot be had.
func (p *checkedPages) room(n int64) error {
	if err := p.budget.Take(n, valueBytes); err != nil {
		return err
	}
	p.budget.Give(n, valueBytes)
	return nil
}

func (p *checkedPages) check(page file.Page) error {
	data, n := page.Data(), int64(page.NumValues())
	if _, dictionary := page.(*file.DictionaryPage); dictionary {
		if n < 0 || n > int64(len(data))/p.least && n > 0 {
			return errDictionary
		}
		return p.room(n)
	}
	p.joined = false
	packed := 0 // how many lists in delta encoding the values begin with
	switch page.Encoding().String() {
	case "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY":
		packed = 1
	case "DELTA_BYTE_ARRAY":
		packed, p.joined = 2, true
		// No value is longer than the page, since each adds bytes of it to the one before.
		if err := p.room(int64(len(data)) / valueBytes); err != nil {
			return err
		}
	default:
		return nil
	}
	levels := int64(0)
	switch d := page.(type) {
	case *file.DataPageV1:
		if p.optional && len(data) >= 4 {
			levels = 4 + int64(binary.LittleEndian.Uint32(data))
		}
	case *file.DataPageV2:
		levels = int64(d.RepetitionLevelByteLen()) + int64(d.DefinitionLevelByteLen())
	}
	if levels < 0 || levels > int64(len(data)) {
		return errDelta
	}
	data = data[levels:]
	for range packed {
		count, end, ok := deltaEnd(data)
		if !ok || count > n {
			return errDelta
		}
		if err := p.room(count); err != nil {
			return err
		}
		data = data[end:]
	}
	return nil
}

// deltaEnd finds the number of values of a list in the encoding DELTA_BINARY_PACKED, and its end.
func deltaEnd(data []byte) (count int64, end int, ok bool) {
	t := thriftWalk{data}
	size, ok1 := t.varint()
	minis, ok2 := t.varint()
	total, ok3 := t.varint()
	_, ok4 := t.varint() // the first value
	if !ok1 || !ok2 || !ok3 || !ok4 || size == 0 || size > 1<<20 || minis == 0 || minis > size || total > 1<<31 {
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
