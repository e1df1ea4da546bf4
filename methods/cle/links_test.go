package cle

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawLinks draws links that agree with a hidden assignment to two sides.
func drawLinks(t *rapid.T, n int, cannot bool) []links.Link {
	side := make([]bool, n)
	for i := range side {
		side[i] = rapid.Bool().Draw(t, "hidden side")
	}
	var list []links.Link
	for range rapid.IntRange(1, n/2).Draw(t, "links") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		if a != b && (cannot || side[a] == side[b]) {
			list = append(list, links.Link{A: a, B: b, Cannot: side[a] != side[b]})
		}
	}
	return list
}

// The coordinates equal a dense solution by LAPACK with De Bie, Suykens and De Moor's label
// constraint matrix: a column of ones, and for each group and single point a column of its signs.
// (Without a cannot-link the ones are the sum of the others and are left out.)
func TestLinksAreTheSubspaceTrick(t *testing.T) {
	twoSided := 0
	property.Check(t, func(t *rapid.T) {
		g, _, _ := randomGraph(t)
		n := g.W.NumRows
		cannot := rapid.Bool().Draw(t, "cannot")
		groups := must.Get(links.Resolve(n, drawLinks(t, n, cannot)))(t)
		p, signed := literalLinks(g, groups)
		if p == nil {
			return
		}
		_, q := p.Dims()
		l, d := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				l.Set(i, j, -g.W.At(i, j))
			}
			l.Set(i, i, g.Degrees[i])
			d.Set(i, i, g.Degrees[i])
		}
		var lp, a, dp, b mat.Dense
		lp.Mul(l, p)
		a.Mul(p.T(), &lp)
		dp.Mul(d, p)
		b.Mul(p.T(), &dp)
		if mass, _, err := native.Default().SymEig(symmetric(&b), native.EigRange{}, false); err != nil || mass[0] < 1e-9 {
			return // no point with weight determines the middle: PᵀDP is singular
		}
		want, _, err := native.Default().SymDefEig(symmetric(&a), symmetric(&b), native.EigRange{}, false)
		if err != nil {
			t.Fatal(err)
		}
		if signed {
			twoSided++
		}
		if slices.Contains(groups.TwoSided, true) {
			want = want[1:] // the constant
		}
		dims := min(3, len(want), q-1)
		if dims < 1 {
			return
		}
		m := must.Get(FitLinks(context.Background(), g, groups, Options{Dims: dims}))(t)
		for j, v := range m.Values {
			if math.Abs(v-want[j]) > 1e-9 {
				t.Errorf("λ_%d = %v, dense %v (signed %v)", j, v, want[j], signed)
			}
			checkLinks(t, m.Coordinates, groups, j)
		}
	})
	if !testing.Short() && twoSided < 50 {
		t.Errorf("only %d cases with cannot-links", twoSided)
	}
}

// literalLinks writes P out for the points that take part.
func literalLinks(g *graph.Graph, groups *links.Groups) (p *mat.Dense, signed bool) {
	u := newUnits(g, groups)
	for c, two := range groups.TwoSided {
		for i, of := range groups.Group {
			signed = signed || two && int(of) == c && u.of[i] >= 0
		}
	}
	if u.count == 0 {
		return nil, false
	}
	first := 0
	if signed {
		first = 1
	}
	p = mat.NewDense(len(u.of), u.count+first, nil)
	for i, v := range u.of {
		if v < 0 {
			continue
		}
		if signed {
			p.Set(i, 0, 1)
		}
		p.Set(i, first+int(v), 1)
		if groups.Side[i] < 0 {
			p.Set(i, first+int(v), -1)
		}
	}
	return p, signed
}

// checkLinks: one side of a group is one point; the two sides of all two-sided groups have one
// middle.
func checkLinks(t *rapid.T, y *mat.Dense, groups *links.Groups, j int) {
	at := make([][2]float64, groups.Count)
	seen := make([][2]bool, groups.Count)
	for i, c := range groups.Group {
		if c < 0 {
			continue
		}
		s := 0
		if groups.Side[i] < 0 {
			s = 1
		}
		if seen[c][s] && math.Abs(at[c][s]-y.At(i, j)) > 1e-12 {
			t.Errorf("coordinate %d: document %d is at %v, its side at %v", j, i, y.At(i, j), at[c][s])
		}
		at[c][s], seen[c][s] = y.At(i, j), true
	}
	middle, first := 0.0, true
	for c := range at {
		if !groups.TwoSided[c] || at[c] == [2]float64{} {
			continue
		}
		m := (at[c][0] + at[c][1]) / 2
		if !first && math.Abs(m-middle) > 1e-9 {
			t.Errorf("coordinate %d: the middle of group %d is %v, of another %v", j, c, m, middle)
		}
		middle, first = m, false
	}
}

