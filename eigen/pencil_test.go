package eigen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func solvers() []Solver {
	if native.HasARPACK() {
		return []Solver{Dense, ARPACK, Lanczos}
	}
	return []Solver{Dense, Lanczos}
}

// pencilSolvers are the solvers for problems whose entries are known.
func pencilSolvers() []Solver { return append(solvers(), ShiftInvert) }

// checkPencilResult recomputes from the graph what every result guarantees.
func checkPencilResult(t *testing.T, w *sparse.CSR, p *Pencil, r *Result, tol float64) {
	t.Helper()
	n, k := r.Vectors.Dims()
	d := w.RowSums()
	for j := range k {
		y := mat.Col(nil, j, r.Vectors)
		wy := make([]float64, n)
		w.MulVec(wy, y)
		var res, norm, mass float64
		for i, v := range y {
			e := d[i]*v - wy[i] - r.Values[j]*p.mass[i]*v
			res += e * e
			norm += v * v
			mass += p.mass[i] * v * v
		}
		if math.Sqrt(res) > tol*math.Sqrt(norm) {
			t.Errorf("pair %d (λ = %g): residual %g·‖y‖ exceeds %g", j, r.Values[j], math.Sqrt(res/norm), tol)
		}
		if math.Abs(math.Sqrt(res/norm)-r.Residuals[j]) > 1e-12 {
			t.Errorf("pair %d: reported residual %g, recomputed %g", j, r.Residuals[j], math.Sqrt(res/norm))
		}
		if mass > 0 && math.Abs(mass-1) > 1e-10 {
			t.Errorf("pair %d: yᵀMy = %v", j, mass)
		}
		if j > 0 && r.Values[j] < r.Values[j-1] {
			t.Errorf("values not ascending at %d: %v", j, r.Values)
		}
		for q := range j {
			var dot float64
			for i := range n {
				dot += p.mass[i] * y[i] * r.Vectors.At(i, q)
			}
			if math.Abs(dot) > 1e-7 {
				t.Errorf("pairs %d and %d: yᵀMy' = %g", q, j, dot)
			}
		}
	}
}

func TestPencilClosedForms(t *testing.T) {
	for _, g := range knownGraphs(t) {
		p := must.Get(NewPencil(g.w, nil))(t)
		n := p.Size()
		zeros := 0
		for zeros < n && g.values[zeros] < 1e-14 {
			zeros++
		}
		for _, solver := range pencilSolvers() {
			for _, k := range []int{1, 2, 10, 55, n} {
				if k > n || k == n && n > 130 {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/k=%d", g.name, solver, k), func(t *testing.T) {
					r := must.Get(p.Solve(context.Background(), Options{K: k, Solver: solver, Seed: 3}))(t)
					exact := 0
					for j, v := range r.Values {
						if math.Abs(v-g.values[j]) > 1e-9 {
							t.Errorf("λ_%d = %.12f, closed form %.12f", j, v, g.values[j])
						}
						if v == 0 {
							exact++
						}
					}
					if exact != min(k, zeros) {
						t.Errorf("%d exact zeros, want %d", exact, min(k, zeros))
					}
					checkPencilResult(t, g.w, p, r, DefaultTol)
				})
			}
		}
	}
}

