package eigenmap

import (
	"context"
	"errors"
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
	"github.com/eigenmap/eigenmap/sparse"
)

// FitOnKey is the flag and the key of a configuration for the number of documents that a clustering
// of more documents than memory holds is fitted on. It is no option of [Options]: see
// [Prepared.OnSample].
const FitOnKey = "fit-on"

// Streamed is a clustering of a corpus that is not held in memory: the method was fitted on a
// sample of the documents, and its model places all of them.
type Streamed struct {
	// Run is the clustering of the sample, in the order of the file; Corpus has the documents of
	// the sample alone.
	*Run
	Documents int // of the file
	// Sizes count all documents by their clusters, Clusters describe these, and Scores compare them
	// with the true labels; nil before [Streamed.PlaceIn], which see.
	Sizes    []int
	Clusters []Group
	Scores   *metrics.Scores
	Scored   int // documents with a true label in a cluster
	// Isolated documents have nothing in common with the sample, Known are equal to documents of
	// it, Novel have a novelty of at least 0.95, and Rejected are in no cluster.
	Isolated, Known, Novel, Rejected int

	// Block is the most documents that are placed together; 0: 8,192, or 16 MiB of texts.
	Block int

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

// FitOnAuto says whether a clustering of a file needs a sample to fit on: the number of documents
// to give [Prepared.OnSample], the largest of 50,000, 20,000, 10,000 ... 1,000 whose plan fits, 0
// if all documents fit; and a sentence that says what each takes. Errors: as of [MakePlan], and
// where not even 1,000 documents fit.
func FitOnAuto(ctx context.Context, file string, opt Options) (size int, why string, err error) {
	size, why, err = fitOnAuto(ctx, file, opt)
	return size, why, wrapped(err)
}

func fitOnAuto(ctx context.Context, file string, opt Options) (int, string, error) {
	all, sized, err := planned(ctx, file, opt, nil)
	if err != nil {
		return 0, "", err
	}
	of := fmt.Sprintf("‹%s› auto: all %s documents", FitOnKey, words.Thousands(all.Documents))
	if all.Fits {
		return 0, fmt.Sprintf("%s fit, which take %s of %s", of, words.Bytes(all.Peak), words.Bytes(all.Allowed)), nil
	}
	for _, n := range []int{50_000, 20_000, 10_000, 5_000, 2_000, 1_000} {
		if n >= all.Documents {
			continue
		}
		p, err := planOnSample(ctx, file, opt, n, sized)
		if err != nil {
			return 0, "", err
		}
		if p.Fits {
			return n, fmt.Sprintf("%s would take %s and %s are allowed; a fit on %s takes %s", of, words.Bytes(all.Peak), words.Bytes(all.Allowed), words.Thousands(n), words.Bytes(p.Peak)), nil
		}
	}
	return 0, "", invalid.Errorf("%s: not even a fit on 1,000 documents takes less than the %s that are allowed: allow more with %s, or choose a method that takes less",
		file, words.Bytes(all.Allowed), words.Option(memory.OptionName))
}

// PlanOnSample is [MakePlan] of [Prepared.OnSample] and [Streamed.PlaceIn]: the fit on so many
// documents, and the two passes over the file. Its Documents, Terms and Entries are of the sample.
// The time of the passes is not known. size -1 is what [FitOnAuto] finds.
func PlanOnSample(ctx context.Context, file string, opt Options, size int) (*Plan, error) {
	why := ""
	if size < 0 {
		var err error
		if size, why, err = FitOnAuto(ctx, file, opt); err != nil {
			return nil, err
		}
		if size == 0 {
			p, err := MakePlan(ctx, file, opt)
			if err == nil {
				p.Notes = append(p.Notes, why+".")
			}
			return p, err
		}
	}
	p, err := planOnSample(ctx, file, opt, size, nil)
	if err == nil && why != "" {
		p.Notes = append(p.Notes, why+".")
	}
	return p, wrapped(err)
}

// planned is a plan of a clustering of documents of a size; nil: that of the file, which it
// returns.
func planned(ctx context.Context, file string, opt Options, sized *corpus.Size) (*Plan, *corpus.Size, error) {
	opt.Work = ""
	r, err := requestOrCandidates(opt, "plan")
	if err != nil {
		return nil, nil, err
	}
	j := &job{request: r, file: file, dry: "cluster", sized: sized}
	p, err := j.plan(ctx, 0)
	if errors.Is(err, memory.ErrLimit) && sized == nil { // not even the sizes are found in memory
		if sized, err = j.streamedSize(ctx); err != nil {
			return nil, nil, err
		}
		return planned(ctx, file, opt, sized)
	}
	return p, j.sized, j.inDocuments(err)
}

// streamedSize is the size of a corpus by one pass that does not hold it: documents and classes are
// counted, terms and entries are extrapolated from a sample.
func (j *job) streamedSize(ctx context.Context) (*corpus.Size, error) {
	const looked = 2000
	opt := j.readOptions()
	sample := outofcore.NewSample[corpus.Document](looked, j.Seed)
	all, err := corpus.Survey(ctx, j.file, opt, func(docs []corpus.Document) error {
		for _, d := range docs {
			sample.Offer(func() (corpus.Document, int64) {
				return corpus.Document{ID: d.ID, Text: strings.Clone(d.Text)}, documentSize(d)
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	docs, _ := sample.Items()
	c, err := all.Corpus(ctx, docs, opt)
	if err != nil {
		return nil, err
	}
	part := &corpus.Size{Documents: len(docs), Terms: len(c.Terms), Sparse: true, Classes: all.ClassNames, Format: all.Format, Share: float64(len(docs)) / float64(all.Documents)}
	if x, ok := c.X.(*sparse.CSR); ok {
		part.Entries = x.NNZ()
	}
	whole := partOf(part, all.Documents)
	return whole, nil
}

// planOnSample is [PlanOnSample] of a file of a size; nil: it is measured.
func planOnSample(ctx context.Context, file string, opt Options, size int, sized *corpus.Size) (*Plan, error) {
	if sized == nil {
		var err error
		if _, sized, err = planned(ctx, file, opt, nil); err != nil {
			return nil, err
		}
	}
	all := sized.Documents
	p, _, err := planned(ctx, file, opt, partOf(sized, min(size, all)))
	if err != nil {
		return nil, err
	}
	const entryBytes = 12 // of text for one entry of the counts, roughly
	texts := memory.Bytes(entryBytes, p.Entries)
	block := min(blockBytes, memory.Bytes(texts/int64(max(1, p.Documents)), blockDocuments))
	for _, s := range []PlanStage{{Name: "sample", Bytes: texts}, {Name: "place", Bytes: memory.Bytes(placedTimes, int(block))}} {
		s.Helps = []string{"‹" + FitOnKey + "›"}
		last := p.Stages[len(p.Stages)-1].Peak
		if s.Name == "sample" {
			last = memory.Whole(programBytes)
		}
		s.Peak = memory.Sum(last, memory.Whole(garbage*float64(s.Bytes)))
		p.Stages, p.Peak = append(p.Stages, s), max(p.Peak, s.Peak)
	}
	p.Fits = p.Peak <= p.Allowed
	p.Notes = append(p.Notes, fmt.Sprintf("‹%s›: the plan is of a fit on %s of %s documents; the time of the two passes over the file is not in it.", FitOnKey, words.Thousands(p.Documents), words.Thousands(all)))
	return p, nil
}

// placedTimes is what placing a block takes per byte of its texts: three rounds of texts as they
// are read, the texts, their counts and rows.
const placedTimes = 16

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
	part, share := *all, float64(n)/float64(all.Documents) // above 1: of more documents
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
