package nystrom_test

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// New documents get what Extend gives for their cosines with every training document; training
// documents come back bit for bit, and the equation without their own affinity gives them too.
func TestCompletePlacesByAllCosines(t *testing.T) {
	for name, bridge := range map[string]int{"connected": 25, "apart": 0} {
		x, _ := documents(240, 4, bridge, 5, 6)
		fresh, _ := documents(30, 4, bridge, 2, 17)
		g, err := graph.BuildComplete(background, x)
		if err != nil {
			t.Fatal(err)
		}
		m, err := le.FitGraph(background, g, le.Options{Dims: 5, Eigen: eigen.Options{Tol: 1e-11}})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Extension(&method.Input{X: x}, graph.Options{})
		got, err := p.Place(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := nystrom.Extend(cosines(t, fresh, x), m.Coordinates, m.Values)
		if err != nil {
			t.Fatal(err)
		}
		size := mat.Norm(want, math.Inf(1))
		var gap mat.Dense
		gap.Sub(got.Embedding, want)
		if off := mat.Norm(&gap, math.Inf(1)); off > 1e-11*size {
			t.Errorf("%s: new documents are placed %g from where their cosines put them, of %g", name, off, size)
		}
		if len(got.Isolated) != 15 || len(got.Known) != 0 {
			t.Errorf("%s: isolated %v, %d known; want the 15 empty ones and none", name, got.Isolated, got.Known)
		}
		again, err := p.Place(background, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(again.Embedding, m.Embedding) {
			t.Errorf("%s: training documents are not where they were", name)
		}
		if len(again.Known) != 192 || len(again.Isolated) != 48 {
			t.Errorf("%s: %d known and %v isolated of 240 with 48 empty ones", name, again.Known, again.Isolated)
		}
		own := cosines(t, x, x).Filter(func(i, j int, _ float64) bool { return i != j })
		equation, err := nystrom.Extend(own, m.Coordinates, m.Values)
		if err != nil {
			t.Fatal(err)
		}
		gap.Reset()
		gap.Sub(equation, m.Coordinates)
		if off := mat.Max(&gap); off > 1e-8 {
			t.Errorf("%s: the equation puts a training document %g from where it is", name, off)
		}
	}
}

// cosines are those of all rows of a with all rows of b.
func cosines(t *testing.T, a, b *sparse.CSR) *sparse.CSR {
	t.Helper()
	var w mat.Dense
	w.Mul(a.NormalizeRows().ToDense(), b.NormalizeRows().ToDense().T())
	out, err := sparse.FromMatrix(&w)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
