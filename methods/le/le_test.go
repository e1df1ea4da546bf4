package le

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blocks is an affinity matrix of groups of the given sizes: a ring with chords inside each, and a
// weak link between neighbours where bridge is positive. Points after the groups are isolated.
func blocks(t *testing.T, sizes []int, isolated int, bridge float64) (*sparse.CSR, []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 4))
	n, truth := isolated, []int{}
	for _, s := range sizes {
		n += s
	}
	b := sparse.NewBuilder(n, n)
	join := func(i, j int, w float64) { b.Add(i, j, w); b.Add(j, i, w) }
	from := 0
	for c, s := range sizes {
		for i := range s {
			join(from+i, from+(i+1)%s, 1)
			if j := rng.IntN(s); j != i && j != (i+1)%s && i != (j+1)%s {
				join(from+i, from+j, 0.5+rng.Float64())
			}
			truth = append(truth, c)
		}
		if bridge > 0 && c > 0 {
			join(from, from-1, bridge)
		}
		from += s
	}
	w := must.Get(b.Build())(t)
	return w, truth
}

func mustGraph(t *testing.T, w *sparse.CSR) *graph.Graph {
	t.Helper()
	g := must.Get(graph.FromAffinity(w))(t)
	return g
}

// checkCoordinates tests on the graph's own Laplacian that the columns are D-orthonormal
// eigenvectors.
func checkCoordinates(t *testing.T, g *graph.Graph, m *Model) {
	t.Helper()
	n, k := m.Embedding.Dims()
	ly := mat.NewDense(n, k, nil)
	g.W.MulBlock(ly.RawMatrix(), m.Embedding.RawMatrix())
	for j := range k {
		worst := 0.0
		for i := range n {
			r := g.Degrees[i]*m.Embedding.At(i, j) - ly.At(i, j) - m.Values[j]*g.Degrees[i]*m.Embedding.At(i, j)
			worst = max(worst, math.Abs(r))
		}
		if worst > 1e-8 {
			t.Errorf("coordinate %d (λ = %g): largest entry of Ly − λDy is %g", j, m.Values[j], worst)
		}
		for q := range j + 1 {
			dot := 0.0
			for i := range n {
				dot += g.Degrees[i] * m.Embedding.At(i, j) * m.Embedding.At(i, q)
			}
			want := 0.0
			if q == j {
				want = 1
			}
			if math.Abs(dot-want) > 1e-8 {
				t.Errorf("coordinates %d and %d: yᵀDy' = %g", q, j, dot)
			}
		}
	}
}

func TestFitGraphSkips(t *testing.T) {
	w, _ := blocks(t, []int{40, 25, 30, 60}, 5, 0)
	g := mustGraph(t, w)
	for _, c := range []struct {
		skip  Skip
		zeros int // among eight coordinates
	}{{SkipNone, 4}, {SkipConstant, 3}, {SkipZeros, 0}} {
		m := must.Get(FitGraph(context.Background(), g, Options{Dims: 8, Skip: c.skip}))(t)
		checkCoordinates(t, g, m)
		zeros := 0
		for _, v := range m.Values {
			if v == 0 {
				zeros++
			}
		}
		if zeros != c.zeros {
			t.Errorf("skip %s: %d zero eigenvalues, want %d", c.skip, zeros, c.zeros)
		}
		for _, i := range g.Isolated {
			if mat.Norm(m.Embedding.RowView(i), 2) != 0 {
				t.Errorf("skip %s: isolated point %d is not at the origin", c.skip, i)
			}
		}
		for j := range 8 { // D-orthogonal to the constant, unless it is kept
			dot := 0.0
			for i, d := range g.Degrees {
				dot += d * m.Embedding.At(i, j)
			}
			if c.skip != SkipNone && math.Abs(dot) > 1e-7 {
				t.Errorf("skip %s: coordinate %d has a constant part of %g", c.skip, j, dot)
			}
		}
	}
	// fewer coordinates than components
	for _, skip := range []Skip{SkipNone, SkipConstant} {
		m := must.Get(FitGraph(context.Background(), g, Options{Dims: 2, Skip: skip}))(t)
		checkCoordinates(t, g, m)
		if m.Values[0] != 0 || m.Values[1] != 0 {
			t.Errorf("skip %s: values %v, want zeros", skip, m.Values)
		}
	}
}

