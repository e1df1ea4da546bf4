package predicting

import (
	"context"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blockItems is the most documents of a block that is placed. It is a variable for tests.
var blockItems = outofcore.BlockItems

// asCounted leaves the counts of new texts as they were counted: a block of them at a time becomes
// rows. It is a variable for tests.
var asCounted = true

// match finds the model's columns in what the documents are placed by.
func (p *Prediction) match() (err error) {
	terms, vectors := p.views()
	p.findViews(terms, vectors)
	if p.Model.m.Rows.TermsFirst() {
		if p.Terms = (model.Match{By: "order"}); terms == nil {
			return nil
		}
	} else if vectors != nil {
		terms = vectors
	}
	if p.matching, err = p.Model.m.Rows.Match(terms); err == nil {
		p.Terms = p.matching.Match
	}
	return err
}

// findViews says which of the model's views the documents have, if they do not have all.
func (p *Prediction) findViews(terms, vectors *corpus.Corpus) {
	rows := &p.Model.m.Rows
	var has, all []string
	add := func(view string, wanted, there bool) {
		if wanted {
			all = append(all, view)
			if there {
				has = append(has, view)
			}
		}
	}
	add("terms", !rows.Vectors, terms != nil)
	add("vectors", rows.Vectors || rows.Beside > 0, rows.Vectors || vectors != nil)
	add("columns", rows.View != nil, p.Run.J.ColumnsRead != nil)
	p.OneView, p.only, p.all = len(has) < len(all), strings.Join(has, " and "), strings.Join(all, " and ")
}

// sameOnRanks refuses ranks that have read other documents. Each block is compared when it is
// placed, but ranks with another number of documents have other blocks.
func (p *Prediction) sameOnRanks(ctx context.Context) error {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return nil
	}
	j := p.Run.J
	return ranks.SameInput(team, append([]ranks.Fact{{Name: j.File, Value: j.Corpus.Digest()}}, j.FactsBeside()...))
}

// placeBlocks places the documents, a block of them at a time, and joins what became of them.
func (p *Prediction) placeBlocks(ctx context.Context) error {
	j, n := p.Run.J, p.Corpus.Len()
	if _, counted := p.Corpus.X.(*sparse.Counts); n <= blockItems && !counted {
		return p.placeHere(ctx)
	}
	var joined result.Blocks
	for lo := 0; lo < n; lo += blockItems {
		if n > blockItems {
			j.Observe(progress.Event{Stage: "place", Done: int64(lo), Total: int64(n), Unit: "documents"})
		}
		b := p.block(lo, min(lo+blockItems, n))
		if err := b.placeHere(ctx); err != nil {
			return b.Run.J.InDocuments(err)
		}
		if lo == 0 {
			need := memory.Need(memory.Bound(ctx, j.MaxBytes), result.PlacedBytes(b.Run, n), "predict fewer at a time", "the places of %s", words.Counted(n, "document"))
			if err := ranks.Agree(ranks.From(ctx), need); err != nil {
				return err
			}
		}
		joined.Add(b.Run, lo, n)
		for _, i := range b.Isolated {
			p.Isolated = append(p.Isolated, lo+i)
		}
		p.Known += b.Known
	}
	joined.Into(p.Run)
	return nil
}

// block is a prediction of the documents from lo up to hi, with nothing placed yet. It reports
// progress if they are all.
func (p *Prediction) block(lo, hi int) *Prediction {
	of := p.Run.J
	b := p.blockOf(part(of.Corpus, lo, hi), hi-lo == of.Corpus.Len())
	if of.VectorsRead != nil {
		b.Run.J.VectorsRead = part(of.VectorsRead, lo, hi)
	}
	b.Run.J.ColumnsRead = of.ColumnsRead.Rows(lo, hi)
	return b
}

// blockOf is block of documents that are all of them or not.
func (p *Prediction) blockOf(docs *corpus.Corpus, all bool) *Prediction {
	of := p.Run.J
	opt := of.Options
	if !all {
		opt.Observer = nil
	}
	j := &job.Job{Request: &request.Request{Options: opt, Command: of.Command}, File: of.File, Corpus: docs}
	return &Prediction{Model: p.Model, OneView: p.OneView, matching: p.matching, Run: &result.Run{J: j, Command: p.Run.Command}}
}

// part is the documents from lo up to hi of a corpus, with their names.
func part(c *corpus.Corpus, lo, hi int) *corpus.Corpus {
	b := *c
	b.X, b.First, b.Total, b.Snippets = corpus.RowsOf(c.X, lo, hi), lo, 0, nil
	if c.IDs != nil {
		b.IDs = c.IDs[lo:hi]
	}
	if c.Labels != nil {
		b.Labels = c.Labels[lo:hi]
	}
	return &b
}

// WeightedRows are the rows of some of the documents, as the model weighs them. They are made when
// they are asked for: a prediction does not keep the rows of all documents. Errors: the context's,
// and of entries that the model cannot weigh, with the file and the document.
func (p *Prediction) WeightedRows(ctx context.Context, of *corpus.Corpus) (mat.Matrix, error) {
	return p.weightedRows(ctx, &job.Job{Request: p.Run.J.Request, File: p.Run.J.File, Corpus: of})
}

// weightedRows are the rows of the documents of a job.
func (p *Prediction) weightedRows(ctx context.Context, j *job.Job) (mat.Matrix, error) {
	b := &Prediction{Model: p.Model, matching: p.matching, Run: &result.Run{J: j, Result: result.Result{Corpus: j.Corpus}}}
	x, err := b.rows(ctx)
	return x, j.InFile(err)
}
