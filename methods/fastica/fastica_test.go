package fastica

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// grid lists all combinations of the sources' values, so that the sources are independent to the
// last digit and not only in the limit of many rows.
func grid(sources [][]float64) *mat.Dense {
	n := 1
	for _, s := range sources {
		n *= len(s)
	}
	m := mat.NewDense(n, len(sources), nil)
	for i := range n {
		rest := i
		for j, s := range sources {
			m.Set(i, j, s[rest%len(s)])
			rest /= len(s)
		}
	}
	return m
}

// shapes are values of symmetric sources of different negentropy: two points, equal steps, rare
// peaks, and a long tail.
var shapes = [][]float64{{-1, 1}, {-5, -3, -1, 1, 3, 5}, {-1, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {-6, -2, -1, -.5, .5, 1, 2, 6}}

// mix returns rows μ + A·s for a random A, d×k.
func mix(rng *rand.Rand, s *mat.Dense, d int) (x, a *mat.Dense) {
	n, k := s.Dims()
	a = mat.NewDense(d, k, nil)
	for i := range d {
		for j := range k {
			a.Set(i, j, rng.NormFloat64())
		}
	}
	x = mat.NewDense(n, d, nil)
	x.Mul(s, a.T())
	for i := range n {
		for j := range d {
			x.Set(i, j, x.At(i, j)+float64(3*j)-4)
		}
	}
	return x, a
}

// amari is the error of p = Unmixing·A, 0 if it is a permutation of the axes times signs and
// scales, 1 at most (Amari, Cichocki and Yang 1996, scaled).
func amari(p *mat.Dense) float64 {
	k, _ := p.Dims()
	sum := 0.0
	for i := range k {
		var row, rowTop, col, colTop float64
		for j := range k {
			a, b := math.Abs(p.At(i, j)), math.Abs(p.At(j, i))
			row, rowTop = row+a, max(rowTop, a)
			col, colTop = col+b, max(colTop, b)
		}
		sum += row/rowTop + col/colTop - 2
	}
	return sum / float64(2*k*(k-1))
}

func fit(t testing.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

func gap(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// Sources that are independent exactly are recovered exactly, by every contrast and both
// algorithms, from sparse and dense rows and more columns than sources.
func TestExactSourcesAreRecovered(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := grid(shapes)
	for _, d := range []int{4, 7} {
		x, a := mix(rng, s, d)
		csr := must.Get(sparse.FromMatrix(x))(t)
		for _, algorithm := range []Algorithm{Symmetric, Deflation} {
			for _, c := range []Contrast{LogCosh, Exp, Cube} {
				for _, in := range []mat.Matrix{x, csr} {
					for seed := range uint64(3) {
						m := fit(t, in, Options{Dims: 4, Algorithm: algorithm, Contrast: c, Tol: 1e-13, MaxIter: 1000, Seed: seed})
						var p mat.Dense
						p.Mul(m.Unmixing, a)
						if e := amari(&p); e > 1e-6 || !m.Converged {
							t.Errorf("%s, %s, seed %d, %d columns: Amari error %g after %d steps, converged %v", algorithm, c, seed, d, e, m.Iterations, m.Converged)
						}
					}
				}
			}
		}
	}
}

// Drawn sources, uniform and Laplace, are recovered but for what sampling costs.
func TestDrawnSourcesAreRecovered(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n = 5000
	s := mat.NewDense(n, 4, nil)
	for i := range n {
		laplace := func() float64 { return rng.ExpFloat64() * math.Copysign(1, rng.Float64()-0.5) }
		s.SetRow(i, []float64{rng.Float64(), rng.Float64(), laplace(), laplace()})
	}
	x, a := mix(rng, s, 5)
	for _, algorithm := range []Algorithm{Symmetric, Deflation} {
		for _, c := range []Contrast{LogCosh, Exp, Cube} {
			m := fit(t, x, Options{Algorithm: algorithm, Contrast: c})
			var p mat.Dense
			p.Mul(m.Unmixing, a)
			if e := amari(&p); e > 0.05 || !m.Converged {
				t.Errorf("%s, %s: Amari error %.3f, converged %v", algorithm, c, e, m.Converged)
			}
		}
	}
}

// What every result keeps: uncorrelated sources of mean 0 and mean square 1, Transform and Inverse,
// Unmixing·Mixing = I, order and signs; and if it converged, the fixed-point equation.
func TestPropertyModel(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		n, d := 20+rng.IntN(200), 2+rng.IntN(6)
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				v := rng.NormFloat64()
				x.Set(i, j, v*v*v+float64(j)+x.At(i, (j+d-1)%d)/2)
			}
		}
		k := 1 + rng.IntN(d)
		opt := Options{
			Dims: k, Algorithm: []Algorithm{Symmetric, Deflation}[rng.IntN(2)], Contrast: []Contrast{LogCosh, Exp, Cube}[rng.IntN(3)],
			Alpha: 1 + rng.Float64(), Tol: 1e-12, Seed: rng.Uint64(),
		}
		m := must.Get(Fit(ctx, x, opt))(t)
		var product, inner mat.Dense
		product.Mul(m.Unmixing, m.Mixing)
		inner.Mul(m.Embedding.T(), m.Embedding)
		for i := range k {
			mean := mat.Sum(m.Embedding.ColView(i)) / float64(n)
			if math.Abs(mean) > 1e-10 {
				t.Fatalf("source %d has mean %g", i, mean)
			}
			for j := range k {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(product.At(i, j)-want) > 1e-9 || math.Abs(inner.At(i, j)/float64(n)-want) > 1e-9 {
					t.Fatalf("(%d, %d): Unmixing·Mixing %v, correlation %v", i, j, product.At(i, j), inner.At(i, j)/float64(n))
				}
			}
		}
		again, err := m.Transform(ctx, x)
		if err != nil || gap(again, m.Embedding) > 1e-9 {
			t.Fatalf("rows of the fit do not go to their embedding: %v", err)
		}
		back := must.Get(m.Inverse(ctx, m.Embedding))(t)
		p := must.Get(pca.Fit(ctx, x, pca.Options{Dims: k}))(t)
		nearest := must.Get(p.Inverse(ctx, p.Embedding))(t)
		if e := gap(back, nearest); e > 1e-9*(1+mat.Norm(x, 2)) {
			t.Fatalf("the inverse is %g off the principal components' span", e)
		}
		g := opt.withDefaults().contrast()
		last := math.Inf(1)
		for j := range k {
			e := 0.0
			for i := range n {
				e += g.value(m.Embedding.At(i, j)) / float64(n)
			}
			e -= g.normal
			if math.Abs(e*e-m.Negentropy[j]) > 1e-9 || m.Negentropy[j] > last {
				t.Fatalf("negentropies %v, want %v", m.Negentropy, e*e)
			}
			last = m.Negentropy[j]
			checkSign(t, j, mat.Col(nil, j, m.Mixing))
		}
		if !m.Converged {
			return
		}
		checkFixedPoint(t, m, opt)
	})
}

