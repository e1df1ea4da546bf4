package eigen

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/dense"
	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// TestCountBelow compares counts with closed forms, at every gap of the spectrum.
func TestCountBelow(t *testing.T) {
	for _, g := range knownGraphs(t) {
		p := must.Get(NewPencil(g.w, nil))(t)
		for j := range len(g.values) - 1 {
			if g.values[j+1]-g.values[j] < 1e-6 {
				continue
			}
			for _, share := range []float64{0.5, 0.37} { // one may meet an eigenvalue of a leading part
				sigma := g.values[j] + share*(g.values[j+1]-g.values[j])
				count, bound, err := p.CountBelow(context.Background(), sigma, nil)
				if err != nil || bound > 1e-8 {
					continue
				}
				if count != j+1 {
					t.Errorf("%s: %d eigenvalues below %g, want %d", g.name, count, sigma, j+1)
				}
			}
		}
		if count, _, err := p.CountBelow(context.Background(), 2.5, nil); err != nil || count != g.w.NumRows {
			t.Errorf("%s: %d eigenvalues below 2.5 (%v), want all %d", g.name, count, err, g.w.NumRows)
		}
	}
}

// wildGraph has weights over 12 orders of magnitude.
func wildGraph(t testing.TB, n int, seed uint64) *sparse.CSR {
	r := rand.New(rand.NewPCG(seed, 12))
	w := randomGraph(t, n, 2*n, seed).Clone()
	for i := range n {
		cols, _ := w.Row(i)
		for k, j := range cols {
			if int(j) > i {
				v := math.Pow(10, -12*r.Float64())
				w.Val[w.RowPtr[i]+k] = v
				back, _ := w.Row(int(j))
				at, _ := slices.BinarySearch(back, int32(i))
				w.Val[w.RowPtr[j]+at] = v
			}
		}
	}
	return w
}

// TestVerify solves by every solver and counts by inertia: graphs with multiple values around the
// k-th, weights over 12 orders, other masses, joined sets.
func TestVerify(t *testing.T) {
	pencils := map[string]*Pencil{}
	add := func(name string, p *Pencil, err error) {
		if err != nil {
			t.Fatal(err)
		}
		pencils[name] = p
	}
	for _, g := range knownGraphs(t) {
		p, err := NewPencil(g.w, nil)
		add(g.name, p, err)
	}
	p, err := NewPencil(wildGraph(t, 200, 3), nil)
	add("12 orders", p, err)
	mass := make([]float64, 200)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range mass {
		mass[i] = math.Pow(10, 6*r.Float64()-3)
	}
	p, err = NewPencil(randomGraph(t, 200, 300, 5), mass)
	add("masses", p, err)
	p, err = NewCliquePencil(randomGraph(t, 150, 200, 6), [][]int32{{3, 77, 1, 20}, {100, 50, 51}}, 0.7)
	add("sets", p, err)
	for name, p := range pencils {
		for _, solver := range pencilSolvers() {
			for _, k := range []int{1, 2, 7} {
				if k > p.Size() {
					continue
				}
				res, err := p.Solve(context.Background(), Options{K: k, Solver: solver, Verify: true, MaxIter: 3000, Tol: 1e-10})
				var wrong *InertiaError
				if errors.As(err, &wrong) {
					t.Errorf("%s, %s, k = %d: %v", name, solver, k, err)
					continue
				}
				var limited *factor.Unverified
				if errors.As(err, &limited) {
					t.Logf("%s, %s, k = %d: %v", name, solver, k, err)
					continue
				}
				if err != nil {
					t.Logf("%s, %s, k = %d: %v", name, solver, k, err)
					continue
				}
				c := res.Stats.Inertia
				if c == nil || c.Below != max(k, p.count) && c.Copies == 0 && c.Returned != max(k, p.count) {
					t.Errorf("%s, %s, k = %d: inertia %+v", name, solver, k, c)
				}
			}
		}
	}
}

