package pca

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// rowsOf returns a sparse matrix whose columns have different spreads.
func rowsOf(n, d int, share float64, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, d)
	for i := range n {
		for j := range d {
			if rng.Float64() < share {
				b.Add(i, j, (1+rng.NormFloat64())/float64(1+j))
			}
		}
	}
	a, err := b.Build()
	if err != nil {
		panic(err)
	}
	return a
}

func fit(t testing.TB, x mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

func largestDifference(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// The definition: S·v = λ·v for the covariance matrix that gonum computes, traces, ratios and what
// is left over.
func TestPropertyCovariance(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, d := 2+rng.IntN(24), 1+rng.IntN(24)
		x := rowsOf(n, d, 0.1+0.9*rng.Float64(), rng)
		k := 1 + rng.IntN(min(n, d))
		var cov mat.SymDense
		stat.CovarianceMatrix(&cov, x.ToDense(), nil)
		trace := mat.Trace(&cov)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			m, err := Fit(ctx, in, Options{Dims: k})
			if err != nil {
				t.Fatalf("%v", err)
			}
			var sv mat.Dense
			sv.Mul(&cov, m.Components.T())
			explained := 0.0
			for j, lambda := range m.ExplainedVariance {
				for i := range d {
					if r := sv.At(i, j) - lambda*m.Components.At(j, i); math.Abs(r) > 1e-8*trace {
						t.Fatalf("(Sv − λv)_%d = %v for component %d", i, r, j)
					}
				}
				if math.Abs(lambda-m.ExplainedVarianceRatio[j]*trace) > 1e-12*trace {
					t.Fatalf("ratio %v of %v is not %v", m.ExplainedVarianceRatio[j], trace, lambda)
				}
				explained += lambda
			}
			if math.Abs(m.TotalVariance-trace) > 1e-12*trace {
				t.Fatalf("total %v, trace %v", m.TotalVariance, trace)
			}
			if left := min(n, d) - k; left > 0 && math.Abs(m.NoiseVariance*float64(left)+explained-trace) > 1e-10*trace {
				t.Fatalf("noise %v of %d and %v do not make %v", m.NoiseVariance, left, explained, trace)
			}
			for j := range k {
				column := mat.Col(nil, j, m.Embedding)
				if v := stat.Variance(column, nil); math.Abs(v-m.ExplainedVariance[j]) > 1e-10*trace || math.Abs(stat.Mean(column, nil)) > 1e-12*math.Sqrt(trace) {
					t.Fatalf("coordinate %d has mean %v and variance %v, not %v", j, stat.Mean(column, nil), v, m.ExplainedVariance[j])
				}
			}
		}
	})
}

// The coordinates are the embedding but for rotations among equal variances: the same products of
// rows, and as many columns of the same variances.
func TestCoordinatesAreTheEmbedding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, shape := range [][2]int{{40, 90}, {90, 40}} {
		x := rowsOf(shape[0], shape[1], 0.2, rng)
		for _, opt := range []Options{{Dims: 3}, {Amount: method.Amount{Share: 0.3}}, {Amount: method.Amount{Share: 0.98}}, {Amount: method.Amount{Share: 1}}, {Amount: method.Amount{Share: 0.9}, Whiten: true}, {Dims: 4, Solver: eigen.Lanczos}, {Amount: method.Amount{Share: 0.5}, Solver: eigen.Lanczos}} {
			m := fit(t, x, opt)
			for _, in := range []mat.Matrix{x, x.ToDense()} {
				y := must.Get(Coordinates(ctx, in, opt))(t)
				var got, want mat.Dense
				if _, k := y.Dims(); k != len(m.Singular) {
					t.Fatalf("%v, %+v: %d coordinates, Fit has %d", shape, opt, k, len(m.Singular))
				}
				got.Mul(y, y.T())
				want.Mul(m.Embedding, m.Embedding.T())
				if d := largestDifference(&got, &want); d > 1e-8*mat.Max(&want) {
					t.Errorf("%v, %+v: products of rows differ by %g", shape, opt, d)
				}
				for j := range m.Singular {
					if a, b := mat.Norm(y.ColView(j), 2), mat.Norm(m.Embedding.ColView(j), 2); math.Abs(a-b) > 1e-6*mat.Norm(m.Embedding.ColView(0), 2) {
						t.Errorf("%v, %+v: column %d has norm %g, Fit's has %g", shape, opt, j, a, b)
					}
				}
			}
		}
	}
	// Three different rows span two directions; the others are exact zeros.
	y := must.Get(Coordinates(ctx, rowsOf(3, 9, 0.8, rng).SelectRows([]int{0, 1, 2, 2, 1, 0, 0}), Options{Dims: 6, Whiten: true}))(t)
	if norm := mat.Norm(y.Slice(0, 7, 2, 6), 2); norm != 0 || mat.Norm(y.ColView(1), 2) < 1 {
		t.Errorf("beyond the rank: %v", mat.Formatted(y))
	}
}

