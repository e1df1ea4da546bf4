package method

import (
	"context"
	"strings"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Spec is a method.
type Spec struct {
	// Name is what the user calls it: "le-cas".
	Name string
	// Summary is one line: "Laplacian Eigenmaps: smallest eigenvectors of the neighbour graph".
	Summary string
	// About is the method in full for `eigenmap methods NAME`: idea and equation, a few sentences.
	About string
	// Reference is the publication: "Belkin and Niyogi 2003, Neural Computation 15".
	Reference string
	// Grows is what the time grows with, in one or two symbols: "n²" of the documents, "entries" of
	// the data, "n·d²" with d dimensions, "q³" of the smaller side of the data.
	Grows string
	// Cost is time and memory in n documents, d terms, k clusters, e edges: "n²·d for the graph,
	// ...".
	Cost string

	Needs  Needs
	Yields Yields
	// Single says that it reads rows in single precision as they are ([sparse.Single],
	// [sparse.SingleDense]); of another method [Spec.Fit] copies these to double precision.
	Single bool
	// Divided says that the ranks of an MPI run share its work. Whole is the reason if they do not,
	// a sentence without its full stop.
	Divided bool
	Whole   string
	// New makes the options. The zero value of each field is its default.
	New func() Options
	// Paper are the settings of the method's paper where the defaults are others.
	Paper []Setting
	// Placer makes an empty placer to be read from a model's file; nil if the method places no new
	// documents, for the reason in Closed (a sentence without its full stop).
	Placer func() Placer
	Closed string
}

// Setting is an option's value as text. When are conditions under which it is meant, as in the tag
// `when` of package option; "": always.
type Setting struct{ Name, Value, When string }

// PaperText lists the settings of the method's paper as flags, "" if they are the defaults.
func (s Spec) PaperText() string {
	var parts []string
	for _, p := range s.Paper {
		text := "--" + p.Name + " " + p.Value
		if strings.Contains(p.When, "data=dense") {
			text += " (dense data)"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Need says whether a method takes something.
type Need int

// What a method may need.
const (
	None     Need = iota // it has no use for it
	Optional             // it takes it if it is there
	Required
)

// Needs says what a method takes besides documents.
type Needs struct {
	Labels   Need // labels of a part of the documents
	Links    Need // must-links and cannot-links; Required with Labels Required: one of the two
	Apart    bool // it keeps cannot-links among any number of clusters (links.MustOnly)
	Counts   bool // it works on term counts: they are not weighted unless asked for
	Positive bool // it refuses entries below 0
	Roots    bool // counts are best weighed as roots of tf-idf ("hellinger"), not as tf-idf itself
	Affinity bool // it can work on a given graph in place of documents
	Kernel   bool // a given affinity matrix is a kernel to it: entries may be negative
}

// Naming says how the clusters of a method belong to the classes of the known labels.
type Naming int

// The namings.
const (
	Unnamed      Naming = iota // clusters are numbered by falling size
	ClassesFirst               // cluster c is class c; there may be more clusters than classes
	ClassesOnly                // every cluster is a class
)

// Yields says what a method makes.
type Yields struct {
	// Coordinates: an embedding.
	Coordinates bool
	// Clusters: it finds clusters itself. If it does not, k-means on the coordinates finds them.
	Clusters bool
	// Number says that it finds how many clusters there are where [Input].Clusters is 0.
	Number bool
	// Probabilities of each cluster, for each document.
	Probabilities bool
	// Nested says that the first k coordinates equal an embedding with k dimensions, up to a
	// rotation; rows of unit length are scaled again first.
	Nested bool
	// Spectrum: its values for k clusters begin with the k smallest eigenvalues of the Laplacian of
	// one graph, whatever k is. Of methods that are not Nested.
	Spectrum bool
	// UnitRows: rows of the embedding have length 1, and no option says otherwise.
	UnitRows bool
	// Terms says that k-means on the coordinates lets sparse documents move by their terms
	// (kmeans.ByTerms), unless an option says otherwise.
	Terms bool
	// Dims is the number of coordinates for k clusters unless ‹dims› says it, as far as it is known
	// before the fit; nil: k.
	Dims func(k int) int
	// Likelihood: it finds a Fact "bic", the smaller the better, for the rows that it was fitted
	// to.
	Likelihood bool
	// Confidence defines the confidence of a document's cluster in words, without a full stop; "":
	// the probability of the cluster, or else the distances to the centres ([Spec.Confidence]).
	Confidence string
	// FromLabels says that k-means on the coordinates starts at the means of the known labels,
	// unless another start is asked for.
	FromLabels bool
	Naming     Naming
}

// ThenKMeans says whether k-means on the coordinates finds the clusters.
func (s Spec) ThenKMeans() bool { return !s.Yields.Clusters }

// Options are a method's options: a pointer to a struct with the tags of package option.
type Options interface {
	// Validate lists everything that is wrong with the options by themselves (fs.ErrInvalid).
	Validate() error
	// Fit runs the method. It does not change the options and does not keep the input. Beside an
	// error it returns what was finished, nil if that is nothing.
	//
	// Errors: fs.ErrInvalid if the request or the data are wrong, the context's, and typed ones of
	// work that failed, such as *eigen.NotConvergedError.
	Fit(ctx context.Context, in *Input) (*Fitted, error)
}

// Deciding is implemented by options that leave a decision to the size of the data. Decided returns
// them with the decisions for n rows of d columns, of which labelled have a known label, and for
// the number of clusters. They then hold for a part of the rows and columns too.
type Deciding interface {
	Decided(n, d, labelled, clusters int) Options
}

// Sharer is implemented by options whose method fits rows of which each rank has its own
// ([Input.Share]).
type Sharer interface {
	// Shares reports whether it does so with these options.
	Shares() bool
}

// Placer is what a fitted model keeps to place new rows: it can be stored in a model's file.
type Placer interface {
	model.Part
	// Place puts new rows, of the columns of the training rows, where the method would. What
	// becomes of a row depends on no other row. A training row is put where the fit put it.
	Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*Placement, error)
}

// Grower is a Placer that takes rows which it has placed as further rows to place others by.
type Grower interface {
	Placer
	// Grow returns a Placer of the training rows and, after them, the rows placed, none of which is
	// isolated or known. wide are the same rows with more columns at the end, in which the training
	// rows have no entries, or placed itself. documents is the number that the model was made from.
	// The receiver stays as it is. nil: this one cannot grow.
	Grow(ctx context.Context, placed, wide mat.Matrix, documents int, obs progress.Observer) (Placer, error)
}

// Placement is where new rows are.
type Placement struct {
	Embedding *mat.Dense // a row each; nil if the coordinates are the rows themselves
	Labels    []int      // clusters, if the method finds them itself; else nil
	Posterior *mat.Dense // probability of each cluster, if the method has it; else nil
	// Certainty is how sure the clusters are, if the method finds clusters by neither probabilities
	// nor centres.
	Certainty Certainty
	// Isolated are the new rows with nothing to place them by, ascending.
	Isolated []int
	// Known are the other rows that equal training rows, ascending, if the method can say so.
	Known []int
}

// Amount is a count or a share: 12 components, or 0.9 of the variance.
type Amount = option.Amount
