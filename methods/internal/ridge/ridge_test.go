package ridge

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// hostile returns a matrix with duplicated rows, a zero column, a constant column, and f with some zeros.
func hostile(rng *rand.Rand, n, p int) (*sparse.CSR, []float64) {
	b := sparse.NewBuilder(n, p)
	for i := range n {
		for j := range p {
			switch {
			case j == 0:
			case j == 1:
				b.Add(i, j, 3)
			case rng.Float64() < 0.5:
				b.Add(i, j, rng.NormFloat64())
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	if n > 3 {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		rows[n-1] = 0
		x = x.SelectRows(rows)
	}
	f := make([]float64, n)
	for i := range f {
		f[i] = float64(rng.IntN(4))
	}
	f[0] = 1
	return x, f
}

// literal makes B by its definition.
func literal(x mat.Matrix, f []float64, centre bool) *mat.Dense {
	n, p := x.Dims()
	b := mat.NewDense(n, p, nil)
	for j := range p {
		mean, total := 0.0, 0.0
		for i := range n {
			w := 1.0
			if f != nil {
				w = f[i]
			}
			mean += w * w * x.At(i, j)
			total += w * w
		}
		if mean /= total; !centre {
			mean = 0
		}
		for i := range n {
			w := 1.0
			if f != nil {
				w = f[i]
			}
			b.Set(i, j, w*(x.At(i, j)-mean))
		}
	}
	return b
}

// The normal equations hold, the solution has no part in B's null space where α is 0, and all ways agree.
func TestPropertyNormalEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, p := 2+rng.IntN(20), 2+rng.IntN(20)
		x, f := hostile(rng, n, p)
		if rng.IntN(2) == 0 {
			f = nil
		}
		centre := rng.IntN(2) == 0
		alpha := []float64{0, 0.1, 5}[rng.IntN(3)]
		b := literal(x, f, centre)
		y := newBlock(n, 3)
		for i := range y.Data {
			y.Data[i] = rng.NormFloat64()
		}
		var solutions []*mat.Dense
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, memory := range []int64{0, 1} {
				d, err := New(ctx, in, f, centre)
				if err != nil {
					t.Fatal(err)
				}
				a, err := d.Solve(ctx, y, alpha, Options{Memory: memory, Tol: 1e-13, MaxIter: 20000})
				var stopped *NotConvergedError
				if err != nil && !(errors.As(err, &stopped) && stopped.Worst < 1e-10) {
					t.Fatal(err)
				}
				solutions = append(solutions, mat.NewDense(p, 3, a.Data))
			}
		}
		var r, g mat.Dense
		r.Mul(b, solutions[0])
		r.Sub(mat.NewDense(n, 3, y.Data), &r)
		g.Mul(b.T(), &r)
		for i := range p {
			for j := range 3 {
				g.Set(i, j, g.At(i, j)-alpha*solutions[0].At(i, j))
			}
		}
		if res := mat.Norm(&g, 2); res > 1e-8*(1+mat.Norm(b, 2)) {
			t.Fatalf("n=%d p=%d α=%v: ‖Bᵀr − αa‖ = %g", n, p, alpha, res)
		}
		if alpha == 0 { // least norm: a = B⁺B·a
			var s mat.SVD
			s.Factorize(b, mat.SVDThin)
			var v, along, back mat.Dense
			s.VTo(&v)
			for j, value := range s.Values(nil) {
				if value < 1e-9*(1+s.Values(nil)[0]) {
					for i := range p {
						v.Set(i, j, 0)
					}
				}
			}
			along.Mul(v.T(), solutions[0])
			back.Mul(&v, &along)
			back.Sub(solutions[0], &back)
			if mat.Norm(&back, 2) > 1e-7*(1+mat.Norm(solutions[0], 2)) {
				t.Fatalf("the solution is not the shortest")
			}
		}
		for k, s := range solutions[1:] {
			var d mat.Dense
			d.Sub(solutions[0], s)
			if mat.Norm(&d, 2) > 1e-6*(1+mat.Norm(s, 2)) {
				t.Fatalf("way %d differs by %g (α=%v, %d×%d)", k+1, mat.Norm(&d, 2), alpha, n, p)
			}
		}
	})
}

func TestSpectrumAndMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, size := range [][2]int{{30, 12}, {12, 30}} {
		x, f := hostile(rng, size[0], size[1])
		d, err := New(ctx, x, f, true)
		if err != nil {
			t.Fatal(err)
		}
		b := literal(x, f, true)
		s, err := d.Spectrum(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var svd mat.SVD
		svd.Factorize(b, mat.SVDNone)
		values := svd.Values(nil)
		for j, v := range s.Values {
			if math.Abs(math.Sqrt(v)-values[j]) > 1e-9*values[0] {
				t.Errorf("σ_%d = %v, want %v", j, math.Sqrt(v), values[j])
			}
		}
		if rest := values[len(s.Values):]; len(rest) > 0 && rest[0] > 1e-6*values[0] {
			t.Errorf("a singular value of %g was dropped", rest[0])
		}
	}
}

func TestScaleAndThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	x, _ := hostile(rng, 200, 60)
	y := newBlock(200, 2)
	for i := range y.Data {
		y.Data[i] = rng.NormFloat64()
	}
	solve := func(in mat.Matrix, alpha float64, memory int64) []float64 {
		d, err := New(ctx, in, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		a, err := d.Solve(ctx, y, alpha, Options{Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		return a.Data
	}
	defer native.SetThreads(0)
	for _, memory := range []int64{0, 1} {
		native.SetThreads(1)
		want := solve(x, 1, memory)
		native.SetThreads(3)
		for i, v := range solve(x, 1, memory) {
			if v != want[i] {
				t.Fatal("the bits depend on the threads")
			}
		}
		big := make([]float64, 200)
		for i := range big {
			big[i] = 0x1p400
		}
		for i, v := range solve(x.ScaleRows(big), 0x1p800, memory) {
			if math.Abs(v*0x1p400-want[i]) > 1e-8*(1+math.Abs(want[i])) {
				t.Fatalf("huge data: %v, want %v", v*0x1p400, want[i])
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	x := sparse.NewBuilder(3, 2)
	x.Add(0, 0, 1)
	m, _ := x.Build()
	for _, f := range [][]float64{{0, 0, 0}, {1, math.Inf(1), 0}, {1, math.NaN(), 0}} {
		if _, err := New(ctx, m, f, true); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("weights %v: %v", f, err)
		}
	}
	if err := (Options{Tol: 2, Memory: -1, MaxIter: -1}).Validate(); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	d, err := New(ctx, m, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, memory := range []int64{0, 1} {
		if _, err := d.Solve(cancelled, newBlock(3, 1), 1, Options{Memory: memory}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
