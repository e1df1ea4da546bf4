package leiden

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/spectral"
)

// Spec is Leiden's algorithm as a method.
var Spec = method.Spec{
	Name:    "leiden",
	Grows:   "n²",
	Summary: "communities of the neighbour graph, by modularity; finds how many there are",
	About: "Maximises the modularity Q = Σ_c (w_c/2m - γ (K_c/2m)²) of groups of documents: w_c are the weights of\n" +
		"the neighbour graph inside group c, K_c the degrees of its documents, 2m all weights. Documents, and\n" +
		"parts of groups that hang together, move to the group where Q gains most, until none gains. Every\n" +
		"group is connected, and no merger of two raises Q. Without a number of clusters the resolution γ\n" +
		"decides how many there are; with one, a γ is searched that gives it.",
	Reference: "Traag, Waltman and van Eck 2019, From Louvain to Leiden, Scientific Reports 9",
	Cost:      "neighbour search n²·(entries per document), then some tens of passes over the edges for each γ that is tried",
	Needs:     method.Needs{Affinity: true, Roots: true},
	Yields:    method.Yields{Clusters: true, Number: true, Confidence: "the share of the document's edges, by weight, that lead to documents of its cluster"},
	Single:    true,
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Options of the method. The zero value of every field is its default.
type Options struct {
	// Resolution is γ; 0 = 1. Beside a number of clusters it is where the search begins.
	Resolution float64 `json:"resolution,omitempty" flag:"resolution" range:">0" default:"1" help:"resolution γ of the modularity: a larger one gives more and smaller clusters; with a number of clusters, the search for the γ that gives it begins there" group:"method"`
	// Graph of the documents. The neighbour graph of dense data has [spectral.DenseNeighbors]
	// neighbours unless others are given.
	Graph graph.Options `json:"graph" flags:"*" group:"graph" defaults:"neighbors=(15 of sparse data, 7 of dense data, or all others if there are fewer)"`
}

// Validate implements method.Options.
func (o *Options) Validate() error {
	own := *o
	own.Graph = graph.Options{}
	return invalid.Join(option.Check(&own), o.Graph.Validate())
}

// GraphOptions are the options of the graph, with the neighbours of the kind of data if they give
// none.
func (o *Options) GraphOptions(in *method.Input) graph.Options {
	return spectral.Neighbors(in, nystrom.Problem{Graph: o.Graph})
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return o.Graph.Shares() }

// Fit implements method.Options. Input.Clusters 0 leaves the number of clusters to the resolution.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	option.Default(&used)
	g, opt, err := in.Affinity(ctx, o.GraphOptions(in))
	if err != nil {
		return nil, err
	}
	used.Graph = opt
	defer in.Stage(stage)()
	out := &method.Fitted{Graph: g, Used: &used}
	p, err := Find(ctx, g, Search{Clusters: in.Clusters, Resolution: used.Resolution, Seed: in.Seed, Observer: in.Observer})
	if p == nil {
		return out, err
	}
	out.Model = p
	confidence := p.Confidence
	out.Clusters = &method.Clusters{Labels: p.Labels, Sizes: p.Sizes, Certainty: method.Certainty{Confidence: confidence}, By: "modularity", How: p.how()}
	out.Facts = []method.Fact{method.Found("modularity", p.Modularity), method.Found("resolution", p.Resolution), method.Found("mergers", p.Merged)}
	if in.Joins() {
		out.Placer = &Placer{Joined: nystrom.NewJoined(in.X, g, opt), Labels: p.Labels, Confidence: confidence}
	}
	if p.Merged > 0 {
		in.Notef("No resolution was found that gives %s: %s merged, those first that lose the least modularity",
			words.Counted(len(p.Sizes), "cluster"), words.Plural(p.Merged, "pair was", "pairs were"))
	}
	return out, err
}

// how is how the partition was found, in words.
func (p *Partition) how() string {
	return fmt.Sprintf("%s, modularity %.4f at resolution %.4g", words.Plural(len(p.Sizes), "community", "communities"), p.Modularity, p.Resolution)
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	opt := o.GraphOptions(in)
	both, err := nystrom.Planned{Problem: nystrom.Problem{Graph: opt}, Dims: 1}.Stages(in, at)
	if err != nil {
		return nil, err
	}
	n := in.Len()
	entries := 2 * n * in.CompleteGraph(in.X, opt).Neighbors
	find := method.Stage{Name: stage, Bytes: findBytes(n, entries, in.Share), Keeps: keptBytes(n), Seconds: at.Passes(float64(entries), passes)}
	find.Seconds *= float64(at.Threads) // one thread finds them
	if in.Clusters > 0 {
		find.Seconds *= mostTries / 3
	}
	if in.Share.Divided() {
		find.Received = wholeBytes(n, entries)
	}
	return []method.Stage{both[0], find}, nil
}
