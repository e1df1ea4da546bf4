package eigenmap

import (
	"math"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Run is a finished clustering or embedding, or a partial one beside an error.
type Run struct {
	// Labels is the cluster of each document, [Rejected] for none; nil of an embedding.
	Labels []int
	// Distance is how far each document is from the centre of its cluster, in the coordinates in
	// which clusters were found; nil if only the affinity was given.
	Distance []float64
	// Confidence is between 0 and 1: the share of documents like this one that get the same cluster
	// again from other documents and a part of the terms (docs/confidence.md), or with
	// Options.Confidence "raw" the method's own score ([method.Spec.Confidence]). 0 of isolated
	// documents; nil if it is not known.
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
	// that are near in the graph. n × 2, in arbitrary units. nil without [Options.Map], and until
	// the results are saved where that is not set.
	Map *mat.Dense
	// Levels are the clusterings with the numbers of clusters that Options.Levels asks for, the
	// smallest first.
	Levels []Level
	// Scores compare with the true labels; nil if the corpus has none.
	Scores *metrics.Scores
	// Unlabeled are the scores on the documents whose labels were not given; nil if none were
	// given.
	Unlabeled *metrics.Scores
	// Clusters describe each cluster: size, majority class, typical terms.
	Clusters []Group
	// Coherence is how well the terms of the clusters belong together; nil if they have none.
	Coherence *Coherence
	// OverTime are the clusters by the times of the documents; nil without Options.TimeColumn. See
	// [Run.CountOverTime].
	OverTime *OverTime
	// Fitted is everything that the method found.
	Fitted *method.Fitted
	// Corpus are the documents at work.
	Corpus *corpus.Corpus
	// Search is how the number of clusters was chosen; nil if it was given.
	Search *Search
	// Choice is how known labels chose the method; nil if it was named, or no labels are known.
	Choice *Choice
	// Timings are seconds by stage.
	Timings Timings

	j              *job
	shared         *GraphSummary    // of a graph that the ranks divide; else nil
	graph          *sparse.CSR      // affinities that the ranks divide, for a map; made by Collect on rank 0, else nil
	whole          bool             // Embedding has the documents of all ranks, see Collect
	rows           *model.Rows      // how new documents become rows; made by Collect, nil before
	command        string           // "cluster" or "embed"
	clusters       *method.Clusters // rejected documents are in theirs
	isolated       []int            // documents with nothing in common with any, ascending
	known          []int            // documents of the model, ascending
	table          *metrics.Table   // classes × clusters, nil without labels
	scored         int              // documents with a true label
	rest           *metrics.Table   // of the documents whose label was not given; nil without known labels or if no document is left
	restSize       int              // of these, those with a true label
	started        time.Time
	byMajority     bool               // Classes are the classes of most known labels in each cluster, for want of the method's own
	asCSV          bool               // the embedding is saved as CSV
	fitOn          int                // documents of the sample asked for ([Prepared.OnSample]); 0: none
	elsewhere      []string           // files of the results that were written already
	rawTexts       bool               // texts in CSV files are not escaped for spreadsheets
	tree           *leiden.Tree       // of the levels
	page           *report.Page       // once it was made
	orders         []float64          // scores by which the method orders documents; nil if there are none
	topicCoherence []*TermCoherence   // of a method's own topics
	calibration    *model.Calibration // of the score; nil: Confidence is the method's own
}

// orEmpty makes an empty corpus of none.
func orEmpty(c *corpus.Corpus) *corpus.Corpus {
	if c == nil {
		return &corpus.Corpus{Name: "corpus"}
	}
	return c
}

func (r *Run) takeClusters(c *method.Clusters) {
	c.Labels = ranks.GatherInts(r.j.share, c.Labels)
	r.clusters = c
	r.Labels, r.Sizes, r.Posterior, r.Classes = c.Labels, c.Sizes, c.Posterior, c.Classes
}

// graphOptions are the options of a run that builds a graph alone.
type graphOptions struct {
	Kind  graph.Kind    `flag:"graph-kind" choices:"knn|complete" default:"knn" help:"join the nearest neighbours; the complete graph is for cluster and embed alone" group:"graph"`
	Graph graph.Options `flags:"*" group:"graph"`
}

// GraphRun is a graph that was built or read.
type GraphRun struct {
	Graph   *graph.Graph
	Timings Timings
	j       *job
	own     *graphOptions
}

// Group describes one cluster of a result.
type Group struct {
	Number     int
	Size       int
	Class      string   // class of the known labels that the cluster is; "" if it is none
	Major      string   // its most frequent class; "" without labels
	MajorCount int      // documents of that class in it
	Labelled   int      // documents in it that have a class
	Terms      []string // its most typical terms, the best first
	// Weights are the weights of the terms, at most 1, to six decimals; nil if it has no terms. See
	// [corpus.Corpus.TopTerms].
	Weights []float64
	// Coherence is how well the terms belong together; nil if it has fewer than two.
	Coherence *TermCoherence
}

// Search is how the number of clusters was chosen.
type Search struct {
	By       choosek.Rule `json:"by"`
	Why      string       `json:"why"` // why by this rule
	From     int          `json:"from"`
	To       int          `json:"to"`
	Clusters int          `json:"clusters"` // the number chosen
	// RunnersUp are the next best numbers, the best first.
	RunnersUp []int `json:"runners_up"`
	// Evidence says how well the data support the number, and Because why, as words without a full
	// stop.
	Evidence choosek.Evidence `json:"evidence"`
	Because  string           `json:"because"`
	// Candidates are the number chosen and its runners-up as levels of the communities of the
	// neighbour graph; nil under other rules than modularity.
	Candidates []SearchCandidate `json:"candidates,omitempty"`
	Points     []SearchPoint     `json:"points"`
	// Eigenvalues has the eigenvalues of the graph's Laplacian, a few beyond the last k, so that
	// gaps can be seen; nil if the method has none. It begins with number LeftOut + 1 of the
	// spectrum.
	Eigenvalues Numbers `json:"eigenvalues,omitempty"`
	LeftOut     int     `json:"eigenvalues_left_out,omitempty"`
	// Sampled is the number of documents that silhouettes were measured on, drawn by Seed; 0: all,
	// or no silhouettes.
	Sampled int `json:"sampled,omitempty"`
	// Pairs of parts of Share of the documents, drawn by Seed, were compared for stability; 0 under
	// another rule.
	Pairs int     `json:"pairs,omitempty"`
	Share float64 `json:"share,omitempty"`
	Seed  uint64  `json:"seed"`
}

// SearchCandidate is what a number of clusters makes of the communities of the neighbour graph.
type SearchCandidate struct {
	K          int     `json:"k"`
	Modularity float64 `json:"modularity"`
	Largest    int     `json:"largest"` // documents of the largest and of the smallest cluster
	Smallest   int     `json:"smallest"`
	Agreement  float64 `json:"agreement"` // NMI with the clusters of the number chosen
}

// SearchPoint is the score of one number of clusters.
type SearchPoint struct {
	K int `json:"k"`
	// Score is null if the number could not be judged: an eigenvalue is missing, or only one
	// cluster is not empty.
	Score *float64 `json:"score"`
	Error float64  `json:"error,omitempty"` // standard error of the score
}

// Numbers is a list of float64 that JSON can always hold: a value that is not finite becomes null.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// GraphSummary describes an affinity graph.
type GraphSummary struct {
	// Kind is "complete" of the complete cosine graph, whose edges are not counted: that would form
	// it. Edges, Degree and their JSON are then left out. Else it is empty.
	Kind       string     `json:"kind,omitempty"`
	Nodes      int        `json:"nodes"`
	Edges      int        `json:"edges"`
	Degree     [3]int     `json:"neighbors_min_median_max"` // edges of a node
	Weight     [3]float64 `json:"degree_min_median_max"`    // sum of weights of a node
	Components int        `json:"components"`
	Sizes      []int      `json:"component_sizes"` // largest first, at most 20
	Isolated   int        `json:"isolated"`
}

// EigenSummary is how an eigenproblem was solved.
type EigenSummary struct {
	Solver      string  `json:"solver"`
	Why         string  `json:"why,omitempty"`
	Products    int     `json:"products"`
	Restarts    int     `json:"restarts"`
	Deflated    int     `json:"deflated"`
	MaxResidual float64 `json:"max_residual"`
	// Inertia is the count of eigenvalues that proves the result complete; nil if none was made.
	Inertia *eigen.Inertia `json:"inertia,omitempty"`
}
