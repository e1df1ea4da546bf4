package eigen

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// paley is the Paley graph of order q, a prime with remainder 1 modulo 4: neighbours differ by a
// square. Its two eigenvalues above zero have (q−1)/2 copies each.
func paley(q int) (edges []edge, values []float64) {
	square := make([]bool, q)
	for i := 1; i < q; i++ {
		square[i*i%q] = true
	}
	for i := range q {
		for j := range i {
			if square[i-j] {
				edges = append(edges, edge{i, j, 1})
			}
		}
	}
	values = append(values, 0)
	for i := 1; i < q; i++ {
		root := math.Sqrt(float64(q))
		if i%2 == 0 {
			root = -root
		}
		values = append(values, 1-(-1+root)/float64(q-1))
	}
	return edges, values
}

// Strongly regular graphs with isolated points, on which dsyevr fails without an error.
func TestDenseOnStronglyRegularGraphs(t *testing.T) {
	for _, q := range []int{13, 29, 61, 101} {
		for _, alone := range []int{0, 1, 7, 40} {
			g := union(t, "", append(times(1, of(paley, q)), times(alone, isolated)...)...)
			p := must.Get(NewPencil(g.w, nil))(t)
			for _, k := range []int{1, 6, q / 2, q/2 + 1, q - 1} {
				r, err := p.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: Dense})
				if err != nil {
					t.Errorf("Paley %d with %d isolated points, k = %d: %v", q, alone, k, err)
					continue
				}
				for j, v := range r.Values {
					if math.Abs(v-g.values[1+alone+j]) > 1e-12 {
						t.Errorf("Paley %d with %d isolated points, k = %d: λ_%d = %v, closed form %v", q, alone, k, j, v, g.values[1+alone+j])
					}
				}
				checkPencilResult(t, g.w, p, r, DefaultTol)
			}
		}
	}
}

// A pencil whose masses are far from the degrees is limited by rounding of its own.
func TestMassesFarFromDegrees(t *testing.T) {
	w := randomGraph(t, 60, 120, 3)
	for trial := range 30 {
		rng := rand.New(rand.NewPCG(uint64(trial), 3))
		span := []float64{4, 8, 12}[trial%3]
		mass := make([]float64, 60)
		for i := range mass {
			mass[i] = math.Pow(10, span*(rng.Float64()-0.5))
		}
		p := must.Get(NewPencil(w, mass))(t)
		for _, solver := range []Solver{Auto, Lanczos} {
			if _, err := p.Solve(context.Background(), Options{K: 23, Solver: solver}); err != nil {
				t.Errorf("masses over %g orders, %s: %v", span, solver, err)
			}
		}
	}
}

// Two clusters joined by one weak edge: λ₂ ≈ w·(1/vol₁ + 1/vol₂), to many digits at any weight.
func TestWeakBridges(t *testing.T) {
	for _, bridge := range []float64{1e-3, 1e-6, 1e-10, 1e-14} {
		for _, size := range []int{60, 250} {
			var edges []edge
			var volume [2]float64
			for c := range 2 {
				rng := rand.New(rand.NewPCG(uint64(c), 5))
				for range 6 {
					order := rng.Perm(size)
					for i, v := range order {
						edges = append(edges, edge{c*size + v, c*size + order[(i+1)%size], 1})
						volume[c] += 2
					}
				}
			}
			p := must.Get(NewPencil(fromEdges(t, 2*size, append(edges, edge{0, size, bridge})), nil))(t)
			want := bridge * (1/volume[0] + 1/volume[1])
			for _, solver := range solvers() {
				r := must.Get(p.Solve(context.Background(), Options{K: 4, Solver: solver}))(t)
				// The closed form is of the first order in the bridge.
				if math.Abs(r.Values[1]-want) > (1e-7+bridge)*want {
					t.Errorf("%s, %d points, bridge %g: λ₂ = %g, want %g", solver, 2*size, bridge, r.Values[1], want)
				}
				for j := 1; j < 4; j++ {
					if r.Values[j] < r.Values[j-1] {
						t.Errorf("%s: values not ascending: %v", solver, r.Values)
					}
				}
			}
		}
	}
}

// The same call in one process gives the same bits, also where ARPACK's basis breaks down.
func TestARPACKRepeats(t *testing.T) {
	if !native.HasARPACK() {
		t.Skip("no ARPACK in this build")
	}
	for _, n := range []int{40, 258} {
		p := must.Get(NewPencil(union(t, "", of(star, n)).w, nil))(t)
		var first *Result
		for range 6 {
			r := must.Get(p.Solve(context.Background(), Options{K: 6, Solver: ARPACK}))(t)
			if first == nil {
				first = r
			} else if !mat.Equal(first.Vectors, r.Vectors) {
				t.Fatalf("star of %d: two calls differ", n)
			}
		}
	}
}

