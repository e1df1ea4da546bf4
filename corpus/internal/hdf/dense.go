package hdf

import "math/bits"

// tree2 is a B-tree of version 2.
type tree2 struct {
	f      *File
	node   int64 // bytes of a node
	record int   // bytes of a record
	// For each depth: the most records of a node, and of it with all below it.
	most, below []uint64
	count       int // bytes of a number of records of a node
}

// limitBytes is how many bytes numbers up to a limit take.
func limitBytes(limit uint64) int { return (bits.Len64(limit|1)-1)/8 + 1 }

// tree2 calls each for every record of a B-tree of version 2, in order.
func (f *File) tree2(root uint64, kinds []uint64, each func(c *cursor, kind uint64) error) error {
	c, err := f.read(root, int64(4+2+4+2+2+2+f.offset+2+f.length+4))
	if err != nil {
		return err
	}
	c.mark("BTHD")
	c.skip(1)
	kind := c.uint(1)
	t := &tree2{f: f, node: int64(c.uint(4)), record: int(c.uint(2))}
	depth := int(c.uint(2))
	c.skip(2)
	addr, n := c.address(), c.uint(2)
	c.skip(f.length)
	if c.sum(); c.err != nil {
		return c.err
	}
	known := false
	for _, k := range kinds {
		known = known || k == kind
	}
	if !known || t.record < 1 || t.node < int64(10+t.record) || depth > 16 {
		return f.damaged(root, "a tree of kind %d, depth %d, nodes of %d and records of %d bytes", kind, depth, t.node, t.record)
	}
	const frame = 10 // signature, version, kind, checksum
	t.most = []uint64{uint64(t.node-frame) / uint64(t.record)}
	t.below = []uint64{0}
	t.count = limitBytes(t.most[0])
	for d := 1; d <= depth; d++ {
		pointer := t.pointer(d)
		if t.node < int64(frame+pointer+t.record) {
			return f.damaged(root, "nodes of %d bytes", t.node)
		}
		m := uint64(t.node-frame-int64(pointer)) / uint64(t.record+pointer)
		t.most = append(t.most, m)
		sum := t.below[d-1]
		if d == 1 {
			sum = t.most[0]
		}
		if hi, lo := bits.Mul64(m+1, sum); hi == 0 && lo < 1<<62 {
			t.below = append(t.below, lo+m)
		} else {
			return f.damaged(root, "a tree of depth %d", depth)
		}
	}
	if addr == undefined || n == 0 {
		return nil
	}
	return t.walk(addr, n, depth, map[uint64]bool{}, func(c *cursor) error { return each(c, kind) })
}

// pointer is how many bytes a pointer to a child takes in nodes of a depth.
func (t *tree2) pointer(depth int) int {
	n := t.f.offset + t.count
	if depth > 1 {
		n += limitBytes(t.below[depth-1])
	}
	return n
}

func (t *tree2) walk(addr, n uint64, depth int, seen map[uint64]bool, each func(c *cursor) error) error {
	if seen[addr] || n > t.most[depth] {
		return t.f.damaged(addr, "a tree meets itself, or a node claims %d records", n)
	}
	seen[addr] = true
	size := 6 + int64(n)*int64(t.record) + 4
	mark := "BTLF"
	if depth > 0 {
		size, mark = size+int64(n+1)*int64(t.pointer(depth)), "BTIN"
	}
	c, err := t.f.read(addr, size)
	if err != nil {
		return err
	}
	c.mark(mark)
	c.pos = len(c.b) - 4
	if c.sum(); c.err != nil {
		return c.err
	}
	records := func(k uint64) *cursor {
		at := 6 + int(k)*t.record
		return &cursor{f: t.f, b: c.b[at : at+t.record], addr: addr + uint64(at)}
	}
	c.pos = 6 + int(n)*t.record
	for k := range n + 1 {
		if depth > 0 {
			child, count := c.address(), c.uint(t.count)
			if depth > 1 {
				c.skip(limitBytes(t.below[depth-1]))
			}
			if c.err != nil {
				return c.err
			}
			if err := t.walk(child, count, depth-1, seen, each); err != nil {
				return err
			}
		}
		if k < n {
			if err := each(records(k)); err != nil {
				return err
			}
		}
	}
	return t.f.in.Ctx.Err()
}

// fractal is a heap of links or of attributes.
type fractal struct {
	f            *File
	o            *Object
	id           int // bytes of an id
	offset, size int // bytes of an offset and of a length in an id
	width        uint64
	start, most  uint64 // bytes of the smallest and of the largest block
	root         uint64
	huge         uint64 // the tree of objects that are too large for blocks
	rows         int    // of the root; 0: it is a block of data
	blocks       map[uint64]*cursor
	held         int // bytes of the blocks
}

// heapOf reads the head of a fractal heap.
func (o *Object) heapOf(addr uint64) (*fractal, error) {
	f := o.f
	c, err := f.read(addr, int64(4+1+2+2+1+4+12*f.length+3*f.offset+2+2+2+2+4))
	if err != nil {
		return nil, err
	}
	c.mark("FRHP")
	c.skip(1)
	h := &fractal{f: f, o: o, id: int(c.uint(2)), blocks: map[uint64]*cursor{}}
	filters := c.uint(2)
	c.skip(1)
	largest := c.uint(4)
	c.skip(f.length)
	h.huge = c.address()
	c.skip(f.length + f.offset + 4*f.length + 4*f.length)
	h.width, h.start, h.most = c.uint(2), c.count(), c.count()
	heapBits := c.uint(2)
	c.skip(2)
	h.root = c.address()
	h.rows = int(c.uint(2))
	if c.err == nil && filters > 0 {
		return nil, o.refuse("has names or attributes that are packed, which are not read")
	}
	if c.sum(); c.err != nil {
		return nil, c.err
	}
	power := func(n uint64) bool { return n > 0 && n&(n-1) == 0 && n < 1<<40 }
	if !power(h.width) || !power(h.start) || !power(h.most) || h.most < h.start || heapBits > 64 || h.rows > 64 {
		return nil, f.damaged(addr, "a heap of %d blocks of %d to %d bytes a row", h.width, h.start, h.most)
	}
	h.offset = int(heapBits+7) / 8
	h.size = min(limitBytes(h.most), limitBytes(largest))
	return h, nil
}

