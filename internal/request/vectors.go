package request

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/mat"
)

// Documents may have a vector each beside their terms, such as an embedding of their text by a
// language model. The rows of the run are then made of these, and the terms describe the clusters:
// no method knows of it.

// Vectors are a vector for each document, by which the documents are compared.
type Vectors struct {
	// File holds them ([corpus.ReadVectors]); "" = none. If both files have ids of the documents,
	// the ids say which vector belongs to which document, else the order does.
	File string `flag:"vectors" path:"true" when:"precomputed!=true" help:"file of a vector for each document, such as embeddings of the texts: .npy, .npz, or lists of numbers in .jsonl, .parquet or .csv; the documents are compared by these, and described by their texts"`
	// Views says by what documents are compared: "vectors", or "words" and "vectors" for both,
	// which then count alike; none = vectors.
	Views []string `flag:"views" choices:"words|vectors" unset:"vectors" help:"what documents are compared by: vectors, or words,vectors for both"`
	// Column is the field, column or variable of the file that holds them; "" = the only one.
	Column string `flag:"vectors-column" when:"vectors" unset:"the only one" help:"field or column of the file of vectors that holds the lists of numbers, or variable of a .npz or .mat file"`
	// Rows are vectors in memory, in place of a file: a row for each document that is read.
	Rows mat.Matrix
}

// vectorOptions are the names of the options of [Vectors].
var vectorOptions = []string{"vectors", "vectors-column", "views"}

// WithVectors reports whether documents are compared by vectors.
func (r *Request) WithVectors() bool { return r.Vectors.File != "" || r.Vectors.Rows != nil }

// checkVectors refuses views that do not fit the vectors.
func (r *Request) checkVectors() error {
	v := &r.Vectors
	switch {
	case v.File != "" && v.Rows != nil:
		return invalid.Errorf("vectors are given in memory and by ‹vectors›: give them in one way")
	case r.Graph != "" && r.WithVectors():
		return invalid.Errorf("‹vectors› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case len(v.Views) > 0 && !r.WithVectors():
		return invalid.Errorf("‹views› has no effect without ‹vectors›: leave it out")
	case len(v.Views) > 0 && !slices.Contains(v.Views, "vectors"):
		return invalid.Errorf("‹views› words compares documents by their terms alone: leave ‹vectors› out")
	}
	return nil
}

// JoinsViews reports whether documents are compared by their terms and by vectors.
func (r *Request) JoinsViews() bool {
	return slices.Contains(r.Vectors.Views, "words") && slices.Contains(r.Vectors.Views, "vectors")
}
