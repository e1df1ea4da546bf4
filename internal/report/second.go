package report

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Seconds returns for each row of x the cluster, other than its own, whose centre is nearest; -1 if
// there is none. sizes are the sizes of the clusters: one of size 0 has no centre. Labels below 0
// are of no cluster. Of equally near centres it is the first. O(entries·clusters) time.
func Seconds(ctx context.Context, x mat.Matrix, centers *mat.Dense, labels, sizes []int) ([]int, error) {
	x = narrow(x)
	k, _ := centers.Dims()
	norms := make([]float64, k)
	for c := range k {
		row := centers.RawRowView(c)
		norms[c] = dot(row, row)
	}
	second := make([]int, len(labels))
	err := parallel.For(ctx, len(labels), 256, func(_, from, to int) error {
		for i := from; i < to; i++ {
			second[i] = -1
			least := math.Inf(1)
			for c := range k {
				if c == labels[i] || sizes[c] == 0 {
					continue
				}
				// The square of the distance, but for the square of the row's own length.
				if d := norms[c] - 2*dotRow(x, i, centers.RawRowView(c)); d < least {
					second[i], least = c, d
				}
			}
		}
		return nil
	})
	return second, err
}

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
