package gmm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestErrorsSayWhatIsWrong(t *testing.T) {
	x := blobs(20, 3, 2, 1, 1)
	with := func(i, j int, v float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Set(i, j, v)
		return y
	}
	big := must.Get(sparse.NewCSR(200_000, 50_000, make([]int, 200_001), nil, nil))(t)
	negative := responsibilities(20, 2, 1)
	negative.Set(3, 1, -0.5)
	for _, c := range []struct {
		x    mat.Matrix
		opt  Options
		want string
	}{
		{x, Options{}, "number of components must be at least 1"},
		{x, Options{K: 2, Covariance: "round"}, "unknown covariance"},
		{x, Options{K: 2, RidgeKind: "x", Ridge: number(-1), Tol: math.NaN(), MaxIter: -1, Restarts: -2}, "em-restarts is -2"},
		{x, Options{K: 2, Ridge: number(2e6)}, "at most 1e6"},
		{x, Options{K: 2, Ridge: number(math.Inf(1))}, "ridge"},
		{x, Options{K: 21}, "20 rows are too few for 21 components"},
		{nil, Options{K: 1}, "no matrix"},
		{&mat.Dense{}, Options{K: 1}, "empty"},
		{with(4, 1, math.NaN()), Options{K: 2}, "(4, 1)"},
		{with(5, 2, math.Inf(-1)), Options{K: 2}, "(5, 2)"},
		{with(6, 0, 1e200), Options{K: 2}, "row 6"},
		{big, Options{K: 2}, "‹pca›"},
		{x, Options{K: 2, Start: mat.NewDense(3, 3, nil)}, "given means are 3 × 3"},
		{x, Options{K: 2, Start: mat.NewDense(2, 3, []float64{0, 1, 2, 3, math.NaN(), 5})}, "(1, 1)"},
		{x, Options{K: 2, StartPosterior: mat.NewDense(20, 3, nil)}, "given responsibilities are 20 × 3"},
		{x, Options{K: 2, StartPosterior: mat.NewDense(20, 2, nil)}, "not all zero"},
		{x, Options{K: 2, StartPosterior: negative}, "row 3 for component 1"},
		{x, Options{K: 2, StartPosterior: mat.NewDense(20, 2, nil), Start: mat.NewDense(2, 3, nil)}, "both given"},
	} {
		_, err := Fit(ctx, c.x, c.opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
	if _, err := Fit(memory.Bound(ctx, 100), x, Options{K: 2}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "‹pca›") {
		t.Errorf("100 bytes: %v", err)
	}
	m := fitOK(t, x, Options{K: 2})
	for _, y := range []mat.Matrix{nil, &mat.Dense{}, blobs(3, 4, 1, 1, 1), with(4, 1, math.NaN()), with(0, 0, 1e300)} {
		if _, err := m.Predict(ctx, y); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Predict gives %v", err)
		}
	}
	if _, _, err := m.Sample(ctx, 0, 1); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Sample gives %v", err)
	}
}

// A change of units changes the log-likelihood by n·d·log(scale) and nothing else, as far as
// squares do not overflow or vanish.
func TestScales(t *testing.T) {
	for _, kind := range shapes {
		x := blobs(120, 4, 3, 3, 2)
		r := responsibilities(120, 3, 1)
		opt := Options{K: 3, Covariance: kind, StartPosterior: r, MaxIter: 10, Tol: 1e-300}
		m := fitOK(t, x, opt)
		for _, power := range []int{-450, -330, 330, 450} { // 1e±135, 1e±100
			var y mat.Dense
			y.Scale(math.Ldexp(1, power), x)
			s := fitOK(t, &y, opt)
			want := m.LogLikelihood - 120*4*float64(power)*math.Ln2
			if !near(s.LogLikelihood, want, 1e-10, math.Abs(want)) || fmt.Sprint(s.Labels) != fmt.Sprint(m.Labels) {
				t.Errorf("%s, data times 2^%d: log-likelihood %v, want %v", kind, power, s.LogLikelihood, want)
			}
		}
	}
}

