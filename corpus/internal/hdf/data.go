package hdf

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Data is a set of data, an attribute, or a field of either.
type Data struct {
	Path  string
	Dims  []int64 // nil: a single value
	Type  *Type
	Count int64 // the product of Dims; 0 if there is no value

	o      *Object
	inline []byte // the data of an attribute or of a compact set
	record *Type  // the records that Type is a field of, from the byte at on; nil: it is none
	at     int
	max    []int64 // the most that Dims may grow to; -1: no limit
}

// mostValues is the most entries of a set of data.
const mostValues = 1 << 48

// space reads the sizes of a set of data.
func (d *Data) space(c *cursor) {
	version := c.uint(1)
	rank := c.small(1, 32)
	flags := c.uint(1)
	d.Count = 1
	switch {
	case version == 1:
		c.skip(5)
	case version == 2:
		if kind := c.uint(1); kind == 2 {
			d.Count = 0
		}
	case c.err == nil:
		c.err = c.f.damaged(c.addr, "the sizes of data have version %d", version)
	}
	for range rank {
		n := c.count()
		if c.err == nil && (n > mostValues || n > 0 && d.Count > mostValues/int64(n)) {
			c.err = c.f.damaged(c.addr, "%d and more entries", n)
		}
		if c.err != nil {
			return
		}
		d.Dims = append(d.Dims, int64(n))
		d.Count *= int64(n)
	}
	for k := range rank {
		most := d.Dims[k]
		if flags&1 != 0 {
			if n := c.count(); n >= math.MaxInt64 || c.f.length < 8 && n == 1<<(8*c.f.length)-1 {
				most = -1
			} else {
				most = int64(n)
			}
		}
		d.max = append(d.max, most)
	}
}

// Data returns the set of data that an object is.
func (o *Object) Data() (*Data, error) {
	d := &Data{Path: o.Path, o: o}
	c, ok, err := o.find(msgType)
	if err == nil && ok {
		d.Type = o.f.readType(c, 0)
		err = c.err
	}
	if err != nil || !ok {
		return nil, o.wrap(err)
	}
	c, ok, err = o.find(msgSpace)
	if err == nil && ok {
		d.space(c)
		err = c.err
	}
	if err != nil || !ok {
		return nil, o.wrap(err)
	}
	return d, nil
}

// wrap is an error of an object; of nil that it lacks a part.
func (o *Object) wrap(err error) error {
	if err == nil {
		return o.f.damaged(o.addr, "%s has no type or no size", o.Place())
	}
	return o.f.in.Wrap(o.Place(), err)
}

// Attr returns an attribute; nil if the object has none of that name.
func (o *Object) Attr(name string) (found *Data, err error) {
	look := func(c *cursor) (err error) {
		if found != nil {
			return nil
		}
		found, err = o.attribute(c, name)
		return err
	}
	for _, m := range o.messages {
		switch {
		case m.kind == msgAttribute && !m.shared:
			err = look(m.open())
		case m.kind == msgAttrs:
			c := m.open()
			c.skip(1)
			if c.uint(1)&1 != 0 {
				c.skip(2)
			}
			heap, tree := c.address(), c.address()
			if err = c.err; err == nil && heap != undefined && tree != undefined {
				err = o.dense(heap, tree, look)
			}
		}
		if err != nil {
			return nil, o.f.in.Wrap(o.Place(), err)
		}
	}
	return found, nil
}

// attribute reads an attribute; nil if it has another name, whatever its type.
func (o *Object) attribute(c *cursor, want string) (*Data, error) {
	version, flags := c.uint(1), c.uint(1)
	nameSize, typeSize, spaceSize := int(c.uint(2)), int(c.uint(2)), int(c.uint(2))
	if version >= 3 {
		c.skip(1)
	}
	if c.err == nil && (version < 1 || version > 3) {
		return nil, o.f.damaged(c.addr, "an attribute has version %d", version)
	}
	padded := func(n int) *cursor {
		at := c.addr + uint64(c.pos)
		b := c.bytes(n)
		if version == 1 {
			c.skip(-n & 7)
		}
		return &cursor{f: o.f, b: b, addr: at, err: c.err}
	}
	name, _, _ := strings.Cut(string(padded(nameSize).b), "\x00")
	kind, space := padded(typeSize), padded(spaceSize)
	if c.err != nil || name != want {
		return nil, c.err
	}
	if version > 1 && flags&1 != 0 {
		var err error
		if kind, err = o.elsewhere(kind, msgType); err != nil {
			return nil, err
		}
	}
	d := &Data{Path: strings.TrimPrefix(o.Path+"@"+name, "/"), o: o}
	if d.Type = o.f.readType(kind, 0); kind.err != nil {
		return nil, kind.err
	}
	if version > 1 && flags&2 != 0 {
		return nil, o.refuse("has an attribute whose size is shared, which is not read")
	}
	if d.space(space); space.err != nil {
		return nil, space.err
	}
	if n := int64(c.left()); d.Count > n/int64(d.Type.Size) {
		return nil, o.f.damaged(c.addr, "an attribute of %d entries in %d bytes", d.Count, n)
	}
	d.inline = c.bytes(int(d.Count) * d.Type.Size)
	if d.inline == nil {
		d.inline = []byte{}
	}
	return d, c.err
}

