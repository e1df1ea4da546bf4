package suggesting

import "github.com/eigenmap/eigenmap/progress"

// Options say which documents [Results.Suggest] may suggest.
type Options struct {
	// Number of documents to suggest; 0 = 20.
	Number int `flag:"number" short:"n" range:">=1" default:"20" help:"documents to suggest" group:"output"`
	// Labels is a file of labels that are known by now, in the forms of [corpus.ReadLabeling]; "" =
	// those alone that the run was given.
	Labels string `flag:"labels" path:"true" help:"file of the labels that are known by now: id,label; its documents are not suggested" group:"input"`
	// Known are all labels that are known, one per document and "" for none. They replace the
	// labels of the run and of the file Labels; nil: these two count.
	Known []string
	// Observer receives progress.
	Observer progress.Observer
}

// Suggestion is a document to label, or one whose label is known.
type Suggestion struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"` // "" of a document to label
	Cluster    int      `json:"cluster"`
	Class      string   `json:"class,omitempty"` // class of the known labels that the cluster is
	Confidence *float64 `json:"confidence"`      // of the document in its cluster, 0 to 1; nil if not known
	Why        string   `json:"why"`
	Text       string   `json:"text"` // its beginning; "" if the result does not have it
}

// Suggestions are documents to label next, the most useful first, and those with a label.
type Suggestions struct {
	Next  []Suggestion `json:"suggestions"`
	Known []Suggestion `json:"known"` // in the order of the corpus
}