// Columns that are constant but for one missing entry: products of many large numbers are centred,
// and their rounding is no direction.
func TestCoordinatesOfNearlyConstantColumns(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := sparse.NewBuilder(10, 2000)
		for j := range 2000 {
			hole, v := rng.IntN(10), 0.5+rng.Float64()
			for i := range 10 {
				if i != hole {
					b.Add(i, j, v)
				}
			}
		}
		x := must.Get(b.Build())(t)
		var notes strings.Builder
		y := must.Get(Coordinates(ctx, x, Options{Dims: 10, Whiten: true, Observer: func(e progress.Event) { notes.WriteString(e.Message) }}))(t)
		if norm := mat.Norm(y.ColView(9), 2); norm != 0 || !strings.Contains(notes.String(), "rank 9") {
			t.Errorf("seed %d: a tenth direction of norm %v; %s", seed, norm, notes.String())
		}
	}
}

// A small share of many rows takes few components, from either of the two functions.
func TestCoordinatesTakeTheSolverOfFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 10))
	var solvers []string
	long := rowsOf(1500, 1600, 0.02, rng)
	for _, f := range []func(Options) error{
		func(o Options) error { _, err := Coordinates(ctx, long, o); return err },
		func(o Options) error { _, err := Fit(ctx, long, o); return err },
	} {
		must.Do(t, f(Options{Amount: method.Amount{Share: 0.1}, Observer: func(e progress.Event) {
			if strings.HasPrefix(e.Message, "solver ") {
				solvers = append(solvers, e.Message)
			}
		}}))
	}
	if len(solvers) != 2 || solvers[0] != solvers[1] || !strings.Contains(solvers[0], "lanczos") {
		t.Errorf("solvers %q", solvers)
	}
}

func TestCoordinatesRefuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 11))
	for want, x := range map[string]mat.Matrix{"two rows": mat.NewDense(1, 3, []float64{1, 2, 3}), "do not vary": mat.NewDense(3, 4, nil),
		"variance of the data": mat.NewDense(2, 3, []float64{-1e300, 1e300, 1e300, 1e300, 1e300, 1e300}), "largest number": mat.NewDense(2, 3, []float64{-1.6e308, -1.6e308, -1.6e308, 1.6e308, 1.6e308, 1.6e308})} {
		if _, err := Coordinates(ctx, x, Options{Amount: method.Amount{Share: 0.5}}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Coordinates(stopped, rowsOf(300, 400, 0.2, rng), Options{Amount: method.Amount{Share: 0.9}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTransformAndInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, shape := range [][2]int{{90, 20}, {20, 90}, {120, 110}} {
		x := rowsOf(shape[0], shape[1], 0.4, rng)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, whiten := range []bool{false, true} {
				solver := eigen.Auto
				if shape[0] > 100 {
					solver = eigen.Lanczos
				}
				m := fit(t, in, Options{Dims: 8, Whiten: whiten, Solver: solver})
				y := must.Get(m.Transform(ctx, in))(t)
				if d := largestDifference(y, m.Embedding); d > 1e-12*mat.Norm(m.Embedding, 2) {
					t.Errorf("%v whiten=%v: Transform differs from Embedding by %g", shape, whiten, d)
				}
				back := must.Get(m.Inverse(ctx, y))(t)
				again, err := m.Transform(ctx, back) // points of the span stay where they are
				if err != nil {
					t.Fatal(err)
				}
				if d := largestDifference(y, again); d > 1e-11*mat.Norm(y, 2) {
					t.Errorf("%v whiten=%v: Transform(Inverse(y)) differs by %g", shape, whiten, d)
				}
				if whiten {
					for j := range 8 {
						if v := stat.Variance(mat.Col(nil, j, y), nil); math.Abs(v-1) > 1e-10 {
							t.Errorf("whitened coordinate %d has variance %v", j, v)
						}
					}
				}
			}
			all := fit(t, in, Options{Amount: method.Amount{Share: 1}, Whiten: true})
			back := must.Get(all.Inverse(ctx, all.Embedding))(t)
			if d := largestDifference(back, x.ToDense()); d > 1e-5 { // Share 1 leaves out what adds less than 1e-12 of the variance
				t.Errorf("%v: all components give the rows back up to %g", shape, d)
			}
		}
	}
}

func TestShareIsTheLeastNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	x := rowsOf(200, 60, 0.5, rng)
	all := fit(t, x, Options{Dims: 60})
	for _, share := range []float64{0.3, 0.9, 0.98, 1} {
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			m := fit(t, in, Options{Amount: method.Amount{Share: share}})
			k, sum := len(m.ExplainedVariance), 0.0
			for _, r := range all.ExplainedVarianceRatio[:k-1] {
				sum += r
			}
			if sum >= share || sum+all.ExplainedVarianceRatio[k-1] < share-1e-11 {
				t.Errorf("share %v: %d components explain %v, one fewer %v", share, k, sum+all.ExplainedVarianceRatio[k-1], sum)
			}
		}
	}
}

