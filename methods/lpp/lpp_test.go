package lpp

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// rowsOf returns sparse rows, where asked with a zero column, a constant one and duplicated rows.
func rowsOf(rng *rand.Rand, n, p int, hostile bool) *sparse.CSR {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		for j := range p {
			switch {
			case hostile && j == 0:
			case hostile && j == 1:
				b.Add(i, j, 2)
			case rng.Float64() < 0.6:
				b.Add(i, j, rng.NormFloat64())
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	if hostile {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i - i%7%2
		}
		x = x.SelectRows(rows)
	}
	return x
}

// graphOf returns a random graph; where asked some points are isolated and the rest falls into two
// parts.
func graphOf(t testing.TB, rng *rand.Rand, n int, hostile bool) *graph.Graph {
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i {
			if hostile && (i%5 == 4 || j%5 == 4 || i%2 != j%2) || rng.Float64() > 0.4 {
				continue
			}
			w := 0.1 + rng.Float64()
			b.Add(i, j, w)
			b.Add(j, i, w)
		}
	}
	w, err := b.Build()
	if err == nil {
		var g *graph.Graph
		if g, err = graph.FromAffinity(w); err == nil {
			return g
		}
	}
	panic(err)
}

// weights writes W of any Graph out.
func weights(g Graph) *mat.Dense {
	n := len(g.Degrees())
	unit, w := panel.New(n, n), panel.New(n, n)
	for i := range n {
		unit.Data[i*n+i] = 1
	}
	g.MulBlock(w, unit)
	return mat.NewDense(n, n, w.Data)
}

// between returns XᵀMX of the rows that x has less their degree-weighted mean where asked.
func between(x mat.Matrix, m *mat.Dense) *mat.Dense {
	var a, b mat.Dense
	a.Mul(x.T(), m)
	b.Mul(&a, x)
	return &b
}

func centred(x mat.Matrix, weight []float64) *mat.Dense {
	y := mat.DenseCopyOf(x)
	n, p := y.Dims()
	for j := range p {
		mean, all := 0.0, 0.0
		for i := range n {
			mean += weight[i] * y.At(i, j)
			all += weight[i]
		}
		for i := range n {
			y.Set(i, j, y.At(i, j)-mean/all)
		}
	}
	return y
}

// with sets the ridge and the centring, whose zero values are defaults of their own.
func with(o Options, ridge float64, center bool) Options {
	o.Ridge, o.Center = &ridge, &center
	return o
}

func fit(t testing.TB, x mat.Matrix, g Graph, opt Options) *Model {
	t.Helper()
	m := must.Get(FitGraph(ctx, x, g, opt))(t)
	return m
}

// The definition, for every way through the data: XᵀWX·a = μ(XᵀDX + αI)a with matrices written out,
// directions orthonormal in the right-hand side, no larger μ left out, and the same values from
// sparse and dense data, LAPACK and operator.
func TestPropertyEquation(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		n, p := 6+rng.IntN(14), 3+rng.IntN(20)
		hostile := rng.IntN(2) == 0
		x := rowsOf(rng, n, p, hostile)
		gr := graphOf(nil, rng, n, hostile)
		if len(gr.Isolated) == n {
			t.Skip("no edge")
		}
		g := Of(gr)
		opt := with(Options{Dims: 2}, []float64{0, 0.3, 20}[rng.IntN(3)], rng.IntN(2) == 0)
		if rng.IntN(3) == 0 {
			opt.Which = eigen.Largest
		}
		var y mat.Matrix = x
		if *opt.Center {
			y = centred(x, g.Degrees())
		}
		d := mat.NewDense(n, n, nil)
		for i, v := range g.Degrees() {
			d.Set(i, i, v)
		}
		left, right := between(y, weights(g)), between(y, d)
		for i := range p {
			right.Set(i, i, right.At(i, i)+*opt.Ridge)
		}
		want := literal(left, right)
		if len(want) < 2 {
			t.Skip("the documents span one direction")
		}
		if *opt.Ridge > 0 && opt.Which != eigen.Largest && want[1] < 1e-3 {
			t.Skip("directions without documents, μ = 0, stand before those asked for")
		}
		var first *Model
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
				if solver == eigen.Lanczos && opt.Which == eigen.Largest {
					continue // −1 and a ridge's zeros stand at this end
				}
				o := opt
				o.Solver = solver
				m, err := FitGraph(ctx, in, g, o)
				if errors.Is(err, fs.ErrInvalid) {
					continue // the documents span fewer than two directions
				}
				if err != nil {
					t.Fatalf("%s: %v", solver, err)
				}
				for j, v := range m.Values {
					if opt.Which != eigen.Largest && math.Abs(1-v-want[j]) > 1e-7 {
						t.Fatalf("%s: μ_%d = %v, want %v (n=%d p=%d %+v)", solver, j, 1-v, want[j], n, p, opt)
					}
					if m.Residuals[j] > 1e-6 {
						t.Fatalf("%s: residual %g", solver, m.Residuals[j])
					}
				}
				checkEquation(t, solver, m, left, right)
				if first == nil {
					first = m
				}
				for j, v := range m.Values {
					if math.Abs(v-first.Values[j]) > 1e-7 {
						t.Fatalf("%s: λ_%d = %v and %v", solver, j, v, first.Values[j])
					}
				}
			}
		}
	})
}

