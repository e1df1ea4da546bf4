package nmf

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// literalSubproblem is Lin's program nlssubprob (2007, appendix B.2) word for word on dense
// matrices: min over H ≥ 0 of ½‖V − W·H‖². alpha is the first step to try; the last one tried comes
// back.
func literalSubproblem(v, w, h *mat.Dense, tol, alpha float64) (*mat.Dense, int, float64) {
	var wtv, wtw mat.Dense
	wtv.Mul(w.T(), v)
	wtw.Mul(w.T(), w)
	sum := func(a, b mat.Matrix) float64 {
		var p mat.Dense
		p.MulElem(a, b)
		return mat.Sum(&p)
	}
	for iter := 1; iter <= 1000; iter++ {
		var grad mat.Dense
		grad.Mul(&wtw, h)
		grad.Sub(&grad, &wtv)
		pg := 0.0
		for i, g := range grad.RawMatrix().Data {
			if g < 0 || h.RawMatrix().Data[i] > 0 {
				pg += g * g
			}
		}
		if math.Sqrt(pg) < tol {
			return h, iter, alpha
		}
		var decrease bool
		var last *mat.Dense
		for inner := 1; inner <= 20; inner++ {
			var hn, d, q mat.Dense
			hn.Scale(-alpha, &grad)
			hn.Add(h, &hn)
			hn.Apply(func(_, _ int, x float64) float64 { return math.Max(x, 0) }, &hn)
			d.Sub(&hn, h)
			q.Mul(&wtw, &d)
			good := 0.99*sum(&grad, &d)+0.5*sum(&q, &d) < 0
			if inner == 1 {
				decrease, last = !good, h
			}
			if decrease {
				if good {
					h = &hn
					break
				}
				alpha *= 0.1
			} else {
				if !good || mat.Equal(last, &hn) {
					h = last
					break
				}
				alpha /= 0.1
				last = &hn
			}
		}
	}
	return h, 1000, alpha
}

// literalLin is Lin's program nmf (appendix B.1) for so many iterations; with carry, subproblems
// begin with the last step of the one before, else with 1. It returns the objectives.
func literalLin(x, w, h *mat.Dense, iterations int, carry bool) []float64 {
	var r, gw, gh mat.Dense
	r.Mul(w, h)
	r.Sub(&r, x)
	gw.Mul(&r, h.T())
	gh.Mul(w.T(), &r)
	start := math.Hypot(mat.Norm(&gw, 2), mat.Norm(&gh, 2))
	tolW, tolH, alphaW, alphaH := 0.001*start, 0.001*start, 1.0, 1.0
	f := []float64{square(x, w, h)}
	xt := mat.DenseCopyOf(x.T())
	for range iterations {
		if !carry {
			alphaW, alphaH = 1, 1
		}
		wt, iter, a := literalSubproblem(xt, mat.DenseCopyOf(h.T()), mat.DenseCopyOf(w.T()), tolW, alphaW)
		w, alphaW = mat.DenseCopyOf(wt.T()), a
		if iter == 1 {
			tolW *= 0.1
		}
		h, iter, alphaH = literalSubproblem(x, w, h, tolH, alphaH)
		if iter == 1 {
			tolH *= 0.1
		}
		f = append(f, square(x, w, h))
	}
	return f
}

// startFor draws factors, and puts the largest entry of x into [1, 4), where the fast form takes it
// unscaled.
func startFor(x *mat.Dense, k int, seed uint64) (w, h *mat.Dense) {
	x.Scale(1.5/mat.Max(x), x)
	n, m := x.Dims()
	rng := rand.New(rand.NewPCG(seed, 6))
	draw := func(r, c int) *mat.Dense {
		d := mat.NewDense(r, c, nil)
		d.Apply(func(_, _ int, _ float64) float64 { return 1 - rng.Float64() }, d)
		return d
	}
	return draw(n, k), draw(k, m)
}

