package lapgmm

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// The contract gives what Fit gives, on the graph of the rows that the mixture is fitted to.
func TestMethod(t *testing.T) {
	x := blobs(80, 4, 3, 3, 2)
	out := must.Get(new(ReducedOptions).Fit(ctx, &method.Input{X: x, Clusters: 3, Seed: 5}))(t)
	want := fit(t, x, Options{K: 3, Seed: 5})
	if !mat.Equal(out.Clusters.Posterior, want.Posterior) || !slices.Equal(out.Clusters.Labels, want.Labels) || out.Clusters.Objective != want.Regularized {
		t.Error("another mixture")
	}
	used := out.Used.(*ReducedOptions)
	if g := used.Mixture.Graph; g.Neighbors != DefaultNeighbors || g.Weight != graph.Binary || out.Graph == nil {
		t.Errorf("the graph used is %+v", g)
	}
	if !strings.HasPrefix(out.Clusters.How, "3 clusters, full covariances, λ 4.713, regularised log-likelihood ") {
		t.Errorf("found by %q", out.Clusters.How)
	}
	found := map[string]any{}
	for _, f := range out.Facts {
		found[f.ID] = f.Value
	}
	if found["lambda"] != want.Lambda || used.Mixture.Lambda != want.Lambda || found["start"] != want.From || found["penalty"] != want.Penalty || found["bic"] != want.BIC {
		t.Errorf("the facts are %v", found)
	}
	p, err := out.Placer.Place(ctx, x, nil)
	if err != nil || !mat.Equal(p.Posterior, want.Posterior) || !slices.Equal(p.Labels, want.Labels) || len(p.Known) != 80 {
		t.Errorf("its own documents are not placed where they were: %v", err)
	}
}

// Documents within a distance have no number of neighbours.
func TestMethodEpsilon(t *testing.T) {
	out := must.Get((&ReducedOptions{Mixture: Options{Graph: graph.Options{Epsilon: 3}}}).Fit(ctx, &method.Input{X: blobs(60, 3, 2, 3, 2), Clusters: 2}))(t)
	if g := out.Used.(*ReducedOptions).Mixture.Graph; g.Neighbors != 0 {
		t.Errorf("%d neighbours are recorded", g.Neighbors)
	}
}

func TestMethodRefuses(t *testing.T) {
	x := blobs(30, 4, 3, 4, 2)
	for want, c := range map[string]struct {
		opt      ReducedOptions
		clusters int
	}{
		"which lapgmm takes as they are": {ReducedOptions{Reduce: gmm.Reduction{Solver: "lanczos"}}, 2},
		"components must be at least 1":  {ReducedOptions{}, 0},
	} {
		if _, err := c.opt.Fit(ctx, &method.Input{X: x, Clusters: c.clusters}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
