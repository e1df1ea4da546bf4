package eigenmap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// score compares with the labels and finds the majority class and the terms of each cluster.
func (r *Run) score(ctx context.Context) error {
	defer r.j.Stage("metrics")()
	if err := r.scoreTruth(); err != nil {
		return err
	}
	r.compareWithGiven()
	r.noteIslands()
	r.noteLargest()
	if err := r.describeClusters(); err != nil {
		return err
	}
	if err := r.findOverTime(); err != nil {
		return err
	}
	if r.j.X == nil {
		return nil
	}
	if r.j.InMemory {
		ctx = context.WithoutCancel(ctx)
	}
	found, err := job.Await(ctx, func() (*termsFound, error) { return r.findTerms(), nil })
	if err != nil {
		return err
	}
	r.keepTerms(found)
	return nil
}

// scoreTruth compares with the true labels, on all documents and on those whose labels were not
// given.
func (r *Run) scoreTruth() error {
	c := r.Corpus
	if c.Labels == nil || !slices.ContainsFunc(c.Labels, func(l int) bool { return l >= 0 }) {
		return nil
	}
	var err error
	truth := slices.Clone(c.Labels)
	for i, k := range r.Labels {
		if k == Rejected {
			truth[i] = labels.Unknown
		}
	}
	for _, k := range truth {
		if k >= 0 {
			r.scored++
		}
	}
	if r.scored == 0 {
		r.j.Note("No document with a true label is in a cluster, so there are no scores.")
		return nil
	}
	if r.table, err = metrics.NewTable(truth, r.Labels); err != nil {
		return err
	}
	r.Scores = r.scoresOf(r.table)
	if _, unlabelled := c.ClassSizes(); unlabelled > 0 {
		r.j.Note("The scores and the majority classes rest on " + r.ScoredOf() + " documents; the others have no true label.")
	}
	if r.j.Prior.Labels == nil {
		return nil
	}
	for i, k := range r.j.Prior.Labels {
		if k >= 0 {
			truth[i] = labels.Unknown
		} else if truth[i] >= 0 {
			r.restSize++
		}
	}
	if r.restSize == 0 {
		r.j.Note("Every document with a true label was given one, so the scores show how well the labels were kept, not how well others were found.")
		return nil
	}
	if r.rest, err = metrics.NewTable(truth, r.Labels); err == nil {
		r.Unlabeled = r.scoresOf(r.rest)
	}
	return err
}