// Field returns a field of records as data of their own. A field that is an array has its
// dimensions after the dimensions of the records.
func (d *Data) Field(k int) *Data {
	f := d.Type.Fields[k]
	out := *d
	out.Path += "." + f.Name
	out.record, out.at, out.Type = d.Type, f.At, f.Type
	for out.Type.Class == Array {
		out.Dims = append(out.Dims[:len(out.Dims):len(out.Dims)], out.Type.Dims...)
		for _, n := range out.Type.Dims {
			out.Count *= n
		}
		out.Type = out.Type.Base
	}
	return &out
}

// Place names the data for a message.
func (d *Data) Place() string { return message.Clip(d.Path, 80) }

// refuse is the error of data in a form that is sound and is not read.
func (d *Data) refuse(format string, args ...any) error {
	return d.o.f.in.Fail(d.Place(), "%s; %s", fmt.Sprintf(format, args...), d.o.f.Rewrite())
}

// Open returns a reader of the entries, the last dimension fastest, and how many bytes of them the
// file can hold at most. Its errors have their places.
func (d *Data) Open() (r io.Reader, backed int64, err error) {
	if d.inline != nil {
		return d.ofRecord(bytes.NewReader(d.inline)), int64(len(d.inline)), nil
	}
	whole := d
	if d.record != nil {
		copied := *d
		whole = &copied
		whole.Type, whole.Dims, whole.Count = d.record, d.Dims[:len(d.max)], 1
		for _, n := range whole.Dims {
			whole.Count *= n
		}
	}
	if r, backed, err = whole.layout(); err != nil {
		return nil, 0, d.o.f.in.Wrap(d.Place(), err)
	}
	return d.ofRecord(&placed{r, d}), backed, nil
}

// placed adds the place to errors of reading.
type placed struct {
	r io.Reader
	d *Data
}

func (p *placed) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err != nil && err != io.EOF {
		err = p.d.o.f.in.Wrap(p.d.Place(), err)
	}
	return n, err
}

// ofRecord takes the field out of records, if the data are one.
func (d *Data) ofRecord(r io.Reader) io.Reader {
	if d.record == nil {
		return r
	}
	n := d.Type.Size
	for _, k := range d.Dims[len(d.max):] {
		n *= int(k)
	}
	return &field{r: r, record: make([]byte, d.record.Size), at: d.at, size: n}
}

// field reads a part of every record.
type field struct {
	r        io.Reader
	record   []byte
	at, size int
	left     []byte
}

func (f *field) Read(p []byte) (int, error) {
	if len(f.left) == 0 {
		if _, err := io.ReadFull(f.r, f.record); err != nil {
			return 0, err
		}
		f.left = f.record[f.at : f.at+f.size]
	}
	n := copy(p, f.left)
	f.left = f.left[n:]
	return n, nil
}

// layout opens the data as they are laid out in the file.
func (d *Data) layout() (io.Reader, int64, error) {
	f := d.o.f
	total := d.Count * int64(d.Type.Size)
	if d.Count > mostValues/int64(d.Type.Size) {
		return nil, 0, d.refuse("claims %d entries", d.Count)
	}
	if d.o.has(msgExternal) {
		return nil, 0, d.o.f.in.Fail(d.Place(), "its numbers are in another file, which is not read; write both into one with h5repack")
	}
	c, ok, err := d.o.find(msgLayout)
	if err != nil || !ok {
		return nil, 0, d.o.wrap(err)
	}
	version := c.uint(1)
	if version < 3 {
		return d.oldLayout(c, total)
	}
	switch kind := c.uint(1); {
	case c.err != nil:
		return nil, 0, c.err
	case version > 5:
		return nil, 0, d.refuse("has a layout of version %d, where 1 to 5 are read", version)
	case kind == 0:
		return d.compact(c, int(c.uint(2)), total)
	case kind == 1:
		addr := c.address()
		if c.err != nil {
			return nil, 0, c.err
		}
		return d.contiguous(addr, total)
	case kind == 2 && version == 3:
		rank := c.small(1, 33)
		k := &chunks{d: d, index: indexTree1, addr: c.address()}
		return k.open(c, rank, 4)
	case kind == 2:
		return d.newChunks(c)
	case kind == 3:
		return nil, 0, f.in.Fail(d.Place(), "is a view of other sets or files (a virtual data set), which is not read; write the numbers themselves into one set")
	default:
		return nil, 0, f.damaged(c.addr, "a layout of the kind %d", kind)
	}
}

