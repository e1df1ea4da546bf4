package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// scoresPart is the comparison with the true labels.
func scoresPart(r *result.Run, p *report.Page) {
	p.MajorityHead = r.MajorityHead()
	if r.Table == nil {
		return
	}
	p.Scores = ScoreFacts(*r.Scores)
	if !r.AllScored() {
		p.ScoredOn = "Scored on " + r.ScoredOf() + " documents."
	}
	if r.Unlabeled != nil {
		parts := []string{}
		for _, f := range ScoreFacts(*r.Unlabeled) {
			parts = append(parts, f.Name+" "+f.Value)
		}
		p.ScoredOn = strings.TrimSpace(p.ScoredOn + fmt.Sprintf(" On the %s whose labels were not given: %s.", words.Counted(r.RestSize, "document"), strings.Join(parts, ", ")))
	}
	for _, k := range r.Table.Classes {
		p.Classes = append(p.Classes, r.Corpus.ClassNames[k])
	}
	p.TableClusters, p.Table = slices.Clone(r.Table.Clusters), r.Table.Counts
}

// Fact is a name and its value, both formatted for display.
type Fact = report.Fact

// ScoreFacts returns the scores by name, each with four decimals.
func ScoreFacts(s metrics.Scores) []Fact {
	f := func(name string, v float64) report.Fact {
		return report.Fact{Name: name, Value: fmt.Sprintf("%.4f", v)}
	}
	return []report.Fact{f("accuracy", s.Accuracy), f("NMI", s.NMI), f("ARI", s.ARI), f("FMI", s.FMI),
		f("purity", s.Purity), f("F", s.FMeasure), f("macro-F1", s.MacroF1)}
}