// Without a ridge, components that need one get it, and a note says so.
func TestRidgeIsRaisedWhereNeeded(t *testing.T) {
	for _, kind := range shapes {
		x := blobs(60, 5, 2, 1, 3)
		r := mat.NewDense(60, 2, nil)
		for i := range 60 {
			if r.Set(i, i%2, 1); i%2 == 0 {
				x.SetRow(i, constant(5, 3))
			}
		}
		for _, absolute := range []bool{false, true} {
			var notes []string
			opt := Options{K: 2, Covariance: kind, StartPosterior: r, Ridge: number(0), MaxIter: 5,
				Observer: func(e progress.Event) { notes = append(notes, e.Message) }}
			if absolute {
				opt.RidgeKind, opt.Ridge = RidgeAbsolute, number(1e-300)
			}
			m := fitOK(t, x, opt)
			raised := kind != Tied // the tied covariance has the other rows
			if m.Raised[0] != raised || m.Raised[1] || raised && !(m.Ridge[0] > 0) {
				t.Errorf("%s: raised %v, ridge %v", kind, m.Raised, m.Ridge)
			}
			if told := strings.Contains(strings.Join(notes, " "), "1 of 2 components (0)"); told != raised {
				t.Errorf("%s: told %q", kind, notes)
			}
			if m.Sizes[0] != 30 {
				t.Errorf("%s: sizes %v", kind, m.Sizes)
			}
		}
	}
}

func TestLostComponents(t *testing.T) {
	for _, kind := range shapes {
		x := blobs(50, 4, 2, 2, 4)
		r := mat.NewDense(50, 3, nil)
		for i := range 50 {
			r.Set(i, 2*(i%2), 1)
		}
		told := false
		m := fitOK(t, x, Options{K: 3, Covariance: kind, StartPosterior: r, Ridge: number(DefaultRidge), Observer: func(e progress.Event) {
			told = told || strings.Contains(e.Message, "1 of 3 components (1) lost")
		}})
		if !told || !m.Lost[1] || m.Lost[0] || m.Lost[2] || m.Weights[1] != 0 || m.Sizes[1] != 0 {
			t.Errorf("%s: lost %v, weights %v, told %v", kind, m.Lost, m.Weights, told)
		}
		two := mat.NewDense(50, 2, nil)
		two.SetCol(0, mat.Col(nil, 0, r))
		two.SetCol(1, mat.Col(nil, 2, r))
		// The same fit as without it, with the pseudo-observations of three components.
		alone := fitOK(t, x, Options{K: 2, Covariance: kind, StartPosterior: two, Ridge: number(map[bool]float64{false: 1e-6 * 2 / 3, true: 1e-6}[kind == Tied])})
		if !near(m.LogLikelihood, alone.LogLikelihood, 1e-9, math.Abs(alone.LogLikelihood)) {
			t.Errorf("%s: log-likelihood %v, without the lost component %v", kind, m.LogLikelihood, alone.LogLikelihood)
		}
	}
}

// The best of several restarts is returned, made again bit by bit; each alone is no better.
func TestRestarts(t *testing.T) {
	x := blobs(200, 3, 6, 1.5, 12)
	opt := Options{K: 6, Restarts: 5, KMeansRestarts: 1, Seed: 3}
	m := fitOK(t, x, opt)
	checkModel(t, x, m, 6)
	if first := fitOK(t, x, Options{K: 6, KMeansRestarts: 1, Seed: 3}); first.Objective > m.Objective {
		t.Errorf("five restarts reach %v, the first alone %v", m.Objective, first.Objective)
	}
	e := must.Get(NewEstimator(ctx, x, opt))(t)
	again := mat.NewDense(200, 6, nil)
	l := must.Get(e.EStep(ctx, m.Mixture, again))(t)
	if !near(l, m.LogLikelihood, 1e-12, math.Abs(l)) || !mat.EqualApprox(again, m.Posterior, 1e-12) {
		t.Errorf("log-likelihood %v, of the mixture returned %v", m.LogLikelihood, l)
	}
}

