package exact

import (
	"math"

	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ByLength returns the rows of x that have length 1 and the others, if both kinds are there and all
// rows of points have length 1; else nil. Sparse rows of length 1 are measured by another formula
// ([sparseRows]): new rows of the two kinds are joined apart, so that the bits of one do not depend
// on the others. x and points are as [Double] takes them.
func ByLength(x, points mat.Matrix) [][]int {
	s, ok := points.(*sparse.CSR)
	if !ok || !allUnit(s) {
		return nil
	}
	fresh, err := sparse.FromMatrix(x)
	if err != nil {
		return nil // refused later, by name
	}
	groups := make([][]int, 2)
	for i := range fresh.NumRows {
		g := 1
		if isUnit(fresh, i) {
			g = 0
		}
		groups[g] = append(groups[g], i)
	}
	if groups[0] == nil || groups[1] == nil {
		return nil
	}
	return groups
}

func allUnit(s *sparse.CSR) bool {
	for i := range s.NumRows {
		if !isUnit(s, i) {
			return false
		}
	}
	return true
}

// isUnit is whether row i has length 1 by the sum that sparseRows takes.
func isUnit(s *sparse.CSR, i int) bool {
	_, vals := s.Row(i)
	sum := 0.0
	for _, v := range vals {
		sum += v * v
	}
	return math.Abs(sum-1) <= unitSlack
}

// SelectLike are some rows of x, which [Double] takes.
func SelectLike(x mat.Matrix, which []int) (mat.Matrix, error) {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, err
	}
	return s.SelectRows(which), nil
}

// RaiseFrom is an error about a row of a group as one about the row of all.
func RaiseFrom(err error, group []int) error {
	return rows.Raised(err, func(i int) int { return group[i] })
}

// MergeRows makes a matrix of n rows, in which parts[g] has the rows numbered groups[g].
func MergeRows(parts []*sparse.CSR, groups [][]int, n int) *sparse.CSR {
	out := EmptyRows(n, parts[0].NumCols)
	part, row := make([]int, n), make([]int, n)
	for g, group := range groups {
		for r, i := range group {
			part[i], row[i] = g, r
		}
	}
	for i := range n {
		cols, vals := parts[part[i]].Row(row[i])
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}

// mergedLists joins the lists of n rows, of which parts[g] has the rows numbered groups[g].
func mergedLists(parts []*Lists, groups [][]int, n int) *Lists {
	k := parts[0].K
	out := &Lists{N: n, K: k, Index: make([]int32, n*k), Dist2: make([]float64, n*k), Dot: make([]float64, n*k)}
	for g, group := range groups {
		for r, i := range group {
			index, dist2, dot := parts[g].Row(r)
			copy(out.Index[i*k:], index)
			copy(out.Dist2[i*k:], dist2)
			copy(out.Dot[i*k:], dot)
		}
	}
	return out
}
