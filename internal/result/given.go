package result

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
)

// compareWithGiven notes where the clusters do not keep the labels or constraints given.
func (r *Run) compareWithGiven() {
	g := &r.J.Prior
	r.J.CountBroken(r.Labels)
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
		together[most] = append(together[most], words.ClipMiddle(name, 24))
	}
	way := "more of them may part the classes"
	if r.J.KMeans.Init != request.InitLabels && k == len(g.Names) {
		way = "more of them, or ‹init› labels, may part the classes"
	}
	for cluster, names := range together {
		if len(names) < 2 {
			continue
		}
		r.J.Note(fmt.Sprintf("The documents given the labels %s are in one cluster, %d: k-means on the coordinates is free to; %s", words.Few(names, 6), cluster, way))
	}
}

// compareWithClasses notes which known labels a method did not keep whose clusters are their
// classes.
func (r *Run) compareWithClasses() {
	g, differ, first := &r.J.Prior, 0, 0
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
	r.J.Note(fmt.Sprintf("%s not the class that was given; the first is %s, given %s and found in %s", words.Plural(differ, "document with a label has", "documents with a label have"),
		words.Name(r.Corpus.ID(first)), words.Clip(g.Names[g.Labels[first]], 24), words.Clip(other, 24)))
}
