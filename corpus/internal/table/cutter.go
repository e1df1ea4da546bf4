package table

import (
	"bytes"
	"math"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

var newline = []byte{'\n'}

// cutter cuts bytes that have no quotes into rows, as [Records] does.
type cutter struct {
	Numbers
	uses []Use
	sep  byte
	fast bool // numbers are written as programs write them

	numbers, words int // of a row
	least          int // bytes of a row, with its end
}

func newCutter(n Numbers, uses []Use, sep byte) cutter {
	c := cutter{Numbers: n, uses: uses, sep: sep, fast: n.asPrograms(), least: len(uses)}
	for _, u := range uses {
		switch u {
		case Number:
			c.numbers++
			c.least++ // a number has a byte unless it is missing, other fields may be empty
		case Word:
			c.words++
		}
	}
	return c
}

// most is the largest number of rows without missing numbers in so many bytes; the last row may
// lack its end.
func (c *cutter) most(bytes int) int { return bytes/c.least + 1 }

// count is the number of rows in bytes, and more if lines are empty.
func (c *cutter) count(data []byte) int {
	lines := bytes.Count(data, newline)
	if n := len(data); n > 0 && data[n-1] != '\n' {
		lines++
	}
	return min(lines, len(data)/len(c.uses)+1)
}

// memory is what a block of so many bytes and what is cut from it take, in bytes, at most, without
// missing numbers.
func (c *cutter) memory(bytes int) int64 { return int64(bytes) + c.ofRows(c.most(bytes)) }

// ofRows is the memory of what so many rows are cut into.
func (c *cutter) ofRows(rows int) int64 {
	return int64(rows) * int64(8*c.numbers+24*c.words+8) // the last 8: the line of a row
}

// rows cuts the rows of a block, up to the first one that needs a closer look.
func (c *cutter) rows(b *Block) {
	limit := c.quotes(b.data)
	if b.Val == nil {
		b.own = emptied(b.own, b.most*c.numbers)
		b.Val = b.own
	}
	b.Val = b.Val[: 0 : b.most*c.numbers]
	b.Words = make([][]byte, 0, b.most*c.words)
	b.Lines = emptied(b.Lines, b.most)
	b.NonZero, b.Missing, b.ends = 0, 0, 0
	for at := 0; ; {
		if b.stopped = at; at == limit {
			break
		}
		if next := c.empty(b.data[:limit], at); next > at {
			at = next
			b.ends++
			continue
		}
		val, wrd, missing := len(b.Val), len(b.Words), b.Missing
		next, ok := c.row(b, limit, at)
		if !ok {
			b.Val, b.Words, b.Missing = b.Val[:val], b.Words[:wrd], missing
			break
		}
		b.Lines = append(b.Lines, b.ends)
		b.ends++
		at = next
	}
	for _, v := range b.Val {
		if v != 0 {
			b.NonZero++
		}
	}
}

// emptied returns an empty slice with room for n elements: array itself if it is large enough.
func emptied[T any](array []T, n int) []T {
	if cap(array) < n {
		return make([]T, 0, n)
	}
	return array[:0]
}

// quotes returns where the line begins that has the first quote; len(data) if there is none.
func (c *cutter) quotes(data []byte) int {
	at := bytes.IndexByte(data, '"')
	if c.sep == Blank {
		if single := bytes.IndexByte(data, '\''); at < 0 || single >= 0 && single < at {
			at = single
		}
	}
	if at < 0 {
		return len(data)
	}
	return bytes.LastIndexByte(data[:at], '\n') + 1
}

// empty returns where the line at a place ends if it is empty, and else the place.
func (c *cutter) empty(data []byte, at int) int {
	end := at
	if c.sep == Blank {
		end = blanksEnd(data, at)
	}
	if next, ok := lineEnd(data, end); ok && next > end {
		return next
	}
	return at
}

// row cuts the row that begins at a place, and returns where the next one begins; false if it needs
// a closer look.
func (c *cutter) row(b *Block, limit, at int) (next int, ok bool) {
	data := b.data[:limit]
	last := len(c.uses) - 1
	for j, use := range c.uses {
		if c.sep == Blank {
			at = blanksEnd(data, at)
		} else {
			for at < limit && data[at] == ' ' {
				at++
			}
		}
		if use == Number && c.fast {
			if v, end, read := decimal(data, at); read {
				if j < last && end < limit && data[end] == c.sep {
					next, ok = end+1, true
				} else {
					next, ok = c.fieldEnd(data, end, j == last)
				}
				if ok {
					b.Val = append(b.Val, v+0) // no negative zero
					at = next
					continue
				}
			}
		}
		end := at
		for end < limit && data[end] != c.sep && data[end] != '\n' && (c.sep != Blank || data[end] != '\t') {
			end++
		}
		field := data[at:end]
		if next, ok = c.fieldEnd(data, end, j == last); !ok {
			return at, false
		}
		switch use {
		case Number:
			v, err := c.Value(string(field))
			switch {
			case err == nil && v-v == 0:
				v += 0
			case lexical.IsMissing(string(field)):
				v = math.NaN()
				if b.Missing++; b.Missing == 1 {
					b.Mark = string(field)
				}
			default:
				return at, false
			}
			b.Val = append(b.Val, v)
		case Word:
			b.Words = append(b.Words, field)
		}
		at = next
	}
	return at, true
}

// fieldEnd returns where the next field, or behind the last one the next row, begins if a field
// ends at a place.
func (c *cutter) fieldEnd(data []byte, at int, last bool) (next int, ok bool) {
	if !last {
		return at + 1, at < len(data) && (data[at] == c.sep || c.sep == Blank && data[at] == '\t')
	}
	if c.sep == Blank {
		at = blanksEnd(data, at)
	}
	return lineEnd(data, at)
}

// lineEnd returns where the next line begins if one ends at a place.
func lineEnd(data []byte, at int) (next int, ok bool) {
	if at < len(data) && data[at] == '\r' {
		at++
		if at == len(data) {
			return at, true
		}
	}
	if at == len(data) {
		return at, true
	}
	return at + 1, data[at] == '\n'
}

// blanksEnd returns where the blanks and tabs end that begin at a place.
func blanksEnd(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t') {
		at++
	}
	return at
}
