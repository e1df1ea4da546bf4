package labelprop

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
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// sample is a graph of n points whose weights span orders of magnitude, often in several components
// with isolated points, and labels of the classes.
func sample(n, classes int, edges float64, seed uint64) (*graph.Graph, []int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i {
			if rng.Float64()*float64(n) < edges {
				v := math.Pow(10, -3*rng.Float64())
				b.Add(i, j, v)
				b.Add(j, i, v)
			}
		}
	}
	w, err := b.Build()
	if err != nil {
		panic(err)
	}
	g, err := graph.FromAffinity(w)
	if err != nil {
		panic(err)
	}
	known := make([]int, n)
	for i, p := range rng.Perm(n) {
		known[p] = labels.Unknown
		if i < classes {
			known[p] = i
		} else if rng.IntN(5) == 0 {
			known[p] = rng.IntN(classes)
		}
	}
	return g, known
}

// literal solves the form's equation as it is written, dense, the novel class in the last column.
// Points in components without a label are their own neighbours alone in Zhu's form, whose matrix
// is singular otherwise; so are isolated points in all forms but Zhou's.
func literal(g *graph.Graph, known []int, classes int, opt Options) *mat.Dense {
	n := len(known)
	opt = opt.withDefaults()
	labelled := map[int32]bool{}
	for i, k := range known {
		if k != labels.Unknown {
			labelled[g.Component[i]] = true
		}
	}
	a, y := mat.NewDense(n, n, nil), mat.NewDense(n, classes+1, nil)
	for i, k := range known {
		alpha := opt.Alpha
		if opt.Form == Nie && k != labels.Unknown {
			alpha = opt.AlphaLabeled
		}
		if opt.Form == Zhu {
			alpha = 1
			if k != labels.Unknown {
				alpha = 0
			}
		}
		lonely := g.Degrees[i] == 0 || opt.Form != Zhou && !labelled[g.Component[i]] && alpha == 1
		if lonely && opt.Form != Zhou {
			alpha = 0
		}
		for j := range n {
			if d := g.Degrees[i]; d > 0 && opt.Form == Zhou {
				a.Set(i, j, -alpha*g.W.At(i, j)/math.Sqrt(d*g.Degrees[j]))
			} else if d > 0 {
				a.Set(i, j, -alpha*g.W.At(i, j)/d)
			}
		}
		a.Set(i, i, 1+a.At(i, i))
		if k == labels.Unknown {
			k = classes
		}
		y.Set(i, k, 1-alpha)
		if opt.Form == Zhou && k == classes {
			y.Set(i, k, 0)
		}
	}
	var f mat.Dense
	if err := f.Solve(a, y); err != nil {
		panic(err)
	}
	return &f
}

func formsOf(t *rapid.T) Options {
	opt := Options{Form: rapid.SampledFrom([]Form{Nie, Zhou, Zhu}).Draw(t, "form"), Tol: 1e-13}
	if opt.Form != Zhu {
		opt.Alpha = rapid.Float64Range(0.01, 0.99).Draw(t, "alpha")
	}
	if opt.Form == Nie {
		opt.AlphaLabeled = rapid.SampledFrom([]float64{0, 0, 0.1, 0.9}).Draw(t, "of labelled")
	}
	return opt
}

func TestIsTheClosedForm(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 4).Draw(t, "classes")
		n := rapid.IntRange(classes, 40).Draw(t, "n")
		g, known := sample(n, classes, rapid.Float64Range(0.5, 5).Draw(t, "edges"), rapid.Uint64().Draw(t, "seed"))
		opt := formsOf(t)
		want := literal(g, known, classes, opt)
		m := must.Get(FitGraph(ctx, g, known, classes, opt))(t)
		reached := map[int32]bool{}
		for i, k := range known {
			reached[g.Component[i]] = reached[g.Component[i]] || k != labels.Unknown
		}
		for i := range n {
			sum := 0.0
			for k := range classes {
				if d := m.F.At(i, k) - want.At(i, k); math.Abs(d) > 1e-10 {
					t.Fatalf("F(%d, %d) = %v, closed form %v", i, k, m.F.At(i, k), want.At(i, k))
				}
				sum += want.At(i, k)
			}
			if opt.Form == Nie && math.Abs(m.Novel[i]-want.At(i, classes)) > 1e-10 {
				t.Fatalf("novel class of %d: %v, closed form %v", i, m.Novel[i], want.At(i, classes))
			}
			for k := range classes {
				p := m.Posterior.At(i, k)
				switch {
				case !reached[g.Component[i]]:
					if p != m.Prior[k] || !slices.Contains(m.Unreached, i) {
						t.Fatalf("no label reaches %d, but its posterior is %v", i, m.Posterior.RawRowView(i))
					}
				case sum > 1e-6 && math.Abs(p-want.At(i, k)/sum) > 1e-10/sum*2:
					t.Fatalf("posterior of %d, %d is %v, not %v", i, k, p, want.At(i, k)/sum)
				}
			}
		}
		if m.Residual > opt.Tol*1.01 {
			t.Fatalf("residual %g", m.Residual)
		}
	})
}