// Well separated clusters are found from means near them, and the numbers of the means are kept.
func TestStartAtMeans(t *testing.T) {
	x := blobs(300, 5, 3, 20, 6)
	k := fitOK(t, x, Options{K: 3})
	start := mat.NewDense(3, 5, nil)
	for j := range 3 {
		start.SetRow(j, k.Means.RawRowView((j+1)%3))
	}
	for _, kind := range shapes {
		m := fitOK(t, x, Options{K: 3, Covariance: kind, Start: start})
		for i, label := range m.Labels {
			if k.Labels[i] != (label+1)%3 {
				t.Fatalf("%s: row %d of cluster %d has label %d", kind, i, k.Labels[i], label)
			}
		}
	}
}

func TestSampleComesFromTheMixture(t *testing.T) {
	for _, kind := range shapes {
		m := fitOK(t, blobs(300, 3, 2, 2, 7), Options{K: 2, Covariance: kind})
		const n = 40_000
		x, labels, err := m.Sample(ctx, n, 5)
		if err != nil {
			t.Fatal(err)
		}
		r := mat.NewDense(n, 2, nil)
		for i, label := range labels {
			r.Set(i, label, 1)
		}
		s := must.Get(FromResponsibilities(ctx, x, r, Options{K: 2}))(t)
		for k := range 2 {
			var diff mat.SymDense
			diff.AddSym(m.Covariance(k), s.Covariance(k))
			scale := mat.Norm(&diff, 2)
			// Five standard errors of a sample's moments.
			if !near(s.Weights[k], m.Weights[k], 5/math.Sqrt(n), 0.5) || !mat.EqualApprox(m.Covariance(k), s.Covariance(k), 10*scale/math.Sqrt(n)) {
				t.Errorf("%s: component %d: weights %v and %v, covariances\n%v\n%v", kind, k, m.Weights[k], s.Weights[k],
					mat.Formatted(m.Covariance(k)), mat.Formatted(s.Covariance(k)))
			}
		}
		if again, _, _ := m.Sample(ctx, n, 5); !mat.Equal(x, again) {
			t.Errorf("%s: another sample from the same seed", kind)
		}
	}
}

// What Variances and the fields say makes the same mixture again.
func TestParametersMakeTheMixture(t *testing.T) {
	x := blobs(90, 40, 2, 1, 13)
	for _, kind := range shapes {
		m := fitOK(t, x, Options{K: 3, Covariance: kind})
		var v [][]float64
		for k := range m.blocks() {
			v = append(v, m.Variances(k))
		}
		again := must.Get(FromParameters(kind, m.Weights, m.Means, v))(t)
		a, _ := m.LogJoint(ctx, x)
		if b, err := again.LogJoint(ctx, x); err != nil || !mat.EqualApprox(a, b, 1e-9) {
			t.Errorf("%s: other densities (%v)", kind, err)
		}
		last := v[len(v)-1]
		for _, bad := range []func(){
			func() { last[0] = 0 }, func() { last[0] = -1 }, func() { last[0] = math.NaN() }, func() { last[0] = math.Inf(1) },
			func() { v[0] = v[0][:len(v[0])-1] }, func() { v = nil },
		} {
			bad()
			if _, err := FromParameters(kind, m.Weights, m.Means, v); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%s: error %v", kind, err)
			}
		}
		if _, err := FromParameters(kind, []float64{1, -1, 1}, m.Means, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v", kind, err)
		}
	}
}

func TestPosterior(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{-1, 1, 0, -3, 3})
	m := must.Get(FromParameters(Spherical, []float64{1, 1}, mat.NewDense(2, 1, []float64{-1, 1}), [][]float64{{1}, {1}}))(t)
	p, logs, err := m.Evaluate(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	model := &Model{Mixture: m, Posterior: p, Labels: make([]int, 5), Sizes: make([]int, 2)}
	model.label(nil)
	// P(right | x) = 1/(1 + e^(−2x)); p(0) = φ(1).
	if !near(p.At(1, 1), 1/(1+math.Exp(-2)), 1e-14, 1) || !near(logs[2], -0.5-0.5*math.Log(2*math.Pi), 1e-14, 1) {
		t.Errorf("posterior %v, log-densities %v", mat.Formatted(p), logs)
	}
	if got := fmt.Sprint(model.Labels, model.Sizes); got != "[0 1 0 0 1] [3 2]" {
		t.Error(got)
	}
}

