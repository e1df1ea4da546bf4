package lecas

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is LE-CAS as a method.
var Spec = method.Spec{
	Name:    "le-cas",
	Grows:   "n²",
	Summary: "le on a graph whose edges between clusters of a first clustering are weakened, then k-means",
	About: "Finds a first clustering, by kernel k-means with the number of clusters of the best silhouette, or\n" +
		"takes the known labels. An edge between documents of clusters a ≠ b gets the weight\n" +
		"exp(−‖u_a − u_b‖²/σ)·exp(−‖x_i − x_j‖²/σ), where u are the means of the clusters; then Laplacian\n" +
		"Eigenmaps; the paper leaves out the eigenvectors of eigenvalue 0, which tell parts of the graph apart.",
	Reference: "Zhou and Wang 2019, sections 2.1-2.2 and 4.2",
	Cost:      "n²·(entries per document) for each of the kernel, the silhouettes and the graph, then as le",
	Needs:     method.Needs{Labels: method.Optional, Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Paper:     []method.Setting{{Name: "drop-zeros", Value: "true"}},
	Whole:     "its first clustering looks at the kernel of every two documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Extension) },
}

// Fit implements method.Options. Labels given are the first clustering unless another one is
// chosen.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	err := used.settle(in)
	if err != nil {
		return nil, err
	}
	used, err = used.complete(ctx, in.X)
	if err != nil {
		return nil, err
	}
	var g *graph.Graph
	if g, used.LE.Graph, err = in.AffinityOf(ctx, in.X, used.LE.Graph); err != nil {
		return nil, err
	}
	choice, err := used.first(ctx, in)
	if err != nil {
		return &method.Fitted{Graph: g, Used: &used}, err
	}
	var m *Model
	out, err := used.LE.Embed(in, g, func(opt le.Options) (*le.Model, error) {
		all := used
		all.LE = opt
		var err error
		if m, err = all.embed(ctx, g, in.X, choice); m == nil {
			return nil, err
		}
		return m.Model, err
	})
	out.Used = &used
	if m == nil {
		return out, err
	}
	out.Model = m
	used.noteChoice(in, choice)
	out.Facts = used.facts(m)
	out.Placer = used.extension(in, m)
	return out, err
}

// settle decides the first clustering, what is left out and the number of dimensions.
func (o *Options) settle(in *method.Input) error {
	if o.Labels = nil; in.Given != nil {
		o.Labels = in.Given.Labels
	}
	labeled := in.Given != nil
	if err := invalid.Join(o.Validate(), o.checkFirst(labeled)); err != nil {
		return err
	}
	o.Search.Clustering = o.Search.clustering(labeled)
	*o = o.withDefaults()
	var err error
	if o.LE.Dims, err = o.LE.DimsFor(in); err != nil {
		return err
	}
	if n := in.Len(); o.Search.Clusters > n {
		return invalid.Errorf("‹first-clusters› %d is more than its %s; give at most %d", o.Search.Clusters, words.Counted(n, "document"), n)
	}
	return nil
}

// first finds the first clustering, nil if it is the known labels.
func (o Options) first(ctx context.Context, in *method.Input) (*Choice, error) {
	if o.Labels != nil {
		return nil, nil
	}
	defer in.Stage("first")()
	s := o.Search
	s.Seed, s.Observer = in.Seed, in.Observer
	return ChooseClusters(ctx, in.X, s)
}
