package predicting

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// PredictionJSON is a prediction as one JSON object.
type PredictionJSON struct {
	Model       string                   `json:"model"`
	Method      string                   `json:"method"`
	File        string                   `json:"file"`
	Documents   int                      `json:"documents"`
	Terms       int                      `json:"terms"`
	Matched     string                   `json:"terms_matched_by"` // "order", "name" or "stem"
	Unknown     int                      `json:"unknown_terms"`    // that the model does not have
	Missing     int                      `json:"missing_terms"`    // of the model, that FILE does not have
	Isolated    int                      `json:"isolated"`
	Known       int                      `json:"known"`                 // documents with the terms of one of the model's
	Novel       *int                     `json:"novel,omitempty"`       // documents of a novelty of at least 0.95 that are not known; left out if the model does not measure it
	Reject      float64                  `json:"reject"`                // the least confidence of a document in a cluster
	Auto        bool                     `json:"reject_auto,omitempty"` // documents unlike the model's are in no cluster
	Rejected    int                      `json:"rejected"`
	Clusters    int                      `json:"clusters"`
	Sizes       []int                    `json:"cluster_sizes"`
	Named       []string                 `json:"cluster_classes,omitempty"` // class of the model's known labels that each cluster is
	TopTerms    [][]string               `json:"top_terms,omitempty"`       // that the model has for each cluster, the best first
	Differences [][]result.Difference    `json:"differences,omitempty"`     // the columns of top_terms with their means, of measurements
	Classes     int                      `json:"classes"`
	Scored      int                      `json:"scored"`
	Typical     [][]artefact.TypicalText `json:"typical,omitempty"` // texts of the most typical documents that the model has for each cluster
	Metrics     *metrics.Scores          `json:"metrics,omitempty"`
	// AccuracyBy says how accuracy and macro-F1 take clusters for classes: by their "names", by the
	// labels of the "model", or by the best "match" with the documents' own classes.
	AccuracyBy string            `json:"accuracy_by,omitempty"`
	Uncertain  *result.Uncertain `json:"uncertain,omitempty"` // of a soft model
	Notes      []string          `json:"notes"`
	Warnings   []job.Warning     `json:"warnings"` // the notes that warn
	Files      []string          `json:"files"`
	Timings    job.Timings       `json:"timings"`
	Versions   version.Info      `json:"versions"`
}

// JSON is the prediction as an object for JSON.
func (p *Prediction) JSON(name func(string) string, files []string) PredictionJSON {
	_, cols := p.Corpus.X.Dims()
	v := PredictionJSON{
		Model: p.Model.name(), Method: p.Model.Method(), File: p.Run.J.File, Documents: p.Corpus.Len(), Terms: cols, Matched: p.Terms.By,
		Unknown: p.Terms.New, Missing: p.Terms.Missing, Isolated: p.tally.Isolated, Known: p.Known, Reject: p.RejectBelow, Auto: p.Run.J.RejectAuto, Rejected: p.RejectedCount, Clusters: len(p.Sizes), Sizes: p.Sizes,
		Named: p.Classes, TopTerms: p.Model.Summary.TopTerms, Differences: p.Model.Summary.Differences, Typical: p.Model.Summary.Typical, Metrics: p.Scores, AccuracyBy: p.ScoresBy, Notes: words.NotNil(p.NotesAs(name)), Warnings: p.Warnings(name), Files: words.NotNil(files), Timings: p.Timings, Versions: version.Current(),
	}
	if v.Sizes == nil {
		v.Sizes = []int{}
	}
	if p.tally.Measured {
		count := p.NovelCount()
		v.Novel = &count
	}
	if p.Sizes != nil {
		v.Uncertain = p.uncertain()
	}
	if p.Run.Table != nil {
		v.Classes, v.Scored = len(p.Run.Table.Classes), p.Run.Scored
	}
	return v
}

// Rows are the lines about the model and the documents.
func (p *Prediction) Rows() [][]string {
	return [][]string{
		{"model", fmt.Sprintf("%s: %s, of %s", p.Model.name(), p.Model.Method(), words.Counted(p.Model.Documents(), "document"))},
		{"read", p.Run.J.File + ": " + p.Run.J.CorpusText()},
		{"placed", fmt.Sprintf("%s, %d without anything in common with the model's, %d with the terms of one of them", words.Counted(p.Corpus.Len(), "document"), p.tally.Isolated, p.Known)},
	}
}
