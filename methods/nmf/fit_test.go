package nmf

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var (
	ctx     = context.Background()
	solvers = []Solver{ProjectedGradient, Multiplicative, HALS}
)

// random draws an n×m matrix, a share of it above zero.
func random(n, m int, share float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 4))
	x := mat.NewDense(n, m, nil)
	x.Apply(func(_, _ int, _ float64) float64 {
		if rng.Float64() < share {
			return rng.ExpFloat64()
		}
		return 0
	}, x)
	return x
}

// texts draws n sparse unit rows of about length words from k topics.
func texts(tb testing.TB, n, m, length, k int, seed uint64) (*sparse.CSR, []int) {
	rng := rand.New(rand.NewPCG(seed, 5))
	b := sparse.NewBuilder(n, m)
	topics := make([]int, n)
	for i := range n {
		topics[i] = rng.IntN(k)
		for range length {
			word := int(float64(m) * math.Pow(rng.Float64(), 3)) // frequent words first
			if rng.IntN(4) > 0 {
				word = (topics[i]*m/k + word/k) % m
			}
			b.Add(i, word, 1)
		}
	}
	a := must.Get(b.Build())(tb)
	return a.NormalizeRows(), topics
}

func csr(tb interface{ Fatal(...any) }, x mat.Matrix) *sparse.CSR {
	a := must.Get(sparse.FromMatrix(x))(tb)
	return a
}

// weighted returns the matrix that a model factorises, dense.
func weighted(x mat.Matrix, m *Model) *mat.Dense {
	y := mat.DenseCopyOf(x)
	if m.Weights != nil {
		y.Apply(func(i, _ int, v float64) float64 { return v * m.Weights[i] }, y)
	}
	return y
}

// square returns ½‖x − W·H‖², entry by entry.
func square(x, w, h *mat.Dense) float64 {
	var r mat.Dense
	r.Mul(w, h)
	r.Sub(x, &r)
	f := mat.Norm(&r, 2)
	return f * f / 2
}

// checkModel verifies what holds for every model.
func checkModel(t interface{ Fatalf(string, ...any) }, x mat.Matrix, m *Model) {
	y := weighted(x, m)
	n, k := m.W.Dims()
	whole := math.Pow(mat.Norm(y, 2), 2)
	for _, f := range []*mat.Dense{m.W, m.H} {
		for _, v := range f.RawMatrix().Data {
			if !(v >= 0) || math.IsInf(v, 1) {
				t.Fatalf("a factor holds %v", v)
			}
		}
	}
	for j := range k {
		if l := mat.Norm(m.H.RowView(j), 2); l != 0 && math.Abs(l-1) > 1e-12 {
			t.Fatalf("topic %d has length %v", j, l)
		}
	}
	if literal := square(y, m.W, m.H); math.Abs(literal-m.Objective) > 1e-12*whole {
		t.Fatalf("objective %v, entry by entry %v of ‖X‖² = %v", m.Objective, literal, whole)
	}
	if last := m.History[len(m.History)-1]; last != m.Objective || len(m.History) != m.Iterations+1 {
		t.Fatalf("history of %d ends with %v after %d iterations, objective %v", len(m.History), last, m.Iterations, m.Objective)
	}
	for i := 1; i < len(m.History); i++ {
		if m.History[i] > m.History[i-1]+1e-14*whole {
			t.Fatalf("objective rises from %v to %v at iteration %d of ‖X‖² = %v", m.History[i-1], m.History[i], i, whole)
		}
	}
	sizes := make([]int, k)
	unplaced := m.Unplaced
	for i, l := range m.Labels {
		row := m.W.RawRowView(i)
		if best := slices.Max(row); row[l] != best || slices.Index(row, best) != l {
			t.Fatalf("row %d has label %d of coefficients %v", i, l, row)
		} else if best > 0 {
			sizes[l]++
		} else if len(unplaced) == 0 || unplaced[0] != i {
			t.Fatalf("row %d is zero, but not told (%v)", i, m.Unplaced)
		} else {
			unplaced = unplaced[1:]
		}
	}
	if len(unplaced) > 0 || len(m.Labels) != n {
		t.Fatalf("unplaced %v, %d labels", m.Unplaced, len(m.Labels))
	}
	if !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) {
		t.Fatalf("topics are not by falling size: %v", sizes)
	}
}