// literal returns the values μ of left·a = μ·right·a on the range of right, the largest first.
func literal(left, right *mat.Dense) []float64 {
	p, _ := left.Dims()
	var e mat.EigenSym
	s := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			s.SetSym(i, j, right.At(i, j))
		}
	}
	e.Factorize(s, true)
	var v mat.Dense
	e.VectorsTo(&v)
	values := e.Values(nil)
	first := 0
	for first < p && !(values[first] > 1e-10*values[p-1]) {
		first++
	}
	rank := p - first
	if rank == 0 {
		return nil
	}
	w := mat.NewDense(p, rank, nil)
	for j := range rank {
		for i := range p {
			w.Set(i, j, v.At(i, first+j)/math.Sqrt(values[first+j]))
		}
	}
	m := between(w, left)
	s = mat.NewSymDense(rank, nil)
	for i := range rank {
		for j := range i + 1 {
			s.SetSym(i, j, m.At(i, j))
		}
	}
	e.Factorize(s, false)
	values = e.Values(nil)
	slices.Reverse(values)
	return values
}

// Theorem 1: where every vector of documents is X·a for some a, the values are the eigenvalues of
// the graph itself and the embedding spans its eigenvectors.
func TestTheorem1(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, size := range [][2]int{{30, 90}, {40, 40}} {
		x := rowsOf(rng, size[0], size[1], false)
		g := graphOf(t, rng, size[0], false)
		p := must.Get(g.Pencil())(t)
		want := must.Get(p.Solve(ctx, eigen.Options{K: 6, Tol: 1e-12}))(t)
		for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
			m := fit(t, x, Of(g), with(Options{Dims: 6, Solver: solver, Tol: 1e-10}, 0, false))
			for j, v := range m.Values {
				if math.Abs(v-want.Values[j]) > 1e-9 {
					t.Errorf("%s: λ_%d = %v, the graph's is %v", solver, j, v, want.Values[j])
				}
			}
			if gap := apart(m.Embedding, want.Vectors, g.Degrees); gap > 1e-8 {
				t.Errorf("%s: sine of the largest angle %g", solver, gap)
			}
		}
	}
}

// apart is the sine of the largest angle between two spans, both D-orthonormal.
func apart(a, b *mat.Dense, degrees []float64) float64 {
	scale := func(v *mat.Dense) *mat.Dense {
		s := mat.DenseCopyOf(v)
		s.Apply(func(i, _ int, x float64) float64 { return math.Sqrt(degrees[i]) * x }, s)
		return s
	}
	u, v := scale(a), scale(b)
	var ut, rest mat.Dense
	ut.Mul(u.T(), v)
	rest.Mul(u, &ut)
	rest.Sub(v, &rest)
	return mat.Norm(&rest, 2)
}

// The largest end of the PCA graph with unit directions is principal component analysis, on either
// side of n and p and by either way.
func TestPCAGraphGivesPCA(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 9))
	for _, size := range [][2]int{{40, 15}, {15, 40}} {
		x := rowsOf(rng, size[0], size[1], false)
		want := must.Get(pca.Fit(ctx, x, pca.Options{Dims: 4}))(t)
		for _, centre := range []bool{true, false} {
			for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
				if solver == eigen.Dense && !centre && size[0] < size[1] {
					continue // unit directions in the span of the documents, which the mean widens: another span
				}
				m := fit(t, x, PCAGraph(size[0]), with(Options{Dims: 4, Constraint: Identity, Which: eigen.Largest, Solver: solver, Tol: 1e-12}, 0, centre))
				for j, v := range m.Values {
					if s := want.Singular[j]; math.Abs(v-s*s) > 1e-9*v {
						t.Errorf("%s: λ_%d = %v, the scatter is %v", solver, j, v, s*s)
					}
				}
				var d mat.Dense
				d.Sub(m.Projection, want.Components.T())
				if mat.Norm(&d, 2) > 1e-7 {
					t.Errorf("%s, %v: components differ by %g", solver, size, mat.Norm(&d, 2))
				}
				if centre {
					d.Reset()
					d.Sub(m.Embedding, want.Embedding)
					if mat.Norm(&d, 2) > 1e-7 {
						t.Errorf("%s: coordinates differ by %g", solver, mat.Norm(&d, 2))
					}
				}
			}
		}
	}
}

