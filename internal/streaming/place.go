package streaming

import (
	"context"
	"encoding/csv"
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
// [Predict] with the model. The other files, the report and the model among them, are of the
// sample; uncertain.csv is not written. All get their names together. With a folder of finished
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
	w := &placing{of: s, model: m, out: out}
	defer w.abort()
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

	done, found int // documents so far, and of these the ones whose blocks were in the store
	clusters    *folder.Part
	parts       []*folder.Part
	arrays      map[string]*outofcore.Rows
	counts      [][]int // classes × clusters
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
	s.Run.J.Observe(progress.Event{Stage: "place", Done: int64(w.done), Total: int64(s.Total.Documents), Unit: "documents"})
	b, err := w.placed(ctx, docs)
	if err != nil {
		return err
	}
	if w.done == 0 {
		if err := w.begin(b); err != nil {
			return err
		}
	}
	w.count(b)
	w.done += len(docs)
	if w.out == nil {
		return nil
	}
	if _, err := w.clusters.Write(b.lines); err != nil {
		return err
	}
	for _, a := range b.arrays {
		rows := w.arrays[a.name]
		if rows == nil {
			continue
		}
		for i := range docs {
			if err := rows.Write(a.of.RawRowView(i)); err != nil {
				return err
			}
		}
	}
	return nil
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

// begin opens the files, once the first block says which there are.
func (w *placing) begin(b *placedBlock) (err error) {
	s := w.of
	s.Total.Sizes = make([]int, len(b.Sizes))
	w.counts = make([][]int, len(s.contents.ClassNames))
	for k := range w.counts {
		w.counts[k] = make([]int, len(b.Sizes))
	}
	s.measured = b.Measured
	if w.out == nil {
		return nil
	}
	if w.clusters, err = folder.NewPart(w.out, artefact.ClustersName); err != nil {
		return err
	}
	w.parts = append(w.parts, w.clusters)
	table := csv.NewWriter(w.clusters)
	if err := table.Write(b.head); err != nil {
		return err
	}
	if table.Flush(); table.Error() != nil {
		return table.Error()
	}
	w.arrays = make(map[string]*outofcore.Rows)
	for _, a := range b.arrays {
		part, err := folder.NewPart(w.out, a.name)
		if err != nil {
			return err
		}
		w.parts = append(w.parts, part)
		_, d := a.of.Dims()
		if w.arrays[a.name], err = outofcore.NewRows(part, s.Total.Documents, d); err != nil {
			return err
		}
	}
	return nil
}

// abort removes the files that were not finished.
func (w *placing) abort() {
	for _, p := range w.parts {
		p.Abort()
	}
}

// finish ends the files and describes the clusters of all documents.
func (w *placing) finish() error {
	for _, p := range w.parts {
		if err := p.Close(); err != nil {
			return err
		}
	}
	w.describe()
	w.note()
	if w.found > 0 {
		progress.Observer(w.of.Run.J.Observe).Notef("place", "%s of %s documents were placed before, in %s.", words.Thousands(w.found), words.Thousands(w.done), w.store.Dir)
	}
	return nil
}
