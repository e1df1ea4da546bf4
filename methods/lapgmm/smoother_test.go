package lapgmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// randomGraph has weights between 0.1 and 1, or all 1, and may be disconnected, with isolated
// nodes.
func randomGraph(t *rapid.T, n int) *graph.Graph {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	density := rapid.Float64Range(0, 0.4).Draw(t, "density")
	binary := rapid.Bool().Draw(t, "binary")
	w := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i {
			if rng.Float64() < density {
				v := 0.1 + 0.9*rng.Float64()
				if binary {
					v = 1
				}
				w.Set(i, j, v)
				w.Set(j, i, v)
			}
		}
	}
	ptr := make([]int, 1, n+1)
	var cols []int32
	var vals []float64
	for i := range n {
		for j := range n {
			if v := w.At(i, j); v > 0 {
				cols, vals = append(cols, int32(j)), append(vals, v)
			}
		}
		ptr = append(ptr, len(cols))
	}
	a := must.Get(sparse.NewCSR(n, n, ptr, cols, vals))(t)
	g := must.Get(graph.FromAffinity(a))(t)
	return g
}

// posteriors are random rows that sum to one; some are certain.
func posteriors(n, k int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 2))
	p := mat.NewDense(n, k, nil)
	for i := range n {
		row := p.RawRowView(i)
		row[rng.IntN(k)] = 0.5
		if rng.IntN(3) > 0 {
			for j := range row {
				row[j] += rng.Float64()
			}
		}
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return p
}

// literalPenalty is eq. (5)'s first line, summed over the components.
func literalPenalty(g *graph.Graph, f *mat.Dense) float64 {
	n, k := f.Dims()
	total := 0.0
	for c := range k {
		for i := range n {
			for j := range n {
				d := f.At(i, c) - f.At(j, c)
				total += d * d * g.W.At(i, j) / 2
			}
		}
	}
	return total
}

// fixedPoint is (1−γ)(I − γD⁻¹W)⁻¹P by LAPACK.
func fixedPoint(t interface{ Fatal(...any) }, g *graph.Graph, p *mat.Dense, gamma float64) *mat.Dense {
	n, k := p.Dims()
	a, scaled := mat.NewDense(n, n, nil), mat.NewDense(n, k, nil)
	for i := range n {
		a.Set(i, i, 1)
		cols, vals := g.W.Row(i)
		for e, c := range cols {
			a.Set(i, int(c), -gamma*vals[e]/g.Degrees[i])
		}
		for c := range k {
			if scaled.Set(i, c, (1-gamma)*p.At(i, c)); g.Degrees[i] == 0 {
				scaled.Set(i, c, p.At(i, c))
			}
		}
	}
	var want mat.Dense
	must.Do(t, want.Solve(a, scaled))
	return &want
}

// The series against LAPACK: (1−γ)(I − γD⁻¹W)⁻¹P, several γ at once; isolated rows stay as they
// are.
func TestFixedPointAgainstInverse(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		g := randomGraph(t, n)
		p := posteriors(n, k, rapid.Uint64().Draw(t, "posteriors"))
		gamma := rapid.SliceOfN(rapid.Float64Range(1e-3, 0.9999), 1, 4).Draw(t, "gamma")
		to := make([]*mat.Dense, len(gamma))
		for j := range to {
			to[j] = mat.NewDense(n, k, nil)
		}
		s := newSmoother(g, k)
		must.Do(t, s.restart(ctx, p, gamma, to))
		for j, y := range gamma {
			want := fixedPoint(t, g, p, y)
			if !mat.EqualApprox(to[j], want, 1e-6) {
				t.Fatalf("γ = %v: %v, want %v", y, mat.Formatted(to[j]), mat.Formatted(want))
			}
			for i := range n {
				sum := 0.0
				for c, v := range to[j].RawRowView(i) {
					sum += v
					if v < 0 || g.Degrees[i] == 0 && v != p.At(i, c) {
						t.Fatalf("row %d is %v", i, to[j].RawRowView(i))
					}
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("row %d sums to %v", i, sum)
				}
			}
		}
	})
}

