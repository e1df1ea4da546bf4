package le

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/progress"
)

// Spec is Laplacian Eigenmaps as a method.
var Spec = method.Spec{
	Name:    "le",
	Grows:   "n²",
	Summary: "Laplacian Eigenmaps: smallest eigenvectors of the neighbour graph, then k-means",
	About: "Joins each document to its nearest neighbours by edges of weight w_ij and takes as coordinates the\n" +
		"eigenvectors of L y = λ D y with the smallest eigenvalues, where D holds the row sums of W and\n" +
		"L = D − W: the coordinates that vary least over the edges.",
	Reference: "Belkin and Niyogi 2003, Neural Computation 15(6); Chen, Zhang, Bu, Wang and Chen 2010, eq. (5)-(6)",
	Cost:      "neighbour search n²·(entries per document), then some hundred products with the graph",
	Needs:     method.Needs{Affinity: true, Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(nystrom.Extension) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	used.SettleSkip(in)
	var err error
	if used.Dims, err = used.DimsFor(in); err != nil {
		return nil, err
	}
	return used.OnGraph(ctx, in, used.Dims, &used, func(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
		if o.Dims == 0 {
			used.LowerDims(g)
		}
		return used.Embed(in, g, func(opt Options) (*Model, error) { return FitGraph(ctx, g, opt) })
	})
}

// LowerDims lowers dimensions that were not asked for to as many as the graph gives.
func (o *Options) LowerDims(g *graph.Graph) {
	if most := o.mostDims(g); most > 0 {
		o.Dims = min(o.Dims, most)
	}
}

// FitLandmarks builds the graph of the documents, or of the landmarks, embeds it by fit, and places
// the other documents. The options have their dimensions, and get what was decided about the graph.
// used are the method's own options, which contain these.
func (o *Options) FitLandmarks(ctx context.Context, in *method.Input, used method.Options, fit func(context.Context, *method.Input, *graph.Graph, Options) (*Model, error)) (*method.Fitted, error) {
	return o.OnGraph(ctx, in, o.Dims, used, func(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
		return o.Embed(in, g, func(opt Options) (*Model, error) { return fit(ctx, in, g, opt) })
	})
}

// SettleSkip leaves the constant eigenvector out of an embedding that no clustering follows, unless
// Skip is set: for a connected graph it is no axis.
func (o *Options) SettleSkip(in *method.Input) {
	if o.Skip == "" && in.Clusters == 0 {
		o.Skip = SkipConstant
		in.Notef("‹drop-first›: the constant eigenvector is left out of an embedding; ‹drop-first›=false keeps it.")
	}
}

// DimsFor is the number of dimensions for an input, if it can have so many.
func (o *Options) DimsFor(in *method.Input) (int, error) {
	dims, err := in.Dims(o.Dims)
	if err != nil {
		return 0, err
	}
	most := in.Len()
	if o.Skip == SkipConstant || o.Skip == SkipZeros {
		most--
	}
	return dims, in.MostDims(dims, most)
}

// Embed embeds the graph g by fit, and says what was found: the part that Laplacian Eigenmaps and
// the methods that change its graph have in common. fit gets the options with seed and observer;
// its model may be partial beside an error.
func (o *Options) Embed(in *method.Input, g *graph.Graph, fit func(Options) (*Model, error)) (*method.Fitted, error) {
	return o.embed(in, g, ": ‹drop-zeros› leaves such coordinates out", "drop-zeros=true", fit)
}

// EmbedAll is Embed for a method without the options of Skip.
func (o *Options) EmbedAll(in *method.Input, g *graph.Graph, fit func(Options) (*Model, error)) (*method.Fitted, error) {
	return o.embed(in, g, "; more neighbours join parts", "neighbors=*2", fit)
}

// embed is Embed; advice says what helps where all eigenvalues are 0, and retry is the option.
func (o *Options) embed(in *method.Input, g *graph.Graph, advice, retry string, fit func(Options) (*Model, error)) (*method.Fitted, error) {
	out := &method.Fitted{Graph: g}
	if err := o.checkDims(g); err != nil {
		return out, err
	}
	defer in.Stage("eigen")()
	opt := *o
	opt.Eigen.Seed, opt.Eigen.Observer = in.Seed, in.Observer
	m, err := fit(opt)
	if m == nil {
		return out, err
	}
	out.Model = m
	o.take(out, m)
	if in.Joins() {
		out.Placer = m.Extension(in, o.Graph)
	}
	if err == nil {
		noteZeros(in, m, advice, retry)
	}
	return out, err
}

// take takes coordinates and eigenvalues from a model.
func (o *Options) take(out *method.Fitted, m *Model) {
	out.Embedding = m.Embedding
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: m.Residuals, Tol: cmp.Or(o.Eigen.Tol, eigen.DefaultTol), Stats: &m.Stats}
	switch o.Skip {
	case SkipConstant:
		out.Values.LeftOut = 1
	case SkipZeros:
		out.Values.LeftOut = m.Stats.Deflated
	}
}

// Extension places new rows in the model's embedding; opt are the options of its graph.
func (m *Model) Extension(in *method.Input, opt graph.Options) *nystrom.Extension {
	e := &nystrom.Extension{Coordinates: m.Coordinates, Values: m.Values, Isolated: m.Isolated, NormalizeRows: m.Embedding != m.Coordinates}
	e.Join(in.X, m.Graph, opt)
	return e
}

// mostDims is the number of eigenvectors of the graph that are not left out.
func (o *Options) mostDims(g *graph.Graph) int {
	most := g.Total() - g.AllIsolated()
	switch o.Skip {
	case SkipZeros:
		most -= g.Components - g.AllIsolated()
	case SkipConstant:
		most--
	}
	return most
}

// checkDims refuses more dimensions than the eigenvectors of the graph that are not left out.
func (o *Options) checkDims(g *graph.Graph) error {
	joined, most := g.Total()-g.AllIsolated(), o.mostDims(g)
	if joined == 0 || o.Dims <= most {
		return nil // a graph without edges is another error
	}
	return method.TooManyDims(o.Dims, most, "the "+words.Plural(joined, "document with neighbours gives", "documents with neighbours give"), ", or more neighbours")
}

// noteZeros reports coordinates that only indicate the components of the graph.
func noteZeros(in *method.Input, m *Model, advice, retry string) {
	if m.Stats.Deflated > 1 && !m.Groups && !slices.ContainsFunc(m.Values, func(v float64) bool { return v != 0 }) {
		in.Observer.Advisef(progress.Warning, "", retry, "All eigenvalues are 0, so the coordinates (%d) only tell which of the graph's %s parts a document is in%s.",
			len(m.Values), words.Thousands(m.Stats.Deflated), advice)
	}
}
