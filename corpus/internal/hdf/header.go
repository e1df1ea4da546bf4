package hdf

import (
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Types of messages in the header of an object.
const (
	msgSpace     = 0x01
	msgLinks     = 0x02
	msgType      = 0x03
	msgOldFill   = 0x04
	msgFill      = 0x05
	msgLink      = 0x06
	msgExternal  = 0x07
	msgLayout    = 0x08
	msgFilters   = 0x0b
	msgAttribute = 0x0c
	msgContinued = 0x10
	msgTable     = 0x11
	msgAttrs     = 0x15
)

// mostMessages is the most messages and pieces of one header.
const mostMessages = 1 << 16

// Object is a group, a set of data, or a type that has a name.
type Object struct {
	Path string // without a slash before it; "" for the root

	f        *File
	addr     uint64
	messages []piece
}

// piece is a message of a header.
type piece struct {
	kind   int
	shared bool // what it holds is in another object
	c      cursor
}

// open returns a cursor at the start of a message.
func (p piece) open() *cursor {
	c := p.c
	return &c
}

// block is a part of a header.
type block struct {
	addr uint64
	size int64
}

// object reads the header of an object.
func (f *File) object(addr uint64, path string) (*Object, error) {
	o := &Object{Path: path, f: f, addr: addr}
	c, err := f.most(addr, 16)
	if err != nil {
		return nil, err
	}
	if string(c.b[:min(4, len(c.b))]) == "OHDR" {
		return o, o.newHeader()
	}
	if version := c.uint(1); version != 1 {
		return nil, f.damaged(addr, "the header of an object has version %d", version)
	}
	c.skip(1 + 2 + 4)
	size := c.uint(4)
	c.skip(4)
	if c.err != nil {
		return nil, c.err
	}
	return o, o.pieces([]block{{addr + 16, int64(size)}}, func(c *cursor) (kind, size, flags int) {
		kind, size, flags = int(c.uint(2)), int(c.uint(2)), int(c.uint(1))
		c.skip(3)
		return kind, size, flags
	}, false)
}

// newHeader reads a header of version 2.
func (o *Object) newHeader() error {
	c, err := o.f.most(o.addr, 4+1+1+16+4+8)
	if err != nil {
		return err
	}
	c.mark("OHDR")
	version, flags := c.uint(1), c.uint(1)
	if version != 2 {
		return o.f.damaged(o.addr, "the header of an object has version %d", version)
	}
	if flags&0x20 != 0 {
		c.skip(16)
	}
	if flags&0x10 != 0 {
		c.skip(4)
	}
	size := c.uint(1 << (flags & 3))
	if c.err != nil {
		return c.err
	}
	whole, err := o.f.read(o.addr, int64(min(size, 1<<40))+int64(c.pos)+4)
	if err != nil {
		return err
	}
	whole.pos = len(whole.b) - 4
	if whole.sum(); whole.err != nil {
		return whole.err
	}
	return o.pieces([]block{{o.addr + uint64(c.pos), int64(size)}}, func(c *cursor) (kind, size, f int) {
		kind, size, f = int(c.uint(1)), int(c.uint(2)), int(c.uint(1))
		if flags&4 != 0 {
			c.skip(2)
		}
		return kind, size, f
	}, true)
}

// pieces reads the messages of the parts of a header; head reads what is before each of them.
func (o *Object) pieces(parts []block, head func(c *cursor) (kind, size, flags int), marked bool) error {
	total := int64(0) // parts do not overlap
	for k := 0; k < len(parts); k++ {
		total += parts[k].size
		if k > mostMessages || len(o.messages) > mostMessages || total > o.f.size {
			return o.f.damaged(o.addr, "the header of an object has no end")
		}
		c, err := o.f.read(parts[k].addr, parts[k].size)
		if err != nil {
			return err
		}
		if marked && k > 0 {
			c.mark("OCHK")
			c.pos = max(0, len(c.b)-4)
			c.sum()
			c.pos, c.b = 4, c.b[:max(4, len(c.b)-4)]
			if c.err != nil {
				return c.err
			}
		}
		least := 8
		if marked {
			least = 4
		}
		for c.left() >= least {
			kind, size, flags := head(c)
			at := c.addr + uint64(c.pos)
			body := c.bytes(size)
			if c.err != nil {
				return c.err
			}
			m := piece{kind, flags&2 != 0, cursor{f: o.f, b: body, addr: at}}
			if kind != msgContinued {
				o.messages = append(o.messages, m)
				continue
			}
			next := m.open()
			addr, size64 := next.address(), next.count()
			if next.err != nil {
				return next.err
			}
			parts = append(parts, block{addr, int64(min(size64, 1<<40))})
		}
	}
	return nil
}

// find returns the first message of a kind; ok is false if there is none. One that is kept in
// another object is taken from there.
func (o *Object) find(kind int) (c *cursor, ok bool, err error) {
	for _, m := range o.messages {
		if m.kind != kind {
			continue
		}
		if c = m.open(); m.shared {
			c, err = o.elsewhere(c, kind)
		}
		return c, err == nil, err
	}
	return nil, false, nil
}

// elsewhere follows the reference to a message in another object.
func (o *Object) elsewhere(c *cursor, kind int) (*cursor, error) {
	version, where := c.uint(1), c.uint(1)
	switch {
	case version == 1:
		c.skip(6)
	case version == 3 && where == 1:
		return nil, o.refuse("shares a message in a heap, which is not read")
	}
	addr := c.address()
	if c.err != nil {
		return nil, c.err
	}
	other, err := o.f.object(addr, o.Path)
	if err != nil {
		return nil, err
	}
	for _, m := range other.messages {
		if m.kind == kind && !m.shared {
			return m.open(), nil
		}
	}
	return nil, o.f.damaged(addr, "a shared message is not here")
}

// refuse is the error of an object in a form that is sound and is not read.
func (o *Object) refuse(why string) error {
	return o.f.in.Fail(o.Place(), "%s; %s", why, o.f.Rewrite())
}

// Place names the object for a message.
func (o *Object) Place() string {
	if o.Path == "" {
		return "the root group"
	}
	return message.Clip(o.Path, 80)
}

// has reports whether the header has a message of a kind.
func (o *Object) has(kind int) bool {
	for _, m := range o.messages {
		if m.kind == kind {
			return true
		}
	}
	return false
}

// IsGroup reports whether the object is a group.
func (o *Object) IsGroup() bool { return o.has(msgTable) || o.has(msgLinks) || o.has(msgLink) }

// IsData reports whether the object is a set of data.
func (o *Object) IsData() bool { return o.has(msgLayout) && o.has(msgSpace) && o.has(msgType) }

// Name is the last part of the path.
func (o *Object) Name() string { return o.Path[strings.LastIndexByte(o.Path, '/')+1:] }
