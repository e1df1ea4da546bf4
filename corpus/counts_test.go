package corpus

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Whole numbers in few of many cells are counts; measurements, pictures, indicators and numbers
// below zero are not, in any kind of matrix.
func TestHoldsCounts(t *testing.T) {
	filled := func(rows, cols, every int, value func(k int) float64) *mat.Dense {
		x := mat.NewDense(rows, cols, nil)
		for k := 0; k < rows*cols; k += every {
			x.Set(k/cols, k%cols, value(k))
		}
		return x
	}
	count := func(k int) float64 { return []float64{1, 1, 2, 1, 3}[k%5] }
	for _, c := range []struct {
		name string
		x    *mat.Dense
		want bool
	}{
		{"counts", filled(50, 60, 13, count), true},
		{"few columns", filled(50, 19, 13, count), false},
		{"a picture", filled(50, 60, 5, count), false},
		{"a tenth", filled(50, 60, 10, func(k int) float64 { return count(k / 10) }), true},
		{"more than a tenth", filled(50, 60, 9, func(k int) float64 { return count(k / 9) }), false},
		{"indicators", filled(50, 60, 13, func(int) float64 { return 1 }), false},
		{"ratings", filled(50, 60, 13, func(k int) float64 { return float64(1 + k%5) }), false},
		{"indicators but one", filled(50, 60, 13, func(k int) float64 {
			if k == 0 {
				return 2
			}
			return 1
		}), false},
		{"weights", filled(50, 60, 13, func(k int) float64 { return 0.5 + float64(k%3) }), false},
		{"below zero", filled(50, 60, 13, func(k int) float64 { return float64(k%3 - 5) }), false},
		{"zeros", mat.NewDense(50, 60, nil), false},
	} {
		csr := must.Get(sparse.FromMatrix(c.x))(t)
		for _, x := range []mat.Matrix{c.x, csr} {
			plain := &Corpus{X: x}
			narrow := &Corpus{X: x}
			must.Do(t, narrow.ToSingle())
			if plain.HoldsCounts() != c.want || narrow.HoldsCounts() != c.want {
				t.Errorf("%s as %T: %v, in single precision %v, want %v", c.name, x, plain.HoldsCounts(), narrow.HoldsCounts(), c.want)
			}
			ranks.Together(3, func(team ranks.Team) {
				own, err := (&Corpus{X: x}).Divide(team)
				if err != nil {
					t.Error(err)
				} else if own.HoldsCounts() != c.want {
					t.Errorf("%s as %T: rank %d of 3 says %v", c.name, x, team.Rank(), !c.want)
				}
			})
		}
	}
	if !(&Corpus{X: mat.NewDense(2, 2, []float64{5, 3, 2, 4}), Format: "ldac"}).HoldsCounts() {
		t.Error("a file of LDA-C holds no counts")
	}
	if (&Corpus{}).HoldsCounts() {
		t.Error("no matrix holds counts")
	}
}
