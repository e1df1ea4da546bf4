package gmm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var (
	ctx    = context.Background()
	shapes = []Covariance{Full, Tied, Diagonal, Spherical}
)

// blobs draws n rows around k centres with covariances of their own.
func blobs(n, d, k int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 5))
	normal := func(r, c int, scale float64) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return scale * rng.NormFloat64() }, m)
		return m
	}
	centres := normal(k, d, spread)
	mix := make([]*mat.Dense, k)
	for j := range mix {
		mix[j] = normal(d, d, 0.5/math.Sqrt(float64(d)))
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		j := rng.IntN(k)
		var row mat.VecDense
		row.MulVec(mix[j], normal(d, 1, 1).ColView(0))
		for t := range d {
			x.Set(i, t, centres.At(j, t)+row.AtVec(t)+0.5*rng.NormFloat64())
		}
	}
	return x
}

// responsibilities draws a random n×k matrix whose rows sum to one, about half of it zeros.
func responsibilities(n, k int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 6))
	r := mat.NewDense(n, k, nil)
	for i := range n {
		row := r.RawRowView(i)
		sum := 0.0
		row[rng.IntN(k)] = 0.1
		for j := range row {
			if rng.IntN(2) == 0 {
				row[j] += rng.Float64()
			}
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return r
}

func fitOK(t interface{ Fatal(...any) }, x mat.Matrix, opt Options) *Model {
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

// near says whether a and b agree to tol relative to scale.
func near(a, b, tol, scale float64) bool { return math.Abs(a-b) <= tol*scale }

// literalMStep is eq. (13)-(15), written out; without a ridge.
func literalMStep(x, r *mat.Dense, kind Covariance) (weights []float64, means *mat.Dense, cov []*mat.SymDense) {
	n, d := x.Dims()
	_, k := r.Dims()
	means = mat.NewDense(k, d, nil)
	weights = make([]float64, k)
	counts := make([]float64, k)
	total := 0.0
	for j := range k {
		for i := range n {
			counts[j] += r.At(i, j)
			for t := range d {
				means.Set(j, t, means.At(j, t)+r.At(i, j)*x.At(i, t))
			}
		}
		total += counts[j]
		for t := range d {
			if counts[j] == 0 {
				break
			}
			means.Set(j, t, means.At(j, t)/counts[j])
		}
	}
	tied := mat.NewSymDense(d, nil)
	for j := range k {
		weights[j] = counts[j] / total
		c := mat.NewSymDense(d, nil)
		cov = append(cov, c)
		if counts[j] == 0 {
			continue
		}
		trace := 0.0
		for a := range d {
			for b := a; b < d; b++ {
				s := 0.0
				for i := range n {
					s += r.At(i, j) * (x.At(i, a) - means.At(j, a)) * (x.At(i, b) - means.At(j, b))
				}
				tied.SetSym(a, b, tied.At(a, b)+s/total)
				if s /= counts[j]; a == b {
					trace += s
				}
				if kind == Full || kind == Tied || a == b {
					c.SetSym(a, b, s)
				}
			}
		}
		if kind == Spherical {
			for a := range d {
				c.SetSym(a, a, trace/float64(d))
			}
		}
	}
	if kind == Tied {
		for j := range cov {
			cov[j] = tied
		}
	}
	return weights, means, cov
}

// literalJoint is log(α_k p_k(x_i)) by gonum's Cholesky and solves, one point at a time.
func literalJoint(t interface{ Fatal(...any) }, x *mat.Dense, m *Mixture) *mat.Dense {
	n, d := x.Dims()
	k, _ := m.Dims()
	out := mat.NewDense(n, k, nil)
	for j := range k {
		var c mat.Cholesky
		if !c.Factorize(m.Covariance(j)) {
			t.Fatal("not positive definite")
		}
		for i := range n {
			var diff, solved mat.VecDense
			diff.SubVec(x.RowView(i), m.Means.RowView(j))
			if err := c.SolveVecTo(&solved, &diff); err != nil {
				if _, ok := err.(mat.Condition); !ok {
					t.Fatal(err)
				}
			}
			out.Set(i, j, math.Log(m.Weights[j])-0.5*(float64(d)*math.Log(2*math.Pi)+c.LogDet()+mat.Dot(&diff, &solved)))
		}
	}
	return out
}

func TestMStepIsTheLiteralFormula(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 90).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "d")
		k := rapid.IntRange(1, min(5, n)).Draw(t, "k")
		kind := rapid.SampledFrom(shapes).Draw(t, "shape")
		seed := rapid.Uint64().Draw(t, "seed")
		x, r := blobs(n, d, k, 2, seed), responsibilities(n, k, seed)
		ridge := rapid.SampledFrom([]float64{1e-3, 0.1, 5}).Draw(t, "ridge")
		absolute := rapid.Bool().Draw(t, "absolute")
		if rapid.Bool().Draw(t, "not summing to one") {
			r.Scale(3, r)
		}
		opt := Options{K: k, Covariance: kind, Ridge: number(ridge)}
		if absolute {
			opt.RidgeKind = RidgeAbsolute
		}
		m := must.Get(FromResponsibilities(ctx, x, r, opt))(t)
		// The mean variance, and pseudo-observations, by their definitions.
		s2 := 0.0
		_, _, all := literalMStep(x, mat.NewDense(n, 1, ones(n)), Full)
		for a := range d {
			s2 += all[0].At(a, a) / float64(d)
		}
		w, means, cov := literalMStep(x, r, kind)
		for j := range k {
			count, nu := mat.Sum(r.ColView(j)), ridge*float64(n)/float64(k)
			if kind == Tied {
				count, nu = mat.Sum(r), ridge*float64(n)
			}
			if counted := mat.Sum(r.ColView(j)); counted == 0 {
				if !m.Lost[j] || m.Weights[j] != 0 {
					t.Fatalf("component %d without responsibilities is not lost", j)
				}
				continue
			}
			scale, add := count/(count+nu), nu*s2/(count+nu)
			if absolute {
				scale, add = 1, ridge
			}
			if !near(m.Ridge[j], add, 1e-12, add) {
				t.Fatalf("ridge %v, want %v", m.Ridge[j], add)
			}
			if !near(m.Weights[j], w[j], 1e-12, 1) {
				t.Fatalf("weight %v, want %v", m.Weights[j], w[j])
			}
			c := m.Covariance(j)
			for a := range d {
				if !near(m.Means.At(j, a), means.At(j, a), 1e-11, 10) {
					t.Fatalf("mean %v, want %v", m.Means.At(j, a), means.At(j, a))
				}
				for b := range d {
					want := cov[j].At(a, b) * scale
					if a == b {
						want += add
					}
					if !near(c.At(a, b), want, 1e-11, s2+ridge) {
						t.Fatalf("covariance (%d, %d) of component %d is %v, want %v", a, b, j, c.At(a, b), want)
					}
				}
			}
		}
	})
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Densities, posteriors, normalisers and the penalty against gonum's Cholesky; dimensions on both
// sides of every block length.
func TestEStepIsTheLiteralFormula(t *testing.T) {
	for _, kind := range shapes {
		for _, d := range []int{1, 5, 31, 32, 33, 64, 70, 130} {
			n, k := 150, 3
			x := blobs(n, d, k, 0.7, uint64(d))
			e := must.Get(NewEstimator(ctx, x, Options{K: k, Covariance: kind, Ridge: number(1e-3)}))(t)
			m := e.NewMixture()
			must.Do(t, e.MStep(ctx, responsibilities(n, k, 1), m))
			want := literalJoint(t, x, m)
			joint := must.Get(m.LogJoint(ctx, x))(t)
			p := mat.NewDense(n, k, nil)
			logLik := must.Get(e.EStep(ctx, m, p))(t)
			total := 0.0
			for i := range n {
				sum := 0.0
				top := slices.Max(want.RawRowView(i))
				for j := range k {
					if !near(joint.At(i, j), want.At(i, j), 1e-10, 1+math.Abs(want.At(i, j))) {
						t.Fatalf("%s, d = %d: log-density %v, literally %v", kind, d, joint.At(i, j), want.At(i, j))
					}
					sum += math.Exp(want.At(i, j) - top)
				}
				for j := range k {
					if q := math.Exp(want.At(i, j)-top) / sum; !near(p.At(i, j), q, 1e-9, 1) {
						t.Fatalf("%s, d = %d: posterior %v, literally %v", kind, d, p.At(i, j), q)
					}
				}
				total += top + math.Log(sum)
			}
			if !near(logLik, total, 1e-11, math.Abs(total)+float64(n)) {
				t.Fatalf("%s, d = %d: log-likelihood %v, literally %v", kind, d, logLik, total)
			}
			penalty := 0.0
			for j := range k {
				var inv mat.Dense
				must.Do(t, inv.Inverse(m.Covariance(j)))
				logDet, _ := mat.LogDet(m.Covariance(j))
				if !near(m.LogDet(j), logDet, 1e-11, 1+math.Abs(logDet)) {
					t.Fatalf("%s, d = %d: log|Σ| %v, literally %v", kind, d, m.LogDet(j), logDet)
				}
				penalty += 1e-3 * float64(n) / float64(k) / 2 * (logDet + e.MeanVariance()*mat.Trace(&inv))
			}
			if got := logLik - e.Objective(m, logLik); !near(got, penalty, 1e-8, math.Abs(penalty)) {
				t.Fatalf("%s, d = %d: penalty %v, literally %v", kind, d, got, penalty)
			}
		}
	}
}