// TestVerifyFindsGaps removes one pair of a right result, or doubles one, and expects an error that
// names both numbers.
func TestVerifyFindsGaps(t *testing.T) {
	for _, g := range []known{
		union(t, "path", of(path, 300)),
		union(t, "two rings", of(ring, 200), of(ring, 61)),
		union(t, "copies", times(5, of(path, 80))...),
	} {
		p, err := NewPencil(g.w, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := problem.Task{Op: p.s, N: p.Size(), Known: p.known, Top: 1, Pencil: true, Fixed: p.massless}
		full := newTask(p.s, p.Size(), p.known, 9, Options{Tol: 1e-12, MaxIter: 500})
		found := must.Get(dense.Solve(context.Background(), full))(t)
		for drop := range 9 {
			rest := problem.Pairs{Converged: 8, Vectors: space.NewBlock(p.Size(), 0)}
			for j, v := range found.Values {
				if j == drop {
					continue
				}
				rest.Values = append(rest.Values, v)
				rest.Vectors = beside(rest.Vectors, space.Columns(found.Vectors, j, j+1))
			}
			err := verify(context.Background(), task, &rest, Options{Verify: true})
			var wrong *InertiaError
			// A copy of the last value may be missing: which copies a result holds is arbitrary.
			allowed := found.Values[drop]-found.Values[8] < 1e-9
			if missed := errors.As(err, &wrong); missed == allowed {
				t.Errorf("%s without pair %d (λ = %g, last %g): error %v", g.name, drop, 1-found.Values[drop], 1-found.Values[8], err)
			} else if missed && wrong.Counted != wrong.Found+1 {
				t.Errorf("%s without pair %d: %v", g.name, drop, err)
			}
		}
		twice := problem.Pairs{Converged: 9, Values: append(slices.Clone(found.Values[:8]), found.Values[7]),
			Vectors: beside(space.Columns(found.Vectors, 0, 8), space.Columns(found.Vectors, 7, 8))}
		var wrong *InertiaError
		if err = verify(context.Background(), task, &twice, Options{Verify: true}); g.name != "copies" && (!errors.As(err, &wrong) || wrong.Counted != wrong.Found-1) {
			t.Errorf("%s: a pair that is there twice: %v", g.name, err)
		}
	}
}

// beside appends columns.
func beside(a, b blas64.General) blas64.General {
	out := space.NewBlock(b.Rows, a.Cols+b.Cols)
	space.CopyBlock(space.Columns(out, 0, a.Cols), a)
	space.CopyBlock(space.Columns(out, a.Cols, out.Cols), b)
	return out
}

// TestVerifyMaps verifies the maps of constraints, and a restricted pencil.
func TestVerifyMaps(t *testing.T) {
	w := clusteredGraph(t, 240, 3, 6, 0.1, 4)
	group := make([]int32, 240)
	for i := range group {
		group[i] = -1
	}
	for i := range 12 {
		group[i*20] = int32(i % 3)
	}
	a, err := NewAnchored(w, group, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := must.Get(a.Solve(context.Background(), OneAgainstRest(3), Options{Verify: true}))(t)
	if c := r.Stats.Inertia; c == nil || c.Below != 2 || c.Problems != 3 {
		t.Errorf("maps: inertia %+v", c)
	}
	if _, err = a.Solve(context.Background(), OneAgainstRest(3), Options{Verify: true, Solver: ShiftInvert}); err != nil {
		t.Error(err)
	}
}

// TestVerifyNeedsEntries checks that problems known by products are refused as requests.
func TestVerifyNeedsEntries(t *testing.T) {
	op := OperatorFunc{N: 30, Mul: func(dst, x blas64.General) { space.CopyBlock(dst, x) }}
	for _, opt := range []Options{{K: 2, Verify: true}, {K: 2, Solver: ShiftInvert}} {
		if _, err := Symmetric(context.Background(), op, opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

// TestShiftInvertSymmetric compares both ends of definite and indefinite matrices with LAPACK.
func TestShiftInvertSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	w := randomGraph(t, 300, 400, 8)
	for name, shift := range map[string]float64{"indefinite": 0, "positive": 40, "negative": -40} {
		d := make([]float64, 300)
		for i := range d {
			d[i] = shift + r.Float64()
		}
		a := problem.WithDiagonal(w, d)
		for _, which := range []Which{Smallest, Largest} {
			want, err := Symmetric(context.Background(), a, Options{K: 6, Which: which, Solver: Dense, Verify: true})
			if err != nil {
				t.Fatal(name, which, err)
			}
			got, err := Symmetric(context.Background(), a, Options{K: 6, Which: which, Solver: ShiftInvert})
			if err != nil {
				t.Fatal(name, which, err)
			}
			for j, v := range got.Values {
				if math.Abs(v-want.Values[j]) > 1e-10*max(1, math.Abs(shift)) {
					t.Errorf("%s, %s: value %d is %v, LAPACK has %v", name, which, j, v, want.Values[j])
				}
			}
			if c := got.Stats.Inertia; c == nil || c.Below != 6 || c.Above != (which == Largest) {
				t.Errorf("%s, %s: inertia %+v", name, which, c)
			}
		}
	}
}

// TestFactorTooLarge checks that a factor beyond the free memory is refused with its bytes before
// it is made, and that auto then takes another solver.
func TestFactorTooLarge(t *testing.T) {
	defer func(f func() int64) { factor.Available = f }(factor.Available)
	p, err := NewPencil(randomGraph(t, 900, 3000, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	factor.Available = func() int64 { return 500 << 10 }
	for _, opt := range []Options{{K: 3, Verify: true}, {K: 3, Solver: ShiftInvert}} {
		_, err := p.Solve(context.Background(), opt)
		if !errors.Is(err, fs.ErrInvalid) || !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "500.0 KiB are allowed") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	line, _ := path(20000)
	if p, err = NewPencil(fromEdges(t, 20000, line), nil); err != nil {
		t.Fatal(err)
	}
	if s, _ := factor.Easy(pencilTask(p, 3)); s != nil {
		t.Error("auto takes shift-invert without the memory for it")
	}
	factor.Available = func() int64 { return 1 << 40 }
	if s, _ := factor.Easy(pencilTask(p, 3)); s == nil {
		t.Error("auto does not take shift-invert on a path")
	}
	if p, err = NewPencil(randomGraph(t, 3000, 20000, 4), nil); err != nil {
		t.Fatal(err)
	}
	if s, _ := factor.Easy(pencilTask(p, 3)); s != nil {
		t.Error("auto takes shift-invert on an expander")
	}
}

func pencilTask(p *Pencil, k int) problem.Task {
	t := newTask(p.s, p.Size(), p.known, k, Options{Tol: 1e-8, MaxIter: 300})
	t.Top, t.Pencil, t.Fixed = 1, true, p.massless
	return t
}

// A cut through four copies of a value, where rounding allows no count between them: one count
// shows that two are missing, and the search finds them. Four more counts were made in vain.
func TestOneCountOfCopies(t *testing.T) {
	const side, k = 300, 11
	p := must.Get(NewPencil(torus(t, side, side), nil))(t)
	r := must.Get(p.Solve(context.Background(), Options{K: k, Solver: ShiftInvert}))(t)
	step := 2 * math.Pi / side
	one, two := (1-math.Cos(step))/2, (1-math.Cos(2*step))/2
	for j, want := range []float64{0, one, one, one, one, 2 * one, 2 * one, 2 * one, 2 * one, two, two} {
		if math.Abs(r.Values[j]-want) > 1e-12 {
			t.Errorf("value %d is %v, want %v", j, r.Values[j], want)
		}
	}
	if c := r.Stats.Inertia; c == nil || c.Below != 13 || c.Factorisations != 1 {
		t.Errorf("%+v", c)
	}
}

// A cut through two copies of a value: a block of two has both, and the second one is locked beside
// the first, so that no search follows. A search took 88 products in place of 48.
func TestCutThroughTwoCopies(t *testing.T) {
	p := must.Get(NewPencil(gridGraph(t, 100), nil))(t)
	products := map[int]int{}
	for _, k := range []int{10, 11} {
		r := must.Get(p.Solve(context.Background(), Options{K: k, Solver: ShiftInvert}))(t)
		if products[k] = r.Stats.Products; r.Stats.Recovered != 0 {
			t.Errorf("k = %d: %d pairs were found by a search", k, r.Stats.Recovered)
		}
		if c := r.Stats.Inertia; c == nil || c.Below != 11 {
			t.Errorf("k = %d: %+v", k, c)
		}
		if gap := r.Values[8] - r.Values[7]; k == 11 && (r.Values[10]-r.Values[9] > 1e-12 || gap < 1e-6) {
			t.Errorf("values 9 and 10 are %v and %v, which are to be copies", r.Values[9], r.Values[10])
		}
	}
	if products[10] > products[11]+4 {
		t.Errorf("%d products for 10 pairs, %d for 11", products[10], products[11])
	}
}
