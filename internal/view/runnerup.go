package view

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
)

// runnerUpText says how far the runner-up of a clustering of n documents is from it.
func runnerUpText(v *result.RunnerUp, n int) string {
	text := fmt.Sprintf("%s smaller clusters merged to %d: ", words.Thousands(v.MergedFrom), len(v.Clusters))
	if v.Elsewhere == 0 {
		return text + "the same clusters"
	}
	return text + fmt.Sprintf("%s of %s in another cluster (ARI %.2f)", words.Thousands(v.Elsewhere), words.Counted(n, "document"), v.ARI)
}

// runnerUpPart is the table of the runner-up on the page.
func runnerUpPart(r *result.Run, p *report.Page) {
	v := r.RunnerUp
	if v == nil || v.Elsewhere == 0 {
		return
	}
	p.RunnerUp = &report.RunnerUp{Text: fmt.Sprintf("The same documents can be divided in another way: %d smaller clusters, of which those were merged "+
		"between which the graph has most edges, whatever their sizes, until %d were left. There %s of %s are in another cluster "+
		"(adjusted Rand index %.2f: 1 for the same clusters, about 0 for two divisions by chance).",
		v.MergedFrom, len(v.Clusters), words.Thousands(v.Elsewhere), words.Counted(r.Corpus.Len(), "document"), v.ARI)}
	if v.Scores != nil {
		p.RunnerUp.Text += fmt.Sprintf(" Its accuracy is %.3f and its NMI %.3f.", v.Scores.Accuracy, v.Scores.NMI)
	}
	for c, k := range v.Clusters {
		row := report.RunnerUpRow{Number: c, Size: k.Size, Terms: termsOr(k.Terms, k.Without)}
		for _, part := range k.Of {
			row.Of = append(row.Of, report.RunnerUpOf{Number: part.Cluster, Size: part.Size})
		}
		p.RunnerUp.Rows = append(p.RunnerUp.Rows, row)
	}
}

// runnerUpField is the column of the page by which the map shows the runner-up; nil without one.
// Words with the first terms of a cluster make the column one of groups, not of numbers. Each has
// the colour of the run's cluster of its number, so that the map changes where documents do.
func runnerUpField(r *result.Run) *report.Field {
	v := r.RunnerUp
	if v == nil || v.Elsewhere == 0 {
		return nil
	}
	names := make([]string, len(v.Clusters))
	for c, k := range v.Clusters {
		terms := termsOr(k.Terms, k.Without)
		names[c] = strings.TrimSuffix(fmt.Sprintf("%d: %s", c, strings.Join(terms[:min(3, len(terms))], ", ")), " ")
	}
	of := make([]int32, len(v.Labels))
	for i, c := range v.Labels {
		of[i] = int32(c)
	}
	f := report.NewField("runner-up", names, of)
	if f == nil {
		return nil
	}
	f.Colors, f.Terms = make([]int, len(f.Names)), make([][]string, len(f.Names))
	for i, name := range f.Of {
		if name >= 0 {
			f.Colors[name], f.Terms[name] = v.Labels[i], termsOr(v.Clusters[v.Labels[i]].Terms, v.Clusters[v.Labels[i]].Without)
		}
	}
	if f.Other {
		f.Colors[len(f.Names)-1], f.Terms[len(f.Names)-1] = -1, nil
	}
	return f
}
