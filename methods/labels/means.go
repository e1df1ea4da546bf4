package labels

import "gonum.org/v1/gonum/mat"

// Means returns classes×columns, the mean row of y over the labelled documents of each class: the
// starts of seeded k-means (Basu, Banerjee and Mooney 2002). Every class needs a label, which
// [Check] tests. O(labelled documents × columns).
func Means(y *mat.Dense, known []int, classes int) *mat.Dense {
	_, d := y.Dims()
	sum, count := mat.NewDense(classes, d, nil), make([]float64, classes)
	for i, k := range known {
		if k == Unknown {
			continue
		}
		count[k]++
		to := sum.RawRowView(k)
		for j, v := range y.RawRowView(i) {
			to[j] += (v - to[j]) / count[k] // a running mean: no overflow, and equal rows keep their bits
		}
	}
	return sum
}
