package result

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// runnerUpPart is the share of a cluster of the runner-up from which on a cluster of the run is
// named as a part of it.
const runnerUpPart = 0.1

// RunnerUp is a second answer to the question of a run: as many clusters of the same coordinates,
// merged from twice as many along the edges of the graph ([leiden.Merge]). k-means makes clusters
// of like extent in the coordinates; those that are merged may differ in extent and shape, which is
// nearer to classes of much different sizes. Which of the two is meant, the data do not say:
// docs/studies/default.md has figures.
type RunnerUp struct {
	// MergedFrom is the number of clusters before they were merged.
	MergedFrom int `json:"merged_from"`
	// Elsewhere is the number of documents that are not in the cluster of the same number.
	Elsewhere int `json:"elsewhere"`
	// ARI is the adjusted Rand index of both, 1 where they are the same.
	ARI float64 `json:"ari"`
	// Clusters are its clusters, each with the number of the run's cluster with which it is matched:
	// so many documents as can be are in the cluster of the same number.
	Clusters []RunnerUpCluster `json:"clusters"`
	// Scores compare with the true labels; nil if the corpus has none.
	Scores *metrics.Scores `json:"metrics,omitempty"`
	// Labels is the cluster of each document, [Rejected] for none.
	Labels []int `json:"-"`
}

// RunnerUpCluster is a cluster of the runner-up.
type RunnerUpCluster struct {
	Size int `json:"size"`
	// Terms distinguish it from the others, the best first.
	Terms []string `json:"terms,omitempty"`
	// Differences are the columns of Terms, of measurements.
	Differences []Difference `json:"differences,omitempty"`
	// Without is as in [Group].
	Without string `json:"without,omitempty"`
	// Of are the run's clusters that are a tenth of it or more, the largest part first.
	Of []RunnerUpPart `json:"of"`
}

// RunnerUpPart is how many documents of a cluster of the runner-up are in a cluster of the run.
type RunnerUpPart struct {
	Cluster int `json:"cluster"`
	Size    int `json:"size"`
}

// FindRunnerUp sets [Run.RunnerUp] if it is nil and the run has one. It takes a k-means of twice as
// many clusters and three starts, and what [leiden.Merge] takes. Errors: the context's; where
// k-means fails there is none, and a note says why.
func (r *Run) FindRunnerUp(ctx context.Context) error {
	j := r.J
	if r.RunnerUp != nil || r.Found == nil || r.Embedding == nil || r.Fitted == nil || r.Divided() {
		return nil
	}
	x, g, k := r.distinctEmbedding(), r.ownGraph(), len(r.Sizes)
	if n, _ := x.Dims(); g == nil || !j.HasRunnerUp(n) || slices.ContainsFunc(g.W.Val, func(v float64) bool { return v < 0 }) {
		return nil
	}
	defer r.lateStage("runner-up")()
	ctx = ranks.With(memory.Bound(ctx, j.MaxBytes), ranks.Alone{})
	opt := j.RunnerUpOptions()
	if j.X != nil {
		opt.Aside = method.WithoutEntries(r.distinctRows())
	}
	m, err := kmeans.Fit(ctx, x, opt)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && m == nil {
		j.Note("There is no runner-up: " + err.Error())
		return nil
	}
	into, err := leiden.Merge(ctx, g.W, m.Labels, len(m.Sizes), k)
	if err != nil {
		return err
	}
	of := make([]int, len(r.Labels))
	for i := range of {
		if of[i] = Rejected; r.Labels[i] != Rejected {
			of[i] = into[m.Labels[r.distinctOf(i)]]
		}
	}
	r.RunnerUp, err = r.runnerUp(of, len(m.Sizes))
	return err
}

// runnerUp describes the clusters of the documents, which were merged from more.
func (r *Run) runnerUp(of []int, from int) (*RunnerUp, error) {
	k := len(r.Sizes)
	t, err := metrics.NewTable(r.Labels, of)
	if err != nil {
		return nil, err
	}
	if empty := k - len(t.Clusters); empty > 0 {
		r.J.Note(fmt.Sprintf("There is no runner-up: all documents of %d of its %d clusters are rejected", empty, k))
		return nil, nil
	}
	number := numbers(t, k)
	v := &RunnerUp{MergedFrom: from, ARI: t.Scores().ARI, Clusters: make([]RunnerUpCluster, k), Labels: make([]int, len(of))}
	for i, c := range of {
		if v.Labels[i] = Rejected; c != Rejected {
			v.Labels[i] = number[c]
		}
		if v.Labels[i] != r.Labels[i] {
			v.Elsewhere++
		}
	}
	for j, c := range t.Clusters {
		own := &v.Clusters[number[c]]
		for row, cluster := range t.Classes {
			own.Size += t.Counts[row][j]
			if t.Counts[row][j] > 0 {
				own.Of = append(own.Of, RunnerUpPart{cluster, t.Counts[row][j]})
			}
		}
		slices.SortStableFunc(own.Of, func(a, b RunnerUpPart) int { return b.Size - a.Size })
		own.Of = slices.DeleteFunc(own.Of, func(p RunnerUpPart) bool { return float64(p.Size) < runnerUpPart*float64(own.Size) })
	}
	if r.Table != nil {
		truth, err := metrics.NewTable(r.Corpus.Labels, v.Labels)
		if err != nil {
			return nil, fmt.Errorf("the runner-up: %w", err)
		}
		v.Scores = r.scoresOf(truth)
	}
	if !r.J.Share.Divided() { // else all ranks find the terms
		v.describe(r.levelTerms(v.Labels, k), r.withoutTerms(v.Labels, k))
	}
	return v, nil
}

// describe gives the clusters their terms, and says which have none.
func (v *RunnerUp) describe(terms [][]corpus.TermWeight, without []string) {
	for c, w := range without {
		v.Clusters[c].Without = w
	}
	for c, list := range terms {
		v.Clusters[c].Terms, v.Clusters[c].Differences = namesOf(list), differences(list)
	}
}

// numbers are the run's numbers of the columns of a table of its clusters and k others: matched by
// [metrics.Table.Assignment], and those without a match in their order.
func numbers(t *metrics.Table, k int) []int {
	number, taken := make([]int, k), make([]bool, k)
	for c := range number {
		number[c] = -1
	}
	for j, row := range t.Assignment() {
		if row >= 0 {
			number[t.Clusters[j]] = t.Classes[row]
			taken[t.Classes[row]] = true
		}
	}
	for c := range number {
		if number[c] < 0 {
			number[c] = slices.Index(taken, false)
			taken[number[c]] = true
		}
	}
	return number
}

// ownGraph is the run's graph of all distinct documents; nil if there is none here.
func (r *Run) ownGraph() *graph.Graph {
	g, n := r.Fitted.Graph, r.Corpus.Len()
	if r.HasCopies() {
		n = len(r.J.Whole.Groups.First)
	}
	if r.graph != nil { // of all ranks
		g = &graph.Graph{W: r.graph, Degrees: r.graph.RowSums()}
	}
	if g == nil || g.W == nil || g.Share.Divided() || g.Len() != n {
		return nil
	}
	return g
}

// distinctOf is the number of document i of the result among the distinct documents.
func (r *Run) distinctOf(i int) int {
	if r.HasCopies() {
		return int(r.J.Whole.Groups.Of[i])
	}
	return i
}
