package streaming

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
)

// describe describes the clusters of all documents, and scores them.
func (w *placing) describe() error {
	s, j := w.of, w.of.Run.J
	all := &w.tally
	s.Total.Sizes, s.Total.Isolated, s.Total.Known, s.Total.Novel, s.Total.Rejected, s.Total.Scored = all.Sizes, all.Isolated, all.Known, all.Novel, all.Rejected, all.Scored
	t, err := all.Cells.Table()
	if err != nil {
		return err
	}
	s.Total.Clusters = slices.Clone(s.Run.Clusters)
	for k := range s.Total.Clusters {
		c := &s.Total.Clusters[k]
		c.Size, c.Major, c.MajorCount, c.Labelled = s.Total.Sizes[k], "", 0, 0
		for class, name := range s.contents.ClassNames {
			n := all.Cells[[2]int{class, k}]
			if c.Labelled += n; n > c.MajorCount {
				c.Major, c.MajorCount = name, n
			}
		}
	}
	if t != nil {
		s.Total.Scores = result.ScoresAs(t, s.Run.Classes, s.contents.ClassNames, j.Prior.Names)
	}
	return nil
}

// note says what became of all documents.
func (w *placing) note() {
	s, j := w.of, w.of.Run.J
	all := words.Counted(s.Total.Documents, "document")
	if s.Total.Isolated > 0 {
		j.Warn(fmt.Sprintf("Without anything in common with the sample, so that their places and clusters are arbitrary: %s of %s. A larger ‹%s› has more terms.", words.Thousands(s.Total.Isolated), all, job.FitOnKey))
	}
	if w.tally.Measured && 10*s.Total.Novel > s.Total.Documents {
		j.Warn(fmt.Sprintf("Documents that may be of none of the clusters: %s of %s %s than %g %% of the sample are from theirs. A larger ‹%s› may have their clusters.", words.Thousands(s.Total.Novel), all, predicting.Farther(s.Total.Novel), 100*predicting.Novel, job.FitOnKey))
	}
	if s.Total.Rejected > 0 {
		j.Note(fmt.Sprintf("Documents of a confidence below %.3g, which are left in no cluster (-1): %s of %s.", s.Run.RejectBelow, words.Thousands(s.Total.Rejected), all))
	}
}
