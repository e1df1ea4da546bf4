// Package space has blocks of vectors whose rows ranks may divide: products and norms that are the
// same on all ranks, known null vectors, and orthonormal bases. One process is a team of one rank,
// and everything here is the same code for it.
package space

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/blas/blas64"
)

// Space says which rows of the blocks of vectors this rank has. Everything that the solvers compute
// from whole vectors (projections, norms, sums of products) is the sum of the ranks' parts, with
// the same bits on all ranks, so all of them take the same decisions. The zero value is the space
// of one process, which has all rows.
type Space struct {
	*ranks.Share         // the division of the rows
	Order        []int32 // if not nil, row i is row Order[i] of the problem
}

// Row returns the number, in the problem, of row i of this rank.
func (s Space) Row(i int) int {
	if s.Order != nil {
		return int(s.Order[i])
	}
	return s.First() + i
}

// Summed replaces x by its sum over the ranks, and returns it.
func (s Space) Summed(x []float64) []float64 {
	s.Sum(x)
	return x
}

// Alike replaces the numbers on every rank by the numbers of rank 0. Each rank solves dense
// problems by itself, and processors of different types may round them differently.
func (s Space) Alike(lists ...[]float64) {
	for _, x := range lists {
		s.Share.Share(x)
	}
}

// Norm returns the length of a vector, a block of one column.
func (s Space) Norm(column blas64.General) float64 {
	return s.Norms(blas64.General{}, column)[0]
}

// Longest returns the length of the longest column of w.
func (s Space) Longest(w blas64.General) float64 {
	longest := 0.0
	for _, norm := range s.Norms(blas64.General{}, w) {
		longest = max(longest, norm)
	}
	return longest
}

// Norms returns the length of every column of r. Its first argument is not used; it makes Norms a
// measure of residuals as a task takes one.
func (s Space) Norms(_, r blas64.General) []float64 {
	norms := ColumnNorms(blas64.General{}, r)
	if !s.Divided() {
		return norms
	}
	for j, v := range norms {
		norms[j] = v * v
	}
	for j, v := range s.Summed(norms) {
		norms[j] = math.Sqrt(v)
	}
	return norms
}

// LargestOf returns the largest mass of all points, 1 if no point has any.
func (s Space) LargestOf(mass []float64) float64 {
	largest := 0.0
	for _, m := range mass {
		largest = max(largest, m)
	}
	return cmp.Or(s.Largest(largest), 1)
}

// Largest returns the largest of the ranks' numbers x.
func (s Space) Largest(x float64) float64 {
	list := []float64{x}
	ranks.Largest(s.Share, list)
	return list[0]
}

// CanonicalSigns makes the first entry of every column positive whose magnitude is within a
// millionth of the column's largest; the rows count in the order of the ranks. Zero columns do not
// change.
func (s Space) CanonicalSigns(y blas64.General) {
	largest := make([]float64, y.Cols)
	largestOf(largest, y)
	ranks.Largest(s.Share, largest)
	sign := signsOf(y, largest)
	if s.Divided() {
		// The sign of the lowest rank that has one counts.
		all := ranks.GatherFloats(s.Share, sign)
		for j := range sign {
			sign[j] = 0
			for at := j; at < len(all) && sign[j] == 0; at += len(sign) {
				sign[j] = all[at]
			}
		}
	}
	flip(y, sign)
}