func TestTermSideAgreesWithLAPACKPencil(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	x := rowsOf(rng, 60, 12, false)
	g := Of(graphOf(t, rng, 60, false))
	d := mat.NewDense(60, 60, nil)
	for i, v := range g.Degrees() {
		d.Set(i, i, v)
	}
	left, right := between(x, weights(g)), between(x, d)
	for i := range 12 {
		right.Set(i, i, right.At(i, i)+0.5)
	}
	sym := func(m *mat.Dense) blas64.Symmetric {
		return blas64.Symmetric{N: 12, Stride: 12, Data: mat.DenseCopyOf(m).RawMatrix().Data, Uplo: blas.Upper}
	}
	values, _, err := native.Default().SymDefEig(sym(left), sym(right), native.EigRange{}, false)
	if err != nil {
		t.Fatal(err)
	}
	m := fit(t, x, g, with(Options{Dims: 12}, 0.5, false))
	for j, v := range m.Values {
		if math.Abs(1-v-values[11-j]) > 1e-10 {
			t.Errorf("μ_%d = %v, dsygvd gives %v", j, 1-v, values[11-j])
		}
	}
}

// One direction alone equals the dense solver's.
func TestOneDirectionByOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 10))
	x := rowsOf(rng, 40, 15, false)
	g := Of(graphOf(t, rng, 40, false))
	opt := with(Options{Dims: 1}, 0.5, true)
	opt.Solver = eigen.Dense
	want := fit(t, x, g, opt)
	opt.Solver = eigen.Lanczos
	got := fit(t, x, g, opt)
	if math.Abs(got.Values[0]-want.Values[0]) > 1e-9 {
		t.Errorf("λ is %v, the dense solver gives %v", got.Values[0], want.Values[0])
	}
	a, b := got.Projection.ColView(0), want.Projection.ColView(0)
	if c := math.Abs(mat.Dot(a, b)) / mat.Norm(a, 2) / mat.Norm(b, 2); c < 1-1e-9 {
		t.Errorf("the directions have cosine %v", c)
	}
}

func TestIsolatedDocumentsTakeNoPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	x := rowsOf(rng, 30, 8, false)
	g := graphOf(t, rng, 30, true)
	var kept []int
	for i, d := range g.Degrees {
		if d > 0 {
			kept = append(kept, i)
		}
	}
	if len(g.Isolated) == 0 {
		t.Fatal("the graph should have isolated points")
	}
	without := must.Get(graph.FromAffinity(g.W.SelectRows(kept).SelectCols(kept)))(t)
	for _, centre := range []bool{false, true} {
		a := fit(t, x, Of(g), with(Options{Dims: 3}, 0, centre))
		b := fit(t, x.SelectRows(kept), Of(without), with(Options{Dims: 3}, 0, centre))
		var d mat.Dense
		d.Sub(a.Projection, b.Projection)
		if mat.Norm(&d, 2) > 1e-8*mat.Norm(a.Projection, 2) {
			t.Errorf("centred %v: directions differ by %g", centre, mat.Norm(&d, 2))
		}
	}
}

func TestSameBitsAtAnyNumberOfThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 19))
	x := rowsOf(rng, 120, 70, true)
	g := Of(graphOf(t, rng, 120, false))
	defer native.SetThreads(0)
	for _, opt := range []Options{
		with(Options{Dims: 3}, 1, false), with(Options{Dims: 3, Solver: eigen.Lanczos}, 1, false),
		with(Options{Dims: 3, Constraint: Identity, Which: eigen.Largest, Solver: eigen.Lanczos}, 0, false),
	} {
		native.SetThreads(1)
		want := fit(t, x, g, opt).Embedding
		native.SetThreads(3)
		if !mat.Equal(want, fit(t, x, g, opt).Embedding) {
			t.Errorf("%+v: the bits depend on the threads", opt)
		}
	}
}

func TestTransformHugeAndFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 29))
	x := rowsOf(rng, 50, 20, true)
	m := must.Get(Fit(ctx, x, with(Options{Dims: 3}, 0.1, true)))(t)
	y := must.Get(m.Transform(ctx, x.SelectRows([]int{4, 9})))(t)
	for j := range 3 {
		if math.Abs(y.At(1, j)-m.Embedding.At(9, j)) > 1e-12 {
			t.Errorf("coordinate %d of document 9: %v, was %v", j, y.At(1, j), m.Embedding.At(9, j))
		}
	}
	g := Of(graphOf(t, rng, 50, false))
	by := make([]float64, 50)
	for i := range by {
		by[i] = 0x1p300
	}
	for _, opt := range []Options{with(Options{Dims: 2}, 0, false), with(Options{Dims: 2, Constraint: Identity, Which: eigen.Largest}, 0, false)} {
		plain, huge := fit(t, x, g, opt), fit(t, x.ScaleRows(by), g, opt)
		factor, value := 1.0, 1.0
		if opt.Constraint == Identity {
			factor, value = 0x1p300, 0x1p600
		}
		for j := range 2 {
			if math.Abs(huge.Values[j]/value-plain.Values[j]) > 1e-10*(1+math.Abs(plain.Values[j])) {
				t.Errorf("λ = %v and %v", huge.Values[j], plain.Values[j])
			}
			if math.Abs(huge.Embedding.At(3, j)/factor-plain.Embedding.At(3, j)) > 1e-8 {
				t.Errorf("coordinates %v and %v", huge.Embedding.At(3, j), plain.Embedding.At(3, j))
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 39))
	x := rowsOf(rng, 12, 30, true)
	g := Of(graphOf(t, rng, 12, false))
	empty := sparse.NewBuilder(12, 12)
	w, _ := empty.Build()
	none := must.Get(graph.FromAffinity(w))(t)
	one := make([]int, 12)
	if _, err := ClassGraph(one, 1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("one class: %v", err)
	}
	for name, run := range map[string]func() error{
		"options": func() error {
			_, err := FitGraph(ctx, x, g, with(Options{Constraint: "none"}, -1, false))
			return err
		},
		"ridge of unit directions": func() error {
			_, err := FitGraph(ctx, x, g, with(Options{Dims: 1, Constraint: Identity}, 1, false))
			return err
		},
		"no matrix": func() error { _, err := FitGraph(ctx, nil, g, with(Options{Dims: 1}, 0, false)); return err },
		"sizes":     func() error { _, err := FitGraph(ctx, x, PCAGraph(11), with(Options{Dims: 1}, 0, false)); return err },
		"no edge":   func() error { _, err := FitGraph(ctx, x, Of(none), with(Options{Dims: 1}, 0, false)); return err },
		"too many":  func() error { _, err := FitGraph(ctx, x, g, with(Options{Dims: 12}, 0, false)); return err },
		"too many, operator": func() error {
			_, err := FitGraph(ctx, x, g, with(Options{Dims: 12, Solver: eigen.Lanczos}, 0, false))
			return err
		},
		"far too many": func() error { _, err := FitGraph(ctx, x, g, with(Options{Dims: 13}, 0, false)); return err },
		"smallest, unit, iter": func() error {
			_, err := FitGraph(ctx, x, g, with(Options{Dims: 1, Constraint: Identity, Solver: eigen.Lanczos}, 0, false))
			return err
		},
		"unfitted": func() error { _, err := new(Model).Transform(ctx, x); return err },
	} {
		if err := run(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
		if _, err := FitGraph(cancelled, x, g, with(Options{Dims: 2, Solver: solver}, 0, false)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", solver, err)
		}
	}
}

// Two equal documents, centred, leave nothing but rounding, which is no direction.
func TestEqualDocuments(t *testing.T) {
	b, w := sparse.NewBuilder(3, 4), sparse.NewBuilder(3, 3)
	for i := range 3 {
		for j := range 4 {
			b.Add(i, j, 0.1*float64(j+1)+float64(i/2)) // the third differs and is isolated
		}
	}
	w.Add(0, 1, 0.3)
	w.Add(1, 0, 0.3)
	x := must.Get(b.Build())(t)
	a := must.Get(w.Build())(t)
	g := must.Get(graph.FromAffinity(a))(t)
	if m, err := FitGraph(ctx, x, Of(g), with(Options{Dims: 1}, 0, true)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%+v %v", m, err)
	}
}

// checkEquation checks the directions of a model against left·a = μ·right·a.
func checkEquation(t *rapid.T, solver eigen.Solver, m *Model, left, right *mat.Dense) {
	a := m.Projection
	var ka, aka, wa, rest mat.Dense
	ka.Mul(right, a)
	aka.Mul(a.T(), &ka)
	wa.Mul(left, a)
	for i := range 2 {
		for j := range 2 {
			unit := 0.0
			if i == j {
				unit = 1
			}
			if math.Abs(aka.At(i, j)-unit) > 1e-6 {
				t.Fatalf("%s: aᵀKa = %v", solver, mat.Formatted(&aka))
			}
		}
	}
	rest.Apply(func(_, j int, v float64) float64 { return v * (1 - m.Values[j]) }, &ka)
	rest.Sub(&wa, &rest)
	if r := mat.Norm(&rest, 2); r > 1e-6*(1+mat.Norm(&ka, 2)) {
		t.Fatalf("%s: ‖XᵀWXa − μKa‖ = %g", solver, r)
	}
}
