package kernelridge

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// shells draws rows of two classes with one centre: of deviation 1, and of deviation 2 in every
// column. Every third row has a label.
func shells(n, d int, seed uint64) (x *mat.Dense, class, known []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	x, class, known = mat.NewDense(n, d, nil), make([]int, n), make([]int, n)
	for i := range n {
		class[i], known[i] = rng.IntN(2), labels.Unknown
		if i%3 == 0 {
			known[i] = class[i]
		}
		for j := range d {
			x.Set(i, j, rng.NormFloat64()*float64(1+class[i]))
		}
	}
	return x, class, known
}

// right is the share of the rows without a label that have their class.
func right(got, class, known []int) float64 {
	n, hits := 0, 0
	for i, k := range known {
		if k < 0 {
			n++
			if got[i] == class[i] {
				hits++
			}
		}
	}
	return float64(hits) / float64(n)
}

// TestClassesThatNoLineDivides: a class around another, and the squares of a chequered board.
func TestClassesThatNoLineDivides(t *testing.T) {
	x, class, known := shells(600, 20, 1)
	m := must.Get(Fit(t.Context(), x, known, 2, Options{}))(t)
	if r := right(m.Labels, class, known); r < 0.95 {
		t.Errorf("a class around another: %.3f right", r)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 600 {
		a, b := 2*rng.Float64(), 2*rng.Float64()
		x.SetRow(i, append([]float64{a, b}, make([]float64, 18)...))
		if class[i] = (int(a) + int(b)) % 2; known[i] >= 0 {
			known[i] = class[i]
		}
	}
	m = must.Get(Fit(t.Context(), x, known, 2, Options{}))(t)
	if r := right(m.Labels, class, known); r < 0.95 {
		t.Errorf("a chequered board: %.3f right", r)
	}
}

// TestLeftOut: the values of rows that are left out in closed form are those of fits without them.
func TestLeftOut(t *testing.T) {
	const n, sigma, ridge = 24, 9.0, 0.05
	x, class, _ := shells(n, 3, 5)
	class[0] = 2 // the only one of its class, which is not judged
	dist := must.Get(distances(t.Context(), must.Get(pairs.New(t.Context(), x))(t)))(t)
	got := must.Get(leaveOut(dist, class, 3, sigma, []float64{ridge}))(t)
	sum := 0.0
	for out := 1; out < n; out++ {
		var rest []int
		var of []int
		for i := range n {
			if i != out {
				rest, of = append(rest, i), append(of, class[i])
			}
		}
		own := mat.NewDense(n-1, 3, nil)
		for q, i := range rest {
			own.SetRow(q, x.RawRowView(i))
		}
		near := must.Get(distances(t.Context(), must.Get(pairs.New(t.Context(), own))(t)))(t)
		p := must.Get(choice{sigma: sigma, ridge: ridge, sharpness: got.sharpness}.solve(own, near, of, 3))(t)
		f := must.Get(p.Scores(t.Context(), mat.NewDense(1, 3, x.RawRowView(out))))(t)
		total := 0.0
		for _, v := range f.RawRowView(0) {
			total += math.Exp(v)
		}
		sum += f.At(0, class[out]) - math.Log(total)
	}
	if want := sum / (n - 1); math.Abs(got.leftOut-want) > 1e-9*math.Abs(want) {
		t.Errorf("log likelihood %.12g, of fits without each row %.12g", got.leftOut, want)
	}
}

// TestOneLabelOfEachClass: labels that are alone in their classes take the mean squared distance as
// width, and rows have the class of the nearest label. The narrowest width was taken, or another
// end of the grid.
func TestOneLabelOfEachClass(t *testing.T) {
	x := mat.NewDense(5, 2, []float64{0, 0, 4, 0, 0, 4, 10, 1, 2, 12})
	m := must.Get(Fit(t.Context(), x, []int{0, 1, 2, labels.Unknown, labels.Unknown}, 3, Options{}))(t)
	if mean := 64.0 / 3; math.Abs(m.Options.Sigma-mean) > 1e-9*mean || m.Options.Ridge != ridges[0] || math.Abs(m.LeftOut+math.Log(3)) > 1e-12 {
		t.Errorf("σ %v, λ %v, left out %v", m.Options.Sigma, m.Options.Ridge, m.LeftOut)
	}
	if !slices.Equal(m.Labels, []int{0, 1, 2, 1, 2}) {
		t.Errorf("classes %v", m.Labels)
	}
}

// TestOptimum: with f = φ(x)·w + b the errors e = y − f of the labelled rows sum to 0, for the
// penalty on b is none, and are λ times the coefficients, the gradient of the rest.
func TestOptimum(t *testing.T) {
	x, class, known := shells(90, 4, 7)
	m := must.Get(Fit(t.Context(), x, known, 2, Options{Sigma: 6, Ridge: 0.2}))(t)
	p := m.Placer().Machines
	f := must.Get(p.Decision(t.Context(), x))(t)
	q, tau := 0, m.Sharpness
	sums := make([]float64, 2)
	for i, k := range known {
		if k < 0 {
			continue
		}
		for c := range 2 {
			y := 0.0
			if class[i] == c {
				y = 1
			}
			e := y - f.At(i, c)/tau
			sums[c] += e
			if want := 0.2 * p.Coefficients.At(q, c) / tau; math.Abs(e-want) > 1e-12 {
				t.Fatalf("row %d, class %d: error %v, λ times its coefficient %v", i, c, e, want)
			}
		}
		q++
	}
	for c, s := range sums {
		if math.Abs(s) > 1e-11 {
			t.Errorf("errors of class %d sum to %v", c, s)
		}
	}
}

// TestEdges: two documents, constant columns and rows that are all the same give finite
// probabilities, and rows that differ by a factor the same ones.
func TestEdges(t *testing.T) {
	for name, x := range map[string]*mat.Dense{
		"two documents": mat.NewDense(2, 2, []float64{1, 0, 0, 1}),
		"constant":      mat.NewDense(4, 3, []float64{1, 5, 0, 2, 5, 0, 3, 5, 0, 4, 5, 0}),
		"all the same":  mat.NewDense(4, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2}),
		"zero":          mat.NewDense(4, 2, nil),
	} {
		n, _ := x.Dims()
		known := []int{0, 1, labels.Unknown, labels.Unknown}[:n]
		base := must.Get(Fit(t.Context(), x, known, 2, Options{}))(t)
		for _, scale := range []float64{1, 1e-100, 1e100} {
			var scaled mat.Dense
			scaled.Scale(scale, x)
			m, err := Fit(t.Context(), &scaled, known, 2, Options{})
			if err != nil {
				t.Errorf("%s times %g: %v", name, scale, err)
				continue
			}
			for i, p := range m.Posterior.RawMatrix().Data {
				if math.IsNaN(p) || math.Abs(p-base.Posterior.RawMatrix().Data[i]) > 1e-6 {
					t.Errorf("%s times %g: probabilities %.6v, not %.6v", name, scale, m.Posterior.RawMatrix().Data, base.Posterior.RawMatrix().Data)
					break
				}
			}
		}
	}
}

