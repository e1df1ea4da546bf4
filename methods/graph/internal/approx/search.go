package approx

import (
	"context"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// search is an approximate search by a team, each rank of which has its own rows. One process
// is a team of one. The lists do not depend on the number of ranks, bit for bit: the ranks draw the
// same rows, one rank searches a whole cell, keys of a pair do not depend on the rank, and lists do
// not depend on the order of candidates.
//
// Rows have numbers, by rank and then by row, and places in the order of the cells, so that rows
// that are compared lie near each other. A rank owns the rows of its numbers and the lists of its
// places, which are as many on every rank. What a rank compares at a time is a [batch]: in one
// process all rows, by place, without a copy; with ranks copies of some rows, which [rankRows]
// fetches:
//
//   - A partition sends the rows of each cell to one rank.
//   - A descent fetches the neighbours of some rows at a time.
//   - Distances of the neighbours found are measured with the rows in float64.
//
// What a rank receives for each own row of z entries, with w = 1.5·k places of a list: 12·z bytes
// once, 2·(8·z + 8·w) in each partition, 8·z + 6·w in a descent for each row fetched, of which
// there are 2·w at most, and 12·z for each of w rows at most at the end. docs/scale.md has figures.
type search struct {
	drawer // of the own rows
	// z are the own rows as they are compared: images of dense rows ([projection]), or x.
	z     mat.Matrix
	ids   []int32 // see Nearest
	rng   *rand.Rand
	k     int
	piece int // rows that a rank compares at a time, about
	obs   progress.Observer

	traits exact.Traits
	kind   rowKind
	makes  cellMaker
	cells  []rowSet // of the next partition; nil: none yet
	sample *recallSample
	drawn  []drawnRow

	places *ranks.Share // the places that each rank has
	place  []int32      // of each own row
	number []int32      // of the row in each own place
	// The lists of the own places, whose candidates are places of all ranks. They are longer than
	// k, since every neighbour leads to others.
	near *nearLists
	rows rowSource
}

// drawnRow is the own place of a row of the sample, and its number in the sample.
type drawnRow struct{ at, r int }

// divide makes the cells of the next partition.
func (s *search) divide(ctx context.Context) error {
	s.cells = nil
	return s.makes.divide(ctx, s.makes.all(), s.makes.copies, &s.cells)
}

// order gives each row its place: rows lie in the order of the first cell that each is in, and in a
// cell by number. Rows in no cell are last.
func (s *search) order() {
	own := s.share.Own()
	first := make([]int32, own) // the cell; place is the place among the own rows of it
	count := make([]int, len(s.cells)+1)
	s.place = make([]int32, own)
	for i := range first {
		first[i] = -1
	}
	put := func(cell int, i int32) {
		if first[i] < 0 {
			first[i], s.place[i] = int32(cell), int32(count[cell])
			count[cell]++
		}
	}
	for c, cell := range s.cells {
		for _, i := range cell.rows {
			put(c, i)
		}
	}
	for i := range first {
		put(len(s.cells), int32(i))
	}
	before, total := ranks.Before(s.share, count)
	start := 0
	for c := range total {
		before[c] += start
		start += total[c]
	}
	for i, c := range first {
		s.place[i] += int32(before[c])
	}
	s.places = ranks.Evenly(s.share, s.share.Total())
}

// findDrawn finds the own places of the rows of the sample.
func (s *search) findDrawn() {
	numbers := make([]int32, len(s.sample.rows))
	for r, i := range s.sample.rows {
		numbers[r] = int32(i)
	}
	for r, p := range s.share.Look(numbers, s.place) {
		if at := int(p) - s.places.First(); at >= 0 && at < s.places.Own() {
			s.drawn = append(s.drawn, drawnRow{at, r})
		}
	}
}

// id is the number of a row, given by its number among the rows of the search, among all documents.
func (s *search) id(own int32) int32 {
	if s.ids == nil {
		return own
	}
	return s.ids[own]
}

// more reports whether any rank has work left.
func (s *search) more(left int) bool { return ranks.Count(s.share, left) > 0 }
