package result

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
)

// Score compares with the labels and finds the majority class and the terms of each cluster.
func (r *Run) Score(ctx context.Context) error {
	defer r.J.Stage("metrics")()
	if err := r.scoreTruth(); err != nil {
		return err
	}
	r.noteUnrelated()
	r.compareWithGiven()
	r.noteIslands()
	r.noteRepeated()
	r.noteLargest()
	if err := r.DescribeClusters(); err != nil {
		return err
	}
	if err := r.findOverTime(); err != nil {
		return err
	}
	if r.J.X == nil {
		return nil
	}
	if r.J.InMemory || r.J.Share.Divided() { // ranks find terms together, and none leaves the others
		ctx = context.WithoutCancel(ctx)
	}
	found, err := job.Await(ctx, func() (*termsFound, error) { return r.findTerms(), nil })
	if err != nil {
		return err
	}
	r.keepTerms(found)
	r.nameEmpty()
	return nil
}

// scoreTruth compares with the true labels, on all documents and on those whose labels were not
// given.
func (r *Run) scoreTruth() error {
	c := r.Corpus
	if c.Labels == nil || !slices.ContainsFunc(c.Labels, func(l int) bool { return l >= 0 }) {
		return nil
	}
	truth := slices.Clone(c.Labels)
	for i, k := range r.Labels {
		if k == Rejected {
			truth[i] = labels.Unknown
		}
	}
	scored := 0
	for _, k := range truth {
		if k >= 0 {
			scored++
		}
	}
	var t *metrics.Table
	var err error
	if scored > 0 {
		if t, err = metrics.NewTable(truth, r.Labels); err != nil {
			return err
		}
	}
	r.ScoreTable(t, scored)
	if r.J.Prior.Labels == nil || t == nil {
		return nil
	}
	for i, k := range r.J.Prior.Labels {
		if k >= 0 {
			truth[i] = labels.Unknown
		} else if truth[i] >= 0 {
			r.RestSize++
		}
	}
	if r.RestSize == 0 {
		r.J.Note("Every document with a true label was given one, so the scores show how well the labels were kept, not how well others were found.")
		return nil
	}
	if r.rest, err = metrics.NewTable(truth, r.Labels); err == nil {
		r.Unlabeled = r.scoresOf(r.rest)
	}
	return err
}

// ScoreTable compares clusters with true labels by a table of both, nil of no document that has
// both; scored is the number of those that do.
func (r *Run) ScoreTable(t *metrics.Table, scored int) {
	r.Table, r.Scored = t, scored
	if t == nil {
		r.J.Note("No document with a true label is in a cluster, so there are no scores.")
		return
	}
	r.Scores = r.scoresOf(t)
	r.noteMatch(t)
	if _, unlabelled := r.Corpus.ClassSizes(); unlabelled > 0 {
		r.J.Note("The scores and the majority classes rest on " + r.ScoredOf() + " documents; the others have no true label.")
	}
}

// DescribeClusters counts each cluster and finds its majority class.
func (r *Run) DescribeClusters() error {
	majority, names := r.Table, r.Corpus.ClassNames
	if r.Table == nil && r.J.Prior.Labels != nil {
		given := slices.Clone(r.J.Prior.Labels)
		for i, k := range r.Labels {
			if k == Rejected {
				given[i] = labels.Unknown
			}
		}
		if slices.ContainsFunc(given, func(k int) bool { return k >= 0 }) {
			t, err := metrics.NewTable(given, r.Labels)
			if err != nil {
				return err
			}
			majority, names = t, r.J.Prior.Names
		}
	}
	r.Clusters = make([]Group, len(r.Sizes))
	for i, size := range r.Sizes {
		r.Clusters[i] = Group{Number: i, Size: size}
		if r.Classes != nil {
			r.Clusters[i].Class = r.Classes[i]
		}
	}
	if majority == nil {
		return nil
	}
	for col, cluster := range majority.Clusters {
		best, labelled := 0, 0
		for row, counts := range majority.Counts {
			labelled += counts[col]
			if counts[col] > majority.Counts[best][col] {
				best = row
			}
		}
		k := &r.Clusters[cluster]
		k.Major, k.MajorCount, k.Labelled = names[majority.Classes[best]], majority.Counts[best][col], labelled
	}
	return nil
}

// ScoredOf is "2 labelled of 1,080".
func (r *Run) ScoredOf() string {
	return words.Thousands(r.Scored) + " labelled of " + words.Thousands(r.Corpus.Len())
}

// AllScored says whether every document has a true label.
func (r *Run) AllScored() bool { return r.Scored == r.Corpus.Len() }

// UnlabeledSize is the number of documents that Unlabeled rests on.
func (r *Run) UnlabeledSize() int { return r.RestSize }

// MajorityHead is the heading of the column of majority classes; "" if there are none.
func (r *Run) MajorityHead() string {
	switch {
	case r.Table == nil && r.J.Prior.Labels == nil:
		return ""
	case r.Table == nil:
		return "majority class (of known labels)"
	case r.Scored < r.Corpus.Len():
		return "majority class (of labelled)"
	}
	return "majority class"
}

// HasTerms says whether the clusters have terms with names, from the corpus or from the model.
func (r *Run) HasTerms() bool {
	return r.Corpus.Terms != nil && r.J.X != nil || slices.ContainsFunc(r.Clusters, HasTerms)
}

// noteLargest notes a cluster of more than half of the documents, if there are three clusters or
// more and no true class is as large, and what usually helps.
func (r *Run) noteLargest() {
	if len(r.Sizes) < 3 || r.Command == "predict" { // new documents need not be of all clusters
		return
	}
	n, size := len(r.Labels), slices.Max(r.Sizes)
	if 2*size <= n {
		return
	}
	if classes, _ := r.Corpus.ClassSizes(); len(classes) > 0 && 2*slices.Max(classes) > n {
		return
	}
	var ways []string
	retry := ""
	if f := r.J.Field("normalize-rows"); f != nil && f.String() != "true" {
		ways, retry = append(ways, "‹normalize-rows›"), "normalize-rows=true"
	}
	if r.Corpus.Terms != nil && !corpus.NeedsColumnWeights(r.J.Weighting) && !r.J.Spec.Needs.Counts {
		ways, retry = append(ways, "‹weighting› hellinger"), cmp.Or(retry, "weighting=hellinger")
	}
	if f := r.J.Field("neighbors"); f != nil && r.J.Affinity == nil {
		ways = append(ways, "other ‹neighbors›")
	}
	others := slices.DeleteFunc([]string{"nmf", "plsa", "isomap", "lsi"}, func(name string) bool { return name == r.J.Spec.Name })
	ways = append(ways, fmt.Sprintf("another ‹method› such as %s, %s or %s", others[0], others[1], others[2]))
	r.J.Advise(progress.Note, retry, fmt.Sprintf("Cluster %d has %s of the documents; what usually helps: %s", slices.Index(r.Sizes, size), words.Percent(size, n), strings.Join(ways, ", or ")))
}
