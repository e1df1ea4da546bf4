package streaming

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// count adds what a block says of all documents.
func (w *placing) count(b *placedBlock) {
	t := &w.of.Total
	for k, n := range b.Sizes {
		t.Sizes[k] += n
	}
	t.Isolated += b.Isolated
	t.Known += b.Known
	t.Novel += b.Novel
	t.Rejected += b.Rejected
	t.Scored += b.Scored
	for class, counts := range b.Counts {
		for k, n := range counts {
			w.counts[class][k] += n
		}
	}
}

// describe describes the clusters of all documents, and scores them.
func (w *placing) describe() {
	s, j := w.of, w.of.Run.J
	s.Total.Clusters = slices.Clone(s.Run.Clusters)
	for k := range s.Total.Clusters {
		c := &s.Total.Clusters[k]
		c.Size, c.Major, c.MajorCount, c.Labelled = s.Total.Sizes[k], "", 0, 0
		for class, counts := range w.counts {
			c.Labelled += counts[k]
			if counts[k] > c.MajorCount {
				c.Major, c.MajorCount = s.contents.ClassNames[class], counts[k]
			}
		}
	}
	if t := tableOf(w.counts); t != nil {
		s.Total.Scores = result.ScoresAs(t, s.Run.Classes, s.contents.ClassNames, j.Prior.Names)
	}
}

// note says what became of all documents.
func (w *placing) note() {
	s, j := w.of, w.of.Run.J
	all := words.Counted(s.Total.Documents, "document")
	if s.Total.Isolated > 0 {
		j.Warn(fmt.Sprintf("Without anything in common with the sample, so that their places and clusters are arbitrary: %s of %s. A larger ‹%s› has more terms.", words.Thousands(s.Total.Isolated), all, job.FitOnKey))
	}
	if s.measured && 10*s.Total.Novel > s.Total.Documents {
		j.Warn(fmt.Sprintf("Documents that may be of none of the clusters: %s of %s are farther from their cluster than %g %% of the sample are from theirs. A larger ‹%s› may have their clusters.", words.Thousands(s.Total.Novel), all, 100*predicting.Novel, job.FitOnKey))
	}
	if s.Total.Rejected > 0 {
		j.Note(fmt.Sprintf("Documents of a confidence below %.3g, which are left in no cluster (-1): %s of %s.", s.Run.RejectBelow, words.Thousands(s.Total.Rejected), all))
	}
}

// tableOf is the table of classes and clusters that have a document in common; nil without any.
func tableOf(counts [][]int) *metrics.Table {
	t := new(metrics.Table)
	for class, row := range counts {
		if slices.Max(row) > 0 {
			t.Classes = append(t.Classes, class)
		}
		for k, n := range row {
			if n > 0 && !slices.Contains(t.Clusters, k) {
				t.Clusters = append(t.Clusters, k)
			}
		}
	}
	if t.Classes == nil {
		return nil
	}
	slices.Sort(t.Clusters)
	for _, class := range t.Classes {
		t.Counts = append(t.Counts, job.Pick(counts[class], t.Clusters))
	}
	return t
}
