package sparse

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// NearOrder returns an order of the rows of a square matrix with a symmetric pattern in which rows
// that share entries are near each other: breadth first, component by component, from a row at an
// end of the component (Cuthill and McKee 1969, without their sorting by degree). Products with
// blocks of vectors then find most of what they read in cache, if the graph has a geometry to
// follow, which [CSR.Spread] measures. Row order[p] becomes row p. Every row occurs once, whatever
// the pattern: entries on one side of the diagonal alone, such as a stored zero, only make a worse
// order. One pass over the entries for the end, one for the order; 5 bytes per row.
func (a *CSR) NearOrder() []int32 {
	n := a.NumRows
	order := make([]int32, 0, n)
	seen := make([]bool, n)
	for s := range n {
		if seen[s] {
			continue
		}
		from := len(order)
		order = a.breadthFirst(order, seen, int32(s))
		end := order[len(order)-1]
		for _, v := range order[from:] {
			seen[v] = false
		}
		order = a.breadthFirst(order[:from], seen, end)
		if !seen[s] { // the end does not lead back
			order = a.breadthFirst(order, seen, int32(s))
		}
	}
	return order
}

// breadthFirst appends the component of a row to the order, and marks it as seen.
func (a *CSR) breadthFirst(order []int32, seen []bool, root int32) []int32 {
	at := len(order)
	order = append(order, root)
	seen[root] = true
	for ; at < len(order); at++ {
		v := order[at]
		for _, j := range a.Col[a.RowPtr[v]:a.RowPtr[v+1]] {
			if !seen[j] {
				seen[j] = true
				order = append(order, j)
			}
		}
	}
	return order
}

// Spread is the mean distance |i − j| of the entries from the diagonal; 0 without entries. The
// entries of one row in 64 are counted.
func (a *CSR) Spread() float64 {
	return a.spread(func(i int) int { return i }, func(j int32) int32 { return j })
}

// SpreadIn is the Spread of a in another order ([CSR.Permute]). 4 bytes per row.
func (a *CSR) SpreadIn(order []int32) float64 {
	place := placesOf(order)
	return a.spread(func(p int) int { return int(order[p]) }, func(j int32) int32 { return place[j] })
}

// spread is Spread with row row(p) at place p, and column j at place(j).
func (a *CSR) spread(row func(p int) int, place func(j int32) int32) float64 {
	const every = 64
	sum, count := 0.0, 0
	for p := 0; p < a.NumRows; p += every {
		i := row(p)
		for _, j := range a.Col[a.RowPtr[i]:a.RowPtr[i+1]] {
			sum += math.Abs(float64(p) - float64(place(j)))
			count++
		}
	}
	return sum / float64(max(1, count))
}

// placesOf is the place of each row in an order.
func placesOf(order []int32) []int32 {
	place := make([]int32, len(order))
	for p, v := range order {
		place[v] = int32(p)
	}
	return place
}

// Permute returns the square matrix with rows and columns in another order: entry p, q of the
// result is entry order[p], order[q] of a. order holds every row once. Rows run in parallel; 12
// bytes per entry and 12 per row.
func (a *CSR) Permute(ctx context.Context, order []int32) (*CSR, error) {
	n := a.NumRows
	place := placesOf(order)
	b := &CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1), Col: memory.Large(make([]int32, len(a.Col))), Val: memory.Large(make([]float64, len(a.Val)))}
	for p, v := range order {
		b.RowPtr[p+1] = b.RowPtr[p] + a.RowPtr[v+1] - a.RowPtr[v]
	}
	type entry struct {
		col int32
		val float64
	}
	err := parallel.For(ctx, n, 4096, func(_, lo, hi int) error {
		var row []entry
		for p := lo; p < hi; p++ {
			cols, vals := a.Row(int(order[p]))
			row = row[:0]
			for k, j := range cols {
				row = append(row, entry{place[j], vals[k]})
			}
			slices.SortFunc(row, func(x, y entry) int { return int(x.col) - int(y.col) })
			at := b.RowPtr[p]
			for k, e := range row {
				b.Col[at+k], b.Val[at+k] = e.col, e.val
			}
		}
		return nil
	})
	return b, err
}
