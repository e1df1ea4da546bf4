package result

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// scoresOf returns the scores of a table of the corpus's classes against the clusters.
func (r *Run) scoresOf(t *metrics.Table) *metrics.Scores {
	return ScoresAs(t, r.Classes, r.Corpus.ClassNames, r.J.Prior.Names)
}

// ScoresAs are the scores of a table of classes against clusters. If clusters are named, all after
// classes of the table's, accuracy and macro-F1 go by these names. A cluster without a name is
// matched with a class of which no label was known; of any other class its documents are wrong. of
// are the names of the clusters, "" for one without, nil for none; known are the classes with known
// labels.
func ScoresAs(t *metrics.Table, of, classes, known []string) *metrics.Scores {
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
