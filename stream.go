package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/planning"
	"github.com/eigenmap/eigenmap/internal/streaming"
)

// FitOnKey is the flag and the key of a configuration for the number of documents that a clustering
// of more documents than memory holds is fitted on. It is no option of [Options]: see
// [Prepared.OnSample].
const FitOnKey = job.FitOnKey

// StreamedTotal is what a clustering by a sample says of all documents.
type StreamedTotal = streaming.Total

// Streamed is a clustering of a corpus that is not held in memory: the method was fitted on a
// sample of the documents, and its model places all of them.
type Streamed struct {
	// Run is the clustering of the sample, in the order of the file; Corpus has the documents of
	// the sample alone.
	*Run
	// StreamedTotal is of all documents: Sizes, Clusters, Scores and more.
	*StreamedTotal

	s *streaming.Streamed
}

// OnSample fits on a sample of the documents of a file that is read in one pass and not held: size
// documents, drawn by the seed and their numbers alone, all of them if there are no more.
// [Streamed.PlaceIn] then places all documents by the model, in a second pass.
//
// The clusters, the weights of the terms and the limits of document frequency are the
// sample's: the result is approximate where a fit of all documents would find other clusters, and
// exact as the placement of each document by a given model, which [Predict] repeats.
//
// Time: a pass over the file, and a fit of size documents. Memory: the sample, and what its fit
// takes. Errors: as of [Cluster]; a format that is not read in blocks ([corpus.Survey]); two
// documents of one id; options that are about documents outside of the sample.
func (p *Prepared) OnSample(ctx context.Context, file string, size int) (*Streamed, error) {
	s, err := streaming.OnSample(ctx, p.p, file, size)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	run, _ := newRun(s.Run, nil)
	return &Streamed{run, &s.Total, s}, nil
}

// PlaceIn places all documents of the file by the model of the sample, in a second pass, and writes
// the results into an open folder; out may be nil. clusters.csv, embedding.npy, embedding2d.npy and
// posterior.npy are of all documents and are written as these are placed: their lines are as of
// [Predict] with the model. The other files, the report and the model among them, are of the
// sample; uncertain.csv is not written. All get their names together.
//
// Time: a pass over the file, and what the method takes to place a document. Memory: the model, a
// block of at most 8,192 documents or 16 MiB of texts, and what the method takes to place it.
func (s *Streamed) PlaceIn(ctx context.Context, out *Folder) ([]string, error) {
	return s.s.PlaceIn(ctx, out)
}

// Note adds a sentence to the notes of the run; "" is none.
func (s *Streamed) Note(text string) { s.s.Note(text) }

// StreamJSON is a clustering by a sample as one JSON object: numbers of documents, sizes of
// clusters and scores are of all documents, the rest of the sample.
type StreamJSON = streaming.StreamJSON

// JSON is the clustering as an object for JSON, after [Streamed.PlaceIn].
func (s *Streamed) JSON(name func(string) string, files []string) StreamJSON {
	return s.s.JSON(name, files)
}

// FitOnAuto says whether a clustering of a file needs a sample to fit on: the number of documents
// to give [Prepared.OnSample], the largest of 50,000, 20,000, 10,000 ... 1,000 whose plan fits, 0
// if all documents fit; and a sentence that says what each takes. Errors: as of [MakePlan], and
// where not even 1,000 documents fit.
func FitOnAuto(ctx context.Context, file string, opt Options) (size int, why string, err error) {
	return planning.FitOnAuto(ctx, file, opt)
}

// PlanOnSample is [MakePlan] of [Prepared.OnSample] and [Streamed.PlaceIn]: the fit on so many
// documents, and the two passes over the file. Its Documents, Terms and Entries are of the sample.
// The time of the passes is not known. size -1 is what [FitOnAuto] finds.
func PlanOnSample(ctx context.Context, file string, opt Options, size int) (*Plan, error) {
	p, err := planning.PlanOnSample(ctx, file, opt, size)
	return p, fault.Wrap(err)
}

// ParseFitOn reads the value of the flag [FitOnKey]: "" and 0 are none, auto is -1.
func ParseFitOn(text string) (int, error) { return streaming.ParseFitOn(text) }
