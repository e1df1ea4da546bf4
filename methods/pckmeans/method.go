package pckmeans

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is k-means under links as a method.
var Spec = method.Spec{
	Name:    "pckmeans",
	Grows:   "entries",
	Summary: "k-means under must-links, cannot-links and known labels, for any number of clusters",
	About: "k-means in which documents that must-links join go to one cluster together, documents that a\n" +
		"cannot-link parts go to different ones, or pay a weight, and documents with a known label stay in its\n" +
		"class. All others go to the nearest centre.",
	Reference: "Basu, Banerjee and Mooney 2004, SDM: PCKMeans; Wagstaff, Cardie, Rogers and Schrödl 2001, ICML: COP-KMeans",
	Cost:      "as kmeans without its bounds: n·k·(entries per document) for each move, and a search among the linked documents",
	Needs:     method.Needs{Labels: method.Required, Links: method.Required, Apart: true},
	Yields:    method.Yields{Clusters: true, Naming: method.ClassesFirst},
	Whole:     "kmeans alone divides its documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(kmeans.Direct) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	var known []int
	if in.Given != nil {
		known = in.Given.Labels
		used.K = max(used.K, len(in.Given.Names))
		if in.Clusters > 0 && in.Clusters < used.K {
			return nil, invalid.Errorf("‹clusters› %d is less than the %s of the known labels, each of which is a cluster: give at least %d", in.Clusters, words.Plural(used.K, "class", "classes"), used.K)
		}
	}
	if in.Given != nil && used.K == len(in.Given.Names) {
		used.Restarts = 1 // the means of the labels start every cluster
	}
	opt := used
	opt.Seed, opt.Observer, opt.Name = in.Seed, in.Observer, in.ID
	defer in.Stage("kmeans")()
	m, err := Fit(ctx, in.X, in.Links, known, opt)
	if err != nil {
		return nil, err
	}
	out := &method.Fitted{Used: &used, Model: m, Placer: new(kmeans.Direct)}
	out.Clusters = &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
		How: fmt.Sprintf("%s, objective %.6g", words.Counted(used.K, "cluster"), m.Objective)}
	if in.Given != nil {
		out.Clusters.Classes = in.Given.ClassNames(used.K)
	}
	if in.Links != nil {
		out.Facts = []method.Fact{method.Found("cannot_links_kept", m.Kept), method.Found("cannot_links_broken", m.Broken),
			method.Line("apart", fmt.Sprintf("%s kept, %d not", words.Counted(m.Kept, "cannot-link"), m.Broken))}
	}
	return out, nil
}
