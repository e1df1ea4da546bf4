package eigen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blobs is like a neighbour graph: dense clusters with few edges between them. A share of the
// points is labelled with its cluster.
func blobs(t testing.TB, clusters, size int, share float64, seed uint64) (*sparse.CSR, []int32) {
	rng := rand.New(rand.NewPCG(seed, 3))
	n := clusters * size
	var edges []edge
	has := map[[2]int]bool{}
	join := func(i, j int, w float64) {
		if i != j && !has[[2]int{min(i, j), max(i, j)}] {
			has[[2]int{min(i, j), max(i, j)}] = true
			edges = append(edges, edge{i, j, w})
		}
	}
	for i := range n {
		c := i % clusters
		for range 6 {
			join(i, c+clusters*rng.IntN(size), 0.1+0.9*rng.Float64())
		}
		if rng.IntN(12) == 0 {
			join(i, rng.IntN(n), 0.05+0.3*rng.Float64())
		}
	}
	group := make([]int32, n)
	for i := range group {
		group[i] = -1
		if i < clusters || rng.Float64() < share {
			group[i] = int32(i % clusters)
		}
	}
	return fromEdges(t, n, edges), group
}

// oneMap computes the map of a split directly: it drops edges among grouped points, computes the
// masses and merges the two sides with Contract.
func oneMap(t testing.TB, w *sparse.CSR, group []int32, inA []bool, inside float64) *Contraction {
	t.Helper()
	var size [2]float64
	side := func(g int32) int {
		if inA[g] {
			return 0
		}
		return 1
	}
	for _, g := range group {
		if g >= 0 {
			size[side(g)]++
		}
	}
	rest := w.Filter(func(i, j int, _ float64) bool { return group[i] < 0 || group[j] < 0 })
	mass, node, next := rest.RowSums(), make([]int32, len(group)), int32(2)
	for i, g := range group {
		if g < 0 {
			node[i] = next
			next++
			continue
		}
		node[i] = int32(side(g))
		mass[i] += inside * size[side(g)]
	}
	c := must.Get(Contract(rest, mass, node))(t)
	return c
}

// Each map of the series is the second pair of its own contraction, solved separately. One graph is
// too large for the series to be exact because it has all eigenvectors.
func TestMapsAreTheirContractions(t *testing.T) {
	for _, c := range []struct {
		clusters, size int
		share, inside  float64
		splits         [][]bool
	}{
		{6, 250, 0.03, 1, OneAgainstRest(6)},
		{2, 700, 0.1, 1, OneAgainstRest(2)},
		{3, 300, 0.5, 2.5, OneAgainstRest(3)},
		{4, 300, 0.01, 1, [][]bool{{true, true, false, false}, {false, false, true, true}, {false, true, false, true}}},
		{40, 40, 0.1, 1, OneAgainstRest(40)}, // more than one block of columns
	} {
		t.Run(fmt.Sprintf("%d clusters of %d, %g labelled", c.clusters, c.size, c.share), func(t *testing.T) {
			w, group := blobs(t, c.clusters, c.size, c.share, 7)
			a := must.Get(NewAnchored(w, group, c.clusters, c.inside))(t)
			alone := func(e progress.Event) {
				if e.Stage == mapStage && e.Message != "" {
					t.Errorf("the series did not serve: %s", e.Message)
				}
			}
			r := must.Get(a.Solve(context.Background(), c.splits, Options{Tol: 1e-10, Observer: alone}))(t)
			if r.Converged != len(c.splits) {
				t.Errorf("%d of %d converged", r.Converged, len(c.splits))
			}
			for k, inA := range c.splits {
				if k > 8 {
					break
				}
				p := oneMap(t, w, group, inA, c.inside)
				single := must.Get(p.Solve(context.Background(), Options{K: 3, Tol: 1e-10}))(t)
				if d := math.Abs(r.Values[k] - single.Values[1]); d > 1e-10 {
					t.Errorf("map %d: λ = %v, alone %v", k, r.Values[k], single.Values[1])
				}
				if single.Values[2]-single.Values[1] < 1e-4 {
					continue
				}
				y, plus, minus := p.Expand(single.Vectors), 0.0, 0.0
				for i := range group {
					plus = max(plus, math.Abs(y.At(i, 1)-r.Vectors.At(i, k)))
					minus = max(minus, math.Abs(y.At(i, 1)+r.Vectors.At(i, k)))
				}
				if min(plus, minus) > 1e-7 {
					t.Errorf("map %d differs by %g", k, min(plus, minus))
				}
			}
		})
	}
}