// Where every direction's kurtosis is positive, it is a convex function of the direction, and no
// step of the cubic contrast lowers it (Regalia and Kofidis 2003).
func TestKurtosisNeverFalls(t *testing.T) {
	peaks := []float64{-1, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	s := grid([][]float64{peaks, shapes[3], peaks})
	p, err := pca.Fit(ctx, s, pca.Options{Dims: 3, Whiten: true})
	if err != nil {
		t.Fatal(err)
	}
	z := whitened(p, 3)
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		f := &search{z: z, opt: Options{Contrast: Cube}}
		f.g = f.opt.contrast()
		w := panel.New(1, 3)
		for j := range w.Data {
			w.Data[j] = rng.NormFloat64()
		}
		unit(w, 0, nil)
		last := 0.0
		for range 30 {
			kurtosis := -3.0
			for i := range z.Rows {
				y := dot(row(z, i), w.Data)
				kurtosis += y * y * y * y / float64(z.Rows)
			}
			if kurtosis < last-1e-10 {
				t.Fatalf("seed %d: kurtosis falls from %v to %v", seed, last, kurtosis)
			}
			last = kurtosis
			if w, err = f.step(ctx, w); err != nil {
				t.Fatal(err)
			}
			unit(w, 0, nil)
		}
	}
}

