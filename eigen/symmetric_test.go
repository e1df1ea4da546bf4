package eigen

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The second difference on a line of n points, with the eigenvalues 2 − 2cos(πj/(n+1)): an operator
// given as a function only.
func secondDifference(n int) Operator {
	return OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
		for i := range n {
			for j := range x.Cols {
				v := 2 * x.Data[i*x.Stride+j]
				if i > 0 {
					v -= x.Data[(i-1)*x.Stride+j]
				}
				if i < n-1 {
					v -= x.Data[(i+1)*x.Stride+j]
				}
				dst.Data[i*dst.Stride+j] = v
			}
		}
	}}
}

func TestSymmetricBothEnds(t *testing.T) {
	const n = 300
	value := func(j int) float64 { return 2 - 2*math.Cos(math.Pi*float64(j)/(n+1)) }
	for _, solver := range solvers() {
		for _, which := range []Which{Smallest, Largest} {
			r, err := Symmetric(context.Background(), secondDifference(n), Options{K: 7, Which: which, Solver: solver})
			if err != nil {
				t.Fatalf("%s %s: %v", solver, which, err)
			}
			for j, v := range r.Values {
				want := value(j + 1)
				if which == Largest {
					want = value(n - 6 + j)
				}
				if math.Abs(v-want) > 1e-9 {
					t.Errorf("%s %s: value %d is %v, closed form %v", solver, which, j, v, want)
				}
			}
			var g mat.Dense
			g.Mul(r.Vectors.T(), r.Vectors)
			for i := range 7 {
				for j := range 7 {
					want := 0.0
					if i == j {
						want = 1
					}
					if math.Abs(g.At(i, j)-want) > 1e-8 {
						t.Errorf("%s %s: vᵀv(%d,%d) = %v", solver, which, i, j, g.At(i, j))
					}
				}
			}
		}
	}
}

// Random diagonal operators with repeated values, also all equal and all zero: every solver finds
// the k largest with their multiplicities.
func TestSymmetricMultiplicities(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		distinct := rapid.IntRange(1, 5).Draw(t, "distinct")
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rapid.IntRange(0, distinct-1).Draw(t, "value")) / 2
		}
		op := OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
			for i := range n {
				for j := range x.Cols {
					dst.Data[i*dst.Stride+j] = d[i] * x.Data[i*x.Stride+j]
				}
			}
		}}
		want := must.Get(Symmetric(context.Background(), op, Options{K: k, Which: Largest, Solver: Dense}))(t)
		for _, solver := range solvers()[1:] {
			r, err := Symmetric(context.Background(), op, Options{K: k, Which: Largest, Solver: solver,
				Block: rapid.IntRange(0, 6).Draw(t, "block"), Seed: rapid.Uint64().Draw(t, "seed")})
			if err != nil {
				t.Fatalf("%s: %v", solver, err)
			}
			for j := range k {
				if math.Abs(r.Values[j]-want.Values[j]) > 1e-8 {
					t.Fatalf("%s: values %v, dense %v, diagonal %v", solver, r.Values, want.Values, d)
				}
			}
		}
	})
}

// Every product of the zero operator is 0: all bounds are 0, and no solver searches for ever.
func TestSymmetricZeroOperator(t *testing.T) {
	op := OperatorFunc{N: 60, Mul: func(dst, _ blas64.General) {
		for i := range dst.Rows {
			clear(dst.Data[i*dst.Stride:][:dst.Cols])
		}
	}}
	for _, solver := range solvers() {
		r, err := Symmetric(context.Background(), op, Options{K: 8, Which: Largest, Solver: solver})
		if err != nil {
			t.Errorf("%s: %v", solver, err)
			continue
		}
		for _, v := range r.Values {
			if v != 0 {
				t.Errorf("%s: value %g of the zero operator", solver, v)
			}
		}
	}
}

func TestSymmetricNotFinite(t *testing.T) {
	op := OperatorFunc{N: 50, Mul: func(dst, x blas64.General) {
		for i := range dst.Data {
			dst.Data[i] = math.NaN()
		}
	}}
	for _, solver := range solvers() {
		if _, err := Symmetric(context.Background(), op, Options{K: 3, Solver: solver}); err == nil {
			t.Errorf("%s: an operator that returns NaN gave no error", solver)
		}
	}
}

