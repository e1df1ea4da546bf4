package predicting

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
)

// Into is where a prediction writes its documents as they are placed.
type Into struct {
	Folder *folder.Folder // nil: nothing is written
	Raw    bool           // texts in CSV files are not escaped for spreadsheets
	// Watch, if it is set, sees the documents that were placed, those of each block in their order.
	Watch func(b *Prediction) error
}

// PredictInto is [Predict] of documents that are not kept: they are read, placed and written in
// blocks, and the prediction has their numbers alone. Formats that are not read in blocks, vectors,
// labels of another file, chosen classes and ranks are held in memory, as by Predict, which Held
// says. The caller ends it by [Prediction.SaveIn] or [Prediction.Abort].
func PredictInto(ctx context.Context, modelFile, file string, opt request.Options, into Into) (*Prediction, error) {
	r, err := request.New(opt, "predict")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	p := &Prediction{Run: &result.Run{J: &job.Job{Request: r, File: file}, Command: "predict", Raw: into.Raw}, into: &into}
	if err := p.predict(ctx, modelFile); err != nil {
		p.Abort()
		return nil, fault.Wrap(p.Run.J.InDocuments(err))
	}
	if p.Held() && into.Watch != nil {
		if err := into.Watch(p); err != nil {
			return nil, fault.Wrap(err)
		}
	}
	p.Timings = p.Run.J.Times
	return p, nil
}

// Held reports whether the prediction has what became of its documents, one by one.
func (p *Prediction) Held() bool { return p.blocks == nil }

// CheckHeld refuses what needs the documents one by one if they are not here.
func (p *Prediction) CheckHeld() error {
	if p.Held() {
		return nil
	}
	return fault.Wrap(invalid.Errorf("the documents were placed block by block and are not held: predict them in memory, or give the folder when they are placed"))
}

// SaveIn writes the results into an open folder, or what is left of them where the documents were
// written as they were placed.
func (p *Prediction) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	start := time.Now()
	p.Run.J.Observe(progress.Event{Stage: "write"})
	if p.writer != nil {
		err := ctx.Err()
		if err == nil {
			err = p.writer.Close()
		}
		if err != nil {
			return nil, fault.Wrap(err)
		}
	}
	saved, err := artefact.SaveResults(ctx, p.Run, out)
	p.Timings.Add("write", time.Since(start))
	return saved, err
}

// Abort removes the files that were not saved.
func (p *Prediction) Abort() { p.writer.Abort() }

// errHeld says that the documents are read into memory.
var errHeld = errors.New("the documents are held in memory")

// inBlocks reports whether the request is one whose documents need not be held. A share to reject
// is one of all documents.
func (p *Prediction) inBlocks(ctx context.Context) bool {
	j, rows := p.Run.J, &p.Model.m.Rows
	s := &j.Source
	return p.into != nil && j.Texts == nil && !j.WithVectors() && !rows.Vectors && !rows.Projected() && ranks.From(ctx).Size() == 1 &&
		s.RandomClasses == 0 && len(s.Classes) == 0 && j.TimeColumn == "" && !s.Precomputed && j.RejectShare == 0
}

// readBlocks reads what the documents have in common, in place of the documents. errHeld: they are
// not read in blocks.
func (p *Prediction) readBlocks(ctx context.Context, opt corpus.ReadOptions) error {
	names := new(outofcore.Names)
	defer names.Close()
	escapes, numbered, read := false, true, 0
	blocks, err := corpus.ReadBlocks(ctx, p.Run.J.File, opt, func(id string) error {
		escapes = escapes || spreadsheet.Changes(id)
		read++
		numbered = numbered && id == strconv.Itoa(read)
		return names.Add(id)
	})
	if err != nil {
		return err
	}
	if blocks == nil {
		return errHeld
	}
	// Documents of one name are refused by their places, or get others, where all are known.
	if _, _, twice, err := names.Twice(); err != nil {
		return err
	} else if twice > 0 {
		return errHeld
	}
	if err := p.Run.J.TakeRead(ctx, blocks.Outline); err != nil {
		return err
	}
	p.blocks, p.escapes, p.numbered = blocks, escapes, numbered
	return nil
}

