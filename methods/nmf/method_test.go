package nmf

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// The contract gives what Fit gives: one topic per cluster, or as many as are asked for.
func TestMethod(t *testing.T) {
	ctx, x := context.Background(), random(30, 12, 0.4, 6)
	for _, c := range []struct {
		opt      Options
		clusters int
	}{{Options{}, 4}, {Options{Dims: 4}, 4}, {Options{Dims: 4}, 0}} {
		out := must.Get(c.opt.Fit(ctx, &method.Input{X: x, Clusters: c.clusters, Seed: 3}))(t)
		want := must.Get(Fit(ctx, x, Options{Dims: 4, Seed: 3}))(t)
		if !mat.Equal(out.Embedding, want.W) || !slices.Equal(out.Clusters.Labels, want.Labels) || len(out.Clusters.Sizes) != 4 {
			t.Errorf("%+v of %d clusters: another result", c.opt, c.clusters)
		}
		if !strings.HasPrefix(out.Clusters.How, "4 topics, hals, weighting ncw, best of 10 starts") {
			t.Errorf("found by %q", out.Clusters.How)
		}
		if used := out.Used.(*Options); used.Dims != 4 {
			t.Errorf("%d topics were used", used.Dims)
		}
	}
	for _, c := range []struct {
		opt      Options
		clusters int
		want     string
	}{{Options{Dims: 3}, 4, "leave ‹dims› out"}, {Options{}, 13, "give ‹clusters› 12"}, {Options{Dims: 13}, 0, "give ‹dims› 12"}} {
		if _, err := c.opt.Fit(ctx, &method.Input{X: x, Clusters: c.clusters}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v of %d clusters: %v", c.opt, c.clusters, err)
		}
	}
}