func TestLiteralLin(t *testing.T) {
	for seed := range uint64(8) {
		x := random(14, 11, 0.9, seed)
		w, h := startFor(x, 3, seed)
		const iterations = 12
		m := must.Get(Fit(ctx, csr(t, x), Options{Dims: 3, Weighting: Plain, StartW: w, StartH: h, MaxIter: iterations, Tol: 1e-12, Solver: ProjectedGradient}))(t)
		want := literalLin(x, w, h, iterations, true)
		for i, f := range m.History {
			if math.Abs(f-want[i]) > 1e-8*want[i] {
				t.Fatalf("seed %d: objective %v after %d iterations, literally %v", seed, f, i, want[i])
			}
		}
		// Steps that begin at 1 each time end at the same objective, or another local minimum near
		// it.
		restarted := literalLin(x, w, h, 60, false)
		long := must.Get(Fit(ctx, x, Options{Dims: 3, Weighting: Plain, StartW: w, StartH: h, MaxIter: 60, Tol: 1e-12, Solver: ProjectedGradient}))(t)
		if f := restarted[60]; long.Objective > 1.05*f {
			t.Errorf("seed %d: objective %v, with Lin's first steps %v", seed, long.Objective, f)
		}
	}
}

// The multiplicative updates and one sweep of coordinate descent, as their papers write them.
func TestLiteralUpdates(t *testing.T) {
	x := random(14, 11, 0.9, 3)
	startW, startH := startFor(x, 3, 3)
	const iterations = 15
	w, h := mat.DenseCopyOf(startW), mat.DenseCopyOf(startH)
	ratio := func(f, up, down *mat.Dense) {
		f.Apply(func(i, j int, v float64) float64 { return v * up.At(i, j) / down.At(i, j) }, f)
	}
	want := []float64{square(x, w, h)}
	for range iterations {
		var up, down mat.Dense
		up.Mul(x, h.T())
		down.Product(w, h, h.T())
		ratio(w, &up, &down)
		up.Reset()
		down.Reset()
		up.Mul(w.T(), x)
		down.Product(w.T(), w, h)
		ratio(h, &up, &down)
		want = append(want, square(x, w, h))
	}
	m := must.Get(Fit(ctx, x, Options{Dims: 3, Weighting: Plain, StartW: startW, StartH: startH, MaxIter: iterations, Tol: 1e-12, Solver: Multiplicative}))(t)
	for i, f := range m.History {
		if math.Abs(f-want[i]) > 1e-10*want[i] {
			t.Fatalf("multiplicative: objective %v after %d iterations, literally %v", f, i, want[i])
		}
	}

	// One row, one sweep: each coefficient becomes the minimiser with the others fixed.
	var gram, p mat.Dense
	gram.Mul(startH, startH.T())
	p.Mul(x, startH.T())
	for i := range 14 {
		literal := append([]float64(nil), startW.RawRowView(i)...)
		f := append([]float64(nil), literal...)
		g := make([]float64, 3)
		for j := range 3 {
			g[j] = mat.Dot(gram.RowView(j), mat.NewVecDense(3, f)) - p.At(i, j)
		}
		for j := range 3 {
			s := p.At(i, j)
			for t := range 3 {
				if t != j {
					s -= gram.At(j, t) * literal[t]
				}
			}
			literal[j] = math.Max(0, s/gram.At(j, j))
		}
		halsRow(f, g, gram.RawMatrix())
		for j := range 3 {
			if math.Abs(f[j]-literal[j]) > 1e-12 {
				t.Fatalf("sweep over row %d gives %v, literally %v", i, f, literal)
			}
			if left := mat.Dot(gram.RowView(j), mat.NewVecDense(3, f)) - p.At(i, j); math.Abs(left-g[j]) > 1e-12 {
				t.Fatalf("gradient of row %d is kept as %v, is %v", i, g[j], left)
			}
		}
	}
}