func TestOtherMatrices(t *testing.T) {
	x := blobs(80, 4, 2, 3, 8)
	want := fitOK(t, x, Options{K: 2})
	s := must.Get(sparse.FromMatrix(x))(t)
	wide := mat.NewDense(80, 9, nil)
	wide.Slice(0, 80, 2, 6).(*mat.Dense).Copy(x)
	for _, y := range []mat.Matrix{s, wide.Slice(0, 80, 2, 6), mat.DenseCopyOf(x.T()).T()} {
		if m := fitOK(t, y, Options{K: 2}); m.LogLikelihood != want.LogLikelihood {
			t.Errorf("%T: log-likelihood %v, dense %v", y, m.LogLikelihood, want.LogLikelihood)
		}
		if l, err := want.Predict(ctx, y); err != nil || fmt.Sprint(l) != fmt.Sprint(want.Labels) {
			t.Errorf("%T: predicts other labels (%v)", y, err)
		}
	}
}

func TestFarPoints(t *testing.T) {
	for _, kind := range shapes {
		m := fitOK(t, blobs(80, 4, 2, 3, 8), Options{K: 2, Covariance: kind})
		far := mat.NewDense(1, 4, constant(4, 1e150))
		p, _, err := m.Evaluate(ctx, far)
		if err != nil || !near(mat.Sum(p), 1, 1e-12, 1) {
			t.Errorf("%s: posterior %v, %v", kind, p, err)
		}
		var nothing Mixture
		if _, err := nothing.Predict(ctx, far); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("an empty mixture gives %v", err)
		}
	}
}

