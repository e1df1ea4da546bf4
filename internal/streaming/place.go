package streaming

import (
	"context"
	"errors"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// PlaceIn places all documents of the file by the model of the sample, in a second pass, and writes
// the results into an open folder; out may be nil. clusters.csv, embedding.npy, embedding2d.npy and
// posterior.npy are of all documents and are written as these are placed: their lines are as of
// [predicting.Predict] with the model. The other files, the report and the model among them, are of
// the sample; uncertain.csv is not written. All get their names together. With a folder of finished
// work every block that was placed is kept there, and a run that goes on reads it in place of
// placing its documents again.
//
// Time: a pass over the file, and what the method takes to place a document. Memory: the model, a
// block of at most 8,192 documents or 16 MiB of texts, and what the method takes to place it.
func (s *Streamed) PlaceIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	saved, err := s.placeIn(ctx, out)
	return saved, fault.Wrap(err)
}

func (s *Streamed) placeIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	defer native.Hold()()
	if out != nil && s.Run.J.WantsMap(true) {
		if err := s.Run.DrawMap(ctx); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	part, err := artefact.ModelOf(s.Run)
	if err != nil {
		return nil, err
	}
	if part.Part == nil {
		return nil, invalid.Errorf("the method %s places no further documents (%s), which ‹%s› needs: choose another method", s.Run.J.Spec.Name, part.Why, job.FitOnKey)
	}
	m, err := predicting.NewModel("", part)
	if err != nil {
		return nil, err
	}
	w := &placing{of: s, model: m, out: out, writer: predicting.NewWriter(out, s.Total.Documents, false)}
	defer w.writer.Abort()
	if err := w.resume(ctx, part); err != nil {
		return nil, err
	}
	most := s.Total.Block
	if most == 0 {
		most = outofcore.BlockItems
	}
	blocks := &outofcore.Blocks[corpus.Document]{Items: most, Bytes: outofcore.BlockBytes, Size: job.DocumentBytes,
		Each: func(docs []corpus.Document) error { return w.block(ctx, docs) }}
	opt := s.Run.J.ReadOptions()
	opt.Observer = nil
	if err := s.contents.Again(ctx, opt, blocks.Add); err != nil {
		return nil, err
	}
	if err := blocks.Flush(); err != nil {
		return nil, err
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	s.Run.Timings.AddBeforeTotal("place", time.Since(start))
	if out == nil {
		return nil, nil
	}
	s.Run.Elsewhere = []string{artefact.ClustersName, "embedding.npy", "embedding2d.npy", "posterior.npy", "uncertain.csv"}
	return artefact.SaveIn(ctx, s.Run, out)
}

// placing is the second pass of a Streamed.
type placing struct {
	of    *Streamed
	model *predicting.Model
	out   *folder.Folder
	store *store.Store // of finished blocks; nil: none is kept
	key   store.Key    // of what the blocks have in common

	tally  predicting.Tally // of the documents so far
	found  int              // of these, the ones whose blocks were in the store
	writer *predicting.Writer
}

// resume opens the folder of finished blocks, if there is one.
func (w *placing) resume(ctx context.Context, m *model.Model) error {
	stored, err := w.of.Run.J.WithStore(ctx)
	if w.store = store.From(stored); err != nil || w.store == nil {
		return err
	}
	w.key, err = w.keyOf(m)
	return err
}

// blockKind is the kind of the pieces of placed documents.
const blockKind = "placed"

// block places some documents and writes them.
func (w *placing) block(ctx context.Context, docs []corpus.Document) error {
	s := w.of
	s.Run.J.Observe(progress.Event{Stage: "place", Done: int64(w.tally.Documents), Total: int64(s.Total.Documents), Unit: "documents"})
	b, err := w.placed(ctx, docs)
	if err != nil {
		return err
	}
	w.tally.Add(b.Tally)
	return w.writer.Write(&b.lines)
}

// placed places some documents, or reads what an earlier run made of them.
func (w *placing) placed(ctx context.Context, docs []corpus.Document) (b *placedBlock, err error) {
	var key store.Key
	if w.store != nil {
		key = w.blockKey(docs)
		found, err := w.store.Read(blockKind, key, func(d *store.Decoder) { b = decodeBlock(d, len(docs)) })
		if found || err != nil {
			w.found += len(docs)
			return b, errors.Join(err, ctx.Err())
		}
	}
	began := time.Now()
	p, err := predicting.PlaceBlock(ctx, w.model, w.of.contents, docs, w.of.placingOptions())
	if err != nil {
		return nil, err
	}
	p.Raw = w.of.Run.Raw
	if b, err = w.blockOf(p); err != nil || !w.store.Worth(time.Since(began)) {
		return b, err
	}
	return b, w.store.Write(blockKind, key, b.encode)
}

// placingOptions are the options of the run that placing knows.
func (s *Streamed) placingOptions() request.Options {
	j := s.Run.J
	opt := request.Options{Seed: j.Seed, MaxBytes: j.MaxBytes, Confidence: j.Confidence, Reject: s.Run.RejectBelow, Text: j.Text}
	opt.Source.Strip = j.Source.Strip
	return opt
}

// finish ends the files and describes the clusters of all documents.
func (w *placing) finish() error {
	if err := w.writer.Close(); err != nil {
		return err
	}
	if err := w.describe(); err != nil {
		return err
	}
	w.of.measured = w.tally.Measured
	w.note()
	if w.found > 0 {
		progress.Observer(w.of.Run.J.Observe).Notef("place", "%s of %s documents were placed before, in %s.", words.Thousands(w.found), words.Thousands(w.tally.Documents), w.store.Dir)
	}
	return nil
}