// One component is the sample mean and covariance, whatever the start.
func TestOneComponentIsTheSample(t *testing.T) {
	x := blobs(70, 6, 2, 3, 1)
	_, means, _ := literalMStep(x, mat.NewDense(70, 1, ones(70)), Full)
	for _, kind := range shapes {
		_, _, cov := literalMStep(x, mat.NewDense(70, 1, ones(70)), kind)
		m := fitOK(t, x, Options{K: 1, Covariance: kind, Ridge: number(0)})
		if !mat.EqualApprox(m.Means, means, 1e-13) || !mat.EqualApprox(m.Covariance(0), cov[0], 1e-12) {
			t.Errorf("%s: mean or covariance is not the sample's", kind)
		}
		// log-likelihood of a Gaussian at its own estimate: −n/2 (d log 2π + log|Σ| + d).
		want := -35 * (6*math.Log(2*math.Pi) + m.LogDet(0) + 6)
		if !near(m.LogLikelihood, want, 1e-12, math.Abs(want)) {
			t.Errorf("%s: log-likelihood %v, in closed form %v", kind, m.LogLikelihood, want)
		}
		p := map[Covariance]float64{Full: 6 + 21, Tied: 6 + 21, Diagonal: 12, Spherical: 7}[kind]
		if got := m.AIC + 2*m.LogLikelihood; !near(got, 2*p, 1e-12, 1e3) {
			t.Errorf("%s: AIC counts %v parameters, want %v", kind, got/2, p)
		}
		if got := m.BIC + 2*m.LogLikelihood; !near(got, p*math.Log(70), 1e-12, 1e3) {
			t.Errorf("%s: BIC penalty %v", kind, got)
		}
	}
}

