package eigen

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// dividedCases are problems whose result on several ranks is compared with one process's.
func dividedCases(t testing.TB) map[string]func() (*Pencil, Options, error) {
	eight := func() (*Pencil, Options, error) {
		p, err := NewPencil(copiesOf(t, 8, 100, clusterRow(33, 8, 3)), nil)
		return p, Options{K: 8}, err
	}
	return map[string]func() (*Pencil, Options, error){
		"connected": func() (*Pencil, Options, error) {
			p, err := NewPencil(clusteredGraph(t, 3000, 8, 6, 0.2, 1), nil)
			return p, Options{K: 8}, err
		},
		"8 components, zeros alone": eight,
		"8 components and beyond": func() (*Pencil, Options, error) {
			p, opt, err := eight()
			opt.K = 12
			return p, opt, err
		},
		"5 identical components": func() (*Pencil, Options, error) {
			p, err := NewPencil(copiesOf(t, 5, 600, clusterRow(200, 12, 1)), nil)
			return p, Options{K: 5, SkipNull: true}, err
		},
		"joined sets": func() (*Pencil, Options, error) {
			w := clusteredGraph(t, 2000, 6, 6, 0.2, 2)
			sets := make([][]int32, 3)
			for i := range int32(120) {
				sets[i%3] = append(sets[i%3], i*16+5)
			}
			p, err := NewCliquePencil(w, sets, 0.7)
			return p, Options{K: 7}, err
		},
		"own masses": func() (*Pencil, Options, error) {
			w := randomGraph(t, 1500, 9000, 4)
			mass := make([]float64, 1500)
			for i := range mass {
				mass[i] = 1 + float64(i%7)
			}
			p, err := NewPencil(w, mass)
			return p, Options{K: 6}, err
		},
	}
}

// checkDivided compares the pairs of a solver on the ranks of a team with one process's: to 1e-10
// in the values, and in the space of the vectors.
func checkDivided(t testing.TB, ctx context.Context, solver Solver) {
	cases := dividedCases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) { // in the same order on all ranks
		p, opt, err := cases[name]()
		if err != nil {
			t.Fatal(err)
		}
		opt.Solver, opt.Tol = Lanczos, 1e-9
		want := must.Get(p.Solve(context.Background(), opt))(t)
		opt.Solver = solver
		got, err := p.Solve(ctx, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for j, v := range got.Values {
			if math.Abs(v-want.Values[j]) > 1e-10 {
				t.Errorf("%s: λ_%d = %.15g, one process has %.15g", name, j+1, v, want.Values[j])
			}
		}
		if gap := subspaceGap(want.Vectors, got.Vectors, p.mass); !(gap < 1e-6) {
			t.Errorf("%s: the spaces differ by an angle with sine %.1e", name, gap)
		}
		if s := got.Stats; s.Solver != solver && s.Solver != "none" || s.Solver == solver && s.Missed <= 0 {
			t.Errorf("%s: solver %s, probability of a missed value %g", name, s.Solver, s.Missed)
		}
	}
}

// TestRanksSolveWhole: a problem that every rank has whole has the pairs of one process on all
// ranks, and the same bits.
func TestRanksSolveWhole(t *testing.T) {
	for _, size := range []int{3} {
		sums := make([]float64, size)
		ranks.Together(size, func(team ranks.Team) {
			ctx := ranks.With(context.Background(), team)
			checkDivided(t, ctx, Lanczos)
			p, err := NewPencil(clusteredGraph(t, 1000, 8, 6, 0.2, 5), nil)
			if err != nil {
				t.Error(err)
				return
			}
			for _, solver := range []Solver{Lanczos, Dense} {
				r, err := p.Solve(ctx, Options{K: 4, Solver: solver})
				if err != nil {
					t.Error(err)
					return
				}
				for i := range 1000 {
					for _, v := range r.Vectors.RawRowView(i) {
						sums[team.Rank()] = math.Float64frombits(math.Float64bits(sums[team.Rank()])*31 + math.Float64bits(v))
					}
				}
			}
		})
		for r, s := range sums {
			if math.Float64bits(s) != math.Float64bits(sums[0]) {
				t.Errorf("rank %d of %d has other bits than rank 0", r, size)
			}
		}
	}
}

