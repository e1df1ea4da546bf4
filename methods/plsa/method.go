package plsa

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Spec is probabilistic latent semantic analysis as a method.
var Spec = method.Spec{
	Name:    "plsa",
	Grows:   "entries",
	Summary: "topics of term counts, by name; known labels make topics of their classes",
	About: "Finds K topics, distributions over the terms, by EM. Kind clustering: each document belongs to one\n" +
		"topic z and draws its words from it, L = Σ_i log Σ_k P(z_k) Π_j Θ_kj^n_ij. Kind aspect: each word\n" +
		"has a topic of its own, L = Σ_ij n_ij log Σ_k P(z_k|d_i) Θ_kj. Documents with a label stay in\n" +
		"their class. The shares of the topics are the coordinates of a document.",
	Reference: "Hofmann 2001; Liu, Hsaio, Lee and Gou 2014, Semi-supervised linear discriminant clustering, algorithm 1",
	Cost:      "4·entries·K flops and terms·K logarithms an iteration, kind aspect 6·entries·K",
	Needs:     method.Needs{Labels: method.Optional, Counts: true, Positive: true},
	Yields:    method.Yields{Coordinates: true, Clusters: true, Probabilities: true, Naming: method.ClassesFirst},
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
	defer in.Stage("plsa")()
	opt := used
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	if in.Given != nil {
		opt.Labels = in.Given.Labels
	}
	out := &method.Fitted{Used: &used}
	m, err := Fit(ctx, in.X, opt)
	if m == nil {
		return out, err
	}
	opt = opt.withDefaults()
	last := m.LogLikelihoods[len(m.LogLikelihoods)-1]
	how := fmt.Sprintf("%s, %s, best of %s, log-likelihood %.6g after %s", words.Counted(opt.K, "topic"), opt.Kind, words.Counted(opt.Restarts, "start"), last, words.Counted(m.Iterations, "iteration"))
	out.Model, out.Placer = m, m.Placer()
	out.Facts = []method.Fact{method.Found("log_likelihood", last), method.Found("weights", m.Weights), method.Found("iterations", m.Iterations), method.Found("converged", m.Converged)}
	out.Directions, out.Topics = m.Topics(in.Terms), true
	if in.Clusters == 0 {
		out.Embedding = m.Posterior
		out.Values = &method.Values{Kind: "share of the topic", Values: m.Weights, How: how}
		return out, err
	}
	out.Clusters = &method.Clusters{Labels: m.Labels, Sizes: in.Sizes(m.Labels, opt.K), Objective: last, Posterior: m.Posterior, By: Spec.Name, How: how}
	if in.Given != nil {
		out.Clusters.Classes = in.Given.ClassNames(opt.K)
	}
	return out, err
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return true }

// settle decides the number of topics and of starts, and refuses data that are no counts.
func (o *Options) settle(in *method.Input) error {
	var err error
	if in.Clusters > 0 {
		if o.K, err = method.FixedDims(Spec.Name, "one topic per cluster", in.Clusters, o.K); err != nil {
			return err
		}
	}
	if o.K, err = in.Dims(o.K); err != nil {
		return err
	}
	if err := in.MostDims(o.K, in.Len()); err != nil {
		return err
	}
	if err := CheckCounts(in, "plsa is not for such data"); err != nil {
		return err
	}
	if in.Given == nil {
		return nil
	}
	switch classes := len(in.Given.Names); {
	case o.K < classes:
		return invalid.Errorf("‹dims› %d is fewer than the %d classes of the known labels, each of which is a topic: leave it out", o.K, classes)
	case o.K == classes && in.Clusters > 0 && o.Restarts > 1:
		return invalid.Errorf("‹restarts› has no effect if the known labels start every cluster of %s: leave it out, or give a larger ‹clusters›", Spec.Name)
	case o.K == classes:
		o.Restarts = 1
	}
	return nil
}

// CheckCounts refuses entries that are no counts, before they were weighted, of any rank. way says
// what to do instead.
func CheckCounts(in *method.Input, way string) error {
	return ranks.Agree(in.Share, checkCounts(in, way))
}

func checkCounts(in *method.Input, way string) error {
	i, t, v := negative(in.Raw())
	if i < 0 {
		return nil
	}
	term := fmt.Sprintf("term %d", t+1)
	if in.Terms != nil {
		term = words.Clip(in.Terms[t], 40)
	}
	return invalid.Errorf("document %s has %g of %s, and plsa works on term counts, which are not negative: %s", words.Clip(in.ID(i), 40), v, term, way)
}

// negative finds the first negative entry; i is -1 if there is none.
func negative(x mat.Matrix) (i, t int, v float64) {
	if stored, err := sparse.Stored(x); err == nil {
		x = stored
	}
	s, isSparse := x.(*sparse.CSR)
	n, cols := x.Dims()
	for i := range n {
		if isSparse {
			at, vals := s.Row(i)
			for k, v := range vals {
				if v < 0 {
					return i, int(at[k]), v
				}
			}
			continue
		}
		for t := range cols {
			if v := x.At(i, t); v < 0 {
				return i, t, v
			}
		}
	}
	return -1, 0, 0
}
