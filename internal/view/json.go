package view

import (
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// ClusterJSON is a clustering as one JSON object.
type ClusterJSON struct {
	Method    string            `json:"method"`
	File      string            `json:"file"`
	Documents int               `json:"documents"`
	Terms     int               `json:"terms"`
	Clusters  int               `json:"clusters"`
	Classes   int               `json:"classes"`
	Labeled   int               `json:"labeled"` // documents whose labels the method was given
	Links     *job.LinksSummary `json:"constraints,omitempty"`
	Seed      uint64            `json:"seed"`
	Scored    int               `json:"scored"` // documents with a true label, on which the metrics rest
	Metrics   *metrics.Scores   `json:"metrics,omitempty"`
	// AccuracyBy says how accuracy and macro-F1 take clusters for classes: by their "names", or by the
	// best "match".
	AccuracyBy  string                 `json:"accuracy_by,omitempty"`
	Unlabeled   *metrics.Scores        `json:"metrics_unlabeled,omitempty"` // on the scored documents whose labels were not given
	Eigenvalues summary.Numbers        `json:"eigenvalues"`
	Singular    summary.Numbers        `json:"singular_values,omitempty"`
	Variances   summary.Numbers        `json:"variances,omitempty"`
	Directions  [][]method.Weight      `json:"directions,omitempty"`    // terms of each coordinate with their weights, the heaviest first
	Topics      [][]method.Weight      `json:"topics,omitempty"`        // the terms that set each topic apart, the best first, with their probabilities
	Found       map[string]any         `json:"found,omitempty"`         // further facts that the method found
	Search      *choosing.Search       `json:"k_search,omitempty"`      // how the number of clusters was chosen
	Choice      *choosing.Choice       `json:"method_choice,omitempty"` // how known labels chose the method
	Views       []job.View             `json:"views,omitempty"`         // what the documents were compared by, if that is more than one
	Objective   float64                `json:"objective"`
	Sizes       []int                  `json:"cluster_sizes"`
	Named       []string               `json:"cluster_classes,omitempty"` // class of the known labels that each cluster is
	TopTerms    [][]string             `json:"top_terms,omitempty"`
	Without     []int                  `json:"without_terms,omitempty"` // clusters of which no document has a term
	Differences [][]result.Difference  `json:"differences,omitempty"`   // the columns of top_terms with their means, of measurements
	Levels      []result.Level         `json:"levels,omitempty"`        // the clusters merged and divided, as ‹levels› asks
	RunnerUp    *result.RunnerUp       `json:"runner_up,omitempty"`     // a second clustering of the same coordinates, of a run that was saved
	Coherence   *result.Coherence      `json:"coherence,omitempty"`     // of the terms
	OverTime    *overtime.OverTime     `json:"topics_over_time,omitempty"`
	Placed      result.PlacedCounts    `json:"placed"`
	Reject      float64                `json:"reject"`              // the least confidence of a document in a cluster
	Rejected    int                    `json:"rejected"`            // documents below it
	Uncertain   *result.Uncertain      `json:"uncertain,omitempty"` // of a soft clustering
	Graph       *summary.Graph         `json:"graph,omitempty"`
	Eigen       *summary.Eigen         `json:"eigen,omitempty"`
	Duplicates  *result.DuplicatesJSON `json:"duplicates,omitempty"` // if documents equal others
	Notes       []string               `json:"notes"`
	Warnings    []job.Warning          `json:"warnings"`           // the notes that warn
	Remedies    []result.Remedy        `json:"remedies,omitempty"` // options that notes say may help
	Files       []string               `json:"files"`
	Timings     job.Timings            `json:"timings"`
	Config      map[string]any         `json:"config"`
	Versions    version.Info           `json:"versions"`
}

// EmbedJSON is an embedding as one JSON object.
type EmbedJSON struct {
	Method      string                 `json:"method"`
	File        string                 `json:"file"`
	Documents   int                    `json:"documents"`
	Terms       int                    `json:"terms"`
	Dims        int                    `json:"dims"`
	Seed        uint64                 `json:"seed"`
	Labeled     int                    `json:"labeled"` // documents whose labels the method was given
	Links       *job.LinksSummary      `json:"constraints,omitempty"`
	Eigenvalues summary.Numbers        `json:"eigenvalues"`
	Singular    summary.Numbers        `json:"singular_values,omitempty"`
	Variances   summary.Numbers        `json:"variances,omitempty"`
	Residuals   summary.Numbers        `json:"residuals"`
	Topics      [][]method.Weight      `json:"topics,omitempty"`      // the terms that set each topic apart, the best first, with their probabilities
	Found       map[string]any         `json:"found,omitempty"`       // further facts that the method found
	MapClasses  []string               `json:"map_classes,omitempty"` // the class of each dimension, if each is a map of its own
	Views       []job.View             `json:"views,omitempty"`       // what the documents were compared by, if that is more than one
	Graph       *summary.Graph         `json:"graph,omitempty"`
	Eigen       *summary.Eigen         `json:"eigen,omitempty"`
	Duplicates  *result.DuplicatesJSON `json:"duplicates,omitempty"` // if documents equal others
	Notes       []string               `json:"notes"`
	Warnings    []job.Warning          `json:"warnings"` // the notes that warn
	Files       []string               `json:"files"`
	Timings     job.Timings            `json:"timings"`
	Config      map[string]any         `json:"config"`
	Versions    version.Info           `json:"versions"`
}

// OfClustering is the clustering as an object for JSON. name writes the names of options in the
// notes; files are the paths that were written.
func OfClustering(r *result.Run, name func(string) string, files []string) ClusterJSON {
	f := r.Fitted
	v := ClusterJSON{
		Method: r.J.Spec.Name, File: r.J.File, Documents: r.Corpus.Len(), Terms: r.J.Columns(), Clusters: len(r.Sizes),
		Seed: r.J.Seed, Labeled: r.J.Prior.Count, Links: r.J.Prior.Summary(), Eigenvalues: ValuesOf(r, method.Eigenvalue),
		Singular: ValuesOf(r, method.SingularValue), Variances: ValuesOf(r, method.Variance), Objective: r.Found.Objective, Sizes: r.Sizes,
		Eigen: summary.OfValues(f.Values), Duplicates: r.Duplicates(), Notes: words.NotNil(r.NotesAs(name)), Remedies: r.Remedies(name), Warnings: r.Warnings(name), Files: words.NotNil(files), Timings: r.Timings, Config: job.Config(r.Settings()),
		Versions: version.Current(), Uncertain: r.Uncertain(), Directions: f.Directions, Found: found(f.Facts), Named: r.Classes,
		Coherence: r.Coherence, OverTime: r.OverTime, Search: r.Search, Choice: r.Choice, Views: r.J.Views, Metrics: r.Scores, AccuracyBy: r.ScoresBy, Unlabeled: r.Unlabeled, Graph: GraphOf(r), Placed: r.PlacedCounts(), Reject: r.RejectBelow, Rejected: r.RejectedCount, Levels: r.Levels, RunnerUp: r.RunnerUp,
	}
	if f.Topics {
		v.Directions, v.Topics = nil, f.Directions
	}
	if r.Table != nil {
		v.Classes, v.Scored = len(r.Table.Classes), r.Scored
	}
	if r.HasTerms() {
		for _, k := range r.Clusters {
			v.TopTerms = append(v.TopTerms, words.NotNil(k.Terms))
			if k.Without != "" {
				v.Without = append(v.Without, k.Number)
			}
		}
		v.Differences = result.DifferencesOf(r.Clusters)
	}
	return v
}

// OfEmbedding is the embedding as an object for JSON.
func OfEmbedding(r *result.Run, name func(string) string, files []string) EmbedJSON {
	f := r.Fitted
	v := EmbedJSON{
		Method: r.J.Spec.Name, File: r.J.File, Documents: r.Corpus.Len(), Terms: r.J.Columns(), Seed: r.J.Seed,
		Labeled: r.J.Prior.Count, Links: r.J.Prior.Summary(), Eigenvalues: ValuesOf(r, method.Eigenvalue),
		Singular: ValuesOf(r, method.SingularValue), Variances: ValuesOf(r, method.Variance), Found: found(f.Facts),
		MapClasses: MapClasses(r), Views: r.J.Views, Graph: GraphOf(r), Eigen: summary.OfValues(f.Values), Duplicates: r.Duplicates(), Notes: words.NotNil(r.NotesAs(name)),
		Warnings: r.Warnings(name), Files: words.NotNil(files), Timings: r.Timings, Config: job.Config(r.Settings()), Versions: version.Current(),
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
