package svd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// graded returns an n×d matrix with the given singular values.
func graded(n, d int, values []float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	k := len(values)
	factor := func(rows int) blas64.General {
		q := panel.New(rows, k)
		for i := range q.Data {
			q.Data[i] = rng.NormFloat64()
		}
		if _, err := native.Default().QR(q); err != nil {
			panic(err)
		}
		return q
	}
	u, v := asDense(factor(n)), asDense(factor(d))
	var us, x mat.Dense
	us.Apply(func(_, j int, w float64) float64 { return w * values[j] }, u)
	x.Mul(&us, v.T())
	return &x
}

// scattered returns a sparse n×d matrix with about the given share of non-zero entries of both
// signs.
func scattered(n, d int, share float64, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, d)
	for i := range n {
		for j := range d {
			if rng.Float64() < share {
				b.Add(i, j, math.Round(8*rng.NormFloat64())/4)
			}
		}
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return a
}

// centred returns x as a dense matrix, with the column means subtracted if centre is set.
func centred(x mat.Matrix, centre bool) *mat.Dense {
	c := mat.DenseCopyOf(x)
	if n, d := c.Dims(); centre {
		for j := range d {
			mean := 0.0
			for i := range n {
				mean += c.At(i, j) / float64(n)
			}
			for i := range n {
				c.Set(i, j, c.At(i, j)-mean)
			}
		}
	}
	return c
}

