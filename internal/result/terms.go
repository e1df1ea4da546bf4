package result

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Directions are the terms of each coordinate or topic with their weights; nil if there are none.
func (r *Run) Directions() [][]method.Weight {
	if r.Fitted == nil {
		return nil
	}
	return r.Fitted.Directions
}

// Topics says whether the directions are topics, each the terms of a cluster.
func (r *Run) Topics() bool { return r.Fitted != nil && r.Fitted.Topics }

// topTerms is how many terms describe a cluster.
const topTerms = 10

// namingTerms is how many of them stand for a cluster in a table of documents.
const namingTerms = 3

// TermCoherence is how well the terms of a cluster belong together, by the documents of the corpus
// that hold two of them; to six decimals.
type TermCoherence struct {
	NPMI float64 `json:"npmi"` // [metrics.NPMI], -1 to 1
	CV   float64 `json:"c_v"`  // [metrics.CV], -1 to 1
}

// Coherence is how well the ten terms of each cluster belong together: means over the clusters
// with two terms or more.
type Coherence struct {
	TermCoherence
	Lowest    float64          `json:"npmi_lowest"`         // the lowest NPMI
	LowestOf  int              `json:"npmi_lowest_cluster"` // of this cluster
	Diversity float64          `json:"diversity"`           // different terms over all terms, see [metrics.Diversity]
	Clusters  []*TermCoherence `json:"clusters"`            // of each; null for one with fewer than two terms
}

// termsFound are the terms of clusters and of topics, and how well they belong together.
type termsFound struct {
	clusters [][]corpus.TermWeight
	lists    [][]int          // the columns of the terms of the clusters, then of the topics
	of       []*TermCoherence // of each list; nil where documents hold no terms
}

// findTerms finds the terms of the clusters and how well they belong together; nil if there are
// none. It leaves the run as it is: a run that was stopped does not wait for it.
func (r *Run) findTerms() *termsFound {
	if !r.J.NamesColumns() {
		return nil
	}
	weighed := r.J.Weighed()
	f := &termsFound{clusters: weighed.TopTerms(r.weighedLabels(r.Labels), len(r.Sizes), topTerms)}
	if f.clusters == nil {
		return nil
	}
	f.lists = make([][]int, len(f.clusters))
	for i, terms := range f.clusters {
		for _, t := range terms {
			f.lists[i] = append(f.lists[i], t.Column)
		}
	}
	if r.Topics() {
		for _, d := range r.Directions() {
			f.lists = append(f.lists, columnsOf(d[:min(topTerms, len(d))]))
		}
	}
	together := weighed.Together(f.lists)
	if together == nil {
		return f
	}
	f.of = make([]*TermCoherence, len(f.lists))
	for i, counts := range together {
		if npmi, ok := metrics.NPMI(counts, weighed.Documents()); ok {
			cv, _ := metrics.CV(counts, weighed.Documents())
			f.of[i] = &TermCoherence{overtime.SixDecimals(npmi), overtime.SixDecimals(cv)}
		}
	}
	return f
}

// keepTerms makes what was found a part of the run.
func (r *Run) keepTerms(f *termsFound) {
	if f == nil {
		return
	}
	for i, terms := range f.clusters {
		for _, t := range terms {
			r.Clusters[i].Terms = append(r.Clusters[i].Terms, t.String())
			r.Clusters[i].Weights = append(r.Clusters[i].Weights, overtime.SixDecimals(t.Weight))
		}
		r.Clusters[i].Differences = differences(terms)
	}
	if f.of != nil {
		k := len(f.clusters)
		r.TopicCoherence = f.of[k:]
		r.cohere(f.of[:k], f.lists[:k])
	}
}

// nameEmpty says of which clusters no document has a term.
func (r *Run) nameEmpty() {
	for c, without := range r.withoutTerms(r.Labels, len(r.Clusters)) {
		r.Clusters[c].Without = without
	}
}

// withoutTerms says of each of k clusters of the documents of the result whether no document has a
// term, in the words of Group.Without. Ranks know all such documents.
func (r *Run) withoutTerms(labels []int, k int) []string {
	empty := r.J.Empty
	switch {
	case r.J.X == nil:
		return nil
	case !r.J.Share.Divided():
		empty = r.J.WithoutEntries()
	}
	sizes, count, said := make([]int, k), make([]int, k), make([]string, k)
	for _, c := range labels {
		if c >= 0 {
			sizes[c]++
		}
	}
	for _, i := range empty {
		if c := labels[i]; c >= 0 {
			count[c]++
		}
	}
	for c := range said {
		if sizes[c] > 0 && sizes[c] == count[c] {
			if said[c] = "documents without entries"; r.J.IsText() {
				said[c] = "documents without words that count"
			}
		}
	}
	return said
}

// cohere keeps the coherence of the clusters' terms, given by their columns.
func (r *Run) cohere(of []*TermCoherence, lists [][]int) {
	c := &Coherence{Lowest: math.Inf(1), Clusters: of}
	count := 0.0
	for i, k := range of {
		if r.Clusters[i].Coherence = k; k == nil {
			continue
		}
		count++
		c.NPMI, c.CV = c.NPMI+k.NPMI, c.CV+k.CV
		if k.NPMI < c.Lowest {
			c.Lowest, c.LowestOf = k.NPMI, i
		}
	}
	if count == 0 {
		return
	}
	c.NPMI, c.CV, c.Diversity = overtime.SixDecimals(c.NPMI/count), overtime.SixDecimals(c.CV/count), overtime.SixDecimals(metrics.Diversity(lists))
	r.Coherence = c
}

func columnsOf(list []method.Weight) []int {
	columns := make([]int, len(list))
	for i, w := range list {
		columns[i] = w.Column
	}
	return columns
}

// String is the coherence in one line.
func (c *Coherence) String() string {
	return fmt.Sprintf("terms' NPMI %.3f (lowest %.3f, cluster %d), C_v %.3f, diversity %.3f", c.NPMI, c.Lowest, c.LowestOf, c.CV, c.Diversity)
}

// HasTerms reports whether a cluster has terms.
func HasTerms(k Group) bool { return k.Terms != nil }

// ClusterTerms are the terms that stand for a cluster; "" for one that has none, and for no
// cluster.
func (r *Run) ClusterTerms(k int) string {
	if k < 0 || k >= len(r.Clusters) {
		return ""
	}
	return r.Clusters[k].Said(namingTerms)
}
