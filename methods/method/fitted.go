package method

import (
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Fitted is what a method found. What it does not make, or did not get to before an error, is nil.
type Fitted struct {
	Embedding *mat.Dense // documents × dimensions
	Values    *Values    // of the coordinates
	Clusters  *Clusters  // if the method finds clusters itself
	Graph     *graph.Graph
	// Landmarks are the documents that Graph is of, ascending, if the others were placed by them;
	// nil: Graph is of all documents. Isolated are then the documents without neighbours,
	// ascending.
	Landmarks, Isolated []int
	// Directions are the terms of each coordinate with their weights, the heaviest first; nil if
	// the coordinates cannot be read so. Topics says that they are the best terms of topics, with
	// probabilities, and are numbered as the clusters are.
	Directions [][]Weight
	Topics     bool
	// Soft are labels that the method began with: documents × classes; nil if it had none.
	Soft *mat.Dense
	// Facts are what else the method found, in the order in which a person reads them.
	Facts []Fact
	// Placer places new rows. If it is nil, Why is the reason, a sentence without its full stop; if
	// Why is empty too, the reason is Spec.Closed, or an affinity graph without documents.
	Placer Placer
	Why    string
	// Used are the options with everything that the fit decided filled in; running them again gives
	// the same result. Same type as the options that were fitted; nil: as they were.
	Used Options
	// Model is the method's own model, of a type of its package.
	Model any
}

// Alone are the documents without neighbours in a graph, ascending; nil without a graph.
func (f *Fitted) Alone() []int {
	switch {
	case f.Landmarks != nil:
		return f.Isolated
	case f.Graph != nil:
		return f.Graph.Isolated
	}
	return nil
}

// Values are the numbers that belong to the coordinates of an embedding, in their order.
type Values struct {
	Kind      string       // Eigenvalue, SingularValue, Variance or another name
	Values    []float64    // one per coordinate
	Classes   []string     // whose map each value belongs to; nil: all are of one problem
	Residuals []float64    // nil if the method has none
	Tol       float64      // that the residuals were to meet; 0: not compared
	Stats     *eigen.Stats // how they were found; nil if no eigensolver was used
	How       string       // further words for the line about them
	Own       bool         // eigenvalues of another matrix than a Laplacian, whose eigenvalues lie between 0 and 2
	OneMinus  bool         // each is 1 − an eigenvalue of the Laplacian of a graph
	LeftOut   int          // eigenvalues 0 before the first coordinate, left out on request
}

// Kinds of values.
const (
	Eigenvalue    = "eigenvalue"
	SingularValue = "singular value"
	Variance      = "variance"
)

// Worst is the largest residual, 0 if there are none.
func (v *Values) Worst() float64 {
	if v == nil || len(v.Residuals) == 0 {
		return 0
	}
	return slices.Max(v.Residuals)
}

// Clusters are clusters that a method found itself. They are numbered by falling size, or as the
// classes given are.
type Clusters struct {
	Labels    []int // cluster of each document
	Sizes     []int
	Objective float64
	Centers   *mat.Dense // a row per cluster, in the coordinates of the Placer; nil if there are none
	// Terms are terms × clusters, columns of unit length: the clusters' terms, by which documents
	// belong to them beside Centers (kmeans.ByTerms); nil if they have no part in it.
	Terms     *sparse.CSR
	Certainty Certainty  // of the documents, if the method finds clusters by neither probabilities nor centres
	Posterior *mat.Dense // documents × clusters, probabilities; nil of a hard clustering
	Classes   []string   // the class among the known labels that each cluster is, "" for none; nil: unnamed
	By        string     // what found them: "k-means"
	How       string     // and how, in words: "12 clusters, best of 10 starts, objective 843.1"
	// Spread says that low probabilities are the rule, so that a count of uncertain documents says
	// nothing.
	Spread bool
}

// Weight is a term's weight in a direction.
type Weight struct {
	Column int     `json:"column"`
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Fact is something that a method found: for programs by ID and Value, for a person on a line of
// its own. Either half may be empty.
type Fact struct {
	ID    string // "adjusted_edges"; "": for a person only
	Value any    // a number, string, bool, []int, [3]int or []float64
	Unit  string // of Value: "share", "documents"; "" for a plain number
	Line  string // heading of the line: "adjusted"; "": for programs only
	Words string // the line's text
}

// Found is a fact for programs.
func Found(id string, value any) Fact { return Fact{ID: id, Value: value} }

// Line is a fact for a person.
func Line(heading, words string) Fact { return Fact{Line: heading, Words: words} }

// Sizes counts the documents of all ranks in each of k clusters. labels are the clusters of this
// rank's documents.
func (in *Input) Sizes(labels []int, k int) []int {
	return ranks.Counts(in.Share, SizesOf(labels, k))
}

// SizesOf counts the documents of each of k clusters.
func SizesOf(labels []int, k int) []int {
	sizes := make([]int, k)
	for _, c := range labels {
		sizes[c]++
	}
	return sizes
}
