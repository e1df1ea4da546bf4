package eigenmap

import (
	"encoding/json"
	"strconv"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// MarshalJSON keeps milliseconds: more digits would be noise.
func (t Timings) MarshalJSON() ([]byte, error) {
	m := make(map[string]json.Number, len(t.Seconds))
	for k, v := range t.Seconds {
		m[k] = json.Number(strconv.FormatFloat(v, 'f', 3, 64))
	}
	return json.Marshal(m)
}

// ClusterJSON is a clustering as one JSON object.
type ClusterJSON struct {
	Method      string            `json:"method"`
	File        string            `json:"file"`
	Documents   int               `json:"documents"`
	Terms       int               `json:"terms"`
	Clusters    int               `json:"clusters"`
	Classes     int               `json:"classes"`
	Labeled     int               `json:"labeled"` // documents whose labels the method was given
	Links       *LinksSummary     `json:"constraints,omitempty"`
	Seed        uint64            `json:"seed"`
	Scored      int               `json:"scored"` // documents with a true label, on which the metrics rest
	Metrics     *metrics.Scores   `json:"metrics,omitempty"`
	Unlabeled   *metrics.Scores   `json:"metrics_unlabeled,omitempty"` // on the scored documents whose labels were not given
	Eigenvalues Numbers           `json:"eigenvalues"`
	Singular    Numbers           `json:"singular_values,omitempty"`
	Variances   Numbers           `json:"variances,omitempty"`
	Directions  [][]method.Weight `json:"directions,omitempty"`    // terms of each coordinate with their weights, the heaviest first
	Topics      [][]method.Weight `json:"topics,omitempty"`        // the terms that set each topic apart, the best first, with their probabilities
	Found       map[string]any    `json:"found,omitempty"`         // further facts that the method found
	Search      *Search           `json:"k_search,omitempty"`      // how the number of clusters was chosen
	Choice      *Choice           `json:"method_choice,omitempty"` // how known labels chose the method
	Objective   float64           `json:"objective"`
	Sizes       []int             `json:"cluster_sizes"`
	Named       []string          `json:"cluster_classes,omitempty"` // class of the known labels that each cluster is
	TopTerms    [][]string        `json:"top_terms,omitempty"`
	Levels      []Level           `json:"levels,omitempty"`    // the clusters merged and divided, as ‹levels› asks
	Coherence   *Coherence        `json:"coherence,omitempty"` // of the terms
	OverTime    *OverTime         `json:"topics_over_time,omitempty"`
	Placed      PlacedCounts      `json:"placed"`
	Reject      float64           `json:"reject"`              // the least confidence of a document in a cluster
	Rejected    int               `json:"rejected"`            // documents below it
	Uncertain   *Uncertain        `json:"uncertain,omitempty"` // of a soft clustering
	Graph       *GraphSummary     `json:"graph,omitempty"`
	Eigen       *EigenSummary     `json:"eigen,omitempty"`
	Duplicates  *DuplicatesJSON   `json:"duplicates,omitempty"` // if documents equal others
	Notes       []string          `json:"notes"`
	Warnings    []Warning         `json:"warnings"` // the notes that warn
	Files       []string          `json:"files"`
	Timings     Timings           `json:"timings"`
	Config      map[string]any    `json:"config"`
	Versions    VersionInfo       `json:"versions"`
}

// EmbedJSON is an embedding as one JSON object.
type EmbedJSON struct {
	Method      string            `json:"method"`
	File        string            `json:"file"`
	Documents   int               `json:"documents"`
	Terms       int               `json:"terms"`
	Dims        int               `json:"dims"`
	Seed        uint64            `json:"seed"`
	Labeled     int               `json:"labeled"` // documents whose labels the method was given
	Links       *LinksSummary     `json:"constraints,omitempty"`
	Eigenvalues Numbers           `json:"eigenvalues"`
	Singular    Numbers           `json:"singular_values,omitempty"`
	Variances   Numbers           `json:"variances,omitempty"`
	Residuals   Numbers           `json:"residuals"`
	Topics      [][]method.Weight `json:"topics,omitempty"`      // the terms that set each topic apart, the best first, with their probabilities
	Found       map[string]any    `json:"found,omitempty"`       // further facts that the method found
	MapClasses  []string          `json:"map_classes,omitempty"` // the class of each dimension, if each is a map of its own
	Graph       *GraphSummary     `json:"graph,omitempty"`
	Eigen       *EigenSummary     `json:"eigen,omitempty"`
	Duplicates  *DuplicatesJSON   `json:"duplicates,omitempty"` // if documents equal others
	Notes       []string          `json:"notes"`
	Warnings    []Warning         `json:"warnings"` // the notes that warn
	Files       []string          `json:"files"`
	Timings     Timings           `json:"timings"`
	Config      map[string]any    `json:"config"`
	Versions    VersionInfo       `json:"versions"`
}

// ClusterJSON is the clustering as an object for JSON. name writes the names of options in the
// notes; files are the paths that were written.
func (r *Run) ClusterJSON(name func(string) string, files []string) ClusterJSON {
	f := r.Fitted
	v := ClusterJSON{
		Method: r.j.spec.Name, File: r.j.file, Documents: r.Corpus.Len(), Terms: r.j.columns(), Clusters: len(r.Sizes),
		Seed: r.j.Seed, Labeled: r.j.known.count, Links: r.j.known.summary(), Eigenvalues: r.valuesOf(method.Eigenvalue),
		Singular: r.valuesOf(method.SingularValue), Variances: r.valuesOf(method.Variance), Objective: r.clusters.Objective, Sizes: r.Sizes,
		Eigen: summarizeEigen(f.Values), Duplicates: r.Duplicates(), Notes: nonNil(r.NotesAs(name)), Warnings: r.Warnings(name), Files: nonNil(files), Timings: r.Timings, Config: Config(r.Settings()),
		Versions: Versions(), Uncertain: r.Uncertain(), Directions: f.Directions, Found: found(f.Facts), Named: r.Classes,
		Coherence: r.Coherence, OverTime: r.OverTime, Search: r.Search, Choice: r.Choice, Metrics: r.Scores, Unlabeled: r.Unlabeled, Graph: r.graphSummary(), Placed: r.placedCounts(), Reject: r.RejectBelow, Rejected: r.RejectedCount, Levels: r.Levels,
	}
	if f.Topics {
		v.Directions, v.Topics = nil, f.Directions
	}
	if r.table != nil {
		v.Classes, v.Scored = len(r.table.Classes), r.scored
	}
	if r.HasTerms() {
		for _, k := range r.Clusters {
			v.TopTerms = append(v.TopTerms, nonNil(k.Terms))
		}
	}
	return v
}

// EmbedJSON is the embedding as an object for JSON.
func (r *Run) EmbedJSON(name func(string) string, files []string) EmbedJSON {
	f := r.Fitted
	v := EmbedJSON{
		Method: r.j.spec.Name, File: r.j.file, Documents: r.Corpus.Len(), Terms: r.j.columns(), Seed: r.j.Seed,
		Labeled: r.j.known.count, Links: r.j.known.summary(), Eigenvalues: r.valuesOf(method.Eigenvalue),
		Singular: r.valuesOf(method.SingularValue), Variances: r.valuesOf(method.Variance), Found: found(f.Facts),
		MapClasses: r.mapClasses(), Graph: r.graphSummary(), Eigen: summarizeEigen(f.Values), Duplicates: r.Duplicates(), Notes: nonNil(r.NotesAs(name)),
		Warnings: r.Warnings(name), Files: nonNil(files), Timings: r.Timings, Config: Config(r.Settings()), Versions: Versions(),
	}
	if r.Embedding != nil {
		_, v.Dims = r.Embedding.Dims()
	}
	if f.Values != nil {
		v.Residuals = f.Values.Residuals
	}
	if f.Topics {
		v.Topics = f.Directions
	}
	return v
}

// mapClasses names the class of each coordinate, if each is a map of its own.
func (r *Run) mapClasses() []string {
	if r.Fitted.Values == nil {
		return nil
	}
	return r.Fitted.Values.Classes
}

// GraphJSON is a graph as one JSON object.
type GraphJSON struct {
	File      string         `json:"file"`
	Documents int            `json:"documents"`
	Terms     int            `json:"terms"`
	Graph     GraphSummary   `json:"graph"`
	Notes     []string       `json:"notes"`
	Files     []string       `json:"files"`
	Timings   Timings        `json:"timings"`
	Config    map[string]any `json:"config"`
	Versions  VersionInfo    `json:"versions"`
}

// JSON is the graph as an object for JSON.
func (r *GraphRun) JSON(name func(string) string, files []string) GraphJSON {
	return GraphJSON{File: r.j.file, Documents: r.j.corpus.Len(), Terms: r.j.columns(), Graph: SummarizeGraph(r.Graph), Notes: nonNil(r.NotesAs(name)),
		Files: nonNil(files), Timings: r.Timings, Config: Config(r.Settings()), Versions: Versions()}
}

// nonNil makes an empty list of nil, so that JSON shows [] and not null.
func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