// Groups with weak bridges come apart by k-means on the embedding, in any order of the points.
func TestClustersAndOrder(t *testing.T) {
	w, truth := blocks(t, []int{60, 50, 70}, 0, 0.01)
	perm := rand.New(rand.NewPCG(5, 6)).Perm(len(truth))
	permuted := make([]int, len(truth))
	for to, from := range perm {
		permuted[to] = truth[from]
	}
	for _, c := range []struct {
		w     *sparse.CSR
		truth []int
	}{{w, truth}, {w.SelectRows(perm).SelectCols(perm), permuted}} {
		m := must.Get(FitGraph(context.Background(), mustGraph(t, c.w), Options{Dims: 3, NormalizeRows: true}))(t)
		for i := range c.truth {
			if norm := mat.Norm(m.Embedding.RowView(i), 2); math.Abs(norm-1) > 1e-12 {
				t.Fatalf("row %d has length %v", i, norm)
			}
		}
		km := must.Get(kmeans.Fit(context.Background(), m.Embedding, kmeans.Options{K: 3}))(t)
		s, err := metrics.Score(c.truth, km.Labels)
		if err != nil || s.Accuracy != 1 {
			t.Errorf("accuracy %v, error %v", s.Accuracy, err)
		}
	}
}

func TestRefuses(t *testing.T) {
	w, _ := blocks(t, []int{10, 12}, 3, 0)
	g := mustGraph(t, w)
	empty := mustGraph(t, &sparse.CSR{NumRows: 4, NumCols: 4, RowPtr: make([]int, 5)})
	for name, try := range map[string]func() error{
		"dims 0":        func() error { _, err := FitGraph(context.Background(), g, Options{}); return err },
		"dims 23 of 22": func() error { _, err := FitGraph(context.Background(), g, Options{Dims: 23}); return err },
		"21 above the zeros of 20": func() error {
			_, err := FitGraph(context.Background(), g, Options{Dims: 21, Skip: SkipZeros})
			return err
		},
		"skip":     func() error { _, err := FitGraph(context.Background(), g, Options{Dims: 1, Skip: "some"}); return err },
		"no edges": func() error { _, err := FitGraph(context.Background(), empty, Options{Dims: 1}); return err },
		"neighbors": func() error {
			_, err := Fit(context.Background(), mat.NewDense(3, 2, nil), Options{Dims: 1, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 5}}})
			return err
		},
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

// Every coordinate there is can be had.
func TestAllDims(t *testing.T) {
	w, _ := blocks(t, []int{9, 7}, 2, 0)
	g := mustGraph(t, w)
	for skip, dims := range map[Skip]int{SkipNone: 16, SkipConstant: 15, SkipZeros: 14} {
		for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
			m, err := FitGraph(context.Background(), g, Options{Dims: dims, Skip: skip, Problem: nystrom.Problem{Eigen: eigen.Options{Solver: solver}}})
			if err != nil {
				t.Fatalf("%s, %s: %v", skip, solver, err)
			}
			checkCoordinates(t, g, m)
			if !slices.IsSorted(m.Values) {
				t.Errorf("%s: values %v", skip, m.Values)
			}
		}
	}
}

// Where the iteration's limit comes first, the model holds what there is and the error says so.
func TestPartialModel(t *testing.T) {
	w, _ := blocks(t, []int{3000}, 4, 0)
	g := mustGraph(t, w)
	for _, skip := range []Skip{SkipNone, SkipConstant, SkipZeros} {
		m, err := FitGraph(context.Background(), g, Options{Dims: 20, Skip: skip, Problem: nystrom.Problem{Eigen: eigen.Options{Solver: eigen.Lanczos, MaxIter: 1, Tol: 1e-13}}})
		var stopped *eigen.NotConvergedError
		if !errors.As(err, &stopped) {
			t.Fatalf("%s: error %v, want NotConvergedError", skip, err)
		}
		if m == nil || len(m.Values) == 0 {
			t.Fatalf("%s: no partial model", skip)
		}
		if n, k := m.Embedding.Dims(); n != 3004 || k != len(m.Values) {
			t.Errorf("%s: partial embedding is %d×%d for %d values", skip, n, k, len(m.Values))
		}
	}
}

// Bridges so weak that eigenvalues round to zero do not make components of a connected graph.
func TestSkipConstantWithWeakBridges(t *testing.T) {
	for _, bridge := range []float64{1e-17, 1e-14, 1e-10} {
		w, _ := blocks(t, []int{10, 12, 14, 16}, 0, bridge)
		g := mustGraph(t, w)
		for _, solver := range []eigen.Solver{eigen.Dense, eigen.Lanczos} {
			m := must.Get(FitGraph(context.Background(), g, Options{Dims: 3, Skip: SkipConstant, Problem: nystrom.Problem{Eigen: eigen.Options{Solver: solver}}}))(t)
			for j := range 3 {
				dot := 0.0
				for i, d := range g.Degrees {
					dot += d * m.Embedding.At(i, j)
				}
				if math.Abs(dot) > 1e-6 {
					t.Errorf("bridge %g, %s: coordinate %d has a constant part of %g", bridge, solver, j, dot)
				}
			}
		}
	}
}