func TestPosteriorsAreShares(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 60).Draw(t, "n")
		g, known := sample(n, 3, rapid.Float64Range(0.1, 4).Draw(t, "edges"), rapid.Uint64().Draw(t, "seed"))
		opt := formsOf(t)
		opt.Tol, opt.ClassMass = 0, rapid.Bool().Draw(t, "class mass")
		m := must.Get(FitGraph(ctx, g, known, 3, opt))(t)
		mass := make([]float64, 3)
		for i := range n {
			row := m.Posterior.RawRowView(i)
			if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-12 || slices.Min(row) < 0 {
				t.Fatalf("posterior of %d is %v", i, row)
			}
			if row[m.Labels[i]] != slices.Max(row) || slices.Index(row, slices.Max(row)) != m.Labels[i] {
				t.Fatalf("label of %d is %d of %v", i, m.Labels[i], row)
			}
			if opt.Form != Zhou && opt.AlphaLabeled == 0 && known[i] != labels.Unknown && (row[known[i]] != 1 || m.F.At(i, known[i]) != 1) {
				t.Fatalf("labelled document %d has %v", i, row)
			}
			if known[i] == labels.Unknown && !slices.Contains(m.Unreached, i) {
				for k := range mass {
					mass[k] += max(0, m.F.At(i, k))
				}
			}
		}
		if !opt.ClassMass {
			return
		}
		// Zhu et al. 2003, eq. 9.
		for i := range n {
			if known[i] != labels.Unknown || slices.Contains(m.Unreached, i) {
				continue
			}
			want, sum := make([]float64, 3), 0.0
			for k := range want {
				if mass[k] > 0 {
					want[k] = m.Prior[k] * max(0, m.F.At(i, k)) / mass[k]
				}
				sum += want[k]
			}
			for k := range want {
				if math.Abs(m.Posterior.At(i, k)-want[k]/sum) > 1e-9 {
					t.Fatalf("class mass: posterior of %d is %v, want %v/%v", i, m.Posterior.RawRowView(i), want, sum)
				}
			}
		}
	})
}

// Each unlabelled value of a harmonic function is the weighted mean of its neighbours', and none
// leaves the range of the labels.
func TestHarmonic(t *testing.T) {
	for seed := range uint64(5) {
		g, known := sample(400, 3, 4, seed)
		m := must.Get(FitGraph(ctx, g, known, 3, Options{Form: Zhu, Tol: 1e-13}))(t)
		for i := range known {
			if known[i] != labels.Unknown || slices.Contains(m.Unreached, i) {
				continue
			}
			cols, vals := g.W.Row(i)
			for k := range 3 {
				mean := 0.0
				for e, j := range cols {
					mean += vals[e] * m.F.At(int(j), k)
				}
				mean /= g.Degrees[i]
				if v := m.F.At(i, k); math.Abs(v-mean) > 1e-12 || v < -1e-10 || v > 1+1e-10 {
					t.Fatalf("point %d class %d: %v, mean of the neighbours %v", i, k, v, mean)
				}
			}
		}
	}
}

