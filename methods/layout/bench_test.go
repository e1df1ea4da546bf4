package layout

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkFit draws 100,000 documents in 100 groups, each joined to 15 others of its group, with
// 20 coordinates.
func BenchmarkFit(b *testing.B) {
	const n, groups, k, d = 100_000, 100, 15, 20
	rng := rand.New(rand.NewPCG(1, 1))
	near := make([][]int32, n)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for range k {
			j := (i + groups*(1+rng.IntN(n/groups-1))) % n
			near[i], near[j] = append(near[i], int32(j)), append(near[j], int32(i))
		}
		for c := range d {
			x.Set(i, c, rng.NormFloat64()/4)
		}
		x.Set(i, i%groups%d, x.At(i, i%groups%d)+1)
		x.Set(i, i%groups/5, x.At(i, i%groups/5)+1)
	}
	w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: []int{0}}
	for _, list := range near {
		slices.Sort(list)
		w.Col = append(w.Col, slices.Compact(list)...)
		w.RowPtr = append(w.RowPtr, len(w.Col))
	}
	w.Val = slices.Repeat([]float64{1}, len(w.Col))
	b.ReportMetric(float64(len(w.Col)), "entries")
	for b.Loop() {
		if _, err := Fit(context.Background(), w, x, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
