package table

import (
	"sort"
	"strconv"
	"sync"
)

// Parts are the files or sheets, one after the other, that the rows of one table are from. Rows are
// placed while others are read.
type Parts struct {
	Unit string // what a row of a part is called: "line" or "row"

	lock   sync.Mutex
	names  []string
	before []int // the lines of the parts before each
	last   int   // the line of the last row, counted over all parts
}

// Begin begins a part.
func (p *Parts) Begin(name string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.names, p.before = append(p.names, name), append(p.before, p.last)
}

// Row says at which line of its part, from 1, the last row is.
func (p *Parts) Row(line int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.last = p.before[len(p.before)-1] + line
}

// at is the line of the last row, counted over all parts; the header, before them, is line 1.
func (p *Parts) at() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return max(p.last, 1)
}

// place names a line that is counted over all parts.
func (p *Parts) place(line int) string {
	p.lock.Lock()
	defer p.lock.Unlock()
	i := sort.SearchInts(p.before, line) - 1
	if i < 0 {
		return p.Unit + " " + strconv.Itoa(line)
	}
	return p.Unit + " " + strconv.Itoa(line-p.before[i]) + " of " + p.names[i]
}
