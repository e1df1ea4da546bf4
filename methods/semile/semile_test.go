package semile

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
)

func random(t *testing.T, n int, seed uint64) (*graph.Graph, []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	b := sparse.NewBuilder(n, n)
	known := make([]int, n)
	for i := range n - 2 { // two points stay without neighbours
		for range 3 {
			if j := rng.IntN(n - 2); j != i {
				v := rng.Float64() / 4
				b.Add(i, j, v)
				b.Add(j, i, v)
			}
		}
	}
	for i := range known {
		known[i] = labels.Unknown
		if i < 3 || rng.IntN(4) == 0 {
			known[i] = i % 3
		}
	}
	known[n-2], known[n-1] = 1, labels.Unknown // an isolated point with a label, and one without
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	return g, known
}

// The embedding is Laplacian Eigenmaps of the matrix that the paper describes, all its entries
// written out.
func TestIsLaplacianEigenmapsOfTheChangedWeights(t *testing.T) {
	for seed, n := range []int{12, 60, 300, 1000} {
		g, known := random(t, n, uint64(seed))
		b := sparse.NewBuilder(n, n)
		for i := range n {
			for j := range n {
				v := g.W.At(i, j)
				if i != j && known[i] != labels.Unknown && known[j] != labels.Unknown {
					v = 0
					if known[i] == known[j] {
						v = 1
					}
				}
				if v != 0 {
					b.Add(i, j, v)
				}
			}
		}
		written := must.Get(b.Build())(t)
		changed := must.Get(graph.FromAffinity(written))(t)
		for _, skip := range []le.Skip{le.SkipNone, le.SkipConstant, le.SkipZeros} {
			opt := le.Options{Dims: 4, Skip: skip, Problem: nystrom.Problem{Eigen: eigen.Options{Tol: 1e-10}}}
			want := must.Get(le.FitGraph(context.Background(), changed, opt))(t)
			got := must.Get(FitGraph(context.Background(), g, known, 3, opt))(t)
			if len(got.Isolated) != 1 || got.Isolated[0] != n-1 {
				t.Errorf("n = %d: isolated %v, want only the last point", n, got.Isolated)
			}
			for j, v := range want.Values {
				if math.Abs(v-got.Values[j]) > 1e-9 {
					t.Errorf("n = %d, skip %s: λ_%d = %v, written out %v", n, skip, j, got.Values[j], v)
				}
				// L y − λ D y with the written-out matrix.
				for i := range n {
					r := (1 - got.Values[j]) * changed.Degrees[i] * got.Embedding.At(i, j)
					cols, vals := written.Row(i)
					for k, c := range cols {
						r -= vals[k] * got.Embedding.At(int(c), j)
					}
					if math.Abs(r) > 1e-8 {
						t.Fatalf("n = %d, skip %s: residual of point %d in coordinate %d is %g", n, skip, i, j, r)
					}
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	g, known := random(t, 30, 1)
	if _, err := FitGraph(context.Background(), g, known, 4, le.Options{Dims: 2}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a class without labels: %v", err)
	}
	if _, err := FitGraph(context.Background(), g, known, 3, le.Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no dimensions: %v", err)
	}
}
