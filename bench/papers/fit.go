package papers

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strconv"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// restarts is the number of starts of k-means on coordinates, of which the best is kept.
const restarts = 10

// fitKey names a fit that units share.
type fitKey struct {
	of                    any // the data of the units
	spec, options, labels string
}

// figures fits the column's method to a unit and returns the metrics of the column. labelSeed draws
// the labels of the case.
func (c Column) figures(ctx context.Context, u *Unit, labelSeed uint64) ([]float64, error) {
	if c.score != nil {
		return c.score(ctx, u, labelSeed)
	}
	found, f, err := c.clusters(ctx, u, labelSeed)
	if err != nil {
		return nil, err
	}
	scores, err := u.compare(u, found)
	if err == nil && c.more != nil {
		scores = append(scores, c.more(u, f))
	}
	return scores, err
}

// clusters fits the column's method and returns the cluster of each document: the method's own, or
// the clusters of k-means on its coordinates.
func (c Column) clusters(ctx context.Context, u *Unit, labelSeed uint64) ([]int, *method.Fitted, error) {
	f, err := c.fit(ctx, u, labelSeed)
	if err != nil {
		return nil, nil, err
	}
	if f.Clusters != nil {
		return f.Clusters.Labels, f, nil
	}
	var found []int
	if c.assign != nil {
		found, err = c.assign(ctx, u, f)
	} else {
		spec, _, _, methodErr := c.method(u.settings)
		if methodErr != nil {
			return nil, nil, methodErr
		}
		found, err = u.cluster(ctx, f.Embedding, spec.Yields.Terms)
	}
	return found, f, err
}

// fit fits the column's method to a unit.
func (c Column) fit(ctx context.Context, u *Unit, labelSeed uint64) (*method.Fitted, error) {
	spec, o, options, err := c.method(u.settings)
	if err != nil {
		return nil, err
	}
	given, err := c.labels(ctx, u, spec, labelSeed)
	if err != nil {
		return nil, err
	}
	fresh := func() (*method.Fitted, error) {
		in, err := c.input(ctx, u, spec, given)
		if err != nil {
			return nil, err
		}
		return u.fit(ctx, spec, o, in)
	}
	if !c.Shared {
		return fresh()
	}
	f, err := u.fits.get(fitKey{u.of, spec.Name, options, digest(given)}, func() (*method.Fitted, error) {
		f, err := fresh()
		if err != nil {
			return nil, err
		}
		kept := &method.Fitted{Embedding: f.Embedding, Clusters: f.Clusters, Facts: f.Facts}
		if c.cut != nil {
			kept.Model = f.Model
		}
		return kept, nil
	})
	if err == nil && c.cut != nil {
		return c.cut(ctx, u, f)
	}
	return f, err
}

// labels are the labels that the method learns from, nil if it takes none.
func (c Column) labels(ctx context.Context, u *Unit, spec method.Spec, seed uint64) (*method.Given, error) {
	switch {
	case spec.Needs.Labels == method.None:
		return nil, nil
	case c.given != nil:
		return c.given(ctx, u)
	case c.Share > 0:
		known, err := labels.Draw(u.Truth, c.Share, seed)
		if err != nil {
			return nil, err
		}
		return given(known, u.K), nil
	case u.known != nil:
		return given(u.known, u.K), nil
	}
	return nil, nil
}

// given are labels of k classes, which are named by their numbers.
func given(known []int, k int) *method.Given {
	g := &method.Given{Labels: known, Names: make([]string, k)}
	for i := range g.Names {
		g.Names[i] = strconv.Itoa(i + 1)
	}
	return g
}

// digest are labels as a part of a key. There are at most 256 classes.
func digest(g *method.Given) string {
	if g == nil {
		return ""
	}
	text := make([]byte, len(g.Labels))
	for i, k := range g.Labels {
		text[i] = byte(k)
	}
	return string(text)
}

// input is what the method works on. A method of graphs gets the graph that the unit's columns
// share.
func (c Column) input(ctx context.Context, u *Unit, spec method.Spec, given *method.Given) (*method.Input, error) {
	in := &method.Input{X: u.X, Counts: u.Counts, Given: given, Clusters: u.K, Seed: u.Seed}
	var err error
	if c.rows != nil {
		if in.X, err = c.rows(ctx, u); err != nil {
			return nil, err
		}
	}
	if spec.Needs.Affinity && u.graph != nil {
		in.Graph, err = u.graph(ctx)
	}
	return in, err
}

// fit runs a method under the rules of the unit.
func (u *Unit) fit(ctx context.Context, spec method.Spec, o method.Options, in *method.Input) (*method.Fitted, error) {
	for dims := u.most; ; {
		f, err := spec.Fit(ctx, o, in)
		var stopped *eigen.NotConvergedError
		switch {
		case err == nil:
			return f, nil
		case u.partial && errors.As(err, &stopped) && f != nil && f.Embedding != nil:
			return f, nil
		case dims == 0 || !errors.Is(err, fs.ErrInvalid) || f == nil || f.Graph == nil:
			return nil, err
		}
		// The graph gives fewer dimensions.
		dims = min(dims-1, f.Graph.W.NumRows-f.Graph.Components)
		if dims < 1 {
			return new(method.Fitted), nil
		}
		if err := setOption(o, "dims", strconv.Itoa(dims)); err != nil {
			return nil, err
		}
	}
}

// cluster runs k-means on the coordinates that count, after which sparse documents move by their
// terms if terms is set. Without coordinates all documents are one cluster.
func (u *Unit) cluster(ctx context.Context, y *mat.Dense, terms bool) ([]int, error) {
	if y == nil {
		return make([]int, len(u.Truth)), nil
	}
	n, c := y.Dims()
	if u.used > 0 && u.used < c {
		y = mat.DenseCopyOf(y.Slice(0, n, 0, u.used))
	}
	// A document whose weights all but vanish has coordinates whose squares overflow. The clusters
	// do not depend on the scale.
	if most := mat.Norm(y, math.Inf(1)); most > 1e100 {
		scaled := new(mat.Dense)
		scaled.Scale(1/most, y)
		y = scaled
	}
	m, err := kmeans.Fit(ctx, y, kmeans.Options{K: u.K, Restarts: restarts, Seed: u.Starts})
	if err != nil {
		return nil, err
	}
	found := m.Found(restarts)
	if rows, ok := u.X.(sparse.Rows); ok && terms {
		if found, err = kmeans.ByTerms(ctx, found, y, rows, nil); err != nil {
			return nil, err
		}
	}
	return found.Labels, nil
}
