package hdf

import (
	"slices"
	"strings"
)

// link is a name in a group.
type link struct {
	name string
	addr uint64
	away string // what the name stands for, if it is not an object of this file
}

// mostLinks is the most objects of a file that are looked at.
const mostLinks = 1 << 20

// mostDepth is the most groups inside one another.
const mostDepth = 64

// Walk calls f for every object of the file but the root, each once, groups before what is in them,
// by names. It does not look into a group if f returns false. Links to names of the same file are
// passed over, as their objects have other names; away is what another link stands for, whose
// object is nil.
func (f *File) Walk(visit func(o *Object, path, away string) (bool, error)) error {
	seen := map[uint64]bool{f.Root.addr: true}
	var walk func(o *Object) error
	walk = func(o *Object) error {
		links, err := o.links()
		if err != nil {
			return err
		}
		for _, l := range links {
			path := strings.TrimPrefix(o.Path+"/"+l.name, "/")
			if l.away != "" {
				if _, err := visit(nil, path, l.away); err != nil {
					return err
				}
				continue
			}
			if l.addr == undefined || seen[l.addr] {
				continue
			}
			if seen[l.addr] = true; len(seen) > mostLinks {
				return f.in.Fail("", "holds more than %d objects; write the matrix and its labels alone", mostLinks)
			}
			child, err := f.object(l.addr, path)
			if err != nil {
				return err
			}
			into, err := visit(child, path, "")
			if err != nil {
				return err
			}
			if !into || !child.IsGroup() {
				continue
			}
			if strings.Count(path, "/") >= mostDepth {
				return f.in.Fail(child.Place(), "lies in more than %d groups; write the matrix and its labels alone", mostDepth)
			}
			if err := walk(child); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(f.Root)
}

// Child returns the object of a name in a group; nil if there is none in this file.
func (o *Object) Child(name string) (*Object, error) {
	links, err := o.links()
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if l.name == name && l.away == "" && l.addr != undefined {
			return o.f.object(l.addr, strings.TrimPrefix(o.Path+"/"+name, "/"))
		}
	}
	return nil, nil
}

// At returns the object that a reference names.
func (f *File) At(reference uint64, path string) (*Object, error) { return f.object(reference, path) }

// links returns the names in a group, sorted.
func (o *Object) links() (list []link, err error) {
	add := func(l link) error {
		if len(list) > mostLinks {
			return o.f.in.Fail(o.Place(), "holds more than %d names; write the matrix and its labels alone", mostLinks)
		}
		list = append(list, l)
		return o.f.in.Mem.Take(int64(len(l.name))+64, 1)
	}
	for _, m := range o.messages {
		switch m.kind {
		case msgTable:
			c := m.open()
			tree, heap := c.address(), c.address()
			if err = c.err; err == nil {
				err = o.symbols(tree, heap, add)
			}
		case msgLink:
			err = o.link(m.open(), add)
		case msgLinks:
			c := m.open()
			c.skip(1)
			if c.uint(1)&1 != 0 {
				c.skip(8)
			}
			heap, tree := c.address(), c.address()
			if err = c.err; err == nil && heap != undefined && tree != undefined {
				err = o.dense(heap, tree, func(c *cursor) error { return o.link(c, add) })
			}
		}
		if err != nil {
			return nil, o.f.in.Wrap(o.Place(), err)
		}
	}
	slices.SortStableFunc(list, func(a, b link) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// link reads a link message.
func (o *Object) link(c *cursor, add func(link) error) error {
	if version := c.uint(1); version != 1 && c.err == nil {
		return o.f.damaged(c.addr, "a link has version %d", version)
	}
	flags := c.uint(1)
	kind := uint64(0)
	if flags&8 != 0 {
		kind = c.uint(1)
	}
	if flags&4 != 0 {
		c.skip(8)
	}
	if flags&16 != 0 {
		c.skip(1)
	}
	l := link{name: string(c.bytes(c.small(1<<(flags&3), uint64(len(c.b)))))}
	switch kind {
	case 0:
		l.addr = c.address()
	case 1:
		return c.err // another name in this file
	case 64:
		l.away = "in another file"
	default:
		l.away = "a link of a kind that is not known"
	}
	if c.err != nil {
		return c.err
	}
	return add(l)
}

// symbols reads a group of the old kind: a tree of tables whose names are in a heap.
func (o *Object) symbols(tree, heap uint64, add func(link) error) error {
	f := o.f
	c, err := f.read(heap, int64(8+2*f.length+f.offset))
	if err != nil {
		return err
	}
	c.mark("HEAP")
	c.skip(4)
	size := c.count()
	c.skip(f.length)
	data := c.address()
	if c.err != nil {
		return c.err
	}
	names, err := f.read(data, int64(min(size, 1<<40)))
	if err != nil {
		return err
	}
	return f.tree(tree, 0, f.length, func(_ *cursor, addr uint64) error {
		entry := 2*f.offset + 24
		c, err := f.read(addr, 8)
		if err != nil {
			return err
		}
		c.mark("SNOD")
		c.skip(2)
		n := int(c.uint(2))
		if c.err != nil {
			return c.err
		}
		if c, err = f.read(addr+8, int64(n*entry)); err != nil {
			return err
		}
		for range n {
			at := c.uint(f.offset)
			l := link{addr: c.address()}
			kind := c.uint(4)
			c.skip(20)
			names.pos = int(min(at, uint64(len(names.b))))
			if l.name = names.name(1); names.err != nil {
				return names.err
			}
			if kind == 2 {
				continue // another name in this file
			}
			if err := add(l); err != nil {
				return err
			}
		}
		return c.err
	})
}

// tree calls leaf for every entry of a B-tree of version 1, in order: with a cursor at its key, and
// its address. Keys have a length of bytes.
func (f *File) tree(root uint64, kind uint64, key int, leaf func(key *cursor, addr uint64) error) error {
	seen := map[uint64]bool{}
	var walk func(addr uint64, level int) error
	walk = func(addr uint64, level int) error {
		if seen[addr] {
			return f.damaged(addr, "a tree meets itself")
		}
		seen[addr] = true
		head := 8 + 2*f.offset
		c, err := f.read(addr, int64(head))
		if err != nil {
			return err
		}
		c.mark("TREE")
		is, at, n := c.uint(1), int(c.uint(1)), int(c.uint(2))
		if c.err != nil {
			return c.err
		}
		if is != kind || level >= 0 && at != level {
			return f.damaged(addr, "a tree of another kind or level")
		}
		if c, err = f.read(addr+uint64(head), int64(n*(key+f.offset))); err != nil {
			return err
		}
		for range n {
			k := &cursor{f: f, b: c.bytes(key), addr: c.addr}
			child := c.address()
			if at > 0 {
				err = walk(child, at-1)
			} else {
				err = leaf(k, child)
			}
			if err != nil {
				return err
			}
		}
		return f.in.Ctx.Err()
	}
	return walk(root, -1)
}
