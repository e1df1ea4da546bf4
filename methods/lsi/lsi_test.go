package lsi

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
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// texts returns n documents of d terms in counts, with an empty document and an empty term.
func texts(n, d int, rng *rand.Rand) *sparse.CSR {
	b := sparse.NewBuilder(n, d)
	for i := 1; i < n; i++ {
		for range 1 + rng.IntN(12) {
			b.Add(i, int(float64(d-1)*rng.Float64()*rng.Float64()), 1)
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

// largestDifference is max |a − b|.
func largestDifference(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// No r-dimensional subspace keeps more: what is left of X outside the projection has the norm of
// the singular values left out (Eckart and Young), and the coordinates' inner products equal the
// best approximation's.
func TestEckartYoung(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, d := 2+rng.IntN(24), 2+rng.IntN(24)
		x := texts(n, d, rng)
		all, err := Fit(ctx, x, Options{Dims: min(n, d)})
		if err != nil {
			t.Fatalf("%v", err)
		}
		r := 1 + rng.IntN(min(n, d))
		m, err := Fit(ctx, x.ToDense(), Options{Dims: r})
		if err != nil {
			t.Fatalf("%v", err)
		}
		var back, rest mat.Dense
		back.Mul(m.Embedding, m.Components)
		rest.Sub(x.ToDense(), &back)
		left := 0.0
		for _, s := range all.Singular[r:] {
			left = math.Hypot(left, s)
		}
		top := 1 + all.Singular[0]
		if got := mat.Norm(&rest, 2); math.Abs(got-left) > 1e-7*top { // a norm near zero is known to the root of rounding
			t.Fatalf("the rest has norm %v, the values left out %v", got, left)
		}
		for j := range r {
			if math.Abs(m.Singular[j]-all.Singular[j]) > 1e-10*top {
				t.Fatalf("σ_%d: dense %v, sparse %v", j, m.Singular[j], all.Singular[j])
			}
		}
	})
}

func TestTransformRepeatsTheEmbedding(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, shape := range [][2]int{{120, 60}, {60, 450}} {
		x := texts(shape[0], shape[1], rng)
		for _, in := range []mat.Matrix{x, x.ToDense(), mat.Transpose{Matrix: x.ToDense().T()}} {
			for at, scale := range []Scale{"", Projection, Left} {
				solver := []eigen.Solver{eigen.Auto, eigen.Lanczos, eigen.Lanczos}[at]
				m := fit(t, in, Options{Dims: 6, Scale: scale, Solver: solver})
				y := must.Get(m.Transform(ctx, in))(t)
				if d := largestDifference(y, m.Embedding); d > 1e-13*m.Singular[0] {
					t.Errorf("%v %q: Transform differs from Embedding by %g", shape, scale, d)
				}
				var gram mat.Dense
				gram.Mul(m.Embedding.T(), m.Embedding)
				for j, s := range m.Singular {
					want := s * s
					if scale == Left {
						want = 1
					}
					if math.Abs(gram.At(j, j)-want) > 1e-12*want || math.Abs(gram.At(j, (j+1)%6)) > 1e-12*gram.At(0, 0) {
						t.Errorf("%v %q: the coordinates' Gram matrix is %v", shape, scale, mat.Formatted(&gram))
						break
					}
				}
			}
		}
	}
}

// An empty document is at the origin, an empty term has no weight, equal documents have equal
// coordinates.
func TestEmptyAndEqualDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	x := texts(50, 30, rng)
	x = x.SelectRows(append([]int{7, 7, 0}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
	m := fit(t, x, Options{Dims: 5})
	for j := range 5 {
		if m.Embedding.At(0, j) != m.Embedding.At(1, j) || m.Embedding.At(2, j) != 0 || math.Abs(m.Components.At(j, 29)) > 1e-15 {
			t.Errorf("dimension %d: %v %v %v, %v", j, m.Embedding.At(0, j), m.Embedding.At(1, j), m.Embedding.At(2, j), m.Components.At(j, 29))
		}
	}
}

func TestSignsFollowTheRule(t *testing.T) {
	m := fit(t, texts(60, 40, rand.New(rand.NewPCG(6, 2))), Options{Dims: 8})
	v := mat.DenseCopyOf(m.Components.T())
	eigen.CanonicalSigns(v)
	if !mat.Equal(v, m.Components.T()) {
		t.Error("CanonicalSigns changes the components")
	}
}

func TestLowRankIsTold(t *testing.T) {
	x := texts(30, 20, rand.New(rand.NewPCG(8, 2))).SelectRows([]int{1, 2, 3, 1, 2, 3, 1, 2})
	var notes []string
	m := fit(t, x, Options{Dims: 5, Scale: Left, Observer: func(e progress.Event) { notes = append(notes, e.Message) }})
	if m.Rank != 3 || m.Singular[3] != 0 || mat.Norm(m.Embedding.ColView(4), 2) != 0 {
		t.Errorf("rank %d, %v", m.Rank, m.Singular)
	}
	if !strings.Contains(strings.Join(notes, "\n"), "rank 3") {
		t.Errorf("the rank is not told: %q", notes)
	}
	zero := must.Get(sparse.NewBuilder(4, 3).Build())(t)
	if m := fit(t, zero, Options{Dims: 2}); m.Rank != 0 || m.Singular[0] != 0 || mat.Norm(m.Embedding, 2) != 0 {
		t.Errorf("zero matrix: %+v", m)
	}
}

func TestWrongRequests(t *testing.T) {
	x := texts(10, 8, rand.New(rand.NewPCG(1, 2)))
	for want, opt := range map[string]Options{
		"dimensions is 0":       {},
		"at most 8":             {Dims: 9},
		`unknown Scale "right"`: {Dims: 1, Scale: "right"},
		`unknown solver "qr"`:   {Dims: 1, Solver: "qr"},
		"tol is NaN":            {Dims: 1, Tol: math.NaN()},
	} {
		if _, err := Fit(ctx, x, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	err := Options{Dims: -1, Scale: "x", Tol: 2}.Validate()
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 3 {
		t.Errorf("not all violations: %q", lines)
	}
	m := fit(t, x, Options{Dims: 2})
	nan := mat.NewDense(1, 8, []float64{0, 0, math.NaN(), 0, 0, 0, 0, 0})
	for _, y := range []mat.Matrix{nil, mat.NewDense(2, 7, nil), nan, &sparse.CSR{NumCols: 8, RowPtr: []int{0}}} {
		if _, err := m.Transform(ctx, y); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Transform(%v): %v", y, err)
		}
	}
	if _, err := new(Model).Transform(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

// Coordinates have the units of the data, and Left ones have none, however large or small the data.
func TestScaleOfTheData(t *testing.T) {
	x := texts(60, 40, rand.New(rand.NewPCG(8, 2))).ToDense()
	for _, scale := range []Scale{Projection, Left} {
		plain := fit(t, x, Options{Dims: 4, Scale: scale})
		for _, unit := range []float64{0x1p-500, 0x1p500} {
			var y mat.Dense
			y.Scale(unit, x)
			got := fit(t, &y, Options{Dims: 4, Scale: scale}).Embedding
			if scale == Projection {
				got.Scale(1/unit, got)
			}
			if d := largestDifference(got, plain.Embedding); !(d < 1e-12*plain.Singular[0]) {
				t.Errorf("%s, data times %g: the embedding differs by %g", scale, unit, d)
			}
		}
	}
}
