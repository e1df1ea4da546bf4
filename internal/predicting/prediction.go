package predicting

import (
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/model"
)

// Novel is the novelty from which a document counts as novel: of the training documents, about one
// in twenty does.
const Novel = .95

// NovelCount is the number of documents of a novelty of at least 0.95 that equal none of the
// model's.
func (p *Prediction) NovelCount() int { return p.tally.Novel }

// Tally counts the documents.
func (p *Prediction) Tally() Tally { return p.tally }

// Prediction is where a model puts new documents, in their order.
type Prediction struct {
	// Run holds the documents, their labels (clusters), coordinates and scores: the fields of a
	// clustering, of the new documents.
	*result.Run
	// Model is the model that placed them.
	Model *Model
	// Isolated are documents with nothing in common with the model's, ascending: their places and
	// clusters are arbitrary.
	Isolated []int
	// Known counts the other documents that equal documents of the model, if the method can find
	// them.
	Known int
	// Terms is how the columns met the model's.
	Terms model.Match

	OneView bool // the documents lack one of the views of the model's: terms, vectors or columns

	only     string          // the views that they have
	all      string          // the views of the model
	matching *model.Matching // of the documents' columns; nil of vectors alone for a model of both
	tally    Tally           // of the documents, once they are placed
	unsure   bool            // confidences of documents are known

	// Of documents that are written as they are placed:
	into     *Into          // nil: all of them are held
	blocks   *corpus.Blocks // nil: they are held
	escapes  bool           // a name of a document is escaped for spreadsheets
	numbered bool           // their names are their numbers
	writer   *Writer
	soft     bool                 // the clusters have probabilities
	doubts   int                  // uncertain documents
	least    []artefact.DoubtLine // the least certain of them
}
