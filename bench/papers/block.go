package papers

import "github.com/eigenmap/eigenmap/internal/invalid"

// Block is a part of an experiment's units: number Number of Of, counted from 1. The zero value is
// all of them. The blocks of one experiment can be computed at the same time, on several machines
// that share the folder of the cells.
type Block struct{ Number, Of int }

// All says whether the block is the whole.
func (b Block) All() bool { return b == Block{} }

// Validate checks the numbers.
func (b Block) Validate() error {
	if !b.All() && (b.Of < 1 || b.Number < 1 || b.Number > b.Of) {
		return invalid.Errorf("block %d of %d: blocks are counted from 1 up to how many there are", b.Number, b.Of)
	}
	return nil
}

// has says whether the block has the unit of a test and of a row by its number. Each block has its
// share of the tests of every row, whose units take about the same time.
func (b Block) has(test, row int) bool { return b.All() || (test+row)%b.Of == b.Number-1 }