// Soft LDA on the sources is soft LDA on the whitened principal components, wherever the rotation
// stopped.
func TestSoftLDADoesNotSeeTheRotation(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	const n, d, k = 120, 12, 3
	x, q := mat.NewDense(n, d, nil), mat.NewDense(n, k, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+float64((i%k*5+j)%k))
		}
		for c := range k {
			q.Set(i, c, 0.1)
		}
		q.Set(i, i%k, 0.8)
	}
	p := must.Get(pca.Fit(ctx, x, pca.Options{Dims: 8, Whiten: true}))(t)
	want := must.Get(softlda.Fit(ctx, p.Embedding, q, softlda.Options{}))(t)
	for _, steps := range []int{1, 50} {
		m := fit(t, x, Options{Dims: 8, MaxIter: steps})
		got := must.Get(softlda.Fit(ctx, m.Embedding, q, softlda.Options{}))(t)
		for j := range k - 1 {
			along := mat.Dot(got.Embedding.ColView(j), want.Embedding.ColView(j)) / mat.Norm(got.Embedding.ColView(j), 2) / mat.Norm(want.Embedding.ColView(j), 2)
			if math.Abs(along) < 1-1e-9 || math.Abs(got.Values[j]-want.Values[j]) > 1e-8*(1+want.Values[j]) {
				t.Errorf("%d steps: direction %d has cosine %v, λ %v, want %v", steps, j, along, got.Values[j], want.Values[j])
			}
		}
	}
}

// The means of the contrasts under the normal distribution, and their derivatives, against
// differences.
func TestContrasts(t *testing.T) {
	for _, o := range []Options{{}, {Alpha: 1.7}, {Contrast: Exp}, {Contrast: Cube}} {
		g := o.withDefaults().contrast()
		if e := normalMean(g.value); math.Abs(e-g.normal) > 1e-12 {
			t.Errorf("%+v: mean %v, want %v", o, g.normal, e)
		}
		for _, y := range []float64{-3, -0.4, 0.1, 2} {
			const h = 1e-5
			slope, bend := g.slope(y)
			up, _ := g.slope(y + h)
			down, _ := g.slope(y - h)
			if d := (g.value(y+h) - g.value(y-h)) / (2 * h); math.Abs(d-slope) > 1e-8*(1+math.Abs(d)) {
				t.Errorf("%+v: g(%v) = %v, want %v", o, y, slope, d)
			}
			if d := (up - down) / (2 * h); math.Abs(d-bend) > 1e-8*(1+math.Abs(d)) {
				t.Errorf("%+v: g′(%v) = %v, want %v", o, y, bend, d)
			}
		}
	}
}

// The nearest orthogonal matrix is the polar factor: w = s·q with s symmetric and positive, for
// singular w too one that is orthogonal.
func TestDecorrelate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, k := range []int{1, 2, 5, 40} {
		for _, rank := range []int{k, k - 1, 0} {
			w, old := panel.New(k, k), panel.New(k, k)
			for i := range k {
				old.Data[i*k+i] = 1
				for j := range k {
					w.Data[i*k+j] = rng.NormFloat64()
					if i >= rank {
						w.Data[i*k+j] = 0
					}
				}
			}
			was := panel.Clone(w)
			must.Do(t, decorrelate(ctx, w, old))
			g := gram(w)
			for i := range k {
				g.Data[i*k+i]--
			}
			if e := mat.Norm(mat.NewDense(k, k, g.Data), 2); e > 1e-12*float64(k) {
				t.Errorf("order %d, rank %d: off orthogonal by %g", k, rank, e)
			}
			if rank < k {
				continue
			}
			var s mat.Dense
			s.Mul(dense(was), dense(w).T())
			for i := range k {
				for j := range i {
					if math.Abs(s.At(i, j)-s.At(j, i)) > 1e-9*mat.Norm(&s, 2) {
						t.Fatalf("order %d: not the polar factor", k)
					}
				}
			}
			var e mat.EigenSym
			sym := mat.NewSymDense(k, nil)
			for i := range k {
				for j := i; j < k; j++ {
					sym.SetSym(i, j, s.At(i, j))
				}
			}
			if e.Factorize(sym, false); e.Values(nil)[0] < 0 {
				t.Errorf("order %d: the symmetric factor is not positive", k)
			}
		}
	}
}

