package streaming

import (
	"context"
	"encoding/csv"
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
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// PlaceIn places all documents of the file by the model of the sample, in a second pass, and writes
// the results into an open folder; out may be nil. clusters.csv, embedding.npy, embedding2d.npy and
// posterior.npy are of all documents and are written as these are placed: their lines are as of
// [Predict] with the model. The other files, the report and the model among them, are of the
// sample; uncertain.csv is not written. All get their names together.
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
	m, err := predicting.NewModel(artefact.ModelName, part)
	if err != nil {
		return nil, err
	}
	w := &placing{of: s, model: m, out: out}
	defer w.abort()
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

	done     int
	marked   bool
	clusters *folder.Part
	table    *csv.Writer
	parts    []*folder.Part
	arrays   map[string]*outofcore.Rows
	counts   [][]int // classes × clusters
}

// block places some documents and writes them.
func (w *placing) block(ctx context.Context, docs []corpus.Document) error {
	s := w.of
	s.Run.J.Observe(progress.Event{Stage: "place", Done: int64(w.done), Total: int64(s.Total.Documents), Unit: "documents"})
	p, err := predicting.PlaceBlock(ctx, w.model, s.contents, docs, s.placingOptions())
	if err != nil {
		return err
	}
	p.Raw = s.Run.Raw
	if w.done == 0 {
		if err := w.begin(p); err != nil {
			return err
		}
	}
	w.count(p)
	if w.table == nil { // nothing is written
		w.done += len(docs)
		return nil
	}
	_, row := artefact.ClusterTable(p.Run, w.marked)
	var record []string
	for i := range docs {
		record = row(i, record[:0])
		if err := w.table.Write(record); err != nil {
			return err
		}
	}
	for _, a := range placedArrays(p) {
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
	w.done += len(docs)
	return nil
}

// placingOptions are the options of the run that placing knows.
func (s *Streamed) placingOptions() request.Options {
	j := s.Run.J
	opt := request.Options{Seed: j.Seed, MaxBytes: j.MaxBytes, Confidence: j.Confidence, Reject: s.Run.RejectBelow, Text: j.Text}
	opt.Source.Strip = j.Source.Strip
	return opt
}

// placedArray is a matrix with a row for every document that was placed.
type placedArray struct {
	name string
	of   *mat.Dense
}

func placedArrays(p *predicting.Prediction) (list []placedArray) {
	for _, a := range []placedArray{{"embedding.npy", p.Embedding}, {"embedding2d.npy", p.Map}, {"posterior.npy", p.Posterior}} {
		if a.of != nil {
			list = append(list, a)
		}
	}
	return list
}

// begin opens the files, once the first block says which there are.
func (w *placing) begin(p *predicting.Prediction) (err error) {
	s := w.of
	w.marked = artefact.Escapes(p.Run) || s.escapes && !s.Run.Raw
	s.Total.Sizes = make([]int, len(p.Sizes))
	w.counts = make([][]int, len(s.contents.ClassNames))
	for k := range w.counts {
		w.counts[k] = make([]int, len(p.Sizes))
	}
	s.measured = p.Novelty != nil
	if w.out == nil {
		return nil
	}
	if w.clusters, err = folder.NewPart(w.out, artefact.ClustersName); err != nil {
		return err
	}
	w.parts = append(w.parts, w.clusters)
	w.table = csv.NewWriter(w.clusters)
	head, _ := artefact.ClusterTable(p.Run, w.marked)
	if err := w.table.Write(head); err != nil {
		return err
	}
	w.arrays = make(map[string]*outofcore.Rows)
	for _, a := range placedArrays(p) {
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
	if w.table != nil {
		w.table.Flush()
		if err := w.table.Error(); err != nil {
			return err
		}
	}
	for _, p := range w.parts {
		if err := p.Close(); err != nil {
			return err
		}
	}
	w.describe()
	w.note()
	return nil
}
