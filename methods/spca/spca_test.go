package spca

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// rowsOf returns sparse rows with an empty and a constant column, a duplicated column, and
// duplicated rows where asked.
func rowsOf(rng *rand.Rand, n, p int, duplicates bool) *sparse.CSR {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		for j := range p - 1 {
			switch {
			case j == 0:
			case j == 1:
				b.Add(i, j, 2)
			case rng.Float64() < 0.5:
				v := rng.NormFloat64() * (1 + float64(j%5))
				b.Add(i, j, v)
				if j == 2 {
					b.Add(i, p-1, v)
				}
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	if duplicates {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i - i%4/3
		}
		x = x.SelectRows(rows)
	}
	return x
}

func centred(x mat.Matrix) *mat.Dense {
	y := mat.DenseCopyOf(x)
	n, p := y.Dims()
	for j := range p {
		mean := 0.0
		for i := range n {
			mean += y.At(i, j) / float64(n)
		}
		for i := range n {
			y.Set(i, j, y.At(i, j)-mean)
		}
	}
	return y
}

// With fixed penalties the objective never rises, sparse and dense rows end in the same components,
// unit loadings have their heaviest positive, and the adjusted variances are what each coordinate
// adds to those before.
func TestPropertyObjective(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		n, p := 12+rng.IntN(20), 6+rng.IntN(30)
		x := rowsOf(rng, n, p, rng.IntN(2) == 0)
		opt := Options{Dims: 1 + rng.IntN(3), Penalty: 0.1 + 20*rng.Float64(), Ridge: 0.01, Tol: 1e-13, MaxIter: 30}
		m := must.Get(Fit(ctx, x, opt))(t)
		for i, v := range m.Objective[1:] {
			if v > m.Objective[i]*(1+1e-12)+1e-14 {
				t.Fatalf("round %d: %v after %v", i+1, v, m.Objective[i])
			}
		}
		d := must.Get(Fit(ctx, x.ToDense(), opt))(t)
		if a, b := m.Objective[len(m.Objective)-1], d.Objective[len(d.Objective)-1]; math.Abs(a-b) > 1e-9 {
			t.Fatalf("objective %v sparse, %v dense", a, b)
		}
		z := centred(m.Embedding)
		var done []int
		for j := range opt.Dims {
			col := mat.Col(nil, j, m.Loadings)
			norm, heaviest, count := 0.0, 0.0, 0
			for _, v := range col {
				norm += v * v
				if math.Abs(v) > math.Abs(heaviest) {
					heaviest = v
				}
				if v != 0 {
					count++
				}
			}
			if count != m.Cardinality[j] || count > 0 && (math.Abs(norm-1) > 1e-12 || heaviest <= 0) {
				t.Fatalf("component %d: %d loadings (%d), length² %v, heaviest %v", j, count, m.Cardinality[j], norm, heaviest)
			}
			rest := mat.Col(nil, j, z)
			for _, l := range done {
				u := mat.Col(nil, l, z)
				uu, ur := 0.0, 0.0
				for i, v := range u {
					uu += v * v
					ur += v * rest[i]
				}
				if uu > 0 {
					for i, v := range u {
						rest[i] -= ur / uu * v
					}
				}
			}
			left := 0.0
			for _, v := range rest {
				left += v * v / float64(n-1)
			}
			for i, v := range rest {
				z.Set(i, j, v)
			}
			done = append(done, j)
			if math.Abs(left-m.AdjustedVariance[j]) > 1e-9*m.TotalVariance || m.AdjustedVariance[j] > m.Variance[j]*(1+1e-12) {
				t.Fatalf("component %d adds %v, told %v of %v", j, left, m.AdjustedVariance[j], m.Variance[j])
			}
		}
	})
}

// The objective of the last round is eq. (3.12) written out, for the minimiser A of the loadings
// found: polar of XᵀXB.
func TestObjectiveLiteral(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	x := rowsOf(rng, 30, 14, true)
	opt := Options{Dims: 1, Penalty: 4, Ridge: 0.02, Tol: 1e-15, MaxIter: 500}
	m := must.Get(Fit(ctx, x, opt))(t)
	// One component at its end: b is the elastic net of X·a, so its length follows from the stationary
	// point: minimise over it.
	y := centred(x)
	var xv, h, rest mat.Dense
	v := m.Loadings.ToDense()
	xv.Mul(y, v)
	h.Mul(y.T(), &xv)
	a := mat.DenseCopyOf(&h)
	a.Scale(1/mat.Norm(a, 2), a)
	total := math.Pow(mat.Norm(y, 2), 2)
	value := func(length float64) float64 {
		rest.Mul(&xv, a.T())
		rest.Scale(-length, &rest)
		rest.Add(y, &rest)
		l1 := 0.0
		for _, w := range mat.Col(nil, 0, v) {
			l1 += math.Abs(w)
		}
		return (math.Pow(mat.Norm(&rest, 2), 2) + opt.Ridge*total*length*length + 2*opt.Penalty*length*l1) / total
	}
	best := math.Inf(1)
	for s := 0.0; s < 2; s += 1e-4 {
		best = min(best, value(s))
	}
	if got := m.Objective[len(m.Objective)-1]; math.Abs(got-best) > 1e-7 {
		t.Errorf("objective %v, written out %v", got, best)
	}
}

