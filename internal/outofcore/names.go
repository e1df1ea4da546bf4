package outofcore

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"io"
	"os"
	"slices"
)

// Names finds out whether two items of a stream have one name, without holding the names: it keeps
// hashes of 128 bits, divided among temporary files, and sorts these one by one.
//
// Memory: [NamesBytes], 3 MB, and when they are compared the largest file, about 24/64 bytes an
// item. Disk: 24 bytes an item, in the folder for temporary files, from about 130,000 items on. Two
// names are taken for one with a chance of n²/2¹²⁹ for n items.
type Names struct {
	seen  uint64
	parts [nameParts]namePart
}

// nameParts is the number of files, and nameHeld the records of each that wait in memory.
const (
	nameParts = 64
	nameHeld  = 2048
	nameBytes = 24
)

// NamesBytes is what [Names] holds in memory while names are added.
const NamesBytes = nameParts * nameHeld * nameBytes

// namePart are the records of names whose hashes begin alike: the hash and the item's number.
type namePart struct {
	held []byte
	file *os.File
}

// Add takes the name of the next item.
func (n *Names) Add(name string) error {
	h := fnv.New128a()
	_, _ = io.WriteString(h, name)
	var record [nameBytes]byte
	h.Sum(record[:0])
	binary.BigEndian.PutUint64(record[16:], n.seen)
	n.seen++
	// The first bits of this hash are no better than the others: any byte divides the names.
	p := &n.parts[(record[0]^record[7]^record[15])%nameParts]
	if p.held = append(p.held, record[:]...); len(p.held) < nameHeld*nameBytes {
		return nil
	}
	if p.file == nil {
		var err error
		if p.file, err = temporary("eigenmap-names-*"); err != nil {
			return err
		}
	}
	_, err := p.file.Write(p.held)
	p.held = p.held[:0]
	return noRoom(err)
}

// Twice returns how many items have the name of an earlier one, and the numbers of the first of
// them, second, and of the one just before it with that name, first, from 0.
func (n *Names) Twice() (first, second, count int, err error) {
	for i := range n.parts {
		records, err := n.parts[i].records()
		if err != nil {
			return 0, 0, 0, err
		}
		slices.SortFunc(records, func(a, b [nameBytes]byte) int { return bytes.Compare(a[:], b[:]) })
		for k := 1; k < len(records); k++ {
			if [16]byte(records[k][:16]) != [16]byte(records[k-1][:16]) {
				continue
			}
			a, b := int(binary.BigEndian.Uint64(records[k-1][16:])), int(binary.BigEndian.Uint64(records[k][16:]))
			if count++; count == 1 || b < second {
				first, second = a, b
			}
		}
	}
	return first, second, count, nil
}

// records are all records of a part.
func (p *namePart) records() (list [][nameBytes]byte, err error) {
	add := func(r io.Reader) error {
		for {
			var record [nameBytes]byte
			if _, err := io.ReadFull(r, record[:]); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			list = append(list, record)
		}
	}
	if p.file != nil {
		if _, err := p.file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if err := add(bufio.NewReader(p.file)); err != nil {
			return nil, err
		}
	}
	return list, add(bytes.NewReader(p.held))
}

// Close removes the temporary files.
func (n *Names) Close() {
	for i := range n.parts {
		if f := n.parts[i].file; f != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			n.parts[i].file = nil
		}
	}
}