// describeClusters counts each cluster and finds its majority class.
func (r *Run) describeClusters() error {
	majority, names := r.table, r.Corpus.ClassNames
	if r.table == nil && r.j.Prior.Labels != nil {
		given := slices.Clone(r.j.Prior.Labels)
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
			majority, names = t, r.j.Prior.Names
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

// scoresOf returns the scores of a table of the corpus's classes against the clusters.
func (r *Run) scoresOf(t *metrics.Table) *metrics.Scores {
	return scoresAs(t, r.Classes, r.Corpus.ClassNames, r.j.Prior.Names)
}

// scoresAs are the scores of a table of classes against clusters. If clusters are named, all after
// classes of the table's, accuracy and macro-F1 go by these names. A cluster without a name is
// matched with a class of which no label was known; of any other class its documents are wrong. of
// are the names of the clusters, "" for one without, nil for none; known are the classes with known
// labels.
func scoresAs(t *metrics.Table, of, classes, known []string) *metrics.Scores {
	named := slices.ContainsFunc(of, func(name string) bool { return name != "" }) &&
		!slices.ContainsFunc(of, func(name string) bool { return name != "" && !slices.Contains(classes, name) })
	if !named {
		s := t.Scores()
		return &s
	}
	free := &metrics.Table{} // the classes without a known label against the clusters without a name
	var rows, cols []int     // of free, in t
	for j, cluster := range t.Clusters {
		if of[cluster] == "" {
			free.Clusters, cols = append(free.Clusters, cluster), append(cols, j)
		}
	}
	for i, class := range t.Classes {
		if slices.Contains(known, classes[class]) {
			continue
		}
		free.Classes, rows = append(free.Classes, class), append(rows, i)
		free.Counts = append(free.Counts, job.Pick(t.Counts[i], cols))
	}
	to := make([]int, len(t.Clusters))
	for j, cluster := range t.Clusters {
		to[j] = slices.IndexFunc(t.Classes, func(class int) bool { return classes[class] == of[cluster] })
	}
	if len(cols) > 0 {
		for k, row := range free.Assignment() {
			if row >= 0 {
				to[cols[k]] = rows[row]
			}
		}
	}
	s := t.ScoresAs(to)
	return &s
}

// ScoredOf is "2 labelled of 1,080".
func (r *Run) ScoredOf() string {
	return words.Thousands(r.scored) + " labelled of " + words.Thousands(r.Corpus.Len())
}

// AllScored says whether every document has a true label.
func (r *Run) AllScored() bool { return r.scored == r.Corpus.Len() }

// UnlabeledSize is the number of documents that Unlabeled rests on.
func (r *Run) UnlabeledSize() int { return r.restSize }

// MajorityHead is the heading of the column of majority classes; "" if there are none.
func (r *Run) MajorityHead() string {
	switch {
	case r.table == nil && r.j.Prior.Labels == nil:
		return ""
	case r.table == nil:
		return "majority class (of known labels)"
	case r.scored < r.Corpus.Len():
		return "majority class (of labelled)"
	}
	return "majority class"
}

// HasTerms says whether the clusters have terms with names, from the corpus or from the model.
func (r *Run) HasTerms() bool {
	return r.Corpus.Terms != nil && r.j.X != nil || slices.ContainsFunc(r.Clusters, hasTerms)
}

// noteLargest notes a cluster of more than half of the documents, if there are three clusters or
// more and no true class is as large, and what usually helps.
func (r *Run) noteLargest() {
	if len(r.Sizes) < 3 || r.command == "predict" { // new documents need not be of all clusters
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
	if f := option.Find(r.j.Fields(), "normalize-rows"); f != nil && f.String() != "true" {
		ways = append(ways, "‹normalize-rows›")
	}
	if r.Corpus.Terms != nil && !corpus.NeedsIDF(r.j.Weighting) && !r.j.Spec.Needs.Counts {
		ways = append(ways, "‹weighting› hellinger")
	}
	if f := option.Find(r.j.Fields(), "neighbors"); f != nil && r.j.Affinity == nil {
		ways = append(ways, "other ‹neighbors›")
	}
	ways = append(ways, "another ‹method› such as nmf, plsa or isomap")
	r.j.Note(fmt.Sprintf("Cluster %d has %s of the documents; what usually helps: %s", slices.Index(r.Sizes, size), words.Percent(size, n), strings.Join(ways, ", or ")))
}

// compareWithGiven notes where the clusters do not keep the labels or constraints given.
func (r *Run) compareWithGiven() {
	g := &r.j.Prior
	r.j.CountBroken(r.Labels)
	if g.Labels == nil {
		return
	}
	if r.Classes != nil && !r.byMajority {
		r.compareWithClasses()
		return
	}
	k := len(r.Sizes)
	counts := make([]int, len(g.Names)*k)
	for i, class := range g.Labels {
		if class >= 0 && r.Labels[i] >= 0 {
			counts[class*k+r.Labels[i]]++
		}
	}
	together := make([][]string, k) // classes most of whose labels are in a cluster
	for class, name := range g.Names {
		row := counts[class*k:][:k]
		most := slices.Index(row, slices.Max(row))
		if row[most] == 0 {
			continue // all of them are rejected
		}
		together[most] = append(together[most], words.Clip(name, 24))
	}
	way := "more of them may part the classes"
	if r.j.KMeans.Init != request.InitLabels && k == len(g.Names) {
		way = "more of them, or ‹init› labels, may part the classes"
	}
	for cluster, names := range together {
		if len(names) < 2 {
			continue
		}
		r.j.Note(fmt.Sprintf("The documents given the labels %s are in one cluster, %d: k-means on the coordinates is free to; %s", words.Few(names, 6), cluster, way))
	}
}

// compareWithClasses notes which known labels a method did not keep whose clusters are their
// classes.
func (r *Run) compareWithClasses() {
	g, differ, first := &r.j.Prior, 0, 0
	for i, class := range g.Labels {
		if class >= 0 && r.Labels[i] >= 0 && r.Classes[r.Labels[i]] != g.Names[class] {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ == 0 {
		return
	}
	other := r.Classes[r.Labels[first]]
	if other == "" {
		other = "none of them"
	}
	r.j.Note(fmt.Sprintf("%s not the class that was given; the first is %s, given %s and found in %s", words.Plural(differ, "document with a label has", "documents with a label have"),
		words.Name(r.Corpus.ID(first)), words.Clip(g.Names[g.Labels[first]], 24), words.Clip(other, 24)))
}
