package graph

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Degrees are sums of cosines, whatever the lengths of the rows and their storage; documents that
// share no term are isolated.
func TestBuildComplete(t *testing.T) {
	x := mat.NewDense(5, 4, []float64{
		3, 4, 0, 0,
		0, 2, 0, 0,
		6, 8, 0, 0,
		0, 0, 7, 0,
		0, 0, 0, 0,
	})
	s := must.Get(sparse.FromMatrix(x))(t)
	want := []float64{1.8, 1.6, 1.8, 0, 0}
	for _, rows := range []mat.Matrix{x, s} {
		g := must.Get(KindComplete.Build(context.Background(), rows, Options{}))(t)
		for i, d := range want {
			if math.Abs(g.Degrees[i]-d) > 1e-15 {
				t.Errorf("document %d has the degree %v, want %v", i, g.Degrees[i], d)
			}
		}
		if !g.IsComplete() || g.W != nil || !g.Scaled || g.Len() != 5 || g.Components != 3 || len(g.Isolated) != 2 || g.Isolated[0] != 3 {
			t.Errorf("graph %+v", g)
		}
	}
	unit := s.NormalizeRows()
	g := must.Get(BuildComplete(context.Background(), unit))(t)
	if g.Scaled || &g.Rows.Val[0] != &unit.Val[0] {
		t.Error("rows of length 1 are copied")
	}
	apart := must.Get(g.Apart([]bool{true, false, true, false, false}))(t)
	for i, d := range []float64{0.8, 1.6, 0.8, 0, 0} {
		if math.Abs(apart.Degrees[i]-d) > 1e-15 {
			t.Errorf("with points apart document %d has the degree %v, want %v", i, apart.Degrees[i], d)
		}
	}
	_, f, err := apart.Among([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := f.Degrees(); math.Abs(d[0]-0.8) > 1e-15 || math.Abs(d[1]-0.8) > 1e-15 {
		t.Errorf("among documents 0 and 1 the degrees are %v", d)
	}
}

func TestCompleteRefusesNegativeValues(t *testing.T) {
	x := mat.NewDense(2, 3, []float64{1, 2, 3, 4, -0.5, 6})
	s := must.Get(sparse.FromMatrix(x))(t)
	for _, rows := range []mat.Matrix{x, s} {
		if err := CheckComplete(rows); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "-0.5") || !strings.Contains(err.Error(), "graph-kind") {
			t.Errorf("%T: %v", rows, err)
		}
		if _, err := BuildComplete(context.Background(), rows); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%T: %v", rows, err)
		}
	}
}
