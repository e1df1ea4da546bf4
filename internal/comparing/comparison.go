package comparing

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// MeanOf is a mean over the runs of a method with its standard error, 0 for one run.
type MeanOf struct {
	Mean  float64 `json:"mean"`
	Error float64 `json:"error"`
}

// Run is one run of a comparison.
type Run struct {
	Method   string          `json:"method"`
	Seed     uint64          `json:"seed"`
	Clusters int             `json:"clusters"`
	Metrics  *metrics.Scores `json:"metrics,omitempty"`
	// Unlabeled are the scores over the documents without a known label, if any run of the same
	// seed had known labels: the same documents in all runs of a seed, also of methods that use no
	// labels.
	Unlabeled *metrics.Scores `json:"metrics_unlabeled,omitempty"`
	Seconds   float64         `json:"seconds"`
	// Peak is the most memory that the process held during the run, in bytes, corpus included; 0 if
	// the system does not say.
	Peak int64 `json:"peak_bytes,omitempty"`
	// Labels has the cluster of each document. Each cluster has the number of the cluster of the
	// reference run with which it shares most documents, one to one.
	Labels     []int    `json:"-"`
	known      []int    // known labels, -1 for none; nil if the method had none
	knownNames []string // the classes of these
	classes    []string // Run.Classes
	// Failed is why the run has no result.
	Failed string   `json:"failed,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Method is what the runs of one method have in common.
type Method struct {
	Method   string            `json:"method"`
	Runs     int               `json:"runs"` // that have a result
	Failed   int               `json:"failed,omitempty"`
	Clusters MeanOf            `json:"clusters"`
	Metrics  map[string]MeanOf `json:"metrics,omitempty"` // by the names of ScoreFacts
	// Unlabeled are the scores over the documents without a known label; the methods are then in
	// the order of their accuracy there, the best first.
	Unlabeled map[string]MeanOf `json:"metrics_unlabeled,omitempty"`
	// HeldOut is the verdict by known labels that the method did not see, where no other document
	// has a class; the methods are then in the order of its accuracy, the best first. nil: there is
	// none.
	HeldOut *HeldOut `json:"held_out,omitempty"`
	Seconds MeanOf   `json:"seconds"`
	Peak    int64    `json:"peak_bytes,omitempty"` // the largest of the runs
	// Seeds is how well the clusters of two seeds agree on average; nil for fewer than two runs.
	Seeds  *Agreement     `json:"seeds,omitempty"`
	Config map[string]any `json:"config,omitempty"` // of the first run
}

// Agreement of two clusterings, averaged over pairs of runs.
type Agreement struct {
	NMI float64 `json:"nmi"`
	ARI float64 `json:"ari"`
}

// Comparison is the result of [Compare].
type Comparison struct {
	File      string   `json:"file"`
	Documents int      `json:"documents"`
	Seeds     []uint64 `json:"seeds"`
	Methods   []Method `json:"methods"`
	// Notes are sentences about how the file was read, for all runs, options named plainly.
	Notes []string `json:"notes,omitempty"`
	named []string // Notes with options as ‹name›
	// Between[a][b] is how well the clusters of methods a and b agree, averaged over all pairs of
	// their runs; a method with itself: over all pairs of different seeds. nil: there is no such
	// pair.
	Between [][]*Agreement `json:"between"`
	Runs    []Run          `json:"runs"`
	// Reference is the run whose numbers of clusters the others take: the one that agrees best with
	// all others. -1 if no run has a result.
	Reference int          `json:"reference"`
	Stopped   bool         `json:"stopped,omitempty"` // not all runs were made
	Versions  version.Info `json:"versions"`

	corpus   *corpus.Corpus
	heldOut  map[string]*HeldOut // by method
	ranked   []string            // methods with a verdict, the best first
	unjudged []string            // why methods have no verdict, a sentence each
	rawTexts bool                // texts in CSV files are not escaped for spreadsheets
}

// HasUnlabeled says whether there are scores over the documents without a known label.
func (c *Comparison) HasUnlabeled() bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Unlabeled != nil })
}

// namedScore is a score under its name in JSON.
type namedScore struct {
	name  string
	value float64
}

// scoreValues are scores by their names in JSON, in the order of view.ScoreFacts; none of nil.
func scoreValues(s *metrics.Scores) []namedScore {
	if s == nil {
		return nil
	}
	return []namedScore{{"accuracy", s.Accuracy}, {"nmi", s.NMI}, {"ari", s.ARI}, {"fmi", s.FMI}, {"purity", s.Purity}, {"f_measure", s.FMeasure}, {"macro_f1", s.MacroF1}}
}

// String is the mean with its error: "0.719 ± 0.004".
func (m MeanOf) String() string { return m.text("%.3f") }

func (m MeanOf) text(format string) string {
	text := fmt.Sprintf(format, m.Mean)
	if m.Error > 0 {
		text += " ± " + fmt.Sprintf(format, m.Error)
	}
	return text
}
