package lapgmm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// A few rows that are nearly equal are a part of the neighbour graph of their own. They must not
// become clusters beside one of all other rows, which is what the graph alone makes of them.
func TestSpecksAreNoClusters(t *testing.T) {
	const n, dims, speck = 600, 30, 10
	rng := rand.New(rand.NewPCG(3, 0))
	x := mat.NewDense(n+2*speck, dims, nil)
	for i := range n {
		for j := range dims {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, 0, x.At(i, 0)+3*float64(i%3)) // three overlapping clusters
	}
	for i := range 2 * speck {
		for j := range dims {
			x.Set(n+i, j, 1.5*x.At(i/speck, j)+1e-3*rng.NormFloat64())
		}
	}
	opt := Options{K: 3, Graph: graph.Options{Neighbors: 8}}
	f := fitterOf(t, x, opt)
	labels := must.Get(f.eigenmaps(ctx, false))(t)
	counts := make([]int, 3)
	for _, l := range labels {
		counts[l]++
	}
	if slices.Max(counts) < n-speck {
		t.Fatalf("the graph alone has clusters of %v rows: the data do not show the case", counts)
	}
	m := must.Get(Fit(ctx, x, opt))(t)
	plain := must.Get(gmm.Fit(ctx, x, gmm.Options{K: 3}))(t)
	if effective(m.Sizes)-1 < (effective(plain.Sizes)-1)/2 {
		t.Errorf("clusters of %v rows; without the graph of %v", m.Sizes, plain.Sizes)
	}
}