// hard is data on which covariances degenerate.
func hard(t *rapid.T) (x *mat.Dense, what string) {
	n, d := rapid.IntRange(2, 50).Draw(t, "n"), rapid.IntRange(1, 8).Draw(t, "d")
	seed := rapid.Uint64().Draw(t, "seed")
	what = rapid.SampledFrom([]string{"blobs", "points", "duplicates", "wide", "constant", "equal", "offset"}).Draw(t, "what")
	rng := rand.New(rand.NewPCG(seed, 7))
	if what == "wide" {
		d = n + rapid.IntRange(1, 40).Draw(t, "more columns")
	}
	x = blobs(n, d, 3, 3, seed)
	for i := range n {
		switch what {
		case "points": // clusters that are points, among noise
			if i%3 > 0 {
				x.SetRow(i, constant(d, float64(i%3)))
			}
		case "duplicates":
			x.SetRow(i, x.RawRowView(rng.IntN(n)))
		case "constant":
			x.Set(i, 0, 7)
			x.Set(i, d-1, -1e3)
		case "equal":
			x.SetRow(i, constant(d, 0.1))
		case "offset":
			for j := range d {
				x.Set(i, j, x.At(i, j)+1e5)
			}
		}
	}
	return x, what
}

func constant(d int, v float64) []float64 {
	row := make([]float64, d)
	for j := range row {
		row[j] = v
	}
	return row
}