func TestCancel(t *testing.T) {
	x := blobsFast(3000, 200, 8, 0, 1)
	r := responsibilities(3000, 8, 1)
	for _, after := range []int64{0, 1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls, at atomic.Int64
		_, err := Fit(ctx, x, Options{K: 8, Tol: 1e-300, StartPosterior: r, Observer: func(e progress.Event) {
			if e.Stage == stage && e.Message == "" {
				if calls.Add(1) == after+1 {
					go func() {
						time.Sleep(5 * time.Millisecond) // into the middle of a step
						cancel()
						at.Store(calls.Load())
					}()
				}
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		if late := calls.Load() - at.Load(); late > 1 {
			t.Errorf("%d steps began after the end", late)
		}
		cancel()
	}
}

func TestMemoryIsBounded(t *testing.T) {
	// What the issue allows: three copies of X and K·d² numbers, beside the responsibilities. Each
	// thread takes some more.
	defer native.SetThreads(0)
	native.SetThreads(2)
	for _, s := range []struct{ n, d, k int }{{10_000, 500, 30}, {9000, 256, 10}, {1440, 1024, 20}} {
		var x mat.Dense
		raw := x.RawMatrix()
		raw.Rows, raw.Cols, raw.Stride = s.n, s.d, s.d
		x.SetRawMatrix(raw)
		allowed := 2*8*int64(s.n)*int64(s.d) + 8*int64(s.k)*int64(s.d)*int64(s.d) + 3*8*int64(s.n)*int64(s.k)
		if need := Memory(&x, Options{K: s.k}); need > allowed {
			t.Errorf("%d×%d, K = %d: %s besides X, want at most %s", s.n, s.d, s.k, words.Bytes(need), words.Bytes(allowed))
		}
	}
}

// Tiny data: objectives stay finite and rise, or the data are refused.
func TestTinyScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(40, 60, nil)
	for i := range 40 {
		for j := range 60 {
			x.Set(i, j, rng.NormFloat64()*1e-139)
		}
	}
	for _, kind := range []Covariance{Full, Tied, Diagonal, Spherical} {
		for _, k := range []int{2, 40} {
			m := must.Get(Fit(t.Context(), x, Options{K: k, Covariance: kind}))(t)
			if math.IsInf(m.Objective, 0) || math.IsNaN(m.Objective) || !m.Converged {
				t.Errorf("%s, K = %d: objective %v after %d iterations", kind, k, m.Objective, m.Iterations)
			}
		}
	}
	var less mat.Dense
	less.Scale(1e-10, x)
	if _, err := Fit(t.Context(), &less, Options{K: 2}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("values of 1e-149: %v", err)
	}
}

// A column of equal values has no variance, whatever the rounding of its mean says: without a ridge
// asked for it gets one, and the clusters stay apart.
func TestConstantColumnWithoutRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(30, 3, nil)
	for i := range 30 {
		x.SetRow(i, []float64{rng.NormFloat64() + float64(9*(i%2)), 0.1, rng.NormFloat64()})
	}
	for _, kind := range []Covariance{Full, Tied, Diagonal} {
		m := must.Get(Fit(t.Context(), x, Options{K: 2, Covariance: kind, Ridge: number(0)}))(t)
		if !m.Raised[0] || m.Lost[0] || m.Lost[1] {
			t.Errorf("%s: raised %v, lost %v", kind, m.Raised, m.Lost)
		}
		for i, label := range m.Labels {
			if label != m.Labels[i%2] {
				t.Errorf("%s: row %d is in cluster %d", kind, i, label)
			}
		}
	}
}

// A note reports covariances that the rows cannot determine.
func TestFewRowsAreTold(t *testing.T) {
	for _, c := range []struct {
		n, d int
		kind Covariance
		told bool
	}{{40, 10, Full, false}, {12, 10, Full, true}, {12, 10, Tied, false}, {8, 10, Tied, true}, {8, 10, Diagonal, false}} {
		told := false
		if _, err := Fit(ctx, blobsFast(c.n, c.d, 2, 1, 3), Options{K: 2, Covariance: c.kind, Ridge: number(DefaultRidge), Observer: func(e progress.Event) {
			told = told || strings.Contains(e.Message, "singular but for the ridge")
		}}); err != nil {
			t.Fatal(err)
		}
		if told != c.told {
			t.Errorf("%d rows of %d columns, %s: told %v", c.n, c.d, c.kind, told)
		}
	}
}

// A ridge raised twice is the formula of the first one with the larger number: pseudo-observations
// of the data's mean variance, or the number on the diagonal.
func TestRaisedRidgeIsTheFormula(t *testing.T) {
	const n, k = 40, 2
	x, r := blobs(n, 4, k, 2, 5), responsibilities(n, k, 5)
	for _, kind := range shapes {
		for _, ridgeKind := range []RidgeKind{RidgePrior, RidgeAbsolute} {
			e := must.Get(NewEstimator(ctx, x, Options{K: k, Covariance: kind, Ridge: number(0.5), RidgeKind: ridgeKind}))(t)
			m := e.NewMixture()
			must.Do(t, e.MStep(ctx, r, m))
			count := mat.Sum(r.ColView(0))
			if kind == Tied {
				count = mat.Sum(r)
			}
			before, old := m.Covariance(0), m.level[0]
			e.raise(m, 0, count)
			e.raise(m, 0, count)
			after, level := m.Covariance(0), m.level[0]
			if !(level >= 100*old*(1-1e-12)) {
				t.Fatalf("%s %s: %v was raised twice to %v", kind, ridgeKind, old, level)
			}
			for a := range 4 {
				for b := range 4 {
					plain, ridge := before.At(a, b), 0.0
					if a == b {
						ridge = 1
					}
					want := plain + (level-old)*ridge
					if ridgeKind == RidgePrior {
						scatter := plain*(count+old) - old*e.variance*ridge
						want = (scatter + level*e.variance*ridge) / (count + level)
					}
					if !near(after.At(a, b), want, 1e-12, level+e.variance) {
						t.Errorf("%s %s: covariance (%d, %d) is %v, want %v", kind, ridgeKind, a, b, after.At(a, b), want)
					}
				}
			}
		}
	}
}