// drawMatrix draws a small matrix with the troubles of real ones: empty rows and columns, equal
// rows, few entries, one large value.
func drawMatrix(t *rapid.T) *mat.Dense {
	n, m := rapid.IntRange(1, 25).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "m")
	x := random(n, m, rapid.SampledFrom([]float64{0.05, 0.3, 1}).Draw(t, "share"), rapid.Uint64().Draw(t, "entries"))
	switch rapid.SampledFrom([]string{"", "equal rows", "empty row", "empty column", "large"}).Draw(t, "trouble") {
	case "equal rows":
		for i := range n {
			x.SetRow(i, x.RawRowView(i%(1+n/3)))
		}
	case "empty row":
		x.SetRow(n/2, make([]float64, m))
	case "empty column":
		x.SetCol(m/2, make([]float64, n))
	case "large":
		x.Set(n/2, m/2, 1e6)
	}
	return x
}

func TestEveryModel(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := drawMatrix(t)
		n, m := x.Dims()
		opt := Options{
			Dims: rapid.IntRange(1, min(n, m)).Draw(t, "rank"), Restarts: 2, MaxIter: rapid.IntRange(1, 40).Draw(t, "iterations"),
			Solver:    rapid.SampledFrom(solvers).Draw(t, "solver"),
			Weighting: rapid.SampledFrom([]Weighting{Plain, NCW}).Draw(t, "weighting"),
			Seed:      rapid.Uint64().Draw(t, "seed"), Tol: 1e-5,
		}
		for _, a := range []mat.Matrix{x, csr(t, x), x.T()} {
			model := must.Get(Fit(ctx, a, opt))(t)
			checkModel(t, a, model)
			if opt.Solver != Multiplicative && model.Converged != (model.KKT <= 1e-5) {
				t.Fatalf("converged %v at KKT %v", model.Converged, model.KKT)
			}
		}
	})
}

func TestSparseLikeDense(t *testing.T) {
	x := random(60, 45, 1, 3) // no zeros inside: sweeps of HALS are counted by the entries that a storage has
	x.SetRow(17, make([]float64, 45))
	x.SetCol(20, make([]float64, 60))
	for _, solver := range solvers {
		for _, weighting := range []Weighting{Plain, NCW} {
			opt := Options{Dims: 5, Restarts: 1, MaxIter: 4, Solver: solver, Weighting: weighting}
			d := must.Get(Fit(ctx, x, opt))(t)
			checkModel(t, x, d)
			for _, same := range []mat.Matrix{csr(t, x), csr(t, x).ToBowman()} {
				s := must.Get(Fit(ctx, same, opt))(t)
				if !mat.EqualApprox(d.W, s.W, 1e-9*mat.Max(d.W)) || !mat.EqualApprox(d.H, s.H, 1e-9) {
					t.Errorf("%s, %s: sparse rows have other factors than dense ones", solver, weighting)
				}
			}
		}
	}
}

// At convergence, entries above zero have gradient zero and the others none below.
func TestKKTConditions(t *testing.T) {
	for seed := range uint64(6) {
		for _, solver := range []Solver{ProjectedGradient, HALS} {
			x := random(30, 22, 0.4, seed)
			m := must.Get(Fit(ctx, x, Options{Dims: 4, Weighting: Plain, Solver: solver, Restarts: 1, MaxIter: 20_000, Tol: 1e-9, Seed: seed}))(t)
			if !m.Converged {
				t.Errorf("%s, seed %d: KKT %g after %d iterations", solver, seed, m.KKT, m.Iterations)
			}
			var r, gw, gh mat.Dense
			r.Mul(m.W, m.H)
			r.Sub(&r, x)
			gw.Mul(&r, m.H.T())
			gh.Mul(m.W.T(), &r)
			limit := 1e-6 * mat.Norm(x, 2)
			for _, p := range []struct{ f, g *mat.Dense }{{m.W, &gw}, {m.H, &gh}} {
				for i, g := range p.g.RawMatrix().Data {
					f := p.f.RawMatrix().Data[i]
					if g < -limit || f > 0 && min(f, g) > limit {
						t.Errorf("%s, seed %d: entry %g has gradient %g", solver, seed, f, g)
					}
				}
			}
		}
	}
}