// A row that lies in the span of those before falls back on what it was, and at the start on an
// axis.
func TestUnit(t *testing.T) {
	for _, before := range [][]float64{nil, {0, 0, -1}} {
		w := blas64.General{Rows: 3, Cols: 3, Stride: 3, Data: []float64{1, 0, 0, 0, 1, 0, 5, -2, 0}}
		unit(w, 2, before)
		if got := row(w, 2); got[0] != 0 || got[1] != 0 || math.Abs(got[2]) != 1 {
			t.Errorf("before %v: row %v", before, got)
		}
	}
}

func dense(a blas64.General) *mat.Dense { return mat.NewDense(a.Rows, a.Cols, a.Data) }

// Gaussian data have nothing to find: a rotation comes back, and a note says so.
func TestGaussianDataAreTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x := mat.NewDense(3000, 12, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	for _, algorithm := range []Algorithm{Symmetric, Deflation} {
		told := false
		m := fit(t, x, Options{Algorithm: algorithm, Contrast: Cube, MaxIter: 6, Observer: func(e progress.Event) { told = told || strings.Contains(e.Message, "Gaussian") }})
		if m.Converged || !told || !(m.Change > DefaultTol) {
			t.Errorf("%s: converged %v, change %g, told %v", algorithm, m.Converged, m.Change, told)
		}
		var inner mat.Dense
		inner.Mul(m.Embedding.T(), m.Embedding)
		for i := range 12 {
			for j := range 12 {
				want := 0.0
				if i == j {
					want = 3000
				}
				if math.Abs(inner.At(i, j)-want) > 1e-7 {
					t.Fatalf("%s: sources %d and %d have product %g", algorithm, i, j, inner.At(i, j))
				}
			}
		}
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x := mat.NewDense(2500, 30, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.ExpFloat64()
	}
	for _, algorithm := range []Algorithm{Symmetric, Deflation} {
		paralleltest.Same(t, algorithm, []int{1, 2, 3}, func() []float64 {
			return fit(t, x, Options{Algorithm: algorithm, MaxIter: 20, Dims: 20}).Embedding.RawMatrix().Data
		})
	}
}

func TestCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x := mat.NewDense(1500, 40, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	for _, algorithm := range []Algorithm{Symmetric, Deflation} {
		c, stop := context.WithCancel(ctx)
		_, err := Fit(c, x, Options{Algorithm: algorithm, Tol: 1e-15, MaxIter: 300, Observer: func(e progress.Event) {
			if e.Stage == Stage && e.Done == 2 {
				stop()
			}
		}})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", algorithm, err)
		}
	}
}

