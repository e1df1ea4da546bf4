package lda

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// classes returns documents of k classes with different means, every fifth without a label where
// asked.
func classes(rng *rand.Rand, n, p, k int, hidden bool) (*sparse.CSR, []int) {
	b := sparse.NewBuilder(n, p)
	known := make([]int, n)
	for i := range n {
		known[i] = i % k
		for j := range p {
			if j > 0 && rng.Float64() < 0.7 { // column 0 stays empty
				b.Add(i, j, rng.NormFloat64()+float64((i%k*7+j)%k))
			}
		}
		if hidden && i >= k && i%5 == 0 {
			known[i] = labels.Unknown
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x, known
}

// scatters are S_b and S_w by their definitions.
func scatters(x mat.Matrix, known []int, k int) (between, within *mat.Dense) {
	n, p := x.Dims()
	means, sizes := mat.NewDense(k, p, nil), make([]float64, k)
	mean, all := mat.NewVecDense(p, nil), 0.0
	for i := range n {
		if c := known[i]; c >= 0 {
			sizes[c]++
			all++
			for j := range p {
				means.Set(c, j, means.At(c, j)+x.At(i, j))
				mean.SetVec(j, mean.AtVec(j)+x.At(i, j))
			}
		}
	}
	mean.ScaleVec(1/all, mean)
	between, within = mat.NewDense(p, p, nil), mat.NewDense(p, p, nil)
	outer := func(to *mat.Dense, v *mat.VecDense, by float64) {
		var o mat.Dense
		o.Outer(by, v, v)
		to.Add(to, &o)
	}
	for c := range k {
		row := means.RowView(c).(*mat.VecDense)
		row.ScaleVec(1/sizes[c], row)
		var d mat.VecDense
		d.SubVec(row, mean)
		outer(between, &d, sizes[c])
	}
	for i := range n {
		if c := known[i]; c >= 0 {
			d := mat.NewVecDense(p, nil)
			for j := range p {
				d.SetVec(j, x.At(i, j)-means.At(c, j))
			}
			outer(within, d, 1)
		}
	}
	return between, within
}

func ridge(alpha float64) *float64 { return &alpha }

func fit(t testing.TB, x mat.Matrix, known []int, k int, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, known, k, opt))(t)
	return m
}

// The textbook problem S_b·a = λ(S_w + αI)·a with scatter matrices written out and LAPACK's
// generalised solver: the same values and the same subspace, from sparse and dense rows, factored
// and iterated, labels missing or not, with ridge and shrinkage.
func TestPropertyScatterMatrices(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		k := 2 + rng.IntN(4)
		n, p := 30+rng.IntN(30), k+2+rng.IntN(8)
		x, known := classes(rng, n, p, k, rng.IntN(2) == 0)
		between, within := scatters(x, known, k)
		opt := Options{Ridge: ridge(0.7)}
		effective, trace := mat.DenseCopyOf(within), mat.Trace(within)/float64(p)
		scale := 1.0
		switch rng.IntN(3) {
		case 0:
			opt = Options{Shrinkage: 0.2}
			scale = 0.8
			effective.Scale(0.8, effective)
			for j := range p {
				effective.Set(j, j, effective.At(j, j)+0.2*trace)
			}
		case 1:
			for j := range p {
				effective.Set(j, j, effective.At(j, j)+0.7)
			}
		default: // classical: without the empty column, whose scatter is singular
			keep := make([]int, p-1)
			for j := range keep {
				keep[j] = j + 1
			}
			x, opt, p = x.SelectCols(keep), Options{Ridge: ridge(0)}, p-1
			between, effective = scatters(x, known, k)
		}
		sym := func(m *mat.Dense) blas64.Symmetric {
			return blas64.Symmetric{N: p, Stride: p, Data: mat.DenseCopyOf(m).RawMatrix().Data, Uplo: blas.Upper}
		}
		values, vectors, err := native.Default().SymDefEig(sym(between), sym(effective), native.EigRange{First: p - (k - 1), Count: k - 1}, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, iterate := range []bool{false, true} {
				o := opt
				o.iterate, o.Tol = iterate, 1e-13
				m := must.Get(Fit(ctx, in, known, k, o))(t)
				if len(m.Values) != k-1 {
					t.Fatalf("%d directions for %d classes", len(m.Values), k)
				}
				for j, mu := range m.Values {
					want := values[k-2-j] * scale
					if got := mu / (1 - mu); math.Abs(got-want) > 1e-8*(1+want) {
						t.Fatalf("λ_%d = %v, want %v", j, got, want)
					}
				}
				if gap := apart(m.Projection, mat.NewDense(p, k-1, vectors.Data)); gap > 1e-8 {
					t.Fatalf("sine of the largest angle %g", gap)
				}
			}
		}
	})
}

