package streaming

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
)

// OnSample fits on a sample of the documents of a file that is read in one pass and not held: size
// documents, drawn by the seed and their numbers alone ([outofcore.Sample]), all of them if there
// are no more. [Streamed.PlaceIn] then places all documents by the model, in a second pass.
//
// The clusters, the weights of the terms and the limits of document frequency are the
// sample's: the result is approximate where a fit of all documents would find other clusters, and
// exact as the placement of each document by a given model, which predicting.Predict repeats.
//
// Time: a pass over the file, and a fit of size documents. Memory: the sample, and what its fit
// takes. Errors: as of a run; a format that is not read in blocks ([corpus.Survey]); two
// documents of one id; options that are about documents outside of the sample.
func OnSample(ctx context.Context, p *result.Prepared, file string, size int) (*Streamed, error) {
	defer native.Hold()()
	s := &Streamed{Run: p.NewRun(file)}
	j := s.Run.J
	err := check(ctx, s.Run.J, size)
	if err == nil {
		err = j.SettleText(ctx)
	}
	if err == nil {
		err = j.CheckSource(ctx)
	}
	if err == nil {
		err = s.draw(ctx, size)
	}
	if err != nil {
		return nil, fault.Wrap(err)
	}
	s.Run.FitOn = size
	if err = j.Settle(ctx); err != nil {
		return nil, fault.Wrap(j.InDocuments(err))
	}
	if s.Run, err = s.Run.Finish(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// ofAll are options about all documents of a file, of which a sample does not do.
var ofAll = []string{"truth", "labels", "constraints", "graph", "vectors", "vectors-column", "vectors-model", "views", "view-columns", "precomputed", "edge-list", "classes", "random-classes", "time-column", "levels", "transpose"}

// check refuses what a run over a sample cannot do.
func check(ctx context.Context, j *job.Job, size int) error {
	if size < 2 {
		return invalid.Errorf("‹%s› %d: give 2 or more documents to fit on", job.FitOnKey, size)
	}
	if ranks.From(ctx).Size() > 1 {
		return invalid.Errorf("‹%s› is of one process: start without mpirun, or leave it out", job.FitOnKey)
	}
	if j.Known != nil || j.Links != nil {
		return invalid.Errorf("labels and constraints in memory are of all documents, and ‹%s› holds a sample of them: leave them out", job.FitOnKey)
	}
	for _, name := range ofAll {
		if j.Was(name) {
			return invalid.Errorf("%s is about all documents, and ‹%s› holds a sample of them: leave one of the two out", words.Option(name), job.FitOnKey)
		}
	}
	if j.Duplicates == "drop" {
		return invalid.Errorf("‹duplicates› drop compares all documents, and ‹%s› holds a sample of them: give ‹duplicates› once or keep", job.FitOnKey)
	}
	if !j.Spec.Needs.Affinity && j.Spec.Closed != "" {
		return invalid.Errorf("the method %s places no further documents (%s), which ‹%s› needs: choose another method", j.Spec.Name, j.Spec.Closed, job.FitOnKey)
	}
	return nil
}

// draw reads the file once: the sample becomes the corpus of the run.
func (s *Streamed) draw(ctx context.Context, size int) error {
	j := s.Run.J
	defer j.Stage("sample")()
	opt := j.ReadOptions()
	names := new(outofcore.Names)
	defer names.Close()
	sample := outofcore.NewSample[corpus.Document](size, j.Seed)
	limit := memory.Left(ctx) / 4
	var err error
	s.contents, err = corpus.Survey(ctx, j.File, opt, func(docs []corpus.Document) error {
		for i := range docs {
			d := &docs[i]
			if err := names.Add(d.ID); err != nil {
				return err
			}
			s.escapes = s.escapes || artefact.Cell(s.Run, d.ID) != d.ID
			sample.Offer(func() (corpus.Document, int64) {
				return corpus.Document{ID: strings.Clone(d.ID), Label: strings.Clone(d.Label), Text: strings.Clone(d.Text)}, job.DocumentBytes(*d)
			})
		}
		return memory.Check(sample.Held(), limit, fmt.Sprintf("give a smaller ‹%s›", job.FitOnKey), "The texts of the sample")
	})
	if err != nil {
		return err
	}
	a, b, twice, err := names.Twice()
	switch {
	case err != nil:
		return err
	case twice > 0:
		more := ""
		if twice > 1 {
			more = fmt.Sprintf(" (%s have the id of an earlier one)", words.Plural(twice, "document", "documents"))
		}
		return invalid.Errorf("%s: documents %s and %s have one id%s: give each document its own, or number them with ‹id-column› none", j.File, words.Thousands(a+1), words.Thousands(b+1), more)
	}
	docs, _ := sample.Items()
	s.Total.Documents = s.contents.Documents
	c, err := s.contents.Corpus(ctx, docs, opt)
	if err != nil {
		return err
	}
	for _, n := range s.contents.Notes {
		j.Note(n)
	}
	if len(docs) < s.Total.Documents {
		j.Note(fmt.Sprintf("‹%s› %d: the method was fitted on a sample of %s of %s documents, drawn by the seed; its terms, weights, clusters and report are of the sample, and the model places all documents.",
			job.FitOnKey, size, words.Thousands(len(docs)), words.Thousands(s.Total.Documents)))
	} else {
		j.Note(fmt.Sprintf("‹%s› %d: the method was fitted on all %s documents.", job.FitOnKey, size, words.Thousands(s.Total.Documents)))
	}
	return j.TakeRead(ctx, c)
}
