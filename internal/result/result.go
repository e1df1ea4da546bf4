// Package result is a run from the fit on: it fits the method, finds the clusters, carries them
// over to copies, measures how sure they are, scores and describes them, and draws maps and levels.
// It keeps what was found.
package result

import (
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Result is what a clustering or an embedding found, or a part of it beside an error.
type Result struct {
	// Labels is the cluster of each document, [Rejected] for none; nil of an embedding.
	Labels []int
	// Distance is how far each document is from the centre of its cluster, in the coordinates in
	// which clusters were found; nil if only the affinity was given.
	Distance []float64
	// Confidence is between 0 and 1: the share of documents like this one that get their class while
	// their known label is hidden, or without enough labels the same cluster again from other
	// documents and a part of the terms (docs/confidence.md), or with Options.Confidence "raw" the
	// method's own score ([method.Spec.Confidence]). 0 of isolated documents; nil if it is not known.
	Confidence []float64
	// Second is the cluster that comes next after each document's: the most probable other one, or
	// the cluster of the nearest other centre; -1 for none, as of isolated documents. nil where
	// confidence is from neither.
	Second []int
	// Novelty of a prediction is how far each document is from the training documents, between 0
	// and 1: the share of these that are nearer to the others of their cluster than it is, in the
	// weighted rows ([model.Novelty]). It depends on no other new document. nil of a fit, and if
	// the model does not measure it.
	Novelty []float64
	// Unlike of a prediction is how unlike all training documents each document is, between 0 and 1,
	// by its novelty and by its terms that the model does not know ([model.Novelty.UnlikeOf]); nil
	// where Novelty is.
	Unlike []float64
	// RejectBelow is the confidence below which documents are in no cluster: Options.Reject, what
	// Options.RejectShare comes to, or what the model of a prediction says; 0: all are in one.
	RejectBelow float64
	// RejectedCount is the number of documents whose confidence is below RejectBelow.
	RejectedCount int
	// Classes is the class of the known labels that each cluster is, "" for none; nil if the
	// clusters have no names.
	Classes []string
	// Sizes counts the documents of each cluster.
	Sizes []int
	// Posterior holds the probability of each cluster, documents × clusters; nil of a hard
	// clustering, and on all ranks but the first.
	Posterior *mat.Dense
	// Embedding has one row per document; nil if the method makes none.
	Embedding *mat.Dense
	// Map has the place of each document in a plane that is made for looking: near are documents
	// that are near in the graph. n × 2, in arbitrary units. nil without Options.Map, and until
	// the results are saved where that is not set.
	Map *mat.Dense
	// Levels are the clusterings with the numbers of clusters that Options.Levels asks for, the
	// smallest first.
	Levels []Level
	// RunnerUp is a second clustering of the same coordinates; nil if there is none, and until the
	// results are saved.
	RunnerUp *RunnerUp
	// Scores compare with the true labels; nil if the corpus has none.
	Scores *metrics.Scores
	// ScoresBy is how Scores take clusters for classes: ByNames, ByModel or ByMatch; "" without
	// scores.
	ScoresBy string
	// Unlabeled are the scores on the documents whose labels were not given; nil if none were
	// given.
	Unlabeled *metrics.Scores
	// Clusters describe each cluster: size, majority class, typical terms.
	Clusters []Group
	// Coherence is how well the terms of the clusters belong together; nil if they have none.
	Coherence *Coherence
	// OverTime are the clusters by the times of the documents; nil without Options.TimeColumn. See
	// [Run.CountOverTime].
	OverTime *overtime.OverTime
	// Fitted is everything that the method found.
	Fitted *method.Fitted
	// Corpus are the documents at work.
	Corpus *corpus.Corpus
	// Search is how the number of clusters was chosen; nil if it was given.
	Search *choosing.Search
	// Choice is how known labels chose the method; nil if it was named, or no labels are known.
	Choice *choosing.Choice
	// Timings are seconds by stage.
	Timings job.Timings
}

// Run is a run from the fit on: its result, and what files and reports need beside it.
type Run struct {
	Result

	J              *job.Job
	Shared         *summary.Graph   // of a graph that the ranks divide; else nil
	graph          *sparse.CSR      // affinities that the ranks divide, for a map; made by Collect on rank 0, else nil
	Drawn          *Run             // the run with the coordinates of all ranks, by which overview drew Map; else nil
	Whole          bool             // Embedding has the documents of all ranks, see Collect
	rows           *model.Rows      // how new documents become rows; made by measureRows, nil before
	novelty        *model.Novelty   // for the model; made by measureRows
	typicality     []float64        // see Typicality; made by measureRows
	measured       bool             // by measureRows
	Command        string           // "cluster" or "embed"
	Found          *method.Clusters // rejected documents are in theirs
	Isolated       []int            // documents with nothing in common with any, ascending
	known          []int            // documents of the model, ascending
	Table          *metrics.Table   // classes × clusters, nil without labels
	Scored         int              // documents with a true label
	rest           *metrics.Table   // of the documents whose label was not given; nil without known labels or if no document is left
	RestSize       int              // of these, those with a true label
	started        time.Time
	trained        *Trained           // of the model that placed the documents; nil: none, or its documents had no labels
	byMajority     bool               // Classes are the classes of most known labels in each cluster, for want of the method's own
	FitOn          int                // documents of the sample asked for; 0: all, in memory
	Elsewhere      []string           // files of the results that were written already
	AsCSV          bool               // the embedding is saved as CSV
	Raw            bool               // texts in CSV files are not escaped for spreadsheets
	tree           *leiden.Tree       // of the levels
	Page           *report.Page       // once it was made
	Orders         []float64          // scores by which the method orders documents; nil if there are none
	TopicCoherence []*TermCoherence   // of a method's own topics
	Calibration    *model.Calibration // of the score; nil: Confidence is the method's own
	Looks          *confidence.Looks  // that Options.LazyConfidence leaves to Calibrate
}

// TakeClusters keeps the clusters that were found; each rank has those of its own documents.
func (r *Run) TakeClusters(c *method.Clusters) {
	c.Labels = ranks.GatherInts(r.J.Share, c.Labels)
	r.Found = c
	r.Labels, r.Sizes, r.Posterior, r.Classes = c.Labels, c.Sizes, c.Posterior, c.Classes
}

// Group describes one cluster of a result.
type Group struct {
	Number     int
	Size       int
	Class      string // class of the known labels that the cluster is; "" if it is none
	Major      string // its most frequent class; "" without labels
	MajorCount int    // documents of that class in it
	Labelled   int    // documents in it that have a class
	// Terms are its most typical terms, the best first; of measurements the columns in which it
	// differs most from the rest, with "high" or "low" behind the name.
	Terms []string
	// Weights are the weights of the terms, at most 1, of measurements the differences in standard
	// deviations, to six decimals; nil if it has no terms. See [corpus.Corpus.TopTerms].
	Weights []float64
	// Differences are the columns of Terms with their means; nil if the terms are no measurements.
	Differences []Difference
	// Coherence is how well the terms belong together; nil if it has fewer than two.
	Coherence *TermCoherence
	// Without says that none of its documents has a term: "documents without words that count", of
	// matrices "documents without entries"; else "".
	Without string
}
