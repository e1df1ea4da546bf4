package result

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/progress"
)

// levelTermCount is how many terms describe a cluster of a level.
const levelTermCount = 10

// Level is the clustering of a run with another number of clusters: fewer by mergers of its
// clusters, or more by divisions of them.
type Level struct {
	K        int            `json:"k"`
	Clusters []LevelCluster `json:"clusters"`

	of []int // the cluster of each leaf of the tree
}

// LevelCluster is a cluster of a level. Clusters are numbered by falling size, where equal
// documents count once; the level of the run's own number of clusters has the run's clusters under
// their own numbers.
type LevelCluster struct {
	Size int `json:"size"`
	// Within is the cluster of the level before in the list that this one is a part of, -1 in the
	// first level.
	Within int `json:"within"`
	// Inside is the share of the weight of the documents' edges in the graph that stays in the
	// cluster.
	Inside float64 `json:"inside"`
	// Terms distinguish the cluster from the others of the level, the best first.
	Terms []string `json:"terms,omitempty"`
	// Differences are the columns of Terms, of measurements.
	Differences []Difference `json:"differences,omitempty"`
	// Without is as in [Group].
	Without string `json:"without,omitempty"`
}

// Said are the terms of the cluster in one text, or that its documents have none.
func (c LevelCluster) Said() string {
	return cmp.Or(c.Without, Said(c.Terms, c.Differences, len(c.Terms)))
}

// FindLevels sets [Run.Levels] as Options.Levels asks, if it is nil: clusters that are merged two
// by two by the graph of the run, and divided by the communities of the edges inside them (package
// methods/leiden). Where there can be no levels, a note says why. Errors: the context's.
func (r *Run) FindLevels(ctx context.Context) error {
	j := r.J
	if r.Levels != nil || len(j.Levels) == 0 || r.Fitted == nil || r.Found == nil {
		return nil
	}
	if r.Divided() {
		if r.Drawn == nil {
			j.Note("There are no levels: no rank has the graph of all documents")
		}
		return nil
	}
	defer r.lateStage("levels")()
	ctx = ranks.With(memory.Bound(ctx, j.MaxBytes), ranks.Alone{})
	w, _, err := r.mapGraph(ctx)
	var why string
	switch {
	case err != nil:
		why = err.Error()
	case w == nil:
		why = "the run has neither coordinates nor documents to find neighbours among"
	case slices.ContainsFunc(w.Val, func(v float64) bool { return v < 0 }):
		why = "the affinity has negative entries"
	default:
		own := r.Found.Labels
		if r.HasCopies() {
			own = labels.Pick(own, j.Whole.Groups.First)
		}
		if r.tree, err = leiden.FindTree(ctx, w, own, j.Seed, progress.Observer(j.Observe)); err == nil {
			err = r.takeLevels(ctx)
		} else {
			why = err.Error()
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if why != "" {
		j.Note("There are no levels: " + strings.TrimSuffix(why, "."))
		return nil
	}
	return err
}

// takeLevels makes the levels that were asked for of the tree.
func (r *Run) takeLevels(ctx context.Context) error {
	var beyond []string
	var list []int
	for _, text := range r.J.Levels {
		k, err := strconv.Atoi(text)
		switch {
		case err != nil: // every level
			for k := 2; k <= r.tree.Most(); k++ {
				list = append(list, k)
			}
		case k > r.tree.Most():
			beyond = append(beyond, text)
		default:
			list = append(list, k)
		}
	}
	if beyond != nil {
		r.J.Note(fmt.Sprintf("There is no level of %s clusters: the finest has %s", words.Few(beyond, 3), words.Thousands(r.tree.Most())))
	}
	slices.Sort(list)
	for at, k := range slices.Compact(list) {
		if err := ctx.Err(); err != nil {
			return err
		}
		found := r.tree.At(k)
		l := Level{K: k, of: found.Of, Clusters: make([]LevelCluster, len(found.Sizes))}
		labels := r.levelLabels(found.Of)
		for c := range l.Clusters {
			l.Clusters[c] = LevelCluster{Within: -1, Inside: found.Inside[c]}
		}
		for _, c := range labels {
			if c != Rejected {
				l.Clusters[c].Size++
			}
		}
		for leaf, c := range found.Of {
			if at > 0 {
				l.Clusters[c].Within = r.Levels[at-1].of[leaf]
			}
		}
		if !r.J.Share.Divided() { // else all ranks find the terms
			l.describe(r.levelTerms(labels, len(l.Clusters)), r.withoutTerms(labels, len(l.Clusters)))
		}
		r.Levels = append(r.Levels, l)
	}
	return nil
}

// levelTerms are the terms of the clusters of a level, of which there are so many; nil if documents
// have none. labels are the clusters of all documents of the result; ranks find the terms together.
func (r *Run) levelTerms(labels []int, clusters int) [][]corpus.TermWeight {
	if !r.HasTerms() {
		return nil
	}
	return r.J.Weighed().TopTerms(r.weighedLabels(labels), clusters, levelTermCount)
}

// describe gives the clusters their terms, and says which have none.
func (l *Level) describe(terms [][]corpus.TermWeight, without []string) {
	for c, w := range without {
		l.Clusters[c].Without = w
	}
	for c, list := range terms {
		l.Clusters[c].Terms, l.Clusters[c].Differences = namesOf(list), differences(list)
	}
}

// namesOf are the terms of a list without their weights; columns of measurements with "high" or
// "low".
func namesOf(list []corpus.TermWeight) (names []string) {
	for _, t := range list {
		names = append(names, t.String())
	}
	return names
}

// levelLabels are the clusters of all documents of the result; of is the cluster of each leaf.
func (r *Run) levelLabels(of []int) []int {
	labels := make([]int, len(r.Labels))
	for i := range labels {
		labels[i] = r.AtLevel(of, i)
	}
	return labels
}

// AtLevel is the cluster of document i; of is the cluster of each leaf. A document that is in no
// cluster of the run is in none of a level.
func (r *Run) AtLevel(of []int, i int) int {
	if r.Labels[i] == Rejected {
		return Rejected
	}
	return of[r.LeafOf(i)]
}

// LeavesAt is the cluster of each leaf of the tree at level number at of Levels.
func (r *Run) LeavesAt(at int) []int { return r.Levels[at].of }

// LeafOf is the leaf of the tree that document i is in.
func (r *Run) LeafOf(i int) int {
	return r.tree.Leaf[r.distinctOf(i)]
}