// TestClassesInTurn: of more labelled rows than are looked at every class has some, whatever the
// order of the rows: here they are in turn, and two are of a class of their own.
func TestClassesInTurn(t *testing.T) {
	x, class, known := shells(2*mostLooked+100, 20, 4)
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range class {
		if class[i] = i % 2; i%400 == 0 {
			class[i] = 2
		}
		for j := range 20 {
			x.Set(i, j, rng.NormFloat64()*float64(1+class[i]%2)+float64(9*(class[i]/2)))
		}
		if known[i] = labels.Unknown; i < 2*mostLooked || i%400 == 0 {
			known[i] = class[i]
		}
	}
	m := must.Get(Fit(t.Context(), x, known, 3, Options{}))(t)
	if r := right(m.Labels, class, known); r < 0.95 {
		t.Errorf("%.3f right", r)
	}
	if m.LeftOut < -0.4 {
		t.Errorf("labels left out have a mean log probability of %.3f", m.LeftOut)
	}
}

// TestManyLabels: more labelled rows than the system takes are thinned out evenly, and every
// document still has its class.
func TestManyLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("a system of 2,000 rows")
	}
	x, class, known := shells(mostUsed+700, 10, 3)
	for i := range mostUsed + 100 {
		known[i] = class[i]
	}
	m := must.Get(Fit(t.Context(), x, known, 2, Options{}))(t)
	if r := right(m.Labels, class, known); m.Used != mostUsed || r < 0.93 {
		t.Errorf("%d rows in the system, %.3f right", m.Used, r)
	}
}

func TestSameOnThreads(t *testing.T) {
	x, _, known := shells(500, 6, 9)
	paralleltest.Same(t, "kernel ridge", []int{1, 2, 7}, func() []float64 {
		return must.Get(Fit(t.Context(), x, known, 2, Options{}))(t).Posterior.RawMatrix().Data
	})
}

func TestRefusals(t *testing.T) {
	x, _, known := shells(12, 2, 1)
	for name, c := range map[string]struct {
		x     mat.Matrix
		known []int
		opt   Options
	}{
		"no rows":    {nil, known, Options{}},
		"labels":     {x, known[:3], Options{}},
		"sigma":      {x, known, Options{Sigma: 1e-320}},
		"ridge":      {x, known, Options{Ridge: -1}},
		"rounding":   {x, known, Options{Ridge: 1e-18, Sigma: 1e6}},
		"not finite": {mat.NewDense(2, 1, []float64{1, math.NaN()}), []int{0, 1}, Options{}},
		"squares":    {mat.NewDense(2, 1, []float64{1, 1e200}), []int{0, 1}, Options{}},
	} {
		if _, err := Fit(t.Context(), c.x, c.known, 2, c.opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	each := make([]int, mostUsed+1)
	for i := range each {
		each[i] = i
	}
	if _, err := Fit(t.Context(), mat.NewDense(len(each), 1, nil), each, len(each), Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("more classes than rows in the system: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Fit(ctx, x, known, 2, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
