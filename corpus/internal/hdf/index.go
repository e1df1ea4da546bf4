package hdf

// find reads the list of chunks.
func (k *chunks) find() error {
	f := k.d.o.f
	rank := len(k.dims)
	at := make([]uint64, rank)
	switch k.index {
	case indexTree1:
		return f.tree(k.addr, 1, 8+8*(rank+1), func(c *cursor, addr uint64) error {
			one := chunk{addr: addr, size: c.uint(4), mask: c.uint(4)}
			for j := range rank {
				from := c.uint(8)
				if c.err == nil && from%uint64(k.dims[j]) != 0 {
					return f.damaged(c.addr, "a chunk begins at %d", from)
				}
				at[j] = from / uint64(k.dims[j])
			}
			if c.err != nil {
				return c.err
			}
			return k.add(at, one)
		})
	case indexTree2:
		return f.tree2(k.addr, []uint64{10, 11}, func(c *cursor, kind uint64) error {
			one := chunk{addr: c.address()}
			if kind == 11 {
				one.size = c.uint(min(8, max(0, len(c.b)-f.offset-4-8*rank)))
				one.mask = c.uint(4)
			}
			for j := range rank {
				at[j] = c.uint(8)
			}
			if c.err != nil {
				return c.err
			}
			return k.add(at, one)
		})
	case indexImplicit:
		return k.implicit()
	case indexFixed:
		return k.fixed()
	}
	return k.extensible()
}

// slots says where in an array of chunks each one stands. The array is for the largest size that
// the data may have. If it is turned, a dimension without limit comes first.
type slots struct {
	k     *chunks
	order []int // the dimensions, slowest first
	grid  []int64
}

func (k *chunks) slots(turned bool) (*slots, error) {
	s := &slots{k: k}
	for j, n := range k.dims {
		most := k.d.max[j]
		switch {
		case most < 0 && turned:
			s.order = append([]int{j}, s.order...)
		default:
			s.order = append(s.order, j)
		}
		if most < k.d.Dims[j] {
			most = k.d.Dims[j]
		}
		s.grid = append(s.grid, (most+n-1)/n)
	}
	total := int64(1)
	for _, j := range s.order[1:] {
		if s.grid[j] < 1 || total > mostValues/s.grid[j] {
			return nil, k.d.o.f.damaged(k.addr, "an array of chunks of enormous size")
		}
		total *= s.grid[j]
	}
	return s, nil
}

// at are the places of the chunk with a number in the array.
func (s *slots) at(number uint64) []uint64 {
	at := make([]uint64, len(s.order))
	for i := len(s.order) - 1; i > 0; i-- {
		n := uint64(s.grid[s.order[i]])
		at[s.order[i]] = number % n
		number /= n
	}
	at[s.order[0]] = number
	return at
}

// implicit lists chunks that follow one another, none of which is packed.
func (k *chunks) implicit() error {
	s, err := k.slots(false)
	if err != nil {
		return err
	}
	f := k.d.o.f
	for n := uint64(0); ; n++ {
		addr := k.addr + n*uint64(k.bytes)
		at := s.at(n)
		if at[s.order[0]] >= uint64(k.grid[s.order[0]]) {
			return nil
		}
		if addr > uint64(f.size) {
			return f.damaged(k.addr, "chunks beyond the end of the file")
		}
		if err := k.add(at, chunk{addr: addr}); err != nil {
			return err
		}
	}
}

// element reads the entry of a chunk in an array of them, of a size in bytes.
func (k *chunks) element(c *cursor, size int, filtered bool) chunk {
	one := chunk{addr: c.address()}
	if filtered {
		one.size = c.uint(min(8, max(0, size-k.d.o.f.offset-4)))
		one.mask = c.uint(4)
	}
	return one
}

// elements reads a run of entries from a number on; paged ones with a checksum behind them.
func (k *chunks) elements(s *slots, c *cursor, size int, filtered bool, from, n uint64) error {
	for j := range n {
		one := k.element(c, size, filtered)
		if c.err != nil {
			return c.err
		}
		if one.addr != undefined {
			if err := k.add(s.at(from+j), one); err != nil {
				return err
			}
		}
	}
	return nil
}

// fixed lists the chunks of an array of a fixed size.
func (k *chunks) fixed() error {
	f := k.d.o.f
	s, err := k.slots(false)
	if err != nil {
		return err
	}
	c, err := f.read(k.addr, int64(4+1+1+1+1+f.length+f.offset+4))
	if err != nil {
		return err
	}
	c.mark("FAHD")
	c.skip(1)
	filtered, size, pageBits := c.uint(1) == 1, int(c.uint(1)), c.small(1, 62)
	n, data := c.count(), c.address()
	if c.sum(); c.err != nil {
		return c.err
	}
	if size < f.offset || n > uint64(f.size)/uint64(size) {
		return f.damaged(k.addr, "an array of %d chunks of %d bytes each", n, size)
	}
	if data == undefined {
		return nil
	}
	page := uint64(1) << pageBits
	head := int64(6 + f.offset)
	if n <= page {
		if c, err = f.read(data, head+int64(n)*int64(size)+4); err != nil {
			return err
		}
		c.mark("FADB")
		c.pos = int(head)
		if err := k.elements(s, c, size, filtered, 0, n); err != nil {
			return err
		}
		c.sum()
		return c.err
	}
	pages := (n + page - 1) / page
	if c, err = f.read(data, head+int64(pages+7)/8+4); err != nil {
		return err
	}
	c.mark("FADB")
	c.pos = int(head)
	there := c.bytes(int(pages+7) / 8)
	if c.sum(); c.err != nil {
		return c.err
	}
	return k.pages(s, data+uint64(len(c.b)), there, size, filtered, 0, n, page)
}

