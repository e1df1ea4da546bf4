package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Nearest returns for each centre the at most `most` clusters whose centres are nearest to it, the
// nearest first, ties by number. A cluster of size 0 has none and is in none. O(clusters²·columns)
// time and 8·clusters² bytes. It returns the context's error.
func Nearest(ctx context.Context, centers *mat.Dense, sizes []int, most int) ([][]int, error) {
	k, _ := centers.Dims()
	far := mat.NewDense(k, k, nil)
	err := parallel.For(ctx, k, 1, func(_, lo, hi int) error {
		for a := lo; a < hi; a++ {
			for b := a + 1; b < k; b += 4 {
				row := func(i int) []float64 { return centers.RawRowView(min(b+i, k-1)) }
				for i, d := range distances4(centers.RawRowView(a), row(0), row(1), row(2), row(3)) {
					if b+i < k {
						far.Set(a, b+i, d)
						far.Set(b+i, a, d)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	near := make([][]int, k)
	for a := range k {
		if sizes[a] == 0 {
			continue
		}
		list := []int{}
		for b := range k {
			if b != a && sizes[b] > 0 {
				list = append(list, b)
			}
		}
		slices.SortStableFunc(list, func(b, c int) int { return cmp.Compare(far.At(a, b), far.At(a, c)) })
		near[a] = list[:min(most, len(list))]
	}
	return near, nil
}

// distances4 are the squared distances of a to four others, each summed in the order of the
// columns: the sums of one do not wait for those of another.
func distances4(a, b0, b1, b2, b3 []float64) (d [4]float64) {
	b0, b1, b2, b3 = b0[:len(a)], b1[:len(a)], b2[:len(a)], b3[:len(a)]
	var s0, s1, s2, s3 float64
	for j, v := range a {
		d0, d1, d2, d3 := v-b0[j], v-b1[j], v-b2[j], v-b3[j]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	return [4]float64{s0, s1, s2, s3}
}
