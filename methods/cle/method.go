package cle

import (
	"cmp"
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"gonum.org/v1/gonum/mat"
)

// Spec is the Constrained Laplacian Eigenmap as a method.
var Spec = method.Spec{
	Name:    "cle",
	Grows:   "n²",
	Summary: "Constrained Laplacian Eigenmap: one map per class that keeps the known labels, or links, then k-means",
	About: "In map k the labelled documents of class k are one point, all other labelled documents a second\n" +
		"one, and the coordinates are the second smallest eigenvector of L y = λ D y under this constraint:\n" +
		"one map per class. Must-links merge documents in the same way, and cannot-links between two clusters\n" +
		"put them on two sides of one point.",
	Reference: "Chen, Zhang, Bu, Wang and Chen 2010, section 3; De Bie, Suykens and De Moor 2004 for links",
	Cost:      "one neighbour graph and about two solutions of le for 30 classes, more for hundreds",
	Needs:     method.Needs{Labels: method.Required, Links: method.Required, Affinity: true, Roots: true},
	Yields:    method.Yields{Coordinates: true, FromLabels: true},
	Paper:     []method.Setting{{Name: "init", Value: "k-means++"}},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(nystrom.Extension) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = used.dimsFor(in); err != nil {
		return nil, err
	}
	return used.OnGraph(ctx, in, used.Dims, &used, func(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
		return used.embed(ctx, in, g)
	})
}

// embed embeds the graph g. The options have their dimensions.
func (o *Options) embed(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
	out := &method.Fitted{Graph: g}
	defer in.Stage("eigen")()
	opt := *o
	opt.Eigen.Seed, opt.Eigen.Observer = in.Seed, in.Observer
	var m *Model
	var err error
	if in.Share.Divided() {
		m, err = fitShared(ctx, g, in.Given, opt)
	} else if in.Given != nil {
		m, err = FitGraph(ctx, g, in.Given.Labels, len(in.Given.Names), opt)
	} else {
		m, err = FitLinks(ctx, g, in.Links, opt)
	}
	if m == nil {
		return out, err
	}
	out.Model, out.Embedding = m, m.Embedding
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: m.Residuals,
		Tol: cmp.Or(o.Eigen.Tol, eigen.DefaultTol), Stats: &m.Stats}
	if in.Given != nil {
		out.Values.Classes = in.Given.Names
	}
	if in.Joins() {
		out.Placer = m.extension(in, o.Graph)
	}
	return out, err
}

// fitShared is FitGraph of a graph that is shared: every rank gets the whole of it, and keeps the
// coordinates of its own points.
func fitShared(ctx context.Context, g *graph.Graph, given *method.Given, opt Options) (*Model, error) {
	whole, err := g.Whole()
	if err == nil {
		err = ctx.Err()
	}
	if err = ranks.Agree(g.Share, err); err != nil {
		return nil, err
	}
	m, err := FitGraph(ctx, whole, ranks.GatherInts(g.Share, given.Labels), len(given.Names), opt)
	if m == nil {
		return nil, err
	}
	first, last := g.Share.First(), g.Share.First()+g.Share.Own()
	rows := func(y *mat.Dense) *mat.Dense {
		_, k := y.Dims()
		return mat.DenseCopyOf(y.Slice(first, last, 0, k))
	}
	normalized := m.Embedding != m.Coordinates
	m.Coordinates = rows(m.Coordinates)
	if normalized {
		m.Embedding = rows(m.Embedding)
	} else {
		m.Embedding = m.Coordinates
	}
	m.Graph, m.Isolated, m.Apart = g, within(m.Isolated, first, last), within(m.Apart, first, last)
	return m, err
}

// within are the numbers from first up to last, counted from first.
func within(list []int, first, last int) (own []int) {
	for _, i := range list {
		if i >= first && i < last {
			own = append(own, i-first)
		}
	}
	return own
}

// dimsFor is the number of dimensions: one per class of labels, as many as are asked for with
// links.
func (o *Options) dimsFor(in *method.Input) (int, error) {
	dims := o.Dims
	switch {
	case in.Given != nil && in.Links != nil:
		return 0, invalid.Errorf("labels and ‹constraints› are two ways to say what belongs together: give one of them")
	case in.Given != nil:
		dims = len(in.Given.Names)
		if err := o.checkMaps(dims); err != nil {
			return 0, err
		}
	case in.Links == nil:
		return 0, invalid.Errorf("it needs labels of a part of the documents, or constraints: give ‹labels›, ‹labeled-fraction› or ‹constraints›")
	}
	dims, err := in.Dims(dims)
	if err != nil {
		return 0, err
	}
	return dims, in.MostDims(dims, in.Len())
}

// extension places new rows in the model's maps; opt are the options of its graph.
func (m *Model) extension(in *method.Input, opt graph.Options) *nystrom.Extension {
	outside := m.Apart
	if outside == nil {
		outside = m.Isolated
	}
	e := &nystrom.Extension{Coordinates: m.Coordinates, Values: m.Values, Isolated: outside, NormalizeRows: m.Embedding != m.Coordinates}
	e.Join(in.X, m.Graph, opt)
	return e
}