// pages reads n entries in pages; a bit of there says of each whether it was written.
func (k *chunks) pages(s *slots, addr uint64, there []byte, size int, filtered bool, from, n, page uint64) error {
	for p := uint64(0); p*page < n; p++ {
		count := min(page, n-p*page)
		bytes := count*uint64(size) + 4
		if there[p/8]>>(7-p%8)&1 == 1 {
			c, err := k.d.o.f.read(addr, int64(bytes))
			if err != nil {
				return err
			}
			if err := k.elements(s, c, size, filtered, from+p*page, count); err != nil {
				return err
			}
			if c.sum(); c.err != nil {
				return c.err
			}
		}
		addr += bytes
	}
	return nil
}

// extending is an array of chunks that may grow: some entries in its index, then blocks of them,
// whose sizes double every other time.
type extending struct {
	k        *chunks
	s        *slots
	filtered bool
	size     int    // bytes of an entry
	bits     int    // of the number of an entry
	least    uint64 // entries of the first block
	page     uint64 // entries of a page
	next     uint64 // the number of the first entry of the next block
}

// extensible lists the chunks of an array that may grow.
func (k *chunks) extensible() error {
	f := k.d.o.f
	s, err := k.slots(true)
	if err != nil {
		return err
	}
	c, err := f.read(k.addr, int64(4+1+1+6+6*f.length+f.offset+4))
	if err != nil {
		return err
	}
	c.mark("EAHD")
	c.skip(1)
	e := &extending{k: k, s: s, filtered: c.uint(1) == 1, size: int(c.uint(1)), bits: c.small(1, 62)}
	inIndex := c.uint(1)
	e.least = c.uint(1)
	pointers := c.uint(1)
	pageBits := c.small(1, 62)
	c.skip(6 * f.length)
	index := c.address()
	if c.sum(); c.err != nil {
		return c.err
	}
	if e.size < f.offset || e.least < 1 || pointers < 2 || log2(e.least) > e.bits || e.least&(e.least-1) != 0 || pointers&(pointers-1) != 0 {
		return f.damaged(k.addr, "an array of chunks of %d bytes each in blocks of %d", e.size, e.least)
	}
	if index == undefined {
		return nil
	}
	e.page = uint64(1) << pageBits
	inner := 2 * log2(pointers) // groups of blocks that the index lists one by one
	blocks := 2 * (pointers - 1)
	groups := 1 + e.bits - log2(e.least)
	outer := max(0, groups-inner)
	head := 6 + f.offset
	if c, err = f.read(index, int64(head)+int64(inIndex)*int64(e.size)+int64(blocks)*int64(f.offset)+int64(outer*f.offset)+4); err != nil {
		return err
	}
	c.mark("EAIB")
	c.pos = len(c.b) - 4
	if c.sum(); c.err != nil {
		return c.err
	}
	c.pos = head
	if err := k.elements(s, c, e.size, e.filtered, 0, inIndex); err != nil {
		return err
	}
	e.next = inIndex
	for g := range groups {
		n, entries := uint64(1)<<(g/2), e.least<<((g+1)/2)
		if g >= inner {
			err = e.group(c.address(), n, entries)
		} else {
			for range n {
				if err = e.block(c.address(), entries, nil); err != nil {
					break
				}
			}
		}
		if err != nil {
			return err
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// group reads a group of n blocks of so many entries each.
func (e *extending) group(addr, n, entries uint64) error {
	f := e.k.d.o.f
	if addr == undefined {
		e.next += n * entries
		return nil
	}
	paged := uint64(0) // bytes that say which pages of a block were written
	if entries > e.page {
		paged = (entries/e.page + 7) / 8
	}
	if n > uint64(f.size) || paged > uint64(f.size) {
		return f.damaged(addr, "%d blocks of chunks", n)
	}
	c, err := f.read(addr, int64(6+f.offset+(e.bits+7)/8)+int64(n)*int64(paged)+int64(n)*int64(f.offset)+4)
	if err != nil {
		return err
	}
	c.mark("EASB")
	c.pos = len(c.b) - 4
	if c.sum(); c.err != nil {
		return c.err
	}
	c.pos = 6 + f.offset + (e.bits+7)/8
	there := c.bytes(int(n * paged))
	for b := range n {
		if err := e.block(c.address(), entries, there[b*paged:(b+1)*paged]); err != nil {
			return err
		}
	}
	return c.err
}

// block reads a block of entries.
func (e *extending) block(addr, entries uint64, there []byte) error {
	f := e.k.d.o.f
	from := e.next
	if e.next += entries; addr == undefined {
		return nil
	}
	if entries > uint64(f.size) {
		return f.damaged(addr, "a block of %d chunks", entries)
	}
	head := int64(6 + f.offset + (e.bits+7)/8)
	if len(there) > 0 {
		c, err := f.read(addr, head+4)
		if err != nil {
			return err
		}
		c.mark("EADB")
		c.pos = int(head)
		if c.sum(); c.err != nil {
			return c.err
		}
		return e.k.pages(e.s, addr+uint64(head)+4, there, e.size, e.filtered, from, entries, e.page)
	}
	c, err := f.read(addr, head+int64(entries)*int64(e.size)+4)
	if err != nil {
		return err
	}
	c.mark("EADB")
	c.pos = int(head)
	if err := e.k.elements(e.s, c, e.size, e.filtered, from, entries); err != nil {
		return err
	}
	c.sum()
	return c.err
}
