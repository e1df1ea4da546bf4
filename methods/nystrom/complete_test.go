package nystrom_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// New documents get what Extend gives for their cosines with every training document; training
// documents come back bit for bit, and the equation without their own affinity gives them too.
func TestCompletePlacesByAllCosines(t *testing.T) {
	for name, bridge := range map[string]int{"connected": 25, "apart": 0} {
		x, _ := documents(240, 4, bridge, 5, 6)
		fresh, _ := documents(30, 4, bridge, 2, 17)
		g := must.Get(graph.BuildComplete(background, x))(t)
		m := must.Get(le.FitGraph(background, g, le.Options{Dims: 5, Problem: nystrom.Problem{Eigen: eigen.Options{Tol: 1e-11}}}))(t)
		p := m.Extension(&method.Input{X: x}, graph.Options{})
		got := must.Get(p.Place(background, fresh, nil))(t)
		want := must.Get(nystrom.Extend(cosines(t, fresh, x), m.Coordinates, m.Values))(t)
		size := mat.Norm(want, math.Inf(1))
		var gap mat.Dense
		gap.Sub(got.Embedding, want)
		if off := mat.Norm(&gap, math.Inf(1)); off > 1e-11*size {
			t.Errorf("%s: new documents are placed %g from where their cosines put them, of %g", name, off, size)
		}
		if len(got.Isolated) != 15 || len(got.Known) != 0 {
			t.Errorf("%s: isolated %v, %d known; want the 15 empty ones and none", name, got.Isolated, got.Known)
		}
		again := must.Get(p.Place(background, x, nil))(t)
		if !mat.Equal(again.Embedding, m.Embedding) {
			t.Errorf("%s: training documents are not where they were", name)
		}
		if len(again.Known) != 192 || len(again.Isolated) != 48 {
			t.Errorf("%s: %d known and %v isolated of 240 with 48 empty ones", name, again.Known, again.Isolated)
		}
		own := cosines(t, x, x).Filter(func(i, j int, _ float64) bool { return i != j })
		equation := must.Get(nystrom.Extend(own, m.Coordinates, m.Values))(t)
		gap.Reset()
		gap.Sub(equation, m.Coordinates)
		if off := mat.Max(&gap); off > 1e-8 {
			t.Errorf("%s: the equation puts a training document %g from where it is", name, off)
		}
	}
}

// A stored model of a complete graph is read only if all its sizes fit.
func TestCompleteIsChecked(t *testing.T) {
	x, _ := documents(60, 3, 25, 0, 6)
	g := must.Get(graph.BuildComplete(background, x))(t)
	m := must.Get(le.FitGraph(background, g, le.Options{Dims: 2}))(t)
	of := model.Frame{Documents: 60, Columns: x.NumCols, Sparse: true}
	for what, change := range map[string]func(p *nystrom.Extension){
		"":            func(*nystrom.Extension) {},
		"dimensions":  func(p *nystrom.Extension) { p.Values = p.Values[:1] },
		"terms":       func(p *nystrom.Extension) { p.Complete.Terms = mat.NewDense(7, 2, nil) },
		"no terms":    func(p *nystrom.Extension) { p.Complete.Terms = nil },
		"sums":        func(p *nystrom.Extension) { p.Complete.Sums = p.Complete.Sums[1:] },
		"documents":   func(p *nystrom.Extension) { p.Complete.Known = p.Complete.Known[2:] },
		"coordinates": func(p *nystrom.Extension) { p.Coordinates = mat.NewDense(59, 2, nil) },
	} {
		p := m.Extension(&method.Input{X: x}, graph.Options{})
		change(p)
		if err := p.Check(of); (err == nil) != (what == "") || err != nil && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("change of %q: %v", what, err)
		}
	}
}

// cosines returns the cosine of every row of a with every row of b.
func cosines(t *testing.T, a, b *sparse.CSR) *sparse.CSR {
	t.Helper()
	var w mat.Dense
	w.Mul(a.NormalizeRows().ToDense(), b.NormalizeRows().ToDense().T())
	out := must.Get(sparse.FromMatrix(&w))(t)
	return out
}