// One application of eq. (12), literally; it never raises the penalty on a graph of equal degrees,
// and keeps rows that sum to one.
func TestLiteralStep(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(2, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		g := randomGraph(t, n)
		p := posteriors(n, k, rapid.Uint64().Draw(t, "posteriors"))
		gamma := rapid.Float64Range(0.05, 1).Draw(t, "gamma")
		to := mat.NewDense(n, k, nil)
		must.Do(t, newSmoother(g, k).step(ctx, p, gamma, to))
		for i := range n {
			for c := range k {
				want := p.At(i, c)
				if g.Degrees[i] > 0 {
					sum := 0.0
					for j := range n {
						sum += g.W.At(i, j) * p.At(j, c)
					}
					want = (1-gamma)*want + gamma*sum/g.Degrees[i]
				}
				if math.Abs(to.At(i, c)-want) > 1e-7 {
					t.Fatalf("(%d, %d) is %v, want %v", i, c, to.At(i, c), want)
				}
			}
		}
	})
}

func TestPenaltyAgainstDoubleSum(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "k")
		g := randomGraph(t, n)
		f := posteriors(n, k, rapid.Uint64().Draw(t, "posteriors"))
		got := must.Get(newSmoother(g, k).penalty(ctx, f))(t)
		if want := literalPenalty(g, f); math.Abs(got-want) > 1e-12*(1+want) {
			t.Errorf("%v, double sum %v", got, want)
		}
	})
}

// The degrees that the documentation names.
func TestDegrees(t *testing.T) {
	for _, c := range []struct {
		gamma  float64
		degree int
	}{{0.5, 16}, {0.9, 44}, {0.99, 146}} {
		if d := newSeries(c.gamma).degree; d != c.degree {
			t.Errorf("γ = %v takes %d products, not %d", c.gamma, d, c.degree)
		}
	}
}

// On a path whose gaps grow, weights fall by orders from point to point, and the series alone is
// far off at its light end.
func TestFixedPointOfSteepWeights(t *testing.T) {
	for _, n := range []int{8, 12, 16, 20} {
		x := mat.NewDense(n, 1, nil)
		for i := 1; i < n; i++ {
			x.Set(i, 0, x.At(i-1, 0)+2*math.Sqrt(float64(i)))
		}
		g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 2, Weight: graph.Heat, HeatWidth: 1}))(t)
		gamma := []float64{0.5, 0.75, 0.875, 0.99}
		p, to := posteriors(n, 2, 1), make([]*mat.Dense, len(gamma))
		for j := range to {
			to[j] = mat.NewDense(n, 2, nil)
		}
		s := newSmoother(g, 2)
		must.Do(t, s.restart(ctx, p, gamma, to))
		for j, y := range gamma {
			if want := fixedPoint(t, g, p, y); !mat.EqualApprox(to[j], want, 1e-6) {
				t.Errorf("%d points, γ = %v: %v, want %v", n, y, mat.Formatted(to[j]), mat.Formatted(want))
			}
		}
		if s.products > 300 {
			t.Errorf("%d points: %d products", n, s.products)
		}
	}
}

// A point whose degree is so small that its inverse is no number.
func TestSubnormalDegree(t *testing.T) {
	x := mat.NewDense(13, 1, nil)
	for i := range 12 {
		x.Set(i, 0, float64(i%6)*0.3+float64(i/6)*8)
	}
	x.Set(12, 0, 9.5+math.Sqrt(720))
	for _, schedule := range []Schedule{Restart, Literal} {
		opt := Options{K: 2, Schedule: schedule, Lambda: 10, Graph: graph.Options{Neighbors: 2, Weight: graph.Heat, HeatWidth: 1}}
		m := fit(t, x, opt)
		check(t, m, x, opt)
	}
}
