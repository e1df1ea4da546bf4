package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// compareMaps solves all maps together and each one separately, and returns the notes of the stage
// of the maps.
func compareMaps(t *testing.T, n int, edges []edge, group []int32, groups int) (notes []string) {
	t.Helper()
	w := fromEdges(t, n, edges)
	a := must.Get(NewAnchored(w, group, groups, 1))(t)
	splits := OneAgainstRest(groups)
	r := must.Get(a.Solve(context.Background(), splits, Options{Observer: func(e progress.Event) {
		if e.Stage == mapStage && e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}))(t)
	for k, inA := range splits {
		single := must.Get(oneMap(t, w, group, inA, 1).Solve(context.Background(), Options{K: 2}))(t)
		if d := math.Abs(r.Values[k] - single.Values[1]); d > 1e-10 {
			t.Errorf("map %d: λ = %v, alone %v", k, r.Values[k], single.Values[1])
		}
	}
	return notes
}

// The spectrum of a grid is crowded at the top: the series is long and remains stable.
func TestMapsOfAGrid(t *testing.T) {
	const side = 60
	group := slices.Repeat([]int32{-1}, side*side)
	rng := rand.New(rand.NewPCG(6, 1))
	for g := range 4 {
		for range 3 {
			group[rng.IntN(side*side)] = int32(g)
		}
	}
	if notes := compareMaps(t, side*side, gridEdges(side), group, 4); len(notes) > 0 {
		t.Errorf("the series did not serve: %v", notes)
	}
}

// Free points with edges to grouped points only have S = 0: every vector is an eigenvector of S,
// and the bound of μ comes from the border.
func TestMapsOfStars(t *testing.T) {
	const n, anchors = 1500, 60
	rng := rand.New(rand.NewPCG(1, 2))
	group := make([]int32, n)
	var edges []edge
	for i := range n {
		if group[i] = -1; i < anchors {
			group[i] = int32(i % 4)
			continue
		}
		a := rng.IntN(anchors)
		edges = append(edges, edge{a, i, 0.1 + rng.Float64()}, edge{(a + 1 + rng.IntN(anchors-1)) % anchors, i, 0.1 + rng.Float64()})
	}
	if notes := compareMaps(t, n, edges, group, 4); len(notes) > 0 {
		t.Errorf("the series did not serve: %v", notes)
	}
}

// Options that do not apply to maps do not reach the solver of a map that is solved separately, and
// its result equals the series'.
func TestAMapByItself(t *testing.T) {
	w, group := blobs(t, 3, 200, 0.05, 11)
	a := must.Get(NewAnchored(w, group, 3, 1))(t)
	n := len(group)
	opt := Options{K: 3, Which: Largest, Start: mat.NewDense(n, 1, make([]float64, n)), SkipNull: true, Subspace: 8}.withDefaults()
	together := must.Get(a.Solve(context.Background(), OneAgainstRest(3), opt))(t)
	s := &mapSolver{Anchored: a, opt: opt, n: len(a.free)}
	for k, inA := range OneAgainstRest(3) {
		var m solvedMap
		must.Do(t, s.alone(context.Background(), a.bipartition(inA), &m))
		if math.Abs(m.value-together.Values[k]) > 1e-10 || m.residual > DefaultTol {
			t.Errorf("map %d by itself: λ = %v, residual %v; together %v", k, m.value, m.residual, together.Values[k])
		}
		plus, minus := 0.0, 0.0
		for at, i := range a.free {
			plus, minus = max(plus, math.Abs(m.x[at]-together.Vectors.At(int(i), k))), max(minus, math.Abs(m.x[at]+together.Vectors.At(int(i), k)))
		}
		if min(plus, minus) > 1e-6 {
			t.Errorf("map %d by itself differs by %g", k, min(plus, minus))
		}
	}
}

// A solver at its limit ends with NotConvergedError and a Result.
func TestMapsAtTheLimit(t *testing.T) {
	edges, _ := path(3000)
	w := fromEdges(t, 3000, edges)
	group := make([]int32, 3000)
	for i := range group {
		group[i] = -1
	}
	group[3], group[1500], group[2900] = 0, 1, 2
	a := must.Get(NewAnchored(w, group, 3, 1))(t)
	for _, solver := range []Solver{ARPACK, Lanczos} {
		if solver == ARPACK && !native.HasARPACK() {
			continue
		}
		for _, limit := range []int{1, 3} {
			r, err := a.Solve(context.Background(), OneAgainstRest(3), Options{Solver: solver, MaxIter: limit})
			var stopped *NotConvergedError
			if !errors.As(err, &stopped) || r == nil || stopped.Result != r || r.Vectors == nil {
				t.Errorf("%s, %d restarts: result %v, error %v", solver, limit, r, err)
			}
		}
	}
	empty := &Result{Vectors: new(mat.Dense)}
	c := must.Get(Contract(w, nil, make([]int32, 3000)))(t)
	if y := c.Expand(empty.Vectors); !y.IsEmpty() {
		t.Errorf("nothing expands to %v", y)
	}
}

// The contrast of two volumes has unit norm and no constant component at any scale.
func TestContrastAtAnyScale(t *testing.T) {
	for _, u := range []float64{1e-300, 1e-160, 1, 1e155, 1e300} {
		for _, ratio := range []float64{1e-6, 1, 7, 1e6} {
			v := u * ratio
			if v > 1e307 {
				continue
			}
			inside, outside := contrast(u, v)
			norm := inside*math.Sqrt(v)*(inside*math.Sqrt(v)) + outside*math.Sqrt(u)*(outside*math.Sqrt(u))
			// (inside·v + outside·u)/√u
			flow := inside*math.Sqrt(v)*math.Sqrt(ratio) + outside*math.Sqrt(u)
			if math.Abs(norm-1) > 1e-12 || math.Abs(flow) > 1e-12*math.Sqrt(1+ratio) {
				t.Errorf("volumes %g and %g: %v, %v have norm %v and constant part %v", u, v, inside, outside, norm, flow)
			}
		}
	}
}
