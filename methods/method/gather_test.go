package method_test

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TestGatheringCounts: what is counted is what is joined, the same matrix once, and rows of dense
// matrices that are views are joined as they look.
func TestGatheringCounts(t *testing.T) {
	ranks.Together(3, func(team ranks.Team) {
		n := 2 + team.Rank() // 9 in all
		share := ranks.NewShare(team, n)
		b := sparse.NewBuilder(n, 5)
		for i := range n {
			b.Add(i, i, 1)
			b.Add(i, 4, 2)
		}
		x, err := b.Build()
		if err != nil {
			t.Error(err)
			return
		}
		wide := mat.NewDense(n, 4, nil)
		for i := range n {
			wide.Set(i, 1, float64(share.First()+i))
		}
		view := wide.Slice(0, n, 1, 3).(*mat.Dense)
		join := func(g *method.Gathering) (mat.Matrix, *mat.Dense) {
			g.Floats(make([]float64, n))
			g.Numbers([]int{0}, n)
			g.Floats(nil)
			g.Rows(x)
			return g.Rows(x), g.Dense(view)
		}
		count := &method.Gathering{Share: share, Count: true}
		if rows, dense := join(count); rows != nil || dense != nil {
			t.Error("rows are joined while they are counted")
		}
		entries := ranks.Count(team, x.NNZ())
		if want := int64(8*9 + 8*3 + 16*9 + 12*entries + 8*2*9); count.Bytes() != want {
			t.Errorf("%d bytes, not %d", count.Bytes(), want)
		}
		rows, dense := join(&method.Gathering{Share: share})
		if team.Rank() > 0 {
			return
		}
		if all := rows.(*sparse.CSR); all.NumRows != 9 || all.NNZ() != entries {
			t.Errorf("%d rows, %d entries", all.NumRows, all.NNZ())
		}
		for i := range 9 {
			if dense.At(i, 0) != float64(i) || dense.At(i, 1) != 0 {
				t.Errorf("row %d is %v", i, dense.RawRowView(i))
			}
		}
	})
}