// The smallest eigenvalues of a matrix get the filter that the largest of −A get.
func TestSmallestIsFiltered(t *testing.T) {
	const side = 100
	b := sparse.NewBuilder(side*side, side*side)
	for i := range side {
		for j := range side {
			at := i*side + j
			degree := 0.0
			for _, to := range [][2]int{{i + 1, j}, {i - 1, j}, {i, j + 1}, {i, j - 1}} {
				if to[0] >= 0 && to[0] < side && to[1] >= 0 && to[1] < side {
					b.Add(at, to[0]*side+to[1], -1)
					degree++
				}
			}
			b.Add(at, at, degree)
		}
	}
	l := must.Get(b.Build())(t)
	r := must.Get(Symmetric(context.Background(), l, Options{K: 6, Which: Smallest}))(t)
	if r.Stats.Restarts > 30 {
		t.Errorf("%d restarts and %d products: no filter was used", r.Stats.Restarts, r.Stats.Products)
	}
	one := func(j float64) float64 { return 2 - 2*math.Cos(math.Pi*j/side) }
	for j, want := range []float64{0, one(1), one(1), 2 * one(1), one(2), one(2)} {
		if math.Abs(r.Values[j]-want) > 1e-9 {
			t.Errorf("value %d = %.12f, closed form %.12f", j, r.Values[j], want)
		}
	}
}

// A path of 600 points with weights over twelve orders is out of reach of lanczos.
func TestAutoFallsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var edges []edge
	for i := range 599 {
		edges = append(edges, edge{i, i + 1, math.Pow(10, -12*rng.Float64())})
	}
	p := must.Get(NewPencil(fromEdges(t, 600, edges), nil))(t)
	// Without its entries, which auto would factor.
	s := OperatorFunc{N: 600, Mul: p.s.MulBlock}
	r := must.Get(Symmetric(context.Background(), s, Options{K: 6, Which: Largest, MaxIter: 30}))(t)
	want := must.Get(Symmetric(context.Background(), s, Options{K: 6, Which: Largest, Solver: Dense}))(t)
	if r.Stats.Solver != Dense || !strings.Contains(r.Stats.Why, "lanczos did not converge in 30 restarts") {
		t.Errorf("solver %s: %s", r.Stats.Solver, r.Stats.Why)
	}
	for j, v := range r.Values {
		if math.Abs(v-want.Values[j]) > 1e-12 {
			t.Errorf("λ_%d = %g, dense %g", j, v, want.Values[j])
		}
	}
}

func TestContractRefusesBadWeights(t *testing.T) {
	node := []int32{0, 0, 1}
	for name, entries := range map[string][]edge{
		"asymmetric":            {{0, 2, 1}, {2, 0, 2}, {0, 1, 1}, {1, 0, 1}},
		"asymmetric in a node":  {{0, 2, 1}, {2, 0, 1}, {0, 1, 1}, {1, 0, 3}},
		"negative in a node":    {{0, 2, 1}, {2, 0, 1}, {0, 1, -1}, {1, 0, -1}},
		"not finite in a node":  {{0, 2, 1}, {2, 0, 1}, {0, 1, math.Inf(1)}, {1, 0, math.Inf(1)}},
		"hidden by cancelation": {{0, 2, 1}, {2, 1, 1}, {0, 1, 1}, {1, 0, 1}},
	} {
		b := sparse.NewBuilder(3, 3)
		for _, e := range entries {
			b.Add(e.i, e.j, e.w)
		}
		w, err := b.Build()
		if err != nil {
			continue // the builder refuses it
		}
		if _, err := Contract(w, nil, node); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// An operator that returns NaN is named as the cause, not a matrix of the solver's own.
func TestNotFiniteNamesTheOperator(t *testing.T) {
	for _, n := range []int{50, 2000} {
		op := OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
			for i := range dst.Rows {
				for j := range dst.Cols {
					dst.Data[i*dst.Stride+j] = x.Data[i*x.Stride+j] * float64(i)
				}
			}
			dst.Data[20*dst.Stride] = math.NaN()
		}}
		for _, solver := range solvers() {
			_, err := Symmetric(context.Background(), op, Options{K: 3, Solver: solver})
			if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "operator's product") || !strings.Contains(err.Error(), "row 21") {
				t.Errorf("%s, n = %d: %v", solver, n, err)
			}
		}
	}
}