func TestSymmetricRefuses(t *testing.T) {
	line := secondDifference(20)
	for name, opt := range map[string]Options{
		"k":      {K: 21},
		"start":  {K: 2, Start: mat.NewDense(3, 1, nil)},
		"which":  {K: 2, Which: "middle"},
		"blocks": {K: 2, Block: 1000},
	} {
		if _, err := Symmetric(context.Background(), line, opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

// One error lists all violations.
func TestValidateListsAll(t *testing.T) {
	err := Options{K: -1, Which: "x", Solver: "y", Tol: -1, MaxIter: -1, Block: -1}.Validate()
	joined, ok := errors.Unwrap(err).(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != 6 {
		t.Errorf("want six violations, got: %v", err)
	}
}

// A start near the solution saves products.
func TestStartHelps(t *testing.T) {
	w := clusteredGraph(t, 3000, 15, 8, 0.02, 3)
	p, _ := NewPencil(w, nil)
	cold := must.Get(p.Solve(context.Background(), Options{K: 4, Solver: Lanczos}))(t)
	warm := must.Get(p.Solve(context.Background(), Options{K: 4, Solver: Lanczos, Start: cold.Vectors}))(t)
	if warm.Stats.Products >= cold.Stats.Products {
		t.Errorf("%d products from the solution itself, %d from a random start", warm.Stats.Products, cold.Stats.Products)
	}
}

func TestAutoSaysWhy(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want Solver
	}{{100, 5, Dense}, {3000, 900, Dense}, {5000, 5, Lanczos}} {
		got, why := problem.Pick(problem.Task{N: c.n, K: c.k})
		if Solver(got) != c.want || why == "" {
			t.Errorf("n = %d, k = %d: picked %s (%s), want %s", c.n, c.k, got, why, c.want)
		}
	}
	var notes []string
	_, err := Symmetric(context.Background(), secondDifference(30), Options{K: 2, Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}})
	if err != nil || len(notes) == 0 {
		t.Errorf("auto said nothing about its choice (error %v)", err)
	}
}

func TestCanonicalSigns(t *testing.T) {
	v := mat.NewDense(3, 4, []float64{
		-1, 0.5, 0, -2,
		0.2, -0.5 - 1e-9, 0, 2,
		0.9, 0.1, 0, 1,
	})
	CanonicalSigns(v)
	for j, want := range []float64{1, 0.5, 0, 2} {
		if v.At(0, j) != want {
			t.Errorf("column %d begins with %v, want %v", j, v.At(0, j), want)
		}
	}
}

// The projection removes the known vectors completely and keeps everything else. The result does
// not depend on which of the two code paths the number of components selects.
func TestNullspaceProject(t *testing.T) {
	for _, count := range []int{1, 3, 5000} {
		n := 10000
		label, mass := make([]int32, n), make([]float64, n)
		for i := range n {
			label[i], mass[i] = int32(i%count), 1+float64(i%3)
		}
		s := space.NewNullspace(label, space.VolumesOf(label, count, mass), mass)
		x := space.NewBlock(n, 3)
		for i := range x.Data {
			x.Data[i] = math.Sin(float64(i))
		}
		before := append([]float64(nil), x.Data...)
		s.Project(x)
		for j := range 3 {
			dots := make([]float64, count)
			for i := range n {
				dots[label[i]] += s.Weight[i] * x.Data[i*3+j]
			}
			for c, d := range dots {
				if math.Abs(d) > 1e-12 {
					t.Fatalf("%d components: column %d keeps %g of component %d", count, j, d, c)
				}
			}
		}
		// the removed part is a combination of the known vectors: constant over weight on a
		// component
		ratio := make([]float64, count)
		for i := n - 1; i >= 0; i-- {
			r := (before[i*3] - x.Data[i*3]) / s.Weight[i]
			if ratio[label[i]] != 0 && math.Abs(r-ratio[label[i]]) > 1e-12 {
				t.Fatalf("%d components: the projection changed more than the known part", count)
			}
			ratio[label[i]] = r
		}
	}
}