// Two identical unlabelled clusters are attached to labelled ones: some maps have equal eigenvalues
// and some vanish on all labels.
func TestMapsOfTwins(t *testing.T) {
	const size = 150
	rng := rand.New(rand.NewPCG(4, 4))
	var edges []edge
	for i := range size {
		for range 5 {
			j, v := rng.IntN(size), 0.2+rng.Float64()
			if i == j {
				continue
			}
			for _, at := range []int{0, size, 2 * size, 3 * size} {
				edges = append(edges, edge{at + i, at + j, v})
			}
		}
	}
	// Twins 2 and 3 have one weak edge each to cluster 0; clusters 0 and 1 have one to each other.
	edges = append(edges, edge{0, 2 * size, 1e-3}, edge{0, 3 * size, 1e-3}, edge{1, size + 1, 0.5})
	w := fromEdges(t, 4*size, edges)
	group := make([]int32, 4*size)
	for i := range group {
		group[i] = -1
	}
	for i := range 12 {
		group[i], group[size+i] = 0, 1
	}
	a := must.Get(NewAnchored(w, group, 2, 1))(t)
	for _, solver := range []Solver{Auto, Lanczos, Dense} {
		r, err := a.Solve(context.Background(), OneAgainstRest(2), Options{Solver: solver})
		if err != nil {
			t.Fatalf("%s: %v", solver, err)
		}
		single := must.Get(oneMap(t, w, group, []bool{true, false}, 1).Solve(context.Background(), Options{K: 3, Solver: Dense}))(t)
		if math.Abs(r.Values[0]-single.Values[1]) > 1e-10 || r.Values[0] != r.Values[1] {
			t.Errorf("%s: λ = %v, alone %v", solver, r.Values, single.Values)
		}
	}
}

func TestMapsAreTheSameOnAnyThreads(t *testing.T) {
	w, group := blobs(t, 5, 150, 0.05, 9)
	paralleltest.Same(t, "five classes", []int{1, 2, 3}, func() *mat.Dense {
		a := must.Get(NewAnchored(w, group, 5, 1))(t)
		return must.Get(a.Solve(context.Background(), OneAgainstRest(5), Options{Seed: 5}))(t).Vectors
	})
}

// A cancelled context and the limit of restarts end the work. The graph has more than 4,000 nodes,
// below which LAPACK solves what the restarts did not, and the limit ends the work of lanczos, for
// which no other solver steps in.
func TestMapsStop(t *testing.T) {
	w, group := blobs(t, 5, 900, 0.05, 9)
	a := must.Get(NewAnchored(w, group, 5, 1))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Solve(ctx, OneAgainstRest(5), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r, err := a.Solve(context.Background(), OneAgainstRest(5), Options{MaxIter: 1, Tol: 1e-14, Solver: Lanczos})
	var stopped *NotConvergedError
	if !errors.As(err, &stopped) {
		t.Fatalf("one restart: %v", err)
	}
	if len(r.Values) != 5 {
		t.Errorf("one restart: partial result of %d maps", len(r.Values))
	}
}

func TestAnchoredRefuses(t *testing.T) {
	w, group := blobs(t, 2, 20, 0.2, 1)
	nan := w.Clone()
	nan.Val[0] = math.NaN()
	for name, try := range map[string]func() error{
		"no groups":     func() error { _, err := NewAnchored(w, group, 0, 1); return err },
		"empty group":   func() error { _, err := NewAnchored(w, group, 3, 1); return err },
		"group beyond":  func() error { _, err := NewAnchored(w, group, 1, 1); return err },
		"too few":       func() error { _, err := NewAnchored(w, group[1:], 2, 1); return err },
		"no weight":     func() error { _, err := NewAnchored(w, group, 2, 0); return err },
		"NaN":           func() error { _, err := NewAnchored(nan, group, 2, 1); return err },
		"one side":      func() error { return splitError(w, group, [][]bool{{true, true}}) },
		"split's width": func() error { return splitError(w, group, [][]bool{{true}}) },
		"no split":      func() error { return splitError(w, group, nil) },
		"holes":         func() error { _, err := Contract(w, nil, make([]int32, 3)); return err },
		"partition with a hole": func() error {
			node := make([]int32, w.NumRows)
			node[0] = 2
			_, err := Contract(w, nil, node)
			return err
		},
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

func splitError(w *sparse.CSR, group []int32, splits [][]bool) error {
	a, err := NewAnchored(w, group, 2, 1)
	if err != nil {
		return err
	}
	_, err = a.Solve(context.Background(), splits, Options{})
	return err
}

// A split and its complement are one map with the sides exchanged: on the side with true it is the
// larger, whichever of the two comes first.
func TestMapsHaveTheirSign(t *testing.T) {
	w := pathOf(6)
	a := must.Get(NewAnchored(w, []int32{0, -1, -1, 1, -1, 2}, 3, 1))(t)
	one, rest := []bool{true, false, false}, []bool{false, true, true}
	last, others := []bool{false, false, true}, []bool{true, true, false}
	for _, splits := range [][][]bool{{one, rest}, {rest, one}, {rest, rest, one}, {last, one, others, rest, last}} {
		r := must.Get(a.Solve(t.Context(), splits, Options{}))(t)
		for k, s := range splits {
			at, other := 0, 5
			if !s[0] {
				at, other = 5, 0
			}
			if y := r.Vectors; !(y.At(at, k) > y.At(other, k)) {
				t.Errorf("splits %v: map %d is %v on its side and %v on the other", splits, k, y.At(at, k), y.At(other, k))
			}
		}
	}
}

// pathOf is a path of n points with weights 1, 2, 3, ...
func pathOf(n int) *sparse.CSR {
	b := sparse.NewBuilder(n, n)
	for i := range n - 1 {
		b.Add(i, i+1, float64(i+1))
		b.Add(i+1, i, float64(i+1))
	}
	w, err := b.Build()
	if err != nil {
		panic(err)
	}
	return w
}
