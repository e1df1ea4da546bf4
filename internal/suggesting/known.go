package suggesting

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
)

// KnownLabels returns the known label of each document, "" for none: from a file
// ([Options].Labels; "" for no file), or else as the run was given it. Errors
// (fs.ErrInvalid): the file is no list of labels, or names other documents.
func (r *Results) KnownLabels(ctx context.Context, file string) ([]string, error) {
	known, err := r.knownLabels(ctx, file)
	return known, fault.Wrap(err)
}

func (r *Results) knownLabels(ctx context.Context, file string) ([]string, error) {
	known := make([]string, len(r.IDs))
	copy(known, r.Known)
	if file == "" {
		return known, nil
	}
	if err := job.CheckFiles(ctx, file); err != nil {
		return nil, err
	}
	l, err := corpus.ReadLabeling(ctx, file, "")
	if err != nil {
		return nil, err
	}
	given, _ := l.Known()
	if l.IDs == nil && len(given) != len(known) {
		return nil, invalid.Errorf("%s: it has %d labels, and the result has %d documents: write lines id,label", file, len(given), len(known))
	}
	row := make(map[string]int, len(known))
	for i, id := range r.IDs {
		row[id] = i
	}
	for k, label := range given {
		i, found := k, true
		if l.IDs != nil {
			i, found = row[l.IDs[k]]
		}
		if !found {
			return nil, invalid.Errorf("%s: line %d: the result has no document %q: give the labels of its documents", file, l.Lines[k], words.Clip(l.IDs[k], 60))
		}
		if label != "" {
			known[i] = label
		}
	}
	return known, nil
}