// sharedOf is the part of a whole pencil's graph that a rank has.
func sharedOf(p *Pencil, share *ranks.Share) Shared {
	lo, hi := share.First(), share.First()+share.Own()
	g := Shared{Share: share, Component: p.label[lo:hi], Components: p.count}
	w, sets := p.w, [][]int32(nil)
	if joined, ok := w.(*cliqued); ok {
		w, sets, g.Weight = joined.CSR, joined.members, joined.weight
	}
	part := rowsOf(w.(*sparse.CSR), cliques{}, problem.Task{Space: space.Space{Share: share}})
	g.W = &sparse.CSR{NumRows: hi - lo, NumCols: share.Total(), RowPtr: part.RowPtr, Col: part.Col, Val: part.Val}
	if sets != nil {
		g.Set, g.Sets = slices.Repeat([]int32{-1}, hi-lo), len(sets)
		for s, members := range sets {
			for _, i := range members {
				if int(i) >= lo && int(i) < hi {
					g.Set[int(i)-lo] = int32(s)
				}
			}
		}
	}
	return g
}

// checkShared compares the pairs of shared pencils, whose ranks have different numbers of points,
// with one process's.
func checkShared(t testing.TB, team ranks.Team, solver Solver) {
	cases := dividedCases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		p, opt, err := cases[name]()
		if err != nil {
			t.Fatal(err)
		}
		if name == "own masses" {
			continue // a shared graph has the degrees
		}
		opt.Solver, opt.Tol = Lanczos, 1e-9
		want := must.Get(p.Solve(context.Background(), opt))(t)
		n, first := p.Size(), team.Rank()*team.Rank()
		last := (team.Rank() + 1) * (team.Rank() + 1)
		share := ranks.NewShare(team, n*last/(team.Size()*team.Size())-n*first/(team.Size()*team.Size()))
		shared, err := NewSharedPencil(sharedOf(p, share))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		opt.Solver = solver
		for _, drop := range []bool{false, true} {
			got, err := shared.Solve(ranks.With(context.Background(), team), opt)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if drop {
				if opt.SkipNull || slices.Contains(p.mass, 0) { // isolated points are left out before
					continue
				}
				p.DropConstant(want)
				shared.DropConstant(got)
			}
			for j, v := range got.Values {
				if math.Abs(v-want.Values[j]) > 1e-10 || !(got.Residuals[j] < 1e-8) {
					t.Errorf("%s: λ_%d = %.15g with residual %.1e, one process has %.15g", name, j+1, v, got.Residuals[j], want.Values[j])
				}
			}
			_, k := got.Vectors.Dims()
			whole := mat.NewDense(n, k, ranks.GatherFloats(team, got.Vectors.RawMatrix().Data))
			if gap := subspaceGap(want.Vectors, whole, p.mass); !(gap < 1e-6) {
				t.Errorf("%s: the spaces differ by an angle with sine %.1e", name, gap)
			}
			signed := mat.DenseCopyOf(whole)
			if CanonicalSigns(signed); !mat.Equal(signed, whole) {
				t.Errorf("%s: the signs differ from whole vectors'", name)
			}
		}
	}
}

// TestShared: pencils of which each rank has its own points have the pairs of one process.
func TestShared(t *testing.T) {
	for _, size := range []int{2, 3} {
		if size == 3 && testing.Short() {
			continue
		}
		ranks.Together(size, func(team ranks.Team) { checkShared(t, team, Lanczos) })
	}
	ranks.Together(2, func(team ranks.Team) {
		p, err := NewPencil(randomGraph(t, 100, 400, 1), nil)
		if err != nil {
			t.Error(err)
			return
		}
		for at, want := range []string{"too few", "lanczos or slepc"} {
			own := []int{95, 50}[at]
			if team.Rank() == 1 {
				own = 100 - own
			}
			shared, err := NewSharedPencil(sharedOf(p, ranks.NewShare(team, own)))
			if err == nil {
				_, err = shared.Solve(context.Background(), Options{K: 2, Solver: Dense})
			}
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
			if team.Sum(make([]float64, 1)); own == 50 {
				if _, err = shared.Solve(context.Background(), Options{K: 2, Solver: Lanczos, Verify: true}); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%v", err)
				}
			}
		}
	})
}

// TestTooFewRows: ranks with too few rows are refused.
func TestTooFewRows(t *testing.T) {
	ranks.Together(4, func(team ranks.Team) {
		p, err := NewPencil(randomGraph(t, 20, 40, 1), nil)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = NewSharedPencil(sharedOf(p, ranks.Evenly(team, p.Size())))
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "4 ranks") {
			t.Errorf("%v", err)
		}
	})
}

// TestWithoutSLEPc: the solver names the build that has it.
func TestWithoutSLEPc(t *testing.T) {
	if slepc.Available {
		t.Skip("this build has SLEPc")
	}
	p, err := NewPencil(randomGraph(t, 100, 400, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Solve(context.Background(), Options{K: 2, Solver: SLEPc})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "build-slepc") {
		t.Errorf("%v", err)
	}
}
