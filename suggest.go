package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/suggesting"
)

// Results are the documents of a clustering as the files of its folder have them, in the order of
// the corpus. A slice is nil if the result does not have it; the others have one length.
type Results = suggesting.Results

// ReadResults reads the folder that a clustering was saved in. Errors (fs.ErrInvalid): it is no
// folder of a clustering, its files are of different runs, or one of them is damaged.
func ReadResults(ctx context.Context, dir string) (*Results, error) {
	r, err := suggesting.ReadResults(ctx, dir)
	return r, fault.Wrap(err)
}

// SuggestOptions say which documents [Results.Suggest] may suggest.
type SuggestOptions = suggesting.Options

// Suggestion is a document to label, or one whose label is known.
type Suggestion = suggesting.Suggestion

// Suggestions are documents to label next, the most useful first, and those with a label.
type Suggestions = suggesting.Suggestions

// Suggest is [Results.Suggest] on a run in memory. [Options.Map] gives it the better places.
func (r *Run) Suggest(ctx context.Context, opt SuggestOptions) (*Suggestions, error) {
	s, err := suggesting.Suggest(ctx, r.run, opt)
	return s, fault.Wrap(err)
}
