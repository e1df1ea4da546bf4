package kmeans

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Spec is k-means on the rows themselves as a method.
var Spec = method.Spec{
	Name:    "kmeans",
	Grows:   "entries",
	Summary: "k-means on the weighted documents themselves",
	About: "Minimises Σ_i ‖x_i − centre of its cluster‖² by Lloyd's iteration: every document joins the nearest\n" +
		"centre, every centre moves to the mean of its documents, until no document changes its cluster.\n" +
		"Starts are drawn by k-means++; the best of several is kept.",
	Reference: "Lloyd 1982, IEEE Transactions on Information Theory 28; Arthur and Vassilvitskii 2007, SODA",
	Cost:      "k·(entries of all documents) for the first look at all of them, a part of it for each later move",
	Yields:    method.Yields{Clusters: true},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Direct) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	opt := used
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	opt.Aside = method.WithoutEntries(in.X)
	defer in.Stage("kmeans")()
	m, err := Fit(ctx, in.X, opt)
	out := &method.Fitted{Used: &used}
	if m != nil {
		out.Model, out.Clusters, out.Placer = m, m.Found(opt.withDefaults().Restarts), new(Direct)
	}
	return out, err
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return true }

// Found are the model's clusters as a method's result. starts is the number of starts.
func (m *Model) Found(starts int) *method.Clusters {
	return &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
		How: fmt.Sprintf("%s, best of %s, objective %.6g", words.Plural(len(m.Sizes), "cluster", "clusters"), words.Plural(starts, "start", "starts"), m.Objective)}
}

// Direct is the placer of methods that find clusters among the rows themselves: new rows keep
// their own coordinates, and the nearest centre, which the model's file keeps beside it, is their
// cluster.
type Direct struct{}

var _ method.Placer = (*Direct)(nil)

// Place implements method.Placer.
func (*Direct) Place(_ context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	return &method.Placement{Isolated: rows.WithoutEntries(x)}, nil
}

// Width implements model.Part: the rows keep their own coordinates.
func (*Direct) Width() int { return 0 }

// Fields implements model.Part: nothing is kept.
func (*Direct) Fields(*model.Fields) {}

// Check implements model.Part.
func (*Direct) Check(model.Frame) error { return nil }
