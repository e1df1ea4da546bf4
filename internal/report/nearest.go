package report

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Nearest returns for each centre the at most `most` clusters whose centres are nearest to it, the
// nearest first, ties by number. A cluster of size 0 has none and is in none. O(clusters²·columns)
// time.
func Nearest(centers *mat.Dense, sizes []int, most int) [][]int {
	k, _ := centers.Dims()
	near := make([][]int, k)
	far := make([]float64, k)
	for a := range k {
		if sizes[a] == 0 {
			continue
		}
		list := []int{}
		for b := range k {
			if b == a || sizes[b] == 0 {
				continue
			}
			far[b] = 0
			for j, v := range centers.RawRowView(a) {
				d := v - centers.At(b, j)
				far[b] += d * d
			}
			list = append(list, b)
		}
		slices.SortStableFunc(list, func(b, c int) int { return cmp.Compare(far[b], far[c]) })
		near[a] = list[:min(most, len(list))]
	}
	return near
}
