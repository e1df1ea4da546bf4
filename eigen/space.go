package eigen

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// space says which rows of the blocks of vectors are here. Everything that the solvers compute from
// whole vectors (projections, norms, sums of products) is the sum of the ranks' parts and the same
// bits on all of them, so all ranks take the same decisions. The zero value is the space of one
// process, which has all rows.
type space struct {
	*ranks.Share         // the division of the rows
	order        []int32 // if not nil, row i is row order[i] of the problem
}

// row is the row of the problem that is row i here.
func (s space) row(i int) int {
	if s.order != nil {
		return int(s.order[i])
	}
	return s.First() + i
}

// sum replaces x by its sum over the ranks, and returns it.
func (s space) sum(x []float64) []float64 {
	s.Sum(x)
	return x
}

// share replaces the numbers by those of rank 0: dense problems are solved by each rank, and other
// processors may round them differently.
func (s space) share(lists ...[]float64) {
	for _, x := range lists {
		s.Share.Share(x)
	}
}

// norm is the length of a vector.
func (s space) norm(column blas64.General) float64 {
	return s.norms(blas64.General{}, column)[0]
}

// longest is the length of the longest column of w.
func (s space) longest(w blas64.General) float64 {
	longest := 0.0
	for _, norm := range s.norms(blas64.General{}, w) {
		longest = max(longest, norm)
	}
	return longest
}

// norms is the default measure: the length of every column of r.
func (s space) norms(_, r blas64.General) []float64 {
	norms := columnNorms(blas64.General{}, r)
	if !s.Divided() {
		return norms
	}
	for j, v := range norms {
		norms[j] = v * v
	}
	for j, v := range s.sum(norms) {
		norms[j] = math.Sqrt(v)
	}
	return norms
}