// apart is the sine of the largest angle between two spans.
func apart(a, b *mat.Dense) float64 {
	basis := func(m *mat.Dense) *mat.Dense {
		q := mat.DenseCopyOf(m)
		if _, err := native.Default().QR(q.RawMatrix()); err != nil {
			panic(err)
		}
		return q
	}
	u, v := basis(a), basis(b)
	var ut, rest mat.Dense
	ut.Mul(u.T(), v)
	rest.Mul(u, &ut)
	rest.Sub(v, &rest)
	return mat.Norm(&rest, 2)
}

// The same from the graph: LDA's graph with centred rows in eq. (3), μ = 1 − λ, direction by
// direction.
func TestIsAGraphEmbedding(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	for _, size := range [][3]int{{60, 12, 4}, {30, 80, 3}} {
		x, known := classes(rng, size[0], size[1], size[2], true)
		g := must.Get(lpp.ClassGraph(known, size[2]))(t)
		for _, alpha := range []float64{0.5, 30} {
			a := fit(t, x, known, size[2], Options{Ridge: ridge(alpha)})
			b := must.Get(lpp.FitGraph(ctx, x, g, lpp.Options{Dims: size[2] - 1, Ridge: &alpha}))(t)
			for j, mu := range a.Values {
				if math.Abs(1-mu-b.Values[j]) > 1e-10 {
					t.Errorf("μ_%d = %v, the graph's λ is %v", j, mu, b.Values[j])
				}
			}
			var d mat.Dense
			d.Sub(a.Embedding, b.Embedding)
			if gap := mat.Norm(&d, 2) / mat.Norm(a.Embedding, 2); gap > 1e-8 {
				t.Errorf("%v, α = %v: coordinates differ by %g", size, alpha, gap)
			}
		}
	}
}

func TestResponses(t *testing.T) {
	of := [][]int32{{0, 3}, {1, 4, 5, 6}, {2}, {7, 9}}
	y := Responses(of, 10)
	var g mat.Dense
	g.Mul(y.T(), y)
	for i := range 3 {
		sum := 0.0
		for r := range 10 {
			sum += y.At(r, i)
		}
		if math.Abs(sum) > 1e-15 || y.At(8, i) != 0 {
			t.Errorf("column %d sums to %g, the unlabelled document has %v", i, sum, y.At(8, i))
		}
		for j := range 3 {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(g.At(i, j)-want) > 1e-15 {
				t.Errorf("yᵀy = %v", mat.Formatted(&g))
			}
		}
	}
	// Eq. (9): m/m₁ and −m/m₂ up to a factor.
	two := Responses([][]int32{{0, 1}, {2, 3, 4}}, 5)
	if r := two.At(0, 0) / two.At(2, 0); math.Abs(r+3.0/2) > 1e-15 {
		t.Errorf("ratio %v", r)
	}
}

// More terms than documents: separable classes are fitted exactly, and a document of the fit goes
// to its class.
func TestSeparable(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	x, known := classes(rng, 20, 100, 3, false)
	m := fit(t, x, known, 3, Options{Ridge: ridge(0)})
	for _, mu := range m.Values {
		if math.Abs(mu-1) > 1e-9 {
			t.Errorf("μ = %v", mu)
		}
	}
	got := must.Get(m.Predict(ctx, x))(t)
	for i, k := range got {
		if k != known[i] {
			t.Errorf("document %d: class %d, is %d", i, k, known[i])
		}
		for j := range 2 {
			if math.Abs(m.Embedding.At(i, j)-m.Centers.At(known[i], j)) > 1e-8 {
				t.Errorf("document %d is not at its class", i)
			}
		}
	}
}

func TestThreadsAndRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 18))
	x, known := classes(rng, 200, 60, 4, true)
	defer native.SetThreads(0)
	for _, iterate := range []bool{false, true} {
		native.SetThreads(1)
		want := fit(t, x, known, 4, Options{iterate: iterate}).Projection
		native.SetThreads(3)
		if !mat.Equal(want, fit(t, x, known, 4, Options{iterate: iterate}).Projection) {
			t.Error("the bits depend on the threads")
		}
	}
	if m := fit(t, x, known, 4, Options{Dims: 2, Ridge: ridge(0)}); len(m.Values) != 2 {
		t.Errorf("%d directions", len(m.Values))
	}
	one, same := make([]int, 200), make([]int, 200)
	for i := range same {
		same[i] = i % 2
	}
	double := make([]int, 200)
	for i := range double {
		double[i] = i / 2
	}
	for name, run := range map[string]func() error{
		"one class":  func() error { _, err := Fit(ctx, x, one, 1, Options{}); return err },
		"empty":      func() error { _, err := Fit(ctx, x, one, 2, Options{}); return err },
		"same means": func() error { _, err := Fit(ctx, x.SelectRows(double), same, 2, Options{Ridge: ridge(0)}); return err },
		"options": func() error {
			_, err := Fit(ctx, x, known, 4, Options{Dims: -1, Ridge: ridge(1), Shrinkage: 1})
			return err
		},
		"none":     func() error { _, err := Fit(ctx, nil, known, 4, Options{}); return err },
		"unfitted": func() error { _, err := new(Model).Predict(ctx, x); return err },
	} {
		if err := run(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
