package eigenmap

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
)

// ModelName is the file of a model in a folder of results.
const ModelName = "model.npz"

// Model is a fitted model that was read from its file.
type Model struct {
	File    string
	Summary ModelSummary
	spec    method.Spec
	m       *model.Model
}

// newModel is the model that was read from a file.
func newModel(file string, read *model.Model) (*Model, error) {
	m := &Model{File: file, m: read}
	m.spec, _ = registry.Find(read.Method)
	if read.Summary != nil {
		if err := json.Unmarshal(read.Summary, &m.Summary); err != nil {
			return nil, invalid.Errorf("%s: the model's summary is damaged (%v): make the model again", file, err)
		}
	}
	return m, nil
}

// Documents is the number of documents that the model was made from, copies of others among them.
func (m *Model) Documents() int { return max(m.m.Documents, m.Summary.Documents) }

// Sizes counts the training documents of each cluster; nil of an embedding.
func (m *Model) Sizes() []int {
	if m.m.Clusters == nil {
		return nil
	}
	return m.m.Clusters.Sizes
}

// Closed is the reason why the model takes no new documents; "" if it takes them.
func (m *Model) Closed() string {
	if m.m.Part != nil {
		return ""
	}
	return m.m.Why
}

// ModelSummary is what a model's file says about the run that made it, beside what new documents
// need.
type ModelSummary struct {
	Method      string         `json:"method"`
	Documents   int            `json:"documents"`
	Terms       int            `json:"terms"`
	Dims        int            `json:"dims,omitempty"`
	Eigenvalues Numbers        `json:"eigenvalues,omitempty"`
	Singular    Numbers        `json:"singular_values,omitempty"`
	Variances   Numbers        `json:"variances,omitempty"`
	Residuals   Numbers        `json:"residuals,omitempty"`
	MapClasses  []string       `json:"map_classes,omitempty"`
	Sizes       []int          `json:"cluster_sizes,omitempty"`
	Classes     []string       `json:"cluster_classes,omitempty"`  // class of the known labels that each cluster is
	Majority    []string       `json:"majority_classes,omitempty"` // of each cluster, if the corpus had labels or labels were given
	TopTerms    [][]string     `json:"top_terms,omitempty"`        // of each cluster, the best first, if the corpus has names of terms
	Objective   float64        `json:"objective,omitempty"`
	Graph       *GraphSummary  `json:"graph,omitempty"`
	Config      map[string]any `json:"config"`
	Updates     *Updates       `json:"updates,omitempty"` // since the fit; nil: none
	Versions    VersionInfo    `json:"versions"`
}

func (r *Run) summary() ModelSummary {
	v := ModelSummary{Method: r.j.spec.Name, Documents: r.Corpus.Len(), Terms: r.j.columns(), Eigenvalues: r.valuesOf(method.Eigenvalue),
		Singular: r.valuesOf(method.SingularValue), Variances: r.valuesOf(method.Variance), MapClasses: r.mapClasses(),
		Graph: r.graphSummary(), Config: Config(r.Settings()), Versions: Versions()}
	if r.Embedding != nil {
		_, v.Dims = r.Embedding.Dims()
	}
	if r.Fitted.Values != nil {
		v.Residuals = r.Fitted.Values.Residuals
	}
	if r.clusters != nil {
		v.Sizes, v.Objective, v.Classes = r.clusters.Sizes, r.clusters.Objective, r.clusters.Classes
	}
	names := make([]string, len(r.Clusters))
	for i, k := range r.Clusters {
		names[i] = k.Major
		if r.HasTerms() {
			v.TopTerms = append(v.TopTerms, nonNil(k.Terms))
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return n != "" }) {
		v.Majority = names
	}
	return v
}

// writeModel writes what new documents need.
func (r *Run) writeModel(w io.Writer) error {
	m, err := r.model()
	if err != nil {
		return err
	}
	return m.Encode(w)
}

// model is what new documents need.
func (r *Run) model() (*model.Model, error) {
	m := &model.Model{Method: r.j.spec.Name, Documents: r.Corpus.Len(), Seed: r.j.Seed}
	if r.hasCopies() { // the rows that it keeps are of the distinct documents
		m.Documents = len(r.j.whole.groups.First)
	}
	var err error
	if m.Summary, err = json.Marshal(r.summary()); err != nil {
		return nil, err
	}
	rows, err := r.modelRows()
	if err != nil {
		return nil, err
	}
	if rows != nil {
		m.Rows = *rows
	}
	if c := r.clusters; c != nil {
		m.Clusters = &model.Clusters{Sizes: c.Sizes, Centers: c.Centers}
		m.Calibration = r.calibration
		if r.j.RejectShare > 0 {
			m.Reject = r.RejectBelow
		}
		if r.j.x != nil && !r.j.share.Divided() && r.Fitted.Placer != nil {
			x, labels := r.distinctRows(c.Labels)
			m.Novelty = model.NewNovelty(x, labels, len(c.Sizes))
		}
	}
	m.Map = r.modelMap()
	if p := r.Fitted.Placer; p != nil {
		m.Part = p
	} else {
		m.Why = r.closed()
	}
	return m, nil
}

// modelRows says how new documents become rows; nil if the affinity was given.
func (r *Run) modelRows() (*model.Rows, error) {
	switch {
	case r.j.x == nil || r.rows != nil:
		return r.rows, nil
	case r.j.vectorRows != nil:
		return r.j.vectorRows, nil
	}
	return r.j.termRows()
}

// termRows says how the terms of new documents become rows.
func (j *job) termRows() (*model.Rows, error) {
	var text *corpus.TextOptions
	if j.isText() {
		opt := j.readOptions().Text
		text = &opt
	}
	rows, err := model.NewRows(j.weighed(), j.Weighting, j.Normalize, text)
	if err != nil {
		return nil, err
	}
	if takesFormat(option.Find(runFields(&j.Options), "strip"), j.corpus.Format) {
		rows.Strip = j.Source.Strip
	}
	return &rows, nil
}

// closed is the reason why the model takes no new documents.
func (r *Run) closed() string {
	switch {
	case r.Fitted.Why != "":
		return r.Fitted.Why
	case r.j.spec.Closed != "":
		return r.j.spec.Closed
	case r.j.graph != nil && r.j.x != nil && r.j.joined == nil:
		return "its graph was made elsewhere (" + r.j.Graph + "), and nothing says how that joined the documents"
	case r.j.x != nil:
		return "the run that made it ended before it had what places them: run it again"
	}
	return "it was made from an affinity matrix, without documents to find neighbours among"
}
