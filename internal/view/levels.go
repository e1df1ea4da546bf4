package view

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
)

// pageLevels are the levels that the report shows: all of a few, and of many some whose numbers
// grow by equal factors.
func pageLevels(r *result.Run) []report.Level {
	var list []report.Level
	next, last := 0.0, len(r.Levels)-1
	grow := 1.0
	if last >= report.MaxLevels {
		grow = math.Pow(float64(r.Levels[last].K)/float64(r.Levels[0].K), 1/float64(report.MaxLevels-1))
	}
	for at, l := range r.Levels {
		if float64(l.K) < next-1e-9 && at < last || len(list) == report.MaxLevels {
			continue
		}
		next = float64(l.K) * grow
		level := report.Level{Of: r.LeavesAt(at)}
		for _, c := range l.Clusters {
			level.Clusters = append(level.Clusters, report.LevelCluster{Size: c.Size, Terms: termsOr(c.Terms, c.Without)})
		}
		list = append(list, level)
	}
	return list
}

// termsOr are the terms that stand for a cluster on the page, or without, which says that there are
// none.
func termsOr(terms []string, without string) []string {
	if without != "" {
		return []string{without}
	}
	return terms
}

// levelsText says how many documents the clusters of the levels have.
func levelsText(r *result.Run) string {
	var list []string
	for _, l := range r.Levels {
		least, most := l.Clusters[0].Size, 0
		for _, c := range l.Clusters {
			least, most = min(least, c.Size), max(most, c.Size)
		}
		list = append(list, fmt.Sprintf("%d (%s to %s)", l.K, words.Thousands(least), words.Counted(most, "document")))
	}
	return words.Few(list, 4)
}