// Hitting probabilities of a walk on a path between two labels are linear.
func TestPathIsLinear(t *testing.T) {
	const n = 101
	b := sparse.NewBuilder(n, n)
	known := make([]int, n)
	for i := range n {
		known[i] = labels.Unknown
		if i > 0 {
			b.Add(i, i-1, 3)
			b.Add(i-1, i, 3)
		}
	}
	known[0], known[n-1] = 0, 1
	w, _ := b.Build()
	g := must.Get(graph.FromAffinity(w))(t)
	for _, opt := range []Options{{Form: Zhu}, {Form: Nie, Alpha: 1}} {
		m := must.Get(FitGraph(ctx, g, known, 2, opt))(t)
		for i := range n {
			if want := float64(i) / (n - 1); math.Abs(m.Posterior.At(i, 1)-want) > 1e-7 {
				t.Fatalf("%v: point %d has %v, want %v", opt.Form, i, m.Posterior.At(i, 1), want)
			}
		}
		if m.Labels[50] != 0 && math.Abs(m.Posterior.At(50, 0)-0.5) > 1e-7 {
			t.Errorf("the middle has %v", m.Posterior.RawRowView(50))
		}
	}
}

// Labels fade along a path: what is reported of far documents is right to a hundredth, or they are
// reported to be unreached.
func TestFarDocumentsAreRightOrUnreached(t *testing.T) {
	const n = 60
	b := sparse.NewBuilder(n, n)
	known := make([]int, n)
	for i := range n {
		known[i] = labels.Unknown
		for j := max(0, i-2); j < i; j++ {
			v := 1 / float64(1+(i*j)%7)
			b.Add(i, j, v)
			b.Add(j, i, v)
		}
	}
	known[4], known[5], known[6] = 0, 1, 1
	w, _ := b.Build()
	g := must.Get(graph.FromAffinity(w))(t)
	for _, opt := range []Options{{Alpha: 0.05}, {Alpha: 0.3, AlphaLabeled: 0.1}, {Form: Zhou, Alpha: 0.1}, {Form: Zhou, Alpha: 0.1, Solver: Iteration}} {
		m := must.Get(FitGraph(ctx, g, known, 2, opt))(t)
		want := literal(g, known, 2, opt)
		for i := range n {
			share := want.At(i, 0) / (want.At(i, 0) + want.At(i, 1))
			if slices.Contains(m.Unreached, i) {
				share = 1.0 / 3
			}
			if !(math.Abs(m.Posterior.At(i, 0)-share) < 0.01) {
				t.Errorf("%+v: posterior of %d is %v, want %v; F = %v", opt, i, m.Posterior.At(i, 0), share, m.F.RawRowView(i))
			}
		}
		if len(m.Unreached) == 0 || m.Unreached[0] < 8 {
			t.Errorf("%+v: unreached are %v", opt, m.Unreached)
		}
	}
}

// With α → 0 only direct neighbours count: F/α → P·Y for documents without a label, F → Y for the
// others.
func TestSmallAlpha(t *testing.T) {
	const alpha = 1e-7
	g, known := sample(200, 3, 4, 2)
	for _, form := range []Form{Nie, Zhou} {
		m := must.Get(FitGraph(ctx, g, known, 3, Options{Form: form, Alpha: alpha, Tol: 1e-15}))(t)
		for i, class := range known {
			want := make([]float64, 3)
			cols, vals := g.W.Row(i)
			for e, j := range cols {
				if k := known[j]; k != labels.Unknown {
					d := g.Degrees[i]
					if form == Zhou {
						d = math.Sqrt(d * g.Degrees[j])
					}
					want[k] += alpha * vals[e] / d
				}
			}
			for k := range want {
				if class != labels.Unknown && form == Nie {
					want[k] = 0
				}
				if k == class {
					want[k]++
				}
				if math.Abs(m.F.At(i, k)-want[k]) > 3*alpha*alpha*30+1e-14 && !(form == Zhou && k == class) {
					t.Fatalf("%s: F(%d, %d) = %v, first order %v", form, i, k, m.F.At(i, k), want[k])
				}
				if form == Zhou && k == class && math.Abs(m.F.At(i, k)-1) > 2*alpha {
					t.Fatalf("Zhou: F(%d, %d) = %v", i, k, m.F.At(i, k))
				}
			}
		}
	}
}

