package ckmeans

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is Constrained-KMeans as a method.
var Spec = method.Spec{
	Name:    "ckmeans",
	Grows:   "entries",
	Summary: "k-means in which documents with a known label stay in its class",
	About: "k-means whose cluster c starts at the mean of the documents with a label of class c. These stay in\n" +
		"their class in every iteration; all others go to the nearest centre.",
	Reference: "Basu, Banerjee and Mooney 2002, ICML: Constrained-KMeans",
	Cost:      "as kmeans from one start",
	Needs:     method.Needs{Labels: method.Required},
	Yields:    method.Yields{Clusters: true, Naming: method.ClassesFirst},
	Whole:     "kmeans alone divides its documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(kmeans.Direct) },
}

// SeededSpec is Seeded-KMeans as a method.
var SeededSpec = method.Spec{
	Name:    "seeded-kmeans",
	Grows:   "entries",
	Summary: "k-means that starts at the means of the known labels",
	About: "k-means whose cluster c starts at the mean of the documents with a label of class c. After the\n" +
		"start the labels have no effect: every document goes to the nearest centre.",
	Reference: "Basu, Banerjee and Mooney 2002, ICML: Seeded-KMeans",
	Cost:      "as kmeans from one start",
	Needs:     method.Needs{Labels: method.Required},
	Yields:    method.Yields{Clusters: true, Naming: method.ClassesFirst},
	Whole:     "kmeans alone divides its documents",
	New:       func() method.Options { return new(SeededOptions) },
	Placer:    func() method.Placer { return new(kmeans.Direct) },
}

// SeededOptions are the options of Seeded-KMeans, whatever Rule they have.
type SeededOptions struct {
	Options `flags:"*"`
}

// Fit implements method.Options.
func (o *SeededOptions) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	opt := o.Options
	opt.Rule = Seeded
	out, err := opt.Fit(ctx, in)
	if out != nil {
		out.Used = &SeededOptions{*out.Used.(*Options)}
	}
	return out, err
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used, k, classes := *o, in.Clusters, len(in.Given.Names)
	k = cmp.Or(k, classes)
	if k < classes {
		return nil, invalid.Errorf("‹clusters› %d is less than the %s of the known labels, each of which is a cluster: give at least %d", k, words.Plural(classes, "class", "classes"), classes)
	}
	if k == classes {
		if o.Restarts > 1 {
			return nil, invalid.Errorf("‹restarts› has no effect if the known labels start every cluster: leave it out, or give more ‹clusters›")
		}
		used.Restarts = 1 // labels start every cluster
	}
	opt := used
	opt.Seed, opt.Observer = in.Seed, in.Observer
	defer in.Stage("kmeans")()
	m, err := Fit(ctx, in.X, in.Given.Labels, k, opt)
	out := &method.Fitted{Used: &used}
	if m != nil {
		out.Model, out.Clusters, out.Placer = m, Found(m, opt.Rule, in.Given), new(kmeans.Direct)
	}
	return out, err
}

// Found are the clusters of a k-means that labels started, as a method's result.
func Found(m *kmeans.Model, rule Rule, given *method.Given) *method.Clusters {
	stay, names := ", which stay in them", given.ClassNames(len(m.Sizes))
	if rule == Seeded {
		stay, names = "", named(m, given)
	}
	return &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
		Classes: names,
		How:     fmt.Sprintf("%s started by the known labels%s, objective %.6g", words.Counted(len(m.Sizes), "cluster"), stay, m.Objective)}
}

// named gives each class to the cluster with most of its labels, the one that it started on a tie,
// if the cluster has no more labels of another class. Seeded clusters may leave the labels that
// started them.
func named(m *kmeans.Model, given *method.Given) []string {
	k, classes := len(m.Sizes), len(given.Names)
	count := make([][]int, k)
	for c := range count {
		count[c] = make([]int, classes)
	}
	for i, class := range given.Labels {
		if class >= 0 {
			count[m.Labels[i]][class]++
		}
	}
	names := make([]string, k)
	for class, name := range given.Names {
		most := class
		for c := range count {
			if count[c][class] > count[most][class] {
				most = c
			}
		}
		if own := count[most][class]; own == slices.Max(count[most]) && own > 0 && names[most] == "" {
			names[most] = name
		}
	}
	return names
}