// Hardly any penalty: principal components (Zou et al., theorem 3), variances that are not
// adjusted, and their sum.
func TestWithoutPenaltyIsPCA(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for _, size := range [][2]int{{60, 12}, {14, 40}} {
		x := rowsOf(rng, size[0], size[1], false)
		m := must.Get(Fit(ctx, x, Options{Dims: 3, Penalty: 1e-9, Ridge: 0.01, Tol: 1e-14}))(t)
		c := must.Get(pca.Fit(ctx, x, pca.Options{Dims: 3}))(t)
		for j := range 3 {
			dot := 0.0
			for i := range size[1] {
				dot += m.Loadings.At(i, j) * c.Components.At(j, i)
			}
			if math.Abs(math.Abs(dot)-1) > 1e-6 {
				t.Errorf("%v: cosine of component %d to PCA's is %v", size, j, dot)
			}
			if math.Abs(m.AdjustedVariance[j]-c.ExplainedVariance[j]) > 1e-6*c.ExplainedVariance[0] {
				t.Errorf("%v: variance %v, PCA's %v", size, m.AdjustedVariance[j], c.ExplainedVariance[j])
			}
		}
	}
}

// The made-up example of section 5.2: three hidden factors, of which the third mixes the others.
// With four terms a component the first two are found with equal loadings, where PCA mixes all ten
// columns.
func TestHiddenFactors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 52))
	const n = 3000
	x := mat.NewDense(n, 10, nil)
	for i := range n {
		v1, v2 := math.Sqrt(290)*rng.NormFloat64(), math.Sqrt(300)*rng.NormFloat64()
		v3 := -0.3*v1 + 0.925*v2 + rng.NormFloat64()
		for j := range 10 {
			x.Set(i, j, []float64{v1, v1, v1, v1, v2, v2, v2, v2, v3, v3}[j]+rng.NormFloat64())
		}
	}
	m := must.Get(Fit(ctx, x, Options{Dims: 2, Cardinalities: []int{4, 4}, Ridge: 1}))(t)
	for j, first := range []int{4, 0} {
		for i := range 10 {
			want := 0.0
			if i >= first && i < first+4 {
				want = 0.5
			}
			if got := m.Loadings.At(i, j); math.Abs(got-want) > 0.05 {
				t.Errorf("loading of X%d on component %d is %.3f, the paper's %.1f", i+1, j+1, got, want)
			}
		}
	}
	if share := (m.AdjustedVariance[0] + m.AdjustedVariance[1]) / m.TotalVariance; share < 0.78 || share > 0.83 {
		t.Errorf("the two components explain %.3f, the paper's .805", share)
	}
}

func TestTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := rowsOf(rng, 80, 60, true)
	defer native.SetThreads(0)
	var first *Model
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		m := must.Get(Fit(ctx, x, Options{Dims: 4, Terms: method.Amount{Count: 6}}))(t)
		for j, k := range m.Cardinality {
			if k == 0 || k > 6 {
				t.Errorf("component %d has %d terms", j, k)
			}
		}
		if first == nil {
			first = m
		} else if !mat.Equal(first.Embedding, m.Embedding) {
			t.Error("the bits depend on the threads")
		}
	}
	d := first.Directions(nil, 2)
	if len(d) != 4 || len(d[0]) != 2 || d[0][0].Weight <= 0 {
		t.Errorf("%+v", d)
	}
	by := make([]float64, 80)
	for i := range by {
		by[i] = 0x1p120
	}
	huge := must.Get(Fit(ctx, x.ScaleRows(by), Options{Dims: 4, Terms: method.Amount{Count: 6}}))(t)
	var diff mat.Dense
	diff.Sub(huge.Loadings, first.Loadings)
	if mat.Norm(&diff, 2) > 1e-6 || math.Abs(huge.AdjustedVariance[0]/0x1p240/first.AdjustedVariance[0]-1) > 1e-6 {
		t.Errorf("huge data: loadings differ by %g", mat.Norm(&diff, 2))
	}
}