func TestPencilSolversAgree(t *testing.T) {
	graphs := map[string]*sparse.CSR{
		"random":    randomGraph(t, 700, 2500, 5),
		"clustered": clusteredGraph(t, 1500, 12, 8, 0.02, 6),
	}
	for name, w := range graphs {
		p := must.Get(NewPencil(w, nil))(t)
		reference := must.Get(p.Solve(context.Background(), Options{K: 13, Solver: Dense}))(t)
		// the gap after the last vector must allow a comparison of subspaces
		for _, solver := range pencilSolvers()[1:] {
			for _, block := range []int{0, 1, 3, 8} {
				if solver == ARPACK && block > 0 {
					continue
				}
				r, err := p.Solve(context.Background(), Options{K: 13, Solver: solver, Tol: 1e-10, Block: block})
				if err != nil {
					t.Fatalf("%s, %s, block %d: %v", name, solver, block, err)
				}
				checkPencilResult(t, w, p, r, 1e-10)
				for j, v := range r.Values {
					if math.Abs(v-reference.Values[j]) > 1e-10 {
						t.Errorf("%s, %s, block %d: λ_%d differs from dense by %g", name, solver, block, j, v-reference.Values[j])
					}
				}
				a, b := mat.DenseCopyOf(r.Vectors.Slice(0, p.Size(), 0, 12)), mat.DenseCopyOf(reference.Vectors.Slice(0, p.Size(), 0, 12))
				if gap := subspaceGap(a, b, p.mass); gap > 1e-8 {
					t.Errorf("%s, %s, block %d: subspace angle to dense %g", name, solver, block, gap)
				}
			}
		}
	}
}

