package nystrom_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// documents returns n rows of length 1. Each topic has its own words, some of which are shared with
// the next topic if bridge is positive; every empty-th row has no entry.
func documents(n, topics, bridge, empty int, seed uint64) (*sparse.CSR, []int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	b := sparse.NewBuilder(n, 60*topics)
	truth := make([]int, n)
	for i := range n {
		truth[i] = i % topics
		if empty > 0 && i%empty == empty-1 {
			continue
		}
		for range 30 {
			b.Add(i, (60*truth[i]+rng.IntN(60+bridge))%(60*topics), float64(1+rng.IntN(3)))
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows(), truth
}

// The graph's own points, extended again, get their own coordinates, up to the residuals over
// (1−λ)·d: sparse and dense data, every weight and symmetry, connected or not, with isolated
// points, all choices of coordinates.
func TestExtendIsExactOnTrainingPoints(t *testing.T) {
	linked, _ := documents(240, 3, 25, 0, 1)
	apart, _ := documents(240, 4, 0, 9, 2)
	for name, c := range map[string]struct {
		x    mat.Matrix
		opt  graph.Options
		skip le.Skip
	}{
		"dot union":          {linked, graph.Options{}, le.SkipNone},
		"dot mutual":         {linked, graph.Options{Symmetry: graph.Mutual}, le.SkipConstant},
		"sum, binary":        {linked, graph.Options{Symmetry: graph.Sum, Weight: graph.Binary, Neighbors: 6}, le.SkipZeros},
		"heat, dense":        {linked.ToDense(), graph.Options{Weight: graph.Heat}, le.SkipNone},
		"components, holes":  {apart, graph.Options{Neighbors: 8}, le.SkipNone},
		"components, zeros":  {apart, graph.Options{Neighbors: 8}, le.SkipZeros},
		"mutual, many parts": {apart, graph.Options{Symmetry: graph.Mutual, Neighbors: 3}, le.SkipNone},
		"within, poly":       {linked, graph.Options{Epsilon: 1.2, Weight: graph.Poly}, le.SkipNone},
	} {
		g, err := graph.Build(background, c.x, c.opt)
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := le.FitGraph(background, g, le.Options{Dims: 7, Skip: c.skip, NormalizeRows: true, Problem: nystrom.Problem{Eigen: eigen.Options{Tol: 1e-11}}})
		if err != nil {
			t.Fatal(name, err)
		}
		at, err := graph.Attach(background, c.x, g.Reference(c.x, c.opt), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		y := m.Coordinates
		got, err := nystrom.Extend(at.W, y, m.Values)
		if err != nil {
			t.Fatal(name, err)
		}
		n, d := y.Dims()
		for j := range d {
			norm := mat.Norm(y.ColView(j), 2)
			for i := range n {
				if g.Degrees[i] == 0 {
					if got.At(i, j) != 0 {
						t.Errorf("%s: isolated point %d stands at %v", name, i, got.RawRowView(i))
					}
					continue
				}
				bound := (m.Residuals[j]*norm + 1e-13*norm*g.Degrees[i]) / (math.Abs(1-m.Values[j]) * g.Degrees[i])
				if diff := math.Abs(got.At(i, j) - y.At(i, j)); !(diff <= 2*bound) {
					t.Errorf("%s: point %d, coordinate %d (λ = %v) is off by %g, the residual allows %g", name, i, j, m.Values[j], diff, bound)
				}
			}
		}
	}
}

// An indicator of components extends to itself: a new point gets the indicator of its neighbours'
// component.
func TestExtendOnComponents(t *testing.T) {
	x, _ := documents(160, 4, 0, 0, 3)
	fresh, topic := documents(40, 4, 0, 0, 4)
	opt := graph.Options{Neighbors: 10}
	g := must.Get(graph.Build(background, x, opt))(t)
	if g.Components != 4 {
		t.Fatalf("%d components", g.Components)
	}
	m := must.Get(le.FitGraph(background, g, le.Options{Dims: 4}))(t)
	at := must.Get(graph.Attach(background, fresh, g.Reference(x, opt), nil))(t)
	y := must.Get(nystrom.Extend(at.W, m.Embedding, m.Values))(t)
	for i, k := range topic {
		for j := range 4 {
			// Document k of the training set is of topic k.
			if diff := math.Abs(y.At(i, j) - m.Embedding.At(k, j)); diff > 1e-14 {
				t.Errorf("new document %d of topic %d: coordinate %d is %v, its component's %v", i, k, j, y.At(i, j), m.Embedding.At(k, j))
			}
		}
	}
}

// The extension approximates the solution of the larger problem: new points get the same nearest
// centres.
func TestExtendApproximatesTheWhole(t *testing.T) {
	// Not a multiple of the number of topics, which alternate.
	const n, every = 600, 11
	x, topic := documents(n, 5, 25, 0, 8)
	var train, fresh []int
	for i := range n {
		if i%every == 7 {
			fresh = append(fresh, i)
		} else {
			train = append(train, i)
		}
	}
	a, b := x.SelectRows(train), x.SelectRows(fresh)
	g := must.Get(graph.Build(background, a, graph.Options{}))(t)
	m := must.Get(le.FitGraph(background, g, le.Options{Dims: 5}))(t)
	at := must.Get(graph.Attach(background, b, g.Reference(a, graph.Options{}), nil))(t)
	y := must.Get(nystrom.Extend(at.W, m.Embedding, m.Values))(t)
	whole := must.Get(le.Fit(background, x, le.Options{Dims: 5}))(t)
	// Both embeddings, of unit norm each, differ by a rotation if eigenvalues are close: align them
	// with the training points.
	selected := func(from *mat.Dense, rows []int) *mat.Dense {
		out := mat.NewDense(len(rows), 5, nil)
		for r, i := range rows {
			out.SetRow(r, from.RawRowView(i))
		}
		return out
	}
	var cross, turned mat.Dense
	cross.Mul(m.Embedding.T(), selected(whole.Embedding, train))
	var svd mat.SVD
	if !svd.Factorize(&cross, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u, v, rotation mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	rotation.Mul(&u, v.T())
	turned.Mul(y, &rotation)
	want := selected(whole.Embedding, fresh)
	turned.Sub(&turned, want)
	if off := mat.Norm(&turned, 2) / mat.Norm(want, 2); off > 0.1 {
		t.Errorf("the extension differs from the enlarged problem's solution by %.2f of its norm", off)
	} else {
		t.Logf("the extension differs from the enlarged problem's solution by %.3f of its norm", off)
	}
	km := must.Get(kmeans.Fit(background, m.Embedding, kmeans.Options{K: 5}))(t)
	labels := must.Get(km.Predict(background, y))(t)
	right := 0
	for r, i := range fresh {
		// Any training document of the topic will do, because clusters are pure here.
		for s, j := range train {
			if topic[j] == topic[i] {
				if km.Labels[s] == labels[r] {
					right++
				}
				break
			}
		}
	}
	if right < len(fresh)*9/10 {
		t.Errorf("%d of %d new documents fall to their topic's cluster", right, len(fresh))
	}
}

func TestExtendErrors(t *testing.T) {
	// A complete bipartite graph has the eigenvalues 0, 2 and otherwise 1.
	b := sparse.NewBuilder(7, 7)
	for i := range 3 {
		for j := 3; j < 7; j++ {
			b.Add(i, j, 1)
			b.Add(j, i, 1)
		}
	}
	w, _ := b.Build()
	g, err := graph.FromAffinity(w)
	if err != nil {
		t.Fatal(err)
	}
	m := must.Get(le.FitGraph(background, g, le.Options{Dims: 2}))(t)
	_, err = nystrom.Extend(w, m.Embedding, m.Values)
	var none *nystrom.NoExtensionError
	if !errors.As(err, &none) || none.Coordinate != 1 || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("eigenvalues %v: %v", m.Values, err)
	}
	for name, f := range map[string]func() error{
		"points": func() error { _, err := nystrom.Extend(w, mat.NewDense(6, 1, nil), []float64{0}); return err },
		"values": func() error { _, err := nystrom.Extend(w, mat.NewDense(7, 2, nil), []float64{0}); return err },
		"NaN":    func() error { _, err := nystrom.Extend(w, mat.NewDense(7, 1, nil), []float64{math.NaN()}); return err },
		"coordinates": func() error {
			_, err := nystrom.Extend(w, mat.NewDense(7, 1, []float64{0, 0, 0, math.Inf(1), 0, 0, 0}), []float64{0})
			return err
		},
		"weights": func() error {
			_, err := nystrom.Extend(w.ScaleRows([]float64{1e308, 1, 1, 1, 1, 1, 1}), mat.NewDense(7, 1, nil), []float64{0})
			return err
		},
	} {
		if err := f(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if y, err := nystrom.Extend(&sparse.CSR{NumCols: 7, RowPtr: []int{0}}, mat.NewDense(7, 1, nil), []float64{0}); err != nil || !y.IsEmpty() {
		t.Errorf("no new point: %v, %v", y, err)
	}
}
