package corpus

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// FromTexts counts the terms of texts, one document each in their order, as [Read] counts
// the lines of a file: by opt.Text, opt.Snippets and opt.Strip, with opt.MaxBytes and
// opt.Observer; other options have no effect. Documents have no ids and no labels. A text that is
// empty, or has no term, is an empty document.
//
// Errors: those of [Read] about texts, such as [ErrNoTerms], and the context's. Cost: a pass over
// the texts on all threads, 14 bytes an entry.
func FromTexts(ctx context.Context, texts []string, opt ReadOptions) (*Corpus, error) {
	only := ReadOptions{Text: opt.Text, Snippets: opt.Snippets, Strip: opt.Strip, MaxBytes: opt.MaxBytes, Observer: opt.Observer}
	c, err := readTexts(input.NewFolder(ctx, "texts", only.limits()), only, func(in *input.File, o text.ReadOptions) (*counting.Collection, error) {
		return text.Count(in, texts, o)
	})
	return c, err
}
