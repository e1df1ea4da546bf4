package nmf

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is non-negative matrix factorisation as a method.
var Spec = method.Spec{
	Name:    "nmf",
	Grows:   "entries",
	Summary: "non-negative matrix factorisation: each document to its largest topic",
	About: "Factorises the matrix of documents and terms, X ≈ W·H with no entry below 0, so that ½‖X − W·H‖²\n" +
		"is least: the rows of H are topics, the rows of W how much of each topic a document has. A\n" +
		"document's cluster is its largest topic. Documents are first divided by √((X·Xᵀ·1)_i), the weights\n" +
		"of the normalised cut.",
	Reference: "Lee and Seung 2001; Xu, Liu and Gong 2003, SIGIR; Lin 2007, Neural Computation 19",
	Cost:      "per iteration 4·k operations per entry of X, and some k² per document and term",
	Needs:     method.Needs{Positive: true},
	Yields:    method.Yields{Coordinates: true, Clusters: true, Confidence: method.ByShare},
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	defer in.Stage("nmf")()
	opt := used.withDefaults()
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	m, err := Fit(ctx, in.X, opt)
	out := &method.Fitted{Used: &used}
	if m != nil {
		out.Model, out.Embedding, out.Placer = m, m.W, &m.Placer
		out.Clusters = &method.Clusters{Labels: m.Labels, Sizes: in.Sizes(m.Labels, opt.Dims), Objective: m.Objective, By: "nmf",
			Certainty: method.Certainty{Confidence: method.WinningShare(m.W, m.Labels)},
			How: fmt.Sprintf("%s, %s, weighting %s, best of %s, objective %.6g after %s, projected gradient %.1e of the start's", words.Counted(opt.Dims, "topic"), opt.Solver,
				opt.Weighting, words.Counted(opt.Restarts, "start"), m.Objective, words.Counted(m.Iterations, "iteration"), m.KKT)}
	}
	return out, err
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return true }

// settle decides the number of topics, one per cluster if there are clusters, and refuses more than
// the data have.
func (o *Options) settle(in *method.Input) error {
	name := "dims"
	if in.Clusters > 0 {
		if o.Dims > 0 && o.Dims != in.Clusters {
			return invalid.Errorf("the method nmf makes one topic per cluster, here %d: leave ‹dims› out", in.Clusters)
		}
		name = "clusters"
	}
	var err error
	if o.Dims, err = in.Dims(o.Dims); err != nil {
		return err
	}
	return in.CheckRank(o.Dims, name)
}