func TestIterationAgreesAndNeedsMoreProducts(t *testing.T) {
	g, known := sample(2000, 4, 5, 6)
	for _, opt := range []Options{{}, {AlphaLabeled: 0.3}, {Form: Zhou}, {Form: Zhou, Alpha: 0.5}, {Form: Zhu}} {
		opt.MaxIter = 100_000
		fast := must.Get(FitGraph(ctx, g, known, 4, opt))(t)
		opt.Solver = Iteration
		slow := must.Get(FitGraph(ctx, g, known, 4, opt))(t)
		if !mat.EqualApprox(fast.F, slow.F, 1e-7) {
			t.Errorf("%s: the two solvers differ", fast.Options.Form)
		}
		t.Logf("%s, alpha %v: %d products of conjugate gradients, %d of the iteration", fast.Options.Form, fast.Options.Alpha, fast.Iterations, slow.Iterations)
		if slow.Iterations < fast.Iterations {
			t.Errorf("%s: %d products of conjugate gradients, %d of the iteration", fast.Options.Form, fast.Iterations, slow.Iterations)
		}
	}
}

// A document of the graph that is attached anew by its own affinities gets the posterior that it
// has.
func TestPredictionOfTheGraphsOwnDocuments(t *testing.T) {
	g, known := sample(300, 3, 3, 3)
	for _, opt := range []Options{{}, {Form: Zhou}, {Form: Zhu}, {Form: Zhu, ClassMass: true}, {AlphaLabeled: 0.5, ClassMass: true}} {
		opt.Tol = 1e-14
		m := must.Get(FitGraph(ctx, g, known, 3, opt))(t)
		again, classes, err := m.Predict(&graph.Attachment{W: g.W})
		if err != nil {
			t.Fatal(err)
		}
		for i := range known {
			if known[i] != labels.Unknown {
				continue
			}
			for k := range 3 {
				if math.Abs(again.At(i, k)-m.Posterior.At(i, k)) > 1e-9 {
					t.Fatalf("%s: document %d has %v, predicted %v", m.Options.Form, i, m.Posterior.RawRowView(i), again.RawRowView(i))
				}
			}
			if p := m.Posterior.RawRowView(i); classes[i] != m.Labels[i] && p[m.Labels[i]]-p[classes[i]] > 1e-9 {
				t.Fatalf("%s: label of %d is %d, predicted %d", m.Options.Form, i, m.Labels[i], classes[i])
			}
		}
		// Equal documents have the posterior of the one they equal, whatever their affinities.
		same := make([]int, 300)
		for i := range same {
			same[i] = 299 - i
		}
		again, _, err = m.Predict(&graph.Attachment{W: g.W, Same: same})
		if err != nil || !slices.Equal(again.RawRowView(0), m.Posterior.RawRowView(299)) {
			t.Errorf("%v, %v", err, again.RawRowView(0))
		}
		none, _ := sparse.NewBuilder(1, 300).Build()
		if again, _, err = m.Predict(&graph.Attachment{W: none}); err != nil || !slices.Equal(again.RawRowView(0), m.Prior) {
			t.Errorf("%v, %v", err, again)
		}
		wide, _ := sparse.NewBuilder(1, 301).Build()
		if _, _, err = m.Predict(&graph.Attachment{W: wide}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("another graph: %v", err)
		}
	}
}

// Renumbering documents and classes renumbers the result.
func TestEquivariance(t *testing.T) {
	g, known := sample(150, 3, 3, 8)
	perm := rand.New(rand.NewPCG(1, 1)).Perm(150)
	turned := must.Get(graph.FromAffinity(g.W.SelectRows(perm).SelectCols(perm)))(t)
	other := make([]int, len(known))
	for i, p := range perm {
		other[i] = known[p]
		if other[i] >= 0 {
			other[i] = 2 - other[i]
		}
	}
	for _, form := range []Form{Nie, Zhou, Zhu} {
		a := must.Get(FitGraph(ctx, g, known, 3, Options{Form: form}))(t)
		b := must.Get(FitGraph(ctx, turned, other, 3, Options{Form: form}))(t)
		for i, p := range perm {
			for k := range 3 {
				if math.Abs(a.F.At(p, k)-b.F.At(i, 2-k)) > 1e-7 {
					t.Fatalf("%s: %v and %v", form, a.F.RawRowView(p), b.F.RawRowView(i))
				}
			}
		}
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	g, known := sample(3000, 5, 6, 4)
	for _, form := range []Form{Nie, Zhou, Zhu} {
		paralleltest.Same(t, form, []int{1, 2, 3}, func() *Model {
			return must.Get(FitGraph(ctx, g, known, 5, Options{Form: form}))(t)
		})
	}
}