// placeInto places the documents, a block of them at a time, and writes each block.
func (p *Prediction) placeInto(ctx context.Context) error {
	j := p.Run.J
	p.writer = NewWriter(p.into.Folder, p.Corpus.Len(), true)
	blocks := &outofcore.Blocks[corpus.Document]{Items: blockItems, Bytes: outofcore.BlockBytes, Size: job.DocumentBytes,
		Each: func(docs []corpus.Document) error { return p.placeNext(ctx, docs) }}
	if err := p.blocks.Each(ctx, blocks.Add); err != nil {
		return err
	}
	if err := blocks.Flush(); err != nil {
		return err
	}
	p.Sizes, p.RejectedCount, p.Known = p.tally.Sizes, p.tally.Rejected, p.tally.Known
	if m := p.Model.m; p.tally.Sizes != nil {
		if classes := p.Model.Summary.Classes; len(classes) == len(m.Clusters.Sizes) {
			p.Classes = classes
		}
	}
	p.Elsewhere = []string{artefact.ClustersName, "posterior.npy", artefact.DoubtsName, "embedding.npy", "embedding2d.npy"}
	j.Observe(progress.Event{Stage: "place", Done: int64(p.tally.Documents), Total: int64(p.Corpus.Len()), Unit: "documents"})
	return nil
}

// placeNext places the next documents and writes them.
func (p *Prediction) placeNext(ctx context.Context, docs []corpus.Document) error {
	j, first, n := p.Run.J, p.tally.Documents, p.Corpus.Len()
	if len(docs) < n {
		j.Observe(progress.Event{Stage: "place", Done: int64(first), Total: int64(n), Unit: "documents"})
	}
	c, err := p.blocks.Corpus(ctx, docs, first)
	if err != nil {
		return err
	}
	b := p.blockOf(c, len(docs) == n)
	b.Raw = p.Raw
	if err := b.placeHere(ctx); err != nil {
		return b.Run.J.InDocuments(err)
	}
	if first == 0 {
		err := memory.Need(memory.Bound(ctx, j.MaxBytes), result.PlacedBytes(b.Run, len(docs)), "predict fewer at a time", "the places of %s", words.Counted(len(docs), "document"))
		if err != nil {
			return err
		}
	}
	if err := b.decide(ctx); err != nil {
		return err
	}
	p.RejectBelow, p.unsure = b.RejectBelow, p.unsure || b.Confidence != nil
	if b.Labels != nil {
		if err := b.DescribeClusters(); err != nil {
			return err
		}
		b.nameByTerms()
	}
	if p.into.Watch != nil {
		if err := p.into.Watch(b); err != nil {
			return err
		}
	}
	p.tally.Add(TallyOf(b))
	if p.into.Folder == nil && b.Posterior == nil {
		return nil
	}
	lines, err := LinesOf(b, artefact.Escapes(b.Run) || p.escapes && !p.Raw)
	if err != nil {
		return err
	}
	p.takeDoubts(b, lines.Doubts)
	return p.writer.Write(lines)
}

// takeDoubts counts the uncertain documents of a block, and keeps the least certain of all.
func (p *Prediction) takeDoubts(b *Prediction, list []artefact.DoubtLine) {
	if b.Posterior == nil || b.Labels == nil {
		return
	}
	p.soft = true
	p.doubts += len(list)
	for _, d := range list[:min(len(list), result.UncertainShown)] {
		p.least = append(p.least, artefact.DoubtLine{Probability: d.Probability, ID: d.ID})
	}
	slices.SortStableFunc(p.least, func(a, b artefact.DoubtLine) int { return cmp.Compare(a.Probability, b.Probability) })
	p.least = p.least[:min(len(p.least), result.UncertainShown)]
}

// uncertain are the uncertain documents; nil of a hard clustering.
func (p *Prediction) uncertain() *result.Uncertain {
	if p.Held() {
		return p.Uncertain()
	}
	if !p.soft {
		return nil
	}
	u := &result.Uncertain{Below: result.Certain, Count: p.doubts, Documents: []string{}}
	for _, d := range p.least {
		u.Documents = append(u.Documents, d.ID)
	}
	return u
}

// scoreTally compares the documents that were counted with their labels, and describes the
// clusters.
func (p *Prediction) scoreTally(ctx context.Context) error {
	defer p.Run.J.Stage("metrics")()
	if err := ctx.Err(); err != nil {
		return err
	}
	if sizes, _ := p.Corpus.ClassSizes(); slices.ContainsFunc(sizes, func(n int) bool { return n > 0 }) {
		t, err := p.tally.Cells.Table()
		if err != nil {
			return err
		}
		p.ScoreTable(t, p.tally.Scored)
	}
	return p.DescribeClusters()
}