// A mass different from the degrees, as in contracted graphs, compared with the dense generalised
// problem.
func TestPencilWithMass(t *testing.T) {
	w := randomGraph(t, 90, 200, 9)
	d := w.RowSums()
	mass := make([]float64, len(d))
	for i := range mass {
		mass[i] = d[i] * (0.3 + float64(i%7))
	}
	p := must.Get(NewPencil(w, mass))(t)
	l, m := mat.NewSymDense(90, nil), mat.NewSymDense(90, nil)
	for i := range 90 {
		m.SetSym(i, i, mass[i])
		for j := range i + 1 {
			v := -w.At(i, j)
			if i == j {
				v += d[i]
			}
			l.SetSym(i, j, v)
		}
	}
	engine := native.Default()
	want, _, err := engine.SymDefEig(l.RawSymmetric(), m.RawSymmetric(), native.EigRange{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range pencilSolvers() {
		r := must.Get(p.Solve(context.Background(), Options{K: 12, Solver: solver}))(t)
		for j, v := range r.Values {
			if math.Abs(v-want[j]) > 1e-9 {
				t.Errorf("%s: λ_%d = %v, LAPACK on the explicit pencil %v", solver, j, v, want[j])
			}
		}
		checkPencilResult(t, w, p, r, DefaultTol)
	}
}

func TestPencilThreads(t *testing.T) {
	n, counts := 12000, []int{1, 2, 3}
	if testing.Short() {
		n, counts = 5000, []int{1, 3}
	}
	w := clusteredGraph(t, n, 20, 8, 0.02, 8)
	p := must.Get(NewPencil(w, nil))(t)
	for _, solver := range pencilSolvers()[1:] {
		paralleltest.Same(t, solver, counts, func() *mat.Dense {
			return must.Get(p.Solve(context.Background(), Options{K: 10, Solver: solver, Tol: 1e-6}))(t).Vectors
		})
	}
}

// A scaled graph has the same λ, even at scales at which an absolute tolerance could not be met.
func TestPencilScale(t *testing.T) {
	w := randomGraph(t, 500, 2000, 4)
	p, _ := NewPencil(w, nil)
	want := must.Get(p.Solve(context.Background(), Options{K: 6}))(t)
	for _, scale := range []float64{1e-150, 1e-9, 1e9, 1e150} {
		s := w.Clone()
		for i := range s.Val {
			s.Val[i] *= scale
		}
		q := must.Get(NewPencil(s, nil))(t)
		for _, solver := range pencilSolvers() {
			r, err := q.Solve(context.Background(), Options{K: 6, Solver: solver})
			if err != nil {
				t.Fatalf("scale %g, %s: %v", scale, solver, err)
			}
			for j, v := range r.Values {
				if math.Abs(v-want.Values[j]) > 1e-7 {
					t.Errorf("scale %g, %s: λ_%d = %v, unscaled %v", scale, solver, j, v, want.Values[j])
				}
			}
		}
	}
}

func TestPencilNotConverged(t *testing.T) {
	edges, _ := path(3000)
	w := fromEdges(t, 3000, edges)
	p, _ := NewPencil(w, nil)
	for _, solver := range solvers()[1:] {
		r, err := p.Solve(context.Background(), Options{K: 8, Solver: solver, MaxIter: 2})

		var stopped *NotConvergedError
		if !errors.As(err, &stopped) {
			t.Fatalf("%s: error %v, want NotConvergedError", solver, err)
		}
		if r != stopped.Result || r.Converged >= 8 || r.Converged < 1 || solver == Lanczos && len(r.Values) != 8 {
			t.Errorf("%s: partial result has %d values, %d converged", solver, len(r.Values), r.Converged)
		}
		if _, err = p.Solve(context.Background(), Options{K: 40, Solver: solver, MaxIter: 1, SkipNull: true}); !errors.As(err, &stopped) {
			t.Errorf("%s: error %v, want NotConvergedError even where nothing was found", solver, err)
		}
		if errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: not converging is not the request's fault", solver)
		}
	}
}

func TestPencilRefuses(t *testing.T) {
	good := randomGraph(t, 10, 5, 1)
	build := func(entries ...edge) *sparse.CSR {
		b := sparse.NewBuilder(3, 3)
		for _, e := range entries {
			b.Add(e.i, e.j, e.w)
		}
		w := must.Get(b.Build())(t)
		return w
	}
	for name, try := range map[string]func() error{
		"not symmetric":  func() error { _, err := NewPencil(build(edge{0, 1, 1}), nil); return err },
		"negative":       func() error { _, err := NewPencil(build(edge{0, 1, -1}, edge{1, 0, -1}), nil); return err },
		"wrong mass":     func() error { _, err := NewPencil(good, []float64{1}); return err },
		"zero mass":      func() error { _, err := NewPencil(good, make([]float64, 10)); return err },
		"k too large":    func() error { return solveWith(good, Options{K: 11}) },
		"k = 0":          func() error { return solveWith(good, Options{}) },
		"unknown solver": func() error { return solveWith(good, Options{K: 1, Solver: "magic"}) },
		"tolerance":      func() error { return solveWith(good, Options{K: 1, Tol: math.NaN()}) },
		"largest":        func() error { return solveWith(good, Options{K: 1, Which: Largest}) },
		"subspace":       func() error { return solveWith(good, Options{K: 5, Subspace: 3}) },
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

func solveWith(w *sparse.CSR, opt Options) error {
	p, err := NewPencil(w, nil)
	if err != nil {
		return err
	}
	_, err = p.Solve(context.Background(), opt)
	return err
}

func TestPencilCancel(t *testing.T) {
	edges, _ := path(20000)
	p, _ := NewPencil(fromEdges(t, 20000, edges), nil)
	for _, solver := range pencilSolvers()[1:] {
		ctx, cancel := context.WithCancel(context.Background())
		opt := Options{K: 10, Solver: solver, MaxIter: 1 << 30}
		opt.Start = nil
		go cancel()
		if _, err := p.Solve(ctx, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want context.Canceled", solver, err)
		}
	}
}

// The measure of a pencil is the same for rows in another order.
func TestMeasureInAnotherOrder(t *testing.T) {
	g := union(t, "path and star", of(path, 40), of(star, 30))
	p := must.Get(NewPencil(g.w, nil))(t)
	rng := rand.New(rand.NewPCG(6, 1))
	u, r := space.NewBlock(p.Size(), 3), space.NewBlock(p.Size(), 3)
	for i := range u.Data {
		u.Data[i], r.Data[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	order := make([]int32, p.Size())
	for i, at := range rng.Perm(p.Size()) {
		order[i] = int32(at)
	}
	got := p.measure(space.Space{Order: order}, space.InOrder(u, order), space.InOrder(r, order))
	for i, want := range p.measure(space.Space{}, u, r) {
		if math.Abs(got[i]-want) > 1e-13*want {
			t.Errorf("measure %v, not %v", got[i], want)
		}
	}
}
