package artefact

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
)

// topicTerms are the terms of each topic, with probabilities, of a method that finds topics, else
// of each cluster, with the weights of [result.Group]; nil if there are none. Columns of
// measurements are without "high" and "low", which the sign of the weight says.
func topicTerms(r *result.Run) [][]method.Weight {
	if r.Directions() != nil && r.Topics() {
		return r.Directions()
	}
	if r.Command != "cluster" || !slices.ContainsFunc(r.Clusters, result.HasTerms) {
		return nil
	}
	lists := make([][]method.Weight, len(r.Clusters))
	for i, k := range r.Clusters {
		for t, term := range k.Terms {
			if k.Differences != nil {
				term = k.Differences[t].Column
			}
			lists[i] = append(lists[i], method.Weight{Term: term, Weight: k.Weights[t]})
		}
	}
	return lists
}

// writeTopics writes cluster,name,rank,term,weight,coherence: the terms of each topic, the best
// first; the topics of a method are numbered as its clusters are. name is the class of a cluster,
// empty if it is none, and of a cluster of documents without terms, which has one line, what it
// holds. coherence is the NPMI of its first ten terms, empty if it was not found. Of measurements
// mean and others follow, the means of the column in the cluster and in all others.
func writeTopics(r *result.Run, lists [][]method.Weight) func(io.Writer) error {
	return func(w io.Writer) error {
		t := csv.NewWriter(w)
		head := []string{"cluster", "name", "rank", "term", "weight", "coherence"}
		measured := !r.Topics() && slices.ContainsFunc(r.Clusters, func(k result.Group) bool { return k.Differences != nil })
		if measured {
			head = append(head, "mean", "others")
		}
		if err := t.Write(head); err != nil {
			return err
		}
		for i, list := range lists {
			name, coherence := "", ""
			if i < len(r.Classes) {
				name = Cell(r, r.Classes[i])
			}
			if c := coherenceOf(r, i); c != nil {
				coherence = strconv.FormatFloat(c.NPMI, 'g', -1, 64)
			}
			if without := withoutTerms(r, i); without != "" {
				if err := t.Write(append([]string{strconv.Itoa(i), cmp.Or(name, without)}, make([]string, len(head)-2)...)); err != nil {
					return err
				}
			}
			for rank, v := range list {
				record := []string{strconv.Itoa(i), name, strconv.Itoa(rank + 1), Cell(r, v.Term), strconv.FormatFloat(v.Weight, 'g', 9, 64), coherence}
				if measured {
					d := r.Clusters[i].Differences[rank]
					record = append(record, strconv.FormatFloat(d.Mean, 'g', -1, 64), strconv.FormatFloat(d.Others, 'g', -1, 64))
				}
				if err := t.Write(record); err != nil {
					return err
				}
			}
		}
		t.Flush()
		return t.Error()
	}
}

// withoutTerms says that no document of a cluster has a term; "" if one has.
func withoutTerms(r *result.Run, i int) string {
	if r.Topics() || i >= len(r.Clusters) {
		return ""
	}
	return r.Clusters[i].Without
}

// coherenceOf is the coherence of a list of topicTerms; nil if it was not found.
func coherenceOf(r *result.Run, i int) *result.TermCoherence {
	switch {
	case r.Topics() && i < len(r.TopicCoherence):
		return r.TopicCoherence[i]
	case !r.Topics() && i < len(r.Clusters):
		return r.Clusters[i].Coherence
	}
	return nil
}