// The Gram mode gives the components of the rows themselves: with penalties, and with numbers of
// terms, where rounding may choose other terms of equal worth; sparse and dense, with a constant
// and an empty column, and scaled beyond what squares can hold.
func TestGramMode(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := rowsOf(rng, 300, 40, false)
	by := make([]float64, 300)
	for i := range by {
		by[i] = 0x1p-300
	}
	for name, data := range map[string]mat.Matrix{"sparse": x, "dense": x.ToDense(), "small": x.ScaleRows(by)} {
		for _, opt := range []Options{
			{Dims: 3, Terms: method.Amount{Count: 7}, MaxIter: 20},
			{Dims: 3, Terms: method.Amount{Count: 7}, Ridge: 1e-6, MaxIter: 20},
			{Dims: 2, Penalty: 30, Tol: 1e-13},
		} {
			if name == "small" {
				opt.Penalty *= 0x1p-600
			}
			with := must.Get(analyse(ctx, data, opt, true))(t)
			without := must.Get(analyse(ctx, data, opt, false))(t)
			last := func(m *Model) float64 { return m.Objective[len(m.Objective)-1] }
			if math.Abs(last(with)-last(without)) > 1e-8 {
				t.Errorf("%s, %+v: objective %v, on the rows %v", name, opt, last(with), last(without))
			}
			for j := range opt.Dims {
				if math.Abs(with.AdjustedVariance[j]-without.AdjustedVariance[j]) > 1e-6*with.TotalVariance {
					t.Errorf("%s, %+v: variance %v, on the rows %v", name, opt, with.AdjustedVariance[j], without.AdjustedVariance[j])
				}
				for i := range 40 {
					if math.Abs(with.Loadings.At(i, j)-without.Loadings.At(i, j)) > 1e-5 {
						t.Fatalf("%s, %+v: loading %d of component %d is %v, on the rows %v", name, opt, i, j, with.Loadings.At(i, j), without.Loadings.At(i, j))
					}
				}
			}
			if !mat.EqualApprox(with.Embedding, without.Embedding, 1e-3) {
				t.Errorf("%s: other coordinates", name)
			}
		}
	}
}

// Without many rows the mode is refused, and so it is for components that a Gram matrix cannot
// distinguish from rounding.
func TestGramModeRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	faint := rowsOf(rng, 200, 10, false).ToDense()
	for i := range 200 {
		for j := 1; j < 10; j++ {
			faint.Set(i, j, faint.At(i, j)*1e-6)
		}
		faint.Set(i, 0, rng.NormFloat64())
	}
	for name, c := range map[string]struct {
		x    mat.Matrix
		want bool
	}{"wide": {rowsOf(rng, 60, 40, false), false}, "tall": {rowsOf(rng, 90, 40, false), true}, "faint": {faint, false}} {
		b := must.Get(svd.New(ctx, c.x, true))(t)
		f := &fit{x: c.x, b: b, opt: Options{Dims: 2}}
		if _, got, err := f.reduce(ctx); err != nil || got != c.want {
			t.Errorf("%s: Gram mode %v (error %v)", name, got, err)
		}
	}
}

func TestPolar(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, k := range []int{1, 7, 128, 129, 150} {
		h := panel.New(200, k)
		for i := range h.Data {
			h.Data[i] = rng.NormFloat64()
		}
		if k == 7 {
			for i := range 200 {
				h.Data[i*k+3] = 0
			}
		}
		before := append([]float64(nil), h.Data...)
		a := must.Get(polar(h))(t)
		g, s := panel.New(k, k), panel.New(k, k)
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, a, a, 0, g)
		h.Data = before
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, a, h, 0, s)
		for i := range k {
			for j := range k {
				want := 0.0
				if i == j {
					want = 1
				}
				// AᵀH is symmetric where A is the polar factor, and its trace the sum of the singular values.
				if math.Abs(g.Data[i*k+j]-want) > 1e-12 || math.Abs(s.Data[i*k+j]-s.Data[j*k+i]) > 1e-10 {
					t.Fatalf("k = %d: not the polar factor at (%d, %d)", k, i, j)
				}
			}
			if s.Data[i*k+i] < -1e-12 {
				t.Fatalf("k = %d: AᵀH is not positive", k)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(3, 6)), 20, 10, false)
	for name, run := range map[string]func() error{
		"options": func() error {
			_, err := Fit(ctx, x, Options{Terms: method.Amount{Count: -1}, Penalty: -1, MaxIter: -1})
			return err
		},
		"two ways": func() error {
			_, err := Fit(ctx, x, Options{Dims: 1, Terms: method.Amount{Count: 3}, Penalty: 1})
			return err
		},
		"lengths": func() error { _, err := Fit(ctx, x, Options{Dims: 2, Cardinalities: []int{1}}); return err },
		"values": func() error {
			_, err := Fit(ctx, x, Options{Dims: 2, Penalties: []float64{1, math.NaN()}})
			return err
		},
		"rank":     func() error { _, err := Fit(ctx, x, Options{Dims: 9}); return err },
		"nothing":  func() error { _, err := Fit(ctx, nil, Options{Dims: 1}); return err },
		"unfitted": func() error { _, err := new(Model).Transform(ctx, x); return err },
	} {
		if err := run(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// So large a penalty leaves nothing, which is no error.
	if m, err := Fit(ctx, x, Options{Dims: 2, Penalty: 1e9}); err != nil || m.Loadings.NNZ() != 0 || !m.Converged {
		t.Errorf("a penalty beyond everything: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(cancelled, x, Options{Dims: 2}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
