package model

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The parts of the columns, those for the other cluster among them, add up to half the difference
// of the squared distances of the row from the two means, and do not change if all rows are moved.
func TestMeasures(t *testing.T) {
	means := [][]float64{{1, 0, 5}, {2, 4, 5}, {0, -3, 7}}
	row := []float64{1.25, 0.5, 5.5}
	for _, shift := range []float64{0, 1000} {
		v := &Novelty{}
		x := mat.NewDense(1, 3, nil)
		m := mat.NewDense(3, 3, nil)
		for j := range 3 {
			x.Set(0, j, row[j]+shift)
			for c := range 3 {
				m.Set(c, j, means[c][j]+shift)
			}
		}
		v.Means = csrOf(m)
		half := func(c int, to []float64) (sum float64) {
			for j := range 3 {
				sum += (row[j] - to[j]) * (row[j] - to[j]) / 2
			}
			return sum
		}
		others := []float64{(2*2 + 0*3) / 5., (4*2 - 3*3) / 5., (5*2 + 7*3) / 5.}
		for b, to := range map[int][]float64{1: means[1], 2: means[2], -1: others} {
			sum := 0.0
			for _, c := range v.Measures(x, 0, 0, b, []int{9, 2, 3}) {
				if c.Part <= 0 || math.Abs(c.Value-shift-row[c.Column]) > 1e-12 || math.Abs(c.Next-shift-to[c.Column]) > 1e-9 {
					t.Errorf("shift %v, against %d: %+v", shift, b, c)
				}
				sum += c.Part
			}
			for j := range 3 { // what speaks for the other cluster is not listed
				if p := (means[0][j] - to[j]) * (row[j] - (means[0][j]+to[j])/2); p < 0 {
					sum += p
				}
			}
			if want := half(b, to) - half(0, means[0]); math.Abs(sum-want) > 1e-9 {
				t.Errorf("shift %v, against %d: %v, half the difference is %v", shift, b, sum, want)
			}
		}
	}
}

// csrOf stores the entries of x that are not zero.
func csrOf(x *mat.Dense) *sparse.CSR {
	rows, cols := x.Dims()
	out := &sparse.CSR{NumRows: rows, NumCols: cols, RowPtr: []int{0}}
	for i := range rows {
		for j := range cols {
			if v := x.At(i, j); v != 0 {
				out.Col, out.Val = append(out.Col, int32(j)), append(out.Val, v)
			}
		}
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}
