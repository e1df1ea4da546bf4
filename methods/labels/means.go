package labels

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Means returns classes×columns, the mean row of y over the labelled documents of each class: the
// starts of seeded k-means (Basu, Banerjee and Mooney 2002). y is stored as
// sparse.Kept stores it. The
// mean of a class without a label is zero; [Check] tests that every class has one. O(entries of the
// labelled documents), for sparse rows O(classes × columns) besides.
func Means(y mat.Matrix, known []int, classes int) *mat.Dense {
	_, d := y.Dims()
	sum, count := mat.NewDense(classes, d, nil), make([]float64, classes)
	if s, isSparse := y.(sparse.Rows); isSparse {
		sparseMeans(s, known, sum, count)
		return sum
	}
	row := func(i int) []float64 { return y.(*mat.Dense).RawRowView(i) }
	if s, single := y.(*sparse.SingleDense); single {
		buf := make([]float64, d)
		row = func(i int) []float64 {
			s.Values(i, buf)
			return buf
		}
	}
	for i, k := range known {
		if k == Unknown {
			continue
		}
		count[k]++
		to := sum.RawRowView(k)
		for j, v := range row(i) {
			to[j] += (v - to[j]) / count[k] // a running mean: no overflow, and equal rows keep their bits
		}
	}
	return sum
}

func sparseMeans(y sparse.Rows, known []int, sum *mat.Dense, count []float64) {
	for _, k := range known {
		if k != Unknown {
			count[k]++
		}
	}
	p := y.Pattern()
	var buf []float64
	for i, k := range known {
		if k == Unknown {
			continue
		}
		to := sum.RawRowView(k)
		cols := p.Col[p.RowPtr[i]:p.RowPtr[i+1]]
		vals := y.Values(i, buf)
		if sparse.IsSingle(y) {
			buf = vals
		}
		for q, v := range vals {
			to[cols[q]] += v / count[k]
		}
	}
}
