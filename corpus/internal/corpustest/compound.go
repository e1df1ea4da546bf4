package corpustest

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
)

// Sectors of a compound file, and what ends a chain of them.
const (
	compoundSector = 512
	compoundSmall  = 64
	compoundFirst  = 4096 // streams of fewer bytes lie in small sectors
	compoundEnd    = 0xfffffffe
	compoundFree   = 0xffffffff
)

// compoundEntry is a stream or a folder of a compound file.
type compoundEntry struct {
	name        string
	data        []byte
	kind        byte // 1 a folder, 2 a stream, 5 the root
	start       uint32
	size        int
	child, next uint32
}

// compoundFile is a compound file that is being written.
type compoundFile struct {
	entries []compoundEntry
	fat     []uint32
	sectors []byte
}

// Compound writes a compound file of streams, each a path with slashes and its content.
func Compound(streams ...string) []byte {
	f := &compoundFile{entries: []compoundEntry{{name: "Root Entry", kind: 5, start: compoundEnd, child: compoundFree, next: compoundFree}}}
	for i := 0; i < len(streams); i += 2 {
		at := 0
		steps := strings.Split(streams[i], "/")
		for k, step := range steps {
			at = f.entry(at, step, k == len(steps)-1, streams[i+1])
		}
	}
	var small []byte
	var mini []uint32
	for i := range f.entries {
		e := &f.entries[i]
		switch {
		case e.kind != 2:
		case len(e.data) == 0:
			e.start = compoundEnd
		case len(e.data) >= compoundFirst:
			e.start = f.add(e.data)
		default:
			e.start = uint32(len(small) / compoundSmall)
			small = append(small, padded(e.data, compoundSmall)...)
			mini = chained(mini, len(small)/compoundSmall)
		}
	}
	miniStart := uint32(compoundEnd)
	if small != nil {
		f.entries[0].start, f.entries[0].size = f.add(small), len(small)
		miniStart = f.add(words32(mini))
	}
	directory := f.add(f.directory())
	return f.whole(directory, miniStart, (len(mini)*4+compoundSector-1)/compoundSector)
}

// entry returns the number of what is called name in folder at, which it adds if it is not there.
func (f *compoundFile) entry(at int, name string, stream bool, data string) int {
	last := &f.entries[at].child
	for *last != compoundFree {
		if f.entries[*last].name == name {
			return int(*last)
		}
		last = &f.entries[*last].next
	}
	*last = uint32(len(f.entries))
	e := compoundEntry{name: name, kind: 1, child: compoundFree, next: compoundFree}
	if stream {
		e.kind, e.data, e.size = 2, []byte(data), len(data)
	}
	f.entries = append(f.entries, e)
	return len(f.entries) - 1
}

// add writes a stream of whole sectors and returns the first.
func (f *compoundFile) add(data []byte) uint32 {
	start := len(f.fat)
	f.sectors = append(f.sectors, padded(data, compoundSector)...)
	f.fat = chained(f.fat, len(f.sectors)/compoundSector)
	return uint32(start)
}

// chained adds the sectors up to n to a table, as one chain.
func chained(fat []uint32, n int) []uint32 {
	for len(fat) < n {
		fat = append(fat, uint32(len(fat)+1))
	}
	fat[n-1] = compoundEnd
	return fat
}

// padded fills the last sector with zeros.
func padded(data []byte, sector int) []byte {
	return append(slices.Clone(data), make([]byte, (sector-len(data)%sector)%sector)...)
}

func words32(list []uint32) (data []byte) {
	for _, n := range list {
		data = binary.LittleEndian.AppendUint32(data, n)
	}
	return data
}

// directory is the list of all entries.
func (f *compoundFile) directory() (data []byte) {
	little := binary.LittleEndian
	for _, e := range f.entries {
		raw := make([]byte, 128)
		units := utf16.Encode([]rune(e.name))
		for i, u := range units {
			little.PutUint16(raw[2*i:], u)
		}
		little.PutUint16(raw[64:], uint16(2*len(units)+2))
		raw[66], raw[67] = e.kind, 1
		for i, n := range []uint32{compoundFree, e.next, e.child} {
			little.PutUint32(raw[68+4*i:], n)
		}
		little.PutUint32(raw[116:], e.start)
		little.PutUint32(raw[120:], uint32(e.size))
		data = append(data, raw...)
	}
	return data
}

// whole puts the header and the table of sectors, up to 109 sectors long, around the sectors.
func (f *compoundFile) whole(directory, mini uint32, minis int) []byte {
	tables := 0
	for tables*(compoundSector/4) < len(f.fat)+tables {
		tables++
	}
	if tables > 109 {
		panic("the compound file is too large")
	}
	head := make([]byte, compoundSector)
	copy(head, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	little := binary.LittleEndian
	for at, n := range map[int]uint16{24: 0x3e, 26: 3, 28: 0xfffe, 30: 9, 32: 6} {
		little.PutUint16(head[at:], n)
	}
	for at, n := range map[int]uint32{44: uint32(tables), 48: directory, 56: compoundFirst, 60: mini, 64: uint32(minis), 68: compoundEnd} {
		little.PutUint32(head[at:], n)
	}
	for i := range 109 {
		n := uint32(compoundFree)
		if i < tables {
			n = uint32(len(f.fat))
			f.fat = append(f.fat, 0xfffffffd)
		}
		little.PutUint32(head[76+4*i:], n)
	}
	for len(f.fat)%(compoundSector/4) != 0 {
		f.fat = append(f.fat, compoundFree)
	}
	return slices.Concat(head, f.sectors, words32(f.fat))
}
