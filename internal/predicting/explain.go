package predicting

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Explanation says why a document is in its cluster.
type Explanation struct {
	ID string `json:"id"`
	// Cluster is the document's, Rejected (-1) for none, and Confidence how sure it is, 0 to 1; nil
	// if that is not known.
	Cluster    int      `json:"cluster"`
	Class      string   `json:"class,omitempty"` // the class of the known labels that the cluster is
	Confidence *float64 `json:"confidence"`
	// Placed says how the document came to its cluster, as in clusters.csv: "yes", "known", or
	// "isolated" if it has nothing in common with other documents of the model. The cluster of an
	// isolated document is arbitrary.
	Placed string `json:"placed"`
	// Second is the cluster that comes next; nil if that is not known, or there is none.
	Second *int `json:"second"`
	// Terms are the terms of the document that speak for the cluster against the second one, the
	// strongest first: the term's weight in the document times the difference of its mean weights
	// in the two clusters. Of measurements, whose zero means nothing, it is half of how much farther
	// the value is, squared, from the second cluster's mean. nil of a model that does not have the
	// means.
	Terms []method.Weight `json:"terms"`
	// Columns are, of measurements, the columns of Terms with the document's value; nil of others.
	Columns []ExplainedColumn `json:"columns,omitempty"`
	// Nearest are the training documents nearest in the embedding, but for the document itself, the
	// nearest first; nil of a model that does not have their coordinates.
	Nearest []NearDocument `json:"nearest"`
	// Typical are the most typical documents of the cluster; nil of a model that has no texts.
	Typical []artefact.TypicalText `json:"typical,omitempty"`
	Novelty *float64               `json:"novelty,omitempty"` // how far it is from the model's documents, see Novelty of [result.Result]
}

// ExplainedColumn is a column of measurements in the unit of the file: the document's value, and
// the means of its cluster and of the second one, or without one of all others, to six digits.
type ExplainedColumn struct {
	Column string  `json:"column"`
	Value  float64 `json:"value"`
	Mean   float64 `json:"mean"`
	Next   float64 `json:"next"`
}

// NearDocument is a training document, and its distance from another in the embedding, whose rows
// have length 1: 0 of the same direction, 2 of the opposite one.
type NearDocument struct {
	ID       string  `json:"id"`
	Distance float64 `json:"distance"`
}

// How many terms and documents an explanation has at most.
const (
	explainedTerms = 8
	explainedNear  = 5
)

// Explain says why the given documents of the prediction, numbered from 0, are in their clusters;
// nil of an embedding. It panics if a number is out of range. Errors: the context's, of entries
// that the model cannot weigh, with the file and the document, and of documents that are not held.
func (p *Prediction) Explain(ctx context.Context, documents ...int) ([]Explanation, error) {
	if err := p.CheckHeld(); err != nil {
		return nil, err
	}
	if p.Labels == nil || len(documents) == 0 {
		return nil, nil
	}
	near, err := p.nearDocuments(ctx, documents)
	if err != nil {
		return nil, fault.Wrap(p.Run.J.InFile(err))
	}
	var rows mat.Matrix
	if p.Model.m.Novelty != nil {
		j := &job.Job{Request: p.Run.J.Request, File: p.Run.J.File, Corpus: p.Run.J.Corpus.SelectRows(documents)}
		if v := p.Run.J.VectorsRead; v != nil {
			j.VectorsRead = v.SelectRows(documents)
		}
		if c := p.Run.J.ColumnsRead; c != nil {
			j.ColumnsRead = &job.ColumnsRead{Name: c.Name, View: c.View, X: sparse.SelectRows(c.X, documents).(*mat.Dense)}
		}
		if rows, err = p.weightedRows(ctx, j); err != nil {
			return nil, fault.Wrap(err)
		}
	}
	list := make([]Explanation, len(documents))
	for k, i := range documents {
		e := Explanation{ID: p.Corpus.ID(i), Cluster: p.Labels[i], Placed: p.Run.Placed(i)}
		if p.Classes != nil && e.Cluster >= 0 {
			e.Class = p.Classes[e.Cluster]
		}
		if p.Confidence != nil {
			e.Confidence = &p.Confidence[i]
		}
		if p.Novelty != nil {
			e.Novelty = &p.Novelty[i]
		}
		second := -1
		if p.Second != nil && p.Second[i] >= 0 {
			second = p.Second[i]
			e.Second = &second
		}
		if rows != nil {
			p.explainRow(&e, rows, k, p.Found.Labels[i], second)
		}
		if t := p.Model.Summary.Typical; e.Cluster >= 0 && e.Cluster < len(t) {
			e.Typical = t[e.Cluster]
		}
		if near != nil {
			e.Nearest = near[k]
		}
		list[k] = e
	}
	return list, nil
}

