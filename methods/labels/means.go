package labels

import (
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Means returns classes×columns, the mean row of y over the labelled documents of each class: the
// starts of seeded k-means (Basu, Banerjee and Mooney 2002). y is *mat.Dense or *sparse.CSR. The
// mean of a class without a label is zero; [Check] tests that every class has one. O(entries of the
// labelled documents), for sparse rows O(classes × columns) besides.
func Means(y mat.Matrix, known []int, classes int) *mat.Dense {
	_, d := y.Dims()
	sum, count := mat.NewDense(classes, d, nil), make([]float64, classes)
	if s, isSparse := y.(*sparse.CSR); isSparse {
		sparseMeans(s, known, sum, count)
		return sum
	}
	dense := y.(*mat.Dense)
	for i, k := range known {
		if k == Unknown {
			continue
		}
		count[k]++
		to := sum.RawRowView(k)
		for j, v := range dense.RawRowView(i) {
			to[j] += (v - to[j]) / count[k] // a running mean: no overflow, and equal rows keep their bits
		}
	}
	return sum
}

func sparseMeans(y *sparse.CSR, known []int, sum *mat.Dense, count []float64) {
	for _, k := range known {
		if k != Unknown {
			count[k]++
		}
	}
	for i, k := range known {
		if k == Unknown {
			continue
		}
		to := sum.RawRowView(k)
		cols, vals := y.Row(i)
		for p, j := range cols {
			to[j] += vals[p] / count[k]
		}
	}
}
