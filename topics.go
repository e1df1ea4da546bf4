package eigenmap

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

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
	weighed := r.j.Weighed()
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
	if r.topics() {
		for _, d := range r.directions() {
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
			r.Clusters[i].Terms = append(r.Clusters[i].Terms, t.Term)
			r.Clusters[i].Weights = append(r.Clusters[i].Weights, overtime.SixDecimals(t.Weight))
		}
	}
	if f.of != nil {
		k := len(f.clusters)
		r.topicCoherence = f.of[k:]
		r.cohere(f.of[:k], f.lists[:k])
	}
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

func hasTerms(k Group) bool { return k.Terms != nil }

// clusterTerms are the terms that stand for a cluster; "" for one that has none, and for no
// cluster.
func (r *Run) clusterTerms(k int) string {
	if k < 0 || k >= len(r.Clusters) {
		return ""
	}
	terms := r.Clusters[k].Terms
	return strings.Join(terms[:min(namingTerms, len(terms))], " ")
}

// topicTerms are the terms of each topic, with probabilities, of a method that finds topics, else
// of each cluster, with the weights of [Group]; nil if there are none.
func (r *Run) topicTerms() [][]method.Weight {
	if r.directions() != nil && r.topics() {
		return r.directions()
	}
	if r.command != "cluster" || !slices.ContainsFunc(r.Clusters, hasTerms) {
		return nil
	}
	lists := make([][]method.Weight, len(r.Clusters))
	for i, k := range r.Clusters {
		for t, term := range k.Terms {
			lists[i] = append(lists[i], method.Weight{Term: term, Weight: k.Weights[t]})
		}
	}
	return lists
}

// writeTopics writes cluster,name,rank,term,weight,coherence: the terms of each topic, the best
// first; the topics of a method are numbered as its clusters are. name is the class of a cluster,
// empty if it is none, and coherence the NPMI of its first ten terms, empty if it was not found.
func (r *Run) writeTopics(lists [][]method.Weight) func(io.Writer) error {
	return func(w io.Writer) error {
		t := csv.NewWriter(w)
		if err := t.Write([]string{"cluster", "name", "rank", "term", "weight", "coherence"}); err != nil {
			return err
		}
		for i, list := range lists {
			name, coherence := "", ""
			if i < len(r.Classes) {
				name = r.cell(r.Classes[i])
			}
			if c := r.coherenceOf(i); c != nil {
				coherence = strconv.FormatFloat(c.NPMI, 'g', -1, 64)
			}
			for rank, v := range list {
				if err := t.Write([]string{strconv.Itoa(i), name, strconv.Itoa(rank + 1), r.cell(v.Term), strconv.FormatFloat(v.Weight, 'g', 9, 64), coherence}); err != nil {
					return err
				}
			}
		}
		t.Flush()
		return t.Error()
	}
}

// coherenceOf is the coherence of a list of topicTerms; nil if it was not found.
func (r *Run) coherenceOf(i int) *TermCoherence {
	switch {
	case r.topics() && i < len(r.topicCoherence):
		return r.topicCoherence[i]
	case !r.topics() && i < len(r.Clusters):
		return r.Clusters[i].Coherence
	}
	return nil
}
