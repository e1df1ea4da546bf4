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

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
)

// dividedCases are problems whose result on several ranks is compared with that of one process.
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
			for i := int32(0); i < 120; i++ {
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

// checkDivided compares the pairs of a solver on the ranks of a team with those of one process: to
// 1e-10 in the values, and in the space of the vectors.
func checkDivided(t testing.TB, ctx context.Context, solver Solver) {
	cases := dividedCases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) { // in the same order on all ranks
		p, opt, err := cases[name]()
		if err != nil {
			t.Fatal(err)
		}
		opt.Solver, opt.Tol = Lanczos, 1e-9
		want, err := p.Solve(context.Background(), opt)
		if err != nil {
			t.Fatal(err)
		}
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

// TestDividedLanczos: block Lanczos on the ranks of a team finds what one process does, and all
// ranks hold the same bits.
func TestDividedLanczos(t *testing.T) {
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

// TestTooFewRows: a rank without rows is refused.
func TestTooFewRows(t *testing.T) {
	ranks.Together(4, func(team ranks.Team) {
		p, err := NewPencil(randomGraph(t, 20, 40, 1), nil)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = p.Solve(ranks.With(context.Background(), team), Options{K: 2, Solver: Lanczos})
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
