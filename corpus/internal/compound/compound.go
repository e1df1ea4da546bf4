// Package compound reads compound files, in which programs of Windows keep their documents: folders
// of streams, in chains of sectors.
//
// Source: Microsoft, [MS-CFB] "Compound File Binary File Format".
package compound

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
)

// Magic begins a compound file.
const Magic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// ErrDamaged is the error of a file that contradicts itself or was cut off.
var ErrDamaged = errors.New("the compound file is damaged or was cut off")

// Sizes and marks of the format.
const (
	headerSize = 512
	inHeader   = 109 // sectors of the table that the header lists
	smallSize  = 64  // bytes of a small sector
	smallBelow = 4096
	entrySize  = 128
	chainEnd   = 0xfffffffe
	noEntry    = 0xffffffff
)

// The kinds of entries.
const (
	folderKind = 1
	streamKind = 2
	rootKind   = 5
)

var little = binary.LittleEndian

// file is an open compound file.
type file struct {
	at       io.ReaderAt
	size     int64
	sector   int64    // bytes of a sector
	next     []uint32 // the sector after each one
	miniNext []uint32 // the small sector after each one
	small    []uint32 // the sectors that hold the small ones
	left     int64    // bytes of streams that may still be read
}

// Folder is a folder of a compound file. Names are the same in capitals and small letters.
type Folder struct {
	// Names lists the streams and folders, in the order of the file. A name may begin with a control
	// character.
	Names   []string
	file    *file
	streams map[string]stream
	folders map[string]*Folder
}

// stream says where the bytes of a stream are.
type stream struct {
	start uint32
	size  int64
}

// Units are the units of UTF-16 in bytes, the low byte of each first. A last single byte is left
// out.
func Units(data []byte) []uint16 {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = little.Uint16(data[2*i:])
	}
	return units
}

// Is reports whether a file is a compound file by its first bytes.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(Magic)) }

