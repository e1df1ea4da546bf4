package eigen

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// suiteSize is the number of pencils of TestSuite; with EIGENMAP_LONG it is longSuite.
const (
	suiteSize  = 500
	shortSuite = 120
	longSuite  = 10000
)

// takes reports whether a solver solves problem number i: lanczos every one and the others a part
// of them, or every one in the long suite.
func takes(solver Solver, i int, p eigentest.Problem) bool {
	round := i / eigentest.Families()
	switch {
	case p.K == 0 || solver == Dense && p.W.NumRows > 1500:
		return false
	case os.Getenv("EIGENMAP_LONG") != "" || solver == Lanczos:
		return true
	case solver == Dense:
		return round%2 == 0
	}
	return round%4 == 0
}

// Every solver on every kind of pencil, with any block, with start vectors that lack one: all
// values are there and right, or the error says that they may not be.
func TestSuite(t *testing.T) {
	size := suiteSize
	switch {
	case os.Getenv("EIGENMAP_LONG") != "":
		size = longSuite
	case testing.Short() && os.Getenv("EIGENMAP_PENCILS") == "half": // for the short form of make test-memory
		size = shortSuite / 2
	case testing.Short():
		size = shortSuite
	}
	type tally struct{ solves, stopped int }
	parts := make([]map[Solver]*tally, size)
	must.Do(t, parallel.For(context.Background(), size, 1, func(_, i, _ int) error {
		p, err := eigentest.Draw(uint64(i))
		if err != nil {
			return err
		}
		parts[i] = map[Solver]*tally{}
		for at, solver := range pencilSolvers() {
			if !takes(solver, i, p) {
				continue
			}
			parts[i][solver] = &tally{solves: 1}
			if stopped := solvePencil(t, p, solver, i+at); stopped {
				parts[i][solver].stopped++
			}
		}
		return nil
	}))
	for _, solver := range pencilSolvers() {
		var all tally
		for _, part := range parts {
			if c := part[solver]; c != nil {
				all.solves, all.stopped = all.solves+c.solves, all.stopped+c.stopped
			}
		}
		t.Logf("%s: %d pencils, %d not converged", solver, all.solves, all.stopped)
		// ARPACK uses up its restarts on some weak bridges; LAPACK always ends.
		if 100*all.stopped > map[Solver]int{Dense: 0, ARPACK: 10, Lanczos: 2, ShiftInvert: 1}[solver]*all.solves {
			t.Errorf("%s did not converge on %d of %d pencils", solver, all.stopped, all.solves)
		}
	}
}

// solvePencil solves one problem and checks values, residuals and orthonormality. It reports
// whether the solver stopped without convergence, which only wide problems allow.
func solvePencil(t *testing.T, p eigentest.Problem, solver Solver, variant int) (stopped bool) {
	pencil, err := NewPencil(p.W, p.Mass)
	if err != nil {
		t.Errorf("%s: %v", p.Name, err)
		return false
	}
	opt := Options{K: p.K, SkipNull: true, Solver: solver, Seed: uint64(variant), Block: []int{0, 1, 2, 3, 4, 8, 16}[variant%7]}
	skipped := p.Zeros
	switch variant % 5 {
	case 0: // with the zeros
		opt.SkipNull, opt.K, skipped = false, min(p.K+p.Zeros, p.W.NumRows), 0
	case 1: // from a start with a hole
		opt.Start = startWithHole(t, pencil, p, variant)
	}
	r, err := pencil.Solve(context.Background(), opt)
	var unmet *NotConvergedError
	if errors.As(err, &unmet) && (p.Wide || unmet.Unsearched) {
		return true
	}
	if err != nil {
		t.Errorf("%s, %s, k = %d, block %d: %v", p.Name, solver, p.K, opt.Block, err)
		return false
	}
	limit := 2e-8 + p.Exact
	if p.Wide {
		limit = 1e-6 * max(1, p.Values[len(p.Values)-1])
	}
	if off := p.Misfit(r.Values, skipped); off > limit {
		t.Errorf("%s, %s, k = %d, block %d, variant %d: a value is off by %g", p.Name, solver, p.K, opt.Block, variant, off)
	}
	checkOrthonormal(t, p.Name, pencil, r)
	return false
}