// The objective never falls, on data where likelihoods have no bound; and all that a model promises
// holds.
func TestMonotone(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x, what := hard(t)
		n, _ := x.Dims()
		k := rapid.SampledFrom([]int{1, min(2, n), min(3, n), n}).Draw(t, "k")
		kind := rapid.SampledFrom(shapes).Draw(t, "shape")
		opt := Options{K: k, Covariance: kind, Tol: 1e-12, MaxIter: 40, KMeansRestarts: 1, Seed: rapid.Uint64().Draw(t, "start"),
			Ridge: rapid.SampledFrom([]*float64{nil, number(1e-9), number(1e-3), number(1)}).Draw(t, "ridge")}
		m := fitOK(t, x, opt)
		for i, b := range m.History[1:] {
			a := m.History[i]
			// Log-densities are sums of d terms as large as the data's spread by the ridge: their
			// rounding, with means exact to the data's.
			tol := 1e-9 * (1 + math.Abs(a.LogLikelihood) + math.Abs(a.Objective))
			if !b.Raised && b.Objective < a.Objective-tol {
				t.Fatalf("%s %s: objective fell from %v to %v (%v)", what, kind, a.Objective, b.Objective, b.Objective-a.Objective)
			}
		}
		checkModel(t, x, m, k)
	})
}

func checkModel(t interface{ Fatalf(string, ...any) }, x *mat.Dense, m *Model, k int) {
	n, _ := x.Dims()
	sizes := make([]int, k)
	for i, label := range m.Labels {
		row := m.Posterior.RawRowView(i)
		sum := 0.0
		for _, v := range row {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("posterior %v", v)
			}
			sum += v
		}
		if !near(sum, 1, 1e-12, float64(k)) || label != slices.Index(row, slices.Max(row)) {
			t.Fatalf("posterior of row %d: %v, label %d", i, row, label)
		}
		sizes[label]++
	}
	weight := 0.0
	for j := range k {
		weight += m.Weights[j]
		if sizes[j] != m.Sizes[j] || j > 0 && sizes[j] > sizes[j-1] {
			t.Fatalf("sizes %v, counted %v", m.Sizes, sizes)
		}
		if !(m.Ridge[j] > 0) || math.IsInf(m.LogDet(j), 0) || math.IsNaN(m.LogDet(j)) {
			t.Fatalf("component %d: ridge %v, log|Σ| %v", j, m.Ridge[j], m.LogDet(j))
		}
	}
	last := m.History[len(m.History)-1]
	if !near(weight, 1, 1e-12, float64(k)) || m.LogLikelihood != last.LogLikelihood*float64(n) || len(m.History) != m.Iterations+1 {
		t.Fatalf("weights sum to %v, log-likelihood %v, last %v", weight, m.LogLikelihood, last.LogLikelihood*float64(n))
	}
	// Predicting the same rows, without the shortcuts of the fit, gives the same posteriors and
	// log-likelihood.
	p, logs, err := m.Evaluate(ctx, x)
	if err != nil {
		t.Fatalf("%v", err)
	}
	sum := 0.0
	for _, v := range logs {
		sum += v
	}
	if !near(sum, m.LogLikelihood, 1e-8, 1+math.Abs(sum)) {
		t.Fatalf("log-likelihood %v, evaluated again %v", m.LogLikelihood, sum)
	}
	for i := range n {
		for j := range k {
			if !near(p.At(i, j), m.Posterior.At(i, j), 1e-5, 1) {
				t.Fatalf("posterior (%d, %d) is %v, evaluated again %v", i, j, m.Posterior.At(i, j), p.At(i, j))
			}
		}
	}
}

