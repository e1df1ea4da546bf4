package eigenmap_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// A given linear kernel, which has negative entries, gives the clusters and the objective of
// k-means on the rows; so does a feature space of low rank.
func TestKernelMayBeNegative(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 33))
	for range 5 {
		n, d := 30+r.IntN(30), 1+r.IntN(4)
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, 20*float64(i%3-1)*float64(1+j%2)+r.NormFloat64())
			}
		}
		var k mat.Dense
		k.Mul(x, x.T())
		want := must.Get(eigenmap.ClusterMatrix(context.Background(), x, options(t, "kmeans", "normalize", "none")))(t)
		got := must.Get(eigenmap.ClusterMatrix(context.Background(), &k, options(t, "kernel-kmeans", "precomputed", "true")))(t)
		if !slices.Equal(got.Labels, want.Labels) {
			t.Fatalf("%d × %d: the clusters differ from k-means", n, d)
		}
		a, b := got.ClusterJSON(func(s string) string { return s }, nil).Objective, want.ClusterJSON(func(s string) string { return s }, nil).Objective
		if math.Abs(a-b) > 1e-9*b {
			t.Fatalf("the objective is %v, k-means has %v", a, b)
		}
		if w := got.Warnings(func(s string) string { return s }); len(w) > 0 {
			t.Errorf("a positive semidefinite kernel is warned of: %v", w)
		}
	}
}

// A matrix that is no kernel is refused where that is plain, with the shift that mends it, and
// stays refused by methods that need affinities.
func TestMatrixThatIsNoKernel(t *testing.T) {
	k := mat.NewDense(4, 4, []float64{-2, 1, 0, 0, 1, 3, 0, 0, 0, 0, 4, 1, 0, 0, 1, 5})
	opt := options(t, "kernel-kmeans", "precomputed", "true", "clusters", "2")
	_, err := eigenmap.ClusterMatrix(context.Background(), k, opt)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "not positive semidefinite") || !strings.Contains(err.Error(), "at least 2") {
		t.Errorf("a negative diagonal: %v", err)
	}
	set(t, &opt, "kernel-shift", "3")
	if _, err = eigenmap.ClusterMatrix(context.Background(), k, opt); err != nil {
		t.Errorf("shifted: %v", err)
	}
	k.Set(0, 0, 2)
	k.Set(0, 1, -1)
	k.Set(1, 0, -1)
	for _, name := range []string{"le", "spectral", "label-propagation"} {
		_, err = eigenmap.ClusterMatrix(context.Background(), k, options(t, name, "precomputed", "true", "clusters", "2"))
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: a negative affinity: %v", name, err)
		}
	}
	k.Set(1, 0, 1)
	if _, err = eigenmap.ClusterMatrix(context.Background(), k, opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "not symmetric") {
		t.Errorf("not symmetric: %v", err)
	}
}
