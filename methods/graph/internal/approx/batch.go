package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// batch are rows that a rank compares at a time, numbered from 0.
type batch struct {
	n    int
	keys keyer
	near *nearLists // what is found for each row
	// place has the place of each row of a batch of copies, whose candidates go to the ranks that
	// have the places. nil: row i is in place i, and near are the lists of the search.
	place []int32
}

// rowSource gives a search the rows of all ranks by their places.
type rowSource interface {
	// cells returns the rows that this rank compares in a round of a partition: cells lists the
	// rows of each cell, ascending and numbered as the batch does, and floor is the least key that
	// each row of the batch takes. members are the own places of each cell, and floors their least
	// keys.
	cells(ctx context.Context, plan schedule, round []int32, members [][]int32, floors []float32) (b batch, cells [][]int32, floor []float32, err error)
	// joins returns the rows that the joins of the own places from up to to lead to. via are the
	// joins of these places, and known the joins of each row of the batch; both number rows as the
	// batch does.
	joins(ctx context.Context, from int, join *joins) (to int, b batch, via, known *joins, err error)
	// measured returns the rows of the own places list[from:to], and of their candidates.
	measured(list []int, from int) (to int, m measuredRows, err error)
	// deliver sends what was found for a batch to the ranks that have the places.
	deliver(b batch)
}

// measuredRows are rows for exact distances.
type measuredRows struct {
	exact.Measurer
	row    func(place int32) int32 // the row of a place
	id     func(row int32) int32   // the number of its document
	lowest []int32                 // the rows with the lowest numbers, ascending
}
