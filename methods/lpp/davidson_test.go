package lpp

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// large forces the way of data without a small Gram matrix.
func large(opt Options) Options {
	opt.most = 1
	return opt
}

// The way of large data finds what LAPACK finds, to the tolerance: any shape, duplicated, zero and
// constant columns, isolated documents, any ridge.
func TestPropertyDavidsonAgainstLAPACK(t *testing.T) {
	ways := map[eigen.Solver]int{} // with ridges of 0.1 and more: now and then the space ends early, and exact regressions take over
	defer func() {
		if all := ways[Davidson] + ways[eigen.Lanczos]; 10*ways[Davidson] < 9*all {
			t.Errorf("solved by %v", ways)
		}
	}()
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 15))
		n, p := 2+rng.IntN(60), 1+rng.IntN(60)
		hostile := rng.IntN(2) == 0
		x := rowsOf(rng, n, p, hostile && p > 2)
		gr := graphOf(nil, rng, n, hostile)
		if len(gr.Isolated) == n {
			t.Skip("no edge")
		}
		opt := with(Options{Dims: 1 + rng.IntN(4)}, math.Pow(10, float64(rng.IntN(7)-4)), rng.IntN(2) == 0)
		want, err := FitGraph(ctx, x, Of(gr), with(Options{Dims: opt.Dims, Solver: eigen.Dense}, *opt.Ridge, *opt.Center))
		if errors.Is(err, fs.ErrInvalid) {
			return // fewer directions than asked for; where rounding draws the line may differ
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			m, err := FitGraph(ctx, in, Of(gr), large(opt))
			if err != nil {
				t.Fatalf("%d×%d %+v: %v", n, p, opt, err)
			}
			if *opt.Ridge >= 0.1 {
				ways[m.Stats.Solver]++
			}
			for j, v := range m.Values {
				if math.Abs(v-want.Values[j]) > 1e-9 {
					t.Fatalf("%d×%d %+v: λ = %v, LAPACK finds %v", n, p, opt, m.Values, want.Values)
				}
				if m.Residuals[j] > 1e-7 {
					t.Fatalf("residuals %v", m.Residuals)
				}
			}
		}
	})
}

// Many small parts of faint documents have all the eigenvalues 1 of the graph, which the ridge
// brings down; what is wanted lies in a part that the graph ranks behind all of them, and that no
// vector of the start meets.
func TestLookoutFindsWhatTheStartIsBlindTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 15))
	const pairs, core = 60, 80
	n := 2*pairs + core
	b, w := sparse.NewBuilder(n, pairs+20), sparse.NewBuilder(n, n)
	for i := range pairs {
		for side := range 2 {
			b.Add(2*i+side, 20+i, 0.05)
		}
		w.Add(2*i, 2*i+1, 1)
		w.Add(2*i+1, 2*i, 1)
	}
	for i := 2 * pairs; i < n; i++ {
		for j := range 20 {
			b.Add(i, j, 3*rng.NormFloat64())
		}
		for j := 2 * pairs; j < i; j++ {
			v := 0.1 + rng.Float64()
			w.Add(i, j, v)
			w.Add(j, i, v)
		}
	}
	x := must.Get(b.Build())(t)
	a := must.Get(w.Build())(t)
	g := must.Get(graph.FromAffinity(a))(t)
	opt := with(Options{Dims: 3}, 1, false)
	want := fit(t, x, Of(g), with(Options{Dims: 3, Solver: eigen.Dense}, 1, false))
	m := fit(t, x, Of(g), large(opt))
	for j, v := range m.Values {
		if math.Abs(v-want.Values[j]) > 1e-9 {
			t.Errorf("λ_%d = %v, LAPACK finds %v", j, v, want.Values[j])
		}
	}
}

// A corpus in small: topics with words of their own and common ones, more terms than documents.
func corpusOf(rng *rand.Rand, n, p, topics int) *sparse.CSR {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		seen := map[int]bool{}
		for range 20 {
			j := int(float64(p) * math.Pow(rng.Float64(), 3))
			if rng.IntN(2) == 0 {
				j = (j/topics)*topics + i%topics
			}
			if j < p && !seen[j] {
				seen[j] = true
				b.Add(i, j, 1+float64(rng.IntN(3)))
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

func TestDavidsonThreadsScaleAndCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 15))
	x := corpusOf(rng, 400, 900, 8)
	g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 7}))(t)
	defer native.SetThreads(0)
	opt := large(with(Options{Dims: 6}, 0.3, true))
	opt.most = 30 << 20
	opt.Solver = ""
	slim := func(o Options) *Model {
		t.Helper()
		p := o
		p.most = 1
		return fit(t, x, Of(g), p)
	}
	native.SetThreads(1)
	first := slim(opt)
	native.SetThreads(3)
	if !mat.Equal(first.Embedding, slim(opt).Embedding) {
		t.Error("the bits depend on the threads")
	}
	dense := opt
	dense.Solver, dense.most = eigen.Dense, 0
	want := fit(t, x, Of(g), dense)
	if gap := apart(first.Embedding, want.Embedding, g.Degrees); gap > 1e-6 {
		// Not D-orthonormal with a ridge, so compare column by column.
		for j := range 6 {
			for i := range 400 {
				if math.Abs(first.Embedding.At(i, j)-want.Embedding.At(i, j)) > 1e-6 {
					t.Fatalf("document %d, coordinate %d: %v, LAPACK %v", i, j, first.Embedding.At(i, j), want.Embedding.At(i, j))
				}
			}
		}
	}
	for _, scale := range []float64{0x1p-480, 0x1p480} {
		by := make([]float64, 400)
		for i := range by {
			by[i] = scale
		}
		o := opt
		o = with(o, *opt.Ridge*scale*scale, *opt.Center)
		o.most = 1
		m := fit(t, x.ScaleRows(by), Of(g), o)
		for j, v := range m.Values {
			if math.Abs(v-first.Values[j]) > 1e-10 {
				t.Errorf("scale %g: λ_%d = %v, was %v", scale, j, v, first.Values[j])
			}
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	count := 0
	o := opt
	o.most = 1
	o.Observer = func(progress.Event) {
		if count++; count == 4 {
			cancel()
		}
	}
	if _, err := FitGraph(stopped, x, Of(g), o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