// A product of separable factors (each topic has a document and a word of its own) has no other
// factors of that rank.
func TestRecoversSeparableFactors(t *testing.T) {
	const k = 4
	w, h := random(40, k, 0.6, 1), random(k, 30, 0.6, 2)
	for j := range k {
		for t := range k {
			w.Set(j, t, 0)
			h.Set(t, j, 0)
		}
		w.Set(j, j, 1)
		h.Set(j, j, 1)
	}
	for j := range k {
		row := blas64.Vector{N: 30, Inc: 1, Data: h.RawRowView(j)}
		blas64.Scal(1/blas64.Nrm2(row), row)
	}
	var x mat.Dense
	x.Mul(w, h)
	for _, solver := range []Solver{ProjectedGradient, HALS} {
		m := must.Get(Fit(ctx, csr(t, &x), Options{Dims: k, Weighting: Plain, Solver: solver, Tol: 1e-9, MaxIter: 20_000, Restarts: 4}))(t)
		if m.Objective > 1e-12*math.Pow(mat.Norm(&x, 2), 2) {
			t.Errorf("%s: objective %g", solver, m.Objective)
		}
		for j := range k {
			nearest := math.Inf(1)
			for t := range k {
				var d mat.VecDense
				d.SubVec(h.RowView(j), m.H.RowView(t))
				nearest = min(nearest, mat.Norm(&d, 2))
			}
			if nearest > 1e-4 {
				t.Errorf("%s: topic %d is %g from the nearest one found", solver, j, nearest)
			}
		}
	}
}

func TestRankOneIsTheLeadingPair(t *testing.T) {
	x := random(20, 14, 0.5, 3)
	_, s, vt, err := native.Default().SVD(mat.DenseCopyOf(x).RawMatrix())
	if err != nil {
		t.Fatal(err)
	}
	rest := 0.0
	for _, v := range s[1:] {
		rest += v * v / 2
	}
	for _, solver := range solvers {
		m := must.Get(Fit(ctx, x, Options{Dims: 1, Weighting: Plain, Solver: solver, Tol: 1e-10, MaxIter: 5000}))(t)
		if math.Abs(m.Objective-rest) > 1e-12*(rest+s[0]*s[0]) {
			t.Errorf("%s: objective %v, half the other squared singular values %v", solver, m.Objective, rest)
		}
		for j := range 14 {
			if got, want := m.H.At(0, j), math.Abs(vt.Data[j]); math.Abs(got-want) > 1e-7 {
				t.Errorf("%s: column %d of the topic is %v, of the singular vector %v", solver, j, got, want)
			}
		}
	}
}

func TestNCWWeights(t *testing.T) {
	x := random(12, 9, 0.4, 5)
	x.SetRow(7, make([]float64, 9))
	n, _ := x.Dims()
	ones := mat.NewVecDense(n, nil)
	for i := range n {
		ones.SetVec(i, 1)
	}
	var gram mat.Dense
	var sums mat.VecDense
	gram.Mul(x, x.T())
	sums.MulVec(&gram, ones)
	for _, c := range []float64{1, 1e-140, 3e140} {
		var y mat.Dense
		y.Scale(c, x)
		m := must.Get(Fit(ctx, csr(t, &y), Options{Dims: 2, Weighting: NCW, Restarts: 1, MaxIter: 300, Tol: 1e-5}))(t)
		for i, got := range m.Weights {
			want := 1.0
			if i != 7 {
				want = 1 / math.Sqrt(sums.AtVec(i)) / c
			}
			if math.Abs(got-want) > 1e-13*want {
				t.Errorf("scale %g: weight %d is %v, want %v", c, i, got, want)
			}
		}
	}
}

func TestScaleDoesNotMatter(t *testing.T) {
	x := random(25, 18, 0.4, 6)
	for _, solver := range solvers {
		ref := must.Get(Fit(ctx, x, Options{Dims: 3, Weighting: Plain, Solver: solver, Restarts: 2, MaxIter: 50}))(t)
		for _, exponent := range []int{490, -490, 2} {
			var y mat.Dense
			y.Scale(math.Ldexp(1, exponent), x)
			m := must.Get(Fit(ctx, &y, Options{Dims: 3, Weighting: Plain, Solver: solver, Restarts: 2, MaxIter: 50}))(t)
			if !mat.Equal(m.H, ref.H) || m.Objective != math.Ldexp(ref.Objective, 2*exponent) || m.W.At(3, 1) != math.Ldexp(ref.W.At(3, 1), exponent) {
				t.Errorf("%s: data times 2^%d give another result", solver, exponent)
			}
		}
	}
}

