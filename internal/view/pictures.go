package view

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
)

// draw makes the pictures: the documents by cluster, and by class if there are labels.
func draw(ctx context.Context, r *result.Run, at *plane) (*report.Pictures, error) {
	p := new(report.Pictures)
	if at == nil {
		return p, nil
	}
	p.Note = at.note
	if n := r.Corpus.Len(); n > report.MaxPoints {
		p.Sampled = fmt.Sprintf("%s of %s documents are drawn here, a random sample that is the same at every run.", words.Thousands(report.MaxPoints), words.Thousands(n))
	}
	panels := []report.Panel{{Title: "by cluster", X: at.x, Y: at.y, Group: r.Labels, Names: clusterNames(r)}}
	if r.Table != nil {
		panels = append(panels, report.Panel{Title: "by class", X: at.x, Y: at.y, Group: r.Corpus.Labels,
			Names: r.Corpus.ClassNames, Color: classColors(r)})
	}
	each, all, err := report.Scatter(ctx, panels...)
	if err != nil {
		return nil, err
	}
	if p.ByCluster, p.All = each[0], all; len(each) > 1 {
		p.ByClass = each[1]
	}
	return p, nil
}

// clusterNames are for the legend: the number, and the first terms or the majority class.
func clusterNames(r *result.Run) []string {
	names := make([]string, len(r.Clusters))
	for i, k := range r.Clusters {
		names[i] = fmt.Sprintf("%2d", k.Number)
		switch {
		case k.Said(3) != "":
			names[i] += "  " + k.Said(3)
		case k.Major != "":
			names[i] += "  mostly " + k.Major
		}
	}
	return names
}

// classColors gives a class the colour of the cluster assigned to it, so that the two pictures can
// be compared; classes without one get colours that no cluster has.
func classColors(r *result.Run) []int {
	colors := slices.Repeat([]int{-1}, len(r.Corpus.ClassNames))
	for col, row := range r.Table.Assignment() {
		if row >= 0 {
			colors[r.Table.Classes[row]] = r.Table.Clusters[col]
		}
	}
	next := len(r.Clusters)
	for i, col := range colors {
		if col < 0 {
			colors[i] = next
			next++
		}
	}
	return colors
}