// Rows that drop out of panels early must be those whose posterior is as good as zero, and the
// others must not notice.
func TestEarlyDropsChangeNothing(t *testing.T) {
	n, d, k := 900, 150, 5
	x := blobs(n, d, k, 1, 3)
	for i := range n { // posteriors of every magnitude: from clear to hopeless within one panel
		row := x.RawRowView(i)
		for j := range row {
			row[j] *= math.Exp(2 * float64(i*i%97) / 97)
		}
	}
	e := must.Get(NewEstimator(ctx, x, Options{K: k, Ridge: number(1e-4)}))(t)
	m := e.NewMixture()
	r := responsibilities(n, k, 2)
	for step := range 4 {
		must.Do(t, e.MStep(ctx, r, m))
		plain, fast := make([]float64, n*k), make([]float64, n*k)
		must.Do(t, m.joint(ctx, new(scratch), e.x, nil, plain))
		must.Do(t, m.joint(ctx, new(scratch), e.x, e.hint, fast))
		dropped, small := 0, 0
		for i := range n {
			top := slices.Max(plain[i*k : (i+1)*k])
			for j := range k {
				a, b := plain[i*k+j], fast[i*k+j]
				switch {
				case math.IsInf(b, -1):
					dropped++
					if a > top+never {
						t.Fatalf("row %d was dropped from component %d at %v below the greatest", i, j, a-top)
					}
				case !near(a, b, 1e-9, 1+math.Abs(a)):
					t.Fatalf("log-density %v, with drops %v", a, b)
				case a < top-20:
					small++
				}
			}
		}
		if step > 0 && (dropped < n/10 || small < n/10) {
			t.Errorf("step %d: %d dropped, %d small ones kept: the test shows nothing", step, dropped, small)
		}
		a := must.Get(e.EStep(ctx, m, r))(t)
		b := must.Get(normalise(ctx, plain, m.Weights, nil))(t)
		if !near(a, b, 1e-12, math.Abs(b)) || !mat.EqualApprox(r, mat.NewDense(n, k, plain), 1e-7) {
			t.Fatalf("log-likelihood %v with drops, %v without", a, b)
		}
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	for _, kind := range shapes {
		for _, k := range []int{1, 2, 7} {
			x := blobs(900, 40, 3, 1, 9)
			paralleltest.Same(t, fmt.Sprint(kind, k), []int{1, 2, 5}, func() *Model {
				return fitOK(t, x, Options{K: k, Covariance: kind, MaxIter: 6, Restarts: 2, KMeansRestarts: 2, Seed: 4})
			})
		}
	}
}

func TestEnginesAgree(t *testing.T) {
	defer native.Use(native.Default().Name())
	x := blobs(400, 45, 3, 1, 11)
	for _, kind := range shapes {
		var first *Model
		for _, engine := range native.Engines() {
			must.Do(t, native.Use(engine.Name()))
			r := responsibilities(400, 3, 1)
			m := fitOK(t, x, Options{K: 3, Covariance: kind, MaxIter: 8, Tol: 1e-300, StartPosterior: r})
			if first == nil {
				first = m
			} else if !near(m.LogLikelihood, first.LogLikelihood, 1e-10, math.Abs(first.LogLikelihood)) || fmt.Sprint(m.Labels) != fmt.Sprint(first.Labels) {
				t.Errorf("%s: log-likelihood %v with %s, %v before", kind, m.LogLikelihood, engine.Name(), first.LogLikelihood)
			}
		}
	}
}

func number(x float64) *float64 { return &x }