// oldLayout opens data of layouts 1 and 2.
func (d *Data) oldLayout(c *cursor, total int64) (io.Reader, int64, error) {
	rank, kind := c.small(1, 33), c.uint(1)
	c.skip(5)
	addr := uint64(undefined)
	if kind != 0 {
		addr = c.address()
	}
	switch {
	case c.err != nil:
		return nil, 0, c.err
	case kind == 0:
		c.skip(4 * rank)
		return d.compact(c, int(c.uint(4)), total)
	case kind == 1:
		return d.contiguous(addr, total)
	}
	k := &chunks{d: d, index: indexTree1, addr: addr}
	return k.open(c, rank, 4)
}

// compact opens data that are in the header.
func (d *Data) compact(c *cursor, n int, total int64) (io.Reader, int64, error) {
	b := c.bytes(n)
	if c.err == nil && int64(n) < total {
		c.err = d.o.f.damaged(c.addr, "%d bytes of data where %d are meant", n, total)
	}
	return bytes.NewReader(b[:min(int64(len(b)), total)]), total, c.err
}

// contiguous opens data in one piece.
func (d *Data) contiguous(addr uint64, total int64) (io.Reader, int64, error) {
	f := d.o.f
	if addr == undefined {
		return d.filled(total)
	}
	if addr > uint64(f.size) || total > f.size-f.base-int64(addr) {
		return nil, 0, f.in.Fail(d.Place(), "its %d bytes begin at byte %d of a file of %d, which was cut off; copy or download it again", total, f.base+int64(addr&math.MaxInt64)+1, f.size)
	}
	return io.NewSectionReader(f.at, f.base+int64(addr), total), total, nil
}

// mostFilled is the most bytes of data of which the file has none.
const mostFilled = 64 << 20

// filled opens data that were never written, all of which have the value that the file names.
func (d *Data) filled(total int64) (io.Reader, int64, error) {
	fill, err := d.fill()
	if err == nil && total > mostFilled {
		err = d.o.f.in.Fail(d.Place(), "has none of its %d bytes in the file; write its numbers into it", total)
	}
	return io.LimitReader(&repeated{b: fill}, total), 0, err
}

// repeated is a value without end.
type repeated struct {
	b  []byte
	at int
}

func (r *repeated) Read(p []byte) (int, error) {
	for k := range p {
		p[k] = r.b[r.at]
		if r.at++; r.at == len(r.b) {
			r.at = 0
		}
	}
	return len(p), nil
}

// fill is the value of entries that were never written.
func (d *Data) fill() ([]byte, error) {
	fill := make([]byte, d.Type.Size)
	c, ok, err := d.o.find(msgFill)
	if err != nil {
		return nil, err
	}
	if ok {
		version := c.uint(1)
		defined := false
		if version < 3 {
			c.skip(2)
			defined = c.uint(1) == 1 || version == 1
		} else {
			defined = c.uint(1)&0x20 != 0
		}
		if !defined {
			return fill, c.err
		}
	} else if c, ok, err = d.o.find(msgOldFill); err != nil || !ok {
		return fill, err
	}
	if n := int(c.uint(4)); n == d.Type.Size {
		copy(fill, c.bytes(n))
	}
	return fill, c.err
}

// Ints reads integers, at most so many.
func (d *Data) Ints(most int64) ([]int64, error) {
	number, _ := d.Type.Number()
	if number == nil || number.Class == Float || d.Count > most {
		return nil, d.refuse("is not a list of integers, up to %d of them", most)
	}
	var out []int64
	err := d.each(func(b []byte) error {
		out = append(out, number.Int(b))
		return d.o.f.in.Mem.Take(1, 16)
	})
	return out, err
}

// References reads the objects that references name; 0 is none.
func (d *Data) References() ([]uint64, error) {
	f := d.o.f
	if d.Type.Class != Reference || d.Type.Size < f.offset {
		return nil, d.refuse("is not a list of references")
	}
	var out []uint64
	err := d.each(func(b []byte) (err error) {
		c := &cursor{f: f, b: b[:f.offset]}
		out, err = input.Push(f.in.Mem, out, 8, c.address())
		return err
	})
	return out, err
}

