package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
)

// weakTorus is the torus of a×b points with a weak direction.
func weakTorus(t *testing.T, a, b int, coupling float64) (eigentest.Problem, *Pencil) {
	p := must.Get(eigentest.NearTorus(a, b, coupling))(t)
	pencil := must.Get(NewPencil(p.W, nil))(t)
	return p, pencil
}

// Within a group of nearly equal values every value is in its place, although a residual of 1e-8
// does not show which of the group it is.
func TestNearCopiesAreToldApart(t *testing.T) {
	long, pencil := weakTorus(t, 600, 8, 1e-8)
	for _, k := range []int{9, 13, 14, 15, 20} {
		r, err := pencil.Solve(context.Background(), Options{K: k})
		if err != nil {
			t.Fatal(k, err)
		}
		if off := long.Misfit(r.Values, 0); r.Stats.Solver != ShiftInvert || off > 1e-12 {
			t.Errorf("%s, k = %d: %s is off by %g", long.Name, k, r.Stats.Solver, off)
		}
	}
	short, pencil := weakTorus(t, 16, 8, 1.6e-5)
	for _, solver := range pencilSolvers() {
		for _, k := range []int{13, 14, 16, 18} {
			for seed := range uint64(5) {
				r, err := pencil.Solve(context.Background(), Options{K: k, Solver: solver, Verify: true, Seed: seed})
				var unmet *NotConvergedError
				if solver == ARPACK && errors.As(err, &unmet) {
					continue
				}
				if err != nil {
					t.Errorf("%s, %s, k = %d, seed %d: %v", short.Name, solver, k, seed, err)
				} else if off := short.Misfit(r.Values, 0); off > 1e-8 {
					t.Errorf("%s, %s, k = %d, seed %d: a value is off by %g (%s)", short.Name, solver, k, seed, off, r.Stats.Inertia)
				}
			}
		}
	}
}

// Copies are those within the accuracy of the count: the values of the torus have up to four.
func TestCopiesAreCounted(t *testing.T) {
	p, pencil := weakTorus(t, 600, 8, 1e-6)
	for k := 9; k <= 24; k += 2 {
		r, err := pencil.Solve(context.Background(), Options{K: k, Solver: ShiftInvert})
		if err != nil {
			t.Fatal(k, err)
		}
		c, last, want := r.Stats.Inertia, p.Values[k-1], 0
		for k+want < len(p.Values) && p.Values[k+want]-last < 1e-12 {
			want++
		}
		if c.Returned == 0 && c.Copies != want || c.Returned > 0 && (c.Returned != k || c.Below < k+want) || c.Width > 1e-10 {
			t.Errorf("%s, k = %d: %d copies follow, and the count says %+v", p.Name, k, want, *c)
		}
	}
}

// A result of lanczos that lacks a pair within a group of nearly equal values is completed.
func TestVerifyFindsWhatIsMissing(t *testing.T) {
	p, pencil := weakTorus(t, 600, 8, 1e-5)
	const k = 14
	task := pencilTask(pencil, k-1)
	task.MaxIter = DefaultMaxIter
	found := must.Get(factor.ShiftInvert(context.Background(), pencilTask(pencil, k)))(t)
	for drop := 0; drop < k-2; drop += 3 {
		lacks := problem.Pairs{Converged: k - 1, Vectors: space.NewBlock(pencil.Size(), 0), Stats: problem.Stats{Solver: problem.Lanczos}}
		for j, v := range found.Values[:k] {
			if j != drop {
				lacks.Values = append(lacks.Values, v)
				lacks.Vectors = beside(lacks.Vectors, space.Columns(found.Vectors, j, j+1))
			}
		}
		whole, err := verified(context.Background(), task, lacks, Options{Verify: true})
		if err != nil {
			t.Errorf("without pair %d: %v", drop, err)
			continue
		}
		for j, v := range whole.Values {
			if math.Abs(1-v-p.Values[1+j]) > 1e-10 {
				t.Errorf("without pair %d: value %d is %g, want %g", drop, j, 1-v, p.Values[1+j])
			}
		}
	}
}

// A basis of the usual size stagnates within a group of nearly equal values; it grows.
func TestStagnantBasisGrows(t *testing.T) {
	for _, coupling := range []float64{1e-4, 1.6e-5, 1e-6, 1e-8} {
		p, pencil := weakTorus(t, 16, 8, coupling)
		for _, k := range []int{9, 10, 11} {
			for seed := range uint64(4) {
				r, err := pencil.Solve(context.Background(), Options{K: k, Solver: Lanczos, Seed: seed})
				if err != nil {
					t.Errorf("%s, k = %d, seed %d: %v", p.Name, k, seed, err)
				} else if off := p.Misfit(r.Values, 0); off > 1e-8 {
					t.Errorf("%s, k = %d, seed %d: a value is off by %g", p.Name, k, seed, off)
				}
			}
		}
	}
}

// Masses over ten orders: lanczos stagnated until its restarts were used up.
func TestWideMasses(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 275))
	mass := make([]float64, 275)
	for i := range mass {
		mass[i] = math.Pow(10, 10*(r.Float64()-0.5))
	}
	p := must.Get(NewPencil(randomGraph(t, 275, 600, 275), mass))(t)
	want := must.Get(p.Solve(context.Background(), Options{K: 8, Solver: Dense}))(t)
	for _, solver := range []Solver{Lanczos, ShiftInvert, Auto} {
		got, err := p.Solve(context.Background(), Options{K: 8, Solver: solver})
		if err != nil {
			t.Errorf("%s: %v", solver, err)
			continue
		}
		for j, v := range got.Values {
			if math.Abs(v-want.Values[j]) > 1e-6*want.Values[7] {
				t.Errorf("%s: value %d is %g, LAPACK has %g", solver, j, v, want.Values[j])
			}
		}
	}
}

// Above the size that LAPACK takes over from, shift-invert goes on where lanczos used up its
// restarts.
func TestShiftInvertRescues(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	n := problem.MediumProblem + 500
	var edges []edge
	for i := 1; i < n; i++ {
		edges = append(edges, edge{i, r.IntN(i), 0.1 + r.Float64()})
	}
	p := must.Get(NewPencil(fromEdges(t, n, edges), nil))(t)
	got := must.Get(p.Solve(context.Background(), Options{K: 12, MaxIter: 1}))(t)
	if got.Stats.Solver != ShiftInvert || !strings.Contains(got.Stats.Why, "lanczos did not converge in 1 restart") {
		t.Errorf("%s: %s", got.Stats.Solver, got.Stats.Why)
	}
}

// A solve that ends early says how many pairs are missing, not only the residual of the others.
func TestNotConvergedNamesWhatIsMissing(t *testing.T) {
	if !native.HasARPACK() {
		t.Skip("no ARPACK")
	}
	_, pencil := weakTorus(t, 600, 8, 1e-6)
	r, err := pencil.Solve(context.Background(), Options{K: 10, Solver: ARPACK, MaxIter: 20})
	var unmet *NotConvergedError
	if !errors.As(err, &unmet) || r.Converged != len(r.Values) {
		t.Fatalf("%v with %d values", err, len(r.Values))
	}
	for _, text := range []string{err.Error(), unmet.State()} {
		if !strings.Contains(text, "there is no approximation of the other 9") || strings.Contains(text, "residual") {
			t.Errorf("it says %q", text)
		}
	}
	if _, residual, _ := unmet.Reached(); !math.IsInf(residual, 1) {
		t.Errorf("the residual of pairs that are not there is %g", residual)
	}
}