// explainRow adds the terms or columns of row k that speak for cluster a against b.
func (p *Prediction) explainRow(e *Explanation, rows mat.Matrix, k, a, b int) {
	v := p.Model.m.Novelty
	if e.Terms = []method.Weight{}; p.Model.measures() {
		p.explainMeasures(e, v.Measures(rows, k, a, b, p.Model.m.Clusters.Sizes))
		return
	}
	columns, parts := v.Apart(rows, k, a, b)
	for at, j := range columns {
		if len(e.Terms) == explainedTerms {
			break
		}
		e.Terms = withTerm(e.Terms, method.Weight{Column: j, Term: p.Model.termName(j), Weight: parts[at]})
	}
}

// measures reports whether the rows are measurements, alone and as they were or divided by their
// deviations.
func (m *Model) measures() bool {
	r := &m.m.Rows
	return (r.Measured || r.Weighting == corpus.WeightStandard || m.Summary.Differences != nil) && !r.Vectors && r.Beside == 0 && r.View == nil &&
		r.Normalize != corpus.NormL2 && (r.Weighting == corpus.WeightStandard || r.Weighting == corpus.WeightTF)
}

// explainMeasures adds the columns that speak for the cluster, in the units of the file.
func (p *Prediction) explainMeasures(e *Explanation, list []model.Measure) {
	for _, c := range list[:min(explainedTerms, len(list))] {
		weight := 1.0
		if idf := p.Model.m.Rows.IDF; idf != nil {
			if weight = idf[c.Column]; weight == 0 {
				continue
			}
		}
		name := p.Model.termName(c.Column)
		if p.Model.m.Rows.Terms == nil {
			name = "column " + name
		}
		e.Terms = append(e.Terms, method.Weight{Column: c.Column, Term: name, Weight: c.Part})
		e.Columns = append(e.Columns, ExplainedColumn{name, words.SixDigits(c.Value / weight), words.SixDigits(c.Mean / weight), words.SixDigits(c.Next / weight)})
	}
}

// withTerm adds a term to a list, the best first, unless it has no name or one that is listed: of
// two columns of one word, which languages stem apart, the better alone is shown.
func withTerm(list []method.Weight, t method.Weight) []method.Weight {
	if t.Term == "" || slices.ContainsFunc(list, func(w method.Weight) bool { return w.Term == t.Term }) {
		return list
	}
	return append(list, t)
}

// termName is the name of a number of a row: of its term, or of its column beside the texts with
// the value; else its number in the file, counted from 1, and "" of a number of a vector of texts,
// which says nothing to a reader.
func (m *Model) termName(j int) string {
	if name := m.m.Rows.ColumnName(j); name != "" || m.m.Rows.Vectors || m.m.Rows.TermsFirst() && j >= m.m.Rows.Columns {
		return name
	}
	if r := &m.m.Rows; j < len(r.Terms) {
		return (&corpus.Corpus{Terms: r.Terms, Stems: r.Stems}).Word(j)
	}
	if r := &m.m.Rows; j < len(r.Numbers) {
		return strconv.Itoa(r.Numbers[j])
	}
	return strconv.Itoa(j + 1)
}

// nearDocuments are the nearest training documents of each of some documents; nil if the model does
// not have their coordinates.
func (p *Prediction) nearDocuments(ctx context.Context, documents []int) ([][]NearDocument, error) {
	m := p.Model.m.Map
	if m == nil || p.Embedding == nil || m.IDs == nil {
		return nil, nil
	}
	x := layout.Directions(sparse.SelectRows(p.Embedding, documents).(*mat.Dense))
	lists, err := graph.NearestAmong(ctx, x, layout.Directions(m.Coordinates), min(explainedNear+1, len(m.IDs)), p.Run.J.Observe)
	if err != nil {
		return nil, err
	}
	out := make([][]NearDocument, len(documents))
	for k, i := range documents {
		index, dist2, _ := lists.Row(k)
		for at, j := range index {
			if own := dist2[at] == 0 && m.IDs[j] == p.Corpus.ID(i); !own && len(out[k]) < explainedNear {
				out[k] = append(out[k], NearDocument{m.IDs[j], math.Sqrt(dist2[at])})
			}
		}
	}
	return out, nil
}
