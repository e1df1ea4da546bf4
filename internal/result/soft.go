package result

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Certain is the probability of its cluster from which on a document does not count as uncertain.
const Certain = 0.9

// UncertainShown is how many uncertain documents the report and the JSON list; uncertain.csv has
// all.
const UncertainShown = 20

// Doubt is a document that a soft clustering is not certain of: its two most probable clusters.
type Doubt struct {
	Document      int
	First, Second int
	P1, P2        float64
}

// Doubts lists the documents whose cluster has a probability below [Certain], the least certain
// first, ties by number.
func Doubts(posterior *mat.Dense) []Doubt {
	n, k := posterior.Dims()
	var list []Doubt
	for i := range n {
		d := Doubt{Document: i, Second: -1}
		row := posterior.RawRowView(i)
		for c := 1; c < k; c++ {
			switch {
			case row[c] > row[d.First]:
				d.First, d.Second = c, d.First
			case d.Second < 0 || row[c] > row[d.Second]:
				d.Second = c
			}
		}
		if d.P1 = row[d.First]; d.P1 < Certain && d.Second >= 0 {
			d.P2 = row[d.Second]
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b Doubt) int { return cmp.Compare(a.P1, b.P1) })
	return list
}

// Uncertain counts the uncertain documents and lists the least certain.
type Uncertain struct {
	Below     float64  `json:"below"`
	Count     int      `json:"count"`
	Documents []string `json:"documents"` // ids, the least certain first, at most 20
}

// Uncertain returns the uncertain documents; nil of a hard clustering.
func (r *Run) Uncertain() *Uncertain {
	if r.Posterior == nil {
		return nil
	}
	list := Doubts(r.Posterior)
	u := &Uncertain{Below: Certain, Count: len(list), Documents: []string{}}
	for _, d := range list[:min(UncertainShown, len(list))] {
		u.Documents = append(u.Documents, r.Corpus.ID(d.Document))
	}
	return u
}
