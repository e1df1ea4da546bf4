// Package streaming clusters documents that are not held in memory: it fits on a sample of them,
// and places all by the model of the sample.
package streaming

import (
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Streamed is a clustering of a corpus that is not held in memory: the method was fitted on a
// sample of the documents, and its model places all of them.
type Streamed struct {
	// Run is the clustering of the sample, in the order of the file; Corpus has the documents of
	// the sample alone.
	Run *result.Run
	// Total is what there is of all documents.
	Total Total

	contents *corpus.Contents
	escapes  bool // a name of a document is escaped for spreadsheets
	measured bool // the model measures novelty
}

// Total is what a clustering by a sample says of all documents.
type Total struct {
	Documents int // of the file
	// Sizes count all documents by their clusters, Clusters describe these, and Scores compare them
	// with the true labels; nil before [Streamed.PlaceIn], which see.
	Sizes    []int
	Clusters []result.Group
	Scores   *metrics.Scores
	Scored   int // documents with a true label in a cluster
	// Isolated documents have nothing in common with the sample, Known are equal to documents of
	// it, Novel are not and have a novelty of at least 0.95, and Rejected are in no cluster.
	Isolated, Known, Novel, Rejected int

	// Block is the most documents that are placed together; 0: 8,192, or 16 MiB of texts.
	Block int
}

// Note adds a sentence to the notes of the run; "" is none.
func (s *Streamed) Note(text string) {
	if text != "" {
		s.Run.J.Note(text)
	}
}

// ParseFitOn reads the value of the flag [job.FitOnKey]: "" and 0 are none, auto is -1.
func ParseFitOn(text string) (int, error) {
	if text == "auto" {
		return -1, nil
	}
	if text == "" || text == "0" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		return 0, fault.Wrap(invalid.Errorf("‹%s› %q: give a number of documents, 2 or more, or auto", job.FitOnKey, text))
	}
	return n, nil
}