// startWithHole returns the wanted eigenvectors and two more without one of them.
func startWithHole(t *testing.T, pencil *Pencil, p eigentest.Problem, variant int) *mat.Dense {
	k := min(p.K+2, len(p.Values)-p.Zeros)
	if k < 2 || p.W.NumRows > 400 {
		return nil
	}
	all, err := pencil.Solve(context.Background(), Options{K: k, SkipNull: true, Solver: Dense})
	if err != nil {
		t.Errorf("%s: %v", p.Name, err)
		return nil
	}
	hole := variant % min(p.K, k)
	start := mat.NewDense(p.W.NumRows, k-1, nil)
	for to := range k - 1 {
		from := to
		if to >= hole {
			from++
		}
		start.SetCol(to, mat.Col(nil, from, all.Vectors))
	}
	return start
}

// checkOrthonormal checks yᵀMy = 1 and orthogonality through Gram's matrix. Isolated points have no
// mass; their vectors are indicators.
func checkOrthonormal(t *testing.T, name string, p *Pencil, r *Result) {
	n, k := r.Vectors.Dims()
	scaled := mat.NewDense(n, k, nil)
	for i, m := range p.mass {
		for j, v := range r.Vectors.RawRowView(i) {
			scaled.Set(i, j, math.Sqrt(m)*v)
		}
	}
	var gram mat.Dense
	gram.Mul(scaled.T(), scaled)
	for a := range k {
		for b := range a + 1 {
			want := 0.0
			if a == b && gram.At(a, a) > 0 {
				want = 1
			}
			if math.Abs(gram.At(a, b)-want) > 1e-7 {
				t.Errorf("%s: yᵀMy of columns %d and %d is %g", name, a, b, gram.At(a, b))
				return
			}
		}
	}
}

// The same problems as operators about which nothing is known: the multiplicity of zero is found.
func TestSuiteSymmetric(t *testing.T) {
	size := 60
	if os.Getenv("EIGENMAP_LONG") != "" {
		size = 1500
	}
	solves, stopped := map[Solver]int{}, map[Solver]int{}
	for i := range size {
		p := must.Get(eigentest.Draw(uint64(i)))(t)
		pencil := must.Get(NewPencil(p.W, p.Mass))(t)
		if p.Wide || pencil.Size() > 700 || hasIsolated(pencil) {
			continue
		}
		n := pencil.Size()
		laplacian := OperatorFunc{N: n, Mul: func(dst, x blas64.General) {
			pencil.s.MulBlock(dst, x)
			for i := range n {
				row := dst.Data[i*dst.Stride:][:x.Cols]
				for j, v := range x.Data[i*x.Stride:][:x.Cols] {
					row[j] = v - row[j]
				}
			}
		}}
		k := min(n, p.Zeros+p.K)
		for _, solver := range solvers() {
			r, err := Symmetric(context.Background(), laplacian, Options{K: k, Which: Smallest, Solver: solver, Block: []int{0, 1, 3, 8}[i%4], Seed: uint64(i)})
			solves[solver]++
			var unmet *NotConvergedError
			if errors.As(err, &unmet) && unmet.Unsearched {
				stopped[solver]++
				continue
			}
			if err != nil {
				t.Errorf("%s, %s, k = %d: %v", p.Name, solver, k, err)
				continue
			}
			if off := p.Misfit(r.Values, 0); off > 1e-7 {
				t.Errorf("%s, %s, k = %d: a value is off by %g", p.Name, solver, k, off)
			}
		}
	}
	for _, solver := range solvers() {
		t.Logf("%s: %d matrices, %d not converged", solver, solves[solver], stopped[solver])
	}
}

func hasIsolated(p *Pencil) bool {
	return slices.Contains(p.mass, 0)
}