func TestHostileData(t *testing.T) {
	if m := fit(t, mat.NewDense(5, 2, []float64{.1, .3, .1, .3, .1, .3, .1, .3, .1, .3}), Options{Dims: 2, Whiten: true}); m.Rank != 0 ||
		m.TotalVariance != 0 || mat.Norm(m.Embedding, 2) != 0 || m.Mean[0] != .1 {
		t.Errorf("constant columns: %+v", m)
	}
	// More components than there is rank: three different rows span two directions.
	x := rowsOf(3, 9, 0.8, rand.New(rand.NewPCG(7, 2))).SelectRows([]int{0, 1, 2, 2, 1, 0, 0})
	m := fit(t, x, Options{Dims: 6, Whiten: true})
	if m.Rank != 2 || m.ExplainedVariance[2] != 0 || mat.Norm(m.Components.RowView(5), 2) != 0 {
		t.Errorf("rank %d: %v", m.Rank, m.ExplainedVariance)
	}
	back := must.Get(m.Inverse(ctx, m.Embedding))(t)
	if d := largestDifference(back, x.ToDense()); d > 1e-13 {
		t.Errorf("two components give the rows back up to %g", d)
	}
	base := rowsOf(40, 10, 0.5, rand.New(rand.NewPCG(7, 3)))
	want := fit(t, base, Options{Dims: 3})
	for _, scale := range []float64{1e-150, 1e150} {
		s := make([]float64, 40)
		for i := range s {
			s[i] = scale
		}
		y := base.ScaleRows(s)
		for _, in := range []mat.Matrix{y, y.ToDense()} {
			m := fit(t, in, Options{Dims: 3, Whiten: true})
			for j, r := range m.ExplainedVarianceRatio {
				if math.Abs(r-want.ExplainedVarianceRatio[j]) > 1e-12 || math.Abs(m.ExplainedVariance[j]/scale/scale/want.ExplainedVariance[j]-1) > 1e-10 {
					t.Errorf("%g: ratio %v, variance %v", scale, r, m.ExplainedVariance[j])
				}
				if v := stat.Variance(mat.Col(nil, j, m.Embedding), nil); math.Abs(v-1) > 1e-10 {
					t.Errorf("%g: whitened variance %v", scale, v)
				}
			}
		}
	}
}

func TestWrongRequests(t *testing.T) {
	x := rowsOf(10, 8, 0.5, rand.New(rand.NewPCG(1, 2)))
	for want, opt := range map[string]Options{
		"neither":             {},
		"two ways":            {Dims: 1, Amount: method.Amount{Share: 0.5}},
		"at most 8":           {Dims: 9},
		"dims is -1":          {Dims: -1},
		"a share of 1.5":      {Amount: method.Amount{Share: 1.5}},
		"a share of NaN":      {Amount: method.Amount{Share: math.NaN()}},
		"leave ‹dims› out":    {Dims: 2, Amount: method.Amount{Count: 3}},
		`unknown solver "qr"`: {Dims: 1, Solver: "qr"},
	} {
		if _, err := Fit(ctx, x, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	for want, x := range map[string]mat.Matrix{
		"two rows":      mat.NewDense(1, 3, []float64{1, 2, 3}),
		"do not vary":   mat.NewDense(3, 1, []float64{2, 2, 2}),
		"variance":      mat.NewDense(2, 1, []float64{1e200, -1e200}),
		"entry (1, 0)":  mat.NewDense(2, 1, []float64{1, math.NaN()}),
		"no matrix":     nil,
		"is empty (0 ×": &sparse.CSR{NumCols: 2, RowPtr: []int{0}},
	} {
		if _, err := Fit(ctx, x, Options{Amount: method.Amount{Share: 0.5}}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	m := fit(t, x, Options{Dims: 2})
	if _, err := m.Transform(ctx, mat.NewDense(2, 7, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Transform: %v", err)
	}
	for _, y := range []*mat.Dense{nil, mat.NewDense(2, 3, nil)} {
		if _, err := m.Inverse(ctx, y); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Inverse: %v", err)
		}
	}
	if _, err := new(Model).Inverse(ctx, mat.NewDense(2, 3, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}
