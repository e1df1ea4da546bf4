package exact

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// TermBlock is eight entries of a row, one line of the cache. Missing ones have the value 0.
type TermBlock struct {
	Term [8]int32
	Val  [8]float32
}

// Cell is the memory of one worker for searches among the rows of a cell, which have length 1, by
// the screen in float32 of an exact search.
type Cell struct {
	count  []int32 // by term, zeros between cells
	seen   []int32 // terms of the cell
	screen sparseScreen
	list   shortlists
}

// NewCell makes the memory for rows whose terms are below a number.
func NewCell(terms int) Cell { return Cell{count: make([]int32, terms)} }

// Search finds among n rows the candidates of each with the highest keys, at most size of them and
// only those above its floor; for rows with floors that are near few pass. row returns the entries
// of a row, and found is called with each row, its candidate and the key. 8 bytes per entry of the
// cell and 8 per place of its lists.
func (c *Cell) Search(ctx context.Context, n, size int, row func(r int) []TermBlock, floor func(r int) float32, found func(r int, j int32, key float32)) error {
	c.load(n, row)
	c.list.reset(n, size)
	for r := range n {
		c.list.floor[r].Store(math.Float32bits(floor(r)))
	}
	if err := c.screen.search(ctx, &c.list, parallel.Serial, NewTicker(nil, n)); err != nil {
		return err
	}
	for r := range n {
		keys, index := c.list.row(r)
		for q, j := range index {
			found(r, j, keys[q])
		}
	}
	return nil
}

// load makes the screen of n rows.
func (c *Cell) load(n int, row func(r int) []TermBlock) {
	c.seen = c.seen[:0]
	for r := range n {
		for _, b := range row(r) {
			for l, t := range b.Term {
				if b.Val[l] != 0 {
					if c.count[t] == 0 {
						c.seen = append(c.seen, t)
					}
					c.count[t]++
				}
			}
		}
	}
	s := &c.screen
	s.n = n
	for a := range s.class {
		s.class[a].terms = 0
		s.class[a].Ptr = append(s.class[a].Ptr[:0], 0)
		s.class[a].Index, s.class[a].Val = s.class[a].Index[:0], s.class[a].Val[:0]
	}
	// The number of a term in its class, times 4, plus the class; -1 for terms of a single row. If
	// there are too many frequent terms, the ones with the lowest numbers are frequent: they have the
	// most rows of all.
	slices.Sort(c.seen)
	for _, t := range c.seen {
		share, class := float64(c.count[t])/float64(n), frequent
		switch {
		case c.count[t] < 2:
			c.count[t] = -1
			continue
		case share < rarestShare:
			class = rarest
		case share < frequentShare || s.class[frequent].terms == mostFrequent:
			class = rare
		}
		c.count[t] = int32(s.class[class].terms<<2 | class)
		s.class[class].terms++
	}
	for r := range n {
		for _, b := range row(r) {
			for l, t := range b.Term {
				if b.Val[l] != 0 && c.count[t] >= 0 {
					a := &s.class[c.count[t]&3]
					a.Index, a.Val = append(a.Index, c.count[t]>>2), append(a.Val, b.Val[l])
				}
			}
		}
		for a := range s.class {
			s.class[a].Ptr = append(s.class[a].Ptr, len(s.class[a].Index))
		}
	}
	for _, t := range c.seen {
		c.count[t] = 0
	}
}
