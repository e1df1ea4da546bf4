package model

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Model is what a finished run keeps.
type Model struct {
	Method    string    // its name in the table of methods
	Documents int       // that it was made from
	Rows      Rows      // how documents become rows
	Part      Part      // what the method keeps; nil: it takes no new documents, and Why says why
	Why       string    // a sentence without its full stop
	Clusters  *Clusters // nil: an embedding alone
	Seed      uint64    // of the run
	// Summary is what the program that made the model tells about it, a JSON object that this package does not look into.
	Summary json.RawMessage
}

// Clusters are the clusters of the training documents.
type Clusters struct {
	Sizes   []int
	Centers *mat.Dense // a row a cluster, in the coordinates that Part gives; nil where Part tells clusters itself
}

// Part is what a method keeps for new documents. The types of this package implement it.
type Part interface {
	// place puts new rows where the method would.
	place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error)
	// fields names what is kept, for writing and for reading alike.
	fields(f *fields)
	// check refuses parts that do not fit each other or the model.
	check(m *Model) error
	// width is the number of coordinates, 0 where they are the rows themselves.
	width() int
}

// placement is where a method puts new rows.
type placement struct {
	embedding *mat.Dense // nil where the coordinates are the rows themselves
	labels    []int      // clusters where the method tells them itself
	posterior *mat.Dense // probability of each cluster where the method tells it
	isolated  []int      // new rows without anything to place them by, ascending: all without entries, and others that are no training documents'
	known     int        // other rows that are those of training documents
}

// Prediction is what a model says of new documents, in their order.
type Prediction struct {
	Embedding *mat.Dense // a row a document, as the method's own embedding; nil where it makes none
	Labels    []int      // cluster of each document; nil where the model has no clusters
	Sizes     []int      // new documents in each cluster
	Posterior *mat.Dense // documents × clusters: the probability of each cluster, of mixtures; else nil
	Isolated  []int      // documents that have nothing in common with the model's, ascending: their clusters say nothing
	Known     int        // other documents that are documents of the model, wherever these stand, where the method can tell
	Terms     Match      // how the corpus' columns met the model's
}

// Check refuses a model whose parts do not fit together, all faults at once.
func (m *Model) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if m.Method == "" {
		bad("the model names no method")
	}
	if m.Documents < 1 {
		bad("the model says that it was made from %d documents", m.Documents)
	}
	errs = append(errs, m.Rows.check())
	if m.Part != nil {
		errs = append(errs, m.Part.check(m))
		if m.Rows.Columns < 1 {
			bad("the model's documents have %d columns", m.Rows.Columns)
		}
	}
	if c := m.Clusters; c != nil {
		if len(c.Sizes) == 0 || slices.Min(c.Sizes) < 0 {
			bad("the model's %d clusters have impossible sizes", len(c.Sizes))
		}
		if c.Centers != nil {
			k, d := c.Centers.Dims()
			if k != len(c.Sizes) {
				bad("the model has %d centres of %d clusters", k, len(c.Sizes))
			}
			if m.Part != nil && d != m.width() {
				bad("the model's centres have %d coordinates where its documents have %d", d, m.width())
			}
		}
	}
	return invalid.Join(errs...)
}

// width is the number of coordinates that clusters are found in.
func (m *Model) width() int {
	if w := m.Part.width(); w > 0 {
		return w
	}
	return m.Rows.Columns
}

// Predict puts the documents of c, raw as they were read, where the model's method would, and tells their clusters: the nearest centre, the lower one on a tie, or what
// the method itself says. c is not changed.
//
// Terms are matched by name where both have names, by stem where both are text, else by their order ([Match]). What becomes of a document depends on no other.
//
// Errors (fs.ErrInvalid): a model that takes no new documents, a corpus with other columns, entries that the weighting does not take; and those of the
// method. Events are those of the method.
func (m *Model) Predict(ctx context.Context, c *corpus.Corpus, obs progress.Observer) (*Prediction, error) {
	if m.Part == nil {
		return nil, invalid.Errorf("the model takes no new documents: %s", m.Why)
	}
	x, match, err := m.Rows.Of(c)
	if err != nil {
		return nil, err
	}
	at, err := m.Part.place(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	if at.embedding != nil {
		n, _ := at.embedding.Dims()
		for i := range n {
			for j, v := range at.embedding.RawRowView(i) {
				if !finite(v) {
					return nil, invalid.Errorf("%s: coordinate %d of document %s is beyond the largest number: its entries, or the model's, are too large", c.Name, j+1, c.ID(i))
				}
			}
		}
	}
	p := &Prediction{Embedding: at.embedding, Labels: at.labels, Posterior: at.posterior, Isolated: at.isolated, Known: at.known, Terms: match}
	if m.Clusters == nil {
		p.Labels = nil
		return p, nil
	}
	if p.Posterior != nil && p.Posterior == p.Embedding { // shares of topics: coordinates where there are no clusters
		p.Embedding = nil
	}
	if p.Labels == nil {
		if m.Clusters.Centers == nil {
			return nil, invalid.Errorf("the model has clusters but no centres to find them by")
		}
		if at.embedding != nil {
			x = at.embedding
		}
		km := kmeans.Model{Centers: m.Clusters.Centers}
		if p.Labels, err = km.Predict(ctx, x); err != nil {
			return nil, err
		}
	}
	p.Sizes = make([]int, len(m.Clusters.Sizes))
	for i, k := range p.Labels {
		if k < 0 || k >= len(p.Sizes) {
			return nil, fmt.Errorf("document %d was put into cluster %d of %d", i+1, k, len(p.Sizes))
		}
		p.Sizes[k]++
	}
	return p, nil
}
