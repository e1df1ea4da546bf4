package result

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
)

// An island is a cluster of leastIsland documents at least, of which more than four in five have a
// known label, where one document in ten has one at most.
const (
	leastIsland  = 10
	islandShare  = 0.8
	fewLabelled  = 0.1
	shownIslands = 4
)

// noteIslands warns of clusters that hold hardly any documents but labelled ones: the labels drew
// these together and away from the other documents of their class.
func (r *Run) noteIslands() {
	g := &r.J.Prior
	if g.Labels == nil || float64(g.Count) > fewLabelled*float64(len(r.Labels)) {
		return
	}
	labelled := make([]int, len(r.Sizes))
	for i, class := range g.Labels {
		if class >= 0 && r.Labels[i] >= 0 {
			labelled[r.Labels[i]]++
		}
	}
	var list []string
	for c, size := range r.Sizes {
		if size >= leastIsland && float64(labelled[c]) > islandShare*float64(size) {
			list = append(list, fmt.Sprintf("%d (%s of %s)", c, words.Thousands(labelled[c]), words.Thousands(size)))
		}
	}
	if len(list) == 0 {
		return
	}
	way, retry := "another method, such as semi-ldc,", ""
	for _, f := range r.J.Fields() {
		if f.Name == "normalize-rows" && f.String() != "true" {
			way, retry = "‹normalize-rows› or "+way, "normalize-rows=true"
		}
	}
	r.J.Advise(progress.Warning, retry, fmt.Sprintf("Clusters of labelled documents, which the labels part from the others of their class: %s; %s may keep them together", words.Few(list, shownIslands), way))
}
