package predicting

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
)

// PlaceBlock is [Predict] of documents in memory, as they were read from the corpus that contents
// describes.
func PlaceBlock(ctx context.Context, m *Model, contents *corpus.Contents, docs []corpus.Document, of request.Options) (*Prediction, error) {
	j := &job.Job{Request: &request.Request{Options: of, Command: "predict"}, File: contents.Name}
	p := &Prediction{Model: m, Run: &result.Run{J: j, Command: "predict"}}
	rows, opt := &m.m.Rows, j.ReadOptions()
	opt.Text = rows.TextOptions()
	c, err := contents.Corpus(ctx, docs, opt)
	if errors.Is(err, corpus.ErrNoTerms) && rows.Text != nil && rows.Terms != nil {
		if opt.Text, err = rows.Fixed(); err == nil {
			if c, err = contents.Corpus(ctx, docs, opt); err == nil {
				c.Stems = rows.Stems // as of the columns that were given
			}
		}
	}
	if err != nil {
		return nil, err
	}
	j.Corpus = c
	if err := p.place(ctx); err != nil {
		return nil, j.InFile(err)
	}
	if p.Labels == nil {
		return p, nil
	}
	if err := p.DescribeClusters(); err != nil {
		return nil, err
	}
	p.nameByTerms()
	return p, nil
}
