package eigenmap

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/native"
)

// FitOnKey is the flag and the key of a configuration for the number of documents that a clustering
// of more documents than memory holds is fitted on. It is no option of [Options]: see
// [Prepared.OnSample].
const FitOnKey = "fit-on"

// Streamed is a clustering of a corpus that is not held in memory: the method was fitted on a sample
// of the documents, and its model places all of them.
type Streamed struct {
	// Run is the clustering of the sample, in the order of the file; Corpus has the documents of the
	// sample alone.
	*Run
	Documents int // of the file
	// Sizes count all documents by their clusters, Clusters describe these, and Scores compare them
	// with the true labels; nil before [Streamed.PlaceIn], which see.
	Sizes    []int
	Clusters []Group
	Scores   *metrics.Scores
	Scored   int // documents with a true label in a cluster
	// Isolated documents have nothing in common with the sample, Known are equal to documents of it,
	// Novel have a novelty of at least 0.95, and Rejected are in no cluster.
	Isolated, Known, Novel, Rejected int

	contents *corpus.Contents
	escapes  bool // a name of a document is escaped for spreadsheets
	measured bool // the model measures novelty
}

// OnSample fits on a sample of the documents of a file that is read in one pass and not held: size
// documents, drawn by the seed and their numbers alone ([outofcore.Sample]), all of them if there
// are no more. [Streamed.PlaceIn] then places all documents by the model, in a second pass.
//
// The clusters, the weights of the terms and the limits of document frequency are those of the
// sample: the result is approximate where a fit of all documents would find other clusters, and
// exact as the placement of each document by a given model, which [Predict] repeats.
//
// Time: a pass over the file, and a fit of size documents. Memory: the sample, and what its fit
// takes. Errors: as of [Cluster]; a format that is not read in blocks ([corpus.Survey]); two
// documents of one id; options that are about documents outside of the sample.
func (p *Prepared) OnSample(ctx context.Context, file string, size int) (*Streamed, error) {
	defer native.Hold()()
	s := &Streamed{Run: p.newRun(file)}
	j := s.Run.j
	err := s.Run.checkStreamed(ctx, size)
	if err == nil {
		err = j.settleText(ctx)
	}
	if err == nil {
		err = j.checkSource(ctx)
	}
	if err == nil {
		err = s.draw(ctx, size)
	}
	if err != nil {
		return nil, wrapped(err)
	}
	s.Run.fitOn = size
	if err = j.settle(ctx); err != nil {
		return nil, wrapped(j.inDocuments(err))
	}
	if s.Run, err = s.Run.finish(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// checkStreamed refuses what a run over a sample cannot do.
func (r *Run) checkStreamed(ctx context.Context, size int) error {
	if size < 2 {
		return invalid.Errorf("‹%s› %d: give 2 or more documents to fit on", FitOnKey, size)
	}
	if ranks.From(ctx).Size() > 1 {
		return invalid.Errorf("‹%s› is of one process: start without mpirun, or leave it out", FitOnKey)
	}
	j := r.j
	if j.Known != nil || j.Links != nil {
		return invalid.Errorf("labels and constraints in memory are of all documents, and ‹%s› holds a sample of them: leave them out", FitOnKey)
	}
	for _, name := range []string{"truth", "labels", "constraints", "graph", "vectors", "vector-column", "precomputed", "edge-list", "classes", "random-classes", "time-column", "levels", "transpose"} {
		if j.was(name) {
			return invalid.Errorf("%s is about all documents, and ‹%s› holds a sample of them: leave one of the two out", words.Option(name), FitOnKey)
		}
	}
	if j.Duplicates == "drop" {
		return invalid.Errorf("‹duplicates› drop compares all documents, and ‹%s› holds a sample of them: give ‹duplicates› once or keep", FitOnKey)
	}
	if !j.spec.Needs.Affinity && j.spec.Closed != "" {
		return invalid.Errorf("the method %s places no further documents (%s), which ‹%s› needs: choose another method", j.spec.Name, j.spec.Closed, FitOnKey)
	}
	return nil
}

// draw reads the file once: the sample becomes the corpus of the run.
func (s *Streamed) draw(ctx context.Context, size int) error {
	j := s.Run.j
	defer j.stage("sample")()
	opt := j.readOptions()
	names := new(outofcore.Names)
	defer names.Close()
	sample := outofcore.NewSample[corpus.Document](size, j.Seed)
	limit := memory.Left(ctx) / 4
	var err error
	s.contents, err = corpus.Survey(ctx, j.file, opt, func(docs []corpus.Document) error {
		for i := range docs {
			d := &docs[i]
			if err := names.Add(d.ID); err != nil {
				return err
			}
			s.escapes = s.escapes || s.Run.cell(d.ID) != d.ID
			sample.Offer(func() (corpus.Document, int64) {
				return corpus.Document{ID: strings.Clone(d.ID), Label: strings.Clone(d.Label), Text: strings.Clone(d.Text)}, documentSize(*d)
			})
		}
		return memory.Check(sample.Held(), limit, fmt.Sprintf("give a smaller ‹%s›", FitOnKey), "The texts of the sample")
	})
	if err != nil {
		return err
	}
	a, b, twice, err := names.Twice()
	switch {
	case err != nil:
		return err
	case twice:
		return invalid.Errorf("%s: documents %s and %s have one id: give each document its own, or number them with ‹id-column› none", j.file, words.Thousands(a+1), words.Thousands(b+1))
	}
	docs, _ := sample.Items()
	s.Documents = s.contents.Documents
	c, err := s.contents.Corpus(ctx, docs, opt)
	if err != nil {
		return err
	}
	for _, n := range s.contents.Notes {
		j.note(n)
	}
	if len(docs) < s.Documents {
		j.note(fmt.Sprintf("‹%s› %d: the method was fitted on a sample of %s of %s documents, drawn by the seed; its terms, weights, clusters and report are of the sample, and the model places all documents.",
			FitOnKey, size, words.Thousands(len(docs)), words.Thousands(s.Documents)))
	} else {
		j.note(fmt.Sprintf("‹%s› %d: the method was fitted on all %s documents.", FitOnKey, size, words.Thousands(s.Documents)))
	}
	return j.takeRead(ctx, c)
}

// documentSize is the memory of a document in bytes, roughly.
func documentSize(d corpus.Document) int64 {
	return int64(len(d.Text)+len(d.ID)+len(d.Label)) + 64
}

// FitOnAuto says whether a clustering of a file needs a sample to fit on: the number of documents to
// give [Prepared.OnSample], the largest of 1,000, 2,000, 5,000, 10,000 ... 50,000 whose plan fits, 0
// if all documents fit; and a sentence that says what each takes. Errors: as of [MakePlan], and
// where not even 1,000 documents fit.
func FitOnAuto(ctx context.Context, file string, opt Options) (size int, why string, err error) {
	size, why, err = fitOnAuto(ctx, file, opt)
	return size, why, wrapped(err)
}

func fitOnAuto(ctx context.Context, file string, opt Options) (int, string, error) {
	opt.Work = ""
	plan := func(n int, of *corpus.Size) (*Plan, *job, error) {
		r, err := requestOrCandidates(opt, "plan")
		if err != nil {
			return nil, nil, err
		}
		j := &job{request: r, file: file, dry: "cluster"}
		if of != nil {
			j.sized = partOf(of, n)
		}
		p, err := j.plan(ctx, 0)
		return p, j, err
	}
	all, first, err := plan(0, nil)
	if err != nil {
		return 0, "", err
	}
	if all.Fits {
		return 0, fmt.Sprintf("‹%s› auto: all %s documents fit, which take %s of %s", FitOnKey, words.Thousands(all.Documents), words.Bytes(all.Peak), words.Bytes(all.Allowed)), nil
	}
	for _, n := range []int{50_000, 20_000, 10_000, 5_000, 2_000, 1_000} {
		if n >= all.Documents {
			continue
		}
		p, _, err := plan(n, first.sized)
		if err != nil {
			return 0, "", err
		}
		if p.Fits {
			return n, fmt.Sprintf("‹%s› auto: all %s documents would take %s and %s are allowed; %s take %s", FitOnKey, words.Thousands(all.Documents), words.Bytes(all.Peak),
				words.Bytes(all.Allowed), words.Thousands(n), words.Bytes(p.Peak)), nil
		}
	}
	return 0, "", invalid.Errorf("%s: not even a fit on 1,000 documents would fit the %s that are allowed: allow more memory with %s, or choose a smaller method",
		file, words.Bytes(all.Allowed), words.Option(memory.OptionName))
}

// ParseFitOn reads the value of the flag [FitOnKey]: "" and 0 are none, auto is -1.
func ParseFitOn(text string) (int, error) {
	if text == "auto" {
		return -1, nil
	}
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		return 0, wrapped(invalid.Errorf("‹%s› %q: give a number of documents, 2 or more, or auto", FitOnKey, text))
	}
	return n, nil
}

// partOf is the size of n documents of a corpus, the terms by Heaps' law with exponent ½.
func partOf(all *corpus.Size, n int) *corpus.Size {
	part, share := *all, float64(n)/float64(all.Documents)
	part.Documents = n
	part.Entries = int(share * float64(all.Entries))
	part.Terms = max(1, int(float64(all.Terms)*math.Sqrt(share)))
	return &part
}

// Note adds a sentence to the notes of the run; "" is none.
func (s *Streamed) Note(text string) {
	if text != "" {
		s.Run.j.note(text)
	}
}
