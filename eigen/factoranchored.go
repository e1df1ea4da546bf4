package eigen

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// NewFactoredAnchored is NewAnchored of the complete graph f, which must not have apart points:
// the free points keep their rows, and a group has the sum of its points' rows. The only edges
// between points of groups have the weight inside.
//
// Memory: the rows of the free points and their transpose, and the weights of every free point to
// every group that shares a column with it, 12 bytes each.
func NewFactoredAnchored(f *Factor, group []int32, groups int, inside float64) (*Anchored, error) {
	if len(group) != f.Size() || f.apart != nil {
		return nil, invalid.Errorf("the groups of %d points do not fit a complete graph of %d points without apart ones", len(group), f.Size())
	}
	a, err := newAnchored(group, groups, inside)
	if err != nil {
		return nil, err
	}
	a.whole = f
	of := mergeRows(f.rows, group, groups).Transpose() // columns × groups
	var candidates []int32
	for i, g := range group {
		if g < 0 {
			candidates = append(candidates, int32(i))
		}
	}
	border := f.rows.SelectRows(indices.Ints(candidates))
	var inner *Factor
	if len(candidates) > 0 {
		if border = timesSparse(border, of); slices.Contains(border.Val, 0) { // a product may underflow
			border = border.Filter(func(_, _ int, v float64) bool { return v > 0 })
		}
		if inner, err = a.chooseTouched(candidates, border); err != nil {
			return nil, err
		}
	}
	if len(a.free) == 0 {
		a.border = &sparse.CSR{NumCols: groups, RowPtr: make([]int, 1)}
		a.s, a.whole = &sparse.CSR{RowPtr: make([]int, 1)}, nil
		a.connect(nil, 0)
	} else {
		a.splitFactor(inner)
	}
	if err := a.checkSum(); err != nil {
		return nil, err
	}
	return a, nil
}

// chooseTouched sets free, border and apart: of the candidates those are free whose component,
// among themselves, has a weight to a group. It returns the graph of the free points, nil if there
// are none.
func (a *Anchored) chooseTouched(candidates []int32, border *sparse.CSR) (*Factor, error) {
	inner, err := NewFactor(a.whole.rows.SelectRows(indices.Ints(candidates)), nil)
	if err != nil {
		return nil, err
	}
	touched := make([]bool, inner.count)
	for at, c := range inner.label {
		touched[c] = touched[c] || border.RowPtr[at] < border.RowPtr[at+1]
	}
	var rows []int
	for at, i := range candidates {
		if touched[inner.label[at]] {
			a.free, rows = append(a.free, i), append(rows, at)
		} else {
			a.apart = append(a.apart, int(i))
		}
	}
	a.border = border
	if len(rows) == len(candidates) {
		return inner, nil
	}
	a.border = border.SelectRows(rows)
	if len(rows) == 0 {
		return nil, nil
	}
	return NewFactor(a.whole.rows.SelectRows(indices.Ints(a.free)), nil)
}

// splitFactor computes S and the sums of weights; inner is the graph of the free points.
func (a *Anchored) splitFactor(inner *Factor) {
	n := len(a.free)
	a.degree, a.root = a.border.RowSums(), make([]float64, n)
	for k, g := range a.border.Col {
		a.edges[g] += a.border.Val[k]
	}
	inverse, shift := make([]float64, n), make([]float64, n)
	for i, d := range inner.degree {
		a.degree[i] += d
		a.root[i] = math.Sqrt(a.degree[i])
		inverse[i] = 1 / a.root[i]
		shift[i] = -inner.square[i] / a.degree[i]
	}
	a.s = &factored{Factor: inner, cliques: cliques{scale: inverse}, shift: shift}
	a.connect(inner.label, inner.count)
}