// object returns what an id of the heap names.
func (h *fractal) object(id *cursor) (*cursor, error) {
	first := id.uint(1)
	switch kind := first >> 4 & 3; kind {
	case 0:
	case 2:
		b := id.bytes(int(first&15) + 1)
		return &cursor{f: h.f, b: b, addr: id.addr + 1}, id.err
	case 1:
		return h.large(id)
	default:
		return nil, h.f.damaged(id.addr, "an object of a heap is of the kind 3")
	}
	at, n := id.uint(h.offset), id.uint(h.size)
	if id.err != nil {
		return nil, id.err
	}
	block, from, err := h.block(h.root, 0, h.rows, at, 0)
	if err != nil {
		return nil, err
	}
	at -= from
	if at > uint64(len(block.b)) || n > uint64(len(block.b))-at {
		return nil, h.f.damaged(block.addr, "%d bytes at %d of a block of %d", n, at, len(block.b))
	}
	return &cursor{f: h.f, b: block.b[at : at+n], addr: block.addr + at}, nil
}

// large returns an object that is too large for blocks: its id has its place, or its number in a
// tree.
func (h *fractal) large(id *cursor) (found *cursor, err error) {
	f := h.f
	if h.id > f.offset+f.length {
		addr, n := id.address(), id.count()
		if id.err != nil {
			return nil, id.err
		}
		return f.read(addr, int64(min(n, 1<<40)))
	}
	want := id.uint(min(f.length, h.id-1))
	if id.err != nil {
		return nil, id.err
	}
	err = f.tree2(h.huge, []uint64{1}, func(c *cursor, _ uint64) error {
		addr, n, number := c.address(), c.count(), c.count()
		if c.err == nil && number == want {
			found, c.err = f.read(addr, int64(min(n, 1<<40)))
		}
		return c.err
	})
	if err == nil && found == nil {
		err = f.damaged(id.addr, "an object of a heap is not in its tree")
	}
	return found, err
}

// block returns the block of data that an offset in the heap lies in, and the offset of its start.
// addr is a block of data if rows is 0, else one of pointers that begins at from.
func (h *fractal) block(addr, from uint64, rows int, at uint64, depth int) (*cursor, uint64, error) {
	if rows == 0 {
		b, err := h.data(addr, h.start)
		return b, 0, err
	}
	f := h.f
	direct := bits.Len64(h.most/h.start) - 1 + 2 // rows of blocks of data
	c, err := f.read(addr, int64(5+f.offset+h.offset)+int64(rows)*int64(h.width)*int64(f.offset))
	if err != nil {
		return nil, 0, err
	}
	if c.mark("FHIB"); c.err != nil {
		return nil, 0, c.err
	}
	c.skip(1 + f.offset + h.offset)
	for r := range rows {
		size := h.start << max(0, r-1)
		if at-from >= size*h.width {
			from += size * h.width
			c.skip(int(h.width) * f.offset)
			continue
		}
		k := (at - from) / size
		c.skip(int(k) * f.offset)
		child := c.address()
		from += k * size
		switch {
		case c.err != nil:
			return nil, 0, c.err
		case child == undefined:
			return nil, 0, f.damaged(addr, "a heap has no block for an object")
		case r < direct:
			b, err := h.data(child, size)
			return b, from, err
		case depth > 16:
			return nil, 0, f.damaged(addr, "a heap is too deep")
		}
		return h.block(child, from, bits.Len64(size)-bits.Len64(h.start*h.width)+1, at, depth+1)
	}
	return nil, 0, f.damaged(addr, "a heap ends before an object")
}

// data reads a block of data of the heap.
func (h *fractal) data(addr, size uint64) (*cursor, error) {
	if b := h.blocks[addr]; b != nil {
		return b, nil
	}
	c, err := h.f.read(addr, int64(size))
	if err != nil {
		return nil, err
	}
	if c.mark("FHDB"); c.err != nil {
		return nil, c.err
	}
	if h.held += len(c.b); len(h.blocks) >= 64 || h.held > mostHeld {
		clear(h.blocks)
		h.held = len(c.b)
	}
	h.blocks[addr] = c
	return c, nil
}

// dense calls each with every link or attribute of a heap, by the tree of their names.
func (o *Object) dense(heap, tree uint64, each func(c *cursor) error) error {
	h, err := o.heapOf(heap)
	if err != nil {
		return err
	}
	const names, attributes = 5, 8
	return o.f.tree2(tree, []uint64{names, attributes}, func(c *cursor, kind uint64) error {
		if kind == names {
			c.skip(4) // the hash of the name
		}
		body, err := h.object(&cursor{f: o.f, b: c.bytes(h.id), addr: c.addr})
		if c.err != nil {
			return c.err
		}
		if err != nil {
			return err
		}
		return each(body)
	})
}
