package model

import (
	"encoding/json"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model is what a finished run keeps.
type Model struct {
	Method      string       // its name
	Documents   int          // that it was made from
	Rows        Rows         // how documents become rows
	Part        Part         // what the method keeps; nil: it takes no new documents, and Why gives the reason
	Why         string       // a sentence without its full stop
	Clusters    *Clusters    // nil: an embedding alone
	Novelty     *Novelty     // nil: not measured, as in files of earlier versions
	Calibration *Calibration // of confidences; nil: they are the method's own scores
	Reject      float64      // confidence below which a document is in no cluster; 0: none
	Map         *Map         // nil: none, as in files of earlier versions
	Seed        uint64       // of the run
	// Summary describes the run that made the model: a JSON object that this package does not read.
	Summary json.RawMessage
}

// Clusters are the clusters of the training documents.
type Clusters struct {
	Sizes []int
	// Centers has one row per cluster, in the coordinates that Part gives; nil if Part finds the
	// clusters itself.
	Centers *mat.Dense
	// Terms are terms × clusters, by which sparse documents belong to the clusters beside Centers; nil
	// if they have no part in it, as in files of earlier versions. Terms that were added to the model
	// later have no row.
	Terms *sparse.CSR
}

// fields writes or reads the centres and the terms. A file of an earlier version has no terms.
func (c *Clusters) fields(f *Fields) {
	f.Dense("centers", &c.Centers)
	if f.Writing() && c.Terms != nil || f.Has("cluster_terms.indptr") {
		if c.Terms == nil {
			c.Terms = &sparse.CSR{NumCols: len(c.Sizes)}
		}
		f.Ints("cluster_terms.indptr", &c.Terms.RowPtr)
		f.columns("cluster_terms.indices", &c.Terms.Col)
		f.Floats("cluster_terms.data", &c.Terms.Val)
		if !f.Writing() { // a model that is written may be copied at the same time
			c.Terms.NumRows = max(0, len(c.Terms.RowPtr)-1)
		}
	}
}

// checkTerms refuses terms that do not belong to the clusters, or to the rows of the documents.
func (c *Clusters) checkTerms(of Frame) error {
	switch {
	case !of.Sparse:
		return invalid.Errorf("the model's clusters have terms, and its documents no sparse rows of terms")
	case c.Centers == nil:
		return invalid.Errorf("the model's clusters have terms and no centres")
	case c.Terms.NumCols != of.Clusters || c.Terms.NumRows > of.Columns:
		return invalid.Errorf("the model's clusters have %d terms of %d clusters, and its documents %d terms in %d clusters", c.Terms.NumRows, c.Terms.NumCols, of.Columns, of.Clusters)
	}
	if _, err := sparse.NewCSR(c.Terms.NumRows, c.Terms.NumCols, c.Terms.RowPtr, c.Terms.Col, c.Terms.Val); err != nil {
		return invalid.Errorf("the model's terms of clusters are damaged: %w", err)
	}
	return nil
}

// Map are places of training documents in a plane made for looking.
type Map struct {
	Places      *mat.Dense // documents × 2
	Coordinates *mat.Dense // of the same documents, in the embedding
	IDs         []string   // their names; nil: they have none
}

// fields writes or reads the map.
func (v *Map) fields(f *Fields) {
	f.Dense("map_places", &v.Places)
	f.Dense("map_coordinates", &v.Coordinates)
	if f.Writing() && v.IDs != nil || f.Has("map_ids") {
		f.Setting("map_ids", &v.IDs)
	}
}

// check refuses places that do not belong to the coordinates.
func (v *Map) check() error {
	if v.Places == nil || v.Coordinates == nil {
		return invalid.Errorf("the model's map lacks its places or its coordinates")
	}
	n, d := v.Places.Dims()
	if m, _ := v.Coordinates.Dims(); d != 2 || m != n || v.IDs != nil && len(v.IDs) != n {
		return invalid.Errorf("the model's map has %d × %d places for %d documents", n, d, m)
	}
	return nil
}

// Frame is the shape that the part must fit.
func (m *Model) Frame() Frame {
	f := Frame{Documents: m.Documents, Columns: m.Rows.Width(), Sparse: m.Rows.Sparse || m.Rows.TermsFirst()}
	if m.Clusters != nil {
		f.Clusters = len(m.Clusters.Sizes)
	}
	return f
}

// Check refuses a model whose parts do not fit together, all faults at once.
func (m *Model) Check() error {
	var errs invalid.Faults
	if m.Method == "" {
		errs.Addf("the model names no method")
	}
	if m.Documents < 1 {
		errs.Addf("the model says that it was made from %d documents", m.Documents)
	}
	errs = append(errs, m.Rows.check())
	if m.Part != nil {
		errs = append(errs, m.Part.Check(m.Frame()))
		if m.Rows.Columns < 1 {
			errs.Addf("the model's documents have %d columns", m.Rows.Columns)
		}
	}
	if c := m.Clusters; c != nil {
		if len(c.Sizes) == 0 || slices.Min(c.Sizes) < 0 {
			errs.Addf("the model's %d clusters have impossible sizes", len(c.Sizes))
		}
		if c.Centers != nil {
			k, d := c.Centers.Dims()
			if k != len(c.Sizes) {
				errs.Addf("the model has %d centres of %d clusters", k, len(c.Sizes))
			}
			if m.Part != nil && d != m.width() {
				errs.Addf("the model's centres have %d coordinates and its documents have %d", d, m.width())
			}
		}
		if c.Terms != nil {
			errs = append(errs, c.checkTerms(m.Frame()))
		}
	}
	if m.Calibration != nil {
		errs = append(errs, m.Calibration.check())
	}
	if !(m.Reject >= 0 && m.Reject <= 1) {
		errs.Addf("the model rejects documents of a confidence below %v, which must lie between 0 and 1", m.Reject)
	}
	if m.Novelty != nil {
		errs = append(errs, m.Novelty.check(m.Frame().Clusters, m.Rows.Width()))
	}
	if m.Map != nil {
		errs = append(errs, m.Map.check())
	}
	return invalid.Join(errs...)
}

// width is the number of coordinates that clusters are found in.
func (m *Model) width() int {
	if w := m.Part.Width(); w > 0 {
		return w
	}
	return m.Rows.Width()
}