// each calls f with the bytes of every entry.
func (d *Data) each(f func(b []byte) error) error {
	r, _, err := d.Open()
	if err != nil {
		return err
	}
	size := d.Type.Size
	buf := make([]byte, max(1, min(d.Count, int64(1<<16/size)))*int64(size))
	for left := d.Count; left > 0; {
		n := min(left, int64(len(buf)/size))
		if err := input.ReadFull(r, buf[:n*int64(size)]); err != nil {
			return d.o.f.in.Wrap(d.Place(), err)
		}
		for k := range n {
			if err := f(buf[k*int64(size) : (k+1)*int64(size)]); err != nil {
				return d.o.f.in.Wrap(d.Place(), err)
			}
		}
		left -= n
	}
	return nil
}

// Texts reads texts.
func (d *Data) Texts() ([]string, error) {
	if !d.Type.IsText() {
		return nil, d.refuse("is not a list of texts")
	}
	f := d.o.f
	var out []string
	err := d.each(func(b []byte) (err error) {
		var s string
		if d.Type.Class == Text {
			s = d.Type.text(b)
		} else if s, err = f.variable(b); err != nil {
			return err
		}
		if err = f.in.Mem.Take(int64(len(s)), 1); err == nil {
			out, err = input.Push(f.in.Mem, out, 16, s)
		}
		return err
	})
	if guess := charset.Settle(out); guess != "" {
		f.in.Notef("The texts of %s are not UTF-8 and are read as %s; write them as UTF-8 if they are in another encoding.", d.Place(), guess)
	}
	return out, err
}

// EnumNames reads the names of enumerated values; a value without a name is its number.
func (d *Data) EnumNames() ([]string, error) {
	names := make(map[int64]string, len(d.Type.Values))
	for k, v := range d.Type.Values {
		names[v] = d.Type.Names[k]
	}
	f := d.o.f
	var out []string
	err := d.each(func(b []byte) (err error) {
		v := d.Type.Base.Int(b)
		name, ok := names[v]
		if !ok {
			name = strconv.FormatInt(v, 10)
		}
		out, err = input.Push(f.in.Mem, out, 16, name)
		return err
	})
	return out, err
}

// Text is the single text that the data are; "" if they are something else.
func (d *Data) Text() string {
	if d == nil || d.Count != 1 || !d.Type.IsText() {
		return ""
	}
	list, err := d.Texts()
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0]
}

// mostHeld is about the most bytes of a heap that are kept.
const mostHeld = 16 << 20

// collection is a piece of the global heap: where its objects are.
type collection map[uint64][]byte

// variable reads a text of any length: its length and its place in the global heap.
func (f *File) variable(b []byte) (string, error) {
	c := &cursor{f: f, b: b}
	n, addr, index := c.uint(4), c.address(), c.uint(4)
	if n == 0 || addr == 0 || addr == undefined {
		return "", nil
	}
	objects, known := f.collections[addr]
	if !known {
		var err error
		if objects, err = f.collection(addr); err != nil {
			return "", err
		}
		if len(f.collections) >= 64 || f.held > mostHeld {
			clear(f.collections)
			f.held = 0
		}
		f.collections[addr] = objects
		for _, object := range objects {
			f.held += len(object)
		}
	}
	object, ok := objects[index]
	if !ok || n > uint64(len(object)) {
		return "", f.damaged(addr, "a text of %d bytes is not here as number %d", n, index)
	}
	return strings.TrimRight(string(object[:n]), "\x00"), nil
}

// collection reads a piece of the global heap.
func (f *File) collection(addr uint64) (collection, error) {
	c, err := f.read(addr, int64(8+f.length))
	if err != nil {
		return nil, err
	}
	c.mark("GCOL")
	c.skip(4)
	size := c.count()
	if c.err != nil {
		return nil, c.err
	}
	if c, err = f.read(addr, int64(min(size, 1<<40))); err != nil {
		return nil, err
	}
	c.skip(8 + f.length)
	objects := collection{}
	for c.left() >= 8+f.length {
		index := c.uint(2)
		c.skip(6)
		n := c.count()
		if index == 0 {
			break // what is free
		}
		if n > uint64(c.left()) {
			return nil, f.damaged(addr, "an object of %d bytes in a heap of %d", n, size)
		}
		objects[index] = c.bytes(int(n))
		c.skip(min(c.left(), int(-n&7)))
	}
	return objects, c.err
}