// What files can hold ends in a result or in one clear sentence.
func TestHostileData(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x := mat.NewDense(40, 5, nil)
	for i := range 40 {
		a, b := rng.ExpFloat64(), rng.Float64()
		x.SetRow(i, []float64{a, b, a + b, 7, a - 2*b}) // rank 2
	}
	for _, opt := range []Options{{}, {Dims: 5}, {Share: 1}, {Algorithm: Deflation}} {
		if m := fit(t, x, opt); len(m.Negentropy) != 2 || math.Abs(m.Explained-1) > 1e-9 {
			t.Errorf("%+v: %d sources explain %v of rank 2", opt, len(m.Negentropy), m.Explained)
		}
	}
	for _, scale := range []float64{1e150, 1e-150} {
		s := mat.NewDense(40, 5, nil)
		s.Apply(func(_, _ int, v float64) float64 { return v * scale }, x)
		if m, want := fit(t, s, Options{}), fit(t, x, Options{}); gap(m.Embedding, want.Embedding) > 1e-7 {
			t.Errorf("scale %g: the sources differ by %g", scale, gap(m.Embedding, want.Embedding))
		}
	}
	for _, rows := range []int{2, 3} { // fewer rows than columns
		if m := fit(t, x.Slice(0, rows, 0, 5), Options{}); len(m.Negentropy) != rows-1 {
			t.Errorf("%d rows: %d sources", rows, len(m.Negentropy))
		}
	}
	bad := mat.DenseCopyOf(x)
	bad.Set(3, 1, math.NaN())
	for _, c := range []struct {
		why string
		x   mat.Matrix
		opt Options
	}{
		{"two rows", x.Slice(0, 1, 0, 5), Options{}},
		{"not vary", mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), Options{}},
		{"not vary", mat.NewDense(3, 2, []float64{1, 2, 1, 2, 1, 2}), Options{Dims: 1}},
		{"NaN", bad, Options{}},
		{"at most 5", x, Options{Dims: 6}},
		{"no matrix", nil, Options{}},
		{"Dims is -1", x, Options{Dims: -1}},
		{"Share is 2", x, Options{Share: 2}},
		{"give one", x, Options{Share: 0.5, Dims: 2}},
		{"unknown Algorithm", x, Options{Algorithm: "parallel"}},
		{"unknown Contrast", x, Options{Contrast: "tanh"}},
		{"α is 3", x, Options{Alpha: 3}},
		{"MaxIter is -1", x, Options{MaxIter: -1}},
		{"Tol is NaN", x, Options{Tol: math.NaN()}},
	} {
		if _, err := Fit(ctx, c.x, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("want %q, got %v", c.why, err)
		}
	}
	m := fit(t, x, Options{})
	for _, s := range []*mat.Dense{nil, mat.NewDense(2, 3, nil), mat.NewDense(1, 2, []float64{1, math.Inf(1)})} {
		if _, err := m.Inverse(ctx, s); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Inverse: %v", err)
		}
	}
	if _, err := m.Transform(ctx, mat.NewDense(2, 3, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Transform: %v", err)
	}
	if _, err := (&Model{}).Inverse(ctx, mat.NewDense(1, 1, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

// checkFixedPoint checks that the sources do not change under one more step.
func checkFixedPoint(t *rapid.T, m *Model, opt Options) {
	g := opt.withDefaults().contrast()
	n, k := m.Embedding.Dims()
	// E[s·g(s_j)] − E[g′(s_j)]·e_j: along e_j for a fixed point; with all at once the matrix of
	// these rows is one that (·ᵀ·)^-½ leaves alone, a symmetric one up to signs.
	f := panel.New(k, k)
	for i := range n {
		for j := range k {
			slope, bend := g.slope(m.Embedding.At(i, j))
			for l := range k {
				f.Data[j*k+l] += m.Embedding.At(i, l) * slope / float64(n)
			}
			f.Data[j*k+j] -= bend / float64(n)
		}
	}
	size := mat.Norm(mat.NewDense(k, k, f.Data), 2)
	for i := range k {
		for j := range i {
			a, b := f.Data[i*k+j], f.Data[j*k+i]
			if opt.Algorithm == Deflation {
				// The source found earlier does not depend on the later one; the order of finding
				// is lost, so one of the two must vanish.
				a, b = min(math.Abs(a), math.Abs(b)), 0
			} else if f.Data[i*k+i]*f.Data[j*k+j] < 0 {
				b = -b
			}
			if math.Abs(a-b) > 1e-4*(size+1) {
				t.Fatalf("%s: not a fixed point: F(%d, %d) = %g, F(%d, %d) = %g (of %g)", opt.Algorithm, i, j, f.Data[i*k+j], j, i, f.Data[j*k+i], size)
			}
		}
	}
}

// checkSign checks that the largest entry of a column, the first of equals, is positive.
func checkSign(t *rapid.T, j int, column []float64) {
	top, sign := 0.0, 0.0
	for _, v := range column {
		top = max(top, math.Abs(v))
	}
	for _, v := range column {
		if sign == 0 && math.Abs(v) > top*(1-1e-6) {
			sign = v
		}
	}
	if sign <= 0 {
		t.Fatalf("column %d of the mixing matrix is signed %v", j, column)
	}
}
