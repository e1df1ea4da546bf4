package predicting

import (
	"cmp"
	"slices"

	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Tally counts documents that were placed.
type Tally struct {
	Documents int
	Sizes     []int // of the clusters, by documents that are in one; nil of an embedding
	// Isolated documents have nothing in common with the model's, Known are equal to one of them,
	// Novel are not and have a novelty of at least 0.95, Rejected are in no cluster, and Scored are
	// in one and have a true label.
	Isolated, Known, Novel, Rejected, Scored int
	// Unlike documents are unlike the model's by their novelty or by terms that it does not know, as
	// ‹reject› auto takes them.
	Unlike   int
	Measured bool // their novelty is known
	// Cells counts the documents that are in a cluster by their classes and clusters.
	Cells metrics.Cells `json:"-"`
}

// takeTrained takes the classes of the model's k clusters. A model of an earlier version says only
// which class most of the labelled documents of a cluster have.
func (p *Prediction) takeTrained(k int) {
	m := p.Model.Summary
	of := m.Matched
	if of == nil {
		of = m.Majority
	}
	if len(of) != k {
		of = p.Classes
	}
	if of == nil {
		return
	}
	of = slices.Clone(of)
	for i, name := range p.Classes {
		of[i] = cmp.Or(name, of[i])
	}
	p.TakeTrained(&result.Trained{Of: of, Known: m.LabelClasses, Named: p.Classes != nil})
}

// TallyOf counts the documents of a prediction that has them.
func TallyOf(p *Prediction) Tally {
	t := Tally{Documents: p.Corpus.Len(), Sizes: p.Sizes, Isolated: len(p.Isolated), Known: p.Known, Rejected: p.RejectedCount, Measured: p.Novelty != nil, Cells: metrics.Cells{}}
	for i, v := range p.Novelty {
		if v >= Novel && p.Placed(i) != result.PlacedKnown {
			t.Novel++
		}
	}
	for _, v := range p.Unlike {
		if v >= Novel {
			t.Unlike++
		}
	}
	if p.Labels == nil {
		return t
	}
	for i, class := range p.Corpus.Labels {
		if k := p.Labels[i]; class >= 0 && k >= 0 {
			t.Cells.Add(class, k, 1)
			t.Scored++
		}
	}
	return t
}

// Add counts other documents too.
func (t *Tally) Add(o Tally) {
	t.Documents += o.Documents
	if o.Sizes != nil && t.Sizes == nil {
		t.Sizes = make([]int, len(o.Sizes))
	}
	for k, n := range o.Sizes {
		t.Sizes[k] += n
	}
	t.Isolated += o.Isolated
	t.Known += o.Known
	t.Novel += o.Novel
	t.Unlike += o.Unlike
	t.Rejected += o.Rejected
	t.Scored += o.Scored
	t.Measured = t.Measured || o.Measured
	if t.Cells == nil {
		t.Cells = metrics.Cells{}
	}
	for at, n := range o.Cells {
		t.Cells.Add(at[0], at[1], n)
	}
}