// Without links any cut of a ring into two halves is as good as another; a must-link and a
// cannot-link decide which it is.
func TestLinksMoveTheCut(t *testing.T) {
	const size = 30
	b := sparse.NewBuilder(2*size, 2*size)
	join := func(i, j int, v float64) { b.Add(i, j, v); b.Add(j, i, v) }
	for i := range 2 * size {
		join(i, (i+1)%(2*size), 1)
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	for _, shift := range []int{0, 7, 19} {
		at := func(i int) int { return (shift + i + 2*size) % (2 * size) }
		centre := at(0)
		list := []links.Link{{A: at(-5), B: at(5)}, {A: at(5), B: at(size), Cannot: true}}
		groups := must.Get(links.Resolve(2*size, list))(t)
		m := must.Get(FitLinks(context.Background(), g, groups, Options{Dims: 1}))(t)
		km := must.Get(kmeans.Fit(context.Background(), m.Embedding, kmeans.Options{K: 2}))(t)
		truth := make([]int, 2*size)
		for i := range truth {
			if d := (i - centre + 2*size) % (2 * size); d > size/2 && d < 3*size/2 {
				truth[i] = 1
			}
		}
		s, err := metrics.Score(truth, km.Labels)
		if err != nil || s.Accuracy < 0.9 {
			t.Errorf("shift %d: accuracy %v, error %v", shift, s.Accuracy, err)
		}
	}
}

func TestFitLinksRefuses(t *testing.T) {
	w, _ := sparse.NewCSR(4, 4, []int{0, 1, 2, 3, 4}, []int32{1, 0, 3, 2}, []float64{1, 1, 1, 1})
	g := must.Get(graph.FromAffinity(w))(t)
	groups := must.Get(links.Resolve(4, []links.Link{{A: 0, B: 2, Cannot: true}}))(t)
	other := must.Get(links.Resolve(3, nil))(t)
	for name, try := range map[string]func() error{
		"no dimensions": func() error { _, err := FitLinks(context.Background(), g, groups, Options{Dims: 0}); return err },
		"too many":      func() error { _, err := FitLinks(context.Background(), g, groups, Options{Dims: 5}); return err },
		"other size":    func() error { _, err := FitLinks(context.Background(), g, other, Options{Dims: 1}); return err },
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

// One side of a cannot-link has nearly no weight, and the constant is still separated from the
// wanted eigenvectors.
func TestLinksByAThread(t *testing.T) {
	for _, thread := range []float64{1e-2, 1e-5, 1e-9, 1e-13, 1e-17} {
		const n = 31
		b := sparse.NewBuilder(n, n)
		join := func(i, j int, v float64) { b.Add(i, j, v); b.Add(j, i, v) }
		for i := range n - 1 {
			join(i, (i+1)%(n-1), 1)
			join(i, (i+5)%(n-1), 0.3+float64(i)/n)
		}
		join(0, n-1, thread)
		w := must.Get(b.Build())(t)
		g := must.Get(graph.FromAffinity(w))(t)
		groups := must.Get(links.Resolve(n, []links.Link{{A: 3, B: n - 1, Cannot: true}}))(t)
		m, err := FitLinks(context.Background(), g, groups, Options{Dims: 2})
		if err != nil {
			t.Fatalf("thread %g: %v", thread, err)
		}
		constant := 0.0
		for i, d := range g.Degrees {
			constant += d * m.Coordinates.At(i, 0)
		}
		if m.Values[0] < 1e-3 && thread >= 1e-2 || math.Abs(constant) > 1e-6 {
			t.Errorf("thread %g: values %v, the first coordinate has a constant part of %v", thread, m.Values, constant)
		}
	}
}

// A solver at its limit leaves an error and what it found, never a panic.
func TestFitsAtTheLimit(t *testing.T) {
	const n = 3000
	b := sparse.NewBuilder(n, n)
	for i := range n - 1 {
		b.Add(i, i+1, 1)
		b.Add(i+1, i, 1)
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	known := make([]int, n)
	for i := range known {
		known[i] = labels.Unknown
	}
	known[3], known[1500], known[2900] = 0, 1, 2
	for _, solver := range []eigen.Solver{eigen.ARPACK, eigen.Lanczos} {
		if solver == eigen.ARPACK && !native.HasARPACK() {
			continue
		}
		opt := Options{Problem: nystrom.Problem{Eigen: eigen.Options{Solver: solver, MaxIter: 1}}}
		for name, fit := range map[string]func() (*Model, error){
			"labels": func() (*Model, error) { return FitGraph(context.Background(), g, known, 3, opt) },
			"must": func() (*Model, error) {
				groups, _ := links.Resolve(n, []links.Link{{A: 5, B: 900}})
				four := opt
				four.Dims = 4
				return FitLinks(context.Background(), g, groups, four)
			},
			"cannot": func() (*Model, error) {
				groups, _ := links.Resolve(n, []links.Link{{A: 5, B: 900, Cannot: true}})
				two := opt
				two.Dims = 2
				return FitLinks(context.Background(), g, groups, two)
			},
		} {
			m, err := fit()
			var stopped *eigen.NotConvergedError
			if !errors.As(err, &stopped) {
				t.Errorf("%s, %s: error %v, want NotConvergedError", solver, name, err)
			}
			if m != nil {
				if rows, cols := m.Embedding.Dims(); rows != n || cols != len(m.Values) {
					t.Errorf("%s, %s: a model of %d×%d with %d values", solver, name, rows, cols, len(m.Values))
				}
			}
		}
	}
}