func TestSameAtAnyThreadCount(t *testing.T) {
	a, _ := texts(t, 900, 3000, 25, 5, 1)
	for name, x := range map[string]mat.Matrix{"sparse": a, "dense": random(700, 300, 0.5, 2)} {
		for _, solver := range solvers {
			for _, restarts := range []int{1, 3} {
				paralleltest.Same(t, fmt.Sprint(name, solver, restarts), []int{1, 2, 5}, func() *Model { // 5 > Restarts: rows in parallel
					return must.Get(Fit(ctx, x, Options{Dims: 5, Solver: solver, Restarts: restarts, MaxIter: 6, Weighting: NCW, Seed: 8}))(t)
				})
			}
		}
	}
}

func TestBestOfTheRestarts(t *testing.T) {
	x := random(40, 30, 0.3, 9)
	var single []float64
	opt := Options{Dims: 6, Weighting: Plain, Restarts: 5, Seed: 4, MaxIter: 30}
	p, _, err := newProblem(ctx, nil, denseRows{x.RawMatrix()}, Plain, paddedWidth(6))
	if err != nil {
		t.Fatal(err)
	}
	opt = opt.withDefaults()
	r := newRun(p, 6, opt.Solver, 1, parallel.Serial)
	for at := range 5 {
		must.Do(t, r.start(ctx, at, opt))
		must.Do(t, r.factorise(ctx, opt, func(int) error { return nil }))
		single = append(single, r.objective()*p.scale*p.scale)
	}
	m := must.Get(Fit(ctx, x, opt))(t)
	if best := slices.Min(single); m.Objective != best || single[m.Restart] != best {
		t.Errorf("restart %d with %v won of %v", m.Restart, m.Objective, single)
	}
}

// HALS without a tolerance ends where ten iterations lower the objective by 1e-4 of the start's or
// less, and not before; with a tolerance it goes on.
func TestHALSEndsByDecrease(t *testing.T) {
	x := random(60, 45, 0.3, 5)
	m := must.Get(Fit(ctx, x, Options{Dims: 6, Weighting: Plain, Restarts: 1}))(t)
	h := m.History
	decrease := func(i int) float64 { return (h[i-decreaseOver] - h[i]) / h[0] }
	if last := len(h) - 1; !m.Converged || m.KKT <= 1e-4 || decrease(last) > 1e-4 || decrease(last-1) <= 1e-4 {
		t.Errorf("converged %v at %v of the start's gradient; the last decreases are %v and %v", m.Converged, m.KKT, decrease(last-1), decrease(last))
	}
	on := must.Get(Fit(ctx, x, Options{Dims: 6, Weighting: Plain, Restarts: 1, Tol: 1e-4}))(t)
	if on.Iterations <= m.Iterations || on.Objective >= m.Objective {
		t.Errorf("with a tolerance it ends after %d iterations, without one after %d", on.Iterations, m.Iterations)
	}
}

func TestFindsTopics(t *testing.T) {
	x, topics := texts(t, 600, 2000, 60, 5, 3)
	for _, solver := range solvers {
		for _, weighting := range []Weighting{Plain, NCW} {
			m := must.Get(Fit(ctx, x, Options{Dims: 5, Solver: solver, Weighting: weighting, Restarts: 3, MaxIter: 300, Tol: 1e-5}))(t)
			s := must.Get(metrics.Score(topics, m.Labels))(t)
			if s.Accuracy < 0.99 {
				t.Errorf("%s, %s: accuracy %v", solver, weighting, s.Accuracy)
			}
		}
	}
}

func ExampleFit() {
	x := mat.NewDense(5, 4, []float64{ // documents of two topics
		2, 1, 0, 0,
		0, 0, 1, 3,
		4, 2, 0, 0,
		0, 0, 2, 6,
		6, 3, 0, 0,
	})
	m, err := Fit(context.Background(), x, Options{Dims: 2, Weighting: Plain, Tol: 1e-8})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Labels, m.Converged)
	fmt.Printf("%.3f\n", mat.Formatted(m.H))
	// Output:
	// [0 1 0 1 0] true
	// ⎡0.894  0.447  0.000  0.000⎤
	// ⎣0.000  0.000  0.316  0.949⎦
}
