package graph

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// cellScratch is the memory of one worker for the search in a cell.
type cellScratch struct {
	count  []int32 // by term, zeros between cells
	seen   []int32 // terms of the cell
	screen sparseScreen
	list   shortlists
}

// within searches a cell of rows by the screen in float32 of [Nearest], whose shortlists begin with
// the floors: after the first cells of a row few candidates pass. 8 bytes per entry of the cell and
// 8 per place of its lists.
func (k *sparseKeys) within(ctx context.Context, rows []int32, floors []float32, near *nearLists, w *keyScratch) error {
	c := &w.cell
	k.load(c, rows)
	c.list.reset(len(rows), near.width)
	for r, i := range rows {
		c.list.floor[r].Store(math.Float32bits(floors[i]))
	}
	if err := c.screen.search(ctx, &c.list, parallel.Serial, newTicker(nil, len(rows))); err != nil {
		return err
	}
	for r, i := range rows {
		keys, index := c.list.row(r)
		for q, j := range index {
			near.offer(i, rows[j], keys[q])
		}
	}
	return nil
}

// load makes the screen of some rows.
func (k *sparseKeys) load(c *cellScratch, rows []int32) {
	c.seen = c.seen[:0]
	for _, i := range rows {
		for _, b := range k.blocks(i) {
			for l, t := range b.term {
				if b.val[l] != 0 {
					if c.count[t] == 0 {
						c.seen = append(c.seen, t)
					}
					c.count[t]++
				}
			}
		}
	}
	s := &c.screen
	n := len(rows)
	s.n = n
	for a := range s.class {
		s.class[a].terms = 0
		s.class[a].ptr = append(s.class[a].ptr[:0], 0)
		s.class[a].index, s.class[a].val = s.class[a].index[:0], s.class[a].val[:0]
	}
	// The number of a term in its class, times 4, plus the class; -1 for terms of a single row. If
	// there are too many frequent terms, those of the lowest numbers, which have the most rows of
	// all, are.
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
	for _, i := range rows {
		for _, b := range k.blocks(i) {
			for l, t := range b.term {
				if b.val[l] != 0 && c.count[t] >= 0 {
					a := &s.class[c.count[t]&3]
					a.index, a.val = append(a.index, c.count[t]>>2), append(a.val, b.val[l])
				}
			}
		}
		for a := range s.class {
			s.class[a].ptr = append(s.class[a].ptr, len(s.class[a].index))
		}
	}
	for _, t := range c.seen {
		c.count[t] = 0
	}
}

// reset makes n empty lists of size candidates in the memory of l. Their floors are not set.
func (l *shortlists) reset(n, size int) {
	l.size = size
	if len(l.count) < n || len(l.key) < n*size {
		l.key, l.index = make([]float32, n*size), make([]int32, n*size)
		l.count, l.mu, l.floor = make([]int32, n), make([]sync.Mutex, n), make([]atomic.Uint32, n)
	}
	clear(l.count)
}