// Open returns the root of a compound file of so many bytes. The error is [ErrDamaged], or what
// the reader of the bytes returned. It takes time and memory in proportion to the table of sectors
// and the directory.
func Open(at io.ReaderAt, size int64) (*Folder, error) {
	f := &file{at: at, size: size, left: size}
	head := make([]byte, headerSize)
	if err := f.read(head, 0); err != nil {
		return nil, err
	}
	shift := little.Uint16(head[30:])
	if !Is(head) || shift != 9 && shift != 12 {
		return nil, ErrDamaged
	}
	f.sector = 1 << shift
	if err := f.table(head); err != nil {
		return nil, err
	}
	directory, err := f.chain(f.next, little.Uint32(head[48:]))
	if err != nil {
		return nil, err
	}
	data, err := f.joined(directory)
	if err != nil || len(data) < entrySize {
		return nil, orDamaged(err)
	}
	root := &Folder{file: f}
	if err := root.fill(data); err != nil {
		return nil, err
	}
	if first := little.Uint32(head[60:]); first != chainEnd && little.Uint32(head[64:]) > 0 {
		minis, err := f.chain(f.next, first)
		if err != nil {
			return nil, err
		}
		if f.miniNext, err = f.numbers(minis); err != nil {
			return nil, err
		}
		if f.small, err = f.chain(f.next, little.Uint32(data[116:])); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// orDamaged is an error, [ErrDamaged] for none.
func orDamaged(err error) error {
	if err == nil {
		return ErrDamaged
	}
	return err
}

// read fills p with the bytes from an offset on.
func (f *file) read(p []byte, offset int64) error {
	if offset < 0 || offset+int64(len(p)) > f.size {
		return ErrDamaged
	}
	if n, err := f.at.ReadAt(p, offset); n < len(p) {
		if err == io.EOF {
			err = ErrDamaged
		}
		return err
	}
	return nil
}

// sectors is the most sectors that the file has.
func (f *file) sectors() int { return int(f.size / f.sector) }

// table reads the table of sectors, whose own sectors are listed in the header and in a chain.
func (f *file) table(head []byte) error {
	var list []uint32
	for i := range inHeader {
		list = append(list, little.Uint32(head[76+4*i:]))
	}
	per := int(f.sector / 4)
	at, more := little.Uint32(head[68:]), int(little.Uint32(head[72:]))
	if more > f.sectors() {
		return ErrDamaged
	}
	for range more {
		part, err := f.numbers([]uint32{at})
		if err != nil {
			return err
		}
		list, at = append(list, part[:per-1]...), part[per-1]
	}
	most := f.sectors()/per + 1
	n := min(int(little.Uint32(head[44:])), len(list))
	if n > most {
		return ErrDamaged
	}
	var err error
	f.next, err = f.numbers(list[:n])
	return err
}

// numbers are those in sectors.
func (f *file) numbers(sectors []uint32) ([]uint32, error) {
	data, err := f.joined(sectors)
	if err != nil {
		return nil, err
	}
	list := make([]uint32, len(data)/4)
	for i := range list {
		list[i] = little.Uint32(data[4*i:])
	}
	return list, nil
}

// joined is the content of sectors. The last sector of a file may be shorter.
func (f *file) joined(sectors []uint32) ([]byte, error) {
	data := make([]byte, int64(len(sectors))*f.sector)
	for i, s := range sectors {
		offset := (int64(s) + 1) * f.sector
		n := min(f.sector, f.size-offset)
		if n <= 0 {
			return nil, ErrDamaged
		}
		if err := f.read(data[int64(i)*f.sector:][:n], offset); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// chain is the list of sectors from one on.
func (f *file) chain(next []uint32, at uint32) (list []uint32, err error) {
	for at != chainEnd {
		if int64(at) >= int64(len(next)) || len(list) > f.sectors() {
			return nil, ErrDamaged
		}
		list, at = append(list, at), next[at]
	}
	return list, nil
}

// place is an entry of the directory that is to be put into a folder.
type place struct {
	entry uint32
	in    *Folder
}

// fill puts the entries of the directory into the root and the folders below it.
func (d *Folder) fill(data []byte) error {
	seen := make([]bool, len(data)/entrySize)
	todo := []place{{little.Uint32(data[76:]), d}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.entry == noEntry {
			continue
		}
		if int64(p.entry) >= int64(len(seen)) || seen[p.entry] {
			return ErrDamaged
		}
		seen[p.entry] = true
		raw := data[int(p.entry)*entrySize:][:entrySize]
		todo = append(todo, place{little.Uint32(raw[72:]), p.in})
		if inner := p.in.add(raw); inner != nil {
			todo = append(todo, place{little.Uint32(raw[76:]), inner})
		}
		todo = append(todo, place{little.Uint32(raw[68:]), p.in})
	}
	return nil
}

// add puts an entry into the folder, and returns it if it is a folder itself.
func (d *Folder) add(raw []byte) (inner *Folder) {
	units := Units(raw[:min(int(little.Uint16(raw[64:])), 64)])
	name := strings.TrimRight(string(utf16.Decode(units)), "\x00")
	switch key := strings.ToLower(name); raw[66] {
	case folderKind:
		inner = &Folder{file: d.file}
		if d.folders == nil {
			d.folders = make(map[string]*Folder)
		}
		d.folders[key] = inner
	case streamKind:
		size := int64(little.Uint64(raw[120:]))
		if d.file.sector == headerSize { // version 3 has 32 bits
			size &= 0xffffffff
		}
		if d.streams == nil {
			d.streams = make(map[string]stream)
		}
		d.streams[key] = stream{little.Uint32(raw[116:]), size}
	default:
		return nil
	}
	d.Names = append(d.Names, name)
	return inner
}

// Has reports whether the folder has a stream of this name.
func (d *Folder) Has(name string) bool {
	_, has := d.streams[strings.ToLower(name)]
	return has
}

// Folder returns the folder of this name; nil if there is none.
func (d *Folder) Folder(name string) *Folder { return d.folders[strings.ToLower(name)] }

// Size returns the bytes that a stream has by the directory; 0 if there is none.
func (d *Folder) Size(name string) int64 { return d.streams[strings.ToLower(name)].size }

// Read returns the content of a stream; nil if there is none. Streams do not share sectors, so all
// streams together are no larger than the file: if they would be, the error is [ErrDamaged].
func (d *Folder) Read(name string) ([]byte, error) {
	s, f := d.streams[strings.ToLower(name)], d.file
	if s.size < 0 || s.size > f.left {
		return nil, ErrDamaged
	}
	f.left -= s.size
	next, unit := f.next, f.sector
	if s.size < smallBelow {
		next, unit = f.miniNext, smallSize
	}
	data := make([]byte, s.size)
	at := s.start
	for done := int64(0); done < s.size; {
		if int64(at) >= int64(len(next)) {
			return nil, ErrDamaged
		}
		offset, err := f.offset(at, unit)
		if err != nil {
			return nil, err
		}
		n := min(unit, s.size-done)
		if err := f.read(data[done:done+n], offset); err != nil {
			return nil, err
		}
		done, at = done+n, next[at]
	}
	return data, nil
}

// offset is where a sector of so many bytes begins.
func (f *file) offset(at uint32, unit int64) (int64, error) {
	if unit == f.sector {
		return (int64(at) + 1) * f.sector, nil
	}
	per := f.sector / smallSize
	k := int64(at) / per
	if k >= int64(len(f.small)) {
		return 0, ErrDamaged
	}
	return (int64(f.small[k])+1)*f.sector + int64(at)%per*smallSize, nil
}