// lapack returns the reference: the singular values of the dense matrix.
func lapack(t fataler, x *mat.Dense) []float64 {
	t.Helper()
	n, d := x.Dims()
	// gonum's own routine is reliable up to 128 columns, so the smaller side comes first.
	a := panel.New(min(n, d), max(n, d))
	for i := range n {
		for j := range d {
			if n <= d {
				a.Data[i*a.Stride+j] = x.At(i, j)
			} else {
				a.Data[j*a.Stride+i] = x.At(i, j)
			}
		}
	}
	_, s, _, err := native.Default().SVD(a)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

func truncated(t testing.TB, x mat.Matrix, centre bool, opt Options) (*Matrix, *Factors) {
	t.Helper()
	m := must.Get(New(ctx, x, centre))(t)
	f := must.Get(Truncated(ctx, m, opt))(t)
	return m, f
}

// fataler is the common interface of *testing.T and *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// check tests all guarantees of the package for factors against the dense matrix x.
func check(t fataler, x *mat.Dense, f *Factors, want []float64, tol float64) {
	t.Helper()
	top := want[0]
	for j, s := range f.Singular {
		if !(math.Abs(s-want[j]) <= tol*top) {
			t.Fatalf("σ_%d = %v, LAPACK %v (σ_1 = %v)", j, s, want[j], top)
		}
	}
	v := asDense(f.V)
	var gram, av, back mat.Dense
	gram.Mul(v.T(), v)
	av.Mul(x, v)
	for i := range f.Singular {
		for j := range f.Singular {
			unit := 0.0
			if i == j && i < f.Rank {
				unit = 1
			}
			if !(math.Abs(gram.At(i, j)-unit) <= 1e-12) {
				t.Fatalf("VᵀV(%d, %d) = %v", i, j, gram.At(i, j))
			}
		}
	}
	u := mat.DenseCopyOf(&av)
	u.Apply(func(_, j int, w float64) float64 {
		if f.Singular[j] == 0 {
			return 0
		}
		return w / f.Singular[j]
	}, u)
	back.Mul(x.T(), u)
	back.Apply(func(i, j int, w float64) float64 { return w - f.Singular[j]*v.At(i, j) }, &back)
	for j := range f.Singular {
		limit := tol * top
		if s := f.Singular[j]; s > 0 {
			limit = max(limit, 1e-12*top*top/s)
		}
		if r := mat.Norm(back.ColView(j), 2); r > limit || math.Abs(r-f.Right[j]) > 1e-9*top+limit || f.Left[j] > limit {
			t.Fatalf("σ_%d = %v: ‖Xᵀu − σv‖ = %v, told %v; ‖Xv − σu‖ told %v", j, f.Singular[j], r, f.Right[j], f.Left[j])
		}
	}
}

func TestAgainstLAPACK(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	clustered := []float64{5, 5, 5, 5, 5, 3, 3, 3 - 1e-9, 3 - 2e-9, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1}
	geometric := make([]float64, 16)
	for j := range geometric {
		geometric[j] = math.Pow(10, -0.8*float64(j))
	}
	for name, x := range map[string]mat.Matrix{
		"long and thin":     scattered(700, 40, 0.1, rng),
		"short and wide":    scattered(40, 700, 0.1, rng),
		"square":            scattered(120, 120, 0.05, rng),
		"clustered":         graded(300, 90, clustered, 3),
		"clustered, turned": graded(90, 300, clustered, 3),
		"geometric":         graded(200, 60, geometric, 4),
		"geometric, turned": graded(60, 200, geometric, 4),
	} {
		for _, centre := range []bool{false, true} {
			dense := centred(x, centre)
			want := lapack(t, dense)
			for _, solver := range []eigen.Solver{"", eigen.Dense, eigen.Lanczos} {
				t.Run(fmt.Sprintf("%s centre=%v %s", name, centre, solver), func(t *testing.T) {
					_, f := truncated(t, x, centre, Options{K: 16, Solver: solver, Tol: 1e-10})
					check(t, dense, f, want, 1e-10)
				})
			}
		}
	}
}

// Singular values far below σ_1 keep the accuracy that squaring loses. All values are found, so
// nothing outside the span disturbs them, and they are as accurate as LAPACK's.
func TestSmallValuesSurviveSquaring(t *testing.T) {
	values := make([]float64, 13)
	for j := range values {
		values[j] = math.Pow(10, -float64(j))
	}
	for _, shape := range [][2]int{{60, 40}, {40, 60}} {
		x := graded(shape[0], shape[1], values, 7)
		_, f := truncated(t, x, false, Options{K: 13})
		if f.Rank != 13 {
			t.Fatalf("%v: rank %d", shape, f.Rank)
		}
		for j, s := range f.Singular {
			if math.Abs(s-values[j]) > 1e-14 {
				t.Errorf("%v: σ_%d = %.16g, want %g", shape, j, s, values[j])
			}
		}
	}
}

func TestLowRankEndsInExactZeros(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	base := scattered(8, 50, 0.3, rng)
	pick := make([]int, 60)
	for i := range pick {
		pick[i] = rng.IntN(8)
	}
	x := base.SelectRows(pick) // duplicated documents: rank 8 at most
	for _, centre := range []bool{false, true} {
		for _, y := range []*sparse.CSR{x, x.Transpose()} {
			for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
				dense := centred(y, centre)
				want := lapack(t, dense)
				rank := 0
				for _, s := range want {
					if s > 1e-12*want[0] {
						rank++
					}
				}
				_, f := truncated(t, y, centre, Options{K: 20, Solver: solver})
				if f.Rank != rank {
					t.Fatalf("rank %d, LAPACK %d; %v", f.Rank, rank, f.Singular)
				}
				check(t, dense, f, want, 1e-12)
				for j := rank; j < 20; j++ {
					if f.Singular[j] != 0 || mat.Norm(asDense(f.V).ColView(j), 2) != 0 {
						t.Fatalf("direction %d is not zero", j)
					}
				}
			}
		}
	}
}

// Sparse and dense storage, both sides, every solver, any share of empty rows and columns.
func TestPropertyAgainstLAPACK(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, d := 1+rng.IntN(30), 1+rng.IntN(30)
		x := scattered(n, d, max(0, 1.1*rng.Float64()-0.1), rng)
		centre := rapid.Bool().Draw(t, "centre")
		dense := centred(x, centre)
		if mat.Norm(dense, 2) < 1e-12 {
			dense.Zero()
		}
		want := lapack(t, dense)
		k := 1 + rng.IntN(min(n, d))
		solver := rapid.SampledFrom([]eigen.Solver{"", eigen.Dense, eigen.Lanczos}).Draw(t, "solver")
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			m, err := New(ctx, in, centre)
			if err != nil {
				t.Fatalf("%v", err)
			}
			f, err := Truncated(ctx, m, Options{K: k, Solver: solver})
			if err != nil {
				t.Fatalf("%v", err)
			}
			check(t, dense, f, want, 1e-8)
			if total := mat.Norm(dense, 2); math.Abs(m.Total-total*total) > 1e-12*(1+total*total) {
				t.Fatalf("total %v, want %v", m.Total, total*total)
			}
		}
	})
}

func TestShareGrowsToWhatIsNeeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x := scattered(300, 220, 0.03, rng)
	want := lapack(t, centred(x, true))
	total := 0.0
	for _, s := range want {
		total += s * s
	}
	for _, share := range []float64{0.01, 0.4, 0.8} {
		sum, least := 0.0, 0
		for sum < share*total {
			sum += want[least] * want[least]
			least++
		}
		for name, opt := range map[string]Options{
			"auto": {}, "little memory": {most: 1500e3}, "lanczos": {Solver: eigen.Lanczos}, "dense": {Solver: eigen.Dense},
		} {
			opt.Share = share
			m, f := truncated(t, x, true, opt)
			if math.Abs(m.Total-total) > 1e-10*total {
				t.Fatalf("total %v, want %v", m.Total, total)
			}
			if len(f.Singular) != least {
				t.Errorf("share %v, %s: %d values, want %d", share, name, len(f.Singular), least)
			}
		}
	}
	m := must.Get(New(ctx, x, true))(t)
	if _, err := Truncated(ctx, m, Options{Share: 1, most: 1000}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a share beyond the memory: %v", err)
	}
	if _, f := truncated(t, x, true, Options{Share: 1}); math.Abs(float64(len(f.Singular)-220)) > 5 {
		t.Errorf("the whole variance: %d values", len(f.Singular))
	}
}

// If a share turns out to need a large part of the spectrum, LAPACK replaces the iterative solver.
func TestShareGoesOverToLAPACK(t *testing.T) {
	x := scattered(650, 640, 0.01, rand.New(rand.NewPCG(15, 9)))
	var notes []string
	_, f := truncated(t, x, true, Options{Share: 0.6, Observer: func(e progress.Event) { notes = append(notes, e.Message) }})
	if f.Stats.Solver != eigen.Dense || f.Stats.Products == 0 {
		t.Errorf("%+v after %q", f.Stats, notes)
	}
}

// A tolerance that the first guess for the Gram matrix misses, because the wanted values are small,
// is met by the second solution.
func TestTightensForSmallValues(t *testing.T) {
	values := make([]float64, 200)
	for j := range values {
		values[j] = 1e-3 / float64(j+1)
	}
	values[0] = 10
	x := graded(220, 200, values, 11)
	_, f := truncated(t, x, false, Options{K: 6, Solver: eigen.Lanczos})
	for j := range f.Right {
		if f.Right[j] > 1e-8*10 {
			t.Errorf("residual %d is %g", j, f.Right[j])
		}
	}
}

func TestHugeAndTiny(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	x := scattered(60, 90, 0.2, rng)
	_, want := truncated(t, x, true, Options{K: 5})
	for _, e := range []int{-1000, -500, 500, 1000} {
		s := make([]float64, 60)
		for i := range s {
			s[i] = math.Ldexp(1, e)
		}
		y := x.ScaleRows(s)
		for _, in := range []mat.Matrix{y, y.ToDense()} {
			_, f := truncated(t, in, true, Options{K: 5})
			for j := range f.Singular {
				if got := math.Ldexp(f.Singular[j], -e); math.Abs(got-want.Singular[j]) > 1e-12*want.Singular[0] {
					t.Errorf("2^%d: σ_%d = %v, want %v", e, j, got, want.Singular[j])
				}
			}
		}
	}
}

// A column far from zero in every row must not hide the others, even if it is constant.
func TestOffsetsAreTakenOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 8))
	x := scattered(80, 20, 0.3, rng)
	want := lapack(t, centred(x, true))
	b := sparse.NewBuilder(80, 22)
	for i := range 80 {
		cols, vals := x.Row(i)
		for k, j := range cols {
			b.Add(i, int(j), vals[k])
		}
		b.Add(i, 20, 0.1)
		b.Add(i, 21, 0x1p30)
	}
	y := must.Get(b.Build())(t)
	for _, in := range []mat.Matrix{y, y.ToDense()} {
		for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
			m, f := truncated(t, in, true, Options{K: 22, Solver: solver})
			if m.Mean[20] != 0.1 || m.Mean[21] != 0x1p30 {
				t.Errorf("means %v %v", m.Mean[20], m.Mean[21])
			}
			for j, s := range f.Singular {
				w := 0.0
				if j < 20 {
					w = want[j]
				}
				if math.Abs(s-w) > 1e-12*want[0] {
					t.Errorf("σ_%d = %v, want %v", j, s, w)
				}
			}
		}
	}
}

func TestSameBitsAtAnyNumberOfThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 8))
	x := scattered(600, 300, 0.03, rng)
	for _, in := range []mat.Matrix{x, x.ToDense()} {
		for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
			paralleltest.Same(t, solver, []int{1, 2, 3}, func() [][]float64 {
				_, f := truncated(t, in, true, Options{K: 6, Solver: solver})
				return [][]float64{f.V.Data, f.AV.Data, f.Singular}
			})
		}
	}
}

func TestCancelled(t *testing.T) {
	x := scattered(500, 500, 0.1, rand.New(rand.NewPCG(1, 8)))
	m := must.Get(New(ctx, x, false))(t)
	done, cancel := context.WithCancel(ctx)
	cancel()
	for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
		if _, err := Truncated(done, m, Options{K: 5, Solver: solver}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", solver, err)
		}
		// Cancel in the middle, at the first event.
		done, cancel := context.WithCancel(ctx)
		opt := Options{K: 5, Solver: solver, Observer: func(progress.Event) { cancel() }}
		if _, err := Truncated(done, m, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, midway: %v", solver, err)
		}
		cancel()
	}
}

func TestWrongData(t *testing.T) {
	for name, x := range map[string]mat.Matrix{
		"nothing": nil, "empty": &sparse.CSR{NumCols: 3, RowPtr: []int{0}}, "no columns": &sparse.CSR{NumRows: 1, RowPtr: []int{0, 0}},
		"huge":      &sparse.CSR{NumRows: 1, NumCols: math.MaxInt32, RowPtr: []int{0, 0}},
		"nan":       mat.NewDense(2, 2, []float64{1, 2, math.NaN(), 3}),
		"inf":       mat.NewDense(2, 2, []float64{1, 2, 4, math.Inf(-1)}),
		"sparseinf": &sparse.CSR{NumRows: 1, NumCols: 1, RowPtr: []int{0, 1}, Col: []int32{0}, Val: []float64{math.Inf(1)}},
	} {
		if _, err := New(ctx, x, true); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := New(ctx, mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1}), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Truncated(ctx, m, Options{Share: 0.5}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a share of nothing: %v", err)
	}
	if f, err := Truncated(ctx, m, Options{K: 2}); err != nil || f.Rank != 0 || f.Singular[0] != 0 {
		t.Errorf("components of nothing: %v %v", f, err)
	}
	if _, err := Truncated(ctx, m, Options{K: 3}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("too many: %v", err)
	}
	m, err = New(ctx, mat.NewDense(2, 2, []float64{math.MaxFloat64, 1, 1, math.MaxFloat64}), false)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := Truncated(ctx, m, Options{K: 2}); err != nil && !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("the largest numbers: %v %v", f, err)
	}
}

// The solver's products with the Gram matrix keep few columns of the longer side at a time, and a
// column has the same bits whatever others there are.
func TestGramProductsAreNarrow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 29))
	b := sparse.NewBuilder(40, 3000)
	for i := range 40 {
		for range 60 {
			b.Add(i, rnd.IntN(3000), rnd.NormFloat64())
		}
	}
	x := must.Get(b.Build())(t)
	m := must.Get(New(context.Background(), x, false))(t)
	in, out, one := panel.New(40, 37), panel.New(40, 37), panel.New(40, 1)
	for i := range in.Data {
		in.Data[i] = rnd.NormFloat64()
	}
	gramOperator{m}.MulBlock(out, in)
	if most := 16 * m.Cols; cap(m.block) > most {
		t.Errorf("%d numbers of scratch memory, more than %d", cap(m.block), most)
	}
	for j := range in.Cols {
		alone := panel.New(40, 1)
		for i := range 40 {
			alone.Data[i] = in.Data[i*in.Stride+j]
		}
		gramOperator{m}.MulBlock(one, alone)
		for i, v := range one.Data {
			if v != out.Data[i*out.Stride+j] {
				t.Fatalf("column %d, row %d: %v beside others, %v alone", j, i, out.Data[i*out.Stride+j], v)
			}
		}
	}
}
